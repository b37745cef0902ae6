"""Run engine jobs of the single-process server in processes of their own, so that its pages need not wait.

A strategy is plain Python: in a thread it would keep all other threads from running. A process that dies, or takes
too long, is replaced when the next job comes.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import LifoQueue
from threading import Event, Timer

from computers.jobs import Job, running_jobs_with
from computers.worker import write_job

ROOT = Path(__file__).resolve().parent.parent


class JobError(Exception):
    """A job has no result: it failed, its process ended, or it took too long."""


class WorkerLostError(JobError):
    """The process ended while it ran a job."""


class ProcessPool:
    """Run jobs in a number of processes, each started when it is first needed. Threads may share a pool.

    A process is killed if a job takes longer than its ``timeout``, or than that of the pool if it has one.
    """

    def __init__(self, number: int, *, timeout: float | None = None) -> None:
        self._idle: LifoQueue[_Worker] = LifoQueue()
        self._workers = [_Worker(timeout) for _ in range(number)]
        for worker in self._workers:
            self._idle.put(worker)

    def run(self, job: Job) -> str:
        """Return the result of a job, run in a process that is idle, waiting for one. Raises ``JobError``.

        If the process is killed from outside, the job is run in a new one, once.
        """
        worker = self._idle.get()
        try:
            try:
                return worker.run(job)
            except WorkerLostError:
                return worker.run(job)
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        """Kill all processes, even those that run a job."""
        for worker in self._workers:
            worker.end()


@contextmanager
def run_jobs_in_processes(number: int) -> Iterator[None]:
    """Run jobs in ``number`` processes of their own while the context lasts; with 0 in this process."""
    if number == 0:
        yield
        return
    pool = ProcessPool(number)
    try:
        with running_jobs_with(pool.run):
            yield
    finally:
        pool.close()


class _Worker:
    """One process, used by one thread at a time."""

    def __init__(self, timeout: float | None) -> None:
        self._timeout = timeout
        self._process: subprocess.Popen[str] | None = None

    def run(self, job: Job) -> str:
        process = self._start()
        timed_out = Event()

        def stop() -> None:
            timed_out.set()
            process.kill()

        timeout = job.timeout if self._timeout is None else self._timeout
        timer = Timer(timeout, stop)
        timer.start()
        try:
            line = _exchange(process, write_job(job))
        finally:
            timer.cancel()
        if not line:
            self.end()
            if timed_out.is_set():
                raise JobError(f"{job} has no result after {timeout:g} seconds.")
            raise WorkerLostError(f"The process ended while it ran {job}.")
        reply = json.loads(line)
        if "error" in reply:
            raise JobError(reply["error"])
        return reply["result"]

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _start(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            self.end()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "computers.worker"],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                # Ctrl-C is for the server; the worker ends with it.
                start_new_session=True,
            )
        return self._process


def _exchange(process: subprocess.Popen[str], line: str) -> str:
    """Send a line to a process and return its next line, or an empty text if the process ends."""
    if process.stdin is None or process.stdout is None:
        raise AssertionError("both ends are pipes")
    try:
        process.stdin.write(line + "\n")
        process.stdin.flush()
    except OSError:
        return ""
    return process.stdout.readline()
