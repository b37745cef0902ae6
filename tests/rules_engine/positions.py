"""Random StreetSoccer positions, seeded, that look for trouble rather than for ordinary play."""

from collections.abc import Callable, Iterator
from random import Random

from tests.rules_engine.naive import (
    BESIDE,
    BOARD,
    CIRCLE,
    GOALS,
    KEEPER_SPACES,
    OPPONENT,
    PENALTY_AREA,
    PITCH,
    Position,
    is_set_up,
    open_play,
)

WALKABLE = sorted(BOARD - GOALS)
OUTSIDE = sorted(BOARD - GOALS - PITCH)
IN_FRONT_OF_GOALS = KEEPER_SPACES["yellow"] | KEEPER_SPACES["red"]
SIDES = ("yellow", "red")
STANDING = {"yellow": ("d1", "d5"), "red": ("e10", "e6")}
"""The goalie and the outfielder who stand from the start in the online preset."""

Wishes = tuple[str | None, list[str]]
"""The space where the ball should lie, and those where players should stand, the most wanted space last."""


def turn_positions(preset: str, seed: int) -> Iterator[tuple[Position, str]]:
    """Yield positions with the ball in play and the side to move, without end.

    With enclosure forbidden, nine in ten are such that the other side may have left them so.
    """
    random = Random(f"{preset} {seed}")
    while True:
        ball, wishes = random.choice(THEMES)(random)
        position = _position(random, preset, ball or random.choice(sorted(PITCH)), wishes)
        side = random.choice(SIDES)
        if random.random() < 0.1 or open_play(position, OPPONENT[side]):
            yield position, side


def kick_off_positions(preset: str, seed: int) -> Iterator[tuple[Position, str]]:
    """Yield positions before a kick-off and the side that takes it, without end."""
    random = Random(f"{preset} {seed}")
    while True:
        position = Position(preset, (), ())
        wishes = [wish for wish in random.choice(THEMES)(random)[1] if wish in PITCH]
        for side in SIDES:
            position = _set_up(random, position, side, wishes)
        yield position, random.choice(SIDES) if preset == "board" else "yellow"


def restart_positions(preset: str, seed: int) -> Iterator[tuple[Position, str]]:
    """Yield positions after a goal and the side that conceded it, without end."""
    random = Random(f"{preset} {seed}")
    while True:
        side = random.choice(SIDES)
        if random.random() < 0.2:
            yield _shut_in(random, preset, side), side
        else:
            wishes = random.choice((_scattered, _before_a_goal, _cluster))(random)[1]
            yield _position(random, preset, None, wishes), side


def _set_up(random: Random, position: Position, side: str, wishes: list[str]) -> Position:
    """Return the position with a side set up, outfielders where some of the wishes are."""
    standing = STANDING[side] if position.preset == "online" else ()
    while True:
        keeper, kicker = standing or (random.choice(sorted(KEEPER_SPACES[side])), random.choice(sorted(CIRCLE[side])))
        others = random.sample(sorted({*wishes, *random.sample(sorted(PITCH), 8)}), 3)
        players = (keeper, kicker, *others)
        placed = position.standing(side, players)
        if len(placed.taken()) == len(placed.yellow + placed.red) and is_set_up(placed, side):
            return placed


def _shut_in(random: Random, preset: str, side: str) -> Position:
    """Return a position after a goal: opponents surround the goalie's spaces, and the goalie's team is far away.

    Mostly nobody of that team is beside a space of the pitch that is free.
    """
    near, deep = ("1", "2") if side == "yellow" else ("10", "9")
    ring = [f"c{near}", f"d{deep}", f"e{deep}", f"f{near}"]
    wider = [f"c{deep}", f"f{deep}", f"b{near}", f"g{near}"]
    behind = "0" if side == "yellow" else "11"
    corners = ["a0", "h0", "a11", "h11", f"c{behind}", f"f{behind}"]
    opponents = [*random.sample(ring, random.choice((3, 4, 4))), *random.sample(wider, 2)][:5]
    own = [random.choice(sorted(PITCH - IN_FRONT_OF_GOALS - {*opponents, *wider})), *random.sample(corners, 4)]
    if random.random() < 0.3:
        own[4] = random.choice([space for space in wider if space not in opponents])
    teams = (own, opponents) if side == "yellow" else (opponents, own)
    return Position(preset, tuple(teams[0]), tuple(teams[1]))


def _position(random: Random, preset: str, ball: str | None, wishes: list[str]) -> Position:
    """Return a position where S1, S15 and S16 hold and most wishes come true.

    The teams take turns at random, so that who gets a wish is open.
    """
    free = [*random.sample(WALKABLE, len(WALKABLE)), *(wish for wish in wishes if wish in WALKABLE)]
    teams: dict[str, list[str]] = {"yellow": [], "red": []}
    for side in random.choice(
        (random.sample(SIDES * 5, 10), ["yellow"] * 5 + ["red"] * 5, ["red"] * 5 + ["yellow"] * 5)
    ):
        if not teams[side]:
            closed = IN_FRONT_OF_GOALS - KEEPER_SPACES[side]
        else:
            closed = set(IN_FRONT_OF_GOALS)
            if PENALTY_AREA[side].intersection(teams[side][1:]):
                closed |= PENALTY_AREA[side]
        taken = {*teams["yellow"], *teams["red"], ball} | closed
        teams[side].append(next(space for space in reversed(free) if space not in taken))
    return Position(preset, tuple(teams["yellow"]), tuple(teams["red"]), ball)


def _scattered(random: Random) -> Wishes:
    return None, []


def _outside(random: Random) -> Wishes:
    return None, random.sample(OUTSIDE, 6)


def _before_a_goal(random: Random) -> Wishes:
    """Return the ball on a keeper space, players on and around the spaces of a shift."""
    side = random.choice(SIDES)
    ranks = ("0", "1", "2", "3") if side == "yellow" else ("11", "10", "9", "8")
    around = [f"{file}{rank}" for rank in ranks for file in "bcdefg"]
    return random.choice(sorted(KEEPER_SPACES[side])), random.sample(around, random.randint(3, 10))


def _shift_is_hard(random: Random) -> Wishes:
    """Return the ball on a keeper space, all or most of the three spaces of the shift taken."""
    side = random.choice(SIDES)
    ball = random.choice(sorted(KEEPER_SPACES[side]))
    near, far = ("c", "f") if ball[0] == "d" else ("f", "c")
    away = "2" if side == "yellow" else "9"
    targets = [f"{ball[0]}{away}", f"{near}{ball[1:]}", f"{far}{ball[1:]}"]
    kickers = [f"{file}{rank}" for file in "bg" for rank in (1, 2, 9, 10)]
    return ball, random.sample(kickers, 3) + random.sample(targets, random.randint(2, 3))


def _penalty_area(random: Random) -> Wishes:
    side = random.choice(SIDES)
    deep = sorted(PENALTY_AREA[side] - KEEPER_SPACES[side])
    near = sorted({beside for space in deep for beside in BESIDE[space]})
    return random.choice([None, *near]), near + random.sample(deep, 1)


def _wall(random: Random) -> Wishes:
    """Return a row or a file of players across the pitch, with a gap or two."""
    if random.random() < 0.5:
        rank = random.randint(2, 9)
        wall = [f"{file}{rank + random.choice((0, 0, 0, 1))}" for file in "bcdefg"]
    else:
        file = random.choice("cdef")
        wall = [f"{file}{rank}" for rank in range(1, 11)]
    return None, random.sample(wall, random.randint(4, min(9, len(wall))))


def _corner(random: Random) -> Wishes:
    """Return the ball in or near a corner behind a diagonal of players."""
    left, low = random.random() < 0.5, random.random() < 0.5
    size = random.randint(1, 4)
    files = "bcdefg" if left else "gfedcb"
    ranks = range(1, 11) if low else range(10, 0, -1)
    diagonal = [f"{files[step]}{ranks[size - step]}" for step in range(size + 1)]
    inside = [f"{files[x]}{ranks[y]}" for x in range(size) for y in range(size - x)]
    return random.choice(inside), random.sample(inside, min(2, len(inside))) + random.sample(diagonal, len(diagonal))


def _ring(random: Random) -> Wishes:
    """Return the ball with players around it, one or more of the ring's spaces being left."""
    ball = random.choice(sorted(PITCH))
    ring = sorted({around for beside in BESIDE[ball] for around in BESIDE[beside]} | BESIDE[ball])
    return ball, random.sample(ring, len(ring) - random.randint(1, 3))


def _cluster(random: Random) -> Wishes:
    file, rank = random.randint(0, 3), random.randint(0, 8)
    window = [f"{letter}{number}" for letter in "abcdefgh"[file : file + 5] for number in range(rank, rank + 4)]
    return random.choice([None, *sorted(PITCH.intersection(window))]), random.sample(window, 10)


def _boxed_in(random: Random) -> Wishes:
    """Return one team in a corner of the board, the other team in its way."""
    files = random.choice(("abcd", "hgfe"))
    ranks = random.choice((range(4), range(11, 7, -1)))
    corner = [f"{files[x]}{ranks[y]}" for x, y in ((0, 0), (1, 0), (2, 0), (0, 1), (1, 1))]
    way_out = [f"{files[x]}{ranks[y]}" for x, y in ((2, 1), (1, 2), (0, 2), (0, 3), (2, 2))]
    return random.choice([None, *sorted(PITCH.intersection(way_out))]), way_out + corner


THEMES: tuple[Callable[[Random], Wishes], ...] = (
    _scattered,
    _outside,
    _before_a_goal,
    _shift_is_hard,
    _penalty_area,
    _wall,
    _corner,
    _ring,
    _cluster,
    _boxed_in,
)
