"""Paper Soccer's options as data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """The options of what is played for one point.

    ``own_goals``: players may play into the goal that they defend, which gives the opponent the point (P6); otherwise
    no such step is legal.
    """

    own_goals: bool = True


COMMON = Preset()
"""The game as most people play it."""
