"""The competitions of the demo season."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from simulations.demo.matches import MAX_PAUSE
from tournaments.making.recipes import (
    CHALLENGE_LADDER,
    CHAMPIONSHIP,
    GROUPS_THEN_KNOCK_OUT,
    KNOCK_OUT,
    MINI_CUP,
    MONTHLY_CUP,
    POINTS_LADDER,
    RECIPES,
    ROUND_ROBIN,
    TEAM_LEAGUE,
    make_stages,
)
from tournaments.models import Competition, Cup, Ladder, RoundEnd, Stage
from tournaments.models.season_dates import Rhythm, write_days

BOARD = "streetsoccer-board"
ONLINE = "streetsoccer-online"
PAPER = "paper-soccer"
ONE_POINT = "paper-soccer-1"

DAY = timedelta(days=1)
DAYS_OF_ENTRY = 5
QUICK = timedelta(minutes=40)
"""The longest pause before a move where players are quick."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A competition, which opens on a day of the season with so many players or teams, and the name of its recipe.

    Days before the usual season are negative. ``first_stage`` is what its first stage has otherwise than the recipe.
    ``words`` are announced to the players. With ``series``, the options of one, it comes again: as many players join
    each season, or, where the last one's players are entered again, so many are ``new`` and as many skip it. Once it
    runs, each day somebody joins on ``days_of_entry``, after which its entry is closed if it ``closes``. Nobody waits
    longer than ``max_pause`` before a move.
    """

    day: int
    competition: Competition
    recipe: str
    entrants: int
    first_stage: Mapping[str, Any] = field(default_factory=dict)
    words: str = ""
    starts: bool = True
    series: Mapping[str, Any] | None = None
    new: int = 0
    days_of_entry: int = 0
    closes: bool = False
    max_pause: timedelta = MAX_PAUSE

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


def plan_seasons(now: datetime, start: datetime) -> list[Plan]:
    """Return the plans of what comes again, of levels, and of teams, in the order of their days.

    ``start`` is when the usual season begins; all of them are going on ``now``.
    """
    return sorted(
        [
            _plan_championship(now, start),
            _plan_monthly_cup(now, start),
            *_plan_mini_cups(),
            _plan_weekly_cup(),
            _plan_team_league(),
        ],
        key=lambda plan: plan.day,
    )


def _plan_championship(now: datetime, start: datetime) -> Plan:
    """Return the plan of one season that is over and another that has run for a week."""
    begun = now - 7 * DAY
    days = [begun + number * 91 * DAY for number in range(-1, 3)]
    return Plan(
        (days[0] - DAYS_OF_ENTRY * DAY - start) // DAY,
        Cup(
            name="Street Championship",
            description="Leagues in a pyramid. Win your group and go up; the first league plays for the title.",
            game=PAPER,
            starts_at=days[0],
        ),
        CHAMPIONSHIP,
        entrants=18,
        first_stage={"grouping": {"league_size": 6}, "options": {"cycles": 1}},
        series={"rhythm": Rhythm.DATES, "days": write_days([(day.month, day.day) for day in days])},
        new=2,
        starts=False,
    )


def _plan_monthly_cup(now: datetime, start: datetime) -> Plan:
    """Return the plan of a cup of each month since the month before the last one."""
    first = now.replace(day=1)
    for _month in range(2):
        first = (first - DAY).replace(day=1)
    return Plan(
        (first - DAYS_OF_ENTRY * DAY - start) // DAY,
        Cup(
            name="Cup of the Month",
            description="Groups through the month; their winners meet in the next one.",
            game=ONE_POINT,
            starts_at=first,
        ),
        MONTHLY_CUP,
        entrants=8,
        first_stage={"grouping": {"size": 4}},
        series={"rhythm": Rhythm.MONTHLY},
        starts=False,
    )


def _plan_mini_cups() -> list[Plan]:
    """Return the plans of a mini cup that is over and of one that goes on."""
    return [
        Plan(
            day,
            Cup(name=name, description="Starts when three are there. Climb as far as you can.", game=PAPER),
            MINI_CUP,
            entrants=3,
            days_of_entry=days_of_entry,
            closes=closes,
            max_pause=QUICK,
        )
        for day, name, days_of_entry, closes in ((8, "First Mini Cup", 6, True), (27, "Mini Cup", 14, False))
    ]


def _plan_weekly_cup() -> Plan:
    return Plan(
        20,
        Cup(name="Weekly Cup", description="A new one every week, over in a few days.", game=ONE_POINT),
        KNOCK_OUT,
        entrants=8,
        first_stage={"options": {"legs": 1}},
        series={"rhythm": Rhythm.WEEKLY},
        max_pause=2 * QUICK,
    )


def _plan_team_league() -> Plan:
    return Plan(
        26,
        Cup(name="Team League", description="Six clubs, three boards, a week for each round.", game=ONLINE, boards=3),
        TEAM_LEAGUE,
        entrants=6,
        first_stage={"at_round_end": RoundEnd.ADJUDICATE},
        words="Captains: name your line-up before a round begins. A board without a player is lost.",
    )
