"""The time of the site is the database's, on whatever host, and that of the arrival, however long it then takes."""

from datetime import UTC, datetime, timedelta
from time import sleep

import pytest
import time_machine
from django.db import connection
from django.test import Client

from database.clock import arriving, current_moment
from matches.clock import TimeControl
from matches.models import Match, Move, Status
from matches.services import start_match
from matches.tasks import expire_turns
from players.models import Player, Scope
from players.services import create_token
from tests.matches.play import YELLOW_SET_UP

HOUR = timedelta(hours=1)
METRICS_TOKEN = "a-token-for-the-tests"


def real_time() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]


@pytest.mark.postgresql
@pytest.mark.django_db
@pytest.mark.parametrize("ahead", [HOUR, -HOUR])
def test_a_host_that_is_an_hour_off_takes_no_time_and_is_named(ahead, client: Client, database_clock, settings) -> None:
    settings.METRICS_TOKEN = METRICS_TOKEN
    begun = real_time()
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    minutes = TimeControl.of_seconds(60, 0, 60)
    match = start_match(game="streetsoccer-board", yellow=anna, red=piotr, time_control=minutes, now=begun)
    _, token = create_token(player=anna, name="a program", scopes=[Scope.PLAY], now=begun)
    with time_machine.travel(datetime.now(UTC) + ahead):
        expire_turns.apply(throw=True)
        answer = client.post(
            f"/api/v1/matches/{match.pk}/moves/",
            {"ply": 0, "text": YELLOW_SET_UP},
            "application/json",
            headers={"Authorization": f"Bearer {token}"},
        )
        checks = client.get("/health/ready").json()["checks"]
        numbers = client.get("/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"}).content.decode()
    assert answer.status_code == 201, answer.content
    assert Match.objects.get(pk=match.pk).status == Status.PLAYING
    assert begun <= Move.objects.get(match=match, ply=0).played_at <= real_time()
    assert checks.pop("clock") == "failed"
    assert set(checks.values()) == {"ok"}
    (line,) = [line for line in numbers.splitlines() if line.startswith("kickabout_clock_ahead_seconds ")]
    assert float(line.split()[1]) == pytest.approx(ahead.total_seconds(), abs=2)


def test_what_arrives_is_judged_by_its_arrival() -> None:
    with arriving():
        first = current_moment()
        sleep(0.02)
        assert current_moment() == first
    before = current_moment()
    sleep(0.02)
    assert current_moment() > before
