"""Measure how much processor time it takes to pair a Swiss round, and to rank everybody, by the size of the field.

    .venv/bin/python benchmarks/swiss.py --rounds 5

Every match is won by either side or drawn at random. The first round is left out, because its pairs follow from the
seeds alone; of the others the median and the longest are printed. Fields above ``MAX_EXACT`` are paired at least cost.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from formats.pairing.swiss.rounds import MAX_EXACT
from formats.protocol import Game, Record
from formats.swiss import SwissOptions
from rules_engine.values import BySide
from tests.formats.swiss_play import OUTCOMES, SWISS, finish, hold, make_seats

SIZES = (16, 60, 100, 200, 1024)


def main() -> None:
    """Measure, and print a line for each size."""
    parser = argparse.ArgumentParser(description="How long a Swiss round takes to pair.")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{'players':>7}  {'way':<10}  {'pairing, median':>15}  {'longest':>8}  {'table':>8}")
    for size in options.sizes:
        pairing, table = measure(Random(options.seed), size, options.rounds)
        way = "exact" if size <= MAX_EXACT else "least cost"
        print(f"{size:>7}  {way:<10}  {median(pairing):>13.2f} s  {max(pairing):>6.2f} s  {table:>6.2f} s")


def measure(random: Random, size: int, rounds: int) -> tuple[list[float], float]:
    """Return the seconds for each round after the first, and those for the table after the last."""
    record = Record(make_seats(size))
    options = SwissOptions(rounds=rounds)
    times = []
    for _round in range(rounds):
        begun = process_time()
        (drawn,) = SWISS.next_rounds(record, options, 0)
        times.append(process_time() - begun)
        games = [give_result(random, game) for game in finish(drawn, BySide(2, 2))]
        record = hold(record, drawn, games)
    begun = process_time()
    SWISS.places(record, options, SWISS.tiebreaks)
    return times[1:], process_time() - begun


def give_result(random: Random, game: Game[str]) -> Game[str]:
    """Return the match with one of the seven results."""
    return Game(game.round, game.sides, points=BySide(*random.choice(OUTCOMES)), goals=BySide(0, 0), ending=game.ending)


if __name__ == "__main__":
    main()
