"""Worlds of competitions' tests: what several tests begin with is stored once for all of them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings
from pytest_django import DjangoDbBlocker


def in_world(build: Callable[..., Any], *args: Any, **options: Any) -> pytest.MarkDecorator:
    """Return a mark: tests that have it find in ``world`` what this builds, stored once for all of them.

    All other tests of their module ask for ``stored``, so that they find nothing.
    """
    return pytest.mark.parametrize("stored", [partial(build, *args, **options)], ids=[build.__name__], indirect=True)


@pytest.fixture(scope="module")
def stored(request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Any]:
    """Yield the world of tests that have its mark, which follow each other, and nothing to those that have none."""
    build = getattr(request, "param", None)
    if build is None:
        yield
        return
    with django_db_blocker.unblock(), transaction.atomic(), override_settings(VACATION_DAYS=0):
        yield build()
        transaction.set_rollback(True)


@pytest.fixture
def world(stored: Any, db: None) -> Any:
    """Return the world as it is stored: no test sees what another did with its objects."""
    return copy.deepcopy(stored)
