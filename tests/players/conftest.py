"""Fixtures of the players' tests."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from players.models import Delivery, Player
from players.services import create_guest, sign_up

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
PASSWORD = "correct horse 7"


def client_of(player: Player, kind: Callable[[], Any] = Client) -> Any:
    """Return a client in which a player is logged in."""
    client = kind()
    client.force_login(player)
    return client


@pytest.fixture
def anna(db):
    return sign_up(username="anna", password=PASSWORD, email="anna@example.org", now=NOON)


@pytest.fixture
def confirmed(anna):
    """Return anna, whose e-mail is confirmed, and to whom no mail is on its way."""
    Player.objects.filter(pk=anna.pk).update(email_confirmed_at=NOON)
    Delivery.objects.all().delete()
    anna.refresh_from_db()
    return anna


@pytest.fixture
def browser(client, anna):
    """Return a client in which anna is logged in."""
    client.force_login(anna)
    return client


@pytest.fixture
def boss(db):
    return Player.objects.create_superuser("boss", password=PASSWORD)


@pytest.fixture
def guest(db):
    return create_guest(now=NOON)


@pytest.fixture
def api():
    """Return an API client in which nobody is logged in; refusals of CSRF included."""
    return APIClient(enforce_csrf_checks=True)
