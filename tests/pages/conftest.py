"""Fixtures of the pages' tests: three players, matches between two of them, and browsers without scripts."""

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from tests.matches.conftest import SEED, anna, carla, piotr
from tests.matches.play import begin_match

__all__ = ["SEED", "anna", "begin", "carla", "client_of", "piotr"]


@pytest.fixture
def begin(anna, piotr):
    """Start a match of anna (yellow) and piotr (red) now."""
    return lambda game="streetsoccer-board", **options: begin_match(
        anna, piotr, game=game, seed=SEED, **({"now": timezone.now()} | options)
    )


@pytest.fixture
def client_of():
    """Make a client in which a player is logged in."""

    def make(player: Player) -> Client:
        client = Client()
        client.force_login(player)
        return client

    return make
