"""The state of the ties of a group: who meets whom, who has won, and which legs are to be started.

Everything follows from the draw and the record, whatever the order in which anything was stored: entrants come from
their sources, results and withdrawals decide by their moments (``formats.pairing.legs``).

Not every tie is played. A tie that neither side began goes to nobody, and nobody comes from it: the entrant who would
have met its winner, or its loser, goes on without playing. A reset is played only if the final calls for it.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from formats.pairing.legs import Absence, Decider, decide_in_time
from formats.protocol import DrawnTie, FromSeed, FromTie, Game, Outcome, Part, Record, Source, TieKey
from formats.results import balance_of
from formats.sides import sides_of_leg
from rules_engine.values import BySide

E = TypeVar("E", bound=Hashable)


class TieState(StrEnum):
    """The state of a tie: how far it has come.

    ``WAITING``: an entrant is not known yet, or its round has not begun. ``OPEN``: it can be played. ``DECIDED``: it
    has been, or a withdrawal decided it. ``BYE``: it is not played, as an entrant has nobody to meet and goes on.
    ``OFF``: it is not played, as nobody comes to it or the final does not call for it.
    """

    WAITING = "waiting"
    OPEN = "open"
    DECIDED = "decided"
    BYE = "bye"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class DueLeg(Generic[E]):
    """A leg that is to be started now, counted from 1, and who plays which side."""

    leg: int
    sides: BySide[E]


@dataclass(frozen=True, slots=True)
class ResolvedTie(Generic[E]):
    """A tie as the record gives it.

    An entrant is ``None`` while nobody knows who it is, and for good where nobody comes; ``state`` tells which.
    ``winner`` is ``None`` for a tie that went to nobody: ``decided_by`` tells so. ``known_at`` is since when it could
    be played, ``decided_at`` when it was decided or turned out not to be played. ``strays`` are games of this tie
    between others than those who meet in it: something before it was taken back, and they decide nothing.
    """

    drawn: DrawnTie
    state: TieState
    first: E | None = None
    second: E | None = None
    winner: E | None = None
    decided_by: Decider | None = None
    decided_at: datetime | None = None
    known_at: datetime | None = None
    legs_due: tuple[DueLeg[E], ...] = ()
    strays: tuple[Game[E], ...] = ()

    @property
    def is_settled(self) -> bool:
        """Return whether nothing more is to be played in it."""
        return self.state in {TieState.DECIDED, TieState.BYE, TieState.OFF}

    @property
    def loser(self) -> E | None:
        """Return who has lost it to the winner."""
        if self.state is not TieState.DECIDED or self.winner is None:
            return None
        return self.second if self.winner == self.first else self.first


def resolve_ties(
    ties: Sequence[DrawnTie],
    record: Record[E],
    *,
    legs: int,
    replays: int,
    kept: Mapping[TieKey, tuple[E, E]] | None = None,
) -> tuple[ResolvedTie[E], ...]:
    """Return how every tie stands, in the order of ``ties``, where each comes after those that it takes entrants from.

    ``legs`` are played in each tie, and while it is level up to ``replays`` pairs of matches with sides swapped; where
    its round was cut short, no more than have begun. Nothing is due before the group has begun. ``kept`` are ties that
    are played by these two, no matter who should have come to them.
    """
    return _Resolution(record, legs, replays, kept or {}).resolve(ties)


def are_settled(resolved: Iterable[ResolvedTie[E]]) -> bool:
    """Return whether nothing more is to be played in any of these ties."""
    return all(each.is_settled for each in resolved)


def number_parts(played: Iterable[tuple[int, Part]]) -> Mapping[tuple[Part, int], int]:
    """Return which round of its part of the bracket, from 1, each round of the group is, by the parts played in it."""
    rounds: dict[Part, set[int]] = defaultdict(set)
    for round_, part in played:
        rounds[part].add(round_)
    return {
        (part, round_): number for part, found in rounds.items() for number, round_ in enumerate(sorted(found), start=1)
    }


@dataclass(frozen=True, slots=True)
class _Arrival(Generic[E]):
    """The entrant who comes from a source, ``None`` where it gives nobody, and since when that is known."""

    entrant: E | None
    at: datetime | None


class _Resolution(Generic[E]):
    def __init__(self, record: Record[E], legs: int, replays: int, kept: Mapping[TieKey, tuple[E, E]]) -> None:
        self._record, self._legs, self._replays, self._kept = record, legs, replays, kept
        self._entrants = {seat.seed: seat.entrant for seat in record.seats}
        self._seeds = {seat.entrant: seat.seed for seat in record.seats}
        self._absences = {
            seat.entrant: [Absence(seat.entrant, each.since, each.until) for each in seat.absences]
            for seat in record.seats
        }
        self._rounds = {each.number: each for each in record.rounds}
        self._games: dict[TieKey, list[Game[E]]] = defaultdict(list)
        for game in record.games:
            if game.tie is not None:
                self._games[game.tie].append(game)
        self._resolved: dict[TieKey, ResolvedTie[E]] = {}
        self._balance = balance_of(record)

    def resolve(self, ties: Sequence[DrawnTie]) -> tuple[ResolvedTie[E], ...]:
        for tie in ties:
            self._resolved[tie.key] = self._resolve(tie)
        return tuple(self._resolved[tie.key] for tie in ties)

    def _resolve(self, tie: DrawnTie) -> ResolvedTie[E]:
        arrivals: tuple[_Arrival[E] | None, _Arrival[E] | None] = (self._arrival(tie.first), self._arrival(tie.second))
        if tie.key in self._kept:
            arrivals = (
                _Arrival(self._kept[tie.key][0], arrivals[0].at if arrivals[0] else None),
                _Arrival(self._kept[tie.key][1], arrivals[1].at if arrivals[1] else None),
            )
        first, second = (None if arrival is None else arrival.entrant for arrival in arrivals)
        games = sorted(self._games[tie.key], key=lambda game: game.leg)
        own = [game for game in games if None not in (first, second) and set(game.sides) == {first, second}]
        strays = tuple(game for game in games if game not in own)
        waiting = ResolvedTie(tie, TieState.WAITING, first, second, strays=strays)
        if self._record.began_at is None or arrivals[0] is None or arrivals[1] is None:
            return waiting
        moments = [self._record.began_at, *(arrival.at for arrival in arrivals if arrival and arrival.at)]
        if tie.key not in self._kept and not self._is_called_for(tie):
            return replace(waiting, state=TieState.OFF, decided_by=Decider.NOT_PLAYED, decided_at=max(moments))
        if first is None or second is None:
            winner = second if first is None else first
            return replace(
                waiting,
                state=TieState.OFF if winner is None else TieState.BYE,
                winner=winner,
                decided_by=Decider.NOT_PLAYED if winner is None else Decider.BYE,
                decided_at=max(moments),
            )
        if self._record.in_rounds:
            held = self._rounds.get(tie.key.round)
            if held is None or held.started_at is None:
                return waiting
            moments.append(held.started_at)
        moments += [game.again_at for game in own if game.again_at is not None]
        return self._decide(waiting, first, second, own, max(moments))

    def _decide(
        self, waiting: ResolvedTie[E], first: E, second: E, games: Sequence[Game[E]], known_at: datetime
    ) -> ResolvedTie[E]:
        """Return how a tie of two known entrants stands by the games between them."""
        higher, lower = sorted((first, second), key=self._seeds.__getitem__)
        held = self._rounds.get(waiting.drawn.key.round)
        decision, at = decide_in_time(
            higher,
            lower,
            games,
            [*self._absences[higher], *self._absences[lower]],
            known_at=known_at,
            legs=self._legs,
            replays=self._replays,
            is_cut_short=held is not None and held.cut_short_at is not None,
        )
        tie = replace(waiting, known_at=known_at)
        if decision.decided_by is not None:
            return replace(
                tie, state=TieState.DECIDED, winner=decision.winner, decided_by=decision.decided_by, decided_at=at
            )
        begun = {game.leg for game in games}
        due = [leg for leg in range(1, decision.legs_due + 1) if leg not in begun]
        sides = self._sides_of_odd_legs(first, second, games) if due else BySide(first, second)
        return replace(
            tie,
            state=TieState.OPEN,
            legs_due=tuple(DueLeg(leg, sides_of_leg(sides.yellow, sides.red, leg)) for leg in due),
        )

    def _arrival(self, source: Source) -> _Arrival[E] | None:
        """Return who comes from a source, ``None`` while that is open."""
        if isinstance(source, FromSeed):
            return _Arrival(self._entrants[source.seed], None)
        before = self._resolved[source.tie]
        if not before.is_settled:
            return None
        return _Arrival(before.winner if source.outcome is Outcome.WINNER else before.loser, before.decided_at)

    def _is_called_for(self, tie: DrawnTie) -> bool:
        """Return whether the tie before, which has been settled, calls for this one."""
        if tie.only_if_lost_by is None or not isinstance(tie.first, FromTie):
            return True
        named = self._arrival(tie.only_if_lost_by)
        loser = self._resolved[tie.first.tie].loser
        return loser is not None and named is not None and named.entrant == loser

    def _sides_of_odd_legs(self, first: E, second: E, games: Sequence[Game[E]]) -> BySide[E]:
        """Return who has which side in odd legs: as in those that have begun; in a tie of one match by the balance."""
        if games:
            return sides_of_leg(games[0].sides.yellow, games[0].sides.red, games[0].leg)
        return self._balance.give(first, second) if self._legs == 1 else BySide(first, second)
