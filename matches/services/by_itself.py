"""The choice whether what leaves a player no choice is played by itself, and what is forced already when it is made."""

from datetime import datetime

from django.db import transaction

from matches import clock
from matches.models import Match
from matches.selectors.matches import find_matches
from matches.services.follow_ups import find_follow_up
from matches.services.moves import play_move
from matches.services.running_match import lock_running
from players.models import Player
from web.errors import DomainError


def play_by_hand(*, match_id: int, player: Player, by_hand: bool, now: datetime) -> Match:
    """Let a player play by hand in a match what leaves no choice, or as everywhere else; return the match.

    What is forced already and shall be played by itself is played at once, as a move of the player's own. Raises
    ``MatchNotFound``, ``NotYourMatch``, ``MatchOver`` or ``TooLate``.
    """
    now = clock.whole_millisecond(now)
    with transaction.atomic():
        match, side = lock_running(match_id=match_id, player=player, now=now)
        setattr(match, f"by_hand_{side}", by_hand)
        Match.objects.filter(pk=match_id).update(**{f"by_hand_{side}": by_hand})
        return _play_forced(match, player, now)


def play_all_forced(*, player: Player, now: datetime) -> None:
    """Play the only legal move in every match in which a player is to act and has it played by itself."""
    for match in find_matches(to_move=player):
        _play_forced(match, player, now)


def _play_forced(match: Match, player: Player, now: datetime) -> Match:
    """Play the only legal move if it is a player's and to be played by itself; return the match as it is then."""
    text = find_follow_up(match, match.state) if match.is_running and match.player_to_act == player else None
    if text is None:
        return match
    try:
        return play_move(match_id=match.pk, player=player, ply=match.ply, text=text, now=now).match
    except DomainError:
        # Somebody was quicker, or the time is over.
        return match
