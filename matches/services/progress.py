"""The changes that a move makes to a match: dice, turns, clocks and the result. Nothing here writes to the database.

The functions change a ``Match`` in memory; a service then stores the fields in ``PROGRESS`` by one
UPDATE under the condition that the stored match is still the one it has read.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from matches import clock, dice
from matches.clock import RunningClock
from matches.models import Actor, Match, Move, Status
from matches.services.follow_ups import find_follow_up
from rules_engine.protocol import Game, State
from rules_engine.values import BySide, Ending, Nature, Outcome, Side

BORNE_OUT_BY_MOVES = (
    "ply",
    "position",
    "side",
    "bank_yellow",
    "bank_red",
    "held_yellow",
    "held_red",
    "allowed_yellow",
    "allowed_red",
    "turn_started_at",
    "last_move_at",
    "deadline",
    "chain",
    "rolls",
    "status",
    "winner",
    "ending",
    "score_yellow",
    "score_red",
    "points_yellow",
    "points_red",
    "finished_at",
    "paused_at",
)
"""The fields that follow from the moves, and from what was done to the clocks."""

PROGRESS = (*BORNE_OUT_BY_MOVES, "position_summary", "is_notified")

AS_READ = ("extensions", "answer_changes", "by_hand_yellow", "by_hand_red")
"""The fields that others change meanwhile, and that decide on what a move leads to."""

Follower = Callable[[Match, State], str | None]
"""Returns the move that follows by itself in a state that a match has come to, if there is one."""

Roller = Callable[[Match, State], str]
"""Returns the text of the next roll of a match, in a state where it is chance's turn or a late decision is drawn."""

MAX_FOLLOW_UPS = 100
"""The most moves that follow one without waiting for a player, who plays on by hand then."""


def roll_dice(match: Match, state: State) -> str:
    """Return the roll that the match's seed gives."""
    return dice.draw(bytes.fromhex(match.seed), match.pk, match.rolls, match.chain, dice.outcomes(state)).text


def store(match: Match, *, ply: int) -> bool:
    """Store the progress if the stored match is still played at this ply, and all else is as it was read.

    That is its clocks, the answers given beforehand, and who plays by hand.

    Return whether it was.
    """
    progress = {name: getattr(match, name) for name in PROGRESS}
    known = {name: getattr(match, name) for name in AS_READ}
    unchanged = Match.objects.filter(pk=match.pk, ply=ply, status=Status.PLAYING, **known)
    return bool(unchanged.update(**progress))


def begin(match: Match, roll: Roller = roll_dice, follow: Follower = find_follow_up) -> list[Move]:
    """Set the match to its beginning: roll the dice before the first action, start the clock of the side to act.

    The match has its id. Return the moves to be stored.
    """
    match.ply = match.rolls = 0
    control = match.time_control
    held = clock.held_back(control, match.begin_within)
    match.bank_yellow = match.bank_red = (control.bank - held) // clock.MILLISECOND
    match.held_yellow = match.held_red = held // clock.MILLISECOND
    match.allowed_yellow = match.allowed_red = 0
    match.turn_started_at = match.last_move_at = match.created_at
    match.status = Status.PLAYING
    match.side = match.winner = match.ending = ""
    match.score_yellow = match.score_red = match.points_yellow = match.points_red = None
    match.finished_at = None
    match.chain = dice.first_link(match.pk)
    return _reach(match, match.rules.start(), match.created_at, roll, follow)


def play(
    match: Match,
    after: State,
    side: Side,
    texts: Sequence[str],
    *,
    now: datetime,
    way: timedelta = timedelta(0),
    roll: Roller = roll_dice,
    follow: Follower = find_follow_up,
) -> list[Move]:
    """Let the side to act play texts that lead to the state ``after``, and the dice and moves that follow them.

    They were sent together, and took the ``way`` once. Return the moves to be stored.
    """
    _release(match, side)
    allowance = _allow(match, side, way, now)
    moves = []
    for text in texts:
        thinking = _thinking(match, now) // clock.MILLISECOND
        moves.append(_add(match, Actor(side), text, now, thinking=thinking))
    moves[0].allowance = allowance // clock.MILLISECOND
    return [*moves, *_reach(match, after, now, roll, follow)]


def allowance(match: Match, side: Side, way: timedelta, now: datetime) -> timedelta:
    """Return what a side to act is allowed for the way of a move that arrives now."""
    return clock.allowance(match.time_control, way, _thinking(match, now), match.allowed[side])


def draw_move(
    match: Match, drawn_before: int, roll: Roller = roll_dice, follow: Follower = find_follow_up
) -> list[Move]:
    """Let the dice decide for the side whose time for a decision has run out, dated at the deadline.

    ``drawn_before`` is how many decisions of this side were drawn running: with ``MAX_DRAWN`` the match is lost on
    time. Return the moves to be stored.
    """
    side, at, before = Side(match.side), match.clock.deadline, match.state
    text = roll(match, before)
    match.rolls += 1
    thinking = _thinking(match, at) // clock.MILLISECOND
    move = _add(match, Actor(side), text, at, thinking=thinking, is_drawn=True)
    _set_clock(match, RunningClock(match.time_control.bank, at))
    moves = [move, *_reach(match, before.play(text), at, roll, follow)]
    if match.status == Status.PLAYING and drawn_before + 1 >= clock.MAX_DRAWN:
        finish(match, Outcome(side.opponent, Ending.TIMEOUT, match.state.score), at)
    return moves


def extend(match: Match, side: Side, by: timedelta, now: datetime) -> timedelta:
    """Give a side more time, at most up to the cap; return how much it got.

    The time that a side to act has used of its turn so far is charged before. What is held until its first move counts.
    """
    left = match.time_left(side, now)
    by = clock.extension(match.time_control, left + match.held[side], by)
    if match.side == side:
        extended, given = match.clock.extended(match.time_control, by, now)
        if given:
            _set_clock(match, extended)
    else:
        given = clock.extension(match.time_control, match.banks[side], by)
        _set_bank(match, side, match.banks[side] + given)
    return given


def shorten(match: Match, side: Side, by: timedelta, now: datetime) -> None:
    """Take time from a side that has so much. A side to act is charged before for what it has used of its turn."""
    if match.side == side:
        _set_clock(match, match.clock.shortened(by, now))
    else:
        _set_bank(match, side, match.banks[side] - by)


def add_day(match: Match) -> None:
    """Give the side to act the hours of a day of vacation."""
    _set_clock(match, match.clock.with_day())


def shift(match: Match, length: timedelta) -> None:
    """Start the clock of the side to act again after a pause of this length."""
    _set_clock(match, match.clock.after_pause(length))


def credit(match: Match, side: Side, by: timedelta) -> None:
    """Give a side back what one of its turns was charged."""
    if match.side == side:
        _set_clock(match, RunningClock(match.banks[side] + by, match.turn_started_at))
    else:
        _set_bank(match, side, match.banks[side] + by)


@dataclass(frozen=True, slots=True)
class Before:
    """A match before a move of a side, and how much the move added to its clock.

    ``end`` is the ply after it and what followed by itself, ``None`` where that was not the side's alone.
    """

    ply: int
    side: Side
    state: State
    chain: str
    last_move_at: datetime
    gained: timedelta
    end: int | None


def take_back(match: Match, turn: Sequence[Before], now: datetime) -> None:
    """Let the side that has played the last moves, a turn or its beginning, play it again.

    Both clocks have used what they have used; what the turn added is gone. With a time for each decision, the decision
    has all of its time.
    """
    first, control = turn[0], match.time_control
    left = BySide(*(match.time_left(side, now) for side in Side))
    bank = left[first.side] - sum((move.gained for move in turn), timedelta(0))
    _set_bank(match, first.side.opponent, control.bank if control.by_decision else left[first.side.opponent])
    match.ply, match.state, match.chain, match.last_move_at = first.ply, first.state, first.chain, first.last_move_at
    match.side, match.is_notified = first.side, False
    _set_clock(match, RunningClock(control.bank if control.by_decision else bank, now))


def finish(match: Match, outcome: Outcome, at: datetime) -> None:
    """End the match with this outcome."""
    for name, value in result(match.rules, outcome).items():
        setattr(match, name, value)
    match.finished_at = at


def go_on(match: Match, length: timedelta) -> None:
    """Let a match that was ended from outside go on from where it stood, after its clock stood still for so long."""
    turn = match.state.turn
    if not isinstance(turn, Side):
        raise TypeError("this match was not ended from outside")
    match.status, match.side = Status.PLAYING, turn
    match.winner = match.ending = ""
    match.score_yellow = match.score_red = match.points_yellow = match.points_red = None
    match.finished_at = None
    match.is_notified = False
    shift(match, length)


def result(rules: Game, outcome: Outcome) -> dict[str, Any]:
    """Return the fields of a match that ends with this outcome, except the moment.

    A match that both sides forfeit, or that was cancelled, gives no points.
    """
    if outcome.winner is None and outcome.ending in {Ending.FORFEIT, Ending.CANCELLED}:
        points = BySide(0, 0)
    else:
        points = rules.match_points(outcome)
    return {
        "status": Status.FINISHED,
        "winner": outcome.winner or "",
        "ending": outcome.ending,
        "score_yellow": outcome.score.yellow,
        "score_red": outcome.score.red,
        "points_yellow": points.yellow,
        "points_red": points.red,
        "side": "",
        "deadline": None,
        "paused_at": None,
        "is_notified": False,
    }


def _reach(match: Match, state: State, now: datetime, roll: Roller, follow: Follower) -> list[Move]:
    """Roll while it is chance's turn, pass the turn, and play on by itself, or end the match; return the moves.

    Turns that are played by themselves add nothing to a clock.
    """
    moves: list[Move] = []
    has_acted = True
    for left in reversed(range(MAX_FOLLOW_UPS + 1)):
        while state.turn is Nature.CHANCE:
            text = roll(match, state)
            state = state.play(text)
            match.rolls += 1
            moves.append(_add(match, Actor.CHANCE, text, now))
        match.state, side = state, match.side
        _pass_turn(match, state.turn, now, has_acted=has_acted)
        has_acted = has_acted and match.side == side
        if not left or (move := follow(match, state)) is None:
            break
        moves.append(_add(match, Actor(match.side), move, now, thinking=0, by_itself=True))
        state = state.play(move)
    if state.outcome is not None:
        finish(match, state.outcome, now)
    return moves


def _add(
    match: Match,
    actor: Actor,
    text: str,
    now: datetime,
    thinking: int | None = None,
    **how: bool,
) -> Move:
    move = Move(match=match, ply=match.ply, actor=actor, text=text, played_at=now, thinking=thinking, **how)
    match.chain = dice.next_link(match.chain, actor, text)
    match.ply += 1
    match.last_move_at = now
    return move


def _pass_turn(match: Match, turn: Side | None, now: datetime, *, has_acted: bool) -> None:
    """Stop the clock of the side that had the turn and start the other's, unless it keeps the turn.

    A turn in which it has not acted adds nothing. With a time for each decision the clock of a side that keeps the turn
    starts anew.
    """
    keeps = match.side == (turn or "")
    if keeps and not match.time_control.by_decision:
        return
    if match.side and has_acted:
        _set_bank(match, Side(match.side), match.clock.charged(match.time_control, now))
    match.side = turn or ""
    match.turn_started_at = now
    match.deadline = match.clock.deadline if turn else None
    match.is_notified = keeps and match.is_notified


def _release(match: Match, side: Side) -> None:
    """Give a side to act, with its first move, the rest of its bank."""
    if held := match.held[side]:
        _set_clock(match, RunningClock(match.banks[side] + held, match.turn_started_at))
        setattr(match, f"held_{side}", 0)


def _allow(match: Match, side: Side, way: timedelta, now: datetime) -> timedelta:
    """Give the side to act the time that it is allowed for the way of its move; return that."""
    if allowed := allowance(match, side, way, now):
        _set_clock(match, RunningClock(match.banks[side] + allowed, match.turn_started_at))
        setattr(match, f"allowed_{side}", (match.allowed[side] + allowed) // clock.MILLISECOND)
    return allowed


def _thinking(match: Match, now: datetime) -> timedelta:
    """Return the time since the move before, of a side's first action since its turn started."""
    return clock.spent(max(match.turn_started_at, match.last_move_at), now)


def _set_clock(match: Match, running: RunningClock) -> None:
    """Store this as the clock of the side to act."""
    _set_bank(match, Side(match.side), running.bank)
    match.turn_started_at = running.started_at
    match.deadline = running.deadline


def _set_bank(match: Match, side: Side, bank: timedelta) -> None:
    milliseconds = bank // clock.MILLISECOND
    if side is Side.YELLOW:
        match.bank_yellow = milliseconds
    else:
        match.bank_red = milliseconds
