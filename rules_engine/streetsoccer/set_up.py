"""The set-up: who may be placed where, so that it can still be completed (S4)."""

from __future__ import annotations

from collections.abc import Iterator

from rules_engine.errors import IllegalMove
from rules_engine.streetsoccer.pitch import (
    CENTRE_CIRCLE,
    HALVES,
    KEEPER_SPACES,
    NAMES,
    PITCH,
    goal_of,
)
from rules_engine.streetsoccer.presets import TEAM, Circle, Preset
from rules_engine.streetsoccer.shift import crowds_area
from rules_engine.streetsoccer.turn import spaces_of
from rules_engine.values import Side


def placements(preset: Preset, side: Side, own: tuple[int, ...], opponents: tuple[int, ...]) -> Iterator[int]:
    """Yield the spaces where the next player can be placed, in the order of their numbers."""
    for number in NAMES:
        if PITCH >> number & 1 and refusal(preset, side, own, opponents, number) is None:
            yield number


def refusal(
    preset: Preset, side: Side, own: tuple[int, ...], opponents: tuple[int, ...], number: int
) -> IllegalMove | None:
    """Return why the next player cannot be placed here, ``None`` if he can."""
    name = NAMES[number]
    taken = spaces_of(own + opponents)
    if not PITCH >> number & 1:
        return IllegalMove("S4", f"{name} is outside the lines; players start on the pitch")
    if taken >> number & 1:
        return IllegalMove("S1", f"a player stands on {name} already")
    if not own:
        if KEEPER_SPACES[side] >> number & 1:
            return None
        return IllegalMove("S4", f"the goalie starts on one of his own keeper spaces, not on {name}")
    if goal_of(number):
        return IllegalMove("S15", f"{name} is a keeper space, where no outfielder may stand")
    if crowds_area(number, side, False, spaces_of(own[1:])):
        return IllegalMove("S16", f"on {name} he would be the second outfielder in his own penalty area")
    if preset.circle is Circle.LEFT_EMPTY and (CENTRE_CIRCLE.yellow | CENTRE_CIRCLE.red) >> number & 1:
        return IllegalMove("S4", f"{name} is in the centre circle, where nobody is placed")
    if CENTRE_CIRCLE[side.opponent] >> number & 1:
        return IllegalMove("S4", f"{name} is in the opponent's part of the centre circle")
    left = TEAM - len(own) - 1
    wants = _wants(preset, side, spaces_of((*own[1:], number)))
    if sum(wants.values()) > left:
        missing = " and ".join(place for place, players in wants.items() if players)
        return IllegalMove("S4", f"with a player on {name} too few would be left for {missing}")
    return None


def places_left(preset: Preset, side: Side, own: tuple[int, ...]) -> list[str]:
    """Return the places of which every player still to be placed has to take one, nothing while there is a choice.

    ``own`` are the side's players that stand already, the goalie first.
    """
    wants = _wants(preset, side, spaces_of(own[1:]))
    return [place for place, players in wants.items() if players] if sum(wants.values()) == TEAM - len(own) else []


def _wants(preset: Preset, side: Side, outfielders: int) -> dict[str, int]:
    """Return how many more outfielders the set-up needs, by place.

    Whoever stands in the circle stands in his own half too.
    """
    in_half = (outfielders & HALVES[side]).bit_count()
    in_circle = (outfielders & CENTRE_CIRCLE[side]).bit_count()
    circle = int(preset.circle is Circle.OWN_PART_TAKEN and not in_circle)
    return {
        "your part of the centre circle": circle,
        "your own half": max(preset.own_half - in_half - circle, 0),
        "the opponent's half": int(not outfielders & HALVES[side.opponent]),
    }
