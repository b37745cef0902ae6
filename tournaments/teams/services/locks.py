"""The lock under which a team changes."""

from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import Team
from tournaments.teams.errors import NotTheCaptain, TeamClosed, TeamNotFound


def lock_team(*, team_id: int) -> Team:
    """Return the team, locked until the transaction ends: every change of it or its members holds this lock.

    Locks of competitions come before those of teams, everywhere. Raises ``TeamNotFound``.
    """
    team = Team.objects.select_for_update(of=("self",), no_key=True).filter(pk=team_id).first()
    if team is None:
        raise TeamNotFound(_("There is no such team."))
    return team


def lock_own_team(*, team_id: int, actor: Player) -> Team:
    """Return an open team of this captain, locked. Raises ``TeamNotFound``, ``NotTheCaptain`` or ``TeamClosed``."""
    team = lock_team(team_id=team_id)
    if team.captain_id != actor.pk:
        raise NotTheCaptain(_("Only the captain of the team can do this."))
    check_open(team)
    return team


def check_open(team: Team) -> None:
    """Raise ``TeamClosed`` for a team that has been closed."""
    if team.closed_at is not None:
        raise TeamClosed(_("%(team)s has been closed.") % {"team": team})
