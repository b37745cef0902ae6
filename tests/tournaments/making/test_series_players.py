"""The page of a series lists its players season by season and group by group, at the same cost however large it is."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player
from tests.pages.html import text_of
from tests.tournaments.rounds.test_levels import let_win, start_levels, work
from tests.tournaments.verbs import NOON, make_cup, make_players, replace, withdraw
from tournaments.making.recipes import GROUPS_THEN_KNOCK_OUT, RECIPES, make_stages
from tournaments.making.selectors.season_history import MAX_SEASONS
from tournaments.making.services.competitions import create_competition
from tournaments.making.services.series import make_series
from tournaments.making.views import series as views
from tournaments.models import Competition, CompetitionStatus, Cup, Entry, EntryStatus, Group, Seat, Series, Standing
from tournaments.models.season_dates import Rhythm

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
PAGE = "/series/weekly/"
MAX_QUERIES = 14
NAVIGATION = re.compile(r'<nav class="(?:round-links|pager)[^"]*" aria-label="([^"]+)">(.*?)</nav>', re.DOTALL)
LINK = re.compile(r'href="(\?[^"]*)"')


@pytest.fixture
def weekly() -> Series:
    return Series.objects.create(name="Weekly", slug="weekly", rhythm=Rhythm.WEEKLY, anchor=NOON, created_at=NOON)


def play_season(
    series: Series, number: int, *groups: int, status: CompetitionStatus = CompetitionStatus.FINISHED, prefix: str = ""
) -> Cup:
    """Store a season with groups of these sizes, and a player of its own for each seat: the last one of each is first.

    Where there are several groups they are those of leagues.
    """
    prefix = prefix or f"season-{number}"
    players = [make_players(size, f"{prefix}-{place}") for place, size in enumerate(groups, start=1)]
    return store_season(series, number, players, status=status, name=prefix)


def store_season(
    series: Series, number: int, groups: list[list[Player]], *, status: CompetitionStatus, name: str
) -> Cup:
    grouping = {"league_size": 4} if len(groups) > 1 else None
    season: dict[str, Any] = {"series": series, "season": number, "status": status, "started_at": NOON}
    cup = make_cup(slug=name, name=name, format="round-robin", grouping=grouping, **season)
    fill_stage(cup, groups)
    return cup


def fill_stage(cup: Cup, groups: list[list[Player]]) -> None:
    stage = cup.first_stage
    Group.objects.bulk_create([Group(stage=stage, number=number) for number in range(2, len(groups) + 1)])
    stored = list(Group.objects.filter(stage=stage).order_by("number"))
    for group, players in zip(stored, groups, strict=True):
        entries = Entry.objects.bulk_create(
            [Entry(competition=cup, player=player, draw=1, entered_at=NOON) for player in players]
        )
        seats = Seat.objects.bulk_create([Seat(stage=stage, group=group, entry=entry) for entry in entries])
        Standing.objects.bulk_create(
            [Standing(seat=seat, group=group, place=place) for place, seat in enumerate(reversed(seats), start=1)]
        )


def names_on(client: Client, query: str = "") -> list[str]:
    """Return who is listed on a page, in order."""
    return names_of(client.get(PAGE + query))


def links_of(response: Any) -> dict[str, list[str]]:
    """Return where a page leads to, by the names of its navigations."""
    found = NAVIGATION.findall(response.content.decode())
    return {name: [unescape(link) for link in LINK.findall(links)] for name, links in found}


def links_on(client: Client, query: str = "") -> dict[str, list[str]]:
    return links_of(client.get(PAGE + query))


def walk(client: Client) -> dict[str, Any]:
    """Return all pages with players to which the first one leads by its links, and theirs, by their queries."""
    pages: dict[str, Any] = {}
    coming = [""]
    while coming:
        here = coming.pop()
        if here in pages:
            continue
        pages[here] = client.get(PAGE + here)
        for name, links in links_of(pages[here]).items():
            coming += [link for link in links if not name.startswith("Pages") or "page=after" in link]
    return pages


def names_of(response: Any) -> list[str]:
    return [row.player.username for row in response.context.get("history", [])]


def test_everybody_who_has_played_is_found_by_links_and_nobody_else(weekly, client, monkeypatch):
    monkeypatch.setattr(views, "PLAYERS", 2)
    known = set(Player.objects.all())
    for number in range(1, MAX_SEASONS + 2):
        play_season(weekly, number, *((3, 1, 2) if number % 2 else (5,)))
    played = {player.username for player in set(Player.objects.all()) - known}
    hidden = play_season(weekly, 20, 2, prefix="hidden")
    Competition.objects.filter(pk=hidden.pk).update(hidden_at=NOON)
    play_season(weekly, 21, 2, prefix="cancelled", status=CompetitionStatus.CANCELLED)
    play_season(weekly, 22, 2, prefix="announced", status=CompetitionStatus.OPEN)
    play_season(weekly, 23, 2, prefix="draft", status=CompetitionStatus.DRAFT)
    waiting = play_season(weekly, 24, 2, prefix="waiting", status=CompetitionStatus.RUNNING)
    Seat.objects.filter(stage__competition=waiting).update(group=None)
    assert {name for page in walk(client).values() for name in names_of(page)} == played


def test_a_player_who_withdrew_has_played_and_one_who_was_replaced_has_not(olga, client):
    cup, players = start_levels(3)
    cup.organisers.add(olga)
    make_series(competition=cup, options={"name": "Weekly", "rhythm": Rhythm.WEEKLY}, actor=olga, now=NOON)
    (late,) = make_players(1, "late")
    first, second = (cup.entries.get(player=player) for player in players[:2])
    withdraw(first, by=olga)
    replace(second, late, by=olga)
    assert sorted(names_on(client)) == ["late-1", "player-1", "player-3"]
    assert cup.entries.get(player=players[1]).status == EntryStatus.REPLACED


def test_a_page_shows_the_latest_season_that_has_begun_or_the_one_that_is_asked_for(weekly, client):
    for number in range(1, 9):
        play_season(weekly, number, 2)
    play_season(weekly, 9, 2, status=CompetitionStatus.OPEN)
    assert names_on(client) == ["season-8-1-2", "season-8-1-1"]
    assert names_on(client, "?season=3") == ["season-3-1-2", "season-3-1-1"]
    seasons = client.get(f"{PAGE}?season=3").context["shown"]
    assert [season.season for season in seasons] == [3, 2, 1]
    assert [season.season for season in client.get(PAGE).context["shown"]] == [8, 7, 6, 5, 4, 3]
    assert "Season 8" in client.get(PAGE).content.decode()


def test_a_row_has_the_places_in_the_season_and_in_those_before(weekly, client):
    one, other, third = make_players(3, "of-all")
    for number in (1, 2, 3):
        players = [[one, other, third][:number]]
        store_season(weekly, number, players, status=CompetitionStatus.FINISHED, name=f"cup-{number}")
    rows = {
        row.player.username: [past and past.place for past in row.seasons]
        for row in client.get(PAGE).context["history"]
    }
    assert rows == {"of-all-3": [1, None, None], "of-all-2": [2, 1, None], "of-all-1": [3, 2, 1]}


def test_the_last_stage_comes_first_and_the_others_by_links(weekly, client):
    first, second = make_stages(RECIPES[GROUPS_THEN_KNOCK_OUT])
    cup = Cup(name="Cup", slug="cup", game="streetsoccer-board")
    create_competition(competition=cup, stage=first, later=[second], creator=make_players(1)[0], now=NOON)
    Competition.objects.filter(pk=cup.pk).update(series=weekly, season=1, status=CompetitionStatus.RUNNING)
    groups = [make_players(2, "a"), make_players(2, "b")]
    fill_stage(cup, groups)
    assert "Stages" not in links_on(client)
    assert names_on(client) == ["a-2", "a-1"]
    final = Group.objects.create(stage=second)
    for players in groups:
        Seat.objects.create(stage=second, group=final, entry=cup.entries.get(player=players[1]))
    assert names_on(client) == ["a-2", "b-2"]
    assert links_on(client) == {"Stages": ["?season=1&stage=1", "?season=1&stage=2"]}
    assert links_on(client, "?stage=1")["Groups"] == ["?season=1&stage=1&group=1", "?season=1&stage=1&group=2"]
    assert names_on(client, "?season=1&stage=1&group=2") == ["b-2", "b-1"]


def test_the_players_of_a_cup_in_levels_are_listed_level_by_level(olga, client):
    cup, _players = start_levels(9)
    cup.organisers.add(olga)
    make_series(competition=cup, options={"name": "Weekly", "rhythm": Rhythm.WEEKLY}, actor=olga, now=NOON)
    for group, names in enumerate(("231", "564", "897"), start=1):
        let_win(cup, group, *names)
    work(cup)

    def numbers(query: str) -> list[str]:
        return [name.removeprefix("player-") for name in names_on(client, query)]

    assert sorted(numbers("")) == ["2", "5", "8"]
    assert [numbers(f"?stage=1&group={group}") for group in (1, 2, 3)] == [list("231"), list("564"), list("897")]


def test_a_group_that_fits_on_a_page_is_in_the_order_of_its_table_a_larger_one_in_that_of_entry(
    weekly, client, monkeypatch
):
    monkeypatch.setattr(views, "PLAYERS", 3)
    play_season(weekly, 1, 3)
    play_season(weekly, 2, 4)
    assert names_on(client, "?season=1") == [f"season-1-1-{number}" for number in (3, 2, 1)]
    assert "Sorted by the table of season 1." in text_of(client.get(f"{PAGE}?season=1"))
    assert names_on(client) == [f"season-2-1-{number}" for number in (1, 2, 3)]
    assert "Sorted by when players joined season 2." in text_of(client.get(PAGE))
    following, last = links_on(client)["Pages of players"]
    assert names_on(client, following) == ["season-2-1-4"]
    assert names_on(client, last) == [f"season-2-1-{number}" for number in (2, 3, 4)]


def test_a_player_without_a_place_comes_last(weekly, client):
    cup = play_season(weekly, 1, 3, status=CompetitionStatus.RUNNING)
    Standing.objects.filter(place=1).update(place=None)
    Standing.objects.get(place=3).delete()
    assert names_on(client) == ["season-1-1-2", "season-1-1-1", "season-1-1-3"]
    Standing.objects.filter(group__stage__competition=cup).delete()
    assert names_on(client) == [f"season-1-1-{number}" for number in (1, 2, 3)]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("?season=0", ["season-2-1-1"]),
        ("?season=99", ["season-4-1-1"]),
        ("?season=3", ["season-2-1-1"]),
        ("?season=-1", ["season-4-1-1"]),
        ("?season=x&stage=x&group=x&page=x", ["season-4-1-1"]),
        (f"?season={9 * '9'}", ["season-4-1-1"]),
        ("?season=9999999", ["season-4-1-1"]),
        ("?stage=0", ["season-4-1-1"]),
        ("?stage=7", ["season-4-1-1"]),
        ("?stage=9999999&group=9999999", ["season-4-3-1"]),
        ("?group=0", ["season-4-1-1"]),
        ("?group=2", ["season-4-1-1"]),
        ("?group=٣", ["season-4-1-1"]),
        ("?page=after-0", ["season-4-1-1"]),
        (f"?page=after-{18 * '9'}", ["season-4-1-1"]),
        ("?page=before-1-2", ["season-4-1-1"]),
        ("?page=last", ["season-4-1-1"]),
    ],
)
def test_a_missing_season_stage_group_or_page_shows_the_nearest(weekly, client, query, names):
    play_season(weekly, 2, 1)
    cup = play_season(weekly, 4, 1, 1, 1)
    Group.objects.get(stage__competition=cup, number=2).delete()
    assert names_on(client, query) == names


def test_links_to_seasons_and_groups_are_few_and_lead_to_all_of_them(weekly, client, monkeypatch):
    monkeypatch.setattr(views, "MAX_LETTERS", 4)
    known = set(Player.objects.all())
    for number in range(1, 2 * MAX_SEASONS + 2):
        play_season(weekly, number, 1)
    play_season(weekly, 2 * MAX_SEASONS + 2, *([1] * 9))
    pages = walk(client).values()
    assert max(len(links_of(page)["Seasons"]) for page in pages) == 2 * MAX_SEASONS - 1
    assert max(len(links_of(page).get("Groups", [])) for page in pages) == 4
    listed = {name for page in pages for name in names_of(page)}
    assert listed == {player.username for player in set(Player.objects.all()) - known}


def test_each_link_says_where_it_leads_and_which_one_is_shown(weekly, client):
    play_season(weekly, 1, 1)
    play_season(weekly, 2, 1, 1)
    content = client.get(PAGE).content.decode()
    shown = re.findall(r'<a href="([^"]+)"[^>]*aria-current="true"[^>]*>([^<]+)</a>', content)
    assert shown == [("?season=2", "2"), ("?season=2&amp;stage=1&amp;group=1", "1")]
    assert 'aria-label="Players of season 1"' in content


def test_the_list_of_seasons_turns_its_pages_beside_the_players(weekly, client, monkeypatch):
    monkeypatch.setattr(views, "SEASONS", 1)
    play_season(weekly, 1, 1)
    play_season(weekly, 2, 1)
    following = links_on(client, "?season=1")["Pages of seasons"][0]
    assert names_on(client, following) == ["season-1-1-1"]
    assert [str(season) for season in client.get(PAGE + following).context["seasons"]] == ["season-1"]


@pytest.mark.parametrize("gone", [Seat, Group])
def test_seats_and_groups_taken_back_while_the_page_is_read_are_left_out(gone, weekly, client, monkeypatch):
    play_season(weekly, 1, 3)
    first = Seat.objects.order_by("pk")[:1]
    lost = first if gone is Seat else Group.objects.filter(pk__in=first.values("group"))
    kept = list(Seat.objects.order_by("pk")[1:]) if gone is Seat else []
    function = "with_players" if gone is Seat else "groups_about"
    read = getattr(views, function)

    def read_late(*given: Any, **more: Any) -> Any:
        gone.objects.filter(pk__in=list(lost.values_list("pk", flat=True))).delete()
        return read(*given, **more)

    monkeypatch.setattr(views, function, read_late)
    page = text_of(client.get(PAGE))
    names = Player.objects.filter(username__startswith="season-1").values_list("username", flat=True)
    assert [name for name in names if name in page] == [str(seat.entry.player) for seat in kept]


def test_a_series_of_which_nothing_has_begun_says_so(weekly, client):
    play_season(weekly, 1, 2, status=CompetitionStatus.OPEN)
    assert "No season has begun." in text_of(client.get(PAGE))


def cost_of(client: Client, query: str) -> tuple[int, int]:
    """Return how many queries a page takes, and how many rows they return."""
    with CaptureQueriesContext(connection) as captured:
        assert client.get(PAGE + query).status_code == 200
    rows = 0
    with connection.cursor() as cursor:
        for each in captured.captured_queries:
            cursor.execute(f"SELECT count(*) FROM ({each['sql']}) AS asked")
            rows += cursor.fetchone()[0]
    return len(captured), rows


def test_the_page_costs_the_same_however_many_seasons_groups_and_players_there_are(weekly, client, monkeypatch):
    monkeypatch.setattr(views, "PLAYERS", 3)
    monkeypatch.setattr(views, "MAX_LETTERS", 4)
    monkeypatch.setattr(views, "SEASONS", 4)
    Series.objects.update(year_final=True)
    small, large = 2 * MAX_SEASONS, 4 * MAX_SEASONS
    costs = []
    for seasons, groups, players in ((small, 8, 6), (large, 40, 60)):
        Competition.objects.update(series=None, season=None)
        for number in range(1, seasons + 1):
            play_season(weekly, number, 2, prefix=f"{seasons}-{number}")
        play_season(weekly, seasons + 1, players, prefix=f"{players}-players")
        play_season(weekly, seasons + 2, *([2] * groups), prefix=f"{groups}-groups")
        asked = [
            "",
            f"?season={seasons + 2}&group={groups // 2}",
            f"?season={MAX_SEASONS}",
            f"?season={seasons + 1}",
            f"?season={seasons + 1}&page=last",
        ]
        costs.append([cost_of(client, query) for query in asked])
    assert costs[0] == costs[1]
    assert max(queries for queries, _rows in costs[0]) <= MAX_QUERIES
