"""The admin: organisers create and change competitions, and the lists stay fast."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.hashers import check_password
from django.test import Client

from formats.registry import get_format
from formats.scoring.points import STANDARD, STOCK_TABLES, PointTable, Worth
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.making.staff_form import ADD_CUP, ADD_LADDER, change_url, faults_at, fill_in
from tournaments.models import Competition, CompetitionStatus, Cup, Group, Ladder

LISTS = [
    "tournaments/ladder",
    "tournaments/cup",
    "tournaments/entry",
    "tournaments/entryinvitation",
    "tournaments/round",
    "tournaments/tie",
    "tournaments/fixture",
    "tournaments/lineup",
    "tournaments/standing",
    "tournaments/placechange",
    "tournaments/logentry",
    "tournaments/ratingchange",
    "matches/match",
    "matches/matchanalysis",
    "players/rating",
]


@pytest.fixture
def client(client_of, olga) -> Client:
    return client_of(olga)


# Making competitions


def test_the_player_who_makes_a_cup_organises_it(client, olga):
    assert fill_in(client, ADD_CUP).status_code == 302
    cup = Cup.objects.get()
    assert (cup.name, cup.slug, cup.status, cup.first_stage.tiebreaks) == (
        "Autumn Cup",
        "autumn-cup",
        CompetitionStatus.DRAFT,
        list(get_format("knock-out").tiebreaks),
    )
    assert list(cup.organisers.all()) == [olga]


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [
        (["points"], ["points", "draw"]),
        (["points", "wins"], ["points", "wins", "draw"]),
        ([], list(get_format("round-robin").tiebreaks)),
    ],
)
def test_the_draw_decides_at_last_and_nothing_chosen_is_the_usual_order(client, chosen, kept):
    sent = {f"tiebreaks_{number}": key for number, key in enumerate(chosen)}
    fill_in(client, f"{ADD_CUP}?format=round-robin", **sent)
    assert Cup.objects.get().first_stage.tiebreaks == kept


OWN_POINTS = {
    "point_table": "own",
    "points-5-0": "7–0",
    "points-4-1": " 6 - 0 ",
    "points-3-2": "4:2",
    "points-2-2": "3",
    "points-bye": "5",
    "points-neither": "1",
}
"""The values that the form sends for a points table of one's own."""


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [
        ({}, STANDARD),
        ({**OWN_POINTS, "point_table": "3-1-0"}, STOCK_TABLES["3-1-0"]),
        (OWN_POINTS, PointTable(Worth(7, 0), Worth(6, 0), Worth(4, 2), drawn=3, bye=5, neither=1)),
    ],
)
def test_the_points_table_is_a_stock_table_or_the_organisers_own(client, chosen, kept):
    fill_in(client, ADD_CUP, **chosen)
    cup = Cup.objects.get()
    assert cup.scoring == kept
    fill_in(client, change_url(cup))
    assert not cup.log.filter(action="changed").exists()


@pytest.mark.parametrize(
    ("number", "typed", "fault"),
    [
        ("5-0", "7", "A 5–0 counts: enter whole numbers, for a win the winner’s and the loser’s, such as 5–0."),
        ("bye", "", "A bye gives: enter whole numbers, for a win the winner’s and the loser’s, such as 5–0."),
        ("4-1", "200-0", "A 4–1 counts: points go from 0 to 100."),
        ("3-2", "4-4", "A 3–2 counts: the winner must get more than the loser."),
        ("bye", "8", "A bye gives: at most what a match can give."),
        ("neither", "4", "If neither played, each gets: at most what a 2–2 gives each."),
    ],
)
def test_points_that_make_no_sense_are_refused_beside_them(client, number, typed, fault):
    answer = fill_in(client, ADD_CUP, **OWN_POINTS | {f"points-{number}": typed})
    form = answer.context["adminform"].form
    assert (form.errors, form[f"points-{number}"].value()) == ({f"points-{number}": [fault]}, typed)
    assert fault in text_of(answer)
    assert not Cup.objects.exists()


def test_a_draw_worth_more_than_a_win_is_refused_beside_the_win(client):
    faults = faults_at(client, ADD_CUP, **OWN_POINTS | {"points-2-2": "5"})
    assert faults == {"points-3-2": ["A 3–2 counts: the winner must get at least what a 2–2 gives each."]}


def test_the_points_table_can_be_changed_until_the_start_and_then_only_be_read(client, olga):
    cup = verbs.make_cup()
    cup.organisers.add(olga)
    url = change_url(cup)
    fill_in(client, url, point_table="2-1-0")
    cup.refresh_from_db()
    assert cup.scoring == STOCK_TABLES["2-1-0"]
    assert "match points" in cup.log.get(action="conditions-changed").subject
    Cup.objects.filter(pk=cup.pk).update(status=CompetitionStatus.RUNNING)
    page = client.get(url)
    assert not {"point_table", "points-5-0"} & page.context["adminform"].form.fields.keys()
    assert "Match points: 2–0 for a win, 1–1 if nobody wins." in text_of(page)
    fill_in(client, url, **OWN_POINTS)
    cup.refresh_from_db()
    assert cup.scoring == STOCK_TABLES["2-1-0"]


def test_a_second_competition_of_that_name_has_a_slug_of_its_own(client):
    for _time in range(2):
        fill_in(client, ADD_CUP)
    assert sorted(Competition.objects.values_list("slug", flat=True)) == ["autumn-cup", "autumn-cup-2"]
    assert faults_at(client, ADD_CUP, slug="autumn-cup") == {"slug": ["Another competition has this slug."]}


def test_a_name_without_latin_letters_has_a_slug_too_and_it_can_be_changed(client):
    fill_in(client, ADD_CUP, name="ʔ!")
    cup = Cup.objects.get()
    assert cup.slug == "cup"
    fill_in(client, change_url(cup), slug="spring")
    fill_in(client, change_url(cup), slug="")
    assert Cup.objects.get().slug == "spring"


def test_a_ladder_is_made(client, olga):
    fill_in(client, f"{ADD_LADDER}?recipe=challenge-ladder")
    ladder = Ladder.objects.get()
    assert (ladder.first_stage.format, list(ladder.organisers.all())) == ("challenge-ladder", [olga])


def test_the_password_is_stored_hashed_and_can_be_dropped(client):
    fill_in(client, ADD_CUP, entry="password", new_password="open sesame")
    cup = Cup.objects.get()
    assert check_password("open sesame", cup.password)
    url = change_url(cup)
    assert "sesame" not in client.get(url).content.decode()
    fill_in(client, url)
    assert Cup.objects.get().password == cup.password
    fill_in(client, url, entry="open")
    assert Cup.objects.get().password == ""


def test_it_starts_at_a_time_or_when_it_is_full_or_by_what_comes_first(client):
    when = {"starts_at": "2030-05-01T18:00", "max_entrants": "8"}
    fill_in(client, ADD_CUP, start="full-or-time", **when)
    cup = Cup.objects.get()
    assert (cup.starts_when_full, cup.starts_at) == (True, datetime(2030, 5, 1, 18, tzinfo=UTC))
    assert client.get(f"/cups/{cup.slug}/organise/edit/").context["form"]["start"].value() == "full-or-time"
    Cup.objects.update(starts_at=cup.starts_at + timedelta(seconds=30))
    fill_in(client, change_url(cup))
    assert not cup.log.filter(action="changed").exists()
    fill_in(client, change_url(cup), start="full")
    cup.refresh_from_db()
    assert (cup.starts_when_full, cup.starts_at) == (True, None)


def test_others_are_named_organisers_by_their_usernames(client, otto):
    fill_in(client, ADD_CUP, organisers="OTTO")
    assert sorted(Cup.objects.get().organisers.values_list("username", flat=True)) == ["olga", "otto"]
    faults = faults_at(client, ADD_CUP, organisers="otto, nobody")
    assert faults == {"organisers": ["There is no player with this username: nobody."]}


@pytest.mark.parametrize(
    ("options", "field", "fault"),
    [
        ({"tiebreaks_0": "points", "tiebreaks_1": "points"}, "tiebreaks", "Use each tie-break only once"),
        ({"tiebreaks_1": "beauty"}, "tiebreaks", "Select a valid choice"),
        ({"point_table": "9-9"}, "point_table", "Select a valid choice"),
        ({"min_rating": "1700", "max_rating": "1500"}, "max_rating", "The highest rating is lower than the lowest."),
        ({"start": "full"}, "max_entrants", "needs a maximum number of players"),
        ({"pace": "own", "bank_1": "1", "cap_3": "5"}, "bank", "most time on a clock"),
        ({"knock-out-legs": "3"}, "knock-out-legs", "less than or equal to 2"),
    ],
)
def test_options_that_make_no_sense_are_refused_beside_their_fields(client, options, field, fault):
    answer = fill_in(client, ADD_CUP, **options)
    errors = answer.context["adminform"].form.errors
    assert (answer.status_code, list(errors), fault in text_of(answer)) == (200, [field], True)
    assert not Cup.objects.exists()


def test_changed_options_are_logged_for_the_players(client, olga):
    cup = verbs.make_cup()
    cup.organisers.add(olga)
    fill_in(client, change_url(cup), description="New", **{"knock-out-legs": "1"})
    cup.refresh_from_db()
    assert (cup.first_stage.chosen_options.legs, cup.description) == (1, "New")
    assert verbs.last_log(cup) == ("olga", "conditions-changed", "description, legs", "")


def test_organisers_cannot_remove_themselves(client, olga, otto):
    cup = verbs.make_cup()
    cup.organisers.add(olga)
    fill_in(client, change_url(cup), organisers="otto")
    assert sorted(cup.organisers.values_list("username", flat=True)) == ["olga", "otto"]
    assert verbs.last_log(cup)[1:3] == ("organiser-named", "otto")


def test_a_running_cup_keeps_its_legs_its_game_its_clock_and_its_vacation(client, olga):
    cup = verbs.make_cup()
    cup.organisers.add(olga)
    fill_in(client, change_url(cup), vacation_limit="3")
    assert verbs.last_log(cup) == ("olga", "conditions-changed", "maximum days of vacation", "")
    verbs.enter_all(cup, verbs.make_players(2))
    verbs.start(cup)
    tried = {
        "reason": "Slow.",
        "game": "streetsoccer-online",
        "pace": "live",
        "vacation_limit": "30",
        "knock-out-legs": "1",
    }
    fill_in(client, change_url(cup), at_round_end="forfeit", description="New", **tried)
    changed = Cup.objects.get()
    assert (changed.game, changed.first_stage.chosen_options.legs, changed.time_bank) == (cup.game, 2, cup.time_bank)
    assert (changed.first_stage.at_round_end, changed.description) == ("forfeit", "New")
    assert {fixture.match.vacation_limit for fixture in verbs.running(cup)} == {changed.vacation_limit} == {3}


def test_another_order_makes_a_running_ladders_table_anew(client, olga):
    ladder = verbs.make_ladder(min_matches=0)
    ladder.organisers.add(olga)
    verbs.start(ladder)
    Group.objects.update(standings_stale_since=None)
    order = {"tiebreaks_0": "wins", "tiebreaks_1": "draw", "tiebreaks_2": "", "tiebreaks_3": ""}
    fill_in(client, change_url(ladder), reason="Wins count.", **order)
    ladder.refresh_from_db()
    assert ladder.first_stage.tiebreaks == ["wins", "draw"]
    assert Group.objects.get().standings_stale_since is not None


# Lists
