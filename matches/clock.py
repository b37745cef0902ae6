"""The clock of a match: a bank of time for each side, an increment after a turn, and a cap.

Pure. Every length of time is a ``timedelta`` of whole milliseconds, every moment a whole millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

MILLISECOND = timedelta(milliseconds=1)
SECOND = timedelta(seconds=1)
LONGEST_BANK = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """What both sides agreed on: the bank they start with, what a turn adds, and the most a bank holds.

    All three are whole seconds. Raises ``ValueError`` with a sentence when they make no sense together.
    """

    bank: timedelta
    increment: timedelta
    cap: timedelta

    def __post_init__(self) -> None:
        if not SECOND <= self.bank <= LONGEST_BANK:
            raise ValueError("The bank must be between one second and 366 days.")
        if not timedelta(0) <= self.increment <= LONGEST_BANK:
            raise ValueError("The increment must be between nothing and 366 days.")
        if not self.bank <= self.cap <= LONGEST_BANK:
            raise ValueError("The cap must be between the bank and 366 days.")

    @classmethod
    def of_seconds(cls, bank: int, increment: int, cap: int) -> TimeControl:
        """Return the time control with these numbers of seconds; raises ``ValueError``."""
        longest = LONGEST_BANK // SECOND + 1
        return cls(*(timedelta(seconds=max(-1, min(length, longest))) for length in (bank, increment, cap)))


CORRESPONDENCE = TimeControl(bank=timedelta(hours=240), increment=timedelta(hours=36), cap=timedelta(hours=240))


def whole_millisecond(now: datetime) -> datetime:
    """Return the last whole millisecond at or before ``now``: the resolution of every clock here.

    Whole milliseconds everywhere mean that nothing is ever rounded, for or against a player.
    """
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def spent(since: datetime, now: datetime) -> timedelta:
    """Return the time from ``since`` to ``now``.

    Nothing when ``now`` comes first: a server's clock that was set back gives no time away.
    """
    return max(timedelta(0), now - since)


def deadline(turn_started_at: datetime, bank: timedelta) -> datetime:
    """Return the moment at which a side that holds ``bank`` loses on time."""
    return turn_started_at + bank


def is_late(deadline: datetime, now: datetime) -> bool:
    """Return whether the deadline has passed: at the deadline itself the bank is empty."""
    return now >= deadline


def charge(control: TimeControl, bank: timedelta, used: timedelta) -> timedelta:
    """Return the bank after a turn that took ``used``: less that, plus the increment, at most the cap.

    Raises ``ValueError`` when the turn took as long as the bank lasts, or longer.
    """
    if used >= bank:
        raise ValueError("The bank ran out before the turn was over.")
    return min(control.cap, bank - used + control.increment)
