"""Playing a move."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from time import perf_counter

from django.db import transaction

from matches import clock
from matches.errors import MatchOver, MatchPaused, NotYourMatch, NotYourTurn, StalePly, TooLate, refusals_of
from matches.measuring import MOVE_SECONDS
from matches.models import Match, Move, Status
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.doorbells import ring
from matches.services.storing import store_moves
from matches.services.vacation import take_vacation
from players.models import Player
from rules_engine.values import Side


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A stored move and the match after it; ``repeated`` if it had been stored before."""

    match: Match
    move: Move
    repeated: bool


def play_move(*, match_id: int, player: Player, ply: int, text: str, now: datetime) -> PlayedMove:
    """Play ``text`` as event number ``ply`` of a match, and the dice that follow it.

    The same player, ply and text again give the stored move. A move after the deadline counts if a day of
    vacation saves the clock: it is spent then, unless it was spent before. Raises ``MatchNotFound``,
    ``NotYourMatch``, ``UnreadableMove``, ``MatchOver``, ``StalePly``, ``NotYourTurn``, ``MatchPaused``,
    ``TooLate`` or ``RefusedMove``; then nothing has changed.
    """
    begun = perf_counter()
    now = clock.whole_millisecond(now)
    # Who loses the race for a ply finds at the second look that the match has gone on.
    while (played := _try_to_play(match_id, player, ply, text, now)) is None:
        pass
    MOVE_SECONDS.labels(played.match.game).observe(perf_counter() - begun)
    return played


def check_turn(match: Match, side: Side | None) -> None:
    """Check that a side may act, its time aside; raises ``MatchOver``, ``NotYourTurn`` or ``MatchPaused``."""
    if match.status == Status.FINISHED:
        raise MatchOver("The match is over.")
    if side is None or match.side != side:
        raise NotYourTurn("It is not your turn.")
    if match.paused_at is not None:
        raise MatchPaused("The match is paused: the clocks stand still, and nobody moves.")


def _try_to_play(match_id: int, player: Player, ply: int, text: str, now: datetime) -> PlayedMove | None:
    match = get_match(match_id)
    if not (match.player_to_act == player and match.allows_vacation and match.is_late(now)):
        return _play(match, player, ply, text, now)
    # The day that saves the clock is spent with the move, or not at all.
    with transaction.atomic():
        take_vacation(player_id=player.pk, now=now)
        return _play(get_match(match_id), player, ply, text, now)


def _play(match: Match, player: Player, ply: int, text: str, now: datetime) -> PlayedMove | None:
    side = match.side_of(player.pk)
    if side is None:
        raise NotYourMatch("You do not play in this match.")
    with refusals_of(match.game):
        text = match.rules.read_move(text)
    if (stored := _stored_move(match, side, ply, text)) is not None:
        return PlayedMove(match, stored, repeated=True)
    _check_that_it_can_act(match, side, ply, now)
    with refusals_of(match.game):
        moves = progress.play(match, match.state, side, text, now=now)
    if not store_moves(match, moves):
        return None
    ring(match)
    return PlayedMove(match, moves[0], repeated=False)


def _stored_move(match: Match, side: Side, ply: int, text: str) -> Move | None:
    """Return the move if just this one was stored before."""
    if not 0 <= ply < match.ply:
        return None
    return match.moves.filter(ply=ply, actor=side, text=text).first()


def _check_that_it_can_act(match: Match, side: Side, ply: int, now: datetime) -> None:
    if ply != match.ply and match.status == Status.PLAYING:
        raise StalePly(f"The match has come to ply {match.ply}, not {ply}. Look at it again before you move.")
    check_turn(match, side)
    if match.is_late(now):
        raise TooLate("Your time ran out before this move came.")
