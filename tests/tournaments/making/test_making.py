"""Competitions that players make: who may, what they are made of, and what becomes of a draft, by service and API."""

from datetime import timedelta

import pytest
from django.utils import timezone

from matches.models import Match
from players.models import Player
from tests.tournaments.verbs import NOON, finish_match, last_log, make_cup, make_players
from tournaments.making.recipes import RECIPES
from tournaments.making.selectors.making_conditions import reasons_not_to_make
from tournaments.models import Competition, CompetitionStatus

pytestmark = pytest.mark.django_db

API = "/api/v1/competitions/"
NEW = {"recipe": "knock-out", "name": "Spring", "game": "streetsoccer-board"}


@pytest.fixture
def client(mia, client_of):
    return client_of(mia)


def send(client, method, path, body=None):
    return getattr(client, method)(path, body or {}, content_type="application/json")


def codes(player):
    return [reason.code for reason in reasons_not_to_make(player=player, now=timezone.now())]


def test_a_player_with_a_confirmed_email_and_a_finished_match_may_and_so_may_staff(mia, olga):
    assert codes(mia) == codes(olga) == []


def test_without_both_every_reason_is_named_with_a_sentence(db):
    new = Player.objects.create(username="new", email="new@example.org")
    reasons = reasons_not_to_make(player=new, now=timezone.now())
    assert {reason.code: reason.reason for reason in reasons} == {
        "email_not_confirmed": "Confirm your e-mail address first: organisers have to be reachable.",
        "no_finished_match": "Finish a match first.",
    }


def test_without_a_mail_server_the_finished_match_is_enough(db, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    player = Player.objects.create(username="new")
    assert codes(player) == ["no_finished_match"]
    finish_match(player)
    assert codes(player) == []


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"is_guest": True}, "guests_make_none"),
        ({"is_computer": True}, "computers_make_none"),
        ({"is_active": False}, "account_closed"),
    ],
)
def test_guests_computers_and_closed_accounts_may_not(db, about, code):
    player = Player.objects.create(username="someone", email_confirmed_at=NOON, email="a@example.org", **about)
    finish_match(player)
    assert codes(player) == [code]


def test_unfinished_competitions_of_ones_own_are_limited(mia, settings):
    settings.MAX_UNFINISHED_COMPETITIONS = 2
    for number in range(2):
        make_cup(slug=f"cup-{number}", creator=mia)
    assert codes(mia) == ["too_many_unfinished_competitions"]
    # Those that somebody else lets a player organise are none of their own.
    Competition.objects.filter(slug="cup-0").update(creator=None)
    assert codes(mia) == []


def test_new_competitions_of_a_day_are_limited_even_if_they_have_ended(mia, settings):
    settings.MAX_COMPETITIONS_A_DAY = 1
    cup = make_cup(creator=mia, status=CompetitionStatus.CANCELLED, created_at=timezone.now())
    assert codes(mia) == ["too_many_new_competitions"]
    Competition.objects.filter(pk=cup.pk).update(created_at=timezone.now() - timedelta(days=1, seconds=1))
    assert codes(mia) == []


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_makes_a_draft_that_its_maker_organises(client, mia, recipe):
    made = send(client, "post", API, NEW | {"recipe": recipe})
    assert made.status_code == 201, made.json()
    competition = Competition.objects.get(slug=made.json()["slug"])
    assert (competition.status, competition.creator) == (CompetitionStatus.DRAFT, mia)
    assert list(competition.organisers.all()) == [mia]
    assert [stage.format for stage in competition.stages.all()] == [each.format for each in RECIPES[recipe].stages]


def test_the_options_of_the_body_are_those_of_the_competition(client):
    body = NEW | {
        "recipe": "groups-then-knock-out",
        "time_control": {"bank": 600, "increment": 15},
        "is_rated": False,
        "max_entrants": 16,
        "starts_when_full": True,
        "password": "secret",
        "match_points": "3-1-0",
        "stages": [
            {"number": 1, "grouping": {"size": 8}, "advance": {"first": 4}, "round_days": 3},
            {"number": 2, "options": {"legs": 1, "third_place": True}},
        ],
    }
    made = send(client, "post", API, body).json()
    assert (made["time_control"]["bank"], made["has_password"], made["is_rated"]) == (600, True, False)
    assert made["match_points"]["stock"] == "3-1-0"
    groups, knock_out = made["stages"]
    assert (groups["grouping"]["size"], groups["advance"]["first"], groups["round_days"]) == (8, 4, 3)
    assert knock_out["options"] == {"legs": 1, "third_place": True, "replays": 1}


@pytest.mark.parametrize(
    ("more", "code", "field"),
    [
        ({"game": "chess"}, "invalid", "game"),
        ({"starts_when_full": True}, "invalid", "max_entrants"),
        ({"max_entrants": 1_000_000}, "invalid", "max_entrants"),
        ({"min_rating": 1600, "max_rating": 1500}, "invalid", "max_rating"),
        ({"recipe": "team-league", "min_rating": 0}, "invalid", "min_rating"),
        ({"recipe": "team-league", "max_rating": 1700}, "invalid", "max_rating"),
        ({"time_control": {"bank": 60, "increment": 61}}, "invalid", "time_bank"),
        ({"stages": [{"number": 1, "options": {"legs": 3}}]}, "invalid", "legs"),
        ({"stages": [{"number": 1, "options": {"feet": 3}}]}, "invalid", "feet"),
        ({"stages": [{"number": 1, "options": {"legs": "two"}}]}, "invalid", "legs"),
        ({"stages": [{"number": 1, "grouping": {"size": 4, "groups": 2}}]}, "invalid", "grouping"),
        ({"stages": [{"number": 1, "round_days": 99999}]}, "invalid", "stages"),
        ({"stages": [{"number": 1, "tiebreaks": ["points"]}]}, "invalid", "tiebreaks"),
        ({"stages": [{"number": 1, "advance": {"first": 2}}]}, "invalid_stages", "advance"),
        ({"stages": [{"number": 2, "round_days": 3}]}, "invalid", "stages"),
        ({"stages": [{"number": 1, "legs": 1}]}, "invalid", "stages"),
    ],
)
def test_a_value_that_cannot_be_is_refused_beside_its_option(client, more, code, field):
    refused = send(client, "post", API, NEW | more)
    assert (refused.status_code, refused.json()["code"]) == (400, code)
    assert field in refused.json()["errors"]
    assert not Competition.objects.exists()


def test_a_player_who_may_not_make_a_competition_is_told_why(client, mia):
    Match.objects.all().delete()
    refused = send(client, "post", API, NEW)
    assert (refused.status_code, refused.json()["code"]) == (403, "no_finished_match")
    assert not Competition.objects.exists()


def test_a_draft_is_edited_and_only_what_differs_is_logged(client, mia):
    path = f"{API}{send(client, 'post', API, NEW).json()['slug']}/"
    body = {"name": "Summer", "is_rated": True, "stages": [{"number": 1, "options": {"legs": 1}}]}
    edited = send(client, "patch", path, body)
    assert (edited.status_code, edited.json()["name"]) == (200, "Summer")
    assert edited.json()["stages"][0]["options"]["legs"] == 1
    assert last_log(Competition.objects.get()) == ("mia", "changed", "legs, name", "")


def test_a_draft_cannot_be_edited_into_what_cannot_be(client):
    path = f"{API}{send(client, 'post', API, NEW).json()['slug']}/"
    refused = send(client, "patch", path, {"starts_when_full": True})
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["max_entrants"])
    assert not Competition.objects.get().starts_when_full


def test_a_draft_is_deleted_with_its_entries(client, mia):
    path = f"{API}{send(client, 'post', API, NEW).json()['slug']}/"
    make_players(1)
    assert send(client, "post", f"{path}admissions/", {"player": "player-1", "reason": "asked"}).status_code == 200
    assert send(client, "delete", path).status_code == 204
    assert not Competition.objects.exists()
    assert client.get(path).status_code == 404
