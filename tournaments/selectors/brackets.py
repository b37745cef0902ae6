"""Brackets, and the places that they give."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.formats.brackets import places_of
from tournaments.formats.protocol import DrawnTie, FromSeed, FromTie, Outcome, Part, Source
from tournaments.formats.ties import ResolvedTie, TieState
from tournaments.models import Fixture, Round, Seat, Tie
from tournaments.pairing.legs import Decider

IN_ORDER = ("round__number", "part", "slot")
"""The order in which ties are decided: that for third place comes after the final."""


@dataclass(frozen=True, slots=True)
class TieView:
    """A tie with both seeds and its legs in order.

    Points and goals are (the first entrant's, the second's) of all counted legs.
    """

    tie: Tie
    seeds: tuple[int | None, int | None]
    legs: tuple[Fixture, ...]
    points: tuple[int, int]
    goals: tuple[int, int]

    @property
    def is_running(self) -> bool:
        """Return whether matches of the tie are going on."""
        return self.tie.decided_at is None and bool(self.legs)


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round of the bracket: its ties, part by part from the top, without slots of byes."""

    round: Round
    ties: tuple[TieView, ...]


def bracket_of(*, group_id: int) -> list[RoundView]:
    """Return the bracket of a group that has been drawn, round by round; empty before. Four queries at any size."""
    seeds = seeds_of(group_id=group_id)
    legs: dict[int, list[Fixture]] = defaultdict(list)
    for fixture in (
        Fixture.objects.filter(group_id=group_id, tie__isnull=False, is_annulled=False)
        .select_related("match")
        .defer("match__position", "match__seed")
        .order_by("leg")
    ):
        legs[fixture.tie_id or 0].append(fixture)
    ties: dict[int, list[TieView]] = defaultdict(list)
    for tie in (
        Tie.objects.filter(round__group_id=group_id)
        .select_related("round", "first__player", "second__player", "winner__player")
        .order_by("slot")
    ):
        ties[tie.round_id].append(_view(tie, legs[tie.pk], seeds))
    order = list(Part)
    return [
        RoundView(each, tuple(sorted(ties[each.pk], key=lambda view: order.index(Part(view.tie.part)))))
        for each in Round.objects.filter(group_id=group_id).order_by("number")
    ]


def seeds_of(*, group_id: int) -> dict[int, int]:
    """Return the seeds of a drawn group by entry id. One query."""
    seats = Seat.objects.filter(group_id=group_id, seed__isnull=False)
    return {entry: seed for entry, seed in seats.values_list("entry_id", "seed") if seed is not None}


def final_places_of(group_id: int) -> dict[int, int | None]:
    """Return the place of every seeded entrant of a bracket by entry id, ``None`` while still in it. Two queries."""
    ties = Tie.objects.filter(round__group=group_id).select_related("round").order_by(*IN_ORDER)
    stored = {tie.key: tie for tie in ties}
    places = places_of([_resolve(drawn, stored[drawn.key]) for drawn in drawn_ties(list(stored.values()))])
    return {entry: places.get(entry) for entry in seeds_of(group_id=group_id)}


def drawn_ties(ties: Sequence[Tie]) -> list[DrawnTie]:
    """Return ties, which were read with their rounds, as they were drawn: each after those that lead to it."""
    keys = {tie.pk: tie.key for tie in ties}

    def source(seed: int | None, before: int | None, takes: str) -> Source:
        return FromSeed(seed or 0) if before is None else FromTie(keys[before], Outcome(takes))

    return [
        DrawnTie(
            tie.key,
            source(tie.first_seed, tie.first_from_id, tie.first_takes),
            source(tie.second_seed, tie.second_from_id, tie.second_takes),
        )
        for tie in sorted(ties, key=lambda tie: tie.round.number)
    ]


def _resolve(drawn: DrawnTie, tie: Tie) -> ResolvedTie[int]:
    decided_by = Decider(tie.decided_by) if tie.decided_by else None
    states = {None: TieState.WAITING, Decider.BYE: TieState.BYE, Decider.NOT_PLAYED: TieState.OFF}
    state = states.get(decided_by, TieState.DECIDED)
    return ResolvedTie(drawn, state, tie.first_id, tie.second_id, tie.winner_id, decided_by, tie.decided_at)


def _view(tie: Tie, legs: list[Fixture], seeds: dict[int, int]) -> TieView:
    points, goals = [0, 0], [0, 0]
    for fixture in legs:
        if fixture.points is None or fixture.goals is None:
            continue
        swapped = fixture.yellow_id != tie.first_id
        for totals, pair in ((points, fixture.points), (goals, fixture.goals)):
            totals[swapped] += pair.yellow
            totals[not swapped] += pair.red
    both = (seeds.get(tie.first_id or 0), seeds.get(tie.second_id or 0))
    return TieView(tie, both, tuple(legs), (points[0], points[1]), (goals[0], goals[1]))
