"""Counting attempts, so that nobody can guess passwords or flood the site with guests."""

from dataclasses import dataclass
from hashlib import sha256

from django.core.cache import cache
from django.utils.translation import gettext as _

from players.errors import TooManyAttempts


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``number`` attempts of a ``kind`` in ``seconds``, counted from the first of them."""

    kind: str
    number: int
    seconds: int

    def check(self, *who: str) -> None:
        """Raise TooManyAttempts when ``who`` has used up his attempts."""
        if cache.get(self._key(who), 0) >= self.number:
            raise TooManyAttempts(_("Too many attempts. Wait a while and try again."), wait=self.seconds)

    def count(self, *who: str) -> None:
        """Count one attempt by ``who``."""
        key = self._key(who)
        if not cache.add(key, 1, self.seconds):
            try:
                cache.incr(key)
            except ValueError:
                cache.add(key, 1, self.seconds)

    def spend(self, *who: str) -> None:
        """Count one attempt by ``who``, or raise TooManyAttempts when there is none left."""
        self.check(*who)
        self.count(*who)

    def forget(self, *who: str) -> None:
        """Give ``who`` all his attempts back."""
        cache.delete(self._key(who))

    def _key(self, who: tuple[str, ...]) -> str:
        digest = sha256("\n".join(who).encode(errors="replace")).hexdigest()
        return f"attempts:{self.kind}:{digest}"
