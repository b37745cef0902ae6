"""The competitions of the demo season."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tournaments.models import Competition, Cup, Ladder, RoundEnd, Stage
from tournaments.recipes import (
    CHALLENGE_LADDER,
    GROUPS_THEN_KNOCK_OUT,
    KNOCK_OUT,
    POINTS_LADDER,
    RECIPES,
    ROUND_ROBIN,
    make_stages,
)

BOARD = "streetsoccer-board"
ONLINE = "streetsoccer-online"


@dataclass(frozen=True, slots=True)
class Plan:
    """A competition, which opens on a day of the season with so many players, and the name of its recipe.

    ``first_stage`` is what its first stage has otherwise than the recipe. ``words`` are announced to the players.
    """

    day: int
    competition: Competition
    recipe: str
    entrants: int
    first_stage: Mapping[str, Any] = field(default_factory=dict)
    words: str = ""
    starts: bool = True

    def make_stages(self) -> list[Stage]:
        """Return the stages, not stored yet."""
        stages = make_stages(RECIPES[self.recipe])
        for name, value in self.first_stage.items():
            setattr(stages[0], name, value)
        return stages


def plan_competitions() -> list[Plan]:
    """Return the plans in the order of their days; each call gives new competitions, not stored yet."""
    return [
        Plan(
            0,
            Ladder(name="Street Ladder", description="Endless, for everybody. Join in, play, climb.", game=BOARD),
            POINTS_LADDER,
            entrants=16,
            words="Welcome to the ladder. Two games each are running at any time: move when it suits you.",
        ),
        Plan(
            3,
            Cup(
                name="Back Yard Cup",
                description="Eleven players, two legs, one trophy.",
                game=BOARD,
            ),
            KNOCK_OUT,
            entrants=11,
            first_stage={"options": {"third_place": True}},
            words="The draw is made: the best five seeds have a bye.",
        ),
        Plan(
            5,
            Ladder(
                name="King of the Court",
                description="A challenge ladder: pick somebody above you, win, and take the place.",
                game=BOARD,
            ),
            CHALLENGE_LADDER,
            entrants=12,
        ),
        Plan(
            12,
            Cup(
                name="Three Yards Cup",
                description="Three yards, three groups. The first two of each play for the cup.",
                game=BOARD,
            ),
            GROUPS_THEN_KNOCK_OUT,
            entrants=9,
            first_stage={"grouping": {"groups": 3}},
        ),
        Plan(
            26,
            Cup(
                name="Sunday League",
                description="Everybody against everybody, home and away.",
                game=ONLINE,
            ),
            ROUND_ROBIN,
            entrants=6,
            first_stage={"options": {"cycles": 2}, "round_days": 3, "at_round_end": RoundEnd.ADJUDICATE},
        ),
        Plan(
            33,
            Cup(
                name="Night Lights Cup",
                description="Sixteen lines, two legs, a week a round.",
                game=BOARD,
            ),
            KNOCK_OUT,
            entrants=13,
            first_stage={"round_days": 7, "at_round_end": RoundEnd.ADJUDICATE},
            words="Rounds end on their date: what is still being played then is decided by its score.",
        ),
        Plan(
            40,
            Cup(
                name="New Year Cup",
                description="Sixteen places. It starts by itself when the last one is taken.",
                game=BOARD,
                max_entrants=16,
                starts_when_full=True,
            ),
            KNOCK_OUT,
            entrants=7,
            starts=False,
        ),
    ]
