"""Seeks that computers take: those that admit them, once people have had the time to."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from decimal import Decimal

import structlog

from computers.levels import level_of, levels_in
from matches.errors import SeekClosed, SeekNotFound, TooManyComputerMatches
from matches.models import Seek
from matches.selectors.seeks import obstacle_to, seeks_for_computers
from matches.services.seeks import take_seek
from players.models import Player
from players.selectors import ratings_in
from rules_engine.registry import get_game

SEEK_DELAY = timedelta(minutes=1)
"""The time for which a seek is left to people before a computer takes it."""

logger = structlog.get_logger(__name__)


def take_waiting_seeks(*, now: datetime) -> int:
    """Let computers take the seeks that admit them and that no person has taken; return how many were taken.

    Of the computers that play the game and have a rating that the seek admits, the one rated nearest to its creator
    takes it. A seek that fails does not stop the others.
    """
    seeks = list(seeks_for_computers(since=now - SEEK_DELAY))
    computers = list(Player.objects.filter(is_active=True).exclude(level="")) if seeks else []
    players = {player.pk: player for player in [*computers, *(seek.creator for seek in seeks)]}
    families = {get_game(seek.game).family for seek in seeks}
    ratings = {family: ratings_in(family=family, players=list(players.values())) for family in families}
    taken = 0
    for seek in seeks:
        opponent = _opponent_for(seek, computers, ratings[get_game(seek.game).family])
        if opponent is not None:
            taken += _try_to_take(seek, opponent, now)
    return taken


def _opponent_for(seek: Seek, computers: Iterable[Player], ratings: Mapping[int, Decimal]) -> Player | None:
    levels = levels_in(get_game(seek.game))
    admitted = [
        player
        for player in computers
        if level_of(player) in levels and obstacle_to(seek, player, ratings[player.pk]) is None
    ]
    rating = ratings[seek.creator_id]
    return min(admitted, key=lambda player: abs(ratings[player.pk] - rating), default=None)


def _try_to_take(seek: Seek, player: Player, now: datetime) -> bool:
    """Take a seek for a computer; return whether this call did."""
    try:
        take_seek(seek_id=seek.pk, player=player, now=now)
    except (SeekClosed, SeekNotFound, TooManyComputerMatches):
        return False
    except Exception:
        logger.exception("seek_not_taken", seek_id=seek.pk)
        return False
    return True
