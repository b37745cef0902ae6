"""Asking what is to be said of a match's events: a question as texts, so that any process can answer it.

Nothing here knows Django, as in ``matches.thinking``.
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

ENOUGH = 1.0
"""Seconds after which no other event is begun: computers that are to move wait behind it."""


@dataclass(frozen=True, slots=True)
class Examination:
    """What is to be said of the events that were played from a position on, by this version of the game's engine."""

    game: str
    position: str
    events: tuple[str, ...]
    engine: str

    patience: ClassVar[float] = 60.0

    def answer(self) -> str:
        """Return as JSON the verdicts on the first events, at least on one, as many as can be had in a moment.

        Raises ``LookupError`` where there is no such engine, ``InvalidNotation`` or ``IllegalMove`` where the events
        are no match.
        """
        game = get_game(self.game)
        engine = find_engine(game)
        if engine is None or engine.version != self.engine:
            raise LookupError(f"{game.title} is not judged by {self.engine} here.")
        return json.dumps(
            [write_verdict(each) for each in _in_a_moment(judge_moves(game.read(self.position), self.events, engine))]
        )


def write_verdict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as JSON has it, to the last digit."""
    return asdict(verdict)


def read_verdict(data: Mapping[str, Any]) -> Verdict:
    """Return the verdict that was written so."""
    return Verdict(**{**data, "side": Side(data["side"]) if data["side"] else None})


def read_verdicts(answer: str) -> list[Verdict]:
    """Return the verdicts of an examination's answer."""
    return [read_verdict(data) for data in json.loads(answer)]


def _in_a_moment(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    end = monotonic() + ENOUGH
    for verdict in verdicts:
        yield verdict
        if monotonic() > end:
            return
