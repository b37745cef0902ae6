"""Echoes: streams send them, clients answer, and opponents in live matches are told who does not."""

from datetime import datetime, timedelta

import pytest
from rest_framework.test import APIClient

from database.clock import read_clock
from matches.clock import CORRESPONDENCE, MILLISECOND, SECOND, TimeControl
from players.connections import ECHO_INTERVAL, GONE_AFTER, find_connections, find_way, note_echo
from rules_engine.values import Side
from streams import hub as hubs
from streams import stream as streams
from streams.echoes import write_token
from streams.opponents import Opponent, find_opponents
from streams.stream import PING
from streams.subscriptions import PlayerSubscription
from tests.matches.conftest import NOON
from tests.streams.test_hub import Reader, do
from tests.streams.test_schemas import judge

pytestmark = pytest.mark.django_db(transaction=True)

LIVE = TimeControl.of_seconds(180, 2, 180)


def answer(token: str) -> int:
    return APIClient().post("/api/v1/echoes/", {"token": token}, format="json").status_code


async def test_a_stream_sends_an_echo_at_once_and_again_and_its_answer_measures_the_way(hub, anna, monkeypatch):
    monkeypatch.setattr(streams, "ECHO_INTERVAL", timedelta(milliseconds=50))
    reader = Reader(hub, PlayerSubscription(anna.pk, "", echoes=True), "anna")
    assert (await reader.event()).name == "ready"
    for _twice in range(2):
        chunk = await reader.chunk()
        assert judge("follow_player", chunk) == []
        assert chunk.startswith(b"event: echo\n")
    token = chunk.decode().split('"')[3]
    assert await do(answer, token) == 204
    assert await do(lambda: timedelta(0) < find_way(player_id=anna.pk, now=read_clock()) < 30 * SECOND)
    await reader.close()


async def test_who_has_not_asked_for_echoes_or_is_nobody_gets_none(hub, anna, monkeypatch):
    monkeypatch.setattr(streams, "PING_INTERVAL", 0.05)
    for player, echoes in ((anna.pk, False), (None, True)):
        reader = Reader(hub, PlayerSubscription(player, "", echoes=echoes))
        await reader.event()
        assert await reader.chunk() == PING
        await reader.close()


async def test_opponents_are_told_who_has_gone_and_who_is_back_in_live_matches_alone(
    hub, begin, anna, piotr, monkeypatch
):
    monkeypatch.setattr(hubs, "CONNECTIONS_INTERVAL", 0.05)
    monkeypatch.setattr(hubs, "PAUSE_FACTOR", 0)
    match, _over_days = await do(lambda: (begin(time_control=LIVE), begin(time_control=CORRESPONDENCE)))
    reader = Reader(hub, PlayerSubscription(anna.pk, "", echoes=True), "anna")
    assert [(await reader.event()).name for _ in range(2)] == ["ready", "echo"]
    assert (await reader.event()).data == {"match": match.pk, "side": "red", "gone_since": None}

    heard = (await do(read_clock)).replace(microsecond=0) - GONE_AFTER - SECOND
    await do(lambda: note_echo(player_id=piotr.pk, sent_at=heard, now=heard))
    gone = (await reader.event()).data["gone_since"]
    assert datetime.fromisoformat(gone) == heard
    await do(lambda: note_echo(player_id=piotr.pk, sent_at=read_clock(), now=read_clock()))
    assert (await reader.event()).data["gone_since"] is None
    await reader.close()


def test_only_a_token_of_ours_that_is_not_old_is_an_answer(anna):
    now = read_clock()
    token = write_token(anna.pk, now)
    for wrong in (token[:-1] + "!", token.replace(":", "", 1), "x", write_token(anna.pk, now - ECHO_INTERVAL - SECOND)):
        assert answer(wrong) == 400
    assert find_connections([anna.pk]) == {}
    assert answer(token) == 204
    assert [*find_connections([anna.pk])] == [anna.pk]


def test_a_connection_is_gone_since_the_last_answer(begin, anna, piotr, carla):
    match = begin(time_control=LIVE)
    for player, ago in ((anna, 5), (piotr, 16)):
        at = NOON - ago * SECOND
        note_echo(player_id=player.pk, sent_at=at - 30 * MILLISECOND, now=at)
    assert find_opponents([anna.pk, piotr.pk, carla.pk], NOON) == {
        anna.pk: {match.pk: Opponent(Side.RED, NOON - 16 * SECOND)},
        piotr.pk: {match.pk: Opponent(Side.YELLOW, None)},
    }
