"""Streams send what the API's description says of them."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import timezone

from matches.clock import CORRESPONDENCE
from matches.models import Colour
from matches.services import open_seek, start_match
from players.models import Player
from streams.subscriptions import MatchSubscription, PlayerSubscription, read_missed
from tests.tournaments.verbs import enter_all, make_ladder, start
from tests.web.answers.description import complaints, operations

pytestmark = pytest.mark.django_db
LONG_AGO = str(int(datetime(2026, 1, 1, tzinfo=UTC).timestamp() * 1_000_000))


def judge(operation: str, event: bytes) -> list[str]:
    """Return what the description of a stream has to say against an event of it."""
    lines = dict(line.split(": ", 1) for line in event.decode().strip().splitlines())
    kind = operations()[operation][2]["responses"]["200"]["content"]["text/event-stream"]["schema"]["contentSchema"]
    known: list[dict[str, Any]] = [each["properties"] for each in kind.get("oneOf", [kind])]
    (described,) = [each for each in known if each["event"]["const"] == lines["event"]]
    return complaints(described["data"]["contentSchema"], json.loads(lines["data"]))


def test_events_of_matches_seeks_and_competitions_are_sent_as_described():
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    terms: dict[str, Any] = {"game": "streetsoccer-board", "time_control": CORRESPONDENCE, "now": timezone.now()}
    match = start_match(yellow=anna, red=piotr, **terms)
    open_seek(creator=anna, invited=piotr, colour=Colour.RANDOM, **terms)
    ladder = make_ladder()
    ladder.organisers.add(anna)
    enter_all(ladder, [piotr])
    start(ladder)

    for player in (anna, piotr):
        events = read_missed([PlayerSubscription(player.pk, LONG_AGO)])[0].events
        assert {event.split(b"\n")[1] for event in events} == {b"event: match", b"event: seek", b"event: competition"}
        for event in events + read_missed([PlayerSubscription(player.pk, "")])[0].events:
            assert judge("follow_player", event) == []
    for event in read_missed([MatchSubscription(match.pk, "")])[0].events:
        assert judge("follow_match", event) == []
