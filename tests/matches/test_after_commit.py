"""The right players are notified after a commit, and a lost notification does no harm."""

from typing import Any

import pytest
from celery import current_app
from kombu.exceptions import OperationalError

from matches.models import Match
from matches.services import resign
from matches.signals import match_finished
from players.models import Player
from players.services import ensure_computer
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, act, begin_match, heard, reread

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


def against_the_computer(player: Player) -> Match:
    return begin_match(player, ensure_computer(level="club", now=NOON))


def test_the_computer_is_called_when_it_is_to_act_and_not_before(calls, anna):
    match = act(against_the_computer(anna), "@d1")
    assert calls == []
    act(match, "@c3,d5,f7,g4")
    assert calls == ["matches.tasks.move_computer"]


def test_the_computer_is_called_when_it_begins(calls, anna):
    begin_match(ensure_computer(level="club", now=NOON), anna)
    assert calls == ["matches.tasks.move_computer"]


def test_a_finished_match_is_announced_once(begin, anna):
    match = act(begin(), YELLOW_SET_UP)
    with heard(match_finished, "match_id") as finished:
        for _ in range(2):
            resign(match_id=match.pk, player=anna, now=match.last_move_at)
    assert finished == [match.pk]


def test_a_broker_that_is_down_does_not_touch_the_move(monkeypatch, caplog, anna):
    def send_task(*args: Any, **options: Any) -> None:
        raise OperationalError("the broker is down")

    monkeypatch.setattr(current_app, "send_task", send_task)
    match = act(against_the_computer(anna), YELLOW_SET_UP)
    assert reread(match).ply == 1
    assert "the broker is down" in caplog.text


def test_a_listener_that_fails_does_not_touch_the_result(begin, anna):
    def listen(**kwargs: Any) -> None:
        raise RuntimeError("the listener has failed")

    match_finished.connect(listen)
    try:
        match = resign(match_id=begin().pk, player=anna, now=NOON)
    finally:
        match_finished.disconnect(listen)
    assert reread(match).ending == "resignation"
