"""Budgets of what people write: how much of a kind somebody may do in a minute, an hour and a day."""

import pytest
import time_machine
from django.core.checks import Tags, run_checks
from django.test import Client
from rest_framework.test import APIClient

from matches.models import Match, Seek
from players.models import Player
from players.services import create_guest
from tests.docs.texts import ROOT, table
from tests.matches.conftest import NOON
from tests.tournaments.verbs import enter_all, give_addresses, make_cup, make_players, send_mails
from tournaments.decisions.services.status import announce
from tournaments.models import LogEntry
from web.errors import BudgetSpent
from web.limits.budgets import Rate, read_rates, spend_all
from web.limits.table import GAMES, MAILS, ROWS

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

START = 1_800_000_000
COMPUTER = {"game": "streetsoccer-board", "level": "beginner", "colour": "yellow"}


@pytest.fixture
def clock(settings):
    """Let the counts be those of one process, whose time the test moves on."""
    settings.REDIS_URL = ""
    with time_machine.travel(START, tick=False) as clock:
        yield clock


@pytest.fixture
def anna(db):
    return Player.objects.create(username="anna", date_joined=NOON)


def begin(client, number):
    """Begin so many matches over the API, each of which is resigned; return the statuses."""
    statuses = []
    for _match in range(number):
        answer = client.post("/api/v1/matches/", {"opponent": "computer", **COMPUTER})
        statuses.append(answer.status_code)
        if answer.status_code == 201:
            client.post(f"/api/v1/matches/{answer.data['id']}/resign/")
    return statuses


def as_player(player):
    client = APIClient()
    client.force_login(player)
    return client


def test_a_guest_begins_five_games_a_minute_and_sixty_a_day(clock):
    client = as_player(create_guest(now=NOON))
    for _minute in range(12):
        assert begin(client, 6) == [201] * 5 + [429]
        clock.shift(60)
    refused = client.post("/api/v1/matches/", {"opponent": "computer", **COMPUTER})
    assert (refused.status_code, refused.data["code"]) == (429, "budget_spent")
    assert refused.data["detail"] == "You can begin at most 60 games a day. Wait 24 hours, then try again."
    assert int(refused["Retry-After"]) == 86_400 - 12 * 60
    assert Match.objects.count() == 60


def test_an_account_begins_twenty_games_a_minute_and_is_told_so_on_a_page(clock, anna):
    assert begin(as_player(anna), 21) == [201] * 20 + [429]
    client = Client()
    client.force_login(anna)
    page = client.post("/play/", COMPUTER)
    assert page.status_code == 429
    assert "You can begin at most 20 games a minute. Wait 60 seconds, then try again." in page.content.decode()


def test_twenty_seeks_an_hour_can_be_posted_and_what_is_refused_costs_none(clock, anna, settings):
    settings.MAX_OPEN_SEEKS = 30
    client = as_player(anna)
    seek = {"game": "streetsoccer-board", "colour": "yellow"}
    for _seek in range(30):
        assert client.post("/api/v1/seeks/", seek | {"min_rating": 9, "max_rating": 8}).status_code == 400
    assert [client.post("/api/v1/seeks/", seek).status_code for _seek in range(21)] == [201] * 20 + [429]
    clock.shift(3600)
    assert client.post("/api/v1/seeks/", seek).status_code == 201
    assert Seek.objects.count() == 21


@pytest.fixture
def cup(olga):
    cup = make_cup(slug="cup")
    cup.organisers.add(olga)
    enter_all(cup, make_players(4))
    give_addresses()
    return cup


@pytest.fixture
def olga(db):
    return Player.objects.create(username="olga", date_joined=NOON)


def test_a_competition_has_three_announcements_an_hour_and_ten_a_day(clock, cup, olga):
    client = as_player(olga)
    url = "/api/v1/competitions/cup/announcements/"
    for _hour in range(3):
        assert [client.post(url, {"text": "News."}).status_code for _one in range(4)] == [200] * 3 + [429]
        clock.shift(3600)
    assert [client.post(url, {"text": "News."}).status_code for _one in range(2)] == [200, 429]
    assert LogEntry.objects.filter(action="announced").count() == 10


def test_one_account_causes_so_many_mails_a_day_whatever_it_does_and_messages_are_refused_then(
    clock, cup, olga, settings
):
    settings.BUDGETS = {"mails": "6/day"}
    client = as_player(olga)
    url = "/api/v1/competitions/cup/"
    # Four mails, and four more though only two were left.
    assert [client.post(f"{url}announcements/", {"text": "News."}).status_code for _one in range(3)] == [200, 200, 429]
    send_mails()
    # What is no message goes on, and is in the log, but is not mailed to all.
    assert client.post(f"{url}cancel/", {"reason": "Rain."}).status_code == 200
    assert send_mails() == {}
    assert LogEntry.objects.filter(action="cancelled").count() == 1


def test_tasks_and_commands_spend_nothing(cup, olga):
    for _one in range(12):
        announce(competition_id=cup.pk, actor=olga, text="News.", now=NOON)


def test_an_act_counts_under_each_rate_or_under_none(clock, settings):
    settings.BUDGETS = {"games": "2/min+3/day"}
    claim = GAMES.of("anna")
    assert [claim.take().allowed for _act in range(3)] == [True, True, False]
    clock.shift(60)
    assert [claim.take().allowed for _act in range(2)] == [True, False]
    clock.shift(86_400)
    one = spend_all(claim)
    one.forgive()
    assert claim.take().left == 1


def test_an_amount_may_be_more_than_what_is_left_and_is_given_back_as_a_whole(settings):
    settings.BUDGETS = {"mails": "10/day"}
    claim = MAILS.of("anna")
    claim.spend(9)
    claim.spend(500)
    assert not claim.take().allowed
    claim.give_back(500)
    assert claim.take(1).allowed
    assert not claim.take(1).allowed


def test_rates_are_read_as_operators_write_them():
    assert read_rates("5/min+60/day") == (Rate(5, 60), Rate(60, 86_400))
    assert read_rates("10/600s") == (Rate(10, 600),)
    with pytest.raises(ValueError, match="'often' is no rate"):
        read_rates("often")


def test_a_budget_that_there_is_not_and_a_rate_that_is_none_are_found_before_the_site_starts(settings):
    settings.BUDGETS = {"sekes": "3/hour", "games:guest": "5/min", "games:old": "5/min", "seeks": "often"}
    assert [error.msg for error in run_checks(tags=[Tags.security]) if error.id == "kickabout.E007"] == [
        "BUDGETS: 'sekes' is no budget.",
        "BUDGETS: 'games:old' is no budget.",
        "BUDGETS: seeks: 'often' is no rate such as 20/min, 3/hour or 10/600s.",
    ]


def test_operators_read_of_every_budget_of_what_is_written():
    rows = table((ROOT / "docs" / "operating.md").read_text(), "budgets")
    written = {kind for kind, budget in ROWS.items() if budget.error is BudgetSpent}
    assert {kind.strip("`") for kind, *_ in rows} == written
