"""One way to play a move, for previews and animations: the fewest touches, then the fewest steps."""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from rules_engine.picture import Route
from rules_engine.streetsoccer.notation import Action, Kicked, Walked
from rules_engine.streetsoccer.pitch import DIRECTIONS, FORWARD, KEEPER_SPACES, NAMES, ORTHOGONAL, PITCH, WALKABLE
from rules_engine.streetsoccer.position import Position
from rules_engine.streetsoccer.turn import Situation
from rules_engine.streetsoccer.walk import walk


def find_route(position: Position, action: Action) -> Route:
    """Return a route of an action that is legal here; an empty one where nothing moves."""
    match action:
        case Walked(start=start, end=end):
            return Route(walk=_names(_walk_route(position.situation, start, end, position.pips)))
        case Kicked(start=int(start), end=int(end), target=target):
            return _walk_and_kick(position, start, end, target)
        case Kicked(start=None, end=int(space), target=target):
            return _dead_ball(position.with_keeper(space), target)
        case Kicked(target=target):
            return _dead_ball(position, target)
    return Route()


def _walk_and_kick(position: Position, start: int, end: int, target: int | None) -> Route:
    situation, die = position.situation, position.pips
    ball, taken = 1 << situation.ball, situation.own | situation.opponents
    _, lengths = walk(start, die, WALKABLE & ~(taken | ball), ball)
    # A longer kick follows a shorter walk.
    balls = [_Ball(0, die + 1 - length, end, length) for length in range(6, 0, -1) if lengths >> length & 1]
    own = situation.own ^ 1 << start | ball
    flight = _kick_route(situation, balls, own, target)
    steps = die + 1 - flight[0].left
    landing = situation.landing(situation.players.index(start), target)
    return _route(
        walk=_walk_route(situation, start, end, steps),
        flight=flight,
        own=own,
        shift=None if landing == end else NAMES[landing],
    )


def _dead_ball(position: Position, target: int | None) -> Route:
    situation, length = position.situation, position.pips
    balls = [_Ball(0, 0, number, length) for number in NAMES if position.kickers >> number & 1]
    return _route(walk=[], flight=_kick_route(situation, balls, situation.own, target), own=situation.own, shift=None)


def _walk_route(situation: Situation, start: int, end: int, steps: int) -> list[int]:
    """Return the spaces of a walk of exactly so many steps, the first and the last included."""
    ball = 1 << situation.ball
    free = WALKABLE & ~(situation.own | situation.opponents | ball)
    layers = [walk(start, length, free, ball)[0] for length in range(1, steps)]
    route = [end]
    for layer in reversed(layers):
        before = (route[-1] - way for way in ORTHOGONAL)
        route.append(next(space for space in before if space >= 0 and layer >> space & 1))
    return [start, *reversed(route)]


@dataclass(frozen=True, slots=True, order=True)
class _Ball:
    """A ball on its way, cheapest first. ``way`` is its direction's index, -1 at a player's feet."""

    touches: int
    steps: int
    number: int
    left: int
    way: int = -1
    bent: bool = False


def _kick_route(situation: Situation, balls: list[_Ball], own: int, target: int | None) -> list[_Ball]:
    """Return the cheapest way of one of ``balls`` to the target, from its start to its end."""
    queue: list[_Ball] = []
    came_from: dict[_Ball, _Ball | None] = {}
    seen = set()
    for ball in balls:
        came_from[ball] = None
        heappush(queue, ball)
    while True:
        ball = heappop(queue)
        if _arrived(ball, target):
            break
        place = (ball.number, ball.left, ball.way, ball.bent)
        if place in seen:
            continue
        seen.add(place)
        for moved in _moved(ball, situation, own):
            if moved not in came_from:
                came_from[moved] = ball
                heappush(queue, moved)
    flight = [ball]
    while before := came_from[flight[-1]]:
        flight.append(before)
    return flight[::-1]


def _arrived(ball: _Ball, target: int | None) -> bool:
    if target is None:
        return not PITCH >> ball.number & 1
    return ball.number == target and ball.left == 0


def _moved(ball: _Ball, situation: Situation, own: int) -> Iterator[_Ball]:
    """Yield the ball one step on, in every way that it can go."""
    if not ball.left or not PITCH >> ball.number & 1:
        return
    if ball.way < 0:
        ways = [(way, False) for way in range(8)]
    elif ball.bent:
        ways = [(ball.way, True)]
    else:
        ways = [(ball.way, False), ((ball.way - 1) % 8, True), ((ball.way + 1) % 8, True)]
    keeper_spaces = KEEPER_SPACES[situation.side.opponent]
    forward = DIRECTIONS.index(FORWARD[situation.side])
    for way, bent in ways:
        number = ball.number + DIRECTIONS[way]
        if PITCH >> number & 1:
            if own >> number & 1:
                yield _Ball(ball.touches + 1, ball.steps + 1, number, ball.left)
            elif not situation.opponents >> number & 1:
                yield _Ball(ball.touches, ball.steps + 1, number, ball.left - 1, way, bent)
        elif keeper_spaces >> ball.number & 1 and (way - forward + 1) % 8 <= 2:
            yield _Ball(ball.touches, ball.steps + 1, number, ball.left - 1, way, bent)


def _route(*, walk: list[int], flight: list[_Ball], own: int, shift: str | None) -> Route:
    return Route(
        walk=_names(walk),
        kick=_names([ball.number for ball in flight]),
        touches=_names([ball.number for ball in flight[1:] if own >> ball.number & 1]),
        shift=shift,
    )


def _names(numbers: list[int]) -> tuple[str, ...]:
    return tuple(NAMES[number] for number in numbers)
