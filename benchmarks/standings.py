"""Measure what a large ladder costs, on real PostgreSQL: making its whole table again, or pairing who lacks games.

``.venv/bin/python benchmarks/standings.py`` fills an empty database with 100,000 players and 1,000,000 results, and
compares, in the same run, the recomputation of the whole table with a bare ``GROUP BY`` that sums the match points of
the same results: when nothing has changed, after one new result, and after a burst of 1,000, when nearly everybody's
place has changed. The history of places, which is a part of the recomputation that no bare sum has, is printed beside
it. Times are medians.

With ``--pairing`` there are 50,000 players with 200,000 results, everybody has two games running, and as many of these
end as are named: those who lack games then are paired. For each number it prints the queries, the processor time of
this process and of its PostgreSQL for each game that was started, and the longest time for which the ladder was locked;
at last what a sweep costs that finds nothing to do.

PostgreSQL commits to disk, as in production. ``--players`` and ``--results`` make it smaller.
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
    parser.add_argument("--pairing", action="store_true", help="measure pairing, not the table")
    parser.add_argument("--players", type=int, help="players of the ladder (default: 100,000, for pairing 50,000)")
    parser.add_argument("--results", type=int, help="results of the ladder (default: 1,000,000, for pairing 200,000)")
    options = parser.parse_args()
    with migrated_database(durable=True):
        # The models can be imported only now.
        benchmark = import_module("benchmarks.large_ladder")
        # As in a worker's process.
        gc.collect()
        gc.freeze()
        if options.pairing:
            benchmark.measure_pairing(options.players or 50_000, options.results or 200_000, ENDED)
        else:
            benchmark.measure(options.players or 100_000, options.results or 1_000_000)


if __name__ == "__main__":
    main()
