"""The one table of budgets: kind of write, whose acts are counted together, what is counted, and how much.

Whoever makes rows or mails for others spends one of these; ``tests/permissions/test_budgets.py`` asks every URL.
Operators set other numbers in ``BUDGETS``, those of ``as_set`` in settings of their own.
"""

from collections.abc import Callable

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.settings import api_settings

from web.errors import BudgetSpent
from web.limits.budgets import Age, Budget, Effect, Rate, Rates, Unit, per, read_rates

_TOO_OFTEN = _("Too many attempts. Wait a while, then try again.")


def as_set(scope: str) -> Callable[[], Rates]:
    """Return what reads the rate of a scope from ``DEFAULT_THROTTLE_RATES`` in the settings."""
    return lambda: read_rates(str(api_settings.DEFAULT_THROTTLE_RATES[scope]))


def _requests(kind: str, unit: Unit = Unit.CLIENT, *, guards: bool = True) -> Budget:
    return Budget(kind, unit, Effect.REQUESTS, as_set(kind), guards=guards)


def _guesses(kind: str, unit: Unit, rate: Rate) -> Budget:
    return Budget(kind, unit, Effect.GUESSES, (rate,), refusal=_TOO_OFTEN)


REQUESTS = {
    budget.kind: budget
    for budget in (
        # What players need to play is let through where nothing can be counted.
        _requests("read", Unit.ACCOUNT_OR_CLIENT, guards=False),
        _requests("write", Unit.ACCOUNT_OR_CLIENT, guards=False),
        _requests("page-read", Unit.ACCOUNT_OR_CLIENT, guards=False),
        _requests("page-write", Unit.ACCOUNT_OR_CLIENT, guards=False),
        _requests("sign-up"),
        _requests("guests"),
        _requests("page-guests"),
        _requests("tokens"),
        _requests("password"),
        _requests("mail"),
        _requests("exports"),
        _requests("replays"),
        _requests("echoes", guards=False),
    )
}
"""Rates of requests by their scope, and of what visitors make by them."""

LOG_IN_BY_NAME = _guesses("log-in-by-name", Unit.NAME_AND_CLIENT, Rate(10, 600))
LOG_IN_BY_ACCOUNT = _guesses("log-in-by-account", Unit.NAME, Rate(100, 3600))
"""From all networks together: the slow ceiling, which a known browser does not meet."""
LOG_IN_BY_CLIENT = _guesses("log-in-by-client", Unit.CLIENT, Rate(100, 3600))
LOG_IN_BY_DEVICE = _guesses("log-in-by-device", Unit.ACCOUNT_AND_BROWSER, Rate(10, 600))
"""From a browser in which the account was logged in before."""

CURRENT_PASSWORD = _guesses("current-password", Unit.ACCOUNT, Rate(10, 600))
"""For a logged-in player: without it, anybody at an open browser could try passwords for ever."""

TOKENS_BY_CLIENT = _guesses("tokens-by-client", Unit.CLIENT, Rate(100, 3600))
COMPETITION_PASSWORDS = _guesses("competition-passwords", Unit.ACCOUNT_AND_TARGET, Rate(10, 600))
COMPETITION_PASSWORDS_BY_CLIENT = _guesses("competition-passwords-by-client", Unit.CLIENT, Rate(100, 3600))
"""For all competitions: a guest without cookies is another guest, but comes from the same place."""

SIGN_UPS = Budget("sign-ups", Unit.CLIENT, Effect.ROWS, per(hour=20), refusal=_TOO_OFTEN)
RESETS_BY_CLIENT = Budget("resets-by-client", Unit.CLIENT, Effect.MAILS, per(hour=20), refusal=_TOO_OFTEN)
RESETS_TO_EMAIL = Budget("resets-to-email", Unit.TARGET, Effect.MAILS, per(hour=3), refusal=_TOO_OFTEN)
CONFIRMATIONS = Budget("confirmations", Unit.ACCOUNT, Effect.MAILS, per(hour=5), refusal=_TOO_OFTEN)
CONFIRMATIONS_TO_EMAIL = Budget(
    "confirmations-to-email",
    Unit.TARGET,
    Effect.MAILS,
    lambda: (Rate(settings.MAX_CONFIRMATION_MAILS, 3600),),
    refusal=_("Too many e-mails were requested for this address. Wait an hour, or use another address."),
)


def _writes(
    kind: str,
    rates: Rates,
    refusal: str | Promise,
    *,
    unit: Unit = Unit.ACCOUNT,
    counts: Effect = Effect.ROWS,
    guests: Rates = (),
    newcomers: Rates = (),
) -> Budget:
    return Budget(kind, unit, counts, rates, guests, newcomers, BudgetSpent, refusal, guards=False)


GAMES = _writes(
    "games",
    per(minute=20, day=500),
    _("You can begin at most %(number)d games %(period)s. Wait %(wait)s, then try again."),
    guests=per(minute=5, day=60),
)
GAMES_OF_GUESTS = _writes(
    "games-of-guests",
    per(minute=60, day=2000),
    _("Guests on your network can begin at most %(number)d games %(period)s. Wait %(wait)s, or sign up."),
    unit=Unit.CLIENT,
)
SEEKS = _writes(
    "seeks",
    per(hour=20),
    _("You can post at most %(number)d games %(period)s. Wait %(wait)s, then try again."),
)
OFFERS = _writes(
    "offers",
    per(hour=60, day=300),
    _("You can offer at most %(number)d things in matches %(period)s. Wait %(wait)s, then try again."),
)
ANSWERS = _writes(
    "answers",
    per(hour=200, day=1000),
    _("You can answer beforehand at most %(number)d times %(period)s. Wait %(wait)s, then try again."),
    guests=per(hour=60, day=200),
)
"""Those that were removed again among them."""

ANALYSES = _writes(
    "analyses",
    per(hour=60, day=300),
    _("You can ask for at most %(number)d analyses %(period)s. Wait %(wait)s, then try again."),
    counts=Effect.JOBS,
    guests=per(hour=10, day=50),
)
ACTS = _writes(
    "acts",
    per(minute=300, hour=1500, day=5000),
    _("You can do at most %(number)d things in competitions %(period)s. Wait %(wait)s, then try again."),
    guests=per(minute=10, day=100),
)
"""Everything that is written to the log of a competition."""

COMPETITIONS = _writes(
    "competitions",
    per(hour=20, day=60),
    _("You can create at most %(number)d competitions %(period)s. Wait %(wait)s, then try again."),
)
"""Those that were deleted again among them, and those of staff."""

ANNOUNCEMENTS = _writes(
    "announcements",
    per(hour=3, day=10),
    _("A competition can have at most %(number)d announcements %(period)s. Wait %(wait)s, then post it."),
    unit=Unit.TARGET,
)
TEAMS = _writes(
    "teams",
    per(day=10),
    _("You can create at most %(number)d teams %(period)s. Wait %(wait)s, then try again."),
)
"""Those that were closed again among them."""

TEAM_INVITATIONS = _writes(
    "team-invitations",
    per(hour=20, day=40),
    _("You can invite at most %(number)d players to teams %(period)s. Wait %(wait)s, then try again."),
)
INVITATIONS_OF_TEAM = _writes(
    "invitations-of-team",
    per(day=40),
    _("A team can invite at most %(number)d players %(period)s. Wait %(wait)s, then try again."),
    unit=Unit.TARGET,
)
"""Whoever is its captain."""

MAILS = _writes(
    "mails",
    per(day=300),
    _("What you do can cause at most %(number)d e-mails %(period)s. Wait %(wait)s, then try again."),
    counts=Effect.MAILS,
    newcomers=per(day=100),
)
"""Mails to others by one's acts. The last act may cause more of them than are left."""

ROWS: dict[str, Budget] = {
    budget.kind: budget
    for budget in (*REQUESTS.values(), *(value for value in tuple(globals().values()) if isinstance(value, Budget)))
}
"""The whole table, by kind."""


def find_faults() -> list[str]:
    """Return a sentence for everything in ``BUDGETS`` that is no rate of a row."""
    faults = []
    for name, rates in settings.BUDGETS.items():
        kind, _colon, age = name.partition(":")
        if kind not in ROWS or (age and age not in set(Age)):
            faults.append(f"{name!r} is no budget.")
            continue
        try:
            read_rates(rates)
        except ValueError as error:
            faults.append(f"{name}: {error}.")
    return faults
