"""Names, numbers, outcomes and time controls that several resources have."""

from typing import Literal, TypedDict, cast

from matches.clock import SECOND, TimeControl
from rules_engine.values import BySide, Outcome, Side

SideName = Literal["yellow", "red"]
ActorName = Literal["yellow", "red", "chance"]
EndingName = Literal[
    "normal-time",
    "sudden-death",
    "last-goal",
    "goalless",
    "over-time",
    "penalties",
    "resignation",
    "timeout",
    "forfeit",
    "adjudication",
    "agreement",
    "cancelled",
]


class NumbersSchema(TypedDict):
    """A number for each side: goals, or match points."""

    yellow: int
    red: int


class OutcomeSchema(TypedDict):
    """The outcome of a match."""

    winner: SideName | None
    """Null for a draw."""
    ending: EndingName
    score: NumbersSchema


def side_to_json(side: Side | str | None) -> SideName | None:
    """Return the name of a side, null for none."""
    return cast("SideName", str(side)) if side else None


def numbers_to_json(numbers: BySide[int]) -> NumbersSchema:
    """Return a number for each side."""
    return {"yellow": numbers.yellow, "red": numbers.red}


def outcome_to_json(outcome: Outcome) -> OutcomeSchema:
    """Return how a match ended."""
    return {
        "winner": side_to_json(outcome.winner),
        "ending": cast("EndingName", str(outcome.ending)),
        "score": numbers_to_json(outcome.score),
    }


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
