"""Fails a test whose request asks the database for each row of a list by itself.

zeal notices it in every request that a test's client sends: the same relation, deferred field or ``get()``, asked for
twice from the same line. It is loaded with ``-p``; processes that tests start, and the site, have no zeal.
"""

from functools import wraps
from typing import Any

import pytest


def pytest_sessionstart(session: pytest.Session) -> None:
    """Watch queries before the first relation is followed: what is made of it then is kept."""
    from django.apps import AppConfig
    from django.conf import settings

    AppConfig.create("zeal").ready()
    settings.ZEAL_RAISE = True
    # Django reads a session once more before it ends it, on the same line that asked for its player.
    settings.ZEAL_ALLOWLIST = [{"model": "sessions.Session", "field": "get()"}]
    # Inside all others: what finds the session and the player asks once for each request, no matter who sends it.
    settings.MIDDLEWARE.append("zeal.middleware.zeal_middleware")
    _ignore_what_is_found_alone()


def _ignore_what_is_found_alone() -> None:
    """Let relations of what a compiled query finds by itself be followed, as zeal does of what ``get()`` finds."""
    from zeal.listeners import n_plus_one_listener
    from zeal.patch import get_instance_key

    from database.compiled_queries import CompiledQuery

    find = CompiledQuery.find

    @wraps(find)
    def find_alone(self: CompiledQuery[Any], **given: Any) -> Any:
        found = find(self, **given)
        if found is not None:
            n_plus_one_listener.ignore(get_instance_key(found))
        return found

    CompiledQuery.find = find_alone  # type: ignore[method-assign]
