"""Limits of attempts, so that nobody can guess passwords or flood the site with guests.

An attempt is counted before it is checked, because others can try during the check. If it was right, or was not checked
at all, it is taken off again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from math import ceil

from django.utils.translation import gettext as _

from web.errors import DomainError, PasswordsBusy, TooManyAttempts
from web.limits.request_counts import count_request, forget_last_request, forget_requests


@dataclass(frozen=True, slots=True)
class Limit:
    """Allows at most ``number`` attempts of a ``kind`` in ``seconds``."""

    kind: str
    number: int
    seconds: int

    def of(self, *who: str) -> Attempts:
        """Return the attempts by a client, which is known by one or several texts."""
        return Attempts(self, who)

    def spend(self, *who: str) -> None:
        """Count one attempt by a client. Raises ``TooManyAttempts`` if none is left."""
        self.of(*who).spend()

    def forget(self, *who: str) -> None:
        """Remove all attempts of a client from the count."""
        self.of(*who).forget()


@dataclass(frozen=True, slots=True)
class Attempts:
    """The attempts of one client under a limit."""

    limit: Limit
    who: tuple[str, ...]

    def spend(self) -> None:
        """Count one more attempt. Raises ``TooManyAttempts``, and counts nothing, if none is left."""
        counted = count_request(self._key, number=self.limit.number, seconds=self.limit.seconds)
        if not counted.allowed:
            raise TooManyAttempts(
                _("Too many attempts. Wait a while, then try again."), wait=max(1, ceil(counted.reset))
            )

    def give_back(self) -> None:
        """Remove the last attempt from the count."""
        forget_last_request(self._key, seconds=self.limit.seconds)

    def forget(self) -> None:
        """Remove all attempts from the count."""
        forget_requests(self._key)

    @property
    def _key(self) -> str:
        digest = sha256("\n".join(self.who).encode(errors="replace")).hexdigest()
        return f"attempts:{self.limit.kind}:{digest}"


class Attempt:
    """One attempt, counted under several limits at once."""

    def __init__(self, counted: tuple[Attempts, ...]) -> None:
        """Keep the counts of the attempt until ``forgive``."""
        self._counted = counted

    def forgive(self) -> None:
        """Remove the attempt from all counts, because it was right or not checked."""
        for attempts in self._counted:
            attempts.give_back()
        self._counted = ()


@contextmanager
def attempt(*limits: Attempts) -> Iterator[Attempt]:
    """Count an attempt under all limits before it is checked, or raise ``TooManyAttempts`` and count it under none.

    It stays counted if the context ends well or by a refusal, unless it was forgiven. It is taken off again if it was
    not checked: because of another limit, because the server was busy, or by a fault of ours.
    """
    one = spend_all(*limits)
    try:
        yield one
    except DomainError as refusal:
        if isinstance(refusal, PasswordsBusy | TooManyAttempts):
            one.forgive()
        raise
    except BaseException:
        one.forgive()
        raise


def spend_all(*limits: Attempts) -> Attempt:
    """Count an attempt under all limits, or raise ``TooManyAttempts`` and count it under none."""
    for number, attempts in enumerate(limits):
        try:
            attempts.spend()
        except TooManyAttempts:
            Attempt(limits[:number]).forgive()
            raise
    return Attempt(limits)
