"""The Celery application. Tasks live in the apps, the schedule in the settings."""

import gc
import os
from functools import cached_property

from celery import Celery
from celery.signals import worker_process_init
from kombu.transport import TRANSPORT_ALIASES

TRANSPORT_ALIASES |= dict.fromkeys(("redis", "rediss"), "config.redis_transport:Transport")
TRANSPORT_ALIASES["memory"] = "config.memory_transport:Transport"

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Kickabout(Celery):
    """The Celery application; its workers end with a status that says why."""

    @cached_property
    def Worker(self) -> type:  # noqa: N802 - Celery's own name
        """Return the class that ``celery worker`` runs."""
        found: type = self.subclass_with_self("config.celery_worker:RestartedWorker")
        return found

    @cached_property
    def Beat(self) -> type:  # noqa: N802 - Celery's own name
        """Return the class of what ``celery beat`` runs."""
        found: type = self.subclass_with_self("config.celery_worker:MigratedBeat")
        return found


def make_app() -> Celery:
    """Return another application with the same settings, tasks and broker, for another set of queues."""
    made = Kickabout("kickabout", set_as_current=False)
    made.config_from_object("django.conf:settings", namespace="CELERY")
    made.autodiscover_tasks()
    return made


app = make_app()
app.set_default()


@worker_process_init.connect
def freeze_loaded_modules(**_kwargs: object) -> None:
    """Exclude what is loaded from garbage collection, which halves the time of large standings.

    To look for garbage in it first would find a few dozen objects, and copy the memory that this process shares.
    """
    gc.freeze()
