"""Budgets: how much of a kind somebody may do in a time. The table of all of them is ``web.limits.table``.

What is done is counted before it is done, because others come meanwhile. It is taken off again if it was not done, or,
of a guess, if it was right or was not checked at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from math import ceil

import structlog
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from web.errors import DomainError, PasswordsBusy, TooManyAttempts
from web.limits.request_counts import Count, count_request, forget_last_request, forget_requests

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""HTTP methods that only read."""

RATE = re.compile(r"(\d+)/(\d*)([smhd])[a-z]*")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}

SHORT_DELAY = 120
"""Seconds up to which a wait is given in seconds, and above in minutes or hours."""

_client: ContextVar[str] = ContextVar("client", default="")

logger = structlog.get_logger(__name__)


class Unit(StrEnum):
    """Whose acts are counted together."""

    ACCOUNT = "account"
    CLIENT = "client network"
    TARGET = "target"
    ACCOUNT_OR_CLIENT = "account, or client network of visitors"
    ACCOUNT_AND_TARGET = "account and target"
    ACCOUNT_AND_BROWSER = "account and browser"
    NAME = "name"
    NAME_AND_CLIENT = "name and client network"


class Effect(StrEnum):
    """What is counted."""

    REQUESTS = "requests"
    GUESSES = "guesses"
    ROWS = "rows"
    MAILS = "mails"
    JOBS = "jobs of the engine"


class Age(StrEnum):
    """How long an account has been there."""

    GUEST = "guest"
    NEW = "new"
    SETTLED = "settled"


@dataclass(frozen=True, slots=True)
class Rate:
    """At most ``number`` in ``seconds``."""

    number: int
    seconds: int


Rates = tuple[Rate, ...]


def per(*, minute: int = 0, hour: int = 0, day: int = 0) -> Rates:
    """Return the rates with these numbers; 0 is no limit."""
    numbers = {60: minute, 3600: hour, 86_400: day}
    return tuple(Rate(number, seconds) for seconds, number in numbers.items() if number)


@cache
def read_rates(text: str) -> Rates:
    """Return the rates of a text such as ``5/min+60/day`` or ``10/600s``. Raises ``ValueError``."""
    rates = []
    for part in text.split("+"):
        found = RATE.fullmatch(part.strip())
        if found is None:
            raise ValueError(f"{part.strip()!r} is no rate such as 20/min, 3/hour or 10/600s")
        number, count, unit = found.groups()
        rates.append(Rate(int(number), int(count or 1) * SECONDS[unit]))
    return tuple(rates)


TOO_MANY = gettext_lazy("You have sent too many requests. Wait %(wait)s, then try again.")


@dataclass(frozen=True, slots=True)
class Budget:
    """A row of the table. ``refusal`` is the sentence when it is spent; it may name ``number``, ``period``, ``wait``.

    Guests, and accounts in their first day, have their own rates where they are given. Operators set others in the
    setting ``BUDGETS``. What ``guards`` something is refused where nothing can be counted, all else is let through,
    because clocks run.
    """

    kind: str
    unit: Unit
    counts: Effect
    rates: Rates | Callable[[], Rates]
    guests: Rates = ()
    newcomers: Rates = ()
    error: type[TooManyAttempts] = TooManyAttempts
    refusal: str | Promise = TOO_MANY
    guards: bool = True

    def rates_of(self, age: Age = Age.SETTLED) -> Rates:
        """Return the rates of an account of this age."""
        # Asked at every request.
        if settings.BUDGETS:
            set_by_operator = settings.BUDGETS.get(f"{self.kind}:{age}") or settings.BUDGETS.get(self.kind)
            if set_by_operator:
                return read_rates(set_by_operator)
        own = self.guests if age is Age.GUEST else self.newcomers if age is Age.NEW else ()
        return own or (self.rates() if callable(self.rates) else self.rates)

    def of(self, *who: str, age: Age = Age.SETTLED) -> Claim:
        """Return what somebody has of this budget, who is known by one or several texts."""
        return Claim(self, who, age)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a rate: ``number`` of a kind in ``seconds``, of which ``left`` remain for ``reset`` seconds.

    It was ``allowed`` and counted, or refused and not counted.
    """

    kind: str
    number: int
    seconds: int
    left: int
    reset: float
    allowed: bool


@dataclass(frozen=True, slots=True)
class Claim:
    """One's share of a budget."""

    budget: Budget
    who: tuple[str, ...]
    age: Age

    def take(self, amount: int = 1) -> Allowance | None:
        """Count an amount where something is left of each rate; return the scarcest, or the one that refuses.

        The last amount may be more than what is left. Return ``None`` where nothing can be counted, unless the budget
        guards something: then the cache's error is raised.
        """
        scarcest: Allowance | None = None
        taken: list[Rate] = []
        for rate in self.budget.rates_of(self.age):
            counted = self._count(rate, amount)
            if counted is None:
                continue
            left = max(0, rate.number - counted.used)
            found = Allowance(
                self.budget.kind, rate.number, rate.seconds, left, max(0.0, counted.reset), counted.allowed
            )
            if not counted.allowed:
                self._return(taken, amount)
                return found
            taken.append(rate)
            if scarcest is None or found.left < scarcest.left:
                scarcest = found
        return scarcest

    def spend(self, amount: int = 1) -> None:
        """Count an amount. Raises the budget's error, and counts nothing, if nothing is left."""
        allowance = self.take(amount)
        if allowance is not None and not allowance.allowed:
            raise self._refusal(allowance)

    def give_back(self, amount: int = 1) -> None:
        """Remove the last amount from the counts."""
        self._return(self.budget.rates_of(self.age), amount)

    def forget(self) -> None:
        """Remove all from the counts."""
        for rate in self.budget.rates_of(self.age):
            forget_requests(self._key(rate))

    def _count(self, rate: Rate, amount: int) -> Count | None:
        try:
            return count_request(self._key(rate), number=rate.number, seconds=rate.seconds, amount=amount)
        except Exception as error:
            if self.budget.guards:
                raise
            logger.warning("rate_not_known", error=str(error))
            return None

    def _return(self, rates: Rates | list[Rate], amount: int) -> None:
        for rate in rates:
            try:
                forget_last_request(self._key(rate), seconds=rate.seconds, amount=min(amount, rate.number))
            except Exception as error:
                if self.budget.guards:
                    raise
                logger.warning("rate_not_known", error=str(error))

    def _refusal(self, allowance: Allowance) -> DomainError:
        wait = max(1, ceil(allowance.reset))
        named = {"number": allowance.number, "period": _period(allowance.seconds), "wait": _duration(wait)}
        return self.budget.error(str(self.budget.refusal) % named, wait=wait)

    def _key(self, rate: Rate) -> str:
        digest = sha256("\n".join(self.who).encode(errors="replace")).hexdigest()
        return f"{self.budget.kind}:{rate.seconds}:{digest}"


class Attempt:
    """One act, counted under several budgets at once."""

    def __init__(self, counted: tuple[Claim, ...]) -> None:
        """Keep the counts of the act until ``forgive``."""
        self._counted = counted

    def forgive(self) -> None:
        """Remove the act from all counts, because it was right, or not done."""
        for claim in self._counted:
            claim.give_back()
        self._counted = ()


@contextmanager
def attempt(*claims: Claim) -> Iterator[Attempt]:
    """Count a guess under all budgets before it is checked, or raise the refusal and count it under none.

    It stays counted if the context ends well or by a refusal, unless it was forgiven. It is taken off again if it was
    not checked: because of another limit, because the server was busy, or by a fault of ours.
    """
    one = spend_all(*claims)
    try:
        yield one
    except DomainError as refusal:
        if isinstance(refusal, PasswordsBusy | TooManyAttempts):
            one.forgive()
        raise
    except BaseException:
        one.forgive()
        raise


@contextmanager
def spending(*claims: Claim) -> Iterator[None]:
    """Count what is done in the context under all budgets, if a client asked for it; it is taken off if it fails.

    Raises the refusal of a budget that is spent. The site's own tasks and commands spend nothing.
    """
    if not current_client():
        yield
        return
    one = spend_all(*claims)
    try:
        yield
    except BaseException:
        one.forgive()
        raise


def spend_all(*claims: Claim) -> Attempt:
    """Count an act under all budgets, or raise the refusal of one and count it under none."""
    for number, claim in enumerate(claims):
        try:
            claim.spend()
        except TooManyAttempts:
            Attempt(claims[:number]).forgive()
            raise
    return Attempt(claims)


@contextmanager
def requested_by(network: str) -> Iterator[None]:
    """Let what is done in the context be asked for by a client of this network."""
    token = _client.set(network)
    try:
        yield
    finally:
        _client.reset(token)


def current_client() -> str:
    """Return the network of the client whose request is being answered; empty in tasks and commands."""
    return _client.get()


def _duration(seconds: int) -> str:
    if seconds < SHORT_DELAY:
        return ngettext("%(number)d second", "%(number)d seconds", seconds) % {"number": seconds}
    minutes = ceil(seconds / 60)
    if minutes < SHORT_DELAY:
        return ngettext("%(number)d minute", "%(number)d minutes", minutes) % {"number": minutes}
    hours = ceil(minutes / 60)
    return ngettext("%(number)d hour", "%(number)d hours", hours) % {"number": hours}


def _period(seconds: int) -> str:
    known = {60: _("a minute"), 3600: _("an hour"), 86_400: _("a day")}
    return known.get(seconds) or _("in %(time)s") % {"time": _duration(seconds)}
