"""The clock of a match: a bank of time for each side, an increment after a turn, and a cap.

Pure. Every length of time is a ``timedelta`` of whole milliseconds, every moment a whole millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache

MILLISECOND = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)
MAX_BANK = timedelta(days=366)

MAX_ALLOWANCE = timedelta(seconds=1)
"""The most that a move is allowed for its way."""

MAX_ALLOWED = timedelta(seconds=10)
"""The most that the moves of a side are allowed in a match."""

MAX_DRAWN = 5
"""The number of late decisions of a side in a row that are drawn: with the last of them the match is lost on time."""


class ClockFault(StrEnum):
    """The ways in which numbers make no time control, or a turn cannot be charged to a clock."""

    BANK_OUT_OF_RANGE = "bank-out-of-range"
    INCREMENT_OUT_OF_RANGE = "increment-out-of-range"
    CAP_OUT_OF_RANGE = "cap-out-of-range"
    INCREMENT_ABOVE_BANK = "increment-above-bank"
    BANK_SPENT = "bank-spent"


class InvalidClock(ValueError):
    """A clock that cannot be, by its ``fault``; ``max_days`` is the number of days that no length of time exceeds."""

    def __init__(self, fault: ClockFault) -> None:
        super().__init__(f"invalid clock: {fault}")
        self.fault = fault
        self.max_days = MAX_BANK.days


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time that both sides agreed on: the bank they start with, what a turn adds, and the most a bank holds.

    All three are whole seconds. With ``by_decision`` the clock starts anew with every decision, also of the same side,
    and a late one is drawn. Raises ``InvalidClock`` when they make no sense together.
    """

    bank: timedelta
    increment: timedelta
    cap: timedelta
    by_decision: bool = False

    def __post_init__(self) -> None:
        if not SECOND <= self.bank <= MAX_BANK:
            raise InvalidClock(ClockFault.BANK_OUT_OF_RANGE)
        if not timedelta(0) <= self.increment <= MAX_BANK:
            raise InvalidClock(ClockFault.INCREMENT_OUT_OF_RANGE)
        if not self.bank <= self.cap <= MAX_BANK:
            raise InvalidClock(ClockFault.CAP_OUT_OF_RANGE)

    @classmethod
    @lru_cache(maxsize=256)
    def of_seconds(cls, bank: int, increment: int, cap: int) -> TimeControl:
        """Return the time control with these numbers of seconds; raises ``InvalidClock``."""
        longest = MAX_BANK // SECOND + 1
        lengths = [timedelta(seconds=max(-1, min(length, longest))) for length in (bank, increment, cap)]
        return cls(lengths[0], lengths[1], lengths[2])

    @classmethod
    def of_decisions(cls, seconds: int) -> TimeControl:
        """Return the time control with so many seconds for every decision."""
        return replace(cls.of_seconds(seconds, seconds, seconds), by_decision=True)

    @property
    def in_seconds(self) -> tuple[int, int, int]:
        """Return bank, increment and cap in seconds."""
        return self.bank // SECOND, self.increment // SECOND, self.cap // SECOND

    @classmethod
    def for_new_match(cls, bank: int, increment: int, cap: int) -> TimeControl:
        """Return a time control that a new match may have; raises ``InvalidClock``.

        A turn cannot add more than the bank. A match that was started before that was so keeps its clock.
        """
        control = cls.of_seconds(bank, increment, cap)
        if control.increment > control.bank:
            raise InvalidClock(ClockFault.INCREMENT_ABOVE_BANK)
        return control

    @property
    def is_live(self) -> bool:
        """Return whether the match is played in one sitting: its bank is shorter than a day, so vacation is no help."""
        return self.bank < DAY


CORRESPONDENCE = TimeControl(bank=timedelta(hours=240), increment=timedelta(hours=36), cap=timedelta(hours=240))


def whole_millisecond(now: datetime) -> datetime:
    """Return the last whole millisecond at or before ``now``: the resolution of every clock here.

    Whole milliseconds everywhere mean that nothing is ever rounded, for or against a player.
    """
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def spent(since: datetime, now: datetime) -> timedelta:
    """Return the time from ``since`` to ``now``.

    It is zero when ``now`` comes first: a server's clock that was set back charges nobody.
    """
    return max(timedelta(0), now - since)


@dataclass(frozen=True, slots=True)
class RunningClock:
    """The clock of the side to act: what it held when it was started, and since when it runs.

    No change from outside makes its deadline earlier, but for an extension that is taken back.
    """

    bank: timedelta
    started_at: datetime

    @property
    def deadline(self) -> datetime:
        """Return the moment at which the bank is empty and the side loses on time."""
        return self.started_at + self.bank

    def is_late(self, now: datetime) -> bool:
        """Return whether the deadline has passed; at the deadline itself it has."""
        return is_late(self.deadline, now)

    def left(self, now: datetime) -> timedelta:
        """Return what the bank still holds; negative once the deadline has passed."""
        return self.bank - spent(self.started_at, now)

    def with_day(self) -> RunningClock:
        """Return the clock with a day of vacation: 24 hours more, above the cap if need be."""
        return RunningClock(self.bank + DAY, self.started_at)

    def extended(self, control: TimeControl, by: timedelta, now: datetime) -> tuple[RunningClock, timedelta]:
        """Return the clock started anew with more time, at most up to the cap, and how much it got."""
        given = extension(control, self.left(now), by)
        if not given:
            return self, given
        return RunningClock(self.left(now) + given, max(self.started_at, now)), given

    def shortened(self, by: timedelta, now: datetime) -> RunningClock:
        """Return the clock started anew with so much less."""
        return RunningClock(self.left(now) - by, max(self.started_at, now))

    def after_pause(self, length: timedelta) -> RunningClock:
        """Return the clock after a pause of this length."""
        return RunningClock(self.bank, self.started_at + max(timedelta(0), length))

    def charged(self, control: TimeControl, now: datetime) -> timedelta:
        """Return the bank after the turn that ends now; raises ``InvalidClock`` when it is too late for that."""
        return charge(control, self.bank, spent(self.started_at, now))


def is_late(deadline: datetime, now: datetime) -> bool:
    """Return whether the deadline has passed: at the deadline itself the bank is empty."""
    return now >= deadline


def allowance(control: TimeControl, way: timedelta, thinking: timedelta, allowed: timedelta) -> timedelta:
    """Return what of a move's ``thinking`` is not charged, for its ``way`` from the server and back.

    ``allowed`` is what the side was allowed before. Who has days to move is allowed nothing.
    """
    if not control.is_live:
        return timedelta(0)
    return max(timedelta(0), min(way, thinking, MAX_ALLOWANCE, MAX_ALLOWED - allowed))


def extension(control: TimeControl, bank: timedelta, by: timedelta) -> timedelta:
    """Return how much of the extension ``by`` a bank gets: no more than the cap allows."""
    return max(timedelta(0), min(by, control.cap - bank))


def held_back(control: TimeControl, begin_within: int | None) -> timedelta:
    """Return how much of its bank a side gets only with its first move, which is due within so many seconds.

    Nothing is held back of a clock that leaves no more, or has a time for each decision.
    """
    if begin_within is None or control.by_decision:
        return timedelta(0)
    return max(timedelta(0), control.bank - begin_within * SECOND)


def least_left(control: TimeControl) -> timedelta:
    """Return what taking back an extension leaves at least: a tenth of the bank, at most a day."""
    return min(DAY, control.bank / 10)


def charge(control: TimeControl, bank: timedelta, used: timedelta) -> timedelta:
    """Return the bank after a turn that took ``used``: less that, plus the increment, at most the cap.

    Raises ``InvalidClock`` when the turn took as long as the bank lasts, or longer.
    """
    if used >= bank:
        raise InvalidClock(ClockFault.BANK_SPENT)
    return min(control.cap, bank - used + control.increment)
