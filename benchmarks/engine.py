"""Measure how fast StreetSoccer's legal moves are found and Paper Soccer's steps played, beside the naive generators.

    python benchmarks/engine.py --positions 300 --seed 1

StreetSoccer's positions come from random matches of every preset; each is asked for all six dice. The engine and the
naive generator take turns at every position in the same run, so that a busy machine slows both; a
position's time is the median of its rounds.

Paper Soccer's sequences are counted from the start of a point, as deep as each way of counting gets in a second
or so: on the public state, and by the naive rules. The best of the rounds.

At last positions of the longest of some random points of Paper Soccer are read, as what comes from outside is, and
resumed, as rows of matches are.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean, median
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rules_engine.paper_soccer.game import ONE_POINT, PaperSoccer
from rules_engine.paper_soccer.rally import Rally
from rules_engine.protocol import Game, State
from rules_engine.registry import GAMES
from rules_engine.values import Nature, Side
from tests.rules_engine import naive
from tests.rules_engine.paper_soccer import naive as naive_paper_soccer

DICE = range(1, 7)
ROUNDS = 5
POINTS = 500
READINGS = 201
POINT = PaperSoccer().start(Side.YELLOW)


def positions_of_random_matches(game: Game, random: Random) -> Iterator[State]:
    """Yield, without end, positions of random matches in which a die of a turn is to be rolled."""
    while True:
        state = game.start()
        while state.turn is not None:
            if state.turn is Nature.CHANCE:
                if str(state).startswith("play "):
                    yield state
                state = state.play(random.choice([roll.text for roll in state.chance()]))
            else:
                state = state.play(random.choice(state.legal_moves()))


def naive_position(game: Game, state: State) -> tuple[naive.Position, str]:
    """Return the same position, and the side to move, for the naive generator."""
    _, _, side, _, yellow, red, ball, *_ = str(state).split()
    preset = game.key.removeprefix("streetsoccer-")
    return naive.Position(preset, tuple(yellow.split(",")), tuple(red.split(",")), ball), side


def seconds(work: Callable[[], object]) -> float:
    """Return how much processor time it takes."""
    begun = process_time()
    work()
    return process_time() - begun


def measure(game: Game, state: State) -> tuple[float, float, int]:
    """Return the median seconds of a generation by the engine and by the naive one, and the moves of all six dice."""
    position, side = naive_position(game, state)
    text = str(state)

    def fresh() -> list[State]:
        return [game.read(text).play(str(die)) for die in DICE]

    def by_engine(rolled: list[State]) -> int:
        return sum(len(each.legal_moves()) for each in rolled)

    def by_naive() -> int:
        return sum(len(naive.turns(position, side, die)) for die in DICE)

    moves = by_engine(fresh())
    if moves != by_naive():
        raise SystemExit(f"the engine and the naive generator disagree on {text}")
    engine_times, naive_times = [], []
    for _ in range(ROUNDS):
        rolled = fresh()
        engine_times.append(seconds(partial(by_engine, rolled)))
        naive_times.append(seconds(by_naive))
    return median(engine_times) / len(DICE), median(naive_times) / len(DICE), moves


def play_every_step(state: Rally | naive_paper_soccer.Point, depth: int) -> int:
    """Return the number of sequences of so many steps, each of them played to its end."""
    if depth == 0:
        return 1
    if isinstance(state, naive_paper_soccer.Point):
        return sum(play_every_step(after, depth - 1) for after in naive_paper_soccer.steps(state).values())
    return sum(play_every_step(state.play(move), depth - 1) for move in state.legal_moves())


PAPER_SOCCER_COUNTS: tuple[tuple[str, Callable[[int], int], int], ...] = (
    ("public state, steps", partial(play_every_step, POINT), 5),
    ("naive rules, steps", partial(play_every_step, naive_paper_soccer.Point("yellow")), 4),
)


def measure_count(name: str, count: Callable[[int], int], depth: int) -> None:
    """Print how many sequences of this depth are counted in a second."""
    sequences = count(depth)
    fastest = min(seconds(partial(count, depth)) for _ in range(ROUNDS))
    print(f"{name:<22}{depth:>7}{sequences:>12}{fastest:>10.3f}{sequences / fastest:>14.0f}")


def report(name: str, rows: list[tuple[float, float, int]]) -> None:
    """Print the means of what was measured."""
    engine, plain, moves = (mean(column) for column in zip(*rows, strict=True))
    print(
        f"{name:<22}{moves / len(DICE):>7.0f}{engine * 1000:>11.4f}{1 / engine:>12.0f}"
        f"{plain * 1000:>10.3f}{plain / engine:>7.1f}"
    )


def longest_point(source: Random, points: int) -> list[State]:
    """Return the positions of the point with the most lines among so many that are played at random."""
    longest: list[State] = []
    for _ in range(points):
        played: list[State] = [ONE_POINT.start().play(Side.YELLOW)]
        while played[-1].turn:
            played.append(played[-1].play(source.choice(played[-1].legal_moves())))
        longest = max(longest, played, key=len)
    return longest


def report_reading(states: list[State]) -> None:
    """Print how long positions with more and more lines take to be read, and to be resumed."""
    print(f"{'paper-soccer-1':<22}{'lines':>7}{'read ms':>11}{'resumed ms':>12}")
    for lines in (10, len(states) // 2, len(states) - 1):
        text, summary = str(states[lines]), states[lines].summary
        read = [seconds(partial(ONE_POINT.read, text)) for _ in range(READINGS)]
        resumed = [seconds(partial(ONE_POINT.resume, text, summary)) for _ in range(READINGS)]
        print(f"{'':<22}{lines:>7}{median(read) * 1000:>11.4f}{median(resumed) * 1000:>12.4f}")


def main() -> None:
    """Measure and print one line for each preset, and one for all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=100, help="positions of each preset (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random matches (default: 1)")
    options = parser.parse_args()
    print(f"{'game':<22}{'moves':>7}{'engine ms':>11}{'per second':>12}{'naive ms':>10}{'ratio':>7}")
    everything = []
    for game in GAMES.values():
        if game.family == "streetsoccer":
            states = positions_of_random_matches(game, Random(options.seed))
            rows = [measure(game, next(states)) for _ in range(options.positions)]
            report(game.key, rows)
            everything += rows
    report("all presets", everything)
    print()
    print(f"{'paper-soccer':<22}{'depth':>7}{'sequences':>12}{'seconds':>10}{'per second':>14}")
    for name, count, depth in PAPER_SOCCER_COUNTS:
        measure_count(name, count, depth)
    print()
    report_reading(longest_point(Random(options.seed), POINTS))


if __name__ == "__main__":
    main()
