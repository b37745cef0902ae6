"""Fixtures of the desk's tests: who organises, and what."""

import pytest
from django.test import Client

from players.models import Player
from tests.tournaments.conftest import ClientOf
from tests.tournaments.verbs import open_cup
from tournaments.models import Cup


@pytest.fixture
def client(client_of: ClientOf, olga: Player) -> Client:
    """Return olga's browser."""
    return client_of(olga)


@pytest.fixture
def cup(olga: Player) -> Cup:
    """Return a cup of olga's that four have entered."""
    cup, _entries = open_cup(4, legs=1, round_days=7, organiser=olga)
    return cup
