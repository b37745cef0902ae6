"""Repair the ties, the winner and the places of a bracket from results and withdrawals alone.

Callers hold the competition's lock.
"""

from collections.abc import Iterable
from datetime import datetime

from formats.pairing.legs import Decider
from tournaments.models import CompetitionStatus, Fixture, Group, Round, Tie
from tournaments.records.derived_ties import DerivedTie, derive_ties
from tournaments.rounds.services.competition_end import place_and_crown
from tournaments.rounds.services.set_aside import set_aside, set_aside_in, take_up_begun
from tournaments.rounds.services.stage_ends import advance_group


def repair_bracket(*, group: Group, now: datetime) -> bool:
    """Let every tie have the entrants and the winner that it should have, and let the group go on from there.

    Return whether one had not.

    Matches that wrongly followed, and in which nobody has moved, are withdrawn; a tie that has been played stays as it
    is, and ``verify_competition`` goes on naming it.
    """
    derived = derive_ties(group)
    while _take_up_begun(group, derived, now):
        derived = derive_ties(group)
    repaired = [row for row in derived if _repair(group, row, now)]
    if group.ended_at is not None:
        place_and_crown(group=group)
    elif repaired:
        undecided = Tie.objects.filter(round__group=group, decided_at=None)
        Round.objects.filter(pk__in=undecided.values("round"), ended_at__isnull=False).update(ended_at=None)
        advance_group(group=group, now=now)
    return bool(repaired)


def _take_up_begun(group: Group, derived: Iterable[DerivedTie], now: datetime) -> bool:
    """Take up what had begun of ties before somebody left, which would be given up else; return whether it was."""
    given_up = [row for row in derived if row.decided_by == Decider.WITHDRAWAL and not row.is_left]
    left_later = [row for row in given_up if row.known_at and row.decided_at and row.known_at < row.decided_at]
    if not left_later or not set_aside_in(group.competition).exists():
        return False
    counting = Fixture.objects.filter(tie__round__group=group, is_annulled=False)
    begun = set(counting.values_list("tie", flat=True))
    without = [row for row in left_later if row.is_other or row.tie.pk not in begun]
    return any(_take_up(group, row, now) for row in without)


def _take_up(group: Group, row: DerivedTie, now: datetime) -> bool:
    tie = row.tie
    if row.is_other:
        _withdraw_matches(tie, now)
    tie.first_id, tie.second_id, tie.winner_id, tie.decided_by, tie.decided_at = row.first, row.second, None, "", None
    tie.save(update_fields=["first", "second", "winner", "decided_by", "decided_at"])
    return take_up_begun(group=group, tie=tie, now=now)


def _repair(group: Group, row: DerivedTie, now: datetime) -> bool:
    """Return whether the tie was not what it should be, and could be made so."""
    tie = row.tie
    is_over = group.ended_at is not None or group.competition.status != CompetitionStatus.RUNNING
    is_same = row.winner == tie.winner_id and (is_over or bool(row.decided_by) == bool(tie.decided_by))
    if not row.is_other and (is_same or (not row.decided_by and is_over)):
        return False
    if row.is_left and row.winner == tie.winner_id:
        return False
    if row.is_other and not row.is_left:
        _withdraw_matches(tie, now)
        tie.first_id, tie.second_id = row.first, row.second
    tie.winner_id, tie.decided_by, tie.decided_at = row.winner, row.decided_by, row.decided_at
    tie.save(update_fields=["first", "second", "winner", "decided_by", "decided_at"])
    return True


def _withdraw_matches(tie: Tie, now: datetime) -> None:
    """End what goes on between entrants who should not meet here; it counts nowhere, nor does what was forfeited."""
    set_aside(fixtures=Fixture.objects.filter(tie=tie, is_annulled=False), now=now)
