"""Repair the ties, the winner and the places of an elimination from results and withdrawals alone.

Callers hold the competition's lock.
"""

from __future__ import annotations

from datetime import datetime

from matches.services.adjudication import break_off
from tournaments.models import CompetitionStatus, Cup, Fixture, Round, Tie
from tournaments.selectors.ties import DerivedTie, derive_ties
from tournaments.services.cups.end import winner_of_final
from tournaments.services.cups.final_places import place_entrants
from tournaments.services.cups.progress import advance_cup
from tournaments.services.fixtures import OPEN


def repair_bracket(*, cup: Cup, now: datetime) -> None:
    """Let every tie have the entrants and the winner that it should have, and let the cup go on from there.

    Matches that wrongly followed, and in which nobody has moved, are withdrawn; a tie that has been played stays as it
    is, and ``verify_competition`` goes on naming it.
    """
    repaired = [row for row in derive_ties(cup) if _repair(cup, row, now)]
    if cup.status == CompetitionStatus.FINISHED:
        place_entrants(cup=cup)
        Cup.objects.filter(pk=cup.pk).update(winner=winner_of_final(cup=cup))
    elif repaired:
        undecided = Tie.objects.filter(round__group__stage__competition=cup.pk, decided_at=None)
        Round.objects.filter(pk__in=undecided.values("round"), ended_at__isnull=False).update(ended_at=None)
        advance_cup(cup_id=cup.pk, now=now)


def _repair(cup: Cup, row: DerivedTie, now: datetime) -> bool:
    """Return whether the tie was not what it should be, and could be made so."""
    tie = row.tie
    is_over = cup.status != CompetitionStatus.RUNNING
    is_same = row.winner == tie.winner_id and (is_over or bool(row.decided_by) == bool(tie.decided_by))
    if not row.is_other and (is_same or (row.winner is None and is_over)):
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
    fixtures = Fixture.objects.filter(tie=tie, is_annulled=False)
    going_on = [key for key in fixtures.filter(OPEN).values_list("match_id", flat=True) if key is not None]
    break_off(match_ids=going_on, now=now)
    fixtures.update(is_annulled=True)
