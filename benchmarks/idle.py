"""Print what the single-process server needs for its second start, and for doing nothing.

.venv/bin/python benchmarks/idle.py --seconds 60

Packages of the tests that are installed are loaded by others: ``uv sync --no-dev`` makes an environment without them.
Linux only, because it reads ``/proc``.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path
from time import monotonic, sleep

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.served import Served

SETTLING = 3
"""Seconds between the start and the first measurement."""

CATCHING_UP = 8
"""Seconds between the first measurement and the time of idleness."""


def main() -> None:
    """Start a site twice, measure the second time, and end it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="how long it does nothing (default: 60)")
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as directory:
        Served(Path(directory)).wait().stop()
        served = Served(Path(directory)).wait()
        try:
            served.ask("/")
            sleep(SETTLING)
            process = served.process.pid
            print(f"second start  {processor_time(process):5.2f} s of processor time, {memory(process):.0f} MB")
            sleep(CATCHING_UP)
            used, woken, begun = processor_time(process), wakes(process), monotonic()
            sleep(seconds)
            lasted = monotonic() - begun
            used = processor_time(process) - used
            woken = wakes(process) - woken
            print(f"doing nothing {used:5.2f} s in {lasted:.0f} s, {100 * used / lasted:.2f} % of a core", end="")
            print(f", {woken / lasted:.1f} wakes a second, {memory(process):.0f} MB")
        finally:
            served.stop()


def processor_time(process: int) -> float:
    """Return how many seconds of processor time a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> float:
    """Return how many megabytes of a process are resident."""
    pages = int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024**2


def wakes(process: int) -> int:
    """Return how often the threads of a process have gone to sleep by themselves."""
    found = 0
    for status in Path(f"/proc/{process}/task").glob("*/status"):
        lines = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
        found += int(lines["voluntary_ctxt_switches"])
    return found


if __name__ == "__main__":
    main()
