"""The site's numbers, and who may see them."""

import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from matches.clock import TimeControl
from matches.models import MatchAnalysis
from matches.services import play_move, request_analysis, resign, start_match
from matches.tasks import expire_turns
from operations.worker_server import Operations
from players.models import Player
from players.services import ensure_computer
from tournaments.models import CompetitionStatus, Cup, Group, Stage
from tournaments.rounds.services.seating import store_competition

pytestmark = pytest.mark.both_databases

ROOT = Path(__file__).parent.parent.parent
TOKEN = "a-token-for-the-tests"
SHORT = TimeControl.of_seconds(60, 0, 60)

COUNT_TWICE = """
import os
import django
django.setup()
from operations import metrics
child = os.fork()
metrics.TASKS.labels("t", "ok").inc()
if not child:
    os._exit(0)
os.waitpid(child, 0)
print(metrics.render_counted().decode())
"""
"""Counts in two processes, of which one has loaded the site for both."""


@pytest.fixture
def numbers(client: Client, settings):
    """Return what ``/metrics`` says now, by the sample's name and labels."""
    settings.METRICS_TOKEN = TOKEN

    def read() -> dict[str, float]:
        response = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert response.status_code == 200
        assert response["Cache-Control"] == "no-store"
        return {
            line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
            for line in response.content.decode().splitlines()
            if not line.startswith("#")
        }

    return read


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer ", "Bearer wrong", f"Basic {TOKEN}"])
@pytest.mark.parametrize("token", ["", TOKEN])
def test_the_numbers_are_for_nobody_without_the_token(authorization, token, client: Client, settings) -> None:
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers={"Authorization": authorization}).status_code == 404


@pytest.mark.django_db
def test_waiting_work_is_counted_with_the_age_of_the_oldest(numbers) -> None:
    now = timezone.now()
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    for age in (100, 50):
        start_match(
            game="streetsoccer-board",
            yellow=anna,
            red=piotr,
            time_control=SHORT,
            now=now - timedelta(seconds=60 + age),
        )
    start_match(
        game="streetsoccer-board",
        yellow=ensure_computer(level="club", now=now),
        red=piotr,
        time_control=SHORT,
        now=now - timedelta(seconds=30),
    )
    store_competition(
        competition=Cup(name="Cup", slug="cup", game="streetsoccer-board", created_at=now), stage=Stage(format="swiss")
    )
    Group.objects.update(standings_stale_since=now)
    found = numbers()
    assert found['kickabout_waiting{kind="overdue_turn"}'] == 2
    assert found['kickabout_waiting_oldest_seconds{kind="overdue_turn"}'] == pytest.approx(100, abs=20)
    assert found['kickabout_waiting{kind="computer"}'] == 1
    assert found['kickabout_waiting_oldest_seconds{kind="computer"}'] == pytest.approx(30, abs=20)
    assert found['kickabout_waiting{kind="standings"}'] == 1
    assert found['kickabout_waiting{kind="settlement"}'] == 0
    assert found['kickabout_waiting_oldest_seconds{kind="settlement"}'] == 0
    assert found['kickabout_waiting{kind="rating"}'] == 0


@pytest.mark.django_db
def test_rounds_wait_to_be_drawn_in_running_cups(numbers) -> None:
    now = timezone.now()
    cup = Cup(name="Cup", slug="cup", game="streetsoccer-board", created_at=now, status=CompetitionStatus.RUNNING)
    store_competition(competition=cup, stage=Stage(format="swiss"))
    assert numbers()['kickabout_waiting{kind="round"}'] == 0
    Group.objects.update(pairing_due_since=now - timedelta(seconds=200))
    assert numbers()['kickabout_waiting_oldest_seconds{kind="round"}'] == pytest.approx(200, abs=20)
    Cup.objects.update(status=CompetitionStatus.CANCELLED)
    assert numbers()['kickabout_waiting{kind="round"}'] == 0


@pytest.mark.django_db
def test_analyses_wait_until_they_are_finished(numbers) -> None:
    now = timezone.now()
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    match = start_match(game="streetsoccer-board", yellow=anna, red=piotr, time_control=SHORT, now=now)
    resign(match_id=match.pk, player=anna, now=now)
    request_analysis(match_id=match.pk, player=anna, now=now - timedelta(seconds=200))
    found = numbers()
    assert found['kickabout_waiting{kind="analysis"}'] == 1
    assert found['kickabout_waiting_oldest_seconds{kind="analysis"}'] == pytest.approx(200, abs=20)
    MatchAnalysis.objects.update(status="done", finished_at=now)
    assert numbers()['kickabout_waiting{kind="analysis"}'] == 0


@pytest.mark.django_db
def test_moves_requests_and_tasks_are_counted(numbers, client: Client) -> None:
    now = timezone.now()
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    match = start_match(game="streetsoccer-board", yellow=anna, red=piotr, time_control=SHORT, now=now)
    before = numbers()
    play_move(match_id=match.pk, player=anna, ply=0, text=match.state.legal_moves()[0], now=now)
    client.get(f"/api/v1/matches/{match.pk}/")
    client.get("/no/such/place/")
    expire_turns.apply()
    with pytest.raises(TypeError):
        expire_turns.apply(args=["too", "many"], throw=True)
    after = numbers()

    def grown(sample: str) -> float:
        return after[sample] - before.get(sample, 0)

    route = "api/v1/matches/<int:match_id>/"
    assert grown('kickabout_move_seconds_count{game="streetsoccer-board"}') == 1
    assert grown(f'kickabout_request_seconds_count{{method="GET",route="{route}",status="200"}}') == 1
    assert grown('kickabout_request_seconds_count{method="GET",route="none",status="404"}') == 1
    assert grown('kickabout_tasks_total{outcome="success",task="matches.tasks.expire_turns"}') == 1
    assert grown('kickabout_task_seconds_count{task="matches.tasks.expire_turns"}') == 1


def test_a_worker_gives_its_numbers_to_the_token_only(settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    said = []

    operations = Operations(lambda: True)

    def ask(path: str, authorization: str) -> bytes:
        environ = {"PATH_INFO": path, "HTTP_AUTHORIZATION": authorization}
        return b"".join(operations(environ, lambda status, headers: said.append(status)))

    assert b"kickabout_tasks" in ask("/metrics", f"Bearer {TOKEN}")
    assert ask("/metrics", "") == ask("/", f"Bearer {TOKEN}") == b""
    assert said == ["200 OK", "404 Not Found", "404 Not Found"]


def test_processes_add_their_numbers_up(tmp_path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path / "data"),
        "METRICS_DIR": str(tmp_path / "metrics"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-c", COUNT_TWICE]
    done = subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert re.search(r'kickabout_tasks_total\{outcome="ok",task="t"\} 2.0', done.stdout)


def test_every_number_is_explained() -> None:
    explained = set(re.findall(r"`(kickabout_\w+)", (ROOT / "docs" / "operating.md").read_text()))
    source = "".join(
        path.read_text()
        for path in [*ROOT.glob("*/*metrics.py"), *ROOT.glob("*/*/metrics.py"), *ROOT.glob("operations/*.py")]
    )
    names = r"\w+_seconds|waiting|tasks|streams(?:_dropped)?"
    named = set(re.findall(rf'"(kickabout_(?:{names}))"', source))
    assert named
    assert {re.sub("_(total|count)$", "", name) for name in explained} == named
