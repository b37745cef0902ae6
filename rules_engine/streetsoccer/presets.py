"""StreetSoccer's options as data, and the two presets that are played."""

from dataclasses import dataclass
from enum import StrEnum

from rules_engine.streetsoccer.pitch import NUMBERS
from rules_engine.values import BySide

TEAM = 5
"""A goalie and four outfielders (S1)."""


class Circle(StrEnum):
    """The rule for the centre circle in a set-up (S4)."""

    OWN_PART_TAKEN = "own part taken"
    LEFT_EMPTY = "left empty"


@dataclass(frozen=True, slots=True)
class Preset:
    """The options of one way to play.

    ``standing`` are the players that stand before anybody places (S4), the goalie first.
    ``number_first``: the kick-off number is rolled before the set-up, and Yellow kicks off (S5);
    otherwise it is rolled afterwards and the higher roller does. ``die_first``: after a goal the die is
    rolled before the goalie's space is chosen (S18). ``enclosure``: S19 and S20 are in force.
    """

    key: str
    title: str
    standing: BySide[tuple[str, ...]]
    circle: Circle
    own_half: int
    number_first: bool
    die_first: bool
    enclosure: bool
    minutes: int = 25
    extra_minutes: int = 10

    @property
    def standing_spaces(self) -> BySide[tuple[int, ...]]:
        """Return the spaces of the players that stand before anybody places."""
        return self.standing.map(lambda names: tuple(NUMBERS[name] for name in names))


BOARD_PRESET = Preset(
    key="streetsoccer-board",
    title="StreetSoccer (full set-up)",
    standing=BySide((), ()),
    circle=Circle.OWN_PART_TAKEN,
    own_half=2,
    number_first=False,
    die_first=False,
    enclosure=True,
)
ONLINE_PRESET = Preset(
    key="streetsoccer-online",
    title="StreetSoccer (quick set-up)",
    standing=BySide(("d1", "d5"), ("e10", "e6")),
    circle=Circle.LEFT_EMPTY,
    own_half=0,
    number_first=True,
    die_first=True,
    enclosure=False,
)
