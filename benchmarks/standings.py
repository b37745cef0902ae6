"""Measure what a large ladder costs, on real PostgreSQL: making its whole table again, and settling one result.

``.venv/bin/python benchmarks/standings.py`` fills an empty database with 100,000 players and 1,000,000
results, and compares, in the same run, the recomputation of the whole table with a bare ``GROUP BY``
that sums the match points of the same results: when nothing has changed, after one new result, and after
a burst of 1,000, when nearly everybody's place has changed. Then it settles results of that ladder,
and of one a hundredth as large. The history of places, which is a part of the recomputation that no bare sum has, is
printed beside it. Times are medians. PostgreSQL commits to disk, as in production. ``--players`` and ``--results`` make
it smaller.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import tempfile
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

import django
from django.core.management import call_command
from django.db import connections

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.plugins.real_servers import start_postgresql


def main() -> None:
    """Start a database, measure in it, and stop it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100_000, help="players of the ladder (default: 100,000)")
    parser.add_argument("--results", type=int, default=1_000_000, help="results of the ladder (default: 1,000,000)")
    options = parser.parse_args()
    url, server = start_postgresql(durable=True)
    with ExitStack() as stack:
        if server is not None:
            stack.callback(server.stop)
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ |= {"DATABASE_URL": url, "DATA_DIR": directory, "DJANGO_SETTINGS_MODULE": "config.settings"}
        django.setup()
        stack.callback(connections.close_all)
        call_command("migrate", verbosity=0)
        # The models can be imported only now.
        benchmark = import_module("benchmarks.large_ladder")
        # As in a worker's process.
        gc.collect()
        gc.freeze()
        benchmark.measure(options.players, options.results)


if __name__ == "__main__":
    main()
