"""Other users of the server's machine cannot read the files that it writes."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from config.secret_key import read_or_create_key
from database.private_files import make_private
from tests.served import ROOT

WRITE = """
import os
os.umask({umask})
from pathlib import Path
from django.db import connection
with connection.cursor() as cursor:
    for journal in {journals}:
        cursor.execute(f"PRAGMA journal_mode={{journal}}")
        cursor.execute("BEGIN IMMEDIATE")
        cursor.execute("CREATE TABLE something (id integer)")
        for path in sorted(Path(os.environ["DATA_DIR"]).iterdir()):
            print(path.name, oct(path.stat().st_mode & 0o777))
        cursor.execute("ROLLBACK")
"""


def write(data: Path, *journals: str, umask: int) -> set[tuple[str, str]]:
    """Write to the database with each journal in a process with this umask; return files and their modes meanwhile."""
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(data), "PATH": os.environ["PATH"]}
    script = WRITE.format(umask=umask, journals=journals)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return {(name, mode) for name, mode in map(str.split, done.stdout.splitlines())}


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o277])
def test_the_database_and_what_is_beside_it_are_private_whatever_the_umask(tmp_path, umask):
    modes = write(tmp_path, "DELETE", "WAL", umask=umask)
    beside = {f"kickabout.sqlite3{ending}" for ending in ("-journal", "-wal", "-shm")}
    assert {name for name, _mode in modes} >= {"secret-key", "kickabout.sqlite3", *beside}
    assert {mode for _name, mode in modes} == {"0o600"}


def test_files_that_others_could_read_are_made_private(tmp_path):
    read_or_create_key(tmp_path / "secret-key")
    with closing(sqlite3.connect(tmp_path / "kickabout.sqlite3")) as database:
        database.execute("PRAGMA journal_mode=WAL")
    for ending in ("-wal", "-shm"):
        (tmp_path / f"kickabout.sqlite3{ending}").touch()
    for path in tmp_path.iterdir():
        path.chmod(0o664)
    assert {mode for _name, mode in write(tmp_path, "WAL", umask=0o022)} == {"0o600"}


def test_a_key_that_others_could_read_is_made_private(tmp_path):
    path = tmp_path / "secret-key"
    key = read_or_create_key(path)
    path.chmod(0o644)
    assert read_or_create_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_database_behind_a_link_is_made_private(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data" / "kickabout.sqlite3").symlink_to(tmp_path / "elsewhere" / "real.sqlite3")
    write(tmp_path / "data", "WAL", umask=0)
    assert stat.S_IMODE((tmp_path / "elsewhere" / "real.sqlite3").stat().st_mode) == 0o600


def test_a_file_that_belongs_to_somebody_else_is_reported(tmp_path, monkeypatch, caplog):
    path = tmp_path / "file"
    path.touch(mode=0o644)

    def refuse(self, mode):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    make_private(path)
    assert "can be read by other users" in caplog.text


def test_a_server_leaves_nothing_that_others_can_read(shared_site):
    assert shared_site.ask("/api/v1/guests/", {})[0] == 201
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in shared_site.data.iterdir()}
    assert set(modes) >= {"kickabout.sqlite3", "kickabout.sqlite3-wal", "secret-key", "server.lock"}
    assert set(modes.values()) == {0o600}
