"""The draw of a cup: seeds, rounds, and who meets whom."""

from __future__ import annotations

import secrets
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from players.models import Player
from rules_engine.values import BySide
from tournaments.errors import InvalidSeeding, TooFewEntrants, WrongCompetitionStatus
from tournaments.formats import protocol
from tournaments.formats.protocol import DrawnRound, DrawnTie, FromSeed, Pair, Record, TieKey
from tournaments.models import (
    NOT_STARTED,
    CompetitionStatus,
    Cup,
    Entry,
    EntryStatus,
    Fixture,
    Round,
    Seat,
    Seeding,
    Tie,
)
from tournaments.pairing.seeding import seed_by_draw, seed_by_hand, seed_by_rating
from tournaments.rating import START
from tournaments.selectors.entrant_ratings import ratings_now
from tournaments.selectors.groups import first_group_id
from tournaments.services.cups.round_rows import store_rounds
from tournaments.services.log import log_action

MAX_DRAW_SEED = 10**12

_SOURCES = ["first_from", "first_takes", "second_from", "second_takes"]


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw that can be looked at before it is kept.

    ``seed`` draws the same again. ``entries`` are in the order of their seeds. A bracket has ``ties``, what is played
    in rounds has those ``rounds`` that are known before the start.
    """

    seed: int
    entries: tuple[Entry, ...]
    ties: tuple[DrawnTie, ...] = ()
    rounds: tuple[DrawnRound[Entry], ...] = ()


def preview_draw(*, cup: Cup, seed: int | None = None, order: Sequence[int] | None = None) -> Draw:
    """Return what the draw would be; nothing is stored.

    ``seed`` is the draw's, a random one if not given. ``order`` are entry ids, the first seed first,
    for seeds by hand; players who are not named are drawn behind them. Without it the seeds count that the
    entries have already. Raises ``TooFewEntrants``, ``InvalidSeeding``, or
    ``WrongCompetitionStatus`` once the cup has started.
    """
    if cup.status not in NOT_STARTED:
        raise WrongCompetitionStatus("The cup has started. Its draw is final, and you cannot preview another one.")
    seed = secrets.randbelow(MAX_DRAW_SEED) if seed is None else seed
    entries = {
        entry.pk: entry
        for entry in Entry.objects.filter(competition_id=cup.pk, status=EntryStatus.ACTIVE)
        .select_related("player")
        .order_by("pk")
    }
    stage = cup.first_stage
    if len(entries) < stage.format_spec.min_entrants:
        raise TooFewEntrants(_too_few(stage.format_spec.min_entrants))
    known = ratings_now(cup)
    ratings = {entry: known.get(entry, START) for entry in entries}
    seeded = tuple(entries[key] for key in _order_seeds(cup, entries, ratings, seed, order))
    seats = tuple(
        protocol.Seat(entry, number, lot=entry.draw, rating=ratings[entry.pk])
        for number, entry in enumerate(seeded, start=1)
    )
    options = stage.chosen_options
    record = Record(seats, point_table=cup.scoring, in_rounds=stage.round_days is not None)
    return Draw(
        seed,
        seeded,
        ties=stage.format_spec.draw_ties(len(seeded), options),
        rounds=stage.format_spec.next_rounds(record, options, seed),
    )


def kept_draw(*, cup: Cup) -> Draw | None:
    """Return the draw that a cup has, with those who play in its places now; ``None`` if it has not been drawn."""
    stage = cup.first_stage
    if stage.draw_seed is None or not is_drawn(cup=cup):
        return None
    seeded = Seat.objects.filter(stage=stage, seed__isnull=False).order_by("seed")
    entries = tuple(seat.entry for seat in seeded.select_related("entry__player"))
    if ties := stage.format_spec.draw_ties(len(entries), stage.chosen_options):
        return Draw(stage.draw_seed, entries, ties=ties)
    pairs: dict[int, dict[BySide[int], None]] = defaultdict(dict)
    fixtures = Fixture.objects.filter(competition_id=cup.pk, round__isnull=False).order_by("round__number", "pk")
    for number, yellow, red in fixtures.values_list("round__number", "yellow", "red"):
        # Who plays a match again plays it on the same side.
        pairs[number][BySide(yellow, red)] = None
    by_id = {entry.pk: entry for entry in entries}
    rounds = [
        DrawnRound(number, tuple(Pair(pair.map(by_id.__getitem__)) for pair in met)) for number, met in pairs.items()
    ]
    return Draw(stage.draw_seed, entries, rounds=tuple(rounds))


def keep_draw(*, cup: Cup, draw: Draw, actor: Player | None, now: datetime) -> None:
    """Store a draw in place of any before it, and close entry. The caller holds the competition's lock."""
    _clear(cup)
    _store(cup, draw, now)
    stage = cup.first_stage
    stage.draw_seed, cup.status = draw.seed, CompetitionStatus.CLOSED
    stage.save(update_fields=["draw_seed"])
    cup.save(update_fields=["status"])
    log_action(competition=cup, action="drawn", actor=actor, subject=str(draw.seed), now=now)


def undo_draw(*, cup: Cup, actor: Player | None, now: datetime) -> bool:
    """Forget the draw of a cup that has not started; return whether there was one.

    The caller holds the competition's lock.

    Seeds by hand stay.
    """
    if not _clear(cup):
        return False
    if cup.first_stage.seeding != Seeding.HAND:
        Seat.objects.filter(stage__competition_id=cup.pk).update(seed=None)
    log_action(competition=cup, action="draw-undone", actor=actor, now=now)
    return True


def is_drawn(*, cup: Cup) -> bool:
    """Return whether the cup has been drawn."""
    return Round.objects.filter(group__stage__competition=cup.pk).exists()


def _order_seeds(
    cup: Cup, entries: dict[int, Entry], ratings: dict[int, Decimal], seed: int, order: Sequence[int] | None
) -> list[int]:
    if order is None and cup.first_stage.seeding == Seeding.DRAW:
        return seed_by_draw(entries, seed)
    if order is None and cup.first_stage.seeding == Seeding.RATING:
        return seed_by_rating(entries, ratings, seed)
    if order is None:
        by_hand = Seat.objects.filter(stage__competition_id=cup.pk, seed__isnull=False, entry__in=list(entries))
        order = list(by_hand.order_by("seed").values_list("entry", flat=True))
    try:
        return seed_by_hand(entries, order, seed)
    except ValueError as error:
        raise InvalidSeeding(f"These seeds cannot be taken: {error}.") from error


def _too_few(needed: int) -> str:
    if needed == 2:
        return "A cup needs at least two players."
    return f"A cup of this format needs at least {needed} players."


def _clear(cup: Cup) -> bool:
    deleted, _of = Round.objects.filter(group__stage__competition=cup.pk).delete()
    return deleted > 0


def _store(cup: Cup, draw: Draw, now: datetime) -> None:
    group_id = first_group_id(competition_id=cup.pk)
    _store_seeds(group_id, draw)
    if draw.ties:
        last = max(each.key.round for each in draw.ties)
        rounds = Round.objects.bulk_create([Round(group_id=group_id, number=number) for number in range(1, last + 1)])
        _store_ties(rounds, draw)
    drawn = [_write_ids(each) for each in draw.rounds]
    store_rounds(competition_id=cup.pk, group_id=group_id, drawn=drawn, now=now)


def _write_ids(drawn: DrawnRound[Entry]) -> DrawnRound[int]:
    return DrawnRound(
        drawn.number,
        tuple(Pair(pair.sides.map(lambda entry: entry.pk)) for pair in drawn.pairs),
        tuple(entry.pk for entry in drawn.byes),
    )


def _store_seeds(group_id: int, draw: Draw) -> None:
    Seat.objects.filter(group_id=group_id).update(seed=None)
    seats = {seat.entry_id: seat for seat in Seat.objects.filter(group_id=group_id)}
    for number, entry in enumerate(draw.entries, start=1):
        seats[entry.pk].seed = number
    seeded = [seats[entry.pk] for entry in draw.entries]
    # An upsert of rows that are there is one statement of linear cost, which a bulk update is not.
    Seat.objects.bulk_create(seeded, update_conflicts=True, unique_fields=["pk"], update_fields=["seed"])


def _store_ties(rounds: Sequence[Round], draw: Draw) -> None:
    """Store the ties, and then which ties their entrants come from: two statements for any number of rounds."""
    stored = {each.key: _new_tie(rounds[each.key.round - 1], each, draw) for each in draw.ties}
    Tie.objects.bulk_create(stored.values())
    later = [tie for each in draw.ties if (tie := _take_from_ties(stored[each.key], each, stored)) is not None]
    Tie.objects.bulk_create(later, update_conflicts=True, unique_fields=["pk"], update_fields=_SOURCES)


def _new_tie(round_: Round, drawn: DrawnTie, draw: Draw) -> Tie:
    tie = Tie(round=round_, slot=drawn.key.slot, part=drawn.key.part)
    for side, source in (("first", drawn.first), ("second", drawn.second)):
        if isinstance(source, FromSeed):
            setattr(tie, side, draw.entries[source.seed - 1])
            setattr(tie, f"{side}_seed", source.seed)
    return tie


def _take_from_ties(tie: Tie, drawn: DrawnTie, stored: Mapping[TieKey, Tie]) -> Tie | None:
    """Let a tie name the stored ties that its entrants come from; return it, or nothing if they come from none."""
    sources = [("first", drawn.first), ("second", drawn.second)]
    ties = [(side, source) for side, source in sources if not isinstance(source, FromSeed)]
    for side, source in ties:
        setattr(tie, f"{side}_from", stored[source.tie])
        setattr(tie, f"{side}_takes", source.outcome)
    return tie if ties else None
