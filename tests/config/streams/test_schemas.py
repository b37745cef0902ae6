"""What streams send is what the API's description says of it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import timezone

from config.streams.changes import read_named
from config.streams.following import FollowedMatch, FollowedPlayer
from matches.clock import CORRESPONDENCE
from matches.models import Colour
from matches.services import open_seek, start_match
from players.models import Player
from tests.config.answers.description import complaints, operations
from tests.tournaments.competing.running import enter_all, make_ladder, start
from tournaments.models import LogEntry

pytestmark = pytest.mark.django_db
LONG_AGO = str(int(datetime(2026, 1, 1, tzinfo=UTC).timestamp() * 1_000_000))


def judge(operation: str, event: bytes) -> list[str]:
    """Return what the description of a stream has to say against an event of it."""
    lines = dict(line.split(": ", 1) for line in event.decode().strip().splitlines())
    kind = operations()[operation][2]["responses"]["200"]["content"]["text/event-stream"]["schema"]["contentSchema"]
    (described,) = [
        each["properties"]
        for each in kind.get("oneOf", [kind])
        if each["properties"]["event"]["const"] == lines["event"]
    ]
    data: dict[str, Any] = described["data"]["contentSchema"]
    return complaints(data, json.loads(lines["data"]))


def test_what_is_told_of_matches_seeks_and_competitions_is_as_described() -> None:
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    terms = {"game": "streetsoccer-board", "time_control": CORRESPONDENCE, "now": timezone.now()}
    match = start_match(yellow=anna, red=piotr, **terms)
    open_seek(creator=anna, invited=piotr, colour=Colour.RANDOM, **terms)
    ladder = make_ladder()
    enter_all(ladder, [anna, piotr])
    start(ladder)

    told = FollowedPlayer(piotr.pk, LONG_AGO).catch_up().events
    kinds = {event.split(b"\n")[1] for event in told}
    assert kinds == {b"event: match", b"event: seek", b"event: event"}
    for event in told + FollowedPlayer(piotr.pk, "").catch_up().events:
        assert judge("list_events", event) == []
    for event in FollowedMatch(match.pk, "").catch_up().events:
        assert judge("follow_match", event) == []


def test_every_action_that_is_told_is_described() -> None:
    from tournaments.selectors.changes import CONCERNING

    ladder = make_ladder()
    for action in CONCERNING:
        LogEntry.objects.create(event=ladder, action=action, logged_at=timezone.now())
    following = FollowedPlayer(None, "")
    lines = [line for line in LogEntry.objects.values_list("pk", flat=True)]
    changes = read_named([], [], lines)
    assert {change.facts["action"] for change in changes} == CONCERNING
    for change in changes:
        assert judge("list_events", following.tell(change)) == []
