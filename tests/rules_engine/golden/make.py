"""Write a golden playthrough for everything that each game can come to and that lacks one.

``python -m tests.rules_engine.golden.make`` from the project's root. A file that exists is never
touched: delete it first if the rules have changed on purpose.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from rules_engine.protocol import State
from rules_engine.record import Move, Record
from rules_engine.record_formats import write_record
from rules_engine.registry import GAMES
from rules_engine.values import Ending, Nature, Outcome
from tests.rules_engine.soccer_tactics.players import keen

HERE = Path(__file__).parent
BY_RULE = (Ending.NORMAL_TIME, Ending.SUDDEN_DEATH, Ending.LAST_GOAL, Ending.GOALLESS)
WANTED = {
    "streetsoccer-board": BY_RULE,
    "streetsoccer-online": BY_RULE,
    "paper-soccer": ("3-0", "3-1", "3-2"),
    "paper-soccer-1": ("1-0",),
    "soccer-tactics": (Ending.NORMAL_TIME, Ending.OVER_TIME, Ending.PENALTIES),
    "soccer-tactics-advanced": (Ending.NORMAL_TIME,),
    "soccer-tactics-90": (Ending.NORMAL_TIME,),
    "soccer-tactics-90-advanced": (Ending.NORMAL_TIME,),
}
"""By game: the endings, or of a match of several points the scores, the winner's first."""
ATTEMPTS = 2000
SCORES_AT_ONCE = 0.3
KICKS_AT_ONCE = 0.6


def path_of(key: str, result: str) -> Path:
    """Return where the playthrough of a game with a result, one of ``WANTED``, is kept."""
    return HERE / f"{key}-{result}.txt"


def result_of(key: str, outcome: Outcome) -> str:
    """Return which of ``WANTED`` an outcome is."""
    if outcome.ending in WANTED[key]:
        return outcome.ending
    return "-".join(str(points) for points in sorted(outcome.score, reverse=True))


def annotate(record: Record) -> str:
    """Return a finished match's record, the position after each move indented below the move's line."""
    state = GAMES[record.tags["Game"]].start()
    moves = iter(record.moves)
    tags, body = write_record(record).split("\n\n")
    lines = [tags, "", f"  {state}"]
    for line in body.splitlines():
        lines.append(line)
        for _ in line.split()[not line.startswith("(") :]:
            state = state.play(next(moves).text)
            lines.append(f"  {state}")
    return "\n".join(lines) + "\n"


def _matches(key: str) -> Iterator[tuple[State, list[Move]]]:
    """Yield whole matches whose players like to kick and to score."""
    for seed in range(ATTEMPTS):
        random, state, moves = Random(f"golden {key} {seed}"), GAMES[key].start(), []
        while state.turn is not None:
            if state.turn is Nature.CHANCE:
                text = random.choice([roll.text for roll in state.chance()])
            else:
                text = PLAYERS.get(GAMES[key].family, _choose)(random, state)
            moves.append(Move(state.turn, text))
            state = state.play(text)
        yield state, moves


def _choose(random: Random, state: State) -> str:
    moves = list(state.legal_moves())
    goals = [move for move in moves if move.endswith("goal")]
    kicks = [move for move in moves if ">" in move and move not in goals]
    if goals and random.random() < SCORES_AT_ONCE:
        return random.choice(goals)
    if kicks and random.random() < KICKS_AT_ONCE:
        return random.choice(kicks)
    return random.choice(moves)


PLAYERS = {"soccer-tactics": keen}
"""The players of the games whose texts do not say what a shot is."""


def main() -> None:
    """Write what is missing and say so."""
    for key, game in GAMES.items():
        missing = [result for result in WANTED[key] if not path_of(key, result).exists()]
        for state, moves in _matches(key):
            outcome = state.outcome
            if not missing:
                break
            if outcome is not None and (result := result_of(key, outcome)) in missing:
                missing.remove(result)
                points = game.match_points(outcome)
                tags = {
                    "Game": key,
                    "Yellow": "anna",
                    "Red": "piotr",
                    "Winner": outcome.winner or "nobody",
                    "Ending": outcome.ending,
                    "Score": f"{outcome.score.yellow}-{outcome.score.red}",
                    "Points": f"{points.yellow}-{points.red}",
                }
                path = path_of(key, result)
                path.write_text(annotate(Record(tags, tuple(moves))))
                print(path.name)


if __name__ == "__main__":
    main()
