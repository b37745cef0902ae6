"""A second StreetSoccer, as plain as possible: names of spaces, sets of them, paths step by step.

It exists to disagree with the engine. It shares nothing with it but the names of the spaces, and
follows the rules' sentences one by one (S4, S6 to S20), clarity before speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

FILES = "abcdefgh"
COMPASS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
ACROSS = {"N": 0, "NE": 1, "E": 1, "SE": 1, "S": 0, "SW": -1, "W": -1, "NW": -1}
UP = {"N": 1, "NE": 1, "E": 0, "SE": -1, "S": -1, "SW": -1, "W": 0, "NW": 1}

BOARD = {f"{file}{rank}" for file in FILES for rank in range(12)}
GOALS = {"d0", "e0", "d11", "e11"}
PITCH = {f"{file}{rank}" for file in "bcdefg" for rank in range(1, 11)}
KEEPER_SPACES = {"yellow": {"d1", "e1"}, "red": {"d10", "e10"}}
PENALTY_AREA = {"yellow": {"d1", "e1", "d2", "e2"}, "red": {"d9", "e9", "d10", "e10"}}
CIRCLE = {"yellow": {"d5", "e5"}, "red": {"d6", "e6"}}
HALF = {
    "yellow": {space for space in PITCH if int(space[1:]) <= 5},
    "red": {space for space in PITCH if int(space[1:]) >= 6},
}
BORDERLINES = (
    {space for space in PITCH if space[0] == "b"},
    {space for space in PITCH if space[0] == "g"},
    {space for space in PITCH if space[1:] == "1"},
    {space for space in PITCH if space[1:] == "10"},
)
OPPONENT = {"yellow": "red", "red": "yellow"}
ACROSS_THE_END_LINE = {"yellow": {"NW", "N", "NE"}, "red": {"SW", "S", "SE"}}


def _beside(space: str, direction: str, steps: int = 1) -> str:
    file = FILES.index(space[0]) + steps * ACROSS[direction]
    rank = int(space[1:]) + steps * UP[direction]
    return f"{FILES[file]}{rank}" if 0 <= file < 8 and 0 <= rank < 12 else "off the board"


NEIGHBOUR = {(space, direction): _beside(space, direction) for space in BOARD for direction in COMPASS}
BESIDE = {space: {NEIGHBOUR[space, direction] for direction in "NESW"} & BOARD for space in BOARD}


@dataclass(frozen=True)
class Position:
    """The places of all players, the goalie first; ``ball`` is ``None`` while it is not in play."""

    preset: str
    yellow: tuple[str, ...]
    red: tuple[str, ...]
    ball: str | None = None

    def players(self, side: str) -> tuple[str, ...]:
        """Return where a side's players stand, in the order of their shirts."""
        return self.yellow if side == "yellow" else self.red

    def standing(self, side: str, players: tuple[str, ...]) -> Position:
        """Return the position with a side's players elsewhere."""
        return replace(self, yellow=players) if side == "yellow" else replace(self, red=players)

    def moved(self, side: str, shirt: int, space: str) -> Position:
        """Return the position with one player, counted from 0, on another space."""
        players = list(self.players(side))
        players[shirt] = space
        return self.standing(side, tuple(players))

    def taken(self) -> set[str]:
        """Return the spaces with a player on them."""
        return {*self.yellow, *self.red}


def turns(position: Position, side: str, die: int) -> dict[str, Position]:
    """Return every legal turn (S7 to S20) and where it leads; ``pass`` if there is none (S21)."""
    found = {}
    ball = position.ball or ""
    for shirt, start in enumerate(position.players(side)):
        ends, kicks_with = _walks(position, start, die)
        for end in ends:
            after = position.moved(side, shirt, end)
            if _may_stay(after, side, shirt) and open_play(after, side):
                found[f"{start}-{end}"] = after
        for walked in kicks_with:
            at_the_ball = position.moved(side, shirt, ball)
            for target in _kick(at_the_ball, side, ball, die - walked + 1):
                kicked = replace(at_the_ball, ball=None if target == "goal" else target)
                landed = _shifted(kicked, side, shirt)
                if landed and (target == "goal" or open_play(landed, side)):
                    found[f"{start}-{ball}>{target}"] = landed
    return found or {"pass": position}


def kick_offs(position: Position, side: str, number: int) -> dict[str, Position]:
    """Return every legal kick-off (S6) and where it leads; empty if there is none."""
    found = {}
    for start in position.players(side):
        if start in CIRCLE[side]:
            for target in _kick(position, side, start, number) - {"goal"}:
                after = replace(position, ball=target)
                if open_play(after, side):
                    found[f">{target}"] = after
    return found


def restarts(position: Position, side: str, die: int, keeper: str) -> dict[str, Position]:
    """Return every legal kick after a goal with the goalie on ``keeper`` (S18), and where it leads.

    If no die at all would allow one, those that enclose the ball are legal (S21).
    """
    placed = position.moved(side, 0, keeper)
    if any(_restart_kicks(placed, side, number, open_only=True) for number in (die, 2, 3, 4, 5, 6)):
        return _restart_kicks(placed, side, die, open_only=True)
    return _restart_kicks(placed, side, die, open_only=False)


def _restart_kicks(position: Position, side: str, die: int, *, open_only: bool) -> dict[str, Position]:
    found = {}
    for target in _kick(position, side, position.players(side)[0], die):
        ball = None if target == "goal" else target
        after = replace(position, ball=ball)
        if ball is None or not open_only or open_play(after, side):
            found[f">{target}"] = after
    return found


def restarts_with_choice(position: Position, side: str, die: int) -> dict[str, Position]:
    """Return the same for a goalie who is placed and kicks in one move, as in ``@d1>e4``."""
    return {
        f"@{keeper}{text}": after
        for keeper in KEEPER_SPACES[side]
        for text, after in restarts(position, side, die, keeper).items()
    }


def placements(position: Position, side: str) -> set[str]:
    """Return where the side's next player may be placed so that its set-up can be completed (S4)."""
    return {space for space in PITCH - position.taken() if _can_complete(_placed(position, side, space), side)}


def is_set_up(position: Position, side: str) -> bool:
    """Return whether a side's players, all five of them, stand as they may before the kick-off (S4)."""
    return len(position.players(side)) == 5 and _can_complete(position, side)


def _placed(position: Position, side: str, space: str) -> Position:
    return position.standing(side, (*position.players(side), space))


def _can_complete(position: Position, side: str) -> bool:
    if _breaks_a_rule(position, side):
        return False
    if len(position.players(side)) < 5:
        free = sorted(PITCH - position.taken())
        return any(_can_complete(_placed(position, side, space), side) for space in free)
    outfielders = position.players(side)[1:]
    in_own_half = HALF[side].intersection(outfielders)
    in_opponents_half = HALF[OPPONENT[side]].intersection(outfielders)
    if position.preset == "online":
        return len(in_opponents_half) >= 1
    return bool(CIRCLE[side].intersection(outfielders)) and len(in_own_half) >= 2 and len(in_opponents_half) >= 1


def _breaks_a_rule(position: Position, side: str) -> bool:
    """Return whether somebody stands where nobody else can make it good again (S4, S15, S16)."""
    goalie, *outfielders = position.players(side)
    if position.preset == "online":
        closed_circle = CIRCLE["yellow"] | CIRCLE["red"]
        placed = outfielders[1:]
    else:
        closed_circle = CIRCLE[OPPONENT[side]]
        placed = outfielders
    return (
        goalie not in KEEPER_SPACES[side]
        or any(outfielder in KEEPER_SPACES["yellow"] | KEEPER_SPACES["red"] for outfielder in outfielders)
        or len(PENALTY_AREA[side].intersection(outfielders)) > 1
        or bool(closed_circle.intersection(placed))
    )


def _walks(position: Position, start: str, length: int) -> tuple[set[str], set[int]]:
    """Return where walks of the whole length end (S7), and after how many steps some reach the ball (S8)."""
    closed = position.taken() | GOALS
    reached, at_the_ball = {start}, set()
    for steps in range(1, length + 1):
        reached = set().union(*(BESIDE[space] for space in reached)) - closed
        if position.ball in reached:
            at_the_ball.add(steps)
            reached.remove(position.ball)
    return reached, at_the_ball


def _flights(length: int) -> Iterator[list[str]]:
    """Yield every way in which a ball can fly: straight on, or bent once by 45 degrees (S10)."""
    for point, direction in enumerate(COMPASS):
        yield [direction] * length
        for before in range(1, length):
            for turn in (-1, 1):
                yield [direction] * before + [COMPASS[(point + turn) % 8]] * (length - before)


def _kick(position: Position, side: str, start: str, length: int) -> set[str]:
    """Return every target, ``goal`` included, of a kick of exactly this length (S10 to S14)."""
    mates, opponents = set(position.players(side)), set(position.players(OPPONENT[side]))
    targets = set()
    touches, waiting = {(start, length)}, [(start, length)]
    while waiting:
        toucher, left = waiting.pop()
        for flight in _flights(left):
            ball = toucher
            for steps, direction in enumerate(flight, 1):
                if ball in KEEPER_SPACES[OPPONENT[side]] and direction in ACROSS_THE_END_LINE[side]:
                    targets.add("goal")
                    break
                ball = NEIGHBOUR[ball, direction]
                if ball not in PITCH or ball in opponents:
                    break
                if ball in mates:
                    touch = (ball, left - steps + 1)
                    if touch not in touches:
                        touches.add(touch)
                        waiting.append(touch)
                    break
                if steps == left:
                    targets.add(ball)
    return targets


def _may_stay(position: Position, side: str, shirt: int) -> bool:
    """Return whether a player may end where they stand (S15, S16)."""
    space = position.players(side)[shirt]
    if shirt == 0:
        return space not in KEEPER_SPACES[OPPONENT[side]]
    if space in KEEPER_SPACES["yellow"] | KEEPER_SPACES["red"]:
        return False
    return space not in PENALTY_AREA[side] or not PENALTY_AREA[side].intersection(
        position.players(side)[1:shirt] + position.players(side)[shirt + 1 :]
    )


def _shifted(position: Position, side: str, shirt: int) -> Position | None:
    """Return the position with the kicker off a keeper space where they may not stay (S17)."""
    space = position.players(side)[shirt]
    if _may_stay(position, side, shirt):
        return position
    if space not in KEEPER_SPACES["yellow"] | KEEPER_SPACES["red"]:
        return None
    away = "N" if space in KEEPER_SPACES["yellow"] else "S"
    nearest, other = ("W", "E") if space[0] == "d" else ("E", "W")
    for target in (_beside(space, away), _beside(space, nearest), _beside(space, other, steps=2)):
        after = position.moved(side, shirt, target)
        if target not in position.taken() | {position.ball} and _may_stay(after, side, shirt):
            return after
    return None


def open_play(position: Position, side: str) -> bool:
    """Return whether the ball is left open enough after the side's turn (S19, S20)."""
    if position.preset == "online":
        return True
    ball = position.ball or ""
    area = _flood(ball, closed=set(position.players(side)))
    if sum(bool(area & line) for line in BORDERLINES) < 3:
        return False
    way = _flood(ball, closed=position.taken())
    return all(any(BESIDE[player] & way for player in position.players(side)) for side in ("yellow", "red"))


def _flood(start: str, closed: set[str]) -> set[str]:
    """Return the spaces inside the lines that orthogonal steps reach from ``start``."""
    reached = edge = {start}
    elsewhere = PITCH - closed - reached
    while edge:
        edge = elsewhere & set().union(*[BESIDE[space] for space in edge])
        elsewhere = elsewhere - edge
        reached = reached | edge
    return reached
