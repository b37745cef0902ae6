"""The processes that do the work in the background."""

from __future__ import annotations

from celery.apps.worker import Worker
from celery.platforms import EX_FAILURE


class RestartedWorker(Worker):
    """A worker that nobody has asked to stop ends with a status that says so, and its supervisor starts it again."""

    exitcode: int | None

    def start(self) -> None:
        """Work until the worker is stopped, or cannot go on."""
        super().start()
        if self.exitcode is None:
            self.exitcode = EX_FAILURE
