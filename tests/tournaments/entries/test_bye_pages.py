"""Byes on request on pages and over the API."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.pages.html import text_of
from tests.tournaments.verbs import count_all, enter_all, make_cup, make_players, open_cup, play_out, start
from tournaments.models import Bye, ByeRequest, Cup, Entry
from tournaments.running.services.next_rounds import pair_due_rounds

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
CUP, API = "/cups/cup/", "/api/v1/competitions/cup/"


def start_swiss(size: int, **options) -> tuple[Cup, list[Entry]]:
    """Return a running Swiss with byes on request, and its entries in the order in which they came."""
    usual: dict[str, Any] = {"format": "swiss", "byes_on_request": True}
    cup, entries = open_cup(size, **usual | options)
    start(cup, timezone.now())
    return cup, entries


def next_round(cup: Cup) -> None:
    play_out(cup, random.Random(1), now=timezone.now())
    pair_due_rounds(now=timezone.now() + HOUR)
    count_all()


def choices_in(page: str) -> list[str]:
    """Return the rounds among which the form lets choose."""
    _before, _, after = page.partition('<select id="bye-round"')
    return [part.partition('"')[0] for part in after.partition("</select>")[0].split('<option value="')[1:]]


def test_an_entrant_asks_by_a_form_and_plays_after_all_by_a_button(client_of):
    _cup, entries = start_swiss(5)
    browser = client_of(entries[0].player)
    page = browser.get(CUP).content.decode()
    assert choices_in(page) == ["2", "3"]
    assert "You can ask for one bye." in page
    asked = browser.post(f"{CUP}bye/", {"round": "3"}, follow=True)
    assert asked.redirect_chain == [(CUP, 302)]
    assert ByeRequest.objects.get().round_number == 3
    assert "You will sit out round 3" in text_of(asked)
    assert choices_in(asked.content.decode()) == []
    taken_back = text_of(browser.post(f"{CUP}bye/take-back/", follow=True))
    assert "You will play in every round." in taken_back
    assert not ByeRequest.objects.exists()


@pytest.mark.parametrize("chosen", ["", "0", "-2", "two", "9" * 5000, "²"])
def test_a_round_that_is_none_is_refused_by_a_sentence(chosen, client_of):
    _cup, entries = start_swiss(5)
    answer = client_of(entries[0].player).post(f"{CUP}bye/", {"round": chosen})
    assert (answer.status_code, "Choose the round that you want to sit out." in text_of(answer)) == (404, True)


def test_the_page_of_the_round_says_who_asked_for_a_bye_and_who_was_left_over(client_of, visitor):
    cup, entries = start_swiss(6)
    browser = client_of(entries[0].player)
    browser.post(f"{CUP}bye/", {"round": "2"})
    next_round(cup)
    free = Bye.objects.get(is_asked=False).seat.entry.player.username
    page = text_of(visitor.get(CUP))
    assert "player-1 sits out at their own request" in page
    assert f"{free} has a bye" in page
    own = text_of(browser.get(CUP))
    assert "You asked to sit out round 2. This counts as a draw. You can have only one such bye." in own
    answer = browser.post(f"{CUP}bye/", {"round": "3"})
    assert (answer.status_code, "player-1 has had a bye on request, in round 2." in text_of(answer)) == (409, True)


def test_an_entrant_who_asked_for_a_bye_in_vain_is_told_why_and_can_ask_again(client_of):
    cup, entries = start_swiss(3, rounds=3)
    for entry in entries[:2]:
        client_of(entry.player).post(f"{CUP}bye/", {"round": "2"})
    next_round(cup)
    page = client_of(entries[0].player).get(CUP)
    assert "fewer than two players would have been left to play it" in text_of(page)
    assert choices_in(page.content.decode()) == ["3"]


def test_once_the_last_round_is_drawn_the_page_says_so_and_the_form_is_gone(client_of):
    cup, entries = start_swiss(4)
    next_round(cup)
    page = client_of(entries[0].player).get(CUP)
    assert "The last round has been drawn: you can no longer ask for a bye." in text_of(page)
    assert choices_in(page.content.decode()) == []
    play_out(cup, random.Random(1), now=timezone.now())
    assert "ask for a bye" not in text_of(client_of(entries[0].player).get(CUP))


def test_others_and_other_cups_have_no_form(client_of, visitor, carla):
    _cup, entries = start_swiss(4)
    for client in (visitor, client_of(carla)):
        assert "Sit out a round" not in text_of(client.get(CUP))
    assert "You can ask beforehand to sit out one round. This counts as a draw." in text_of(visitor.get(CUP))
    cup = make_cup(slug="other", format="swiss")
    enter_all(cup, [entry.player for entry in entries])
    start(cup, timezone.now())
    assert "Sit out a round" not in text_of(client_of(entries[0].player).get("/cups/other/"))


def test_a_bye_over_the_api(api, carla):
    cup, entries = start_swiss(6)
    player = api(entries[0].player)
    before = player.get(API).json()
    assert (before["bye_rounds"], before["entry"]["bye_request"]) == ([2, 3], None)
    assert (api().get(API).json()["bye_rounds"], api(carla).get(API).json()["bye_rounds"]) == ([], [])
    answer = player.post(f"{API}bye/", {"round": 2})
    assert (answer.status_code, answer.json()["bye_request"]) == (200, 2)
    assert player.get(API).json()["entry"]["bye_request"] == 2
    assert player.post(f"{API}bye/take-back/").json()["bye_request"] is None
    again = player.post(f"{API}bye/take-back/")
    assert (again.status_code, again.json()["code"]) == (409, "no_bye_request")
    player.post(f"{API}bye/", {"round": 2})
    next_round(cup)
    assert player.get(API).json()["bye_rounds"] == []
    round_ = player.get(API).json()["rounds"][1]
    assert (len(round_["byes"]), round_["asked_byes"]) == (2, ["player-1"])


@pytest.mark.parametrize(
    ("options", "number", "status", "code", "said"),
    [
        ({}, 1, 409, "round_drawn", "Round 1 has been drawn. The next one to be drawn is round 2."),
        ({}, 3, 404, "not_found", "There is no round 3: the last one is round 2."),
        ({}, 99, 404, "not_found", "There is no round 99: the last one is round 2."),
        ({}, 0, 400, "invalid", ""),
        ({"byes_on_request": False}, 2, 409, "byes_not_offered", "Players cannot ask for byes in this competition."),
        ({"format": "round-robin"}, 2, 409, "byes_not_in_format", "only if each round is drawn after the previous one"),
    ],
)
def test_refusals_have_their_codes_and_sentences(options, number, status, code, said, api):
    _cup, entries = start_swiss(4, **options)
    answer = api(entries[0].player).post(f"{API}bye/", {"round": number})
    assert (answer.status_code, answer.json()["code"], said in answer.json()["detail"]) == (status, code, True)
    assert not ByeRequest.objects.exists()


def test_a_player_who_is_not_in_cannot_ask(api, carla):
    start_swiss(4)
    answer = api(carla).post(f"{API}bye/", {"round": 2})
    assert (answer.status_code, answer.json()["detail"]) == (404, "You have not joined this competition.")


def test_organisers_ask_on_their_pages_and_see_who_has_asked(client_of):
    cup, entries = start_swiss(4)
    (olga,) = make_players(1, "olga")
    cup.organisers.add(olga)
    browser = client_of(olga)
    players = browser.get(f"{CUP}organise/entries/").content.decode()
    assert players.count("Give a bye: player-1") == 1
    assert "Take back the bye" not in players
    asking = f"{CUP}organise/entries/{entries[0].pk}/request-bye/"
    assert 'value="2"' in browser.get(asking).content.decode()
    assert browser.post(asking, {"round_number": "2", "reason": "A wedding."}).status_code == 302
    players = text_of(browser.get(f"{CUP}organise/entries/"))
    assert players.count("bye in round 2") == 1
    back = f"{CUP}organise/entries/{entries[0].pk}/take-back-bye/"
    assert browser.post(back, {"reason": ""}).status_code == 302
    refused = browser.post(back, {"reason": ""})
    assert "player-1 has not asked for a bye." in text_of(refused)
    log = text_of(browser.get(f"{CUP}log/"))
    assert "Bye asked for: player-1, round 2" in log
    assert "Request for a bye taken back: player-1, round 2" in log


def test_a_draw_shows_who_sits_out_its_first_round(client_of, api):
    cup, entries = open_cup(6, format="swiss", byes_on_request=True)
    (olga,) = make_players(1, "olga")
    cup.organisers.add(olga)
    assert choices_in(client_of(entries[0].player).get(CUP).content.decode()) == ["1", "2", "3"]
    api(entries[0].player).post(f"{API}bye/", {"round": 1})
    draw = text_of(client_of(olga).get(f"{CUP}organise/draw/"))
    assert "player-1 sits out at their own request" in draw
    assert draw.count("has a bye") == 1


def test_nobody_is_led_to_a_door_that_is_shut_because_the_last_round_is_drawn(client_of, visitor, carla, api):
    cup, _entries = start_swiss(4, late_entry=True)
    assert "you play from the next round on" in text_of(client_of(carla).get(CUP))
    assert "Log in to join" in text_of(visitor.get(CUP))
    next_round(cup)
    page = text_of(client_of(carla).get(CUP))
    assert "You cannot join: The last round has been drawn, so it is too late to join." in page
    assert "you play from the next round on" not in page
    assert "Log in to join" not in text_of(visitor.get(CUP))
    answer = api(carla).post(f"{API}enter/", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "last_round_drawn")
    assert [each["code"] for each in api(carla).get(API).json()["obstacles"]] == ["last_round_drawn"]
