"""The filters and tags for teams: shirts in words, whose teams a player is in, and who invites the viewer."""

from django import template
from django.template import Context
from django.utils.translation import gettext as _

from database.compiled_queries import CompiledQuery
from players.models import Player
from tournaments.models import ShirtPattern, Team, TeamMembership
from tournaments.teams.selectors.line_ups import LineUpToName, line_ups_to_name
from tournaments.teams.selectors.teams import invitations_to_teams, teams_of

register = template.Library()

MAX_SHOWN = 20
_INVITATIONS = CompiledQuery(lambda player_id: invitations_to_teams(player_id)[:MAX_SHOWN])


@register.filter
def shirt_in_words(team: Team) -> str:
    """Return what the shirt of a team looks like."""
    first, second = team.get_first_colour_display(), team.get_second_colour_display()
    if team.pattern == ShirtPattern.PLAIN:
        return _("Shirt: %(first)s, collar and cuffs %(second)s") % {"first": first, "second": second}
    words = {"first": first, "second": second, "pattern": team.get_pattern_display()}
    return _("Shirt: %(first)s and %(second)s, %(pattern)s") % words


@register.simple_tag(takes_context=True)
def team_invitations(context: Context) -> list[TeamMembership]:
    """Return the latest invitations to teams that the viewer has not answered."""
    player = context.get("user")
    return _INVITATIONS.all(player_id=player.pk) if isinstance(player, Player) else []


@register.simple_tag(takes_context=True)
def line_ups_to_name_by(context: Context) -> list[LineUpToName]:
    """Return the teams that the viewer leads and for whose next round they have named no line-up."""
    player = context.get("user")
    return line_ups_to_name(player) if isinstance(player, Player) else []


@register.simple_tag
def player_teams(player: Player) -> list[TeamMembership]:
    """Return the memberships of the teams that a player is in, the longest first."""
    return list(teams_of(player)[:MAX_SHOWN])
