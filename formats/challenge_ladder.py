"""The challenge ladder: who beats a player above moves up to that player's place (rules: competitions, "Ladder")."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from itertools import groupby
from typing import Any, Generic, TypeVar

from formats.ladders import (
    MAX_NUMBER,
    EndlessFormat,
    describe_inactivity,
    inactivity_option,
    rematch_option,
    return_option,
    window_option,
)
from formats.marked_texts import gettext_noop
from formats.options import option
from formats.pairing.challenge import Moves, Positions, opponent_beaten
from formats.protocol import Game, Order, Place, PositionChange, Record, Seat

E = TypeVar("E")

_BEGINNING = datetime.min.replace(tzinfo=UTC)


PLAYERS, IN_TIME, AT_ONCE = "players", "in-time", "at-once"
CHALLENGERS = (
    (IN_TIME, gettext_noop("players, and the ladder for those who take longer than a tenth of the starting time")),
    (PLAYERS, gettext_noop("players alone")),
    (AT_ONCE, gettext_noop("the ladder, as soon as a game can begin")),
)


@dataclass(frozen=True, slots=True)
class ChallengeLadderOptions:
    """The options of a challenge ladder: ``max_outgoing`` and ``max_incoming`` are games at once.

    ``challenges_by`` says who chooses the opponents, ``window_days`` which results the table adds up beside the
    positions, 0 for all.
    """

    challenges_by: str = option(IN_TIME, gettext_noop("who chooses opponents"), choices=CHALLENGERS, is_free=True)
    rematch_days: int = rematch_option()
    window_days: int = window_option()
    max_outgoing: int = option(
        1, gettext_noop("maximum games as challenger"), minimum=0, maximum=MAX_NUMBER, is_free=True
    )
    max_incoming: int = option(
        2, gettext_noop("maximum games as the challenged player"), minimum=0, maximum=MAX_NUMBER, is_free=True
    )
    inactive_days: int = inactivity_option()
    return_days: int = return_option()


class ChallengeLadder(EndlessFormat):
    """Everybody has a position, and challenges players above; a challenger who wins stands directly above the other."""

    key = "challenge-ladder"
    label = gettext_noop("Challenge ladder")
    noun = gettext_noop("challenge ladder")
    summary = gettext_noop("Challenge players above you. If you win, you move up to the place above them.")
    order = Order.POSITIONS
    options = ChallengeLadderOptions

    def places(
        self, record: Record[E], options: ChallengeLadderOptions, tiebreaks: Sequence[str]
    ) -> Sequence[Place[E]]:
        """Return the positions that everything that happened gives, in the order of time; who have left have none."""
        position_of = {each.entrant: each.position for each in self.position_changes(record, options)}
        rows = [Place(seat.entrant, position_of.get(seat.entrant)) for seat in record.seats]
        return sorted(rows, key=lambda row: len(rows) + 1 if row.place is None else row.place)

    def position_changes(self, record: Record[E], options: ChallengeLadderOptions) -> Iterator[PositionChange[E]]:
        """Yield what people's coming and leaving, and challengers' victories, did to everybody's position.

        Those who leave at one moment leave together, from where they all stood.
        """
        positions: Positions[E] = Positions()
        left: dict[E, tuple[datetime, int]] = {}
        memory = timedelta(days=options.return_days)
        for (at, _turn, what), group in groupby(sorted(_happenings_of(record), key=_in_order), key=_moment_of):
            if what is _What.LEFT:
                leavers = [each.entrant for each in group]
                left |= {leaver: (at, positions.position_of[leaver]) for leaver in leavers}
                yield from (PositionChange(leaver, None, at) for leaver in leavers)
                yield from _changes(positions.leave(leavers), at)
                continue
            for each in group:
                if each.opponent is not None:
                    yield from _changes(positions.climb(each.entrant, each.opponent), at, each.number)
                else:
                    since, old = left.pop(each.entrant, (at, None))
                    yield from _changes(positions.re_enter(each.entrant, old if at <= since + memory else None), at)

    def describe(
        self, options: ChallengeLadderOptions, *, of_teams: bool = False, in_groups: bool = False
    ) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """Return whom a player can challenge, what it moves, how many games there can be, and what absence costs."""
        sentences: list[tuple[str, Mapping[str, Any]]] = [
            (
                gettext_noop(
                    "Challenge a player above you. If you win, you move to the place directly above that player."
                ),
                {},
            ),
            (
                gettext_noop(
                    "From 3rd or 4th you can challenge up to 2 places above you, from 5th to 9th up to 3, from 10th to "
                    "16th up to 4, and so on."
                ),
                {},
            ),
            (_CHALLENGES_BY[options.challenges_by], {}),
            (
                gettext_noop(
                    "Players who are away after a loss on time get no new games, and are not counted until they "
                    "use the site again."
                ),
                {},
            ),
            _describe_rematches(options.rematch_days),
            (
                gettext_noop(
                    "At the same time you can play at most %(out)d of your own challenges and %(in)d challenges "
                    "by others."
                ),
                {"out": options.max_outgoing, "in": options.max_incoming},
            ),
            *describe_inactivity(options.inactive_days),
        ]
        if days := options.return_days:
            sentences.append((_RETURN_IN_A_DAY if days == 1 else _RETURN_IN_DAYS, {"days": days}))
        return sentences


def _describe_rematches(days: int) -> tuple[str, Mapping[str, Any]]:
    if days == 1:
        return gettext_noop("The same two players can meet again after %(days)d day."), {"days": days}
    if days:
        return gettext_noop("The same two players can meet again after %(days)d days."), {"days": days}
    return gettext_noop("The same two players can meet again at once."), {}


_CHALLENGES_BY = {
    IN_TIME: gettext_noop(
        "If you have not challenged anybody within a tenth of the starting time, counted from the start, from when you "
        "joined or returned, or from the end of your last challenge, the ladder starts a game for you, against the "
        "highest player whom you can challenge."
    ),
    PLAYERS: gettext_noop("No game starts by itself: you choose whom you challenge, and when."),
    AT_ONCE: gettext_noop(
        "The ladder starts your games by itself as soon as they are possible, each against the highest player whom you "
        "can challenge."
    ),
}
_RETURN_IN_A_DAY = gettext_noop(
    "If you come back within %(days)d day after you left, you lose at most a tenth of the ladder's places."
)
_RETURN_IN_DAYS = gettext_noop(
    "If you come back within %(days)d days after you left, you lose at most a tenth of the ladder's places."
)


class _What(IntEnum):
    """The changes on a ladder, in the order in which things of the same moment are applied."""

    ENTERED = 0
    RESULT = 1
    LEFT = 2
    RETURNED = 3


@dataclass(frozen=True, slots=True)
class _Happening(Generic[E]):
    """Somebody came, left, came back, or won against ``opponent`` as a challenger.

    ``turn`` counts how often the entrant had come or left at this very moment, ``number`` orders what is equal in all
    else.
    """

    at: datetime
    what: _What
    number: int
    entrant: E
    opponent: E | None = None
    turn: int = 0


def _moment_of(happening: _Happening[E]) -> tuple[datetime, int, _What]:
    return happening.at, happening.turn, happening.what


def _in_order(happening: _Happening[E]) -> tuple[datetime, int, _What, int]:
    return *_moment_of(happening), happening.number


def _changes(moves: Moves[E], at: datetime, game: int | None = None) -> Iterator[PositionChange[E]]:
    return (PositionChange(entrant, position, at, game) for entrant, position in moves)


def _happenings_of(record: Record[E]) -> Iterator[_Happening[E]]:
    for seat in record.seats:
        turns: Counter[datetime] = Counter()
        for at, what in _comings_and_goings(seat):
            yield _Happening(at, what, seat.seed, seat.entrant, turn=turns[at])
            turns[at] += 1
    for game in record.games:
        if (victory := _victory_of(game)) is not None:
            yield victory


def _comings_and_goings(seat: Seat[E]) -> Iterator[tuple[datetime, _What]]:
    yield seat.entered_at or _BEGINNING, _What.ENTERED
    for absence in seat.absences:
        yield absence.since, _What.LEFT
        if absence.until is not None:
            yield absence.until, _What.RETURNED


def _victory_of(game: Game[E]) -> _Happening[E] | None:
    """Return the match as something that moves the ladder, ``None`` if it does not."""
    if game.points is None or game.ended_at is None or game.challenger is None:
        return None
    beaten = opponent_beaten(game.sides, game.points, game.challenger)
    if beaten is None:
        return None
    return _Happening(game.ended_at, _What.RESULT, game.number, game.challenger, beaten)
