"""Measure what pairing a large ladder costs, on real PostgreSQL.

``.venv/bin/python benchmarks/pairing.py`` fills an empty database with a points ladder of 50,000 entries, on which
everybody has two games running, and ends as many of these as are named: those who lack games then are paired. It prints
for each number the queries, the processor time of this process and of its PostgreSQL for each game that was started,
and the longest time for which the ladder was locked. At last it prints what a sweep costs that finds nothing to do.
"""

import argparse
import gc
import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.migrated_database import migrated_database

ENDED = (0, 1, 10, 100, 400)


def main() -> None:
    """Start a database, measure in it, and stop it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=50_000, help="players of the ladder (default: 50,000)")
    parser.add_argument("--results", type=int, default=200_000, help="results of the ladder (default: 200,000)")
    options = parser.parse_args()
    with migrated_database(durable=True):
        # The models can be imported only now.
        benchmark = import_module("benchmarks.large_ladder")
        gc.collect()
        gc.freeze()
        benchmark.measure_pairing(options.players, options.results, ENDED)


if __name__ == "__main__":
    main()
