"""Fixtures of the pages' tests: two players, a third, matches between them, and browsers without scripts."""

from collections.abc import Callable
from datetime import datetime

import pytest
from django.test import Client
from django.utils import timezone

from matches.clock import CORRESPONDENCE, TimeControl
from matches.models import Match
from matches.services import start_match
from players.models import Player

SEED = bytes(range(32))

Begin = Callable[..., Match]
ClientOf = Callable[[Player], Client]


@pytest.fixture
def anna(db):
    return Player.objects.create(username="anna")


@pytest.fixture
def piotr(db):
    return Player.objects.create(username="piotr")


@pytest.fixture
def carla(db):
    """Make somebody else."""
    return Player.objects.create(username="carla")


@pytest.fixture
def begin(anna, piotr):
    """Start a match of anna (yellow) and piotr (red) now."""

    def start(
        game: str = "streetsoccer-board", time_control: TimeControl = CORRESPONDENCE, now: datetime | None = None
    ) -> Match:
        return start_match(
            game=game, yellow=anna, red=piotr, time_control=time_control, now=now or timezone.now(), seed=SEED
        )

    return start


@pytest.fixture
def client_of():
    """Make a client in which a player is logged in."""

    def make(player: Player) -> Client:
        client = Client()
        client.force_login(player)
        return client

    return make
