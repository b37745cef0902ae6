"""A process that only thinks: ``python -m computers.worker``.

Reads questions from its standard input and writes answers, one JSON object a line. It ends with
whoever started it: at the end of the input, even in the middle of a thought.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from dataclasses import asdict
from queue import SimpleQueue
from threading import Thread

from computers.analysis import Analysis
from computers.jobs import BestMove, Job

KINDS: dict[str, type[Job]] = {kind.__name__: kind for kind in (BestMove, Analysis)}
"""What can be asked, by the name of its class."""

NICENESS = 10
"""Whoever waits for a page goes first."""


def write_job(question: Job) -> str:
    """Return a question as the line that is read here."""
    return json.dumps({"kind": type(question).__name__, **asdict(question)})


def main() -> None:
    """Answer questions until the input ends."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=_listen, args=[lines], daemon=True).start()
    while True:
        print(json.dumps(_answer(lines.get())), flush=True)


def _listen(lines: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def _answer(line: str) -> dict[str, str]:
    try:
        asked = json.loads(line)
        return {"answer": KINDS[asked.pop("kind")](**asked).answer()}
    except Exception:  # noqa: BLE001 - it is told to whoever asked
        return {"error": traceback.format_exc()}


if __name__ == "__main__":
    main()
