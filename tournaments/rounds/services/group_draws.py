"""Draw the groups of a stage: who is in which, with which seed, and who meets whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from formats import protocol
from formats.grouping import form_groups, is_only_one, letter_of
from formats.protocol import DrawnRound, DrawnTie, FromSeed, Pair, Record, TieKey
from tournaments.models import Entry, Group, Round, Seat, Stage, Tie
from tournaments.records.group_records import read_bye_requests
from tournaments.rounds.services.proposed_rounds import lay_rounds

_SOURCES = ["first_from", "first_takes", "second_from", "second_takes"]


@dataclass(frozen=True, slots=True)
class DrawnGroup:
    """A group that can be looked at before it is kept: its number from 1, and the entries in the order of their seeds.

    A bracket has ``ties``, what is played in rounds has those ``rounds`` that are known before the start.
    """

    number: int
    entries: tuple[Entry, ...]
    ties: tuple[DrawnTie, ...] = ()
    rounds: tuple[DrawnRound[Entry], ...] = ()
    in_leagues: bool = False
    is_only_one: bool = False

    @property
    def letter(self) -> str:
        """Return what the group is called."""
        return letter_of(self.number, in_leagues=self.in_leagues, is_only_one=self.is_only_one)


def split_seeded(stage: Stage, seeded: Sequence[Entry]) -> tuple[tuple[Entry, ...], ...]:
    """Return the groups of a stage that these entries make, who come in the order of their seeds.

    Raises ``ValueError`` for too few of them.
    """
    grouping = stage.grouping_options
    return (tuple(seeded),) if grouping is None else form_groups(seeded, grouping)


def draw_groups(
    *, stage: Stage, groups: Sequence[Sequence[Entry]], ratings: Mapping[int, Decimal], draw_seed: int
) -> tuple[DrawnGroup, ...]:
    """Return the draw of groups of these entries, each in the order of their seeds, with their ratings by id."""
    asked_byes = read_bye_requests(stage)
    drawn = (
        draw_group(stage=stage, number=number, seeded=each, ratings=ratings, draw_seed=draw_seed, asked_byes=asked_byes)
        for number, each in enumerate(groups, start=1)
    )
    return tuple(replace(each, is_only_one=is_only_one(each.number, len(groups))) for each in drawn)


def draw_group(
    *,
    stage: Stage,
    number: int,
    seeded: Sequence[Entry],
    ratings: Mapping[int, Decimal],
    draw_seed: int,
    asked_byes: Mapping[int, frozenset[int]],
) -> DrawnGroup:
    """Return the group with this number that these entries make, who come in the order of their seeds in it."""
    options, spec = stage.chosen_options, stage.format_spec
    seats = tuple(
        protocol.Seat(
            entry, seed, lot=entry.draw, rating=ratings[entry.pk], asked_byes=asked_byes.get(entry.pk, frozenset())
        )
        for seed, entry in enumerate(seeded, start=1)
    )
    record = Record(seats, point_table=stage.competition.scoring, in_rounds=stage.round_days is not None)
    return DrawnGroup(
        number,
        tuple(seat.entrant for seat in seats),
        ties=spec.draw_ties(len(seats), options),
        rounds=spec.next_rounds(record, options, draw_seed),
        in_leagues=stage.has_leagues,
    )


def store_groups(*, stage: Stage, drawn: Sequence[DrawnGroup], now: datetime) -> list[Group]:
    """Store the groups of a stage, their seats and who meets whom; return them in order.

    Entries that have a seat in the stage keep it. The caller holds the competition's lock.
    """
    groups = _store_group_rows(stage, drawn)
    _store_seats(stage, groups, drawn)
    _store_ties(groups, drawn)
    _store_rounds(stage, groups, drawn, now)
    return groups


def store_gathered(*, stage: Stage, drawn: Sequence[DrawnGroup], seats: Sequence[Seat], now: datetime) -> list[Group]:
    """Store groups of a stage that have formed beside those that there are; return them in order.

    ``seats`` are those of their entries that waited for them. The caller holds the competition's lock.
    """
    groups = _store_group_rows(stage, drawn)
    seat_of = {seat.entry_id: seat for seat in seats}
    for group, each in zip(groups, drawn, strict=True):
        for seed, entry in enumerate(each.entries, start=1):
            seat_of[entry.pk].group, seat_of[entry.pk].seed = group, seed
    taken = [seat_of[entry.pk] for each in drawn for entry in each.entries]
    Seat.objects.bulk_update(taken, ["group", "seed"], batch_size=250)
    _store_rounds(stage, groups, drawn, now)
    return groups


def _store_rounds(stage: Stage, groups: Sequence[Group], drawn: Sequence[DrawnGroup], now: datetime) -> None:
    rounds = {group.pk: [_write_ids(held) for held in each.rounds] for group, each in zip(groups, drawn, strict=True)}
    lay_rounds(stage=stage, drawn=rounds, now=now)


def _store_group_rows(stage: Stage, drawn: Sequence[DrawnGroup]) -> list[Group]:
    known = {group.number: group for group in Group.objects.filter(stage=stage)}
    new = [
        Group(stage=stage, number=each.number, is_only_one=each.is_only_one)
        for each in drawn
        if each.number not in known
    ]
    known |= {group.number: group for group in Group.objects.bulk_create(new)}
    groups = [known[each.number] for each in drawn]
    for group in groups:
        group.stage = stage
    return groups


def _store_seats(stage: Stage, groups: Sequence[Group], drawn: Sequence[DrawnGroup]) -> None:
    Seat.objects.filter(stage=stage).update(seed=None)
    known = {seat.entry_id: seat for seat in Seat.objects.filter(stage=stage)}
    seats = []
    for group, each in zip(groups, drawn, strict=True):
        for seed, entry in enumerate(each.entries, start=1):
            seat = known.get(entry.pk) or Seat(stage=stage, entry=entry)
            seat.group, seat.seed = group, seed
            seats.append(seat)
    Seat.objects.bulk_create([seat for seat in seats if seat.pk is None])
    # An upsert of rows that are there is one statement of linear cost, which a bulk update is not.
    kept = [seat for seat in seats if seat.entry_id in known]
    Seat.objects.bulk_create(kept, update_conflicts=True, unique_fields=["pk"], update_fields=["group", "seed"])


def _write_ids(drawn: DrawnRound[Entry]) -> DrawnRound[int]:
    return DrawnRound(
        drawn.number,
        tuple(Pair(pair.sides.map(lambda entry: entry.pk)) for pair in drawn.pairs),
        tuple(entry.pk for entry in drawn.byes),
        tuple(entry.pk for entry in drawn.asked_byes),
    )


def _store_ties(groups: Sequence[Group], drawn: Sequence[DrawnGroup]) -> None:
    """Store the ties, and then which ties their entrants come from: four statements for any number of them."""
    rounds = {
        (each.number, number): Round(group=group, number=number)
        for group, each in zip(groups, drawn, strict=True)
        for number in range(1, max((tie.key.round for tie in each.ties), default=0) + 1)
    }
    Round.objects.bulk_create(rounds.values())
    stored = {
        each.number: {tie.key: _new_tie(rounds[each.number, tie.key.round], tie, each.entries) for tie in each.ties}
        for each in drawn
    }
    Tie.objects.bulk_create([tie for ties in stored.values() for tie in ties.values()])
    later = [
        tie for each in drawn for drawn_tie in each.ties for tie in _take_from_ties(drawn_tie, stored[each.number])
    ]
    Tie.objects.bulk_create(later, update_conflicts=True, unique_fields=["pk"], update_fields=_SOURCES)


def _new_tie(round_: Round, drawn: DrawnTie, entries: Sequence[Entry]) -> Tie:
    tie = Tie(round=round_, slot=drawn.key.slot, part=drawn.key.part)
    for side, source in (("first", drawn.first), ("second", drawn.second)):
        if isinstance(source, FromSeed):
            setattr(tie, side, entries[source.seed - 1])
            setattr(tie, f"{side}_seed", source.seed)
    return tie


def _take_from_ties(drawn: DrawnTie, stored: Mapping[TieKey, Tie]) -> list[Tie]:
    """Let a tie name the stored ties that its entrants come from; return it, or nothing if they come from none."""
    sources = [("first", drawn.first), ("second", drawn.second)]
    before = [(side, source) for side, source in sources if not isinstance(source, FromSeed)]
    tie = stored[drawn.key]
    for side, source in before:
        setattr(tie, f"{side}_from", stored[source.tie])
        setattr(tie, f"{side}_takes", source.outcome)
    return [tie] if before else []
