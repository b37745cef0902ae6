"""Tell who waits for it that a player has opened a match."""

from matches.models import Match
from matches.signals import match_opened
from players.models import Player


def note_opening(*, match_id: int, player: Player | None) -> None:
    """Tell that a player looks at a match of theirs, or moves in it. Costs nothing where nothing was pushed."""
    if player is not None and player.pushed_at is not None:
        match_opened.send(sender=Match, match_id=match_id, player=player)
