"""Fixtures of the tournaments' tests: who organises, plays and looks, worlds stored once, and clients."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from matches.clock import CORRESPONDENCE
from matches.services import start_match
from matches.services.adjudication import adjudicate_match
from players.models import Player
from rules_engine.values import Side
from tests.samples import runs_every_sample
from tests.tournaments.verbs import (
    NOON,
    RUNNING_FIXTURES,
    end_match,
    enter_all,
    make_ladder,
    make_players,
    start,
)
from tournaments.models import Competition, Cup, Ladder, LogEntry
from tournaments.running.services.ladder_pairings import pair_ladder
from tournaments.tables.services.ratings import rate_waiting
from tournaments.tables.services.standings import recompute_stale

Steps = Callable[..., int]


@pytest.fixture(autouse=True)
def no_vacation(settings: Any) -> None:
    """Clocks run out when they run out, unless a test asks for vacation."""
    settings.VACATION_DAYS = 0


@pytest.fixture
def steps(pytestconfig: pytest.Config) -> Steps:
    """Return how long a random history is: so many steps with every sample, and ``few`` in a run of everything."""

    def choose(usual: int, *, few: int) -> int:
        return usual if runs_every_sample(pytestconfig) else few

    return choose


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


def make_olga() -> Player:
    return Player.objects.create(username="olga", is_staff=True, date_joined=NOON)


def finish_match(player: Player) -> None:
    """Let the player have played a match to its end."""
    other = Player.objects.create(username=f"other-{player.pk}")
    match = start_match(
        game="streetsoccer-board", yellow=player, red=other, time_control=CORRESPONDENCE, now=timezone.now()
    )
    adjudicate_match(match_id=match.pk, winner=None, now=timezone.now())


def last_log(competition: Competition | Cup) -> tuple[str, str, str, str]:
    """Return who did what to whom, and why, at last."""
    line = LogEntry.objects.filter(competition_id=competition.pk).select_related("actor")[0]
    return str(line.actor), line.action, line.subject, line.reason


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
