"""Services that play a move, or all actions of a turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import perf_counter

from django.db import transaction
from django.utils.translation import gettext as _

from matches import clock
from matches.errors import MatchOver, MatchPaused, NotYourMatch, NotYourTurn, StalePly, TooLate, TurnOver, refusals_of
from matches.metrics import MOVE_SECONDS
from matches.models import Match, Move, Status
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.after_commit import notify_move
from matches.services.answered_moves import store_answered
from matches.services.rolled_turns import find_stored_turn, go_on_across_rolls
from matches.services.site_pauses import give_back_if_late
from matches.services.vacation_hours import take_vacation
from players.connections import find_way
from players.models import Player
from rules_engine.protocol import State
from rules_engine.values import Nature, Side


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A stored move and the match after it; ``repeated`` if it had been stored before."""

    match: Match
    move: Move
    repeated: bool


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """The stored moves of a turn and the match after them; ``repeated`` if they had been stored before.

    ``not_played`` are the actions that did not follow a roll.
    """

    match: Match
    moves: tuple[Move, ...]
    repeated: bool
    not_played: tuple[str, ...] = ()


def play_move(*, match_id: int, player: Player, ply: int, text: str, now: datetime) -> PlayedMove:
    """Play ``text`` as move number ``ply`` of a match, the dice that follow it, and answers given beforehand.

    The same player, ply and text again give the stored move. A move after the deadline counts if a day of
    vacation saves the clock: it is spent then, unless it was spent before. In a live match it counts if it is no later
    than its way is allowed, and the match has not ended meanwhile. Raises ``MatchNotFound``,
    ``NotYourMatch``, ``UnreadableMove``, ``MatchOver``, ``StalePly``, ``NotYourTurn``, ``MatchPaused``,
    ``TooLate`` or ``RefusedMove``; then nothing has changed.
    """
    played = play_turn(match_id=match_id, player=player, ply=ply, texts=(text,), now=now)
    return PlayedMove(played.match, played.moves[0], played.repeated)


def play_turn(
    *, match_id: int, player: Player, ply: int, texts: Sequence[str], across_rolls: bool = False, now: datetime
) -> PlayedTurn:
    """Play several actions of one turn from move number ``ply`` on, all of them or none, and the dice after them.

    Each becomes a move of its own, as if it had been played alone. The same player, ply and texts again give the
    stored moves. Raises what ``play_move`` raises, the refusal of an action with its ``ply``, and ``TurnOver`` where
    the turn ends, or dice are rolled, before the last action.

    With ``across_rolls`` all or none are those before the first roll. The turn goes on with the others as long as they
    are legal without a decision of the opponent, and is stored at once.
    """
    begun = perf_counter()
    now = clock.whole_millisecond(now)
    sent = _Sent(player, ply, tuple(texts), across_rolls)
    # If another move was stored at this ply first, the next attempt reads the match as that move left it.
    while (played := _try_to_play(match_id, sent, now)) is None:
        pass
    MOVE_SECONDS.labels(played.match.game).observe(perf_counter() - begun)
    return played


def check_turn(match: Match, side: Side | None) -> None:
    """Check that a side may act, its time aside; raises ``MatchOver``, ``NotYourTurn`` or ``MatchPaused``."""
    if match.status == Status.FINISHED:
        raise MatchOver(_("The match is over."))
    if side is None or match.side != side:
        raise NotYourTurn(_("It is not your turn."))
    if match.paused_at is not None:
        raise MatchPaused(_("The match is paused. The clocks are stopped, and nobody can move."))


def follow(match: Match, side: Side, texts: Sequence[str], *, across_rolls: bool = False) -> tuple[State, int]:
    """Return the state after a side to act has played texts, and how many: ``across_rolls`` those before the first one.

    Raises ``UnreadableMove``, ``RefusedMove`` or ``TurnOver``; a refusal has the ``ply`` that the refused action would
    have had.
    """
    state = match.state
    for length, text in enumerate(texts):
        if across_rolls and state.turn is Nature.CHANCE:
            return state, length
        ply = match.ply + length
        if state.turn is not side:
            raise _turn_over(state, texts[length - 1], text, ply)
        with refusals_of(match.game, ply=ply):
            state = state.play(text)
    return state, len(texts)


def _turn_over(state: State, last: str, text: str, ply: int) -> TurnOver:
    if state.turn is Nature.CHANCE:
        sentence = _("After %(last)s the dice are rolled. Check the roll before you play %(text)s.")
    else:
        sentence = _("After %(last)s your turn is over, so %(text)s cannot follow.")
    return TurnOver(sentence % {"last": last, "text": text}, ply=ply)


@dataclass(frozen=True, slots=True)
class _Sent:
    """What a player has sent: actions of a turn from a ply on, and whether they may go on across rolls."""

    player: Player
    ply: int
    texts: tuple[str, ...]
    across_rolls: bool


def _try_to_play(match_id: int, sent: _Sent, now: datetime) -> PlayedTurn | None:
    match = give_back_if_late(get_match(match_id), now)
    if not (match.player_to_act == sent.player and match.allows_vacation and match.is_late(now)):
        return _play(match, sent, now)
    # The day that saves the clock is spent with the move, or not at all.
    with transaction.atomic():
        take_vacation(player_id=sent.player.pk, now=now)
        return _play(get_match(match_id), sent, now)


def _play(match: Match, sent: _Sent, now: datetime) -> PlayedTurn | None:
    side = match.side_of(sent.player.pk)
    if side is None:
        raise NotYourMatch(_("You do not play in this match."))
    for place, text in enumerate(sent.texts, start=sent.ply):
        with refusals_of(match.game, ply=place):
            match.rules.read_move(text)
    if stored := _stored_moves(match, side, sent):
        return PlayedTurn(match, stored, repeated=True, not_played=sent.texts[len(stored) :])
    way = find_way(player_id=sent.player.pk, now=now) if match.time_control.is_live else timedelta(0)
    _check_that_it_can_act(match, side, sent.ply, now - progress.allowance(match, side, way, now))
    after, length = follow(match, side, sent.texts, across_rolls=sent.across_rolls)
    moves = progress.play(match, after, side, sent.texts[:length], now=now, way=way)
    own = moves[:length]
    if sent.across_rolls:
        own = go_on_across_rolls(match, moves, sent.texts, length, now)
    if not store_answered(match, moves, now):
        return None
    notify_move(match)
    return PlayedTurn(match, tuple(own), repeated=False, not_played=sent.texts[len(own) :])


def _stored_moves(match: Match, side: Side, sent: _Sent) -> tuple[Move, ...]:
    """Return the moves if just these were stored before, else none."""
    ply, texts = sent.ply, sent.texts
    end = ply + len(texts)
    if sent.across_rolls and 0 <= ply < match.ply:
        return find_stored_turn(match, side, ply, texts)
    if ply < 0 or end > match.ply:
        return ()
    stored = tuple(match.moves.filter(ply__gte=ply, ply__lt=end, actor=side).order_by("ply"))
    return stored if [move.text for move in stored] == list(texts) else ()


def _check_that_it_can_act(match: Match, side: Side, ply: int, now: datetime) -> None:
    if ply != match.ply and match.status == Status.PLAYING:
        raise StalePly(_("The match has moved on. Check the position and play again."))
    check_turn(match, side)
    if match.is_late(now):
        raise TooLate(_("Your time ran out before this move arrived."))
