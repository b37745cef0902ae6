"""The moments when players last did anything on the site: noted by what they do, and seldom."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from players.presence import UNATTENDED_HEADER
from players.services import create_computer, create_token, note_act
from players.signals import player_returned
from tests.players.conftest import NOON, client_of

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


@pytest.fixture
def player():
    return Player.objects.create_user("petra", password="a long password")


def act_of(player: Player):
    return Player.objects.values_list("acted_at", flat=True).get(pk=player.pk)


def test_an_act_is_noted_to_the_minute(player, django_assert_num_queries):
    note_act(player=player, now=NOON)
    with django_assert_num_queries(0):
        note_act(player=player, now=NOON + MINUTE - timedelta(seconds=1))
    assert act_of(player) == player.acted_at == NOON
    note_act(player=player, now=NOON + MINUTE)
    assert act_of(player) == player.acted_at == NOON + MINUTE


def test_an_act_that_comes_late_takes_nothing_back(player):
    stale = Player.objects.get(pk=player.pk)
    note_act(player=player, now=NOON + MINUTE)
    note_act(player=stale, now=NOON)
    assert act_of(player) == NOON + MINUTE


def test_nothing_is_noted_of_computers():
    computer = create_computer(username="robot", now=NOON)
    note_act(player=computer, now=NOON)
    assert act_of(computer) is None


@pytest.mark.parametrize(("hours", "returns"), [(23, 0), (24, 1), (240, 1)])
def test_others_hear_of_a_return_after_a_day_while_the_last_act_is_known(player, hours, returns):
    heard = []

    def hear(*, player_id, now, **kwargs):
        heard.append((player_id, now, act_of(player)))

    note_act(player=player, now=NOON)
    player_returned.connect(hear)
    try:
        note_act(player=player, now=NOON + timedelta(hours=hours))
    finally:
        player_returned.disconnect(hear)
    assert heard == [(player.pk, NOON + timedelta(hours=hours), NOON)] * returns


def test_opening_a_page_is_an_act_and_a_page_that_asks_by_itself_is_not(player):
    browser = client_of(player)
    Player.objects.filter(pk=player.pk).update(acted_at=NOON)
    browser.get("/api/v1/players/me/", headers={UNATTENDED_HEADER: "1"})
    assert act_of(player) == NOON
    before = timezone.now()
    assert browser.get("/ladders/").status_code == 200
    assert before <= act_of(player) <= timezone.now()


def test_logging_in_is_an_act(player):
    Client().post("/log-in/", {"username": "petra", "password": "a long password"}, follow=True)
    assert act_of(player) is not None


def test_a_request_with_a_token_is_an_act(player):
    now = timezone.now()
    _, secret = create_token(player=player, name="program", scopes=["read"], now=now)
    Client().get("/api/v1/seeks/", headers={"Authorization": f"Bearer {secret}"})
    assert act_of(player) >= now
