"""Polls of watchers: one query each, without a session, and the same bytes for all."""

import pytest
from django.conf import settings
from django.db import connection
from django.http import HttpRequest
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from matches.models import Match
from matches.selectors.matches import MAX_ID
from matches.services.resignation import resign
from matches.views.polls import KEPT, POLL, answer_watcher
from matches.views.updates import MAX_BEHIND
from players.models import Player
from tests.matches.play import act, play_at_once
from tests.web.test_page_throttling import set_rate

pytestmark = pytest.mark.django_db

FAR = 40


@pytest.fixture
def match(begin):
    return play_at_once(begin(), until=FAR)


@pytest.fixture
def watcher():
    client = Client()
    client.force_login(Player.objects.create(username="watcher"))
    return client


def url_of(match: Match, since: int) -> str:
    return f"{match.get_absolute_url()}updates/?since={since}"


def poll(client: Client, url: str, **headers: str):
    """Return the response, and how many queries it took."""
    with CaptureQueriesContext(connection) as queries:
        response = client.get(url, headers=headers)
    return response, len(queries)


def test_polls_of_watchers_take_one_query_and_say_what_the_view_says(match, watcher):
    for since in (match.ply - MAX_BEHIND, match.ply - 1, match.ply, match.ply + 1):
        told = watcher.get(url_of(match, since)).json()
        first, _ = poll(Client(), url_of(match, since))
        again, queries = poll(Client(), url_of(match, since))
        assert (again.json(), queries) == (told, 1)
        assert again.content == first.content
        assert again.json()["steps"] == {}


def test_an_unchanged_match_is_not_sent_again_until_others_see_a_change(match, client):
    url = url_of(match, match.ply)
    tag = client.get(url)["ETag"]
    unchanged, queries = poll(client, url, **{"if-none-match": tag})
    assert (unchanged.status_code, unchanged.content, unchanged["ETag"], queries) == (304, b"", tag, 1)
    moved = act(match)
    response, _ = poll(client, url, **{"if-none-match": tag})
    assert (response.status_code, response.json()["match"]["ply"]) == (200, moved.ply)
    moved_tag = response["ETag"]
    resign(match_id=match.pk, player=match.yellow, now=moved.turn_started_at)
    ended, _ = poll(client, url, **{"if-none-match": moved_tag})
    assert (ended.status_code, ended.json()["match"]["status"]) == (200, "finished")


@pytest.mark.parametrize("query", ["", "since=", "since=x", "since=-1", "since=²", "since=1&since=2", "since=123456"])
def test_a_query_that_cannot_be_read_is_left_to_the_view(match, client, query):
    response = client.get(f"{match.get_absolute_url()}updates/?{query}")
    assert (response.status_code, is_from_the_view(response)) == (200, True)
    assert response.json()["match"]["ply"] == match.ply


def test_a_page_that_is_far_behind_is_left_to_the_view(match, client):
    behind = client.get(url_of(match, match.ply - MAX_BEHIND - 1))
    assert (behind.json()["match"]["ply"], is_from_the_view(behind)) == (match.ply, True)
    assert not is_from_the_view(client.get(url_of(match, match.ply - MAX_BEHIND)))


def is_from_the_view(response) -> bool:
    return response.wsgi_request.resolver_match is not POLL


def test_an_update_that_has_to_be_made_is_counted_and_an_update_that_is_kept_is_not(match, client, settings):
    set_rate(settings, "page-read", "2/min")

    def statuses(*plies):
        return [client.get(url_of(match, since)).status_code for since in plies]

    assert statuses(match.ply, match.ply - 1, match.ply - 2) == [200, 200, 429]
    assert statuses(*[match.ply, match.ply - 1, match.ply + 1] * 3) == [200] * 9
    act(match)
    assert statuses(match.ply) == [429]
    assert Client(REMOTE_ADDR="203.0.113.9").get(url_of(match, match.ply)).status_code == 200
    assert statuses(match.ply) == [200]


def test_a_poll_that_is_left_to_the_view_is_counted_once(match, client, settings):
    set_rate(settings, "page-read", "2/min")
    assert [client.get(url_of(match, 0)).status_code for _ in range(3)] == [200, 200, 429]


def test_answers_since_plies_to_come_are_kept_once(match, client):
    assert {client.get(url_of(match, match.ply + more)).content for more in range(4)} == {
        client.get(url_of(match, match.ply)).content
    }
    assert set(KEPT) == {(match.pk, match.ply)}


@pytest.mark.parametrize("number", ["0", "999999", str(MAX_ID + 1), "9" * 19])
def test_a_match_that_does_not_exist_is_not_found(client, number):
    assert client.get(f"/matches/{number}/updates/?since=1").status_code == 404


def test_a_poll_is_measured_as_the_route_that_it_asks_for(match):
    request = HttpRequest()
    request.method, request.path_info = "GET", f"{match.get_absolute_url()}updates/"
    request.META["QUERY_STRING"] = f"since={match.ply}"
    assert answer_watcher(request).status_code == 200
    assert request.resolver_match.route == resolve(request.path_info).route
    request.COOKIES[settings.SESSION_COOKIE_NAME] = "somebody"
    assert answer_watcher(request) is None
