"""Processes that load the site once for several tests."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
KEY = "".join(chr(33 + number) for number in range(60))
PUBLIC = {
    "DEBUG": "0",
    "SECRET_KEY": KEY,
    "ALLOWED_HOSTS": "play.example.org",
    "TRUSTED_PROXIES": "1",
    "DATABASE_URL": "postgres://kickabout@localhost/kickabout",
    "REDIS_URL": "redis://localhost:6379/0",
    "EMAIL_URL": "smtp+tls://kickabout:secret@mail.example.org:587",
}
CHECK_DEPLOYMENT = ("check", "--deploy", "--tag", "security", "--fail-level", "ERROR")

Process = subprocess.CompletedProcess[str]


def environment_of(tmp_path: Path, **environment: str) -> dict[str, str]:
    (tmp_path / "static").mkdir(exist_ok=True)
    (tmp_path / "static" / "staticfiles.json").write_text("{}")
    usual = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "data"), "STATIC_ROOT": str(tmp_path / "static")}
    return usual | environment


def run(tmp_path: Path, *arguments: str, **environment: str) -> Process:
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        check=False,
        cwd=ROOT,
        env=environment_of(tmp_path, **environment),
        capture_output=True,
        text=True,
    )


def starts(process: Process) -> list[list[dict[str, Any]]]:
    """Return how both servers started, or refused to, each time that ``tests.config.starts`` was to start them."""
    found = [json.loads(line) for line in process.stdout.splitlines() if line.startswith("[{")]
    assert found, process.stderr
    return found


@pytest.fixture(scope="session")
def public_site(tmp_path_factory: pytest.TempPathFactory) -> Process:
    """Start both servers of a public site without static files, again with them, and check how it is deployed."""
    directory = tmp_path_factory.mktemp("public")
    (directory / "empty").mkdir()
    start_and_check = ("-m", "tests.config.starts", *CHECK_DEPLOYMENT)
    return run(directory, *start_and_check, **PUBLIC, STATIC_ROOT=str(directory / "empty"))


@pytest.fixture(scope="session")
def single_process(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return what the single process loads where no driver of PostgreSQL is installed."""
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path_factory.mktemp("single")),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-m", "tests.config.single_process"]
    done = subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])
