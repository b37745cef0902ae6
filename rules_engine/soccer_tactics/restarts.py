"""Restarts: who goes where at a kick-off, a free kick, a goal kick and a corner, and off-side (T13 to T17)."""

from dataclasses import replace
from typing import TypeVar

from rules_engine.soccer_tactics.board import (
    BOARD,
    COLUMNS,
    CORNERS,
    GOAL_AREAS,
    PENALTY_AREAS,
    by_nearness,
    column_of,
    nearness,
    rows_from_goal_line,
    squares_of,
)
from rules_engine.soccer_tactics.clock import NOBODY, await_choice, await_roll, begin_minute, end_half, is_time_up
from rules_engine.soccer_tactics.limits import territory
from rules_engine.soccer_tactics.position import CORNER_KEEPER, CORNER_STEPS, Phase, Position, Restart
from rules_engine.values import Side

P = TypeVar("P", bound=Position)


def place_for_kick_off(position: P, square: int) -> P:
    """Return the position after one pawn has been placed for a kick-off, the kicker with the ball first (T13)."""
    side, shirt = position.next_placed
    placed = replace(position, squares=position.with_pawn(side, shirt, square))
    if position.ball is None:
        placed = replace(placed, ball=square, restart=Restart.KICK_OFF, kicker=shirt)
    return placed if placed.is_waiting else await_roll(placed, Phase.BALL, position.side)


def begin_free_kick(position: P, side: Side) -> P:
    """Return the position before a free kick of ``side``, whose pawn on the ball's square takes it (T14).

    An opponent there goes to the nearest free square.
    """
    if is_time_up(position):
        return end_half(position)
    kicker = position.shirt_on(side, position.ball_square)
    opponent = position.shirt_on(side.opponent, position.ball_square)
    begun = await_roll(begin_minute(position), Phase.BALL, side)
    if opponent is not None:
        begun = move_away(begun, side.opponent, opponent, BOARD)
    return replace(begun, restart=Restart.FREE_KICK, kicker=kicker)


def punish_offside(position: P) -> P:
    """Return the position before the free kick for the off-side of the pawn on the ball's square (T17)."""
    if is_time_up(position):
        return end_half(position)
    side, square = position.defenders, position.ball_square
    taker = _find_taker(position, side, square)
    return begin_free_kick(replace(position, squares=position.with_pawn(side, taker, square)), side)


def _find_taker(position: Position, side: Side, square: int) -> int:
    """Return who takes a free kick for an off-side: the nearest field player who may stand there, else the keeper."""
    allowed = [shirt for shirt in position.field_players(side) if position.places(side, shirt) >> square & 1]
    return min(
        allowed,
        key=lambda shirt: nearness(position.square_of(side, shirt), square, side),
        default=position.keepers[side],
    )


def begin_goal_kick(position: P, side: Side) -> P:
    """Return the position in which the keeper of ``side`` is placed for a goal kick (T15)."""
    if is_time_up(position):
        return end_half(position)
    return replace(await_choice(begin_minute(position), Phase.GOAL_KICK, side), ball=None)


def begin_corner(position: P) -> P:
    """Return the position in which O names who takes the corner nearest to the ball (T16).

    Without a pawn that may take it, D has a goal kick.
    """
    left, right = squares_of(CORNERS[position.defenders])
    corner = left if column_of(position.ball_square) < len(COLUMNS) // 2 else right
    begun = await_choice(begin_minute(position), Phase.CORNER, position.attackers)
    begun = replace(begun, ball=corner, restart=Restart.CORNER)
    return begun if corner_kickers(begun) else begin_goal_kick(position, position.defenders)


def corner_kickers(position: Position) -> list[int]:
    """Return the shirts that may take the corner: field players who may stand there (T3, T5)."""
    side, corner = position.attackers, position.ball_square
    return [shirt for shirt in position.field_players(side) if position.places(side, shirt) >> corner & 1]


def name_corner_kicker(position: P, shirt: int) -> P:
    """Return the position with the pawn at the corner that takes it."""
    squares = position.with_pawn(position.attackers, shirt, position.ball_square)
    return end_corner_step(replace(position, squares=squares, kicker=shirt))


def end_corner_step(position: P) -> P:
    """Return what follows a step of a corner: the next one, or the ball (T16)."""
    steps = position.count + 1
    if steps < CORNER_STEPS:
        return replace(position, count=steps)
    return replace(await_roll(position, Phase.BALL, position.side), count=0, placed=NOBODY)


def put_keeper(position: P, square: int) -> P:
    """Return the position after the keeper has been placed for a goal kick (T15) or at a corner (T16)."""
    side = position.acting or position.attackers
    if position.phase is Phase.CORNER:
        return end_corner_step(_clear_way(position, side, square, opponents=False))
    kick = await_roll(_clear_way(position, side, square, opponents=True), Phase.BALL, side)
    return replace(kick, ball=square, restart=Restart.GOAL_KICK, kicker=position.keepers[side])


def decision_of(position: Position) -> str:
    """Return the kind of a choice at a restart that suits any other of its kind, else an empty text."""
    if position.phase is Phase.CORNER:
        return {0: "corner-kicker", CORNER_KEEPER: "corner-keeper"}.get(position.count, "")
    return "goal-kick" if position.phase is Phase.GOAL_KICK else ""


def rehearse(position: P, side: Side) -> dict[str, P]:
    """Return the restarts at which a side decides, from where the pawns stand: by the kinds of its decisions."""
    found = {"goal-kick": replace(await_choice(position, Phase.GOAL_KICK, side), ball=None)}
    for attackers in Side:
        ball = squares_of(CORNERS[attackers.opponent])[0]
        corner = replace(await_choice(position, Phase.CORNER, attackers), ball=ball, count=0, placed=NOBODY)
        corner = replace(corner, restart=Restart.CORNER, kicker=None)
        kickers = corner_kickers(corner)
        if not kickers:
            continue
        if attackers is not side:
            corner = name_corner_kicker(corner, kickers[-1])
        found[decision_of(corner)] = corner
    return found


def keeper_squares(position: Position, side: Side) -> list[int]:
    """Return the goal-area squares on which a keeper may be put: those that break T3 only if both do."""
    area, keeper = GOAL_AREAS[side], position.keepers[side]
    leaving = [
        square for square in squares_of(area & position.team(side)) if square != position.square_of(side, keeper)
    ]
    return squares_of(area & position.places(side, keeper, *leaving)) or squares_of(area)


def _clear_way(position: P, side: Side, square: int, *, opponents: bool) -> P:
    """Return the position with the keeper on a goal-area square, another own pawn gone from that area (T15).

    At a goal kick every opponent in the penalty area goes too: those nearest to the goal line first, then by column,
    on one square the own pawn first.
    """
    keeper = position.keepers[side]
    leaving = [
        (side, shirt, GOAL_AREAS[side])
        for shirt in position.field_players(side)
        if GOAL_AREAS[side] >> position.square_of(side, shirt) & 1
    ]
    if opponents:
        leaving += [
            (side.opponent, shirt, PENALTY_AREAS[side])
            for shirt, standing in enumerate(position.squares[side.opponent], 1)
            if standing >= 0 and PENALTY_AREAS[side] >> standing & 1
        ]
    position = replace(position, squares=position.with_pawn(side, keeper, square))

    def order(each: tuple[Side, int, int]) -> tuple[int, int, bool]:
        standing = position.square_of(each[0], each[1])
        return rows_from_goal_line(standing, side), column_of(standing), each[0] is not side

    for team, shirt, area in sorted(leaving, key=order):
        position = move_away(position, team, shirt, BOARD & ~area)
    return position


def move_away(position: P, side: Side, shirt: int, allowed: int) -> P:
    """Return the position with a pawn on the nearest free square among those allowed.

    Where T3 holds nowhere, because the team breaks it already, it is left out of account.
    """
    free = position.free_places(side, shirt) & allowed
    if not free:
        taken = position.team(Side.YELLOW) | position.team(Side.RED)
        free = territory(side, position.role(side, shirt)) & allowed & ~taken
    square = next(each for each in by_nearness(position.square_of(side, shirt), side) if free >> each & 1)
    return replace(position, squares=position.with_pawn(side, shirt, square))
