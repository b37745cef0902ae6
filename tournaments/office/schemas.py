"""Entrants, rounds, fixtures, the log, organisers and their notes, in JSON."""

from datetime import datetime
from typing import Literal, TypedDict, cast

from matches.schemas.values import EndingName, NumbersSchema, numbers_to_json
from players.models import Player
from tournaments.models import Fixture, Note, Round, Team
from tournaments.models.rights import RIGHTS, Role


class TeamNameSchema(TypedDict):
    """The name of a team, and where it is found."""

    slug: str
    name: str
    url: str


def team_name_to_json(team: Team | None) -> TeamNameSchema | None:
    """Return what a team is called, ``None`` for none."""
    return None if team is None else {"slug": team.slug, "name": team.name, "url": team.get_absolute_url()}


EntryStatusName = Literal["active", "on-hold", "gone", "replaced"]


class RoundSchema(TypedDict):
    """A round of a cup."""

    number: int
    """From 1."""
    started_at: datetime | None
    ends_at: datetime | None
    """The moment when it must end, null for no date."""
    ended_at: datetime | None


class RoundWithByesSchema(RoundSchema):
    """A round of a cup, and who has a bye in it."""

    byes: list[str]
    """Players without an opponent. In a bracket, byes are in no round: a player with a bye stands in the next tie."""
    asked_byes: list[str]
    """The players with a bye who asked to sit the round out."""


def round_to_json(round_: Round) -> RoundSchema:
    """Return a round's number and dates."""
    return {
        "number": round_.number,
        "started_at": round_.started_at,
        "ends_at": round_.ends_at,
        "ended_at": round_.ended_at,
    }


def organised_round_to_json(round_: Round) -> RoundSchema:
    """Return a round as it is stored now."""
    round_.refresh_from_db(fields=["started_at", "ends_at", "ended_at"])
    return round_to_json(round_)


def round_with_byes_to_json(round_: Round) -> RoundWithByesSchema:
    """Return a round that was read ``with_byes``."""
    byes = {bye.seat.entry.name: bye.is_asked for bye in round_.byes.all()}
    return {
        **round_to_json(round_),
        "byes": list(byes),
        "asked_byes": [name for name, is_asked in byes.items() if is_asked],
    }


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
    by_decision: bool
    """True if somebody else than the players has decided on the result that counts."""
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
        "by_decision": fixture.by_decision,
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


RoleName = Literal["organiser", "helper"]
RightName = Literal["decide", "organise"]


class OrganiserSchema(TypedDict):
    """Somebody who runs a competition."""

    player: str
    role: RoleName
    rights: list[RightName]
    """``decide``: single matches, and taking such decisions back. ``organise``: everything else."""
    is_invited: bool
    """True while they have not accepted the role: then they have no rights."""


def organiser_to_json(player: Player, role: Role, *, is_invited: bool = False) -> OrganiserSchema:
    """Return somebody who runs a competition, or is asked to, with the rights of the role."""
    rights = [] if is_invited else sorted(right.value for right in RIGHTS[role])
    return {
        "player": player.username,
        "role": role.value,
        "rights": cast("list[RightName]", rights),
        "is_invited": is_invited,
    }


class NoteSchema(TypedDict):
    """A note that only the organisers of a competition can read."""

    id: int
    author: str
    text: str
    written_at: datetime


def note_to_json(note: Note) -> NoteSchema:
    """Return a note."""
    return {"id": note.pk, "author": note.author.username, "text": note.text, "written_at": note.written_at}
