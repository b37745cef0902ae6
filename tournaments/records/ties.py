"""The state of the ties of a bracket, from results and withdrawals alone. Reads only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from formats.pairing.legs import Decider, Decision, decide_in_time
from formats.protocol import Game, Outcome, Part
from formats.team_meetings import join_boards
from tournaments.models import Fixture, Group, Round, Tie
from tournaments.records.absences import Absences, absences_in
from tournaments.records.brackets import seeds_of
from tournaments.records.games import read_game


@dataclass(frozen=True, slots=True)
class Entrants:
    """The times when places of a group's entrants were empty, and their seeds, by the ids of their entries."""

    absences: Absences
    seeds: Mapping[int, int]


def read_entrants(group: Group) -> Entrants:
    """Return absences and seeds of a group. Two queries."""
    return Entrants(absences_in(competition_id=group.stage.competition_id), seeds_of(group_id=group.pk))


def has_ties_by_seed(round_: Round) -> bool:
    """Return whether ties of a round have gone to the higher seed, as they do where it is cut short."""
    return Tie.objects.filter(round=round_, decided_by=Decider.SEED).exists()


def legs_of_ties(ties: Iterable[Tie]) -> Mapping[int, Sequence[Fixture]]:
    """Return the fixtures of ties that are not annulled, by the tie's id, in the order of the legs. One query."""
    legs: dict[int, list[Fixture]] = {tie.pk: [] for tie in ties}
    for fixture in Fixture.objects.filter(tie__in=list(legs), is_annulled=False).order_by("leg", "board"):
        legs[fixture.tie_id or 0].append(fixture)
    return legs


def read_legs(tie: Tie, legs: Sequence[Fixture]) -> list[Game[int]]:
    """Return the legs of a tie as a format takes them, from their fixtures in order: of two teams one a meeting."""
    games = [(each.board, read_game(each, round_=tie.round.number, tie=tie.key)) for each in legs]
    return join_boards(games)


def where_tie_stands(
    group: Group, tie: Tie, legs: Sequence[Fixture], entrants: Entrants
) -> tuple[Decision[int], datetime]:
    """Return how a tie of two known entrants stands by its results and their withdrawals, and since when.

    Raises ``ValueError`` where an entrant is not known, or a result is not one of theirs.
    """
    if tie.first is None or tie.second is None:
        raise ValueError("the players of this tie are not known yet")
    higher, lower = sorted((tie.first, tie.second), key=lambda entry: entrants.seeds.get(entry.pk, 0))
    # Everything before now has been decided, or was taken back: only who is absent now matters.
    absent = [*entrants.absences.get(higher.pk, ()), *entrants.absences.get(lower.pk, ())]
    gone = [absence for absence in absent if absence.until is None]
    known_at = _known_at(group, tie) if gone else tie.round.started_at or beginning_of(group)
    options = group.stage.chosen_options
    return decide_in_time(
        higher.pk,
        lower.pk,
        read_legs(tie, legs),
        gone,
        known_at=known_at,
        legs=options.legs,
        replays=options.replays,
        is_cut_short=tie.round.cut_short_at is not None,
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
