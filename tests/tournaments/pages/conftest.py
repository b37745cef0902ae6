"""Fixtures of the tests of the competitions' pages: clients, running ladders and cups, and who looks at them."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from rest_framework.test import APIClient

from players.models import Player
from rules_engine.values import Side
from tests.tournaments.competitions.running import (
    NOON,
    RUNNING_FIXTURES,
    end_match,
    enter_all,
    make_ladder,
    make_players,
    start,
)
from tournaments.models import Competition, Ladder
from tournaments.running.services.ladder_pairings import pair_ladder
from tournaments.tables.services.ratings import rate_waiting
from tournaments.tables.services.standings import recompute_stale

ClientOf = Callable[[Player | None], Client]
TIEBREAKS = ["points", "head-to-head", "wins", "goal-difference", "goals", "draw"]


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


def order_fully(ladder: Ladder) -> Ladder:
    """Let the ladder's table be ordered by several tiebreaks."""
    ladder.stages.update(tiebreaks=TIEBREAKS)
    ladder.refresh_from_db()
    return ladder


def count_all() -> None:
    """Make the tables and ratings what the results say."""
    recompute_stale(now=NOON)
    rate_waiting(now=NOON)


def play_some(competition: Competition, number: int, seed: int = 1) -> None:
    """End so many running matches of the competition with random winners, some hours apart."""
    source = random.Random(seed)
    going_on = RUNNING_FIXTURES.filter(competition_id=competition.pk)
    for turn in range(number):
        matches = list(going_on.values_list("match_id", flat=True))
        if not matches:
            break
        end_match(source.choice(matches), source.choice(list(Side)), NOON + timedelta(hours=6 * turn))
    count_all()


def points_ladder(size: int, *, results: int) -> tuple[Ladder, list[Player]]:
    """Return a running points ladder on which some games have been played."""
    ladder = order_fully(make_ladder(min_matches=1))
    players = make_players(size)
    enter_all(ladder, players)
    start(ladder)
    pair_ladder(ladder_id=ladder.pk, now=NOON)
    play_some(ladder, results)
    return ladder, players


def challenge_ladder(size: int) -> tuple[Ladder, list[Player]]:
    """Return a running challenge ladder, the first player at the top, without a game."""
    ladder = make_ladder(format="challenge-ladder")
    players = make_players(size)
    enter_all(ladder, players)
    start(ladder)
    count_all()
    return ladder, players
