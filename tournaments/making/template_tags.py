"""The tag about the seasons of a player."""

from django import template

from players.models import Player
from tournaments.making.selectors.season_history import SeasonsPlayed, latest_seasons_of

register = template.Library()


@register.simple_tag
def player_seasons(player: Player) -> list[SeasonsPlayed]:
    """Return the latest seasons that the player has played, series by series."""
    return latest_seasons_of(player)
