"""The single process on SQLite loads nothing that it can do without, because a small machine has little memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

ROOT = Path(__file__).parent.parent.parent

LOAD_ALL = """
import sys
sys.modules["psycopg"] = None
import django
django.setup()
from django.core.checks import run_checks
from config.celery import app
import config.asgi, config.management.commands.serve
app.loader.init_worker()
app.finalize()
run_checks()
print(sorted(name for name, module in sys.modules.items() if name in {"psycopg", "redis"} and module))
"""

LOAD_CLIENTS = """
import importlib, sys
for server, module in (("config.wsgi", "redis"), ("config.asgi", "redis.asyncio")):
    importlib.import_module(server)
    print(module in sys.modules)
    for name in [name for name in sys.modules if name.partition(".")[0] == "redis"]:
        del sys.modules[name]
"""
"""Loads both servers in one process, the second of which has to load the client anew."""


def test_it_needs_no_driver_of_postgresql_and_loads_no_client_of_redis(tmp_path: Path):
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", LOAD_ALL]
    done = subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert done.stdout == "[]\n"


def test_with_redis_a_server_loads_its_client_before_the_first_request(tmp_path: Path):
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path),
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-c", LOAD_CLIENTS]
    done = subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert done.stdout == "True\nTrue\n"


@pytest.mark.parametrize(
    ("url", "installed", "leaves_out"),
    [
        ("", "", True),
        ("sqlite:////srv/site.sqlite3", "", True),
        ("postgres://localhost/site", "", False),
        # By an older Python, which may be gone.
        ("", ".venv/lib/python3.10/site-packages/psycopg", False),
    ],
)
def test_its_command_leaves_the_driver_out_unless_the_database_is_postgresql_or_it_is_installed(
    tmp_path: Path, url: str, installed: str, leaves_out: bool
):
    (tmp_path / installed).mkdir(parents=True, exist_ok=True)
    for name in ("script/server", "manage.py"):
        copy = tmp_path / name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text((ROOT / name).read_text())
    (tmp_path / "script" / "environment").write_text('build_environment() { echo "$@"; }\n')
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to("/bin/true")
    environment = {"PATH": os.environ["PATH"]} | ({"DATABASE_URL": url} if url else {})
    command = ["/bin/bash", str(tmp_path / "script" / "server")]
    done = subprocess.run(command, check=True, env=environment, stdout=subprocess.PIPE, text=True)
    assert done.stdout == ("--no-dev --no-group postgresql\n" if leaves_out else "--no-dev\n")
