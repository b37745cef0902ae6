"""The pages and the API of competitions that come again: seasons, champions, history, and who goes up and down."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Player
from rules_engine.values import Side
from tests.pages.html import text_of
from tests.tournaments.making.test_championships import let_the_better_win, make_championship
from tests.tournaments.verbs import NOON, end, enter_all, make_cup, make_ladder, make_players, running, start, withdraw
from tournaments.making.services.seasons import announce_due_seasons
from tournaments.models import Competition, EntryStatus, Group, Series
from tournaments.tables.selectors.group_tables import GoingOn, short_tables
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def olga(module_transaction):
    return Player.objects.create(username="olga")


@pytest.fixture
def client_of_olga(olga, db):
    client = Client()
    client.force_login(olga)
    return client


def play_two_seasons(olga):
    """Return a championship of 12 players: one season is over, one is running; and the players in order."""
    cup, series = make_championship(olga, make_players(12))
    start(cup)
    groups = Group.objects.filter(stage__competition=cup).order_by("number")
    order = [sorted(group.seats.values_list("entry__player__username", flat=True)) for group in groups]
    strength = [name for names in order for name in names]
    let_the_better_win(cup, strength)
    announce_due_seasons(now=NOON)
    season = Competition.objects.get(series=series, season=2)
    start(season, now=NOON + 5 * DAY)
    return series, season, strength


@pytest.fixture(scope="module")
def stored(olga):
    """Store a championship of two seasons once for all tests, which ask for ``olga`` or the championship."""
    return play_two_seasons(olga)


@pytest.fixture
def championship(stored, db):
    """Return the championship, its running season and its players in order: no test sees what another did with it."""
    series, season, strength = stored
    return Series.objects.get(pk=series.pk), Competition.objects.get(pk=season.pk), strength


def test_a_series_shows_its_champions_and_everybodys_history(championship, client):
    series, season, strength = championship
    response = client.get("/series/championship/")
    text = text_of(response)
    assert "A season starts 5 days after the end of the last one." in text
    assert f"won by {strength[0]}" in text
    rows = {
        row.player.username: [past and (past.league, past.place) for past in row.seasons]
        for number in (1, 2)
        for row in client.get(f"/series/championship/?group={number}").context["history"]
    }
    assert len(rows) == 12
    assert {row.player.username for row in response.context["history"]} == {
        name for name, (now, _before) in rows.items() if now == ("1", None)
    }
    assert "1: …" in text
    assert rows[strength[0]] == [("1", None), ("1", 1)]
    # Two of league 2 have come up.
    assert rows[strength[6]] == [("1", None), ("2", 1)]
    assert rows[strength[5]] == [("2", None), ("1", 6)]
    assert '<a href="/series/">Series</a>' in client.get("/cups/").content.decode()
    assert "Championship" in text_of(client.get("/series/"))
    assert f"Season 2 of {series.name}" in text_of(client.get(season.get_absolute_url()))
    past = client.get(f"/api/v1/series/championship/players/{strength[6]}/").json()
    assert past == [
        {"season": 2, "competition": season.slug, "league": "1", "place": None},
        {"season": 1, "competition": "championship-1", "league": "2", "place": 1},
    ]
    seasons = client.get("/api/v1/series/championship/seasons/").json()["results"]
    assert [(each["season"], each["competition"]["winner"]) for each in seasons] == [(2, None), (1, strength[0])]


def test_each_season_leads_to_those_beside_it_and_the_series_to_what_runs(championship, client):
    series, season, _strength = championship
    first, second = "/cups/championship-1/", season.get_absolute_url()
    for url, beside in ((first, second), (second, first)):
        page = client.get(url).content.decode()
        assert f'href="{series.get_absolute_url()}"' in page
        assert f'<a href="{beside}" rel="{"next" if beside == second else "prev"}"' in page
    assert [each.season for each in client.get(series.get_absolute_url()).context["current"]] == [2]


def test_the_pyramid_shows_who_would_go_up_and_down_now(olga, championship, client, django_assert_max_num_queries):
    _series, season, _strength = championship
    (stage,) = season.all_stages
    stage.competition = season
    groups = list(Group.objects.filter(stage=stage).order_by("number"))
    for group in groups:
        group.stage = stage
    assert {row.going_on for table in short_tables(groups) for row in table.rows} == {GoingOn.NO}
    one, two = (
        list(group.seats.order_by("seed").values_list("entry__player__username", flat=True)) for group in groups
    )
    leaving = season.entries.get(player__username=one[0])
    withdraw(leaving, by=olga, now=NOON + 5 * DAY)
    let_the_better_win(season, [*one[1:], *two, one[0]])
    with django_assert_max_num_queries(8):
        tables = short_tables(groups)
    states = {row.entry.player.username: row.going_on for table in tables for row in table.rows}
    # 11 are left, who make one league: all of the second come up.
    assert {name for name, state in states.items() if state is GoingOn.UP} == set(two)
    assert GoingOn.DOWN not in states.values()
    page = client.get(season.get_absolute_url())
    assert "League 2" in text_of(page)
    # The season is over by now.
    assert "goes up a league" in text_of(page)
    assert "goes up a league" in text_of(client.get(f"{season.get_absolute_url()}stages/1/groups/2/"))


def test_the_page_of_a_season_that_is_over_says_who_goes_up_and_down(championship, client):
    series, _season, _strength = championship
    over = Competition.objects.get(series=series, season=1)
    for path in ("", "stages/1/groups/2/"):
        page = client.get(f"{over.get_absolute_url()}{path}").content.decode()
        assert 'title="goes up a league"' in page
        assert "The arrows show the leagues of the next season if everybody plays again." in " ".join(page.split())
        assert "would go" not in page


@pytest.mark.parametrize("staying", [0, 1])
def test_pages_of_a_season_that_almost_everybody_has_left_say_who_goes_up_of_nobody(championship, client, staying):
    _series, season, _strength = championship
    end(running(season)[0], Side.YELLOW, NOON + 5 * DAY)
    leavers = list(season.entries.order_by("pk").values_list("pk", flat=True))[staying:]
    season.entries.filter(pk__in=leavers).update(status=EntryStatus.GONE, left_at=NOON + 5 * DAY)
    recompute_stale(now=NOON + 5 * DAY)
    for path in ("", "stages/1/groups/2/"):
        response = client.get(f"{season.get_absolute_url()}{path}")
        assert response.status_code == 200
        # The key beside the tables says it, but of nobody.
        assert "would go up a league now" in text_of(response)
        assert 'title="would go up a league now"' not in response.content.decode()


def test_organisers_let_a_competition_come_again_on_its_page_change_it_and_end_it(olga, client_of_olga):
    cup = make_cup(name="Spring", starts_at=NOON, organiser=olga)
    url = f"{cup.get_absolute_url()}organise/series/"
    sent = {"name": "Spring", "rhythm": "dates", "days": "05-01, 11-01", "announce_days": 7, "carry_over": "nobody"}
    wrong = client_of_olga.post(url, sent | {"days": "05-32"})
    assert wrong.status_code == 400
    assert wrong.context["form"].errors["days"] == ["Write each day as month and day, such as 05-01."]
    assert client_of_olga.post(url, sent)["Location"] == "/series/spring/"
    series = Series.objects.get(slug="spring")
    assert (series.days, series.anchor) == (["05-01", "11-01"], NOON)
    assert "1 May, 1 November" in text_of(client_of_olga.get("/series/spring/"))
    form = client_of_olga.get(url).context["form"]
    assert form["days"].value() == "05-01, 11-01"
    client_of_olga.post(url, sent | {"rhythm": "weekly", "days": "", "anchor": "2026-12-24T20:00"})
    series.refresh_from_db()
    assert (series.rhythm, series.days, series.anchor.isoformat()) == ("weekly", [], "2026-12-24T20:00:00+00:00")
    client_of_olga.post(url, {"end": "yes"})
    series.refresh_from_db()
    assert series.ended_at is not None
    assert "This series has ended" in text_of(client_of_olga.get(url))


def test_the_form_is_on_the_last_season(championship, client_of_olga):
    _series, season, _strength = championship
    response = client_of_olga.get("/cups/championship-1/organise/series/")
    assert response["Location"] == f"{season.get_absolute_url()}organise/series/"


def test_a_championship_comes_again_with_promotion_unless_it_is_chosen_otherwise(olga, client_of_olga):
    leagues = {"format": "round-robin", "grouping": {"league_size": 9}, "seeding": "season"}
    cup = make_cup(name="League", starts_at=NOON, **leagues, organiser=olga)
    url = f"{cup.get_absolute_url()}organise/series/"
    assert client_of_olga.get(url).context["form"]["carry_over"].value() == "promotion"
    plain = make_cup(slug="plain", starts_at=NOON, organiser=olga)
    form = client_of_olga.get(f"{plain.get_absolute_url()}organise/series/").context["form"]
    assert form["carry_over"].value() == "nobody"


def test_a_league_says_who_goes_up_and_down_before_anybody_joins(olga, client_of_olga, client):
    grouping = {"league_size": 9, "last_promoted": 1, "last_to_stay": 7}
    cup = make_cup(name="League", format="round-robin", grouping=grouping, seeding="season", organiser=olga)
    page = text_of(client.get(cup.get_absolute_url()))
    assert "the first of each group goes up a league, and all after place 7 go down" in page
    told = client.get(f"/api/v1/competitions/{cup.slug}/").json()["stages"][0]["grouping"]
    assert (told["last_promoted"], told["last_to_stay"]) == (1, 7)
    form = client_of_olga.get(f"{cup.get_absolute_url()}organise/edit/").context["form"]
    assert (form["grouping-last_promoted"].value(), form["grouping-last_to_stay"].value()) == (1, 7)


def test_a_ladder_has_no_tab_on_which_it_comes_again(olga, client_of_olga):
    for made in (make_ladder(), make_cup()):
        made.organisers.add(olga)
        page = client_of_olga.get(f"{made.get_absolute_url()}organise/").content.decode()
        assert ("organise/series/" in page) == (made.kind == "cup")


def test_over_the_api_a_competition_comes_again(olga, client_of_olga, client):
    cup = make_cup(name="Spring", starts_at=timezone.now() + DAY, organiser=olga)
    body = {"competition": "cup", "rhythm": "weekly", "announce_days": 2}
    made = client_of_olga.post("/api/v1/series/", body, content_type="application/json")
    assert (made.status_code, made.json()["slug"], made.json()["next_season"]) == (201, "spring", None)
    again = client_of_olga.post("/api/v1/series/", body, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "series_refused")
    enter_all(cup, make_players(2, "spring"))
    start(cup, now=cup.starts_at)
    coming = client.get("/api/v1/series/spring/").json()["next_season"]
    assert coming["season"] == 2
    url = "/api/v1/series/spring/"
    wrong = client_of_olga.patch(url, {"rhythm": "dates"}, content_type="application/json")
    assert (wrong.status_code, list(wrong.json()["errors"])) == (400, ["days"])
    changed = client_of_olga.patch(url, {"carry_over": "same-entrants"}, content_type="application/json")
    assert changed.json()["carry_over"] == "same-entrants"
    assert client_of_olga.post(f"{url}end/", content_type="application/json").json()["next_season"] is None
    assert client.get("/api/v1/series/nothing/").status_code == 404


def test_a_series_of_hidden_seasons_is_not_there(championship, client):
    series, _season, _strength = championship
    Competition.objects.filter(series=series).update(hidden_at=NOON)
    assert client.get("/series/championship/").status_code == 404
    assert client.get("/api/v1/series/").json()["results"] == []
