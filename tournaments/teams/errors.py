"""Refusals about teams."""

from web.errors import DomainError, InvalidDetails


class InvalidLineUp(DomainError):
    """A line-up that names too many players, somebody twice, or somebody who may not play for the team."""

    code = "invalid_line_up"


class LineUpClosed(DomainError):
    """The round has begun: its boards are manned."""

    code = "line_up_closed"


class NotATeam(DomainError):
    """Only teams have line-ups."""

    code = "not_a_team"


class TeamPlays(DomainError):
    """The team plays in a competition that goes on."""

    code = "team_plays"


class TeamNotFound(DomainError):
    """There is no such team."""

    code = "not_found"


class InvalidTeam(InvalidDetails):
    """A name or a shirt that a team cannot have; ``fields`` has the sentences by the option at fault."""


class TeamNameTaken(DomainError):
    """Another team has this name, perhaps in other letters, or had it."""

    code = "team_name_taken"


class TeamClosed(DomainError):
    """The team has been closed."""

    code = "team_closed"


class TeamFull(DomainError):
    """The team has as many members and invited players as it may have."""

    code = "team_full"


class TooManyTeams(DomainError):
    """The player is the captain of as many teams as anybody may be."""

    code = "too_many_teams"


class TooManyTeamInvitations(DomainError):
    """Too many players were invited within a day, by the team or its captain, or the same one again."""

    code = "too_many_team_invitations"


class NotTheCaptain(DomainError):
    """Only the captain does this for a team."""

    code = "not_the_captain"


class TeamPlayerRefused(DomainError):
    """Guests, computers and closed accounts are in no team."""

    code = "team_player_refused"


class AlreadyMember(DomainError):
    """The player is a member of the team already."""

    code = "already_member"


class NotAMember(DomainError):
    """The player is not a member of the team."""

    code = "not_a_member"


class CaptainStays(DomainError):
    """The captain leaves only after handing the team over."""

    code = "captain_stays"
