"""Common parts of ladders: no rounds, no end, and options on who meets whom again and who stays."""

from collections.abc import Mapping
from typing import Any, TypeVar

from formats.marked_texts import gettext_noop
from formats.options import MAX_DAYS, option
from formats.protocol import Abilities, Flow, Outline, Picture, PlainFormat, Record

E = TypeVar("E")

MAX_NUMBER = 2**31 - 1
"""The largest number that an option without a bound of its own takes."""


def rematch_option() -> Any:
    """Return the option that keeps the same two players apart for some days."""
    return option(
        14, gettext_noop("days before the same players meet again"), minimum=0, maximum=MAX_DAYS, is_free=True
    )


def inactivity_option() -> Any:
    """Return the option that says after how many days without an act a player leaves."""
    return option(
        30,
        gettext_noop("days of inactivity before a player leaves"),
        help_text=gettext_noop("Anything done on the site counts as activity. With 0, nobody is removed."),
        minimum=0,
        maximum=MAX_DAYS,
        is_free=True,
    )


def return_option() -> Any:
    """Return the option that says how long a place is remembered. Positions follow from it, so that it is not free."""
    return option(
        180,
        gettext_noop("days for which a position is remembered"),
        help_text=gettext_noop("Players who return later enter at the bottom."),
        minimum=0,
        maximum=MAX_DAYS,
    )


def describe_inactivity(days: int) -> list[tuple[str, Mapping[str, Any]]]:
    """Return what becomes of players who do nothing, if anything does."""
    sentence = (
        gettext_noop("If you do not use this site for %(days)d day, you are removed from the ladder.")
        if days == 1
        else gettext_noop("If you do not use this site for %(days)d days, you are removed from the ladder.")
    )
    return [(sentence, {"days": days})] if days else []


def window_option() -> Any:
    """Return the option that says how old results may be that a table adds up, 0 for any age."""
    return option(
        90, gettext_noop("days for which results count"), minimum=0, maximum=MAX_DAYS, is_free=True, shapes_table=True
    )


class EndlessFormat(PlainFormat):
    """The common part of all formats without rounds and without an end."""

    flow = Flow.CONTINUOUS
    picture = Picture.LADDER
    tiebreaks: tuple[str, ...] = ("points", "wins", "goal-difference", "goals", "draw")
    min_entrants = 0

    def abilities(self, options: Any) -> Abilities:
        """Return what it allows: players come and go, and nobody takes over the place of another."""
        return Abilities(late_entry=True, replays=True)

    def outline(self, entrants: int, options: Any) -> Outline:
        """Return that it has no end, for any number of entrants."""
        return Outline(rounds=None, matches=None, matches_each=None)

    def is_over(self, record: Record[E], options: Any) -> bool:
        """Return that it goes on."""
        return False
