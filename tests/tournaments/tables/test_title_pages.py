"""Titles on the pages and by the API: the hall of fame, players' pages, and the mark beside the name."""

from datetime import timedelta

import pytest

from tests.pages.html import text_of
from tests.tournaments.making.test_series_pages import play_two_seasons
from tests.tournaments.verbs import NOON, make_cup, make_players, running
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Fixture
from tournaments.tables.services.winners import store_title
from tournaments.tables.views import PAGE

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
HALL = "/hall-of-fame/"
API = "/api/v1/titles/"


def award(player, number, **options):
    """Store a cup that a player has won, so many hours after noon, and return it."""
    cup = make_cup(slug=f"cup-{number}", name=f"Cup {number}")
    winner = Entry.objects.create(competition=cup, player=player, draw=number, entered_at=NOON)
    won = {"status": CompetitionStatus.FINISHED, "finished_at": NOON + number * HOUR, "winner": winner, **options}
    Competition.objects.filter(pk=cup.pk).update(**won)
    won_cup = Competition.objects.get(pk=cup.pk)
    store_title(competition=won_cup)
    return won_cup


def names(response):
    return [(title.player.username, title.competition.name) for title in response.context["titles"]]


def test_the_hall_of_fame_has_the_latest_first_by_kind_game_and_player(client):
    one, other = make_players(2)
    award(one, 1)
    award(other, 3, game="paper-soccer")
    award(other, 2)
    award(one, 4, hidden_at=NOON)
    assert names(client.get(HALL)) == [("player-2", "Cup 3"), ("player-2", "Cup 2"), ("player-1", "Cup 1")]
    assert names(client.get(f"{HALL}?game=paper-soccer")) == [("player-2", "Cup 3")]
    assert names(client.get(f"{HALL}?player=player-1&kind=cup")) == [("player-1", "Cup 1")]
    assert names(client.get(f"{HALL}?kind=champion")) == []
    assert "Nobody has won this title yet." in text_of(client.get(f"{HALL}?kind=champion"))
    for wrong in ("kind=x", "game=x", "player=nobody"):
        assert client.get(f"{HALL}?{wrong}").status_code == 404
    assert "Hall of fame" in text_of(client.get("/cups/"))


def test_its_pages_follow_each_other_by_keys_whatever_is_won_meanwhile(client):
    (player,) = make_players(1)
    for number in range(PAGE + 2):
        # Several end at the same moment.
        award(player, number, finished_at=NOON + number // 3 * HOUR)
    first = client.get(HALL)
    assert (len(names(first)), first.context["first_url"]) == (PAGE, "")
    award(player, 1000)
    rest = client.get(f"{HALL}{first.context['next_url']}")
    assert names(rest) == [("player-1", "Cup 1"), ("player-1", "Cup 0")]
    assert (rest.context["next_url"], rest.context["first_url"]) == ("", "?")
    for odd in ("x", "1-", "99999999999999999-1", "0-1"):
        assert client.get(f"{HALL}?after={odd}").status_code == 200


def test_the_api_lists_titles_by_pages(client):
    one, other = make_players(2)
    award(one, 1)
    award(other, 2)
    award(one, 3)
    page = client.get(f"{API}?player=player-1&kind=cup&game=streetsoccer&limit=1").json()
    assert page["results"] == [
        {
            "player": "player-1",
            "team": None,
            "kind": "cup",
            "game": "streetsoccer",
            "competition": "cup-3",
            "name": "Cup 3",
            "url": "/cups/cup-3/",
            "series": None,
            "season": None,
            "won_at": "2026-11-01T15:00:00Z",
            "is_held": False,
        }
    ]
    second = client.get(page["next"]).json()
    assert ([each["competition"] for each in second["results"]], second["next"]) == (["cup-1"], None)
    assert client.get(second["previous"]).json()["results"] == page["results"]
    assert client.get(f"{API}?kind=x").status_code == 400
    assert client.get(f"{API}?cursor=cD14").status_code == 400
    assert client.get(f"{API}?player=nobody").status_code == 400
    assert client.get("/api/v1/players/nobody/seasons/").status_code == 404


def test_the_champion_is_marked_in_the_next_season_and_on_their_page(olga, client):
    series, season, strength = play_two_seasons(olga)
    champion, other = strength[0], strength[1]
    page = text_of(client.get(f"/players/{champion}/"))
    assert "Champion: Championship" in page
    assert "Titles Championship 1 champion · StreetSoccer" in page
    assert "Season by season Championship Season 2 · League 1 running Season 1 · League 1 1." in page
    assert "Champion: Championship" not in text_of(client.get(f"/players/{other}/"))
    assert f"{champion} title holder" in text_of(client.get(season.get_absolute_url()))
    assert text_of(client.get(f"{season.get_absolute_url()}stages/1/groups/1/")).count("title holder") == 1
    assert "title holder" not in text_of(client.get("/cups/championship-1/"))
    own = next(each for each in running(season) if champion in {each.yellow.player.username, each.red.player.username})
    assert f"Title holder {champion}, champion of season 1" in text_of(client.get(f"/matches/{own.match_id}/"))
    others = Fixture.objects.filter(competition=season).exclude(yellow__player__username=champion)
    unrelated = others.exclude(red__player__username=champion).first()
    assert "Title holder" not in text_of(client.get(f"/matches/{unrelated.match_id}/"))
    (played,) = client.get(f"/api/v1/players/{champion}/seasons/").json()
    assert (played["series"], played["name"]) == (series.slug, "Championship")
    assert [(past["season"], past["league"], past["place"]) for past in played["seasons"]] == [
        (2, "1", None),
        (1, "1", 1),
    ]
    assert client.get(f"{API}?player={champion}").json()["results"][0]["is_held"] is True


def test_the_seasons_of_a_player_do_not_depend_on_who_else_was_replaced(olga, client):
    _series, season, strength = play_two_seasons(olga)
    Entry.objects.filter(competition=season, player__username=strength[1]).update(status=EntryStatus.REPLACED)
    played = {name: client.get(f"/api/v1/players/{name}/seasons/").json()[0]["seasons"] for name in strength[:2]}
    assert [[past["season"] for past in seasons] for seasons in played.values()] == [[2, 1], [1]]


def test_the_champion_of_an_earlier_season_holds_the_title_no_more(olga, client):
    _series, season, strength = play_two_seasons(olga)
    later = season.entries.get(player__username=strength[1])
    won = {"status": CompetitionStatus.FINISHED, "finished_at": NOON + 9 * HOUR, "winner": later}
    Competition.objects.filter(pk=season.pk).update(**won)
    store_title(competition=Competition.objects.get(pk=season.pk))
    held = {each["player"]: each["is_held"] for each in client.get(API).json()["results"]}
    assert held == {strength[0]: False, strength[1]: True}
    assert "Champion: Championship" not in text_of(client.get(f"/players/{strength[0]}/"))
