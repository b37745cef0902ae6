"""The time of the site: that of its database's clock, which all hosts share. On SQLite it is the process's own.

Each request, task and command is judged by the moment at which it arrived, however long it then waits. A door calls
``arriving`` first of all, and passes ``current_moment`` to services as ``now``. How far this process is from the
database's clock is measured when somebody asks, every few seconds at most.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock
from time import monotonic

from django.db import Error, connection
from django.utils import timezone

MEASURE_INTERVAL = 5.0
"""Seconds after which the database's clock is read again."""

MAX_ROUND_TRIP = 0.5
"""The most seconds that a reading may take: of a slower one it is not certain enough when it was made."""

MAX_AHEAD = timedelta(seconds=2)
"""The most by which the clock of a host should differ from the database's."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A moment of the database's clock, read ``at`` a monotonic time, and how far the host's clock was ``ahead``."""

    at: float
    moment: datetime
    ahead: timedelta


@dataclass(slots=True)
class _Arrival:
    """A monotonic time, and the moment that it was, once somebody has asked."""

    at: float
    moment: datetime | None = None


class _Source:
    """Holds where the time comes from: the last measurement, or a clock that stands in for the site's."""

    measurement: Measurement | None = None
    other: Callable[[], datetime] | None = None


_arrival: ContextVar[_Arrival | None] = ContextVar("arrival", default=None)
_measuring = Lock()


@contextmanager
def arriving() -> Iterator[None]:
    """Let it be the moment from now on at which the context began."""
    is_shared = connection.vendor == "postgresql"
    before = _arrival.set(_Arrival(monotonic(), None if is_shared else read_clock()))
    try:
        yield
    finally:
        _arrival.reset(before)


def current_moment() -> datetime:
    """Return when the request, task or command arrived, and outside of them the time. Raises the database's errors."""
    arrival = _arrival.get()
    if arrival is None:
        return read_clock()
    if arrival.moment is None:
        arrival.moment = read_clock() - timedelta(seconds=monotonic() - arrival.at)
    return arrival.moment


def read_clock() -> datetime:
    """Return the time as it is now, also in what has begun long ago. Raises the database's errors."""
    if _Source.other is not None:
        return _Source.other()
    if connection.vendor != "postgresql":
        return timezone.now()  # noqa: TID251 - here the process's clock is the site's
    measured = measure()
    return measured.moment + timedelta(seconds=monotonic() - measured.at)


def measure_ahead() -> timedelta:
    """Return how far the clock of this host is ahead of the database's, negative if it is behind."""
    return measure().ahead if connection.vendor == "postgresql" else timedelta(0)


def measure() -> Measurement:
    """Return a measurement of PostgreSQL's clock of the last few seconds, or the last one if there can be none now.

    Raises the database's errors if there is none at all.
    """
    known = _Source.measurement
    if known is not None and (monotonic() - known.at < MEASURE_INTERVAL or not _measuring.acquire(blocking=False)):
        return known
    if known is None:
        _measuring.acquire()
    try:
        known = _Source.measurement = _read_database(known)
    except Error:
        # Elapsed time is true for long. What is wrong with the connection, the next query will say.
        if known is None:
            raise
    finally:
        _measuring.release()
    return known


def use(other: Callable[[], datetime] | None) -> None:
    """Let the time of this process come from another clock, or from the site's own again."""
    _Source.other = other


def forget() -> None:
    """Measure the database's clock anew when somebody asks, as when the host's has been set."""
    _Source.measurement = None


def _read_database(known: Measurement | None) -> Measurement:
    """Return a new measurement, or the ``known`` one if the reply was long in coming."""
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    with connection.wrap_database_errors:
        begun = monotonic()
        # Not by one of Django's cursors: it is no query of what is asking.
        moment = connection.connection.execute("SELECT clock_timestamp()", prepare=False).fetchone()[0]
        own, ended = datetime.now(UTC), monotonic()  # noqa: TID251 - it is compared with the database's
    if known is not None and ended - begun > MAX_ROUND_TRIP:
        return known
    half = (ended - begun) / 2
    return Measurement(at=begun + half, moment=moment, ahead=own - timedelta(seconds=half) - moment)
