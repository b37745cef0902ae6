"""Print how long the single-process server takes for small reads that are sent one after the other on one connection.

.venv/bin/python benchmarks/kept_connection.py
"""

from __future__ import annotations

import sys
import tempfile
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.served import Served

PATHS = ("/health/live", "/api/v1/games/")
WARM_UP = 10
READS = 100


def main() -> None:
    """Start a fresh site, measure, and end it."""
    with tempfile.TemporaryDirectory() as directory:
        served = Served(Path(directory)).wait()
        try:
            for path in PATHS:
                print(f"{path:<16} {measure(served.port, path) * 1000:5.1f} ms (median of {READS})")
        finally:
            served.stop()


def measure(port: int, path: str) -> float:
    """Return the median time, in seconds, between a request and the end of its answer."""
    connection = HTTPConnection("127.0.0.1", port)
    taken = []
    for _ in range(WARM_UP + READS):
        begun = perf_counter()
        connection.request("GET", path)
        response = connection.getresponse()
        response.read()
        if response.status != HTTPStatus.OK:
            raise SystemExit(f"{path}: {response.status}")
        taken.append(perf_counter() - begun)
    connection.close()
    return median(taken[WARM_UP:])


if __name__ == "__main__":
    main()
