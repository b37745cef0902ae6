"""The engine job that judges the moves of a match. Like ``computers.jobs`` this imports no Django."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from time import monotonic
from typing import Any, ClassVar

from computers.time_limits import ANALYSIS_TIMEOUT, MAX_ANALYSIS_SECONDS
from rules_engine.analysis import Verdict, judge_moves
from rules_engine.registry import find_engine, get_game
from rules_engine.values import Side


@dataclass(frozen=True, slots=True)
class Analysis:
    """Judge the moves that were played from a position on, with this version of the game's engine."""

    game: str
    position: str
    moves: tuple[str, ...]
    engine: str

    timeout: ClassVar[float] = ANALYSIS_TIMEOUT

    def run(self) -> str:
        """Return the verdicts on the first moves as JSON: at least one, and as many as ``MAX_ANALYSIS_SECONDS`` allow.

        Raises ``LookupError`` if there is no such engine, ``InvalidNotation`` or ``IllegalMove`` if the moves
        cannot be replayed.
        """
        game = get_game(self.game)
        engine = find_engine(game)
        if engine is None or engine.version != self.engine:
            raise LookupError(f"{game.title} is not analysed by {self.engine} here.")
        verdicts = judge_moves(game.read(self.position), self.moves, engine)
        return json.dumps([write_verdict(verdict) for verdict in _until_timeout(verdicts)])


def write_verdict(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as a JSON object, without rounding."""
    return asdict(verdict)


def read_verdict(data: Mapping[str, Any]) -> Verdict:
    """Return the verdict of an object made by ``write_verdict``."""
    return Verdict(**{**data, "side": Side(data["side"]) if data["side"] else None})


def read_verdicts(result: str) -> list[Verdict]:
    """Return the verdicts that an ``Analysis`` job has returned."""
    return [read_verdict(data) for data in json.loads(result)]


def _until_timeout(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    end = monotonic() + MAX_ANALYSIS_SECONDS
    for verdict in verdicts:
        yield verdict
        if monotonic() > end:
            return
