"""Processes that think for the computers of the single-process server, so that its pages need not wait.

A strategy is plain Python: in a thread it would keep all other threads from running. A process that
dies, or thinks for too long, is replaced when the next question comes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import LifoQueue
from threading import Event, Timer

from computers.jobs import Job, running_jobs_at
from computers.worker import write_job

ROOT = Path(__file__).resolve().parent.parent


class JobError(Exception):
    """No answer: whoever was asked has failed, the process has ended, or it has thought for too long."""


class WorkerLostError(JobError):
    """The process has ended while it was thinking."""


class ProcessPool:
    """A number of processes, each started when it is needed first. To be shared by threads.

    A process that has not answered within a question's patience, or ``patience`` if it is given, is killed.
    """

    def __init__(self, number: int, *, patience: float | None = None) -> None:
        self._free: LifoQueue[_Worker] = LifoQueue()
        self._all = [_Worker(patience) for _ in range(number)]
        for thinker in self._all:
            self._free.put(thinker)

    def ask(self, question: Job) -> str:
        """Return a process's answer, waiting for one that is free. Raises ``JobError``.

        Where a process was killed from outside, another is asked, once.
        """
        thinker = self._free.get()
        try:
            try:
                return thinker.ask(question)
            except WorkerLostError:
                return thinker.ask(question)
        finally:
            self._free.put(thinker)

    def pids(self) -> list[int]:
        """Return the numbers of the processes that are there now."""
        return [pid for thinker in self._all if (pid := thinker.pid) is not None]

    def close(self) -> None:
        """End all processes, whatever they are at."""
        for thinker in self._all:
            thinker.end()


@contextmanager
def run_jobs_elsewhere(number: int) -> Iterator[None]:
    """Let computers think in so many processes of their own while the context lasts; 0 is in this one."""
    if number == 0:
        yield
        return
    thinkers = ProcessPool(number)
    try:
        with running_jobs_at(thinkers.ask):
            yield
    finally:
        thinkers.close()


class _Worker:
    """One process, which is asked by one thread at a time."""

    def __init__(self, patience: float | None) -> None:
        self._patience = patience
        self._process: subprocess.Popen[str] | None = None

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def ask(self, question: Job) -> str:
        process = self._start()
        too_late = Event()

        def stop() -> None:
            too_late.set()
            process.kill()

        patience = question.patience if self._patience is None else self._patience
        timer = Timer(patience, stop)
        timer.start()
        try:
            line = _exchange(process, write_job(question))
        finally:
            timer.cancel()
        if not line:
            self.end()
            if too_late.is_set():
                raise JobError(f"No answer within {patience:g} seconds to {question}.")
            raise WorkerLostError(f"The process has ended over {question}.")
        said = json.loads(line)
        if "error" in said:
            raise JobError(said["error"])
        return said["answer"]

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
                # Ctrl-C is for the server; this one ends with it.
                start_new_session=True,
            )
        return self._process


def _exchange(process: subprocess.Popen[str], question: str) -> str:
    """Send a line and return the next one; nothing if the process ends before."""
    if process.stdin is None or process.stdout is None:
        raise AssertionError("both ends are pipes")
    try:
        process.stdin.write(question + "\n")
        process.stdin.flush()
    except OSError:
        return ""
    return process.stdout.readline()
