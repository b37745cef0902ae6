"""How fast StreetSoccer's legal moves are found, and how much faster than by the naive generator.

    python benchmarks/engine.py --positions 300 --seed 1

Positions come from random matches of every preset; each is asked for all six dice. The engine and the
naive generator take turns at every position in the same run, so that a busy machine slows both; a
position's time is the median of its rounds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean, median
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rules_engine.protocol import Game, State
from rules_engine.registry import GAMES
from rules_engine.values import Nature
from tests.rules_engine import naive

DICE = range(1, 7)
ROUNDS = 5


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


def seconds(generate: Callable[[], int]) -> float:
    """Return how much processor time one generation for all six dice takes."""
    begun = process_time()
    generate()
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


def report(name: str, rows: list[tuple[float, float, int]]) -> None:
    """Print the means of what was measured."""
    engine, plain, moves = (mean(column) for column in zip(*rows, strict=True))
    print(
        f"{name:<22}{moves / len(DICE):>7.0f}{engine * 1000:>11.4f}{1 / engine:>12.0f}"
        f"{plain * 1000:>10.3f}{plain / engine:>7.1f}"
    )


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


if __name__ == "__main__":
    main()
