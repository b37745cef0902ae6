"""How the ties of a bracket stand, from results and withdrawals alone. Reads only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q

from rules_engine.values import BySide, Ending
from tournaments.formats.protocol import Outcome, Part
from tournaments.models import Entry, EntryStatus, Fixture, Group, Tie
from tournaments.pairing.legs import REPLAY_LEGS, Absence, Decision, Leg, decide_in_time
from tournaments.selectors.brackets import seeds_of
from tournaments.tiebreaks import Result

Absences = Mapping[int, Sequence[Absence[int]]]
"""When the places of a competition were empty, by the ids of the entries that hold them now."""


@dataclass(frozen=True, slots=True)
class Entrants:
    """What is known of a group's entrants: when places were empty, and the seeds, by the ids of their entries."""

    absences: Absences
    seeds: Mapping[int, int]


def read_entrants(group: Group) -> Entrants:
    """Return absences and seeds of a group. Two queries."""
    return Entrants(absences_in(competition_id=group.stage.competition_id), seeds_of(group_id=group.pk))


def absences_in(*, competition_id: int) -> Absences:
    """Return when entrants of a competition had withdrawn and nobody had taken their places over yet. One query."""
    rows = list(
        Entry.objects.filter(competition_id=competition_id)
        .filter(Q(left_at__isnull=False) | Q(replaces__isnull=False))
        .annotate(taken_by=F("replaced_by"), taken_at=F("replaced_by__entered_at"))
        .values_list("pk", "status", "left_at", "taken_by", "taken_at")
    )
    successors = {key: taken_by for key, _, _, taken_by, _ in rows}
    absences: dict[int, list[Absence[int]]] = defaultdict(list)
    for key, status, left_at, _, taken_at in rows:
        if left_at is None or (status != EntryStatus.GONE and (taken_at is None or taken_at <= left_at)):
            continue
        holder = key
        while (successor := successors.get(holder)) is not None:
            holder = successor
        absences[holder].append(Absence(holder, left_at, taken_at))
    return absences


def legs_of_ties(ties: Iterable[Tie]) -> Mapping[int, Sequence[Fixture]]:
    """Return the fixtures of ties that are not annulled, by the tie's id, in the order of the legs. One query."""
    legs: dict[int, list[Fixture]] = {tie.pk: [] for tie in ties}
    for fixture in Fixture.objects.filter(tie__in=list(legs), is_annulled=False).order_by("leg"):
        legs[fixture.tie_id or 0].append(fixture)
    return legs


def where_tie_stands(
    group: Group, tie: Tie, legs: Sequence[Fixture], entrants: Entrants
) -> tuple[Decision[int], datetime]:
    """Return how a tie of two known entrants stands by its results and their withdrawals, and since when.

    Raises ``ValueError`` where an entrant is not known, or a result is not one of theirs.
    """
    if tie.first is None or tie.second is None:
        raise ValueError("The players of this tie are not known yet.")
    higher, lower = sorted((tie.first, tie.second), key=lambda entry: entrants.seeds.get(entry.pk, 0))
    # Everything before now has been decided, or was taken back: only who is absent now matters.
    absent = [*entrants.absences.get(higher.pk, ()), *entrants.absences.get(lower.pk, ())]
    gone = [absence for absence in absent if absence.until is None]
    known_at = _known_at(group, tie) if gone else tie.round.started_at or beginning_of(group)
    return decide_in_time(
        higher.pk,
        lower.pk,
        _results_of(legs),
        gone,
        known_at=known_at,
        legs_each=group.stage.chosen_options.legs,
        replays=_replays_allowed(group, tie, legs),
    )


def is_called_for(group: Group, tie: Tie) -> bool:
    """Return whether a tie is to be played, by the ties before it, which are decided.

    Only a second final may not be; its format tells whose loss calls for it. One query for one, none for others.
    """
    if tie.part != Part.RESET:
        return True
    ties = {each.key: each for each in Tie.objects.filter(round__group=group).select_related("round")}
    entrants = sum(seed is not None for each in ties.values() for seed in (each.first_seed, each.second_seed))
    drawn = group.stage.format_spec.draw_ties(entrants, group.stage.chosen_options)
    condition = next((each.only_if_lost_by for each in drawn if each.key == tie.key), None)
    if condition is None:
        return True
    came_from = ties[condition.tie]
    named = came_from.winner_id if condition.outcome is Outcome.WINNER else came_from.loser_id
    before = next(each for each in ties.values() if each.pk == tie.first_from_id)
    return named is not None and before.loser_id == named


def ways_into(tie: Tie) -> list[Tie]:
    """Return the ties from which the entrants of a tie come; none where the draw has put both there. One query."""
    return list(Tie.objects.filter(pk__in=[tie.first_from_id, tie.second_from_id]))


def beginning_of(group: Group) -> datetime:
    """Return when a group began; for one that has not, when its competition was made."""
    return group.started_at or group.competition.created_at


def _known_at(group: Group, tie: Tie) -> datetime:
    in_rounds = group.stage.round_days is not None
    moments = [beginning_of(group), *(each.decided_at for each in ways_into(tie))]
    if in_rounds:
        moments.append(tie.round.started_at)
    return max(moment for moment in moments if moment is not None)


def _results_of(legs: Sequence[Fixture]) -> list[Leg[int]]:
    """Return the results as far as they follow each other without a gap: a later leg waits for an earlier one."""
    results = []
    for number, fixture in enumerate(legs, start=1):
        points, goals = fixture.points, fixture.goals
        if fixture.leg != number or points is None or goals is None or fixture.finished_at is None:
            break
        result = Result(fixture.yellow_id, fixture.red_id, points, goals)
        forfeited_by = who_forfeited(fixture, points)
        is_unplayed = fixture.ending == Ending.FORFEIT and forfeited_by is None
        results.append(Leg(result, fixture.finished_at, forfeited_by, is_unplayed=is_unplayed))
    return results


def who_forfeited(fixture: Fixture, points: BySide[int]) -> int | None:
    """Return which entry has forfeited a match with these points, ``None`` where nobody did, or both."""
    if fixture.ending != Ending.FORFEIT or points.yellow == points.red:
        return None
    return fixture.yellow_id if points.yellow < points.red else fixture.red_id


def _replays_allowed(group: Group, tie: Tie, legs: Sequence[Fixture]) -> int:
    """Return how many replay pairs the tie may have: where the round was cut short, no more than have begun."""
    options = group.stage.chosen_options
    if tie.round.cut_short_at is None:
        return int(options.replays)
    begun = max((fixture.leg for fixture in legs), default=0) - options.legs
    return int(min(options.replays, max(0, -(-begun // REPLAY_LEGS))))
