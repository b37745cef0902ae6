"""Fixtures in JSON: the matches of competitions, those to come too."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict, cast

from matches.schemas.values import EndingName, NumbersSchema, numbers_to_json
from tournaments.models import Fixture


class SidesSchema(TypedDict):
    """The usernames of both sides of a match."""

    yellow: str
    red: str


class FixtureSchema(TypedDict):
    """A match of a ladder or cup."""

    id: int
    match: int | None
    """Null until the match begins."""
    stage: int
    """The number of its stage."""
    group: int
    """The number of its group in the stage."""
    round: int | None
    """The number of a cup's round, in its group."""
    leg: int | None
    """The number of the leg in a tie of a knock-out."""
    board: int | None
    """The board at which two teams meet, from 1; null where single players do."""
    yellow: str
    red: str
    players: SidesSchema | None
    """The players who play the match, or played it before somebody else took over the place. Null until the match
    begins."""
    challenger: str | None
    """The challenger, on a challenge ladder."""
    ending: EndingName | None
    points: NumbersSchema | None
    """Null until the result is counted."""
    goals: NumbersSchema | None
    """Null until the result is counted."""
    finished_at: datetime | None


class OrganisedFixtureSchema(TypedDict):
    """A match of a ladder or cup as organisers see it."""

    id: int
    match: int | None
    """Null until the match begins."""
    yellow: str
    red: str
    is_annulled: bool


class GivenTimeSchema(TypedDict):
    """The time that a clock was given, up to its cap."""

    seconds: float


def fixture_to_json(fixture: Fixture) -> FixtureSchema:
    """Return a match of a ladder or cup."""
    return {
        "id": fixture.pk,
        "match": fixture.match_id,
        "stage": fixture.group.stage.number,
        "group": fixture.group.number,
        "round": fixture.round.number if fixture.round else None,
        "leg": fixture.leg if fixture.tie_id is not None else None,
        "board": fixture.board,
        "yellow": fixture.yellow_name,
        "red": fixture.red_name,
        "players": _players_of(fixture),
        "challenger": _challenger_of(fixture),
        "ending": cast("EndingName", fixture.ending) if fixture.ending else None,
        "points": numbers_to_json(fixture.points) if fixture.points else None,
        "goals": numbers_to_json(fixture.goals) if fixture.goals else None,
        "finished_at": fixture.finished_at,
    }


def organised_fixture_to_json(fixture: Fixture) -> OrganisedFixtureSchema:
    """Return a fixture as organisers see it."""
    return {
        "id": fixture.pk,
        "match": fixture.match_id,
        "yellow": fixture.yellow_name,
        "red": fixture.red_name,
        "is_annulled": fixture.is_annulled,
    }


def _challenger_of(fixture: Fixture) -> str | None:
    if fixture.challenger_id is None:
        return None
    challenger = fixture.yellow if fixture.challenger_id == fixture.yellow_id else fixture.red
    return challenger.player.username


def _players_of(fixture: Fixture) -> SidesSchema | None:
    if fixture.match_id is None:
        return None
    if fixture.played_by is not None:
        return {"yellow": fixture.played_by.yellow, "red": fixture.played_by.red}
    return {"yellow": fixture.yellow_name, "red": fixture.red_name}
