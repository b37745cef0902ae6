"""The first page, and starting a match against the computer."""

import re

import pytest
from django.utils import timezone

from matches.models import Match
from players.models import Player
from rules_engine.registry import GAMES
from tests.game_specs import change_spec
from tests.matches.play import act, begin_match, play_at_once, seek_of, set_up
from tests.pages.html import text_of
from tests.tournaments.verbs import make_cup

pytestmark = pytest.mark.django_db

MAX_QUERIES = 15


def test_a_visitor_sees_a_board_before_anybody_has_played(client):
    response = client.get("/")
    assert "Play now against the computer" in text_of(response)
    assert len(response.context["board"].figures) == 10


def play_on(match):
    while match.ply < 14:
        match = act(match)


def test_a_visitor_sees_the_match_that_was_played_in_last(client, begin):
    older, newer = begin(), begin()
    for match in (newer, older):
        play_on(set_up(match))
    assert client.get("/").context["match"] == older


def test_a_visitor_rather_sees_streetsoccer_than_the_match_that_was_played_in_last(client, begin):
    paper, street = begin(game="paper-soccer-1"), set_up(begin())
    play_on(street)
    paper = play_at_once(paper)
    assert (client.get("/").context["match"], paper.ply > 12) == (street, True)


@pytest.mark.parametrize("key", GAMES)
def test_the_game_that_a_visitor_picks_is_shown_and_explained(client, begin, key):
    play_on(set_up(begin()))
    family = GAMES[key].family
    page = client.get("/", {"game": key}).content.decode()
    assert re.findall(r'name="game" value="([^"]*)"[^>]* checked', page) == [key]
    assert re.findall(r"css/boards/([a-z-]+)\.css", page) == [family]
    assert f'href="/rules/{family}/"' in page[page.index('class="steps"') :]


def test_a_visitor_plays_the_computer_at_once_as_a_guest(client):
    response = client.post("/play/")
    match = Match.objects.get()
    assert response["Location"] == match.get_absolute_url()
    assert (match.game, match.yellow.is_guest, match.red.is_computer) == ("streetsoccer-board", True, True)
    assert client.get(response["Location"]).context["your_turn"]


def test_a_player_chooses_game_and_side_against_the_computer(client_of, anna):
    client_of(anna).post("/play/", {"game": "streetsoccer-online", "colour": "red"})
    match = Match.objects.get()
    assert (match.game, match.yellow.is_computer, match.red) == ("streetsoccer-online", True, anna)


@pytest.mark.parametrize(
    ("choice", "level"), [*(({"level": level}, level) for level in ("beginner", "club", "strong")), ({}, "beginner")]
)
def test_a_visitor_chooses_how_strong_the_computer_plays_and_is_else_given_a_beginner(client, choice, level):
    client.post("/play/", choice)
    assert Match.objects.get().red.username == f"computer-{level}"


def test_only_games_that_the_computer_plays_are_offered_against_it(client_of, anna, monkeypatch):
    change_spec(monkeypatch, "streetsoccer", strategies={})
    offered = [key for key, _title in client_of(anna).get("/").context["form"].fields["game"].choices]
    assert not [key for key in offered if key.startswith("streetsoccer")]
    assert client_of(anna).post("/play/", {"game": "streetsoccer-board"}).status_code == 400


def test_a_computer_is_marked_wherever_it_is_named(client_of, anna):
    client_of(anna).post("/play/")
    match = Match.objects.get()
    for page in ("/", match.get_absolute_url(), f"{match.get_absolute_url()}dice/", "/players/anna/"):
        assert 'aria-label="computer"' in client_of(anna).get(page).content.decode(), page


def test_a_computers_page_says_how_strong_it_is(client):
    assert "This is a computer player of this site. Level: Strong." in text_of(client.get("/players/computer-strong/"))


def test_an_unknown_game_starts_nothing_and_makes_no_guest(client):
    assert client.post("/play/", {"game": "cricket"}).status_code == 400
    assert not Player.objects.filter(is_computer=False).exists()


def test_the_page_for_playing_the_computer_offers_it_and_starts_nothing(client, client_of, anna):
    for browser in (client, client_of(anna)):
        response = browser.get("/play/")
        assert response.status_code == 200
        assert '<form class="form" method="post" action="/play/">' in response.content.decode()
        assert text_of(response).count("Play the computer") >= 2
    assert not Match.objects.exists()


def test_the_menus_play_leads_to_people_and_to_the_computer(client, client_of, anna):
    for browser in (client, client_of(anna)):
        [url] = re.findall(r'<a href="([^"]+)"[^>]*>Play</a>', browser.get("/rules/").content.decode())
        page = browser.get(url).content.decode()
        assert all(f'method="post" action="{action}"' in page for action in ("/seeks/", "/play/"))


def test_my_matches_stand_by_whose_turn_it_is(client_of, anna, begin):
    mine, theirs = begin(), act(begin(), "@d1,c3,d5,f7,g4")
    context = client_of(anna).get("/").context
    assert (context["to_move"], context["waiting"]) == ([mine], [theirs])


def test_the_header_counts_the_matches_that_wait_for_me(client_of, anna, piotr, begin):
    begin()
    begin()
    assert "2 to move" in text_of(client_of(anna).get("/seeks/"))
    assert "to move" not in text_of(client_of(piotr).get("/seeks/"))


@pytest.mark.parametrize("page", ["/", "/seeks/", "/players/anna/"])
def test_a_list_costs_no_query_for_each_row(client_of, anna, begin, page, django_assert_max_num_queries):
    client = client_of(anna)
    client.get(page)
    counts = []
    for rows in (1, 3):
        while Match.objects.count() < rows:
            opponent = Player.objects.create(username=f"player-{Match.objects.count()}")
            begin_match(anna, opponent, now=timezone.now())
        with django_assert_max_num_queries(MAX_QUERIES) as queries:
            client.get(page)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_match_page_costs_no_query_for_each_move(client_of, anna, begin, django_assert_max_num_queries):
    client = client_of(anna)
    match = begin()
    counts = []
    for ply in (1, 12):
        while match.ply < ply:
            match = act(match)
        with django_assert_max_num_queries(MAX_QUERIES) as queries:
            client.get(match.get_absolute_url())
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_an_invitation_is_apart_from_the_seeks_that_anybody_may_take(client_of, anna, piotr):
    invitation, for_all = (seek_of(piotr, invited=invited, now=timezone.now()) for invited in (anna, None))
    context = client_of(anna).get("/").context
    assert (context["invitations"], context["seeks"]) == ([invitation], [for_all])


@pytest.mark.parametrize(("plays", "first"), [(False, "computer"), (True, "competitions-open")])
def test_a_player_without_a_match_finds_the_computer_before_the_competitions(client_of, anna, begin, plays, first):
    make_cup()
    if plays:
        begin()
    titles = re.findall(r'aria-labelledby="(computer|competitions-open)"', client_of(anna).get("/").content.decode())
    assert titles[0] == first


def test_a_guest_who_may_start_no_further_match_is_led_to_those_that_run_and_to_the_sign_up(client):
    for _match in range(3):
        assert client.post("/play/").status_code == 302
    refused = client.post("/play/", {"game": "paper-soccer-1"})
    assert (refused.status_code, Match.objects.count()) == (409, 3)
    assert "As a guest you can play at most 3 matches against computers at a time." in text_of(refused)
    page = refused.content.decode()
    assert all(f'href="{match.get_absolute_url()}"' in page for match in Match.objects.all())
    assert 'href="/sign-up/"' in page
