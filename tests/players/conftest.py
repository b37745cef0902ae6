"""Fixtures of the players' tests."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from rest_framework.test import APIClient

from players.models import Player
from players.services import create_guest, sign_up

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
PASSWORD = "correct horse 7"


@pytest.fixture
def anna(db: None) -> Player:
    return sign_up(username="anna", password=PASSWORD, email="anna@example.org", now=NOON)


@pytest.fixture
def guest(db: None) -> Player:
    return create_guest(now=NOON)


@pytest.fixture
def api() -> APIClient:
    """Return an API client in which nobody is logged in; refusals of CSRF included."""
    return APIClient(enforce_csrf_checks=True)
