"""A process that runs engine jobs: ``python -m computers.worker``.

It reads jobs from standard input and writes results to standard output, one JSON object a line. It ends with the
process that started it: when the input ends, even in the middle of a job.
"""

import json
import os
import sys
import traceback
from dataclasses import asdict
from queue import SimpleQueue
from threading import Thread

from computers.analysis import Analysis
from computers.jobs import BestMove, Job

JOB_TYPES: dict[str, type[Job]] = {job_type.__name__: job_type for job_type in (BestMove, Analysis)}
"""The jobs that a worker runs, by the names of their classes."""

NICENESS = 10
"""The niceness of a worker: processes that serve pages go first."""


def write_job(job: Job) -> str:
    """Return a job as the line that a worker reads."""
    return json.dumps({"type": type(job).__name__, **asdict(job)})


def main() -> None:
    """Run jobs until the input ends."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    lines: SimpleQueue[str] = SimpleQueue()
    Thread(target=_read_lines, args=[lines], daemon=True).start()
    while True:
        print(json.dumps(_run_job(lines.get())), flush=True)


def _read_lines(lines: SimpleQueue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def _run_job(line: str) -> dict[str, str]:
    try:
        job = json.loads(line)
        return {"result": JOB_TYPES[job.pop("type")](**job).run()}
    except Exception:  # noqa: BLE001 - the process that sent the job raises it
        return {"error": traceback.format_exc()}


if __name__ == "__main__":
    main()
