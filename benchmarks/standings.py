"""Measure what a large ladder costs, on real PostgreSQL: making its whole table again, and settling one result.

``.venv/bin/python benchmarks/standings.py`` fills an empty database with 100,000 players and 1,000,000
results, and compares, in the same run, the recomputation of the whole table with a bare ``GROUP BY``
that sums the match points of the same results: when nothing has changed, after one new result, and after
a burst of 1,000, when nearly everybody's place has changed. Then it settles results of that ladder,
and of one a hundredth as large. The history of places, which is a part of the recomputation that no bare sum has, is
printed beside it. Times are medians. PostgreSQL commits to disk, as in production. ``--players`` and ``--results`` make
it smaller.
"""

import argparse
import gc
import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.migrated_database import migrated_database


def main() -> None:
    """Start a database, measure in it, and stop it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100_000, help="players of the ladder (default: 100,000)")
    parser.add_argument("--results", type=int, default=1_000_000, help="results of the ladder (default: 1,000,000)")
    options = parser.parse_args()
    with migrated_database(durable=True):
        # The models can be imported only now.
        benchmark = import_module("benchmarks.large_ladder")
        # As in a worker's process.
        gc.collect()
        gc.freeze()
        benchmark.measure(options.players, options.results)


if __name__ == "__main__":
    main()
