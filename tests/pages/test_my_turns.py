"""Players go from one match that waits for them to the next, by deadline."""

import re
from datetime import timedelta
from itertools import permutations, product

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from matches.models import Match
from matches.skipped import MAX_SKIPPED
from players.models import Player
from rules_engine.registry import GAMES
from tests.matches.play import YELLOW_SET_UP, act, begin_match
from tests.pages.html import text_of

MAX_QUERIES = 8
NEXT = "/my-turns/next/"


def lead_of(response):
    """Return the address and the text of the link that leads on from a match, none where it is hidden."""
    found = re.search(r'<a class="button[^"]*"\s+href="([^"]*)"\s+data-in-place\s[^>]*?(hidden)?>([^<]*)</a>', response)
    assert found
    return None if found[2] else (found[1], found[3])


@pytest.fixture
def waiting(begin):
    """Return three matches that wait for anna, the one with the least time first."""
    now = timezone.now()
    last, first, second = (begin(now=now - timedelta(hours=hours)) for hours in (1, 3, 2))
    return [first, second, last]


def test_the_next_match_has_the_least_time_and_what_was_skipped_comes_after_all_others(waiting, client_of, anna):
    client = client_of(anna)
    first, second, last = waiting
    assert client.get(NEXT).url == first.get_absolute_url()
    url, text = lead_of(client.get(first.get_absolute_url()).content.decode())
    assert (url, text) == (f"{NEXT}?skipped={first.pk}", "Skip")
    skipped = client.get(url)
    assert skipped.url == f"{second.get_absolute_url()}?skipped={first.pk}"
    played = client.post(second.get_absolute_url(), {"ply": 0, "text": YELLOW_SET_UP}, follow=True)
    assert lead_of(played.content.decode()) == (NEXT, "Next match (2 more)")
    url, text = lead_of(client.get(skipped.url).content.decode())
    assert (url, text) == (f"{NEXT}?skipped={first.pk}", "Next match (2 more)")
    assert client.get(url).url == f"{last.get_absolute_url()}?skipped={first.pk}"
    url, _text = lead_of(client.get(f"{last.get_absolute_url()}?skipped={first.pk}").content.decode())
    assert client.get(url).url == f"{first.get_absolute_url()}?skipped={first.pk},{last.pk}"


def test_only_players_of_a_match_are_led_on_and_only_where_something_waits(waiting, client, client_of, anna, carla):
    for match in waiting[1:]:
        act(match, YELLOW_SET_UP)
    url = waiting[0].get_absolute_url()
    assert lead_of(client_of(anna).get(url).content.decode()) is None
    for browser in (client, client_of(carla)):
        assert "data-lead-on" not in browser.get(url).content.decode()
    assert client_of(carla).get(NEXT).url == "/my-turns/"
    assert "No match waits for you." in text_of(client_of(carla).get("/my-turns/"))


def test_whatever_a_url_says_was_skipped_leads_to_a_match(waiting, client_of, anna):
    client, urls = client_of(anna), [match.get_absolute_url() for match in waiting]
    for skipped in ("", ",", "x", "-1", "٣", "9" * 40, ",".join(map(str, range(10**6, 10**6 + 2 * MAX_SKIPPED)))):
        url, _mark, kept = client.get(NEXT, {"skipped": skipped}).url.partition("?skipped=")
        assert (url, kept.count(",") < MAX_SKIPPED) == (urls[0], True)
    everything = ",".join(str(match.pk) for match in [*waiting[1:], waiting[0], waiting[1]])
    assert client.get(NEXT, {"skipped": everything}).url.startswith(waiting[2].get_absolute_url())


def test_boards_of_all_games_stand_by_deadline_each_seen_from_the_players_side(client_of, anna, piotr):
    now = timezone.now()
    begun = [
        begin_match(*sides, game=game, now=now + timedelta(hours=hours))
        for hours, (game, sides) in enumerate(product(GAMES, permutations([anna, piotr])))
    ]
    mine = [match for match in begun if match.player_to_act == anna]
    content = client_of(anna).get("/my-turns/").content.decode()
    picture = r'<a class="panel picture" href="([^"]+)".*?<svg class="board \w+( flipped)?"'
    links = re.findall(picture, content, re.DOTALL)
    assert [url for url, _flipped in links] == [match.get_absolute_url() for match in mine]
    assert [bool(flipped) for _url, flipped in links] == [match.red == anna for match in mine]


def test_the_pages_of_many_matches_cost_as_many_queries_as_those_of_one(
    client_of, anna, begin, django_assert_max_num_queries
):
    client, counts = client_of(anna), []
    for more in (1, 30):
        for _ in range(more):
            begin()
        with django_assert_max_num_queries(MAX_QUERIES) as queries:
            page = client.get("/my-turns/")
            client.get(f"{NEXT}?skipped={','.join(map(str, range(MAX_SKIPPED)))}")
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert page.content.decode().count('class="panel picture"') == 24
    assert "31 matches wait for you" in text_of(page)


def test_a_page_in_place_of_another_has_its_content_alone(waiting, client_of, anna, django_assert_max_num_queries):
    client = client_of(anna)
    for url in (waiting[0].get_absolute_url(), "/my-turns/"):
        whole = client.get(url).content.decode()
        with django_assert_max_num_queries(MAX_QUERIES):
            content = client.get(url, headers={"X-Fragment": "1"}).content.decode()
        assert "<header" not in content
        parts = [re.search(r"<h1.*</main>", each, re.DOTALL) for each in (whole, content)]
        assert None not in parts
        now = re.compile(r'"now": "[^"]+"|value="[\w-]{32,64}"')
        first, second = (now.sub("", each[0]) for each in parts if each)
        assert first.split() == second.split()
    assert client.get(NEXT, headers={"X-Fragment": "1"}).url == waiting[0].get_absolute_url()


def test_matches_are_counted_for_players_alone_and_once(waiting, client, client_of, anna):
    for browser, counts in ((client, 0), (client_of(anna), 1)):
        with CaptureQueriesContext(connection) as queries:
            browser.get(waiting[0].get_absolute_url())
        assert sum("COUNT(" in query["sql"] and 'FROM "matches_match"' in query["sql"] for query in queries) == counts


def test_players_choose_how_they_go_on(client_of, anna, begin):
    begin()
    begin()
    client, url = client_of(anna), Match.objects.latest("pk").get_absolute_url()

    def shown():
        page = client.get(url).content.decode()
        return "data-goes-on" in page, 'aria-keyshortcuts="n"' in page

    assert shown() == (False, True)
    client.post("/profile/playing/", {"goes_on": "on"})
    assert shown() == (True, False)
    changed = client.patch("/api/v1/players/me/", {"single_keys": True}, content_type="application/json").json()
    assert (changed["goes_on"], changed["single_keys"], changed["may_be_entered"]) == (True, True, False)
    assert shown() == (True, True)
    assert Player.objects.get(pk=anna.pk).goes_on
