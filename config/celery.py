"""The Celery application. Tasks live in the apps, the schedule in the settings."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def make_app() -> Celery:
    """Another application with the same settings, tasks and broker. One application takes from one set of queues."""
    made = Celery("kickabout", set_as_current=False)
    made.config_from_object("django.conf:settings", namespace="CELERY")
    made.autodiscover_tasks()
    return made


app = make_app()
app.set_default()
