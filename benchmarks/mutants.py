"""Counts how many random mutants the tests kill: small faults, of which tests that get shorter should miss no more.

Run it in the newer checkout with ``--also-in OLDER > FILE``, and then in the older one with ``--same-as FILE TESTS``,
so that both are asked for the same mutants. ``benchmarks/mutations.py`` says what a mutant is.

One process of pytest runs the tests once, with a probe at each statement that tells the tests that run it. For each
mutant a copy of the process (a fork) takes the changed functions and runs these tests until one fails, at most
``--each`` of those with a database. What no test runs survives; a copy that ends by itself or after
90 seconds of processor time has timed out. 200 mutants take five minutes of a processor after the run of the tests.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import gc
import importlib
import os
import random
import resource
import shutil
import signal
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from django.db import connection

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.mutations import Mutant, list_mutants, replace_functions

TESTS = ("formats", *(f"tournaments/{room}" for room in "rounds running decisions entries teams".split()))
SAMPLES = 3
"""Of the tests with a database that differ by their parameters only, so many run."""
SEED = 35
QUICK = 100
"""So many tests without a database run for a mutant."""


def takes_database(item: pytest.Item) -> bool:
    """Tell whether a test may be slow."""
    return item.get_closest_marker("django_db") is not None or "db" in getattr(item, "fixturenames", ())


class Killing:
    """Plugin of pytest: runs the tests once with probes, and then some of them for each mutant."""

    def __init__(self, root: Path, mutants: dict[str, Mutant], each: int) -> None:
        self.root, self.mutants, self.each = root, mutants, each
        self.failed: set[str] = set()
        self.trusted: set[str] = set()
        self.running: defaultdict[str, list[pytest.Item]] = defaultdict(list)
        self.results: dict[str, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        """Let hypothesis neither remember nor simplify what fails."""
        from hypothesis import Phase, settings

        settings.register_profile("mutants", settings(), database=None, phases=(Phase.explicit, Phase.generate))
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what fails."""
        if report.failed:
            self.failed.add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run everything in place of pytest."""
        gc.unfreeze()
        gc.enable()
        self.run_with_probes(session)
        print(f"\nWithout any change {len(self.failed)} tests fail.")
        for key, mutant in self.mutants.items():
            result = self.judge(session, mutant, self.choose_tests(key))
            self.results[key], _, why = result.partition(" ")
            place = f"{mutant.path}:{mutant.statement.lineno}"
            print(f"{self.results[key]:9} {key} {place} {mutant.name} {why}", flush=True)
        return True

    def run_with_probes(self, session: pytest.Session) -> None:
        """Note for each mutant which tests run its statement, and pass."""
        for path, tree in {mutant.path: mutant.tree for mutant in self.mutants.values()}.items():
            importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
            probes = []
            for key, mutant in self.mutants.items():
                if mutant.path == path:
                    probe = ast.parse(f"probed_mutants.add({key!r})").body[0]
                    mutant.block.insert(mutant.block.index(mutant.statement), probe)
                    probes.append((mutant.block, probe))
            replace_functions(self.root / path, tree)
            for block, probe in probes:
                block.remove(probe)
        vars(builtins)["probed_mutants"] = probed = set[str]()
        samples = Counter[str]()
        items = []
        for item in session.items:
            samples[function := item.nodeid.partition("[")[0]] += 1
            is_further = takes_database(item) and samples[function] > SAMPLES
            if not is_further and item.get_closest_marker("nightly") is None:
                items.append(item)
        for item, following in zip(items, [*items[1:], session], strict=True):
            probed.clear()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            for key in probed if item.nodeid not in self.failed else ():
                self.running[key].append(item)

    def choose_tests(self, key: str) -> list[pytest.Item]:
        """Return the tests that run a mutant, the quick ones first, and evenly spread where they are too many."""
        tests = sorted(self.running[key], key=takes_database)
        slow = sum(map(takes_database, tests))
        chosen = []
        for part, most in ((tests[: len(tests) - slow], QUICK), (tests[len(tests) - slow :], self.each)):
            chosen += [part[len(part) * number // most] for number in range(most)] if len(part) > most else part
        return chosen

    def judge(self, session: pytest.Session, mutant: Mutant, tests: list[pytest.Item]) -> str:
        """Say what becomes of a mutant. A test that fails in a copy without any change does not count."""
        while tests:
            status, killer = self.run_copy(session, tests, mutant)
            if not killer:
                return "timed-out" if status else f"survived {len(tests)} tests"
            suspect = [item for item in tests if item.nodeid == killer]
            if killer in self.trusted or not self.run_copy(session, suspect, None)[1]:
                self.trusted.add(killer)
                return f"killed by {killer}"
            tests = [item for item in tests if item.nodeid != killer]
        return "survived as no test runs it"

    def run_copy(self, session: pytest.Session, tests: list[pytest.Item], mutant: Mutant | None) -> tuple[int, str]:
        """Run the tests in a copy of this process; return how that ended, and which test failed."""
        connection.close()
        reading, writing = os.pipe()
        if copy := os.fork():
            os.close(writing)
            _, status = os.waitpid(copy, 0)
            with os.fdopen(reading) as pipe:
                return status, pipe.read()
        try:
            limit_copy()
            if mutant:
                holder, field, new, _ = mutant.change
                holder[field] = new
                replace_functions(self.root / mutant.path, mutant.tree)
            self.failed.clear()
            for item, following in zip(tests, [*tests[1:], session], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if self.failed:
                    os.write(writing, item.nodeid.encode())
                    break
            os._exit(0)
        finally:
            os._exit(1)


def limit_copy() -> None:
    """Give the copy of the process a database of its own, no output, and bounds of time and memory."""
    signal.alarm(900)
    resource.setrlimit(resource.RLIMIT_CPU, (90, 90))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    name = str(connection.settings_dict["NAME"])
    if Path(name).exists():
        for end in ("-wal", "-shm"):
            Path(f"{name}.changed{end}").unlink(missing_ok=True)
        connection.settings_dict["NAME"] = shutil.copy(name, f"{name}.changed")


def read_results(path: Path) -> dict[str, str]:
    """Return what became of each mutant in an earlier run."""
    rows = [line.split(maxsplit=2) for line in path.read_text().splitlines()]
    return {row[1]: row[0] for row in rows if row and row[0] in {"killed", "survived", "timed-out"}}


def main() -> None:
    """Count what is killed, survives, or takes too long."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--also-in", type=Path, help="choose of what this other checkout has, too")
    parser.add_argument("--same-as", type=Path, metavar="FILE", help="take the mutants that an earlier run has printed")
    parser.add_argument("--number", type=int, default=200)
    parser.add_argument("--each", type=int, default=25, help="so many tests with a database for a mutant")
    parser.add_argument("tests", nargs="*", default=[f"tests/{folder}" for folder in TESTS])
    options = parser.parse_args()
    root = Path.cwd()
    mutants = list_mutants(root)
    earlier = read_results(options.same_as) if options.same_as else {}
    keys = list(earlier)
    if not earlier:
        keys = sorted(mutants.keys() & list_mutants(options.also_in or root))
        random.Random(SEED).shuffle(keys)
    keys = keys[: options.number]
    print("\n".join(f"not found {key}" for key in keys if key not in mutants))
    sys.path[:2] = [str(root)]
    killing = Killing(root, {key: mutants[key] for key in keys if key in mutants}, options.each)
    flags = ["-q", "-s", "-n0", "--tb=no", "--hypothesis-seed=1", "--database=sqlite", "-p", "no:cacheprovider"]
    pytest.main([*flags, *options.tests], plugins=[killing])
    print(dict(Counter(killing.results.values())))
    for key, result in killing.results.items():
        if result == "survived" and earlier.get(key, result) != result:
            print(f"killed there, survives here: {key}")


if __name__ == "__main__":
    main()
