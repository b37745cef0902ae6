"""Fixtures of the organisers' tests: an organiser, somebody who organises something else, and clients."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from matches.clock import CORRESPONDENCE
from matches.services import start_match
from matches.services.adjudication import adjudicate_match
from players.models import Player
from tests.tournaments.competitions.running import NOON, make_ladder
from tournaments.models import Competition, Cup, LogEntry

ClientOf = Callable[[Player], Client]


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


@pytest.fixture
def client_of() -> ClientOf:
    """Make a client in which a player is logged in."""

    def make(player: Player) -> Client:
        client = Client()
        client.force_login(player)
        return client

    return make


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
