"""Meetings of teams in JSON."""

from __future__ import annotations

from typing import TypedDict

from rules_engine.values import BySide
from tournaments.office.schemas.entrant import TeamNameSchema, team_name_to_json
from tournaments.office.schemas.fixture import FixtureSchema, fixture_to_json
from tournaments.records.meetings import Meeting


class OfTeamsSchema(TypedDict):
    """A number for each of two teams."""

    home: int
    guests: int


class MeetingSchema(TypedDict):
    """Two teams that meet in a round, and what their boards with results add up to."""

    home: TeamNameSchema | None
    """The team that is Yellow on odd boards."""
    guests: TeamNameSchema | None
    match_points: OfTeamsSchema
    """Of all boards together: they decide who wins, then boards won, then goals."""
    boards_won: OfTeamsSchema
    goals: OfTeamsSchema
    points: OfTeamsSchema | None
    """The points of the meeting in the table; null until all boards have results, and in a knock-out."""
    boards: list[FixtureSchema]
    """The matches, that of the first board first."""


def meeting_to_json(meeting: Meeting) -> MeetingSchema:
    """Return a meeting whose fixtures were read with their rounds and stages."""
    score = meeting.score
    return {
        "home": team_name_to_json(meeting.teams.yellow.team),
        "guests": team_name_to_json(meeting.teams.red.team),
        "match_points": _of_teams(score.match_points),
        "boards_won": _of_teams(score.boards),
        "goals": _of_teams(score.goals),
        "points": None if meeting.points is None else _of_teams(meeting.points),
        "boards": [fixture_to_json(each) for each in meeting.boards],
    }


def _of_teams(numbers: BySide[int]) -> OfTeamsSchema:
    return {"home": numbers.yellow, "guests": numbers.red}
