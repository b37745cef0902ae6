"""Teams, their members, invitations, line-ups and meetings, in JSON."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Literal, TypedDict, cast

from players.models import Player
from rules_engine.values import BySide
from tournaments.models import LineUp, Team, TeamMembership
from tournaments.office.schemas import FixtureSchema, TeamNameSchema, fixture_to_json, team_name_to_json
from tournaments.records.meetings import Meeting

PatternName = Literal["plain", "halves", "stripes", "hoops", "sash", "sleeves"]
ColourName = Literal[
    "white", "yellow", "orange", "red", "claret", "purple", "navy", "blue", "sky", "green", "brown", "black"
]


class ShirtSchema(TypedDict):
    """A shirt."""

    pattern: PatternName
    first_colour: ColourName
    second_colour: ColourName
    """The colour of the pattern; of a plain shirt that of collar and cuffs."""


class TeamSchema(TypedDict):
    """A team."""

    slug: str
    name: str
    url: str
    shirt: ShirtSchema
    captain: str | None
    """Null where the team has been closed."""
    founded_at: datetime
    closed_at: datetime | None


class ListedTeamSchema(TeamSchema):
    """A team of the list."""

    members: int


class TeamMemberSchema(TypedDict):
    """A member of a team."""

    player: str
    joined_at: datetime


class TeamInvitationSchema(TypedDict):
    """An invitation to a team that has not been answered."""

    player: str
    invited_by: str | None
    """Null where the account was deleted."""
    invited_at: datetime


class TeamDetailSchema(TeamSchema):
    """A team with its members."""

    members: list[TeamMemberSchema]
    """The longest first."""
    invited: list[TeamInvitationSchema] | None
    """Null for everybody but the captain."""


class ReceivedTeamInvitationSchema(TypedDict):
    """An invitation to a team that waits for the caller's answer."""

    team: TeamSchema
    invited_by: str | None
    invited_at: datetime


def team_to_json(team: Team) -> TeamSchema:
    """Return a team that was read with its captain."""
    return {
        "slug": team.slug,
        "name": team.name,
        "url": team.get_absolute_url(),
        "shirt": {
            "pattern": cast("PatternName", str(team.pattern)),
            "first_colour": cast("ColourName", str(team.first_colour)),
            "second_colour": cast("ColourName", str(team.second_colour)),
        },
        "captain": None if team.closed_at is not None else team.captain.username,
        "founded_at": team.created_at,
        "closed_at": team.closed_at,
    }


def listed_team_to_json(team: Team) -> ListedTeamSchema:
    """Return a team as ``selectors.teams.list_teams`` reads it."""
    return {**team_to_json(team), "members": vars(team)["members"]}


def team_detail_to_json(
    team: Team, *, members: Iterable[TeamMembership], invited: Iterable[TeamMembership] | None
) -> TeamDetailSchema:
    """Return a team with its members and, for its captain, who is invited."""
    return {
        **team_to_json(team),
        "members": [
            {"player": each.player.username, "joined_at": cast("datetime", each.joined_at)} for each in members
        ],
        "invited": None if invited is None else [team_invitation_to_json(each) for each in invited],
    }


def team_invitation_to_json(membership: TeamMembership) -> TeamInvitationSchema:
    """Return an invitation as the captain sees it."""
    return {
        "player": membership.player.username,
        "invited_by": None if membership.invited_by is None else membership.invited_by.username,
        "invited_at": membership.invited_at,
    }


def received_team_invitation_to_json(membership: TeamMembership) -> ReceivedTeamInvitationSchema:
    """Return an invitation to the player who asks."""
    return {
        "team": team_to_json(membership.team),
        "invited_by": None if membership.invited_by is None else membership.invited_by.username,
        "invited_at": membership.invited_at,
    }


class LineUpSchema(TypedDict):
    """The players of a team at its boards from a round on, until there is another line-up."""

    entry: int
    """The number of the team's entry."""
    team: TeamNameSchema | None
    round: int
    """The round from which on it holds: 0 for the order in which the team joined."""
    players: list[str]
    """Their usernames, that of the first board first."""


def line_up_to_json(line_up: LineUp) -> LineUpSchema:
    """Return a line-up that was read with its entry and team. One query."""
    return line_ups_to_json([line_up])[0]


def line_ups_to_json(line_ups: Collection[LineUp]) -> list[LineUpSchema]:
    """Return line-ups that were read with their entries and teams. One query."""
    named = {player for each in line_ups for player in each.players}
    names = dict(Player.objects.filter(pk__in=named).values_list("pk", "username"))
    return [_to_json(each, names) for each in line_ups]


def _to_json(line_up: LineUp, names: Mapping[int, str]) -> LineUpSchema:
    return {
        "entry": line_up.entry_id,
        "team": team_name_to_json(line_up.entry.team),
        "round": line_up.round_number,
        "players": [names[key] for key in line_up.players if key in names],
    }


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
