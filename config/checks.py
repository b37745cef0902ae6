"""System checks that refuse an unsafe configuration of a public site, and say what is missing."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, run_checks
from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host

MIN_KEY_LENGTH = 50
MIN_KEY_LETTERS = 5


def check_public_site(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return errors for what a public site still lacks; none for one machine and its own browser."""
    if settings.DEBUG:
        return _check_debugging()
    return _check_safety() + _check_services() if settings.PUBLIC else []


def check_budgets(app_configs: Sequence[AppConfig] | None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for everything in ``BUDGETS`` that is no rate of a row of the table."""
    # The table reads translations, which are there once all apps are.
    from web.limits.table import find_faults  # noqa: PLC0415

    hint = "Set BUDGETS to kinds of docs/operating.md with rates: seeks=30/hour,games:guest=10/min+100/day."
    return [Error(f"BUDGETS: {fault}", hint=hint, id="kickabout.E007") for fault in find_faults()]


def refuse_unsafe_configuration() -> None:
    """Raise ``ImproperlyConfigured`` with all that is missing, for servers, which do not run the checks.

    Without the static files that pages name, no page could be shown, not even that of an error.
    """
    errors = [message for message in run_checks(tags=[Tags.security]) if message.is_serious()]
    if errors:
        raise ImproperlyConfigured("This configuration is not safe:\n" + "\n".join(f"- {error}" for error in errors))
    if settings.PUBLIC and (missing := _check_static_files()):
        raise ImproperlyConfigured("\n".join(f"{each.msg} {each.hint}" for each in missing))


def _check_debugging() -> list[CheckMessage]:
    strangers = sorted(set(settings.ALLOWED_HOSTS) - set(settings.LOOPBACK_HOSTS))
    if not strangers:
        return []
    return [
        Error(
            f"DEBUG=1 shows the site's inside to everybody who reaches {', '.join(strangers)}.",
            hint="Set DEBUG=0, or ALLOWED_HOSTS to loopback addresses only.",
            id="kickabout.E001",
        )
    ]


def _check_safety() -> list[CheckMessage]:
    messages: list[CheckMessage] = []
    try:
        key = settings.SECRET_KEY
    except ImproperlyConfigured:
        key = ""
    if len(key) < MIN_KEY_LENGTH or len(set(key)) < MIN_KEY_LETTERS:
        messages.append(
            Error(
                "SECRET_KEY is missing or weak." if key else "SECRET_KEY is missing.",
                hint=f"Set it to {MIN_KEY_LENGTH} or more random characters that nobody else knows.",
                id="kickabout.E002",
            )
        )
    if not settings.ALLOWED_HOSTS or "*" in settings.ALLOWED_HOSTS:
        messages.append(
            Error(
                "ALLOWED_HOSTS does not say by which names this site is reached.",
                hint="Set it to the names, separated by commas: ALLOWED_HOSTS=play.example.org",
                id="kickabout.E003",
            )
        )
    if not settings.HTTPS and not set(settings.ALLOWED_HOSTS) <= set(settings.LOOPBACK_HOSTS):
        messages.append(
            Error(
                "HTTPS=0 would send passwords and sessions in the clear.",
                hint="Leave HTTPS unset, and set TRUSTED_PROXIES=1 behind a proxy that ends TLS.",
                id="kickabout.E004",
            )
        )
    site = urlsplit(settings.SITE_URL)
    if not site.hostname or not validate_host(site.hostname, settings.ALLOWED_HOSTS):
        messages.append(
            Error(
                f"This site is not reached by SITE_URL, {settings.SITE_URL}: links in mails would lead astray.",
                hint="Set it to the site's URL: SITE_URL=https://play.example.org",
                id="kickabout.E005",
            )
        )
    return messages


def _check_services() -> list[CheckMessage]:
    messages: list[CheckMessage] = []
    if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        messages.append(
            checks.Warning(
                "A public site on SQLite serves one machine's worth of players.",
                hint="Set DATABASE_URL=postgres://user:password@host/name",
                id="kickabout.W001",
            )
        )
        if settings.REPLICA_URL:
            messages.append(
                Error(
                    "REPLICA_URL is set, and the database is SQLite, which has no replicas.",
                    hint="Set DATABASE_URL to the PostgreSQL that is replicated, or leave REPLICA_URL unset.",
                    id="kickabout.E006",
                )
            )
    if settings.BROKER_URL == settings.IN_MEMORY:
        messages.append(
            checks.Warning(
                "Without a broker, only the single process of 'manage.py serve' does the work in the background.",
                hint="Set REDIS_URL=redis://host:6379/0",
                id="kickabout.W002",
            )
        )
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        messages.append(
            checks.Warning(
                "Without a mail server, mails are only printed, and nobody can confirm their e-mail.",
                hint="Set EMAIL_URL=smtp+tls://user:password@host:587",
                id="kickabout.W004",
            )
        )
    return messages + _check_static_files()


def _check_static_files() -> list[CheckMessage]:
    if settings.STATIC_ROOT is None or (settings.STATIC_ROOT / "staticfiles.json").exists():
        return []
    return [
        checks.Warning(
            f"{settings.STATIC_ROOT} has no collected static files.",
            hint="Run 'manage.py collectstatic --no-input' ('manage.py serve' does so by itself).",
            id="kickabout.W003",
        )
    ]
