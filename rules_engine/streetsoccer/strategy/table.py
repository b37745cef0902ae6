"""The chance of winning by score and clock alone, as if every turn were as likely to score as any other."""

from functools import cache
from typing import Final

from rules_engine.streetsoccer.presets import Preset

SCORING: Final = 0.09
"""The chance that a turn scores: 120 matches of the computer against itself had 4.5 goals in 50 turns."""

OWN: Final = 1
OTHER: Final = -1
NOBODY: Final = 0
"""The scorer of the last goal, as the side to act sees it."""

MAX_LEAD: Final = 8
"""A lead of more goals is as good as this one."""


@cache
def chance_at(preset: Preset, turns: int, lead: int, last: int) -> float:
    """Return the chance of winning of the side to act, a draw counting a half, when ``turns`` have been taken.

    ``lead`` is its goals less the opponent's, ``last`` who scored the last goal.
    """
    lead = max(-MAX_LEAD, min(MAX_LEAD, lead))
    if turns >= 2 * preset.minutes and lead:
        return float(lead > 0)
    if turns >= 2 * (preset.minutes + preset.extra_minutes):
        return (1 + last) / 2
    scored = 1 - chance_at(preset, turns + 1, -(lead + 1), OTHER)
    missed = 1 - chance_at(preset, turns + 1, -lead, -last)
    return SCORING * scored + (1 - SCORING) * missed
