"""The single process on SQLite loads nothing that it can do without, because a small machine has little memory."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.config.conftest import ROOT, Process, starts


def test_it_needs_no_driver_of_postgresql_and_loads_no_client_of_redis(single_process: Any):
    assert single_process["unneeded"] == []


def test_with_redis_a_server_loads_its_client_before_the_first_request(public_site: Process):
    assert [start["has_client"] for start in starts(public_site)[-1]] == [True, True]


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
