"""Fixtures of the tournaments' tests: who organises, plays and looks, worlds stored once, and clients."""

import copy
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.test import Client, override_settings
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from players.models import Player
from tests.tournaments.verbs import NOON, finish_match, make_ladder, make_olga


@pytest.fixture(autouse=True)
def no_vacation(settings: Any) -> None:
    """Clocks run out when they run out, unless a test asks for vacation."""
    settings.VACATION_DAYS = 0


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


@pytest.fixture
def olga(db: None) -> Player:
    """Return who organises the competitions that a test is about, and is on the staff."""
    return make_olga()


@pytest.fixture
def otto(db: None) -> Player:
    """Another member of the staff, who organises another competition."""
    otto = Player.objects.create(username="otto", is_staff=True, date_joined=NOON)
    make_ladder(slug="elsewhere", name="Elsewhere").organisers.add(otto)
    return otto


@pytest.fixture
def boss(db: None) -> Player:
    return Player.objects.create(username="boss", is_staff=True, is_superuser=True, date_joined=NOON)


@pytest.fixture
def mia(db: None) -> Player:
    """Return a player with a confirmed e-mail and a finished match, who may make competitions."""
    mia = Player.objects.create(username="mia", email="mia@example.org", email_confirmed_at=NOON, date_joined=NOON)
    finish_match(mia)
    return mia


ClientOf = Callable[[Player | None], Client]


@pytest.fixture
def client_of() -> ClientOf:
    """Make a browser in which a player is logged in, or nobody."""

    def make(player: Player | None) -> Client:
        client = Client()
        if player is not None:
            client.force_login(player)
        return client

    return make


@pytest.fixture
def api() -> Callable[..., APIClient]:
    """Make an API client in which a player is logged in, or nobody."""

    def make(player: Player | None = None) -> APIClient:
        client = APIClient()
        if player is not None:
            client.force_login(player)
        return client

    return make


@pytest.fixture
def visitor(client_of: ClientOf) -> Client:
    return client_of(None)


@pytest.fixture
def carla(db: None) -> Player:
    """Return a player who has entered nothing."""
    return Player.objects.create(username="carla", date_joined=NOON)
