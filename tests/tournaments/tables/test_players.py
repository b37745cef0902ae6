"""Ratings on the pages: the list, a player's own, and what a match did to them."""

import re
from datetime import timedelta
from decimal import Decimal
from html import unescape

import pytest

from matches.services.adjudication import adjudicate_match, annul_match
from players.models import Rating
from rules_engine.values import Side
from tests.pages.html import text_of
from tests.tournaments.settled_competitions import rated, start_rated
from tests.tournaments.verbs import NOON, make_ladder, make_players, start_cup, tie_of
from tournaments.running.services.settlement import settle_match
from tournaments.tables.selectors.records import rating_list

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def test_the_list_has_the_best_first_with_rank_and_my_place(client_of):
    one, two, three = make_players(3)
    rated(one, two, Side.RED)
    rated(three, two, Side.RED, NOON + timedelta(hours=1))
    page = text_of(client_of(one).get("/players/"))
    assert page.index("player-2") < page.index("player-3") < page.index("player-1", page.index("player-3"))
    assert "18 kyu" not in page
    assert "19 kyu" in page
    own = Rating.objects.get(player=one)
    assert f"Your rating is {own.rating:.0f}: place" in page


def test_the_pages_of_the_list_go_on_counting_and_lead_back(visitor, monkeypatch):
    monkeypatch.setattr("tournaments.tables.views.PAGE", 2)
    players = make_players(5)
    for number, other in enumerate(players[1:]):
        rated(players[0], other, Side.YELLOW, NOON + timedelta(hours=number))
    everybody = [str(rating.player) for rating in rating_list("streetsoccer")]
    first = visitor.get("/players/")
    second = visitor.get(f"/players/?page={first.context['page'].next}")
    third = visitor.get(f"/players/?page={second.context['page'].next}")
    pages = (first, second, third)
    assert [str(each.player) for page in pages for each in page.context["page"]] == everybody
    sentences = ["1 to 2 of 5 players", "3 to 4 of 5 players", "5 to 5 of 5 players"]
    assert [sentence in text_of(page) for sentence, page in zip(sentences, pages, strict=True)] == [True] * 3
    assert f"5 {everybody[4]}" in text_of(third)
    assert f"4 {everybody[3]}" in text_of(visitor.get("/players/?page=last"))
    assert text_of(visitor.get(f"/players/?page={third.context['page'].previous}")) == text_of(second)


@pytest.mark.parametrize(("label", "shown"), [("First", [0, 1]), ("Previous", [0, 1]), ("Next", [4]), ("Last", [3, 4])])
def test_the_pages_of_another_games_list_lead_to_pages_of_the_same_game(visitor, monkeypatch, label, shown):
    monkeypatch.setattr("tournaments.tables.views.PAGE", 2)
    everybody = make_players(5)
    for number, player in enumerate(everybody):
        Rating.objects.create(player=player, family="paper-soccer", rating=1700 - number)
    first = visitor.get("/players/?game=paper-soccer").context["page"]
    second = visitor.get(f"/players/?game=paper-soccer&page={first.next}").content.decode()
    (link,) = re.findall(rf'href="([^"]*)">{label}<', second)
    response = visitor.get(f"/players/{unescape(link)}")
    assert response.context["family"] == "paper-soccer"
    assert [each.player for each in response.context["page"]] == [everybody[place] for place in shown]


def test_the_list_is_empty_at_first_and_knows_its_games(visitor):
    assert "Nobody has played a rated match yet." in text_of(visitor.get("/players/"))
    assert visitor.get("/players/?game=streetsoccer").status_code == 200
    assert visitor.get("/players/?game=cricket").status_code == 404


def test_a_players_page_has_their_rating_its_plot_and_rank(visitor):
    one, two = make_players(2)
    rated(one, two, Side.YELLOW)
    page = visitor.get("/players/player-1/")
    assert "1530 19 kyu place 1 1 rated match, 1 won" in text_of(page)
    assert 'class="plot"' in page.content.decode()


def test_a_player_who_has_played_no_rated_match_has_no_rating(visitor):
    make_players(1)
    assert "Rating in" not in text_of(visitor.get("/players/player-1/"))


def test_a_players_page_has_their_competitions_and_titles(visitor):
    cup, _entries = start_cup(2, legs=1, name="Street Cup")
    assert "Plays in Street Cup" in text_of(visitor.get("/players/player-1/"))
    match = tie_of(cup, 1, 0).fixtures.get().match
    adjudicate_match(match_id=match.pk, winner=Side.YELLOW, now=NOON)
    settle_match(match_id=match.pk, now=NOON)
    cup.refresh_from_db()
    page = text_of(visitor.get(cup.winner.player.get_absolute_url()))
    assert "Titles Street Cup" in page
    assert "Played in Street Cup" in page


def test_a_match_shows_ratings_beside_names(visitor):
    one, two = make_players(2)
    Rating.objects.create(player=two, family="streetsoccer", rating=Decimal("1666.5"))
    running = start_rated(one, two)
    page = text_of(visitor.get(running.get_absolute_url()))
    assert "1500" in page
    assert "1666" in page


def test_a_finished_match_shows_what_it_did_to_both_ratings(visitor):
    one, two = make_players(2)
    match = rated(one, two, Side.YELLOW)
    assert "player-1 1500 → 1530 +30 player-2 1500 → 1470 −30" in text_of(visitor.get(match.get_absolute_url()))


def test_a_casual_match_changes_nothing_and_an_annulled_one_says_so(visitor):
    one, two = make_players(2)
    match = rated(one, two, Side.YELLOW)
    assert "Rating rated" in text_of(visitor.get(match.get_absolute_url()))
    annul_match(match_id=match.pk, now=NOON)
    assert "annulled: does not count" in text_of(visitor.get(match.get_absolute_url()))


def test_a_match_of_a_competition_leads_to_it(visitor):
    cup, _ = start_cup(2, legs=1, name="Street Cup")
    match = tie_of(cup, 1, 0).fixtures.get().match
    page = visitor.get(match.get_absolute_url())
    assert '<a href="/cups/cup/">Street Cup</a>' in page.content.decode()
    assert "round 1 · leg 1" in text_of(page)


def test_home_shows_competitions_to_enter_but_not_those_i_am_in(client_of, carla):
    _, _entries = start_cup(2)
    make_ladder(name="Endless")
    assert "Open for entry Endless" in text_of(client_of(carla).get("/"))
    client_of(carla).post("/ladders/ladder/enter/")
    assert "Open for entry" not in text_of(client_of(carla).get("/"))
