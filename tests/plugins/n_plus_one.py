"""Fails a test whose request asks the database for each row of a list by itself.

zeal notices it in every request that a test's client sends: the same relation, deferred field or ``get()``, asked for
twice from the same line. It is loaded with ``-p``; processes that tests start, and the site, have no zeal.
"""

from __future__ import annotations

import pytest


def pytest_sessionstart(session: pytest.Session) -> None:
    """Watch queries before the first relation is followed: what is made of it then is kept."""
    from django.apps import AppConfig
    from django.conf import settings

    AppConfig.create("zeal").ready()
    settings.ZEAL_RAISE = True
    # Django reads a session once more before it ends it, on the same line that asked for its player.
    settings.ZEAL_ALLOWLIST = [{"model": "sessions.Session", "field": "get()"}]
    # Inside all others: what finds the session and the player asks once for each request, whoever sends it.
    for middleware in (settings.MIDDLEWARE, settings.TOKEN_MIDDLEWARE):
        middleware.append("zeal.middleware.zeal_middleware")
