"""Streams of real servers: the single process, and one for streams beside another one for everything else."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from matches.models import Match
from players.models import Scope
from players.services import create_token
from streams import pubsub
from streams.opening_threads import OPENING_THREADS
from tests.matches.conftest import SEED
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, begin_match
from tests.streams.events import Client
from tests.tournaments.settled_competitions import make_ladder
from tournaments.decisions.services.status import finish_competition
from tournaments.tables.services.standings import mark_standings_of

ROOT = Path(__file__).parents[2]
TIMEOUT = 180.0

WITHOUT_POLLS = """
import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

import manage
import streams.hub

streams.hub.POLL_INTERVAL = 3600.0
manage.main()
"""
"""The command line for streams that send only what a message has told them of: they look once, when they begin."""

Follow = Callable[..., Client]


def send(port: int, path: str, body: object, secret: str = "") -> Any:
    """Return the answer to a POST, sent like one through a proxy that has ended TLS."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    data = json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/v1/{path}", data, headers)
    with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
        return json.loads(response.read())


class Table:
    """Two guests on a single-process server, and a match of theirs."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.yellow, self.red = (send(port, "guests/", {})["token"]["secret"] for _ in range(2))
        time_control = {"bank": 3600, "increment": 60}
        seek = {"game": "streetsoccer-board", "colour": "yellow", "time_control": time_control}
        self.seek = send(port, "seeks/", seek, self.yellow)["id"]

    def begin(self) -> int:
        """Start the match; return its id."""
        self.match: int = send(self.port, f"seeks/{self.seek}/take/", {}, self.red)["id"]
        return self.match

    def set_up(self, ply: int) -> Any:
        """Let the side whose first action it is place its players."""
        secret, text = ((self.yellow, YELLOW_SET_UP), (self.red, RED_SET_UP))[ply]
        return send(self.port, f"matches/{self.match}/moves/", {"ply": ply, "text": text}, secret)["match"]


def test_the_single_process_sends_at_once_and_again_and_stops_at_once(served, follow):
    table = Table(served.port)
    player = follow(served.port, "stream/", secret=table.yellow)
    player.wait(lambda events: [event.name for event in events] == ["ready"])
    match = table.begin()
    sent = player.wait(lambda events: {event.name for event in events} == {"ready", "match", "seek"})
    assert [event.data["you"] for event in sent if event.name == "match"] == ["yellow"]
    (seek,) = [event.data for event in sent if event.name == "seek"]
    taken = {name: seek["seek"][name] for name in ("id", "status", "match")}
    assert (taken, seek["own"]) == ({"id": table.seek, "status": "taken", "match": match}, True)

    watching = follow(served.port, f"matches/{match}/stream/")
    assert watching.headers["Content-Type"] == "text/event-stream"
    assert (watching.headers["Cache-Control"], watching.headers["X-Accel-Buffering"]) == ("no-store", "no")
    assert watching.wait(len)[0].data["ply"] == 0
    table.set_up(0)
    last = watching.wait(lambda events: events[-1].data["ply"] == 1)[-1]
    watching.close()
    ply = table.set_up(1)["ply"]
    again = follow(served.port, f"matches/{match}/stream/", last=last.id)
    assert [event.data["ply"] for event in again.wait(len)] == [ply]
    ready = sent[0].id
    missed = follow(served.port, "stream/", secret=table.yellow, last=ready)
    assert missed.wait(lambda events: len(events) == 2)[-1].data["ply"] in {0, ply}

    visitor = follow(served.port, f"stream/?match={match}")
    assert [event.name for event in visitor.wait(lambda events: len(events) == 2)] == ["ready", "match"]
    later = follow(served.port, f"stream/?match={match}&after={visitor.events[-1].id}", last=sent[0].id)
    assert [event.data["ply"] for event in later.wait(len)] == [ply]

    for path, secret, status in (
        ("stream/", "", 401),
        ("stream/?match=x", "", 400),
        ("stream/?match=999", "", 404),
        ("stream/?" + "&".join(["match=1"] * 21), "", 400),
        ("stream/", "kick_nobody", 401),
        ("matches/999/stream/", "", 404),
    ):
        assert follow(served.port, path, secret=secret).status == status

    stopped = time.monotonic()
    code, output = served.stop(signal.SIGTERM)
    assert (code, "Traceback" in output) == (0, False)
    assert max(client.wait_for_end() for client in (player, again, missed, visitor)) - stopped < 4


def test_the_streams_of_a_client_are_limited(shared_site, follow):
    table = Table(shared_site.port)
    match = table.begin()
    path = f"matches/{match}/stream/"
    streams = [follow(shared_site.port, path, secret=table.red) for _ in range(20)]
    for stream in streams:
        stream.wait(len)
    refused = follow(shared_site.port, path, secret=table.red)
    assert refused.status == 429
    assert refused.headers["Retry-After"] == "60"
    assert json.loads(refused.body)["code"] == "too_many_streams"
    follow(shared_site.port, path).wait(len)
    streams[0].close()
    deadline = time.monotonic() + TIMEOUT
    while (status := follow(shared_site.port, path, secret=table.red).status) == 429 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert status == 200


@pytest.mark.django_db
def test_a_server_of_whole_answers_sends_those_who_want_streams_elsewhere(begin, anna, client):
    match = begin()
    client.force_login(anna)
    for path in (f"/api/v1/matches/{match.pk}/stream/", "/api/v1/stream/"):
        response = client.get(path, headers={"Accept": "text/event-stream"})
        assert (response.status_code, response.json()["code"]) == (503, "streams_elsewhere")
        assert response["Content-Type"] == "application/problem+json"
    assert client.get("/api/v1/competitions/").json()["results"] == []
    assert client.get("/api/v1/matches/999/stream/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(("scopes", "status"), [([Scope.READ], 503), ([Scope.PLAY], 403)])
def test_a_token_has_to_be_for_reading(scopes, status, anna, client):
    _token, secret = create_token(player=anna, name="bot", scopes=scopes, now=anna.date_joined)
    headers = {"Authorization": f"Bearer {secret}", "Accept": "text/event-stream"}
    assert client.get("/api/v1/stream/", headers=headers).status_code == status


@pytest.fixture
def run(tmp_path):
    """Run a server on the tests' own database and Valkey; gives its port when it answers."""
    processes: list[subprocess.Popen[bytes]] = []
    url = f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{connection.settings_dict['NAME']}"
    environment = os.environ | {"DATABASE_URL": url, "DATA_DIR": str(tmp_path)}

    def start(*command: str) -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        log = tmp_path / f"{len(processes)}.log"
        with log.open("wb") as written:
            processes.append(
                subprocess.Popen(
                    [*command, "--port", str(port)], cwd=ROOT, env=environment, stdout=written, stderr=written
                )
            )
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5) as response:
                    assert response.status == 200
                    return port
            except OSError:
                assert time.monotonic() < deadline, log.read_text()
                assert processes[-1].poll() is None, log.read_text()
                time.sleep(0.1)

    yield start
    for process in processes:
        process.terminate()
    for process in processes:
        process.wait(TIMEOUT)


def count_connections() -> int:
    """Return how many connections PostgreSQL has from all processes but its own."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_move_and_the_end_of_a_ladder_that_one_process_stores_are_sent_by_another(
    run, follow, anna, piotr, settings, monkeypatch
):
    # However busy the machine is, this process publishes all it does.
    monkeypatch.setattr(pubsub, "PUBLISH_TIMEOUT", 60.0)
    now = anna.date_joined
    match: Match = begin_match(anna, piotr, now=now, seed=SEED)
    secrets = [
        create_token(player=player, name="bot", scopes=[Scope.READ, Scope.PLAY], now=now)[1] for player in (anna, piotr)
    ]
    web = run(sys.executable, "manage.py", "serve_web", "--workers", "1")
    streams = run(sys.executable, "-c", WITHOUT_POLLS, "serve_streams")

    assert follow(web, f"matches/{match.pk}/stream/").status == 503
    watching = follow(streams, f"matches/{match.pk}/stream/")
    opponent = follow(streams, "stream/", secret=secrets[1])
    for client in (watching, opponent):
        client.wait(len)
    answer = send(web, f"matches/{match.pk}/moves/", {"ply": 0, "text": YELLOW_SET_UP}, secrets[0])["match"]
    watching.wait(lambda events: events[-1].data["ply"] == answer["ply"])
    turn = opponent.wait(lambda events: len(events) == 2)[-1]
    assert (turn.data["turn"], turn.data["you"]) == ("red", "red")

    settings.REDIS_URL = os.environ["REDIS_URL"]
    ladder, entries = make_ladder([piotr, anna])
    visitor = follow(streams, "stream/?topics=lobby,competition:ladder")
    visitor.wait(len)
    time_control = {"bank": 3600, "increment": 60}
    seek = send(web, "seeks/", {"game": "paper-soccer-1", "time_control": time_control}, secrets[0])
    posted = visitor.wait(lambda events: len(events) == 2)[-1]
    assert (posted.name, posted.data["seek"]["id"]) == ("seek", seek["id"])
    mark_standings_of(entries=entries, now=now)
    stale = visitor.wait(lambda events: len(events) == 3)[-1]
    assert (stale.name, stale.data["slug"], stale.data["stale"]) == ("table", "ladder", True)
    finish_competition(competition_id=ladder.pk, actor=None, now=now)
    ended = opponent.wait(lambda events: events[-1].name == "competition")[-1]
    assert (ended.data["slug"], ended.data["action"]) == ("ladder", "finished")
    told = {name: value for name, value in ended.data.items() if name != "organises"}
    visitor.wait(lambda events: told in [event.data for event in events])
    missed = follow(streams, "stream/", secret=secrets[1], last=turn.id)
    # How many ask now is said while it happens.
    assert missed.wait(lambda events: len(events) == 2)[-1].data | {"spread": 1.0} == ended.data

    before = count_connections()
    more = [follow(streams, f"matches/{match.pk}/stream/") for _ in range(8)]
    for client in more:
        client.wait(len)
    # Each thread that opens streams keeps a connection, once it has opened one.
    assert count_connections() <= before + OPENING_THREADS - 1
