"""Tables, brackets, matches and entries of competitions over the API; and ratings."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from matches.models import Match
from rules_engine.values import Side
from tests.tournaments import verbs
from tests.tournaments.settled_competitions import rated
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.models import Entry, EntryStatus, Fixture, Standing
from tournaments.office.services.log import Change, log_action
from tournaments.records.groups import first_group_id
from tournaments.tables.selectors.tables import table_page
from tournaments.tables.sentences import reasons_text

pytestmark = pytest.mark.django_db


def all_pages(client, path):
    rows = []
    while path:
        page = client.get(path).json()
        rows += page["results"]
        path = page["next"]
    return rows


def test_the_api_tells_how_everybody_came_to_their_place(api):
    cup, _ = verbs.start_cup(3, **ROUND_ROBIN)
    fixture = verbs.running(cup)[0]
    verbs.end(fixture, fixture.yellow)
    verbs.recompute_tables(competition_id=cup.pk, now=NOON)
    path = "/api/v1/competitions/cup/places/"
    (change,) = api().get(f"{path}?player={fixture.yellow}").json()["results"]
    assert change == {
        "player": str(fixture.yellow),
        "place": 1,
        "stage": 1,
        "group": 1,
        "match": fixture.match_id,
        "changed_at": "2026-11-01T12:00:00Z",
    }
    assert {row["player"] for row in all_pages(api(), f"{path}?limit=1")} >= {str(fixture.yellow), str(fixture.red)}
    assert api().get(f"{path}?player=nobody").json()["code"] == "unknown_player"


def test_a_challenge_ladder_tells_who_came_and_left(api):
    _, players = verbs.challenge_ladder(2)
    assert api(players[0]).post("/api/v1/competitions/ladder/leave/").status_code in {200, 204}
    rows = api().get("/api/v1/competitions/ladder/places/").json()["results"]
    assert [(row["player"], row["place"], row["match"]) for row in rows] == [
        ("player-2", 1, None),
        ("player-1", None, None),
        ("player-2", 2, None),
        ("player-1", 1, None),
    ]


def test_an_unchanged_answer_is_not_sent_again(api):
    cup, _ = verbs.start_cup(4)
    for path in ("", "standings/", "bracket/"):
        first = api().get(f"/api/v1/competitions/cup/{path}")
        again = api().get(f"/api/v1/competitions/cup/{path}", headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    bracket = api().get("/api/v1/competitions/cup/bracket/")
    verbs.end(verbs.running(cup)[0], Side.YELLOW)
    again = api().get("/api/v1/competitions/cup/bracket/", headers={"If-None-Match": bracket["ETag"]})
    assert again.status_code == 200


@pytest.mark.parametrize("limit", [1, 2, 100])
def test_a_table_is_read_page_by_page(api, limit):
    verbs.points_ladder(7, results=4)
    rows = all_pages(api(), f"/api/v1/competitions/ladder/standings/?limit={limit}")
    placed = list(Standing.objects.filter(place__isnull=False).order_by("place"))
    assert [(row["place"], row["points"]) for row in rows[: len(placed)]] == [(row.place, row.points) for row in placed]
    assert {row["place"] for row in rows[len(placed) :]} <= {None}
    assert len({row["player"]["username"] for row in rows}) == len(rows) == 7


@pytest.mark.parametrize("limit", [1, 3, 100])
def test_every_row_of_a_table_says_why_it_is_there(api, limit):
    ladder, _ = verbs.points_ladder(7, results=5)
    rows = all_pages(api(), f"/api/v1/competitions/ladder/standings/?limit={limit}")
    shown = table_page(stage=ladder.first_stage, group_id=first_group_id(competition_id=ladder.pk)).rows
    assert [(row["entry"], row["reason"]) for row in rows] == [
        (row.entry.pk, reasons_text(row.reasons)) for row in shown
    ]
    assert rows[0]["reasons"] == [
        {
            "code": "ahead",
            "tiebreak": shown[0].reasons[0].tiebreak,
            "level_on": list(shown[0].reasons[0].level_on),
            "own": shown[0].reasons[0].own or None,
            "other": shown[0].reasons[0].other or None,
        }
    ]
    assert rows[1]["reasons"][0]["code"] == "behind"
    assert sum(row["as_red"] for row in rows) == 5


@pytest.mark.parametrize("limit", [1, 2])
def test_rows_that_share_a_place_are_read_once_each(api, limit):
    cup, entries = verbs.start_cup(4, **ROUND_ROBIN)
    cup.stages.update(tiebreaks=["points"])
    verbs.recompute_tables(competition_id=cup.pk, now=NOON)
    rows = all_pages(api(), f"/api/v1/competitions/cup/standings/?limit={limit}")
    assert [row["place"] for row in rows] == [1, 1, 1, 1]
    assert sorted(row["entry"] for row in rows) == sorted(entry.pk for entry in entries)
    assert sorted(row["seed"] for row in rows) == [1, 2, 3, 4]


def test_numbers_that_are_more_than_sums_stand_in_their_row(api):
    cup, _ = verbs.start_cup(3, **ROUND_ROBIN)
    cup.stages.update(tiebreaks=["points", "rating"])
    verbs.recompute_tables(competition_id=cup.pk, now=NOON)
    rows = api().get("/api/v1/competitions/cup/standings/").json()["results"]
    assert [row["values"] for row in rows] == [{"rating": "1500"}] * 3


def test_a_challenge_ladder_is_read_by_position(api):
    verbs.challenge_ladder(5)
    rows = all_pages(api(), "/api/v1/competitions/ladder/standings/?limit=2")
    assert [(row["place"], row["player"]["username"]) for row in rows] == [(n, f"player-{n}") for n in range(1, 6)]


@pytest.mark.parametrize("cursor", ["x", "cD14", "cD0tMQ==", "bz0xJnA9YWJj"])
def test_a_cursor_of_ones_own_is_refused(api, cursor):
    verbs.make_ladder()
    for path in ("competitions/", "competitions/ladder/standings/", "competitions/ladder/fixtures/", "ratings/"):
        response = api().get(f"/api/v1/{path}?cursor={cursor}")
        assert (response.status_code, set(response.json()["errors"])) == (400, {"cursor"}), path


def test_a_bracket_with_its_ties(api):
    cup, entries = verbs.start_cup(3, legs=1, third_place=True)
    fixture = verbs.running(cup)[0]
    verbs.end(fixture, entries[1])
    first, final = api().get("/api/v1/competitions/cup/bracket/").json()["results"]
    assert (first["name"], final["name"]) == ("Semi-finals", "Final")
    of_single_players = {"team": None, "boards_won": None, "source": None, "goals": 0}
    assert first["ties"] == [
        {
            "part": "main",
            "slot": 1,
            "first": {"player": str(entries[2]), "seed": 3, "points": 0, **of_single_players},
            "second": {"player": str(entries[1]), "seed": 2, "points": 5, **of_single_players},
            "winner": str(entries[1]),
            "decided_by": "points",
            "by_decision": True,
            "matches": [fixture.match_id],
        }
    ]
    assert [tie["first"]["player"] for tie in final["ties"]] == [str(entries[0])]
    assert final["ties"][0]["first"]["source"] is None
    assert final["ties"][0]["second"]["source"] == {"round": 1, "part": "main", "slot": 1, "takes": "winner"}


def test_a_draw_that_is_published_while_the_bracket_is_read_is_not_there_yet(api, monkeypatch):
    verbs.start_cup(4)
    monkeypatch.setattr("tournaments.pages.api.competition.outline_of", lambda group_id: [])
    response = api().get("/api/v1/competitions/cup/bracket/")
    assert (response.status_code, response.json()["results"]) == (200, [])


def test_a_bracket_in_parts_names_its_rounds_by_part(api):
    verbs.start_cup(4, legs=1, format="double-elimination")
    rounds = api().get("/api/v1/competitions/cup/bracket/").json()["results"]
    assert [each["name"] for each in rounds] == [
        "Winners' round 1",
        "Winners' round 2 · Losers' round 1",
        "Losers' round 2",
        "Final",
        "Second final",
    ]
    assert [tie["part"] for tie in rounds[1]["ties"]] == ["main", "losers"]
    assert rounds[1]["ties"][1]["first"]["source"] == {"round": 1, "part": "main", "slot": 0, "takes": "loser"}


def test_only_a_knock_out_has_a_bracket(api):
    verbs.start_cup(4, **ROUND_ROBIN)
    verbs.make_ladder()
    assert api().get("/api/v1/competitions/cup/bracket/").status_code == 404
    assert api().get("/api/v1/competitions/ladder/bracket/").status_code == 404


def test_matches_of_a_competition_by_player_round_and_result(api):
    cup, entries = verbs.start_cup(4, **ROUND_ROBIN, round_days=2)
    verbs.play_out(cup, random.Random(1))
    path = "/api/v1/competitions/cup/fixtures/"
    assert len(api().get(path).json()["results"]) == 6
    name = str(entries[0])
    of_one = api().get(f"{path}?player={name.upper()}").json()["results"]
    assert [name in (each["yellow"], each["red"]) for each in of_one] == [True] * 3
    assert [each["round"] for each in api().get(f"{path}?round=2").json()["results"]] == [2, 2]
    assert api().get(f"{path}?counted=false").json()["results"] == []
    assert api().get(f"{path}?player=nobody").json()["code"] == "unknown_player"


def test_entering_and_leaving(api, carla):
    verbs.make_ladder()
    entered = api(carla).post("/api/v1/competitions/ladder/enter/", {})
    assert (entered.status_code, entered.json()["status"]) == (201, "active")
    twice = api(carla).post("/api/v1/competitions/ladder/enter/", {})
    assert (twice.status_code, twice.json()["code"]) == (409, "already_entered")
    assert api(carla).post("/api/v1/competitions/ladder/leave/").status_code == 204
    assert api(carla).post("/api/v1/competitions/ladder/leave/").status_code == 404


def test_leaving_a_running_ladder_waits_for_the_games(api):
    verbs.points_ladder(3, results=0)
    Match.objects.update(deadline=timezone.now() + timedelta(days=1))
    entry = Entry.objects.filter(fixtures_as_yellow__isnull=False).first()
    left = api(entry.player).post("/api/v1/competitions/ladder/leave/")
    assert (left.status_code, left.json()["status"]) == (200, EntryStatus.ON_HOLD)


def test_challenges_are_foreseen_refused_and_made(api):
    _, players = verbs.challenge_ladder(6)
    client = api(players[4])
    options = client.get("/api/v1/competitions/ladder/challenges/").json()
    assert [(option["opponent"], option["prospects"]["win"]["position"]) for option in options] == [
        ("player-2", 2),
        ("player-3", 3),
        ("player-4", 4),
    ]
    (far,) = client.get("/api/v1/competitions/ladder/challenges/?opponent=player-1").json()
    assert (far["obstacle"]["code"], far["prospects"]) == ("out-of-reach", None)
    refused = client.post("/api/v1/competitions/ladder/challenges/", {"opponent": "player-1"})
    assert (refused.status_code, refused.json()["code"]) == (409, "challenge_refused")
    made = client.post("/api/v1/competitions/ladder/challenges/", {"opponent": "player-3"})
    assert (made.status_code, made.json()["challenger"]) == (201, "player-5")
    assert made.json()["match"] == Fixture.objects.get().match_id


def test_nobody_challenges_where_games_start_by_themselves(api):
    _, players = verbs.points_ladder(3, results=0)
    assert api(players[0]).get("/api/v1/competitions/ladder/challenges/").json()["code"] == "wrong_competition_status"


def test_ratings_their_list_and_their_history(api):
    one, two = verbs.make_players(2)
    first = rated(one, two, Side.YELLOW)
    second = rated(two, one, None, NOON + timedelta(hours=1))
    ratings = api().get("/api/v1/ratings/").json()["results"]
    assert [(each["player"]["username"], each["games"], each["wins"]) for each in ratings] == [
        ("player-1", 2, 1),
        ("player-2", 2, 0),
    ]
    assert api().get("/api/v1/players/PLAYER-1/ratings/").json() == ratings[:1]
    changes = api().get("/api/v1/players/player-1/rating-changes/").json()["results"]
    assert [(each["match"], each["side"], each["opponent"]) for each in changes] == [
        (second.pk, "red", "player-2"),
        (first.pk, "yellow", "player-2"),
    ]
    assert (changes[1]["before"], changes[1]["after"], changes[0]["before"]) == ("1500.0000", "1530.0000", "1530.0000")
    assert api().get("/api/v1/players/nobody/ratings/").status_code == 404


@pytest.mark.parametrize("limit", [1, 2])
def test_the_rating_list_is_read_page_by_page_though_ratings_are_equal(api, limit):
    players = verbs.make_players(6)
    for yellow, red in zip(players[::2], players[1::2], strict=True):
        rated(yellow, red, Side.YELLOW)
    rows = all_pages(api(), f"/api/v1/ratings/?limit={limit}")
    assert [row["player"]["username"] for row in rows] == [f"player-{n}" for n in (1, 3, 5, 2, 4, 6)]


def test_the_competitions_of_a_player(api):
    _, entries = verbs.start_cup(3)
    (competition,) = api().get(f"/api/v1/players/{entries[2]}/competitions/").json()["results"]
    assert (
        competition["competition"]["slug"],
        competition["competition"]["entrants"],
        competition["entry"]["seed"],
    ) == ("cup", 3, 3)


def test_the_log_is_read_by_everybody(api):
    verbs.start_cup(2)
    actions = [line["action"] for line in api().get("/api/v1/competitions/cup/log/").json()["results"]]
    assert actions[-1] == "opened"
    assert "started" in actions


def test_a_line_of_the_log_is_a_sentence_and_names_its_match(api):
    cup, (entry, _other) = verbs.start_cup(2)
    (fixture,) = Fixture.objects.all()[:1]
    changes: list[Change] = [{"what": "clock", "old": "10 days", "new": "1 day"}]
    log_action(competition=cup, action="match-paused", actor=entry.player, about=fixture, reason="m10 is ill", now=NOON)
    log_action(competition=cup, action="changed", changes=changes, now=NOON)
    changed, paused, *_others = api().get("/api/v1/competitions/cup/log/").json()["results"]
    assert (paused["text"], paused["match"]) == (
        f"Match paused: {fixture}. By somebody who plays in this match.",
        fixture.match_id,
    )
    assert (changed["text"], changed["match"]) == (
        "Options changed. Clock: from “10 days” to “1 day”.",
        None,
    )
    assert "<p>m10 is ill</p>" in api().get("/cups/cup/log/").content.decode()


@pytest.mark.parametrize("build", [lambda: verbs.points_ladder(7, results=4), lambda: verbs.challenge_ladder(7)])
def test_a_table_is_read_backwards_too(api, build):
    build()
    rows = all_pages(api(), "/api/v1/competitions/ladder/standings/?limit=3")
    last = api().get("/api/v1/competitions/ladder/standings/?limit=3").json()
    while last["next"]:
        last = api().get(last["next"]).json()
    pages = [last["results"]]
    while last["previous"]:
        last = api().get(last["previous"]).json()
        pages.insert(0, last["results"])
    assert [len(page) for page in pages] == [3, 3, 1]
    assert [row for page in pages for row in page] == rows
    again = api().get(last["next"]).json()["results"]
    assert again == rows[3:6]
