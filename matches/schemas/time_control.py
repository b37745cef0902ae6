"""Time controls in JSON."""

from __future__ import annotations

from typing import TypedDict

from matches.clock import SECOND, TimeControl


class TimeControlSchema(TypedDict):
    """The time of each side, in seconds."""

    bank: int
    """The time with which a side starts."""
    increment: int
    """The time that each turn adds."""
    cap: int
    """The most that a bank holds."""


def time_control_to_json(control: TimeControl) -> TimeControlSchema:
    """Return a time control."""
    return {
        "bank": control.bank // SECOND,
        "increment": control.increment // SECOND,
        "cap": control.cap // SECOND,
    }
