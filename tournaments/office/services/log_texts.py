"""Announcements, and reasons that everybody can read: organisers change them, take them down, and put them up again.

Every reader finds the present text in the line of the log itself; former ones are beside it.
"""

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import FormerText, LogEntry
from tournaments.office.errors import NotTakenDown
from tournaments.office.selectors.lists import get_public_text, pinned_announcements
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import ACTIONS, log_action
from web.written_texts import clean_text


def edit_text(*, line: LogEntry, text: str, actor: Player, now: datetime) -> LogEntry:
    """Let everybody read another text in a line of the log, and return the line. The same text has no effect.

    Raises ``NotAnOrganiser``, ``LogTextNotFound`` or ``InvalidDetails``.
    """
    text = clean_text(text, field="text")
    with transaction.atomic():
        fresh = _lock(line, actor)
        if fresh.reason != text:
            _keep(fresh, actor, now)
            _set(fresh, text, None)
            _log("text-edited", fresh, actor, now)
    return fresh


def take_down(*, line: LogEntry, actor: Player, now: datetime) -> LogEntry:
    """Let nobody but organisers and staff read the text of a line of the log, and return the line.

    Of an announcement no mail is sent any more. Again has no effect. Raises ``NotAnOrganiser`` or ``LogTextNotFound``.
    """
    with transaction.atomic():
        fresh = _lock(line, actor)
        if fresh.taken_down_at is None:
            _keep(fresh, actor, now)
            _set(fresh, "", now)
            _log("text-taken-down", fresh, actor, now)
    return fresh


def put_up_again(*, line: LogEntry, actor: Player, now: datetime) -> LogEntry:
    """Let everybody read the text of a line again that was taken down, and return the line.

    It is pinned again if it was and there is room. Raises ``NotAnOrganiser``, ``LogTextNotFound`` or ``NotTakenDown``.
    """
    with transaction.atomic():
        fresh = _lock(line, actor)
        former = fresh.former_texts.first()
        if fresh.taken_down_at is None or former is None:
            raise NotTakenDown(_("The text is not taken down."))
        if pinned_announcements(fresh.competition).count() >= settings.MAX_PINNED_ANNOUNCEMENTS:
            fresh.pinned_at = None
        _set(fresh, former.text, None)
        former.delete()
        _log("text-put-up", fresh, actor, now)
    return fresh


def _lock(line: LogEntry, actor: Player) -> LogEntry:
    competition = lock_competition(competition_id=line.competition_id)
    check_organiser(competition=competition, player=actor)
    return get_public_text(competition, line.pk)


def _keep(line: LogEntry, actor: Player, now: datetime) -> None:
    if line.taken_down_at is None:
        FormerText.objects.create(line=line, text=line.reason, replaced_by=actor, replaced_at=now)


def _set(line: LogEntry, text: str, taken_down_at: datetime | None) -> None:
    line.reason, line.taken_down_at = text, taken_down_at
    line.save(update_fields=["reason", "taken_down_at", "pinned_at"])


def _log(action: str, line: LogEntry, actor: Player, now: datetime) -> None:
    name = capfirst(str(ACTIONS.get(line.action, line.action)))
    subject = f"{name}: {line.subject}" if line.subject else name
    log_action(competition=line.competition, action=action, actor=actor, subject=subject, now=now)
