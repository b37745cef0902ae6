"""Brackets, and the places that they give."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Q

from database.compiled_queries import CompiledQuery
from formats.brackets import leave_out, places_of
from formats.pairing.legs import Decider
from formats.protocol import DrawnTie, FromSeed, FromTie, Outcome, Part, Source, TieKey
from formats.ties import ResolvedTie, TieState
from tournaments.models import OF_PLAY, OF_TIES, SITTING, Fixture, Round, Seat, Tie
from tournaments.records.meetings import Meeting, meetings_of

IN_ORDER = ("round__number", "part", "slot")
"""The order in which ties are decided: that for third place comes after the final."""


@dataclass(frozen=True, slots=True)
class TieView:
    """A tie with both seeds and its legs in order.

    Points and goals are (the first entrant's, the second's) of all counted legs. Of two teams the ``legs`` are the
    matches at all boards; each leg is one of the ``meetings``, and ``boards`` are those won.
    """

    tie: Tie
    seeds: tuple[int | None, int | None]
    legs: tuple[Fixture, ...]
    points: tuple[int, int]
    goals: tuple[int, int]
    boards: tuple[int, int] = (0, 0)
    meetings: tuple[Meeting, ...] = ()

    @property
    def is_running(self) -> bool:
        """Return whether matches of the tie are going on."""
        return self.tie.decided_at is None and bool(self.legs)

    @property
    def by_decision(self) -> bool:
        """Return whether somebody else than the players has decided on a result of the tie."""
        return any(leg.by_decision for leg in self.legs)


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round of the bracket: its ties, part by part from the top, without slots of byes."""

    round: Round
    ties: tuple[TieView, ...]


@dataclass(frozen=True, slots=True)
class TieOutline:
    """The place of a tie, the sources of its entrants, who they are by entry id, and whether it is decided."""

    pk: int
    drawn: DrawnTie
    entrants: tuple[int | None, int | None]
    is_decided: bool


def outline_of(*, group_id: int) -> list[TieOutline]:
    """Return the ties of a group that has been drawn, each after those that lead to it. One query of narrow rows."""
    parts = list(Part)
    rows = sorted(
        Tie.objects.filter(round__group_id=group_id).values_list(*_OUTLINE, named=True),
        key=lambda row: (row.round__number, parts.index(Part(row.part)), row.slot),
    )
    keys = {row.pk: TieKey(row.round__number, Part(row.part), row.slot) for row in rows}

    def source(seed: int | None, before: int | None, takes: str) -> Source:
        return FromSeed(seed or 0) if before is None else FromTie(keys[before], Outcome(takes))

    return [
        TieOutline(
            row.pk,
            DrawnTie(
                keys[row.pk],
                source(row.first_seed, row.first_from_id, row.first_takes),
                source(row.second_seed, row.second_from_id, row.second_takes),
            ),
            (row.first_id, row.second_id),
            bool(row.decided_by),
        )
        for row in rows
    ]


_OUTLINE = (
    "pk round__number part slot first_seed first_from_id first_takes second_seed second_from_id second_takes "
    "first_id second_id decided_by"
).split()


def bracket_of(*, group_id: int, only: Collection[int]) -> list[RoundView]:
    """Return the bracket of a group that has been drawn, round by round; empty before. Three queries at any size.

    ``only`` are the ids of the ties wanted; rounds without one are left out.
    """
    found = list(
        Tie.objects.filter(pk__in=only, round__group_id=group_id)
        .select_related("round", *OF_TIES, "winner__player", "winner__team")
        .order_by("slot")
    )
    fixtures = Fixture.objects.filter(group_id=group_id, tie__in=only, is_annulled=False)
    entrants = {entry for tie in found for entry in (tie.first_id, tie.second_id) if entry is not None}
    seeds = seeds_of(group_id=group_id, entrants=entrants)
    legs: dict[int, list[Fixture]] = defaultdict(list)
    are_teams = any(
        entry is not None and entry.team_id is not None for tie in found for entry in (tie.first, tie.second)
    )
    related = ("match", *SITTING) if are_teams else ("match",)
    for fixture in fixtures.select_related(*related).defer(*OF_PLAY).order_by("leg", "board"):
        legs[fixture.tie_id or 0].append(fixture)
    ties: dict[int, list[TieView]] = defaultdict(list)
    for tie in found:
        ties[tie.round_id].append(_view(tie, legs[tie.pk], seeds))
    order = list(Part)
    return [
        RoundView(each, tuple(sorted(ties[each.pk], key=lambda view: order.index(Part(view.tie.part)))))
        for each in sorted({tie.round_id: tie.round for tie in found}.values(), key=lambda each: each.number)
    ]


_TIE = CompiledQuery(lambda tie_id: Tie.objects.filter(pk=tie_id).select_related(*OF_TIES))
_LEGS = CompiledQuery(lambda tie_id: Fixture.objects.filter(tie_id=tie_id, is_annulled=False).order_by("leg"))
_SEEDS = CompiledQuery(
    lambda group_id, first, second: Seat.objects.filter(
        Q(entry_id=first) | Q(entry_id=second), group_id=group_id, seed__isnull=False
    ).values_list("entry_id", "seed")
)


def tie_of_players(*, group_id: int, tie_id: int) -> TieView:
    """Return one tie of a group, between players, without its round and the matches of its legs. Three queries."""
    (tie,) = _TIE.all(tie_id=tie_id)
    seeds = dict(_SEEDS.rows(group_id=group_id, first=tie.first_id or 0, second=tie.second_id or 0))
    return _view(tie, _LEGS.all(tie_id=tie_id), seeds)


def seeds_of(*, group_id: int, entrants: Collection[int] | None = None) -> dict[int, int]:
    """Return the seeds of a drawn group by entry id, of these entrants only if they are given. One query."""
    seats = Seat.objects.filter(group_id=group_id, seed__isnull=False)
    if entrants is not None:
        seats = seats.filter(entry__in=entrants)
    return {entry: seed for entry, seed in seats.values_list("entry_id", "seed") if seed is not None}


def final_places_of(group_id: int) -> dict[int, int | None]:
    """Return the place of every seeded entrant of a bracket by entry id, ``None`` while still in it. Two queries.

    Nobody who was disqualified has one: those behind them move up.
    """
    ties = Tie.objects.filter(round__group=group_id).select_related("round").order_by(*IN_ORDER)
    stored = {tie.key: tie for tie in ties}
    places = places_of([_resolve(drawn, stored[drawn.key]) for drawn in drawn_ties(list(stored.values()))])
    seated = dict(
        Seat.objects.filter(group_id=group_id, seed__isnull=False).values_list("entry_id", "entry__disqualification")
    )
    return leave_out({entry: places.get(entry) for entry in seated}, {entry for entry, rule in seated.items() if rule})


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
    points, goals, boards = [0, 0], [0, 0], [0, 0]
    for fixture in legs:
        if fixture.points is None or fixture.goals is None:
            continue
        swapped = fixture.yellow_id != tie.first_id
        for totals, pair in ((points, fixture.points), (goals, fixture.goals)):
            totals[swapped] += pair.yellow
            totals[not swapped] += pair.red
        if fixture.points.yellow != fixture.points.red:
            boards[swapped if fixture.points.yellow > fixture.points.red else not swapped] += 1
    both = (seeds.get(tie.first_id or 0), seeds.get(tie.second_id or 0))
    return TieView(
        tie,
        both,
        tuple(legs),
        (points[0], points[1]),
        (goals[0], goals[1]),
        (boards[0], boards[1]),
        tuple(meetings_of(legs)),
    )
