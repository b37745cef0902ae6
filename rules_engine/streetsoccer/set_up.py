"""The set-up: who may be placed where, so that it can still be completed (S4)."""

from collections.abc import Iterator

from rules_engine.errors import IllegalMove
from rules_engine.messages import Message
from rules_engine.streetsoccer.pitch import CENTRE_CIRCLE, HALVES, KEEPER_SPACES, NAMES, PITCH, goal_of
from rules_engine.streetsoccer.presets import TEAM, Circle, Preset
from rules_engine.streetsoccer.shift import crowds_area
from rules_engine.streetsoccer.turn import spaces_of
from rules_engine.values import Side

TOO_FEW_LEFT = "place_leaves_too_few"


def placements(preset: Preset, side: Side, own: tuple[int, ...], opponents: tuple[int, ...]) -> Iterator[int]:
    """Yield the spaces where the next player can be placed, in the order of their numbers."""
    for number in NAMES:
        if PITCH >> number & 1 and _broken(preset, side, own, opponents, number) is None:
            yield number


def refusal(
    preset: Preset, side: Side, own: tuple[int, ...], opponents: tuple[int, ...], number: int
) -> IllegalMove | None:
    """Return why the next player cannot be placed here, ``None`` if that is legal."""
    broken = _broken(preset, side, own, opponents, number)
    if broken is None:
        return None
    rule, code = broken
    if code != TOO_FEW_LEFT:
        return IllegalMove(rule, code, space=NAMES[number])
    wants = _wants(preset, side, spaces_of((*own[1:], number)))
    missing = tuple(Message(place) for place, players in wants.items() if players)
    return IllegalMove(rule, code, space=NAMES[number], places=missing)


def _broken(
    preset: Preset, side: Side, own: tuple[int, ...], opponents: tuple[int, ...], number: int
) -> tuple[str, str] | None:
    """Return the rule that the next player here would break, and the code of the refusal, ``None`` if it is legal."""
    if not PITCH >> number & 1:
        return "S4", "place_outside"
    if spaces_of(own + opponents) >> number & 1:
        return "S1", "place_taken"
    if not own:
        return None if KEEPER_SPACES[side] >> number & 1 else ("S4", "place_goalie")
    if goal_of(number):
        return "S15", "place_keeper_space"
    if crowds_area(number, side, False, spaces_of(own[1:])):
        return "S16", "crowded_area"
    if preset.circle is Circle.LEFT_EMPTY and (CENTRE_CIRCLE.yellow | CENTRE_CIRCLE.red) >> number & 1:
        return "S4", "place_centre_circle"
    if CENTRE_CIRCLE[side.opponent] >> number & 1:
        return "S4", "place_opponents_circle"
    wants = _wants(preset, side, spaces_of((*own[1:], number)))
    return ("S4", TOO_FEW_LEFT) if sum(wants.values()) > TEAM - len(own) - 1 else None


def places_left(preset: Preset, side: Side, own: tuple[int, ...]) -> tuple[Message, ...]:
    """Return the places of which every player still to be placed must take one; none while there is a choice.

    ``own`` are the side's players that stand already, the goalie first.
    """
    wants = _wants(preset, side, spaces_of(own[1:]))
    if sum(wants.values()) != TEAM - len(own):
        return ()
    return tuple(Message(place) for place, players in wants.items() if players)


def _wants(preset: Preset, side: Side, outfielders: int) -> dict[str, int]:
    """Return how many more outfielders the set-up needs, by the code of the place.

    A player in the circle stands in their own half too.
    """
    in_half = (outfielders & HALVES[side]).bit_count()
    in_circle = (outfielders & CENTRE_CIRCLE[side]).bit_count()
    circle = int(preset.circle is Circle.OWN_PART_TAKEN and not in_circle)
    return {
        "in_own_circle": circle,
        "in_own_half": max(preset.own_half - in_half - circle, 0),
        "in_opponents_half": int(not outfielders & HALVES[side.opponent]),
    }
