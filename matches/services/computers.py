"""The computer as a player: it is invited like anybody, and moves by the same service as everybody."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from matches.clock import CORRESPONDENCE
from matches.errors import MatchOver, MatchPaused, NotYourTurn, StalePly, TooLate
from matches.models import Colour, Match
from matches.selectors.computers import matches_waiting_for_computers
from matches.selectors.matches import get_match
from matches.services.doorbells import call_computer
from matches.services.playing import play_move
from matches.services.seeks import open_seek, toss_coin
from players.models import Player
from players.services import ensure_computer
from rules_engine.strategies import find_strategy
from rules_engine.values import Side

PATIENCE = timedelta(seconds=5)
"""How long a computer may be to act before it is called again."""

BATCH = 500


def play_against_computer(
    *, player: Player, game: str, colour: Colour, now: datetime, toss: Callable[[], Side] = toss_coin
) -> Match:
    """Return a new match of the player, who has ``colour``, against the computer.

    Raises ``UnknownGame``, or ``NoComputer`` where the computer does not play the game.
    """
    seek = open_seek(
        creator=player,
        invited=ensure_computer(now=now),
        game=game,
        colour=colour,
        time_control=CORRESPONDENCE,
        now=now,
        toss=toss,
    )
    if seek.match is None:
        raise AssertionError("the computer takes an invitation at once")
    return seek.match


def move_computer(*, match_id: int, now: datetime) -> None:
    """Play one action of the computer if it is to act; calls that come late or twice do nothing.

    When the computer is to act again after it, the doorbell has rung again. Raises ``MatchNotFound``.
    """
    match = get_match(match_id)
    player = match.player_to_act
    strategy = find_strategy(match.rules)
    if player is None or not player.is_computer or strategy is None:
        return
    text = strategy(match.state)
    with suppress(StalePly, NotYourTurn, MatchOver, MatchPaused, TooLate):
        play_move(match_id=match_id, player=player, ply=match.ply, text=text, now=now)


def call_waiting_computers(*, now: datetime, limit: int = BATCH) -> int:
    """Call the computer again to up to ``limit`` matches where it has been to act for a while; return to how many.

    A call that nobody has answered when the next one is due is dropped, so that calls never pile up.
    """
    waiting = matches_waiting_for_computers(since=now - PATIENCE).values_list("pk", flat=True)[:limit]
    for match_id in waiting:
        call_computer(match_id, expires=PATIENCE)
    return len(waiting)
