"""The life of a bracket with everything that can happen in it, drawn at random."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

from formats.protocol import Absence, Game, HeldRound, Record, TieKey
from formats.ties import ResolvedTie
from rules_engine.values import BySide, Ending
from tests.formats.brackets import BEGAN, HOUR, make_record, resolve

RESULTS = [
    (BySide(5, 0), BySide(2, 0)),
    (BySide(0, 5), BySide(0, 1)),
    (BySide(3, 2), BySide(1, 1)),
    (BySide(2, 2), BySide(0, 0)),
    (BySide(2, 2), BySide(0, 0)),
]
MAX_DISTURBANCES = 25


def round_to_begin(resolved: Iterable[ResolvedTie[Any]], record: Record[Any]) -> int | None:
    """Return the round that is to begin now where rounds follow each other, ``None`` while one is played.

    It is the first with a tie to be played. A round in which nothing is to be played never begins, unless something
    before it is taken back.
    """
    left = [tie.drawn.key.round for tie in resolved if not tie.is_settled]
    begun = {each.number for each in record.rounds if each.started_at is not None}
    first = min(left, default=None)
    return None if not record.in_rounds or first in begun else first


class BracketLife:
    """A group of ties that is kept as services keep it: legs are started when they are due, and end one after another.

    ``decided`` holds what was decided on the way, as it was when it was; what follows from an annulled match is
    forgotten.
    """

    def __init__(self, format_: Any, options: Any, size: int, random: Random, *, in_rounds: bool) -> None:
        self.format, self.options, self.random = format_, options, random
        self.record = make_record(size, in_rounds=in_rounds)
        self.now = BEGAN
        self.decided: dict[TieKey, tuple[Any, ...]] = {}
        self._annulled: set[tuple[TieKey | None, int]] = set()
        self._disturbances = 0

    def live(self) -> Record[int]:
        """Go on to the end, and return the record of it."""
        self._settle()
        while not self.format.is_over(self.record, self.options):
            self.now += HOUR
            if self._disturbances < MAX_DISTURBANCES and self.random.random() < 0.4:
                self._disturbances += 1
                self.random.choice([self._leave, self._take_over, self._cut_short, self._annul])()
            elif running := self._running():
                self._end(self.random.choice(running))
            else:
                assert self._disturbances < MAX_DISTURBANCES, "the bracket has stalled"
            self._settle()
        return self.record

    def _settle(self) -> None:
        """Withdraw what does not belong, start what is due, begin rounds, and note what is decided."""
        while True:
            resolved = list(resolve(self.format, self.options, self.record).values())
            strays = [game for tie in resolved for game in tie.strays]
            if strays:
                self._remove(strays)
                continue
            due = [self._start(tie, leg, sides) for tie in resolved for leg, sides in self._due(tie)]
            if due:
                self.record = replace(self.record, games=(*self.record.games, *due))
                continue
            if self._running() or not self._begin_round(resolved):
                break
        for tie in resolved:
            how = (tie.state, tie.first, tie.second, tie.winner, tie.decided_by, tie.decided_at)
            if tie.is_settled:
                assert self.decided.setdefault(tie.drawn.key, how) == how

    def _due(self, tie: ResolvedTie[int]) -> list[tuple[int, BySide[int]]]:
        gone = {seat.entrant for seat in self.record.seats if seat.is_empty}
        assert not tie.legs_due or not gone & {tie.first, tie.second}
        return [(due.leg, due.sides) for due in tie.legs_due]

    def _start(self, tie: ResolvedTie[int], leg: int, sides: BySide[int]) -> Game[int]:
        key = tie.drawn.key
        again = self.now if (key, leg) in self._annulled else None
        return Game(key.round, sides, key, leg, again_at=again)

    def _begin_round(self, resolved: Iterable[ResolvedTie[int]]) -> bool:
        """Begin the next round if this one is over, as groups do whose rounds follow each other."""
        number = round_to_begin(resolved, self.record)
        if number is not None:
            self._hold(number, started_at=self.now)
        return number is not None

    def _hold(self, number: int, **about: Any) -> None:
        held = {each.number: each for each in self.record.rounds}
        held[number] = replace(held.get(number, HeldRound(number)), **about)
        self.record = replace(self.record, rounds=tuple(held.values()))

    def _running(self) -> list[Game[int]]:
        return [game for game in self.record.games if not game.is_counted]

    def _change(self, old: Game[int], new: Game[int]) -> None:
        self.record = replace(self.record, games=tuple(new if game is old else game for game in self.record.games))

    def _end(self, game: Game[int]) -> None:
        points, goals = self.random.choice(RESULTS)
        self._change(game, replace(game, points=points, goals=goals, ended_at=self.now))

    def _leave(self) -> None:
        """Let an entrant withdraw: the matches that go on are lost."""
        seat = self.random.choice(self.record.seats)
        if seat.is_empty:
            return
        gone = replace(seat, absences=(*seat.absences, Absence(self.now)))
        self.record = replace(self.record, seats=tuple(gone if each is seat else each for each in self.record.seats))
        for game in self._running():
            if seat.entrant in set(game.sides):
                points = BySide(0, 5) if game.sides.yellow == seat.entrant else BySide(5, 0)
                lost = replace(game, points=points, goals=BySide(0, 0), ended_at=self.now)
                self._change(game, replace(lost, ending=Ending.FORFEIT, forfeited_by=seat.entrant))

    def _take_over(self) -> None:
        """Let somebody take over a seat that is empty."""
        empty = [seat for seat in self.record.seats if seat.is_empty]
        if not empty:
            return
        seat = self.random.choice(empty)
        taken = replace(seat, absences=(*seat.absences[:-1], replace(seat.absences[-1], until=self.now)))
        self.record = replace(self.record, seats=tuple(taken if each is seat else each for each in self.record.seats))

    def _cut_short(self) -> None:
        """End the matches of a round that go on: some by their score, those that nobody began by both losing."""
        running = self._running()
        if not running:
            return
        number = self.random.choice(running).round
        self._hold(number, cut_short_at=self.now)
        for game in running:
            if game.round != number:
                continue
            if self.random.random() < 0.5:
                self._end(game)
            else:
                nothing = BySide(0, 0)
                ended = replace(game, points=nothing, goals=nothing, ended_at=self.now, ending=Ending.FORFEIT)
                self._change(game, ended)

    def _annul(self) -> None:
        """Take a match back, and with it what followed."""
        if not self.record.games:
            return
        game = self.random.choice(self.record.games)
        self._remove([game])
        self.decided.clear()

    def _remove(self, games: Iterable[Game[int]]) -> None:
        gone = list(games)
        self._annulled |= {(game.tie, game.leg) for game in gone}
        self.record = replace(self.record, games=tuple(game for game in self.record.games if game not in gone))
