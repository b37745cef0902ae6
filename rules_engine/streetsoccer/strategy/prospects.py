"""What a side can make of the ball in its next turn, over all faces of the die."""

from __future__ import annotations

from dataclasses import dataclass

from rules_engine.streetsoccer.pitch import NAMES
from rules_engine.streetsoccer.strategy.sight import DISTANCES, WORTH
from rules_engine.streetsoccer.turn import Situation
from rules_engine.values import Side

FACES = range(1, 7)
GOAL = 1.0


@dataclass(frozen=True, slots=True)
class Prospects:
    """A side's next turn: with how many of the six faces it can kick the ball, and what that promises.

    ``worth`` is what it gets on average, in goals: a goal where one can be scored, else the ball where it is worth
    most of all the spaces to which it can be kicked, or where it lies.
    """

    kicks: int
    worth: float


def look_ahead(side: Side, players: tuple[int, ...], opponents: tuple[int, ...], ball: int) -> Prospects:
    """Return the prospects of ``side`` with the ball on this space.

    S19 and S20 are left out of account: they forbid no goal.
    """
    situation = Situation(side, players, opponents, ball, enclosure=False)
    turns = [_best_kick(situation, face) for face in FACES]
    here = WORTH[side][ball]
    return Prospects(
        kicks=len(FACES) - turns.count(None),
        worth=sum(here if worth is None else worth for worth in turns) / len(FACES),
    )


def _best_kick(situation: Situation, face: int) -> float | None:
    """Return what the best kick with this face is worth, ``None`` if there is no kick."""
    ends = 0
    away = DISTANCES[situation.ball]
    for index, player in enumerate(situation.players):
        if away[player] > face:
            continue
        options = situation.options(index, face)
        if options.scores:
            return GOAL
        ends |= options.kicks
    worth = WORTH[situation.side]
    return max((worth[number] for number in NAMES if ends >> number & 1), default=None)
