"""Points of Paper Soccer to be tested: begun, played to a place, accepted, refused."""

from rules_engine.paper_soccer.field import NAMES, NUMBERS
from rules_engine.paper_soccer.game import PaperSoccer
from rules_engine.paper_soccer.presets import COMMON, Preset
from rules_engine.paper_soccer.rally import Rally
from rules_engine.values import Side
from tests.rules_engine.diagrams import refuses

__all__ = ["NO_OWN_GOALS", "begun", "name", "placed", "refuses"]

NO_OWN_GOALS = Preset(own_goals=False)


def begun(turns: str = "", *, first: Side = Side.YELLOW, preset: Preset = COMMON) -> Rally:
    """Return the point after these turns, a space between two."""
    state = PaperSoccer(preset).start(first)
    for turn in turns.split():
        state = state.play(turn)
    return state


def placed(x: int, y: int, *, side: Side = Side.YELLOW, preset: Preset = COMMON) -> Rally:
    """Return a point in which the ball lies here and nothing has been drawn, which no turns lead to."""
    return Rally(preset, side=side, first=side, ball=NUMBERS[x, y])


def name(x: int, y: int) -> str:
    """Return what the point at a place is called."""
    return NAMES[NUMBERS[x, y]]
