"""No secret is in the log, whichever process writes it and whatever goes wrong."""

import io
import logging
import re
from collections.abc import Iterator
from logging.config import DictConfigurator
from urllib.parse import quote

import pytest
import structlog
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.converters import get_converters

from config.celery import app
from config.log_settings import logging_config
from web.requests.redaction import REDACTED, SECRET_PATHS, redact

SECRET = "c9z1tq-5f0e7a41b2d6"

PUBLIC_ARGUMENTS = set(
    "app_label content_type_id object_id id url match_id seek_id token_id entry_id invitation_id waiting_id fixture_id "
    "subject_id announcement_id line_id note_id slug username name act key ply version first last number stage group "
    "recipe day action what form kind uidb64 device_id".split()
)
"""Arguments of routes that anybody may read in a log. What is not among them is a secret until somebody says so."""


def all_routes(resolver=None, before="") -> Iterator[tuple[str, URLPattern]]:
    """Yield every route as it is written, with its converters."""
    for each in (resolver or get_resolver()).url_patterns:
        route = before + str(each.pattern).removeprefix("^").removesuffix("$")
        if isinstance(each, URLResolver):
            yield from all_routes(each, route)
        else:
            assert isinstance(each, URLPattern)
            yield route, each


ARGUMENT = re.compile(r"<(?:(\w+):)?(\w+)>")
SECRET_ROUTES = {
    route
    for route, _pattern in all_routes()
    if any(name not in PUBLIC_ARGUMENTS for _converter, name in ARGUMENT.findall(route))
}


def url_of(route: str) -> str:
    """Return a URL of a route, in which every argument is the secret."""
    return "/" + ARGUMENT.sub(lambda found: SECRET if found[1] != "int" else "1", route)


@pytest.fixture
def log(request, settings) -> Iterator[io.StringIO]:
    """Yield all that is logged, on every level, as the site writes it."""
    config = logging_config(level="DEBUG", json=getattr(request, "param", True))
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(DictConfigurator(config).configure_formatter(config["formatters"]["line"]))
    names = ["", "django.request", "django.security.csrf", "celery.app.trace", *config["loggers"]]
    loggers = [logging.getLogger(name) for name in names]
    kept = [(logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG)
        # A server that writes no access log of its own takes uvicorn's logger out of the log.
        logger.propagate = True
    loggers[0].addHandler(handler)
    yield written
    loggers[0].removeHandler(handler)
    for logger, (level, propagates) in zip(loggers, kept, strict=True):
        logger.setLevel(level)
        logger.propagate = propagates


def is_clean(written: str) -> bool:
    """Return whether something was redacted in the log, and no secret is left in it."""
    assert SECRET not in written, written
    assert SECRET[:8] not in written, written
    return REDACTED in written


def test_there_are_routes_with_secrets_and_all_of_them_are_known():
    assert SECRET_ROUTES
    before = {ARGUMENT.split(route)[0].strip("/") for route in SECRET_ROUTES}
    assert before == set(SECRET_PATHS)
    assert get_converters().keys() >= {kind for route in SECRET_ROUTES for kind, _name in ARGUMENT.findall(route)}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("route", "method", "after"),
    [
        *[(route, "get", "/") for route in sorted(SECRET_ROUTES)],
        *[("mail/off/<str:token>/", "get", after) for after in ("", "x/", "?utm_source=mail", "&amp;x=1")],
        *[("mail/confirm/<str:token>/", method, "/") for method in ("post", "put", "options")],
    ],
)
def test_a_request_with_a_secret_is_logged_without_it(log, client, route, after, method):
    url = url_of(route)
    getattr(client, method)((url.rstrip("/") if after in {"", "&amp;x=1"} else url.rstrip("/") + "/") + after)
    assert is_clean(log.getvalue())
    assert "request_finished" in log.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("log", [True, False], ids=["json", "people"], indirect=True)
@pytest.mark.parametrize("route", sorted(SECRET_ROUTES))
@pytest.mark.parametrize("error", [RuntimeError, OSError])
def test_a_failure_is_logged_without_the_secret(log, client, monkeypatch, route, error):
    def fail(request, *args, **kwargs):
        raise error(f"Nothing works at {request.build_absolute_uri()}")

    monkeypatch.setattr("players.presence.note_presence", fail)
    monkeypatch.setattr(
        "web.requests.trailing_slash.ForgivingCommonMiddleware.process_request", lambda self, request: fail(request)
    )
    client.raise_request_exception = False
    assert client.get(url_of(route)).status_code == 500
    assert is_clean(log.getvalue())
    for expected in ("request_failed", "Internal Server Error", "Traceback"):
        assert expected in log.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("route", sorted(SECRET_ROUTES))
def test_a_refusal_for_want_of_a_csrf_token_is_logged_without_the_secret(log, route):
    client = Client(enforce_csrf_checks=True)
    client.post(url_of(route))
    client.post("/log-in/")
    assert "CSRF cookie not set" in log.getvalue()
    assert is_clean(log.getvalue())


@pytest.mark.django_db
@pytest.mark.parametrize("route", sorted(SECRET_ROUTES))
def test_a_referer_is_logged_without_the_secret(log, route):
    client = Client(enforce_csrf_checks=True)
    client.cookies["kickabout_csrf"] = "x" * 32
    client.post("/log-in/", secure=True, headers={"Referer": f"https://elsewhere.example{url_of(route)}"})
    assert "Referer checking failed" in log.getvalue()
    assert is_clean(log.getvalue())


@pytest.mark.django_db
@pytest.mark.parametrize("route", sorted(SECRET_ROUTES))
@pytest.mark.parametrize("times", [1, 3])
def test_a_url_in_a_url_is_logged_without_the_secret(log, client, route, times):
    written = url_of(route)
    for _ in range(times):
        written = quote(written, safe="")
    client.get(f"/log-in/?next={written}")
    assert is_clean(log.getvalue())


@pytest.mark.parametrize("log", [True, False], ids=["json", "people"], indirect=True)
@pytest.mark.parametrize("route", sorted(SECRET_ROUTES))
@pytest.mark.parametrize("server", ["uvicorn.access", "granian.access", "django.server", "uvicorn.error", "anybody"])
def test_a_server_logs_requests_without_their_secret(log, route, server):
    logging.getLogger(server).warning('%s - "%s %s HTTP/%s" %d', "192.0.2.1:4", "GET", url_of(route), "1.1", 200)
    assert is_clean(log.getvalue())


def test_servers_log_requests_by_the_sites_handlers_only():
    loggers = logging_config(level="INFO", json=True)["loggers"]
    for name in ("uvicorn.access", "granian.access"):
        assert loggers[name] == {"handlers": [], "propagate": True}


def test_a_task_that_fails_is_logged_without_a_secret(log):
    logging.getLogger("celery.app.trace").error(
        "Task %s raised unexpected: %r", "a-task", RuntimeError(f"{url_of('mail/off/<str:token>/')}")
    )
    structlog.get_logger("a-task").error(
        "failed", args=[url_of("mail/confirm/<str:token>/")], about={"a": [f"kick_{SECRET}"]}
    )
    assert is_clean(log.getvalue())
    assert log.getvalue().count(REDACTED) == 3


def test_tasks_are_given_nothing_secret():
    """A task's arguments wait in the broker, and are in the log of a worker that is asked for more."""
    from inspect import signature

    app.loader.import_default_modules()
    given = {
        name
        for task in app.tasks.values()
        if not task.name.startswith("celery.")
        for name in signature(task.run).parameters
    }
    assert given
    assert {name for name in given if not name.endswith("_id")} <= {"judged", "family"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Bearer kick_abcdefghij", "Authorization: Bearer kick_[secret]"),
        ("Authorization: Basic YW5uYTpzZWNyZXQ=", "Authorization: Basic [secret]"),
        ("Bearer of news", "Bearer of news"),
        ('"GET /mail/off/a/b?c=d" 200', '"GET /mail/off/[secret]" 200'),
        ("/MAIL//confirm/abc", "/MAIL//confirm/[secret]"),
        ("{'path': 'mail/off/abc/'}", "{'path': 'mail/off/[secret]'}"),
        ("kwargs={'uidb64': 'MQ', 'token': 'abc'}", "kwargs={'uidb64': 'MQ', 'token': '[secret]'}"),
        ("log_in(username='anna', password='abc')", "log_in(username='anna', password='[secret]')"),
        ("GET /mail/off/", "GET /mail/off/"),
        ("/players/e-mail/off/you-go/", "/players/e-mail/off/you-go/"),
        ("GET /profile/tokens/17/revoke/", "GET /profile/tokens/17/revoke/"),
        ("'/choose-password/MQ/abc'", "'/choose-password/[secret]'"),
    ],
)
def test_secrets_are_cut_out_and_nothing_else(text, shown):
    assert redact(text) == shown
