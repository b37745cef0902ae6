"""Write a golden playthrough for everything that each game can come to and that lacks one.

``python -m tests.rules_engine.golden.make`` from the project's root. A file that exists is never
touched: delete it first if the rules have changed on purpose.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from rules_engine.game_spec import Milestone
from rules_engine.protocol import Game, State
from rules_engine.record import Move, Record
from rules_engine.record_formats import write_record
from rules_engine.registry import GAMES, SPECS
from rules_engine.series import Series
from rules_engine.values import Nature, Outcome
from tests.rules_engine.soccer_tactics.players import keen

HERE = Path(__file__).parent
ATTEMPTS = 2000
NEAR = 60
"""The plies within which random play may pass a milestone."""
SCORES_AT_ONCE = 0.3
KICKS_AT_ONCE = 0.6


def path_of(key: str, result: str) -> Path:
    """Return where the playthrough of a game with a result is kept."""
    return HERE / f"{key}-{result}.txt"


def result_of(game: Game, outcome: Outcome) -> str:
    """Return the ending, or of a match of several points the score, the winner's first."""
    if isinstance(game, Series):
        return "-".join(str(points) for points in sorted(outcome.score, reverse=True))
    return outcome.ending


@cache
def results_of_milestones(key: str) -> list[str]:
    """Return the results to which random play from a preset's milestones leads: its endings by the rules are there."""
    game, found = GAMES[key], set()
    for milestone in SPECS[game.family].milestones:
        if milestone.game == key and (outcome := _pass(milestone, game)):
            found.add(result_of(game, outcome))
    return sorted(found)


def lacking(game: Game) -> list[str]:
    """Return the results without a playthrough; of a game's further presets one playthrough is enough."""
    wanted = results_of_milestones(game.key)
    missing = [result for result in wanted if not path_of(game.key, result).exists()]
    is_first = game is SPECS[game.family].presets[0]
    return missing if is_first or missing == wanted else []


def _pass(milestone: Milestone, game: Game) -> Outcome | None:
    """Return with what the match ends by which a milestone is passed; nothing if it goes on."""
    for seed in range(ATTEMPTS):
        random, after = Random(seed), game.read(milestone.position)
        for _ in range(NEAR):
            if after.turn is None:
                break
            before = after
            rolls = [roll.text for roll in before.chance()] if before.turn is Nature.CHANCE else None
            after = before.play(random.choice(rolls or list(before.legal_moves())))
            if milestone.is_passed(before, after):
                return after.outcome
    raise AssertionError(f"Nobody comes to {milestone.name} of {game.key}.")


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
        missing = lacking(game)
        for state, moves in _matches(key):
            outcome = state.outcome
            if not missing:
                break
            if outcome is not None and (result := result_of(game, outcome)) in missing:
                path = path_of(key, result)
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
                path.write_text(annotate(Record(tags, tuple(moves))))
                missing = lacking(game)
                print(path.name)


if __name__ == "__main__":
    main()
