"""The settings follow from the environment, and wrong values in it are refused."""

import os
import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
import structlog
from django.conf import UserSettingsHolder, global_settings, settings
from django.core.checks import Tags, run_checks

from config.secret_key import read_or_create_key
from tests.config.conftest import CHECK_DEPLOYMENT, PUBLIC, ROOT, Process, environment_of, run, starts
from tests.config.starts import CLIENTS

Read = Callable[..., dict[str, Any]]
Check = Callable[..., tuple[list[str], int]]


def findings(process: Process) -> tuple[list[str], int]:
    """Return the ids of what ``check --deploy`` has found, and its exit code."""
    return sorted(set(re.findall(r"kickabout\.\w+|security\.\w+", process.stdout + process.stderr))), process.returncode


def refusals(process: Process) -> list[list[str]]:
    """Return how both servers refused to start, which is "" if they started, each time that they were to."""
    return [[start.get("refusal", "") for start in both] for both in starts(process)]


@pytest.fixture(scope="module")
def unsafe_site(tmp_path_factory: pytest.TempPathFactory) -> Process:
    """Start both servers, and then the single process, of a site of which nothing is told but that it is public."""
    start_and_serve = ("-m", "tests.config.starts", "serve", "--port", "0")
    return run(tmp_path_factory.mktemp("unsafe"), *start_and_serve, DEBUG="0")


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Return the settings as this process reads them anew, without a command and without loading apps."""

    def read(**environment: str) -> dict[str, Any]:
        logs = structlog.get_config()
        with patch.dict(os.environ, environment_of(tmp_path, **environment), clear=True):
            found = runpy.run_path(str(ROOT / "config" / "settings.py"))
        # Loggers that are in use keep the list of processors that they began with.
        structlog.configure(**logs)
        return {name: value for name, value in found.items() if name.isupper()}

    return read


@pytest.fixture
def check(read: Read, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Return what ``check --deploy`` finds, and its exit code, without starting it."""

    def check(**environment: str) -> tuple[list[str], int]:
        holder = UserSettingsHolder(global_settings)
        for name, value in read(**environment).items():
            setattr(holder, name, value)
        with monkeypatch.context() as patched:
            patched.setattr(settings, "_wrapped", holder)
            found = run_checks(tags=[Tags.security], include_deployment_checks=True)
            found = [message for message in found if not message.is_silenced()]
        return sorted({str(message.id) for message in found}), int(any(message.is_serious() for message in found))

    return check


def test_a_well_configured_public_site_has_nothing_to_complain_of(public_site, check):
    assert check(**PUBLIC) == findings(public_site) == ([], 0)


def test_nobody_waits_long_for_a_replica_that_has_vanished_and_its_url_can_say_how_long(read):
    replica = "postgres://replica/x?tcp_user_timeout=7000"
    primary = "postgres://primary/x?target_session_attrs=read-write&connect_timeout=30"
    options = read(DATABASE_URL=primary, REPLICA_URL=replica)["DATABASES"]["replica"]["OPTIONS"]
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
    ids, code = findings(run(tmp_path, "manage.py", *CHECK_DEPLOYMENT, **environment))
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
        ({"HTTPS": "0"}, ["kickabout.E004"]),
    ],
)
def test_an_unsafe_public_site_is_refused(check, changes, found):
    ids, code = check(**{**PUBLIC, **changes})
    assert code == 1
    assert set(found) <= set(ids)


def test_a_name_of_its_own_makes_a_site_public_even_when_debug_is_not_set(check):
    ids, code = check(ALLOWED_HOSTS="play.example.org")
    assert code == 1
    assert "kickabout.E002" in ids


def test_sqlite_no_broker_and_no_mail_server_are_worth_a_warning_only(check):
    services = {"DATABASE_URL", "REDIS_URL", "EMAIL_URL"}
    environment = {name: value for name, value in PUBLIC.items() if name not in services}
    assert check(**environment) == (["kickabout.W001", "kickabout.W002", "kickabout.W004"], 0)


def test_the_mail_server_and_the_addresses_in_mails_come_from_the_environment(read):
    found = read(**PUBLIC)
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"], found["EMAIL_USE_TLS"]) == ("mail.example.org", 587, True)
    assert found["SITE_URL"] == "https://play.example.org"
    assert found["DEFAULT_FROM_EMAIL"] == "Kickabout <kickabout@play.example.org>"


def test_servers_refuse_an_unsafe_configuration_too(unsafe_site):
    (both,) = refusals(unsafe_site)
    assert len(both) == len(CLIENTS)
    for refusal in both:
        assert "SECRET_KEY is missing." in refusal
        assert "ALLOWED_HOSTS does not say" in refusal


def test_servers_of_a_public_site_refuse_to_start_without_its_static_files(public_site):
    without, with_them = refusals(public_site)
    assert len(without) == len(CLIENTS)
    for refusal in without:
        assert "has no collected static files. Run 'manage.py collectstatic --no-input'" in refusal
    assert with_them == [""] * len(CLIENTS)


def test_servers_know_their_release_from_the_start(public_site):
    assert [start["releases"] for start in starts(public_site)[-1]] == [1, 1]


def test_serve_refuses_to_start_unsafely_and_says_what_is_missing(unsafe_site):
    assert unsafe_site.returncode == 1
    assert "SECRET_KEY is missing." in unsafe_site.stderr
    assert "ALLOWED_HOSTS=play.example.org" in unsafe_site.stderr


def test_one_machine_needs_no_variables_and_answers_to_itself_only():
    assert settings.ALLOWED_HOSTS[:3] == ["localhost", "127.0.0.1", "[::1]"]
    assert (settings.DEBUG, settings.PUBLIC, settings.SESSION_COOKIE_SECURE) == (False, False, False)


def test_a_public_site_sends_cookies_over_https_only(read):
    found = read(**PUBLIC)
    secure = [found[name] for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT")]
    assert (secure, found["SECURE_HSTS_SECONDS"]) == ([True] * 3, 31536000)


def test_the_key_is_made_once_and_for_its_owner_only(tmp_path):
    path = tmp_path / "data" / "secret-key"
    key = read_or_create_key(path)
    assert len(key) == 50
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_or_create_key(path) == key
    assert [file.name for file in path.parent.iterdir()] == ["secret-key"]
