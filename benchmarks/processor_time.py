"""The processor time that a benchmark and all processes that it has started have used."""

import os
from collections import Counter
from contextlib import suppress
from pathlib import Path

OWN = "clients"
"""The name of the benchmark's own process."""


def processor_seconds() -> Counter[str]:
    """Return how long this process and all that it has started have worked until now, by their programs' names."""
    parents, names, seconds = {}, {}, {}
    for directory in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            name, _, numbers = (directory / "stat").read_text().partition(" (")[2].rpartition(") ")
            fields = numbers.split()
            process = int(directory.name)
            parents[process], names[process] = int(fields[1]), name
            # Its own, and those of its children that have ended.
            seconds[process] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    found: Counter[str] = Counter()
    for process, name in names.items():
        ancestor = process
        while ancestor not in {0, os.getpid()}:
            ancestor = parents.get(ancestor, 0)
        if ancestor:
            found[OWN if process == ancestor else name.partition("-")[0]] += seconds[process]  # type: ignore[assignment]
    return found
