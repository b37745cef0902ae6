"""The time of a simulated site: it runs like any other, and is put forward when everybody waits for a later moment.

It is as far ahead of the real time as a file says, so that worker processes have the same time: ``simulation_worker``
is one. The database's own clock, which dates what streams send, stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone

from database import clock

_real_time: Callable[[], datetime] = timezone.now  # noqa: TID251 - it is what is put forward


@dataclass(frozen=True, slots=True)
class SimulatedClock:
    """A clock that is as many seconds ahead as its file says, which nobody else writes."""

    file: Path

    @classmethod
    def in_folder(cls, folder: Path) -> SimulatedClock:
        """Return a clock with a new file in a folder that shows the real time."""
        clock = cls(folder / "seconds-ahead")
        clock._write(timedelta(0))
        return clock

    @property
    def ahead(self) -> timedelta:
        """Return how far it is ahead of the real time."""
        return timedelta(seconds=float(self.file.read_text()))

    def now(self) -> datetime:
        """Return its time."""
        return _real_time() + self.ahead

    def put_forward(self, moment: datetime) -> None:
        """Let it show this moment now; it never goes back."""
        self._write(max(self.ahead, moment - _real_time()))

    def install(self) -> None:
        """Let everything in this process that asks the site or Django for the time be told its time, for good."""
        clock.use(self.now)
        timezone.now = self.now  # noqa: TID251 - Django's own code asks it

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Install it as long as the context lasts."""
        self.install()
        try:
            yield
        finally:
            clock.use(None)
            timezone.now = _real_time  # noqa: TID251 - as above

    def _write(self, ahead: timedelta) -> None:
        # Workers must never read half a number.
        new = self.file.with_suffix(".new")
        new.write_text(str(ahead.total_seconds()))
        new.replace(self.file)
