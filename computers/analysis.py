"""Asking what is to be said of a match's moves: a question as texts, so that any process can answer it.

Nothing here knows Django, as in ``computers.jobs``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any, ClassVar

from rules_engine.analysis import Verdict, judge_moves
from rules_engine.registry import find_engine, get_game
from rules_engine.values import Side

MAX_SECONDS = 1.0
"""Seconds after which no other move is begun: computers that are to move wait behind it."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is to be said of the moves that were played from a position on, by this version of the game's engine."""

    game: str
    position: str
    moves: tuple[str, ...]
    engine: str

    patience: ClassVar[float] = 60.0

    def answer(self) -> str:
        """Return as JSON the verdicts on the first moves, at least on one, as many as can be had in a moment.

        Raises ``LookupError`` where there is no such engine, ``InvalidNotation`` or ``IllegalMove`` where the moves
        are no match.
        """
        game = get_game(self.game)
        engine = find_engine(game)
        if engine is None or engine.version != self.engine:
            raise LookupError(f"{game.title} is not analysed by {self.engine} here.")
        return json.dumps(
            [write_verdict(each) for each in _in_a_moment(judge_moves(game.read(self.position), self.moves, engine))]
        )


def write_verdict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON has it, to the last digit."""
    return asdict(verdict)


def read_verdict(data: Mapping[str, Any]) -> Verdict:
    """Return the verdict that was written so."""
    return Verdict(**{**data, "side": Side(data["side"]) if data["side"] else None})


def read_verdicts(answer: str) -> list[Verdict]:
    """Return the verdicts of an job's answer."""
    return [read_verdict(data) for data in json.loads(answer)]


def _in_a_moment(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    end = monotonic() + MAX_SECONDS
    for verdict in verdicts:
        yield verdict
        if monotonic() > end:
            return
