"""``python -m tests.faults.trips``: acts and their taking back, recipe by recipe, while workers are killed.

PostgreSQL and a broker are those of the environment, for it alone: the database is emptied again and again.
"""

import argparse
import os
import sys

import django


def main() -> int:
    """Do what the arguments say, write what became of each competition, and return 1 if anything was wrong."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tests.faults.interrupted import interrupt_trips
    from tests.tournaments.decisions.undoing import RECIPES

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recipes", nargs="+", choices=list(RECIPES), default=list(RECIPES))
    parser.add_argument("--trips", type=int, default=5, help="how many in each competition (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    faults = 0
    for name, trips, wrong in interrupt_trips(chosen.recipes, trips=chosen.trips, seed=chosen.seed):
        print(f"{name}: {', '.join(trips)}: {len(wrong)} faults", *wrong, sep="\n", flush=True)
        faults += len(wrong)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main())
