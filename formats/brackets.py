"""Common parts of the formats of ties: the options of a tie, when all have been played, and the places they give."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeVar

from formats.marked_texts import gettext_noop
from formats.options import option
from formats.pairing.elimination import count_rounds
from formats.pairing.legs import REPLAY_LEGS
from formats.protocol import (
    Abilities,
    DrawnTie,
    Flow,
    FromTie,
    Order,
    Outcome,
    Outline,
    Part,
    Picture,
    Place,
    PlainFormat,
    Record,
    TieKey,
)
from formats.ties import ResolvedTie, TieState, are_settled, resolve_ties

E = TypeVar("E", bound=Hashable)


@dataclass(frozen=True, slots=True)
class TieOptions:
    """The options of every tie."""

    legs: int = option(2, gettext_noop("legs"), minimum=1, maximum=2)
    replays: int = option(1, gettext_noop("replay pairs"), minimum=0, maximum=5)


class BracketFormat(PlainFormat, ABC):
    """A format of ties: the loser goes down or out, until one is left."""

    flow = Flow.TIES
    order = Order.BRACKET
    picture = Picture.BRACKET
    tiebreaks: tuple[str, ...] = ()

    @abstractmethod
    def draw_ties(self, entrants: int, options: Any) -> tuple[DrawnTie, ...]:
        """Return all ties, each after those that it takes entrants from. Raises ``ValueError`` for too few entrants."""

    def abilities(self, options: Any) -> Abilities:
        """Return that somebody else can take a seat over, and that matches can be played again; for players alone."""
        return Abilities(replacement=True, replays=True)

    def outline(self, entrants: int, options: Any) -> Outline:
        """Return what a bracket comes to if every tie is played, with all its replays."""
        ties = self.draw_ties(entrants, options)
        matches = options.legs + REPLAY_LEGS * options.replays
        return Outline(
            rounds=max(tie.key.round for tie in ties),
            matches=matches * len(ties),
            matches_each=matches * _longest_way(ties),
            byes=2 ** count_rounds(entrants) - entrants,
        )

    def is_over(self, record: Record[E], options: Any) -> bool:
        """Return whether every tie has been decided, or turned out not to be played."""
        return are_settled(self._resolve(record, options))

    def places(self, record: Record[E], options: Any, tiebreaks: Sequence[str]) -> Sequence[Place[E]]:
        """Return everybody's place as far as it is known. Those who lost in the same round share one."""
        resolved = self._resolve(record, options)
        found = places_of(resolved)
        places = [Place(seat.entrant, found.get(seat.entrant)) for seat in record.seats]
        return sorted(places, key=lambda each: len(places) + 1 if each.place is None else each.place)

    def _resolve(self, record: Record[E], options: Any) -> tuple[ResolvedTie[E], ...]:
        ties = self.draw_ties(len(record.seats), options)
        return resolve_ties(ties, record, legs=options.legs, replays=options.replays)


def describe_ties(options: TieOptions, *, of_teams: bool = False) -> list[tuple[str, Mapping[str, Any]]]:
    """Return how a tie is played with these options, a sentence each."""
    if of_teams and options.legs == 1:
        played = gettext_noop("In each tie two teams meet once.")
    elif of_teams:
        played = gettext_noop(
            "In each tie two teams meet twice at the same time, with sides swapped. Both meetings count together."
        )
    elif options.legs == 1:
        played = gettext_noop("Each tie is one match.")
    else:
        played = gettext_noop(
            "Each tie is two matches at the same time, with sides swapped. Match points count, then goals."
        )
    if options.replays:
        level = gettext_noop("A level tie is replayed. If it is still level, the higher seed goes on.")
    else:
        level = gettext_noop("If a tie is level, the higher seed goes on.")
    return [(played, {}), (level, {})]


def _longest_way(ties: Iterable[DrawnTie]) -> int:
    """Return in how many ties an entrant can play at most."""
    ways: dict[TieKey, int] = {}
    for tie in ties:
        before = [ways[source.tie] for source in (tie.first, tie.second) if isinstance(source, FromTie)]
        ways[tie.key] = 1 + max(before, default=0)
    return max(ways.values())


def places_of(resolved: Sequence[ResolvedTie[E]]) -> dict[E, int]:
    """Return the places that are known in a bracket of these ties, by entrant.

    Those who go out in the same round of a part share a place, one below all who went on. Where neither side began,
    nobody goes down: both share the place of those who lose after going down from there.
    """
    of_losers = _places_of_losers([tie.drawn for tie in resolved])
    followed = _followers(tie.drawn for tie in resolved if tie.state is not TieState.OFF)
    places: dict[E, int] = {}
    for tie in resolved:
        key = tie.drawn.key
        if tie.winner is not None and (key, Outcome.WINNER) not in followed:
            places[tie.winner] = of_losers[key] - 1
        if tie.state is TieState.DECIDED and (tie.winner is None or (key, Outcome.LOSER) not in followed):
            out = [each for each in (tie.first, tie.second) if each is not None and each != tie.winner]
            places |= dict.fromkeys(out, of_losers[key])
    return places


def leave_out(places: Mapping[E, int | None], entrants: Collection[E]) -> dict[E, int | None]:
    """Return the places without those of some entrants: everybody behind them moves up."""
    free = [place for entrant in entrants if (place := places[entrant]) is not None]
    return {
        entrant: None if place is None or entrant in entrants else place - sum(each < place for each in free)
        for entrant, place in places.items()
    }


def _places_of_losers(ties: Sequence[DrawnTie]) -> dict[TieKey, int]:
    """Return the place that a tie's loser gets, by going out or after losing wherever losers go down to."""
    followers = _followers(ties)
    last = [tie.key for tie in ties if (tie.key, Outcome.LOSER) not in followers]
    places: dict[TieKey, int] = {}
    placed = 0
    for (_round, _part), keys in groupby(sorted(last, key=_from_the_end), key=lambda key: (key.round, key.part)):
        going_out = list(keys)
        if (going_out[0], Outcome.WINNER) not in followers:
            placed += 1
        places |= dict.fromkeys(going_out, placed + 1)
        placed += len(going_out)
    for tie in reversed(ties):
        if tie.key not in places:
            places[tie.key] = places[followers[tie.key, Outcome.LOSER]]
    return places


def _from_the_end(key: TieKey) -> tuple[int, bool]:
    return -key.round, key.part is Part.THIRD_PLACE


def _followers(ties: Iterable[DrawnTie]) -> dict[tuple[TieKey, Outcome], TieKey]:
    """Return the tie into which the winner or the loser of a tie goes."""
    return {
        (source.tie, source.outcome): tie.key
        for tie in ties
        for source in (tie.first, tie.second)
        if isinstance(source, FromTie)
    }
