"""The competitions of the demo season."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Competition, Cup, Ladder, RoundEnd, Stage
from tournaments.recipes import CHALLENGE_LADDER, KNOCK_OUT, POINTS_LADDER, ROUND_ROBIN

BOARD = "streetsoccer-board"
ONLINE = "streetsoccer-online"


@dataclass(frozen=True, slots=True)
class Plan:
    """A competition and its stage, which opens on a day of the season with so many players.

    ``words`` are announced to them.
    """

    day: int
    competition: Competition
    stage: Stage
    entrants: int
    words: str = ""
    starts: bool = True


def plan_competitions() -> list[Plan]:
    """Return the plans in the order of their days; each call gives new competitions, not stored yet."""
    return [
        Plan(
            0,
            Ladder(name="Street Ladder", description="Endless, for everybody. Join in, play, climb.", game=BOARD),
            Stage(format=POINTS_LADDER),
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
            Stage(format=KNOCK_OUT, options={"third_place": True}),
            entrants=11,
            words="The draw is made: the best five seeds have a bye.",
        ),
        Plan(
            5,
            Ladder(
                name="King of the Court",
                description="A challenge ladder: pick somebody above you, win, and take the place.",
                game=BOARD,
            ),
            Stage(format=CHALLENGE_LADDER),
            entrants=12,
        ),
        Plan(
            26,
            Cup(
                name="Sunday League",
                description="Everybody against everybody, home and away.",
                game=ONLINE,
            ),
            Stage(format=ROUND_ROBIN, options={"cycles": 2}, round_days=3, at_round_end=RoundEnd.ADJUDICATE),
            entrants=6,
        ),
        Plan(
            33,
            Cup(
                name="Night Lights Cup",
                description="Sixteen lines, two legs, a week a round.",
                game=BOARD,
            ),
            Stage(format=KNOCK_OUT, round_days=7, at_round_end=RoundEnd.ADJUDICATE),
            entrants=13,
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
            Stage(format=KNOCK_OUT),
            entrants=7,
            starts=False,
        ),
    ]
