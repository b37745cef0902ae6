"""The admin: organisers create and change competitions, and the lists stay fast."""

from __future__ import annotations

import pytest
from django.contrib.auth.hashers import check_password
from django.test import Client

from formats.registry import get_format
from formats.scoring import STANDARD, STOCK_TABLES, PointTable, Worth
from rules_engine.values import Side
from tests.pages.html import text_of
from tests.samples import some
from tests.tournaments.conftest import last_log
from tests.tournaments.verbs import (
    NOON,
    ROUND_ROBIN,
    end,
    enter_all,
    make_cup,
    make_ladder,
    make_players,
    running,
    start,
    start_cup,
)
from tests.tournaments.whole_tables import recompute_tables
from tournaments.decisions.services.draws import draw_cup
from tournaments.models import Competition, CompetitionStatus, Cup, Group, Ladder
from tournaments.tables.services.ratings import rate_pending

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


LADDER = {
    "format": "points-ladder",
    "points-ladder-window_days": "90",
    "points-ladder-best_results": "",
    "points-ladder-min_matches": "3",
    "points-ladder-games_each": "2",
    "points-ladder-rematch_days": "14",
    "points-ladder-inactive_days": "30",
    "points-ladder-return_days": "180",
    "challenge-ladder-max_outgoing": "1",
    "challenge-ladder-max_incoming": "2",
    "challenge-ladder-rematch_days": "14",
    "challenge-ladder-window_days": "90",
    "challenge-ladder-inactive_days": "30",
    "challenge-ladder-return_days": "180",
}
"""The values that the form of a ladder sends and a cup's does not."""


def filled(**options: str) -> dict[str, str]:
    """Return what the form of a cup sends: of the newest as it was read now."""
    return {
        "version": str(Competition.objects.order_by("pk").values_list("options_version", flat=True).last() or 0),
        "name": "Autumn Cup",
        "slug": "",
        "description": "",
        "organisers": "",
        "game": "streetsoccer-board",
        "time_bank": "864000",
        "time_increment": "129600",
        "time_cap": "864000",
        "vacation_limit": "",
        "format": "knock-out",
        "seeding": "rating",
        "knock-out-legs": "2",
        "knock-out-replays": "1",
        "double-elimination-legs": "2",
        "double-elimination-replays": "1",
        "double-elimination-reset": "on",
        "round-robin-cycles": "1",
        "round_days": "",
        "at_round_end": "wait",
        "max_entrants": "",
        "min_rating": "",
        "max_rating": "",
        "new_password": "",
        "starts_at_0": "",
        "starts_at_1": "",
        "tiebreaks_0": "points",
        "tiebreaks_1": "draw",
        **options,
    }


def of_cup(cup: Cup, **options: str) -> dict[str, str]:
    return filled(
        name=cup.name,
        slug=cup.slug,
        is_rated="on",
        organisers="olga",
        tiebreaks_1="wins",
        tiebreaks_2="draw",
        **options,
    )


# Making competitions


def test_the_player_who_makes_a_cup_organises_it(client, olga):
    assert client.post("/admin/tournaments/cup/add/", filled()).status_code == 302
    cup = Cup.objects.get()
    assert (cup.name, cup.slug, cup.status, cup.first_stage.tiebreaks) == (
        "Autumn Cup",
        "autumn-cup",
        CompetitionStatus.DRAFT,
        ["points", "draw"],
    )
    assert list(cup.organisers.all()) == [olga]


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [
        ({"tiebreaks_1": ""}, ["points", "draw"]),
        ({"tiebreaks_1": "wins", "tiebreaks_2": ""}, ["points", "wins", "draw"]),
        ({"tiebreaks_0": "", "tiebreaks_1": ""}, list(get_format("round-robin").tiebreaks)),
    ],
)
def test_the_draw_decides_at_last_and_nothing_chosen_is_the_usual_order(client, chosen, kept):
    client.post("/admin/tournaments/cup/add/", filled(format="round-robin", **chosen))
    assert Cup.objects.get().first_stage.tiebreaks == kept


OWN_POINTS = {
    "point_table_stock": "own",
    "point_table_5-0": "7–0",
    "point_table_4-1": " 6 - 0 ",
    "point_table_3-2": "4:2",
    "point_table_2-2": "3",
    "point_table_bye": "5",
    "point_table_neither": "1",
}
"""The values that the form sends for a points table of one's own."""


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [
        ({}, STANDARD),
        ({**OWN_POINTS, "point_table_stock": "3-1-0"}, STOCK_TABLES["3-1-0"]),
        (OWN_POINTS, PointTable(Worth(7, 0), Worth(6, 0), Worth(4, 2), drawn=3, bye=5, neither=1)),
    ],
)
def test_the_points_table_is_a_stock_table_or_the_organisers_own(client, chosen, kept):
    client.post("/admin/tournaments/cup/add/", filled(**chosen))
    assert Cup.objects.get().scoring == kept


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ({"5-0": "7"}, "A 5–0 counts: enter whole numbers, for a win the winner’s and the loser’s, such as 5–0."),
        ({"bye": ""}, "A bye gives: enter whole numbers"),
        ({"4-1": "200-0"}, "A 4–1 counts: points go from 0 to 100."),
        ({"3-2": "4-4"}, "A 3–2 counts: the winner must get more than the loser."),
        ({"2-2": "5"}, "A 3–2 counts: the winner must get at least what a 2–2 gives each."),
        ({"bye": "8"}, "A bye gives: at most what a match can give."),
        ({"neither": "4"}, "If neither played, each gets: at most what a 2–2 gives each."),
        ({"stock": "9-9"}, "Select a valid choice"),
    ],
)
def test_points_that_make_no_sense_are_refused_in_sentences(client, typed, fault):
    options = OWN_POINTS | {f"point_table_{name}": text for name, text in typed.items()}
    answer = client.post("/admin/tournaments/cup/add/", filled(**options))
    assert fault in text_of(answer)
    assert not Cup.objects.exists()
    for name, text in options.items():
        if name != "point_table_stock":
            assert f'name="{name}" value="{text}"' in answer.content.decode() or not text


def test_the_points_table_can_be_changed_until_the_start_and_then_only_be_read(client, olga):
    cup = make_cup()
    cup.organisers.add(olga)
    url = f"/admin/tournaments/cup/{cup.pk}/change/"
    client.post(url, of_cup(cup, point_table_stock="2-1-0"))
    cup.refresh_from_db()
    assert cup.scoring == STOCK_TABLES["2-1-0"]
    assert "match points" in cup.log.get(action="changed").subject
    client.post(url, of_cup(cup, **OWN_POINTS | {"point_table_stock": "2-1-0"}))
    assert cup.log.filter(action="changed").count() == 1
    assert 'name="point_table_stock"' in client.get(url).content.decode()
    Cup.objects.filter(pk=cup.pk).update(status=CompetitionStatus.RUNNING)
    page = client.get(url)
    assert 'name="point_table_stock"' not in page.content.decode()
    assert "Match points: 2–0 for a win, 1–1 if nobody wins." in text_of(page)
    client.post(url, of_cup(cup, point_table_stock="3-1-0"))
    cup.refresh_from_db()
    assert cup.scoring == STOCK_TABLES["2-1-0"]


def test_a_second_competition_of_that_name_has_a_slug_of_its_own(client):
    for kind in ("cup", "cup"):
        client.post(f"/admin/tournaments/{kind}/add/", filled())
    assert sorted(Competition.objects.values_list("slug", flat=True)) == ["autumn-cup", "autumn-cup-2"]


def test_a_name_without_letters_has_a_slug_too(client):
    client.post("/admin/tournaments/cup/add/", filled(name="!!!"))
    assert Cup.objects.get().slug == "cup"


def test_a_ladder_is_made(client, olga):
    client.post("/admin/tournaments/ladder/add/", filled(**LADDER | {"format": "challenge-ladder"}))
    ladder = Ladder.objects.get()
    assert (ladder.first_stage.format, list(ladder.organisers.all())) == ("challenge-ladder", [olga])


def test_the_password_is_stored_hashed_and_can_be_dropped(client, olga):
    client.post("/admin/tournaments/cup/add/", filled(new_password="open sesame"))
    cup = Cup.objects.get()
    assert check_password("open sesame", cup.password)
    url = f"/admin/tournaments/cup/{cup.pk}/change/"
    assert "sesame" not in client.get(url).content.decode()
    client.post(url, filled(slug=cup.slug, organisers="olga"))
    assert Cup.objects.get().password == cup.password
    client.post(url, filled(slug=cup.slug, organisers="olga", no_password="on"))
    assert Cup.objects.get().password == ""


def test_others_are_named_organisers_by_their_usernames(client, otto):
    client.post("/admin/tournaments/cup/add/", filled(organisers="OTTO"))
    assert sorted(Cup.objects.get().organisers.values_list("username", flat=True)) == ["olga", "otto"]
    answer = client.post("/admin/tournaments/cup/add/", filled(organisers="otto, nobody"))
    assert "There is no player with this username: nobody." in text_of(answer)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"tiebreaks_1": "points"}, "Use each tie-break only once"),
        ({"tiebreaks_1": "beauty"}, "Select a valid choice"),
        ({"game": "chess"}, "Select a valid choice"),
        ({"min_rating": "1700", "max_rating": "1500"}, "The highest rating is lower than the lowest."),
        ({"starts_when_full": "on"}, "needs a maximum number of players"),
        ({"time_bank": "0"}, "time to start with"),
        ({"time_cap": "5"}, "most time on a clock"),
        ({"knock-out-legs": "3"}, "less than or equal to 2"),
        ({"max_entrants": "1"}, "greater than or equal to 2"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_sentences(client, options, fault):
    answer = client.post("/admin/tournaments/cup/add/", filled(**options))
    assert (answer.status_code, fault in text_of(answer)) == (200, True)
    assert not Cup.objects.exists()


def test_changed_options_are_logged_for_the_players(client, olga):
    cup = make_cup()
    cup.organisers.add(olga)
    client.post(f"/admin/tournaments/cup/{cup.pk}/change/", of_cup(cup, description="New", **{"knock-out-legs": "1"}))
    cup.refresh_from_db()
    assert (cup.first_stage.chosen_options.legs, cup.description) == (1, "New")
    assert last_log(cup) == ("olga", "changed", "description, legs", "")


def test_organisers_cannot_remove_themselves(client, olga, otto):
    cup = make_cup()
    cup.organisers.add(olga)
    client.post(f"/admin/tournaments/cup/{cup.pk}/change/", of_cup(cup) | {"organisers": "otto"})
    assert sorted(cup.organisers.values_list("username", flat=True)) == ["olga", "otto"]
    assert last_log(cup)[1:3] == ("organiser-named", "otto")


def test_a_running_cup_keeps_its_legs_its_game_and_its_clock(client, olga):
    cup, _entries = start_cup(2)
    cup.organisers.add(olga)
    client.post(
        f"/admin/tournaments/cup/{cup.pk}/change/",
        of_cup(
            cup,
            game="streetsoccer-online",
            time_bank="60",
            at_round_end="forfeit",
            description="New",
            **{"knock-out-legs": "1"},
        ),
    )
    changed = Cup.objects.get()
    assert (changed.game, changed.first_stage.chosen_options.legs, changed.time_bank) == (cup.game, 2, cup.time_bank)
    assert (changed.first_stage.at_round_end, changed.description) == ("forfeit", "New")


def test_the_days_of_vacation_are_limited_until_the_start(client, olga):
    cup = make_cup()
    cup.organisers.add(olga)
    url = f"/admin/tournaments/cup/{cup.pk}/change/"
    client.post(url, of_cup(cup, vacation_limit="3"))
    assert last_log(cup) == ("olga", "changed", "maximum days of vacation", "")
    enter_all(cup, make_players(2))
    start(cup)
    client.post(url, of_cup(cup, vacation_limit="30"))
    assert Cup.objects.get().vacation_limit == 3
    assert {fixture.match.vacation_limit for fixture in running(cup)} == {3}


def test_a_draw_fixes_what_it_was_made_of(client, olga):
    cup = make_cup()
    cup.organisers.add(olga)
    enter_all(cup, make_players(2))
    draw_cup(cup_id=cup.pk, actor=olga, now=NOON)
    fields = of_cup(cup, seeding="draw", time_bank="60", time_increment="60", **{"knock-out-legs": "1"})
    client.post(f"/admin/tournaments/cup/{cup.pk}/change/", fields)
    changed = Cup.objects.get()
    assert (changed.first_stage.chosen_options.legs, changed.first_stage.seeding, changed.time_bank) == (
        2,
        "rating",
        60,
    )


def test_another_order_makes_a_running_ladders_table_anew(client, olga):
    ladder = make_ladder(min_matches=0)
    ladder.organisers.add(olga)
    start(ladder)
    Group.objects.update(standings_stale_since=None)
    sent = filled(name=ladder.name, slug=ladder.slug, tiebreaks_0="wins", tiebreaks_1="draw", organisers="olga")
    sent |= LADDER | {"points-ladder-min_matches": "0"}
    client.post(f"/admin/tournaments/ladder/{ladder.pk}/change/", sent)
    ladder.refresh_from_db()
    assert ladder.first_stage.tiebreaks == ["wins", "draw"]
    assert Group.objects.get().standings_stale_since is not None


# Lists


@pytest.mark.once
def test_every_list_costs_the_same_at_any_length(client, olga, django_assert_max_num_queries):
    def make_more(number: int) -> None:
        """So many ladders and cups, entrants, fixtures and all that comes of them."""
        for each in range(number):
            make_cup(slug=f"cup-{number}-{each}").organisers.add(olga)
            make_ladder(slug=f"ladder-{number}-{each}").organisers.add(olga)
        for slug, options in (("knock-out", {"legs": 1}), ("robin", ROUND_ROBIN)):
            cup = make_cup(slug=f"{slug}-{number}", **options)
            cup.organisers.add(olga)
            enter_all(cup, make_players(max(2, number // 3), f"{slug[:5]}-{number}"))
            start(cup)
            for fixture in running(cup):
                end(fixture, Side.RED)
            recompute_tables(competition_id=cup.pk, now=NOON)
        rate_pending(family="streetsoccer", now=NOON)

    def costs() -> dict[str, int]:
        counts = {}
        for path in some(LISTS, "lists of the admin"):
            client.get(f"/admin/{path}/")
            with django_assert_max_num_queries(9) as counted:
                assert client.get(f"/admin/{path}/").status_code == 200
            counts[path] = len(counted)
        return counts

    make_more(1)
    short = costs()
    make_more(12)
    assert costs() == short
