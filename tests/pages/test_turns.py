"""Every page says whose turn it is, and follows what it needs to go on saying it."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone

from matches.models import Seek
from matches.services import take_seek
from tests.matches.play import seek_of
from tests.pages.html import text_of

NOTHING = {"player": None, "count": 0, "label": "0 to move", "taken": [], "pause": ""}
PAGES = ["/", "/seeks/", "/rules/", "/log-in/", "/nothing/"]


def icon_of(response):
    return re.search(r'<link rel="icon"\s+id="icon"\s+href="/static/img/([^"]+)"', response.content.decode())[1]


@pytest.mark.parametrize("page", PAGES)
def test_title_icon_and_header_of_every_page_say_that_it_is_somebodys_turn(client_of, anna, piotr, begin, page):
    begin()
    begin()
    acting, waiting = client_of(anna).get(page), client_of(piotr).get(page)
    if acting.status_code == 302:
        return
    assert re.search(r"<title>\(2\) \S", acting.content.decode())
    assert (icon_of(acting), "2 to move" in text_of(acting)) == ("kickabout-turn.svg", True)
    assert re.search(r"<title>\w", waiting.content.decode())
    assert (icon_of(waiting), "to move" in text_of(waiting)) == ("kickabout.svg", False)


def test_pages_ask_how_many_matches_wait_for_the_player(client, client_of, anna, piotr, begin):
    begin()
    waiting = {"player": anna.pk, "count": 1, "label": "1 to move"}
    assert client_of(anna).get("/turns/").json() == NOTHING | waiting
    assert client_of(piotr).get("/turns/").json() == {**NOTHING, "player": piotr.pk}
    assert client.get("/turns/").json() == NOTHING


def test_pages_learn_which_games_of_the_player_were_taken_lately(client_of, anna, piotr):
    def taken_by(player):
        return client_of(player).get("/turns/").json()["taken"]

    seeks = [seek_of(anna, now=timezone.now()) for _ in range(3)]
    matches = [take_seek(seek_id=seek.pk, player=piotr, now=timezone.now()) for seek in seeks[:2]]
    Seek.objects.filter(pk=seeks[0].pk).update(changed_at=timezone.now() - timedelta(minutes=6))
    Seek.objects.filter(pk=seeks[1].pk).update(changed_at=timezone.now() - timedelta(seconds=3))
    (taken,) = taken_by(anna)
    assert taken.pop("age") >= 3000
    assert taken == {"seek": seeks[1].pk, "match": matches[1].pk}
    assert taken_by(piotr) == []


@pytest.mark.parametrize(("there_are", "url"), [(True, "/api/v1/stream/"), (False, "")])
def test_every_page_knows_the_event_stream_where_there_is_one(client, client_of, anna, settings, there_are, url):
    settings.EVENT_STREAMS = there_are
    for browser, player in ((client, None), (client_of(anna), anna.pk)):
        for page in PAGES:
            response = browser.get(page)
            if response.status_code != 302:
                data = json.loads(
                    re.search(r'id="stream-data" type="application/json">(.*?)</script>', response.content.decode())[1]
                )
                assert (data["player"], data["stream"], data["turns"]) == (player, url, "/turns/")
                assert data["worker"].endswith("js/stream-worker.js")


def test_a_page_that_renews_its_lists_leaves_messages_to_the_player_who_reads_them(client_of, anna):
    client = client_of(anna)
    form = {"game": "paper-soccer-1", "colour": "red", "pace": "slow"}
    client.post("/seeks/", form)
    said = "You have posted a game."
    assert said not in text_of(client.get("/seeks/?live=1"))
    assert said in text_of(client.get("/seeks/"))
