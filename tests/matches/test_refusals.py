"""Wrong requests are refused, by the services and over the API, and nothing changes then."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matches.clock import TimeControl
from matches.errors import StalePly
from matches.models import Match
from matches.services import expire_match, play_move, resign
from matches.services.move_storage import MOVE
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act, play, reread, unchanged


@dataclass(frozen=True)
class Refusal:
    """A move in a match where Red is to place at ply 1, and what is said to it."""

    text: str
    status: int
    code: str
    by: str = "piotr"
    ply: int = 1
    rule: str | None = None
    before: Callable[[Match], Any] | None = None


def update(match: Match, **fields: Any) -> None:
    Match.objects.filter(pk=match.pk).update(**fields)


def lose_on_time(match: Match) -> None:
    update(match, deadline=timezone.now(), vacation_limit=0)


def expire(match: Match) -> None:
    lose_on_time(match)
    assert expire_match(match_id=match.pk, now=timezone.now())


REFUSALS = {
    "malformed": Refusal("e10", 400, "invalid_notation"),
    "malformed in a space's name": Refusal("@z99", 400, "invalid_notation"),
    "illegal": Refusal("@d9", 422, "illegal_move", rule="S4"),
    "illegal: only the dice roll": Refusal("4", 422, "illegal_move", rule="S5"),
    "stale": Refusal(RED_SET_UP, 409, "stale_ply", ply=0),
    "ahead": Refusal(RED_SET_UP, 409, "stale_ply", ply=2),
    "the other side's turn": Refusal(YELLOW_SET_UP, 409, "not_your_turn", by="anna"),
    "late": Refusal(RED_SET_UP, 409, "too_late", before=lose_on_time),
    "over": Refusal(RED_SET_UP, 409, "match_over", before=expire),
    "paused": Refusal(RED_SET_UP, 409, "match_paused", before=lambda match: update(match, paused_at=timezone.now())),
    "foreign": Refusal(RED_SET_UP, 403, "not_your_match", by="carla"),
}


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS.keys())
def test_a_refused_move_says_why_and_changes_nothing(refusal, begin, client_of, carla):
    match = act(begin(now=timezone.now()), YELLOW_SET_UP, now=timezone.now())
    if refusal.before:
        refusal.before(match)
    player = {"anna": match.yellow, "piotr": match.red, "carla": carla}[refusal.by]
    with unchanged(match):
        body = {"ply": refusal.ply, "text": refusal.text}
        response = client_of(player).post(f"/api/v1/matches/{match.pk}/moves/", body)
    assert (response.status_code, response["Content-Type"]) == (refusal.status, "application/problem+json")
    problem = response.json()
    assert (problem["code"], problem["status"]) == (refusal.code, refusal.status)
    assert problem["detail"]
    assert problem.get("rule") == refusal.rule
    assert problem.get("preset") == (match.game if refusal.rule else None)


def test_a_move_in_a_match_that_does_not_exist_is_not_found(client_of, anna):
    for number in (999, 10**30):
        response = client_of(anna).post(f"/api/v1/matches/{number}/moves/", {"ply": 0, "text": "@d1"})
        assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_the_same_move_again_is_answered_with_the_stored_one(begin, client_of, anna):
    match = begin(now=timezone.now())
    client = client_of(anna)
    move = {"ply": 0, "text": YELLOW_SET_UP}
    first = client.post(f"/api/v1/matches/{match.pk}/moves/", move)
    with unchanged(match):
        again = client.post(f"/api/v1/matches/{match.pk}/moves/", move)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()


def test_the_same_move_again_is_found_even_after_the_match_has_gone_on_and_ended(begin, anna, piotr):
    played = play(begin(), YELLOW_SET_UP)
    match = act(played.match, RED_SET_UP)
    now = match.last_move_at
    resign(match_id=match.pk, player=piotr, now=now)
    again = play_move(match_id=match.pk, player=anna, ply=0, text=YELLOW_SET_UP, now=now)
    assert again.repeated
    assert [getattr(again.move, name) for name in MOVE] == [getattr(played.move, name) for name in MOVE]


def test_another_text_for_a_ply_that_is_played_is_stale(begin, anna):
    match = play(begin(), "@d1").match
    with pytest.raises(StalePly):
        play_move(match_id=match.pk, player=anna, ply=0, text="@e1", now=match.last_move_at)


def test_at_the_deadline_a_move_is_too_late_and_a_millisecond_before_it_is_not(begin, client_of, anna):
    match = begin(time_control=TimeControl.of_seconds(600, 0, 600))
    deadline = match.deadline
    assert isinstance(deadline, datetime)
    with pytest.raises(Exception, match="ran out"):
        act(match, YELLOW_SET_UP, now=deadline)
    match = act(match, YELLOW_SET_UP, now=deadline - timedelta(milliseconds=1))
    assert match.bank_yellow == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
@given(text=st.text(max_size=30) | st.sampled_from(["\x00", "@d1\x00", "\ud800", "@d1,d1", "@d1" * 60]))
def test_no_text_whatsoever_breaks_a_match(text, begin, client_of, anna):
    match = Match.objects.first() or begin(now=timezone.now())
    body = json.dumps({"ply": 0, "text": text})
    url = f"/api/v1/matches/{match.pk}/moves/"
    response = client_of(anna).generic("POST", url, body, content_type="application/json")
    assert response.status_code in {400, 422}
    assert reread(match).ply == 0


WEIRD_BODIES = [
    b"",
    b'{"ply": 0}',
    b'{"ply": "x", "text": "@d1"}',
    b'{"ply": 2147483648, "text": "@d1"}',
    b'{"ply": true, "text": ["@d1"]}',
    b'{"ply": 0, "text": "\\u0000"}',
    b'{"game": "streetsoccer-board", "colour": "\\ud800"}',
    b'{"game": "streetsoccer-board", "invited": "\\ud800"}',
    b'{"game": "streetsoccer-board", "time_control": 3}',
    b'{"ply": 0, "text": "%s"}' % (b"@" * 100_000),
]


@pytest.mark.parametrize("body", WEIRD_BODIES, ids=lambda body: repr(body[:40]))
def test_a_body_that_makes_no_sense_is_a_problem_of_the_client(body, begin, client_of, anna):
    match = begin(now=timezone.now())
    client = client_of(anna)
    for url in (f"/api/v1/matches/{match.pk}/moves/", "/api/v1/seeks/"):
        response = client.generic("POST", url, body, content_type="application/json")
        assert response.status_code == 400
        assert response.json()["code"]
    assert reread(match).ply == 0
