"""Notes among those who run a competition. Nobody else reads them, and nobody hears of them."""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from players.services.budgets import spending_of
from tournaments.models import Note
from tournaments.models.rights import Right
from tournaments.office.errors import NoteNotFound, TooManyNotes
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.locks import lock_competition
from web.limits.table import ACTS
from web.written_texts import clean_text


def write_note(*, competition_id: int, text: str, actor: Player, now: datetime) -> Note:
    """Return a new note. Raises ``InvalidDetails``, ``NotAnOrganiser``, ``TooManyNotes`` or ``BudgetSpent``."""
    text = clean_text(text, field="text")
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        check_organiser(competition=competition, player=actor, right=Right.DECIDE)
        if Note.objects.filter(competition=competition).count() >= settings.MAX_ORGANISER_NOTES:
            raise TooManyNotes(
                _("A competition has at most %(most)d notes. Delete one first.")
                % {"most": settings.MAX_ORGANISER_NOTES}
            )
        with spending_of(actor, ACTS, now=now):
            return Note.objects.create(competition=competition, author=actor, text=text, written_at=now)


def delete_note(*, competition_id: int, note_id: int, actor: Player) -> None:
    """Delete a note: helpers only their own. Raises ``NotAnOrganiser`` or ``NoteNotFound``."""
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        note = Note.objects.filter(competition=competition, pk=note_id).first()
        is_own = note is not None and note.author_id == actor.pk
        check_organiser(competition=competition, player=actor, right=Right.DECIDE if is_own else Right.ORGANISE)
        if note is None:
            raise NoteNotFound(_("There is no such note."))
        note.delete()
