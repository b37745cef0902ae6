"""The settings follow from the environment, and wrong values in it are refused."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
import structlog
from django.conf import UserSettingsHolder, global_settings, settings
from django.core.checks import Tags, run_checks

from config.secret_key import read_or_create_key

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


ENTRIES = ("config.wsgi", "config.asgi")
START = """
import importlib, json
from django.core.exceptions import ImproperlyConfigured
refusals = []
for entry in %r:
    try:
        importlib.import_module(entry)
        refusals.append("")
    except ImproperlyConfigured as error:
        refusals.append(str(error))
print(json.dumps(refusals))
"""
"""Loads in one process what servers load, one after the other: most of the time goes into what both of them load."""
RELEASES = """
import importlib
for entry in %r:
    importlib.import_module(entry)
    from matches.views.remembered import content_version
    print(content_version.cache_info().currsize)
    content_version.cache_clear()
"""
"""Prints how many releases each entry knows when it is loaded."""

Check = Callable[..., tuple[list[str], int]]


def environment_of(tmp_path: Path, **environment: str) -> dict[str, str]:
    (tmp_path / "static").mkdir(exist_ok=True)
    (tmp_path / "static" / "staticfiles.json").write_text("{}")
    usual = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "data"), "STATIC_ROOT": str(tmp_path / "static")}
    return usual | environment


def run(tmp_path, *arguments, **environment):
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        check=False,
        cwd=ROOT,
        env=environment_of(tmp_path, **environment),
        capture_output=True,
        text=True,
    )


def start_servers(tmp_path: Path, **environment: str) -> list[str]:
    """Return how the server of each entry refuses to start, which is "" if it starts."""
    done = run(tmp_path, "-c", START % (ENTRIES,), **environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def check_deployment(tmp_path, **environment):
    """Return the ids of what ``check --deploy`` finds, and its exit code."""
    done = run(tmp_path, "manage.py", "check", "--deploy", "--tag", "security", "--fail-level", "ERROR", **environment)
    return sorted(set(re.findall(r"kickabout\.\w+|security\.\w+", done.stdout + done.stderr))), done.returncode


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Return the same from this process, which reads the settings anew but starts no command and loads no apps."""

    def check(**environment: str) -> tuple[list[str], int]:
        logs = structlog.get_config()
        with patch.dict(os.environ, environment_of(tmp_path, **environment), clear=True):
            read = runpy.run_path(str(ROOT / "config" / "settings.py"))
        # Loggers that are in use keep the list of processors that they began with.
        structlog.configure(**logs)
        holder = UserSettingsHolder(global_settings)
        for name in filter(str.isupper, read):
            setattr(holder, name, read[name])
        with monkeypatch.context() as patched:
            patched.setattr(settings, "_wrapped", holder)
            found = run_checks(tags=[Tags.security], include_deployment_checks=True)
            found = [message for message in found if not message.is_silenced()]
        return sorted({str(message.id) for message in found}), int(any(message.is_serious() for message in found))

    return check


def test_a_well_configured_public_site_has_nothing_to_complain_of(tmp_path, check):
    assert check(**PUBLIC) == check_deployment(tmp_path, **PUBLIC) == ([], 0)


def test_nobody_waits_long_for_a_replica_that_has_vanished_and_its_url_can_say_how_long(tmp_path):
    code = "import json; from config import settings; print(json.dumps(settings.DATABASES['replica']['OPTIONS']))"
    replica = "postgres://replica/x?tcp_user_timeout=7000"
    primary = "postgres://primary/x?target_session_attrs=read-write&connect_timeout=30"
    done = run(tmp_path, "-c", code, DATABASE_URL=primary, REPLICA_URL=replica)
    assert done.returncode == 0, done.stderr
    options = json.loads(done.stdout)
    assert options["tcp_user_timeout"] == 7000
    assert (options["target_session_attrs"], options["connect_timeout"]) == ("standby", 2)
    assert options["keepalives_idle"] + options["keepalives_interval"] * options["keepalives_count"] <= 5


@pytest.mark.postgresql
def test_nothing_is_read_from_a_replica_that_was_promoted(tmp_path):
    code = """
import django
django.setup()
from django.db import OperationalError, connections
try:
    connections["replica"].ensure_connection()
except OperationalError as error:
    print(error)
"""
    # What has been promoted is no more in recovery than any primary.
    url = os.environ["DATABASE_URL"]
    environment = {"DATABASE_URL": url, "REPLICA_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    assert "not in hot standby mode" in run(tmp_path, "-c", code, **environment).stdout


def test_the_command_refuses_what_the_checks_find(tmp_path, check):
    environment = {**PUBLIC, "SECRET_KEY": "a" * 60, "HTTPS": "0"}
    ids, code = check_deployment(tmp_path, **environment)
    assert (ids, code) == check(**environment)
    assert code == 1
    assert {"kickabout.E002", "kickabout.E004", "security.W009"} <= set(ids)


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"SECRET_KEY": ""}, ["kickabout.E002"]),
        ({"SECRET_KEY": "a" * 60}, ["kickabout.E002", "security.W009"]),
        ({"ALLOWED_HOSTS": ""}, ["kickabout.E003", "security.W020"]),
        ({"ALLOWED_HOSTS": "*"}, ["kickabout.E003"]),
        ({"SITE_URL": "https://another.example.org"}, ["kickabout.E005"]),
        ({"SITE_URL": "play"}, ["kickabout.E005"]),
        ({"DATABASE_URL": "sqlite:///x.sqlite3", "REPLICA_URL": "postgres://replica/x"}, ["kickabout.E006"]),
        ({"DEBUG": "1"}, ["kickabout.E001", "security.W018"]),
    ],
)
def test_an_unsafe_public_site_is_refused(check, changes, found):
    ids, code = check(**{**PUBLIC, **changes})
    assert code == 1
    assert set(found) <= set(ids)


def test_a_public_site_without_https_is_refused(check):
    ids, code = check(**PUBLIC, HTTPS="0")
    assert code == 1
    assert "kickabout.E004" in ids


def test_a_name_of_its_own_makes_a_site_public_even_when_debug_is_not_set(check):
    ids, code = check(ALLOWED_HOSTS="play.example.org")
    assert code == 1
    assert "kickabout.E002" in ids


def test_sqlite_no_broker_and_no_mail_server_are_worth_a_warning_only(check):
    services = {"DATABASE_URL", "REDIS_URL", "EMAIL_URL"}
    environment = {name: value for name, value in PUBLIC.items() if name not in services}
    assert check(**environment) == (["kickabout.W001", "kickabout.W002", "kickabout.W004"], 0)


def test_the_mail_server_and_the_addresses_in_mails_come_from_the_environment(tmp_path):
    printing = (
        "from config import settings as s;"
        "print(s.EMAIL_HOST, s.EMAIL_PORT, s.EMAIL_USE_TLS, s.SITE_URL, s.DEFAULT_FROM_EMAIL)"
    )
    said = run(tmp_path, "-c", printing, **PUBLIC).stdout
    assert said == ("mail.example.org 587 True https://play.example.org Kickabout <kickabout@play.example.org>\n")


def test_servers_refuse_an_unsafe_configuration_too(tmp_path):
    refusals = start_servers(tmp_path, DEBUG="0")
    assert len(refusals) == len(ENTRIES)
    for refusal in refusals:
        assert "SECRET_KEY is missing." in refusal
        assert "ALLOWED_HOSTS does not say" in refusal


def test_servers_of_a_public_site_refuse_to_start_without_its_static_files(tmp_path):
    (tmp_path / "empty").mkdir()
    refusals = start_servers(tmp_path, **PUBLIC, STATIC_ROOT=str(tmp_path / "empty"))
    assert len(refusals) == len(ENTRIES)
    for refusal in refusals:
        assert "has no collected static files. Run 'manage.py collectstatic --no-input'" in refusal
    assert start_servers(tmp_path, **PUBLIC) == [""] * len(ENTRIES)


def test_servers_know_their_release_from_the_start(tmp_path):
    done = run(tmp_path, "-c", RELEASES % (ENTRIES,))
    assert (done.returncode, done.stdout.splitlines()[-2:]) == (0, ["1", "1"]), done.stderr


def test_serve_refuses_to_start_unsafely_and_says_what_is_missing(tmp_path):
    done = run(tmp_path, "manage.py", "serve", "--port", "0", DEBUG="0")
    assert done.returncode == 1
    assert "SECRET_KEY is missing." in done.stderr
    assert "ALLOWED_HOSTS=play.example.org" in done.stderr


def test_one_machine_needs_no_variables_and_answers_to_itself_only():
    assert settings.ALLOWED_HOSTS[:3] == ["localhost", "127.0.0.1", "[::1]"]
    assert (settings.DEBUG, settings.PUBLIC, settings.SESSION_COOKIE_SECURE) == (False, False, False)


def test_a_public_site_sends_cookies_over_https_only(tmp_path):
    printing = (
        "from config import settings as s;"
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS)"
    )
    assert run(tmp_path, "-c", printing, **PUBLIC).stdout.split() == ["True", "True", "True", "31536000"]


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path):
    path = tmp_path / "data" / "secret-key"
    key = read_or_create_key(path)
    assert len(key) == 50
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_or_create_key(path) == key
    assert [file.name for file in path.parent.iterdir()] == ["secret-key"]
