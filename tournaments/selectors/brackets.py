"""The bracket of an elimination, and the places that it gives."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from tournaments.formats.protocol import Part
from tournaments.models import Cup, Fixture, Round, Seat, Tie
from tournaments.pairing.elimination import draw_bracket, final_places


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
    """A round of the bracket: its ties from the top, without slots of byes, and the third-place tie of the last."""

    round: Round
    ties: tuple[TieView, ...]
    third_place: TieView | None


def bracket_of(cup: Cup) -> list[RoundView]:
    """Return the bracket of a drawn elimination, round by round; empty before the draw. Four queries at any size."""
    seeds = seeds_of(cup_id=cup.pk)
    legs: dict[int, list[Fixture]] = defaultdict(list)
    for fixture in (
        Fixture.objects.filter(competition_id=cup.pk, tie__isnull=False, is_annulled=False)
        .select_related("match")
        .defer("match__position", "match__seed")
        .order_by("leg")
    ):
        legs[fixture.tie_id or 0].append(fixture)
    ties: dict[int, list[TieView]] = defaultdict(list)
    for tie in (
        Tie.objects.filter(round__group__stage__competition=cup.pk)
        .select_related("first__player", "second__player", "winner__player")
        .order_by("slot")
    ):
        ties[tie.round_id].append(_view(tie, legs[tie.pk], seeds))
    return [
        RoundView(
            each,
            tuple(view for view in ties[each.pk] if not view.tie.is_third_place),
            next((view for view in ties[each.pk] if view.tie.is_third_place), None),
        )
        for each in Round.objects.filter(group__stage__competition=cup.pk).order_by("number")
    ]


def seeds_of(*, cup_id: int) -> dict[int, int]:
    """Return the seeds of a drawn cup by entry id. One query."""
    seats = Seat.objects.filter(group__stage__competition_id=cup_id, seed__isnull=False)
    return {entry: seed for entry, seed in seats.values_list("entry_id", "seed") if seed is not None}


def final_places_of(cup: Cup) -> dict[int, int | None]:
    """Return the place of every seeded entrant of an elimination by entry id, ``None`` while still in it."""
    seeds = seeds_of(cup_id=cup.pk)
    seeded = sorted(seeds, key=seeds.__getitem__)
    if len(seeded) < 2:
        return {}
    rows = Tie.objects.filter(round__group__stage__competition=cup.pk).values_list(
        "round__number", "slot", "part", "winner", "decided_at"
    )
    stored = {
        (number, slot, part == Part.THIRD_PLACE): (winner, decided_at)
        for number, slot, part, winner, decided_at in rows
    }
    bracket = draw_bracket(len(seeded), third_place=any(is_third_place for _, _, is_third_place in stored))
    found = {tie: stored.get((tie.round, tie.slot, tie.is_third_place), (None, None)) for tie in bracket}
    winners = {tie: winner for tie, (winner, decided_at) in found.items() if decided_at is not None}
    places = final_places(bracket, seeded, winners)
    return {entry: places.get(entry) for entry in seeded}


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
