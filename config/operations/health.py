"""Whether what the site needs is there."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

PATIENCE = 2
"""Seconds that the broker has to answer."""

logger = structlog.get_logger(__name__)

_migrated: set[str] = set()


def check_all() -> dict[str, bool]:
    """Return each check's name and whether it passed. Why one did not is for the log, not for who asks."""
    return {name: _passes(name, check) for name, check in CHECKS.items()}


def _passes(name: str, check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - whatever goes wrong, the site is not ready
        logger.warning("not_ready", check=name, error=type(error).__name__)
        return False


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _migrations_are_applied() -> bool:
    """Once seen, it is not asked again: migrations are only undone by an operator who has stopped the site."""
    database = str(connection.settings_dict["NAME"])
    if database not in _migrated:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return False
        _migrated.add(database)
    return True


def _broker_answers() -> bool:
    if settings.BROKER_URL != settings.IN_MEMORY:
        with current_app.connection_for_write(connect_timeout=PATIENCE) as broker:
            broker.ensure_connection(max_retries=1, timeout=PATIENCE)
    return True


CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database_answers,
    "migrations": _migrations_are_applied,
    "broker": _broker_answers,
}
