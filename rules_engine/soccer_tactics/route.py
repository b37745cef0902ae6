"""One way to play a move, for previews and animations: the fewest steps, without a change of direction if it can be."""

from collections.abc import Iterable

from rules_engine.picture import Route
from rules_engine.soccer_tactics.board import NAMES
from rules_engine.soccer_tactics.limits import territory
from rules_engine.soccer_tactics.notation import Action, Dribbled, Moved, Played
from rules_engine.soccer_tactics.paths import find_ball_path, find_pawn_path
from rules_engine.soccer_tactics.position import Position


def find_route(position: Position, action: Action) -> Route:
    """Return a route of an action that is legal here; an empty one where nothing moves along a way."""
    match action:
        case Moved(start=start, end=end) if position.pips:
            side = position.acting or position.attackers
            shirt = position.squares[side].index(start) + 1
            allowed = territory(side, position.role(side, shirt))
            path = find_pawn_path(start, end, position.pips, position.team(side.opponent), allowed)
            return Route(walk=_names((start, *path)))
        case Moved(start=start, end=end):
            return Route(walk=_names((start, end)))
        case Played(target=target):
            ball = position.ball_square
            return Route(kick=_names((ball, *find_ball_path(ball, target, position.pips))))
        case Dribbled(target=target):
            step = _names((position.ball_square, target))
            return Route(walk=step, kick=step)
    return Route()


def _names(squares: Iterable[int]) -> tuple[str, ...]:
    return tuple(NAMES[square] for square in squares)
