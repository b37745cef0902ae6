"""Store what organisers of competitions may do with a player."""

from __future__ import annotations

from players.models import Player


def let_be_entered(*, player: Player, may_be_entered: bool) -> None:
    """Store whether organisers may enter a player in competitions without asking first."""
    player.may_be_entered = may_be_entered
    Player.objects.filter(pk=player.pk).update(may_be_entered=may_be_entered)
