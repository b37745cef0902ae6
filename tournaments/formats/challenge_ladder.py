"""The challenge ladder: who beats a player above moves up to that player's place (rules: competitions, "Ladder")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Any, Generic, TypeVar

from rules_engine.values import Side
from tournaments.formats.ladders import (
    MAX_NUMBER,
    EndlessFormat,
    describe_inactivity,
    inactivity_option,
    name_days,
    rematch_option,
    return_option,
    window_option,
)
from tournaments.formats.options import option
from tournaments.formats.protocol import Game, Order, Place, Record
from tournaments.pairing.challenge import enter, leave, order_after, re_enter

E = TypeVar("E")

_BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ChallengeLadderOptions:
    """The options of a challenge ladder: ``max_outgoing`` and ``max_incoming`` are games at once.

    ``window_days`` says which results the table adds up beside the positions, 0 for all.
    """

    rematch_days: int = rematch_option()
    window_days: int = window_option()
    max_outgoing: int = option(1, "maximum games as challenger", minimum=0, maximum=MAX_NUMBER, is_free=True)
    max_incoming: int = option(2, "maximum games as challenged", minimum=0, maximum=MAX_NUMBER, is_free=True)
    inactive_days: int = inactivity_option()
    return_days: int = return_option()


class ChallengeLadder(EndlessFormat):
    """Everybody has a position, and challenges players above; a challenger who wins stands directly above the other."""

    key = "challenge-ladder"
    label = "Challenge ladder"
    summary = "Challenge players above you. If you win, you move up to the place above them."
    order = Order.POSITIONS
    options = ChallengeLadderOptions

    def places(
        self, record: Record[E], options: ChallengeLadderOptions, tiebreaks: Sequence[str]
    ) -> Sequence[Place[E]]:
        """Return the positions that everything that happened gives, in the order of time; who have left have none."""
        positions: tuple[E, ...] = ()
        left: dict[E, tuple[datetime, int]] = {}
        # Those who leave at one moment leave together, from where they all stood.
        left_at, before = _BEGINNING, positions
        memory = timedelta(days=options.return_days)
        for each in sorted(_happenings_of(record), key=lambda each: (each.at, each.turn, each.what, each.number)):
            match each.what:
                case _What.ENTERED:
                    positions = enter(positions, each.entrant)
                case _What.RESULT if each.opponent is not None:
                    positions = order_after(positions, each.entrant, each.opponent, challenger_won=True)
                case _What.LEFT:
                    if each.at != left_at or each.entrant not in before:
                        left_at, before = each.at, positions
                    left[each.entrant] = (each.at, before.index(each.entrant) + 1)
                    positions = leave(positions, each.entrant)
                case _What.RETURNED:
                    since, old = left[each.entrant]
                    positions = re_enter(positions, each.entrant, old if each.at <= since + memory else None)
        on_ladder = set(positions)
        rows = [Place(entrant, position) for position, entrant in enumerate(positions, start=1)]
        return rows + [Place(seat.entrant, None) for seat in record.seats if seat.entrant not in on_ladder]

    def describe(self, options: ChallengeLadderOptions) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Return whom a player can challenge, what it moves, how many games there can be, and what absence costs."""
        sentences: list[tuple[str, Mapping[str, Any]]] = [
            ("Challenge a player above you. If you win, you move to the place directly above that player.", {}),
            ("From 4th you can challenge up to 2 places above you, from 9th up to 3, from 16th up to 4.", {}),
            ("Players who get no new games are not counted: after a loss on time, until they use the site again.", {}),
            ("The same two players can meet again after %(days)d days.", {"days": options.rematch_days}),
            (
                "You can play at most %(out)d of your own challenges and %(in)d challenges by others at once.",
                {"out": options.max_outgoing, "in": options.max_incoming},
            ),
            *describe_inactivity(options.inactive_days),
        ]
        if days := options.return_days:
            template = (
                f"If you come back within %(days)d {name_days(days)} after you left, "
                "you lose at most a tenth of the ladder's places."
            )
            sentences.append((template, {"days": days}))
        return sentences


class _What(IntEnum):
    """What happens on a ladder, in the order in which things of the same moment are applied."""

    ENTERED = 0
    RESULT = 1
    LEFT = 2
    RETURNED = 3


@dataclass(frozen=True, slots=True)
class _Happening(Generic[E]):
    """Somebody came, left, came back, or won against ``opponent`` as a challenger.

    ``turn`` counts how often the entrant had left or come back before, ``number`` orders what is equal in all else.
    """

    at: datetime
    what: _What
    number: int
    entrant: E
    opponent: E | None = None
    turn: int = 0


def _happenings_of(record: Record[E]) -> Iterator[_Happening[E]]:
    for seat in record.seats:
        yield _Happening(seat.entered_at or _BEGINNING, _What.ENTERED, seat.seed, seat.entrant)
        for turn, absence in enumerate(seat.absences):
            yield _Happening(absence.since, _What.LEFT, seat.seed, seat.entrant, turn=2 * turn)
            if absence.until is not None:
                yield _Happening(absence.until, _What.RETURNED, seat.seed, seat.entrant, turn=2 * turn + 1)
    for game in record.games:
        if (victory := _victory_of(game)) is not None:
            yield victory


def _victory_of(game: Game[E]) -> _Happening[E] | None:
    """Return the match as something that moves the ladder, ``None`` if it does not."""
    if game.points is None or game.ended_at is None or game.challenger is None:
        return None
    side = Side.YELLOW if game.challenger == game.sides.yellow else Side.RED
    if game.points[side] <= game.points[side.opponent]:
        return None
    return _Happening(game.ended_at, _What.RESULT, game.number, game.challenger, game.sides[side.opponent])
