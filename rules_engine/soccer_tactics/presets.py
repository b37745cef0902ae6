"""Soccer Tactics' options as data, and the five presets that are played."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Preset:
    """The options of one way to play.

    ``minutes`` are those of a half, ``extra_minutes`` of a period of over time (T18). ``defender`` is what a defender
    adds to the die in a battle (T11).
    """

    key: str
    title: str
    minutes: int
    extra_minutes: int
    defender: int


PRESETS: Final = (
    Preset("soccer-tactics", "Soccer Tactics", minutes=25, extra_minutes=9, defender=1),
    Preset("soccer-tactics-advanced", "Soccer Tactics (advanced)", minutes=25, extra_minutes=9, defender=2),
    Preset("soccer-tactics-20", "Soccer Tactics (20 minutes)", minutes=10, extra_minutes=4, defender=1),
    Preset("soccer-tactics-90", "Soccer Tactics (90 minutes)", minutes=45, extra_minutes=15, defender=1),
    Preset("soccer-tactics-90-advanced", "Soccer Tactics (90 minutes, advanced)", 45, extra_minutes=15, defender=2),
)
