"""Write down what the engines say of golden matches, to the last digit.

``python -m tests.rules_engine.judged.make`` from the project's root. Where a file comes out differently, the engine's
version has to change with it: analyses that are stored bear it.
"""

from dataclasses import replace
from pathlib import Path

from rules_engine.analysis import Engine, Verdict, judge_moves, sum_up
from rules_engine.record_formats import read_record
from rules_engine.registry import find_engine, get_game
from rules_engine.search import Budget
from tests.rules_engine.golden.make import HERE as GOLDEN

HERE = Path(__file__).parent
BUDGET = Budget(nodes=400, depth=2, breadth=(2, 2))
MATCHES = {"streetsoccer-online-normal-time": None, "paper-soccer-1-1-0": None, "soccer-tactics-normal-time": 30}
"""Golden matches, and how many of their moves and rolls are judged: all, where it is not said."""


def path_of(name: str) -> Path:
    """Return where the verdicts on a golden match are kept."""
    return HERE / f"{name}.txt"


def judge_golden(name: str) -> str:
    """Return the verdicts on a golden match, a line each, and their sums: every number as Python writes it in full."""
    engine, verdicts = _judge(name)
    sums = sum_up(verdicts)
    head = [engine.version, f"luck {sums.luck.yellow!r} {sums.luck.red!r}"]
    head.append(f"given away {sums.given_away.yellow!r} {sums.given_away.red!r}")
    return "\n".join([*head, "", *map(_line, verdicts)]) + "\n"


def _judge(name: str) -> tuple[Engine, list[Verdict]]:
    lines = (GOLDEN / f"{name}.txt").read_text().splitlines()
    record = read_record("\n".join(line for line in lines if not line.startswith("  ")))
    game = get_game(record.tags["Game"])
    engine = replace(find_engine(game), budget=BUDGET)
    moves = [move.text for move in record.moves[: MATCHES[name]]]
    return engine, list(judge_moves(game.start(), moves, engine))


def _line(verdict: Verdict) -> str:
    what = f"({verdict.text})" if verdict.is_roll else verdict.text
    worth = verdict.luck if verdict.is_roll else verdict.given_away
    return f"{verdict.side or '-'} {what} {verdict.before!r} {verdict.after!r} {worth!r} {verdict.best or '-'}"


if __name__ == "__main__":
    for match in MATCHES:
        path_of(match).write_text(judge_golden(match))
