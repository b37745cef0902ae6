"""Celery's processes: workers, and the beat that queues the sweeps."""

import sys

import django
from celery.apps.beat import Beat
from celery.apps.worker import Worker
from celery.platforms import EX_FAILURE
from django.core.exceptions import ImproperlyConfigured

from database.migration_state import refuse_other_schema


class RestartedWorker(Worker):
    """A worker that ends without being stopped exits with an error status, so that its supervisor restarts it."""

    exitcode: int | None

    def start(self) -> None:
        """Work until the worker is stopped, or cannot go on; end at once on a database of another version."""
        _refuse_other_schema()
        super().start()
        if self.exitcode is None:
            self.exitcode = EX_FAILURE


class MigratedBeat(Beat):
    """A beat that goes by elapsed time, and does not start on a database of another version."""

    def run(self) -> None:
        """Queue sweeps until the process is stopped."""
        self.scheduler_cls = "config.beat:ElapsedScheduler"
        _refuse_other_schema()
        super().run()


def _refuse_other_schema() -> None:
    django.setup(set_prefix=False)
    try:
        refuse_other_schema()
    except ImproperlyConfigured as error:
        print(f"Kickabout cannot start. {error}", file=sys.stderr)
        sys.exit(EX_FAILURE)
