"""The facts that are true of one family of games only, for the tests that all games share."""

import re
from dataclasses import dataclass
from typing import Final

from rules_engine.registry import get_game


@dataclass(frozen=True)
class Family:
    """The promises of a family's rules; a new game makes the usual ones until it has a row.

    ``rolls`` is the form of all that chance can come to. ``roll_may_end``: a roll may end a match; ``shares_spaces``:
    two opponents may stand on one space; ``goals``: how many goals are spaces; ``matches``: how many random matches of
    each preset are played.
    """

    rolls: re.Pattern[str] = re.compile(r"[0-9a-z-]+")
    roll_may_end: bool = False
    shares_spaces: bool = False
    goals: int = 2
    matches: int = 3


OWN: Final = {
    "streetsoccer": Family(re.compile("[1-6]")),
    "paper-soccer": Family(re.compile("yellow|red")),
    "soccer-tactics": Family(
        re.compile(r"[1-9]|1[0-2]|[1-6]-[1-6]|goal|no-goal|corner|goal-kick"),
        roll_may_end=True,
        shares_spaces=True,
        goals=0,
        matches=1,
    ),
}


def family_of(key: str) -> Family:
    """Return what is true of the game with this key."""
    return OWN.get(get_game(key).family, Family())
