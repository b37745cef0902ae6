"""Workers as processes: what becomes of them when the broker goes, and how they end."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery.apps.worker import Worker
from django.db import connections
from kombu.connection import Connection

from config.celery import app
from config.celery_worker import RestartedWorker
from tests.plugins.real_servers import KeptServer, run_valkey

ROOT = Path(__file__).parent.parent.parent
TIMEOUT = 60.0


@pytest.mark.parametrize(("exitcode", "status"), [(None, 1), (0, 0), (1, 1), (70, 70)])
def test_a_worker_that_nobody_has_stopped_does_not_end_as_if_all_were_well(
    exitcode: int | None, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(worker: Worker) -> None:
        worker.exitcode = exitcode

    monkeypatch.setattr(Worker, "start", end)
    worker = app.Worker.__new__(app.Worker)
    assert isinstance(worker, RestartedWorker)
    worker.start()
    assert worker.exitcode == status


@pytest.fixture
def broker() -> Iterator[tuple[str, KeptServer]]:
    """Yield a Valkey of its own, and its URL."""
    url, server = run_valkey()
    yield url, server
    server.stop()


@pytest.mark.postgresql
def test_giving_a_message_back_over_a_lost_connection_fails_as_a_lost_connection(
    broker: tuple[str, KeptServer],
) -> None:
    url, server = broker
    with Connection(url.replace("unix://", "redis+socket://")) as connection:
        channel = connection.channel()
        queue = connection.SimpleQueue("some")
        queue.put("work")
        message = queue.get(timeout=TIMEOUT)
        assert channel is not message.channel
        server.end(signal.SIGKILL)
        errors = connection.connection_errors
        channel = message.channel
        # As a worker does with a connection that it has lost.
        connection.collect()
        with pytest.raises(errors):
            channel.qos.restore_unacked()
        with pytest.raises(errors):
            message.ack()


@pytest.mark.postgresql
def test_a_worker_outlives_its_broker_and_says_whether_it_takes_work(
    broker: tuple[str, KeptServer], tmp_path: Path, django_db_setup: None
) -> None:
    url, server = broker
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # On a database of another version a worker does not start.
    database = f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{connections['default'].settings_dict['NAME']}"
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DATABASE_URL": database}
    environment |= {"REDIS_URL": url, "METRICS_PORT": str(port)}
    command = ["-m", "celery", "-A", "config", "worker", "--concurrency", "1", "--without-gossip", "--without-mingle"]
    with (tmp_path / "log").open("wb") as log:
        worker = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        await_status(port, 200)
        server.end(signal.SIGKILL)
        await_status(port, 503)
        server.start_again()
        await_status(port, 200)
        assert worker.poll() is None
        worker.terminate()
        assert worker.wait(TIMEOUT) == 0
    finally:
        worker.kill()
        worker.wait(TIMEOUT)
        print((tmp_path / "log").read_text())


def await_status(port: int, wanted: int) -> None:
    """Ask a worker whether it is live until the answer has this status."""
    end = time.monotonic() + TIMEOUT
    status: object = None
    while status != wanted:
        assert time.monotonic() < end, status
        time.sleep(0.2)
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/live", timeout=TIMEOUT) as response:
                status = response.status
        except urllib.error.HTTPError as error:
            status = error.code
            error.close()
        except OSError as error:
            status = error
