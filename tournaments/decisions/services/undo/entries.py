"""Take back an entry: nothing is left of who came late and has not played."""

from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.decisions.errors import NothingToTakeBack
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.results import annul
from tournaments.decisions.services.undo.trial import foresee, take_back
from tournaments.decisions.services.undo.withdrawals import find_entry
from tournaments.entries.services.withdrawal import what_follows_from_withdrawing, withdraw_entry
from tournaments.models import Bye, Competition, CompetitionStatus, Entry, Fixture, ProposedRound, Round
from tournaments.office.selectors.organisers import check_organiser, competition_of_entry
from tournaments.office.services.locks import lock_competition, lock_tables
from tournaments.office.services.log import log_action
from tournaments.rounds.services.consequences import Consequences
from tournaments.running.services.numbers import store_numbers


def take_back_entry(*, entry_id: int, confirm: bool, actor: Player, reason: str, now: datetime) -> None:
    """Remove an entrant who came after the start, as if they had never come.

    Their matches, in which nobody has moved, are withdrawn with the rounds that were added for them. Before the start,
    on a ladder, and where groups form as players come, it is a withdrawal. Raises what that does, ``NothingToTakeBack``
    where they were there at the start, or have played or been drawn since, or ``MatchesWouldBeLost`` where somebody has
    moved in what followed and this is not confirmed.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_of_entry(entry_id))
        check_organiser(competition=competition, player=actor)
        if _is_withdrawn(competition, entry_id):
            withdraw_entry(entry_id=entry_id, actor=actor, reason=reason, now=now)
            return
        lock_tables(competition_id=competition.pk)
        change = partial(_remove, entry_id, actor, reason, now)
        take_back(competition_id=competition.pk, change=change, confirm=confirm, actor=actor, now=now)


def what_follows_from_taking_back_entry(*, entry_id: int, now: datetime) -> Consequences:
    """Return what follows from taking back an entry now. Raises what that would, but for the lost."""
    competition = Competition.objects.get(pk=competition_of_entry(entry_id))
    if _is_withdrawn(competition, entry_id):
        return what_follows_from_withdrawing(entry_id=entry_id, now=now)
    return foresee(competition_id=competition.pk, change=partial(_remove, entry_id, None, "", now), now=now)


def has_come_late(entry: Entry) -> bool:
    """Return whether an entrant who is in has come after the start, and in nobody's place."""
    started_at = entry.competition.started_at
    return entry.is_in and entry.replaces_id is None and started_at is not None and entry.entered_at > started_at


def _is_withdrawn(competition: Competition, entry_id: int) -> bool:
    """Return whether a withdrawal does all that can be done, or says why not. Raises ``NothingToTakeBack``."""
    entry = find_entry(entry_id)
    if competition.status != CompetitionStatus.RUNNING or not entry.is_in:
        return True
    if not has_come_late(entry):
        raise NothingToTakeBack(_("%(player)s has not come after the start.") % {"player": entry})
    return competition.is_endless or competition.first_stage.gathers


def _remove(entry_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition) -> Changes:
    entry = find_entry(entry_id)
    own = Fixture.objects.filter(Q(yellow=entry) | Q(red=entry))
    if competition.status != CompetitionStatus.RUNNING or own.filter(is_annulled=True).exists() or _was_drawn(entry):
        raise _too_late(entry)
    log_action(competition=competition, action="entry-undone", actor=actor, about=entry, reason=reason, now=now)
    fixtures = list(own.select_related(*RELATED).order_by("pk"))
    changes = annul(competition=competition, fixtures=fixtures, now=now)
    if changes.lost:
        raise _too_late(entry)
    own.delete()
    for each in fixtures:
        # What has no round left is named as withdrawn.
        each.round = None
    for group_id in {each.group_id for each in fixtures}:
        _close_gaps(group_id)
    entry.delete()
    store_numbers(competition_id=competition.pk)
    changes.more.append(_("%(player)s is removed, as if they had never joined.") % {"player": entry})
    return changes


def _was_drawn(entry: Entry) -> bool:
    """Return whether a round that follows from results has been drawn with an entrant: pairings stand."""
    seat = entry.seat
    if seat is None or not seat.stage.abilities.pairs_by_results:
        return False
    proposed = ProposedRound.objects.filter(group=seat.group_id, drawn_at__gt=entry.entered_at)
    played = Fixture.objects.filter(Q(yellow=entry) | Q(red=entry))
    return played.exists() or Bye.objects.filter(seat=seat).exists() or proposed.exists()


def _too_late(entry: Entry) -> NothingToTakeBack:
    return NothingToTakeBack(_("%(player)s has played, or been drawn. You can only withdraw them.") % {"player": entry})


def _close_gaps(group_id: int) -> None:
    """Delete the rounds of a group in which nobody meets any more, and number the others without gaps."""
    Round.objects.filter(group=group_id, fixtures=None).delete()
    for number, round_ in enumerate(Round.objects.filter(group=group_id).order_by("number"), start=1):
        if round_.number != number:
            Round.objects.filter(pk=round_.pk).update(number=number)
