"""Fixtures of the players' tests."""

from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from players.services import create_guest, sign_up

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
PASSWORD = "correct horse 7"


@pytest.fixture
def anna(db):
    return sign_up(username="anna", password=PASSWORD, email="anna@example.org", now=NOON)


@pytest.fixture
def guest(db):
    return create_guest(now=NOON)


@pytest.fixture
def api():
    """Return an API client in which nobody is logged in; refusals of CSRF included."""
    return APIClient(enforce_csrf_checks=True)
