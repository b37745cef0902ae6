"""Competitions over the API: lists, single competitions, and what they are to their matches."""

import pytest

from rules_engine.values import Side
from tests.tournaments.settled_competitions import rated
from tests.tournaments.verbs import make_cup, make_ladder, make_players, running, start_cup

pytestmark = pytest.mark.django_db


def test_competitions_are_listed_and_filtered(api):
    make_ladder(name="Street Ladder")
    make_cup(name="Street Cup", max_entrants=8)
    type(make_cup(slug="draft")).objects.filter(slug="draft").update(status="draft")

    def slugs(query):
        return [competition["slug"] for competition in api().get(f"/api/v1/competitions/{query}").json()["results"]]

    assert slugs("") == ["cup", "ladder"]
    assert slugs("?kind=cup") == ["cup"]
    assert slugs("?status=open&name=LADDER") == ["ladder"]
    assert slugs("?game=streetsoccer-online") == []
    assert api().get("/api/v1/competitions/?status=draft").json()["code"] == "invalid"


def test_a_competition_in_a_list(api):
    cup = make_cup(name="Street Cup", max_entrants=8)
    assert api().get("/api/v1/competitions/").json()["results"] == [
        {
            "id": cup.pk,
            "slug": "cup",
            "url": "/cups/cup/",
            "kind": "cup",
            "name": "Street Cup",
            "format": "knock-out",
            "game": "streetsoccer-board",
            "title": "StreetSoccer (full set-up)",
            "status": "open",
            "is_rated": True,
            "admits_computers": False,
            "has_password": False,
            "admission": "open",
            "entrants": 0,
            "max_entrants": 8,
            "min_rating": None,
            "max_rating": None,
            "time_control": {"bank": 864000, "increment": 129600, "cap": 864000},
            "vacation_limit": None,
            "disqualification": "stand",
            "begin_hours": None,
            "protest_hours": None,
            "starts_at": None,
            "starts_when_full": False,
            "check_in_minutes": None,
            "boards": None,
            "started_at": None,
            "paused_at": None,
            "finished_at": None,
            "provisional_until": None,
            "winner": None,
        }
    ]


def test_a_whole_competition_as_the_caller_sees_it(api, carla):
    cup, entries = start_cup(2, legs=1)
    detail = api(entries[0].player).get("/api/v1/competitions/cup/").json()
    match = running(cup)[0].match
    assert detail["entry"]["seed"] == 1
    assert [each["code"] for each in detail["obstacles"]] == ["already_entered", "entry_closed"]
    assert [(each["number"], each["ended_at"]) for each in detail["rounds"]] == [(1, None)]
    assert [(each["kind"], each["match"]) for each in detail["waits_for"]] == [("move", match.pk)]
    stranger = api(carla).get("/api/v1/competitions/cup/").json()
    assert (stranger["entry"], [each["code"] for each in stranger["obstacles"]]) == (None, ["entry_closed"])
    assert api().get("/api/v1/competitions/cup/").json()["obstacles"] == []


def test_the_options_of_a_competition_are_given_in_numbers(api):
    make_ladder(window_days=30, best_results=9)
    ladder = api().get("/api/v1/competitions/ladder/").json()
    assert ladder["stages"] == [
        {
            "number": 1,
            "format": "points-ladder",
            "options": {
                "window_days": 30,
                "best_results": 9,
                "min_matches": 3,
                "games_each": 2,
                "rematch_days": 14,
                "inactive_days": 30,
                "return_days": 180,
            },
            "tiebreaks": ["points", "wins", "draw"],
            "seeding": "rating",
            "draw_seed": None,
            "round_days": None,
            "at_round_end": "wait",
            "late_entry": True,
            "name": "Points ladder",
            "grouping": None,
            "advance": None,
            "groups": [
                {"number": 1, "letter": "A", "league": None, "entrants": 0, "started_at": None, "ended_at": None}
            ],
            "waiting": [],
        }
    ]
    cup, _ = start_cup(2, legs=1, round_days=3, at_round_end="adjudicate", late_entry=True)
    (stage,) = api().get("/api/v1/competitions/cup/").json()["stages"]
    assert cup.first_stage.draw_seed is not None
    assert (
        stage.items()
        >= {
            "format": "knock-out",
            "draw_seed": cup.first_stage.draw_seed,
            "round_days": 3,
            "at_round_end": "adjudicate",
            "late_entry": False,
        }.items()
    )
    assert stage["options"] == {"legs": 1, "replays": 1, "third_place": False}
    assert (stage["groups"][0]["entrants"], stage["groups"][0]["started_at"]) == (2, "2026-11-01T12:00:00Z")


def test_a_match_names_the_competition_to_which_it_belongs(api):
    make_ladder()
    cup, _ = start_cup(2, legs=1)
    match = running(cup)[0].match
    number = api().get(f"/api/v1/matches/{match.pk}/").json()["competition"]
    (found,) = api().get(f"/api/v1/competitions/?id={number}").json()["results"]
    assert found["slug"] == "cup"
    listed = api().get(f"/api/v1/matches/?ids={match.pk}").json()["results"]
    assert listed[0]["competition"] == number
    other, another = make_players(2, prefix="other")
    casual = rated(other, another, Side.YELLOW)
    assert api().get(f"/api/v1/matches/{casual.pk}/").json()["competition"] is None
