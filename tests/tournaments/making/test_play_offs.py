"""Play-offs between the leagues of a season: drawn, played, taken back, and carried over to the next one."""

from datetime import timedelta

import pytest

from rules_engine.values import Side
from tests.pages.html import text_of
from tests.tournaments.decisions.undoing import assert_same, everything, go_on
from tests.tournaments.making.test_championships import leagues_of, let_the_better_win
from tests.tournaments.verbs import (
    NOON,
    correct,
    end,
    enter_all,
    entry_of,
    faults_of,
    make_cup,
    make_players,
    running,
    start,
    withdraw,
)
from tournaments.decisions.services.undo.corrections import take_back_correction
from tournaments.decisions.services.undo.disqualifications import disqualify_entry, take_back_disqualification
from tournaments.making.services.seasons import announce_due_seasons
from tournaments.making.services.series import make_series
from tournaments.models import Competition, CompetitionStatus, Fixture, Title
from tournaments.models.season_dates import Rhythm

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PLAY_OFFS = {"format": "knock-out", "legs": 1, "grouping": {"size": 3}}


@pytest.fixture
def client_of_olga(olga, client_of):
    return client_of(olga)


@pytest.fixture
def season(olga):
    """Return a running season of leagues of 9, 8 and 7, and 6, with play-offs for one place of each group."""
    cup = make_cup(
        name="Championship 1",
        format="round-robin",
        seeding="season",
        grouping={"league_size": 9},
        advance={"first": 0, "play_offs": 1},
        later=[PLAY_OFFS],
        starts_at=NOON,
        organiser=olga,
    )
    options = {"name": "Championship", "rhythm": Rhythm.AFTER_END, "announce_days": 5}
    make_series(competition=cup, options=options, actor=olga, now=NOON)
    enter_all(cup, make_players(30))
    start(cup)
    return cup


@pytest.fixture
def tables(season):
    """Return who is in which place of which league, as the leagues will end."""
    return {name.removeprefix("League "): sorted(names) for name, names in leagues_of(season).items()}


def play_leagues(season, tables):
    let_the_better_win(season, [name for names in tables.values() for name in names])


def meetings(season):
    return [{each.yellow.player.username, each.red.player.username} for each in running(season)]


def let_win(season, names, now=NOON):
    """End the running matches of a season, all won by those who are named."""
    for fixture in running(season):
        won = [each for each in (fixture.yellow, fixture.red) if each.player.username in names]
        assert len(won) == 1
        end(fixture, won[0], now)
    season.refresh_from_db()


def next_leagues(season):
    announce_due_seasons(now=NOON + DAY)
    following = Competition.objects.get(series=season.series_id, season=2)
    start(following, now=NOON + 5 * DAY)
    return leagues_of(following)


def test_who_wins_a_play_off_plays_in_the_higher_league_next_season(season, tables):
    play_leagues(season, tables)
    one, two_a, two_b, three = (tables[name] for name in ("1", "2A", "2B", "3"))
    # Below league 1 two groups play off between them first, below 2A there is one, and none below 2B.
    assert meetings(season) == [{two_a[2], two_b[2]}, {two_a[4], three[2]}]
    assert (season.status, season.winner) == (CompetitionStatus.RUNNING, None)
    let_win(season, [two_b[2], three[2]])
    assert meetings(season) == [{one[4], two_b[2]}]
    let_win(season, [two_b[2]])
    assert (season.status, season.winner.player.username) == (CompetitionStatus.FINISHED, one[0])
    assert Title.objects.get().player.username == one[0]
    assert faults_of(season) == []
    leagues = next_leagues(season)
    # Two of each group come up, and one by the play-offs; the rest of the places stay as the leagues have room.
    assert leagues["League 1"] == {*one[:4], *two_a[:2], *two_b[:3]}
    of_two = leagues["League 2A"] | leagues["League 2B"]
    assert {*one[4:], two_a[2], three[0], three[1], three[2]} <= of_two
    assert len(of_two) == 15


def test_who_has_left_loses_the_play_off_to_whoever_plays_for_the_place(season, tables, olga):
    play_leagues(season, tables)
    one, two_a = tables["1"], tables["2A"]
    withdraw(entry_of(season, one[4]), by=olga)
    withdraw(entry_of(season, two_a[4]), by=olga)
    let_win(season, [two_a[2]])
    assert (season.status, faults_of(season)) == (CompetitionStatus.FINISHED, [])
    leagues = next_leagues(season)
    assert two_a[2] in leagues["League 1"]
    assert tables["3"][2] in leagues["League 2A"] | leagues["League 2B"]


def test_a_result_that_changes_a_table_changes_who_plays_off_and_taken_back_all_is_as_before(season, tables, olga):
    play_leagues(season, tables)
    one, two_a, two_b, three = (tables[name] for name in ("1", "2A", "2B", "3"))
    let_win(season, [two_b[2], three[2]], now=NOON + HOUR)
    go_on(season, NOON + HOUR)
    before = everything(season)
    third, fourth = entry_of(season, two_a[2]), entry_of(season, two_a[3])
    fixture = Fixture.objects.get(group__stage__number=1, yellow__in=[third, fourth], red__in=[third, fourth])
    winner = Side.YELLOW if fixture.yellow_id == fourth.pk else Side.RED
    correct(fixture, winner, by=olga, now=NOON + 2 * HOUR)
    go_on(season, NOON + 2 * HOUR)
    assert {two_a[3], two_b[2]} in meetings(season)
    assert faults_of(season, NOON + 2 * HOUR) == []
    act = {"actor": olga, "reason": "It was right.", "confirm": True}
    take_back_correction(fixture_id=fixture.pk, now=NOON + 3 * HOUR, **act)
    go_on(season, NOON + 3 * HOUR)
    assert_same(everything(season), before)
    assert meetings(season) == [{one[4], two_b[2]}]


def test_who_is_disqualified_in_the_play_offs_loses_the_place_and_gets_it_back(season, tables, olga):
    play_leagues(season, tables)
    one, two_b, three = (tables[name] for name in ("1", "2B", "3"))
    let_win(season, [two_b[2], three[2]], now=NOON + HOUR)
    go_on(season, NOON + HOUR)
    before = everything(season)
    act = {"entry_id": entry_of(season, two_b[2]).pk, "actor": olga, "reason": "A cheat.", "confirm": True}
    disqualify_entry(**act, rule=None, now=NOON + 2 * HOUR)
    go_on(season, NOON + 2 * HOUR)
    assert (season.status, season.winner.player.username) == (CompetitionStatus.FINISHED, one[0])
    assert faults_of(season, NOON + 2 * HOUR) == []
    take_back_disqualification(**act, now=NOON + 3 * HOUR)
    go_on(season, NOON + 3 * HOUR)
    assert_same(everything(season), before)


def test_a_single_league_has_no_play_offs(olga):
    cup = make_cup(
        format="round-robin", grouping={"league_size": 9}, advance={"first": 0, "play_offs": 1}, later=[PLAY_OFFS]
    )
    players = make_players(4)
    names = [player.username for player in players]
    enter_all(cup, players)
    start(cup)
    let_the_better_win(cup, names)
    assert (cup.status, cup.winner.player.username) == (CompetitionStatus.FINISHED, names[0])


def make_by_api(client, **first):
    body = {
        "recipe": "championship",
        "name": "League",
        "game": "streetsoccer-board",
        "stages": [{"number": 1, **first}],
    }
    return client.post("/api/v1/competitions/", body, content_type="application/json")


def test_play_offs_are_a_stage_that_an_option_of_leagues_adds_and_takes_away(client_of_olga, client):
    made = make_by_api(client_of_olga, advance={"play_offs": 1})
    assert made.status_code == 201
    leagues, play_offs = made.json()["stages"]
    assert (leagues["advance"]["play_offs"], play_offs["name"], play_offs["format"]) == (1, "Play-offs", "knock-out")
    url = f"/cups/{made.json()['slug']}/organise/edit/"
    form = client_of_olga.get(url).context["form"]
    assert form["advance-play_offs"].value() == 1
    values = {field.html_name: field.value() for field in form if field.value() is not None}
    values = {name: value for name, value in values.items() if value is not False}
    overlapping = client_of_olga.post(url, values | {"advance-play_offs": 2})
    assert "would overlap" in str(overlapping.context["form"].errors["advance-play_offs"])
    preview = client_of_olga.post(url, values | {"advance-play_offs": ""})
    assert [stage.number for stage in preview.context["form"].stages] == [1]
    kept = client_of_olga.post(url, values | {"advance-play_offs": "", "keep": "", "seen": preview.context["seen"]})
    assert kept.status_code == 302
    assert len(client_of_olga.get(f"/api/v1/competitions/{made.json()['slug']}/").json()["stages"]) == 1


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"advance": {"play_offs": 2}}, "invalid_stages"),
        ({"advance": {"play_offs": 1, "first": 2}}, "invalid"),
        ({"advance": {"first": 0, "play_offs": 1}, "grouping": {"size": 6}}, "invalid_stages"),
    ],
)
def test_play_offs_that_overlap_or_are_not_of_leagues_are_refused(client_of_olga, first, code):
    refused = make_by_api(client_of_olga, **first)
    assert (refused.status_code, refused.json()["code"]) == (400, code)


def test_before_anybody_joins_the_page_says_who_plays_off_and_later_the_tables_mark_them(season, tables, client):
    page = text_of(client.get(season.get_absolute_url()))
    assert "place 5 of each group defends its league against place 3 of the groups below it" in page
    play_leagues(season, tables)
    cards = client.get(f"{season.get_absolute_url()}?stage=1").context["cards"].cards
    marked = {row.entry.name for card in cards for row in card.table.rows if row.going_on == "play-off"}
    one, two_a, two_b, three = (tables[name] for name in ("1", "2A", "2B", "3"))
    assert marked == {one[4], two_a[2], two_b[2], two_a[4], three[2]}
