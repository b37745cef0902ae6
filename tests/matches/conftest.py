"""Fixtures of the matches' tests: two players, a third, matches between them, and clients."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from celery import current_app
from rest_framework.test import APIClient

from matches.clock import CORRESPONDENCE, TimeControl
from matches.models import Match
from matches.services import start_match
from matches.services.verification import verify_match
from players.models import Player

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
SEED = bytes(range(32))

StartMatch = Callable[..., Match]
ClientOf = Callable[[Player | None], APIClient]


@pytest.fixture
def anna(db):
    return Player.objects.create(username="anna", date_joined=NOON)


@pytest.fixture
def piotr(db):
    return Player.objects.create(username="piotr", date_joined=NOON)


@pytest.fixture
def carla(db):
    """Make somebody else."""
    return Player.objects.create(username="carla", date_joined=NOON)


@pytest.fixture
def begin(anna, piotr):
    """Start a match of anna (yellow) and piotr (red) at noon."""

    def start(
        game: str = "streetsoccer-board", now: datetime = NOON, time_control: TimeControl = CORRESPONDENCE
    ) -> Match:
        return start_match(game=game, yellow=anna, red=piotr, time_control=time_control, now=now, seed=SEED)

    return start


@pytest.fixture
def borne_out(db):
    """See to it that in the end all that is stored of matches is what their moves and days of vacation give."""
    yield
    assert {match.pk: faults for match in Match.objects.all() if (faults := verify_match(match=match))} == {}


@pytest.fixture
def calls(monkeypatch):
    """Return the names of the tasks that are called for, and that nobody answers."""
    queued: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **options: queued.append(name))
    return queued


@pytest.fixture
def client_of():
    """Make an API client in which a player is logged in, or nobody."""

    def make(player: Player | None) -> APIClient:
        client = APIClient()
        if player is not None:
            client.force_login(player)
        return client

    return make
