"""The rules against enclosure: nobody may enclose the ball (S19, S20).

Most moves cannot enclose anything, and a cheap test says so: a player can only close an area by
joining, on two sides, parts of one and the same chain of players (or of the lines around the pitch).
Only the few spaces where that would happen, and positions that are tight already, are filled space by space.
The naive generator of the tests fills after every move, and both are compared.
"""

from rules_engine.streetsoccer.pitch import BORDERLINES, PITCH, STRIDE

MIN_BORDERLINES = 3


def enclosed_balls(own: int, opponents: int, balls: int) -> dict[int, str]:
    """Return the sets of ball spaces that break a rule, with the rule's id.

    ``own`` are the players of the side that moved, ``balls`` the spaces where the ball may lie after it.
    """
    players = own | opponents
    broken = {}
    while balls:
        area = _ball_area(players, balls & -balls)
        here = balls & area
        if rule := _broken_rule(own, opponents, area):
            broken[here] = rule
        balls ^= here
    return broken


def open_balls(own: int, opponents: int, balls: int) -> int:
    """Return those of ``balls`` where neither S19 nor S20 is broken."""
    players = own | opponents
    left = balls
    while left:
        area = _ball_area(players, left & -left)
        here = left & area
        if _broken_rule(own, opponents, area):
            balls ^= here
        left ^= here
    return balls


class Surroundings:
    """The surroundings of the ball before a side moves, for a quick check which of its walks enclose nothing.

    ``own`` are the players of the side to move, ``ball`` is a set of one space.
    """

    __slots__ = ("area", "ball", "chained", "closing", "opponents", "own", "players", "roomy")

    def __init__(self, own: int, opponents: int, ball: int) -> None:
        self.own = own
        self.opponents = opponents
        self.ball = ball
        self.players = (own | opponents) & PITCH
        self.area = _ball_area(self.players, ball)
        self.roomy = _has_room(self.area, opponents)
        self.chained = _chained(self.players)
        self.closing = _split_spaces(PITCH ^ self.chained)

    def open_walks(self, mover: int, ends: int) -> int:
        """Return those of ``ends`` where the walker ``mover`` (a set of one) encloses nothing."""
        mates = self.own ^ mover
        suspects = ends
        near = _beside(mates) & self.area
        if self.roomy and near & near - 1:
            suspects &= PITCH & self._closing_spaces(mover)
        while suspects:
            end = suspects & -suspects
            if not open_balls(mates | end, self.opponents, self.ball):
                ends ^= end
            suspects ^= end
        return ends

    def _closing_spaces(self, mover: int) -> int:
        """Return every space where one more player might close an area, once ``mover`` has left."""
        chained, closing = self.chained, self.closing
        if chained & mover:
            chained = _chained(self.players ^ mover)
            closing = _split_spaces(PITCH ^ chained)
        inner = self.players & ~(chained | mover)
        if inner & (inner << STRIDE + 1 | inner << STRIDE - 1):
            closing |= _split_spaces(_EVERYWHERE ^ inner)
        return closing


def _ball_area(players: int, ball: int) -> int:
    """Return the spaces that are reached from the ball without entering any player's."""
    return _fill(ball, PITCH & ~players)


def _fill(area: int, free: int) -> int:
    """Return all spaces of ``free`` that are reached from ``area`` by orthogonal steps."""
    while True:
        wide = area | (area << 1 | area >> 1) & free
        grown = wide | (wide << STRIDE | wide >> STRIDE) & free
        if grown == area:
            return area
        area = grown


def _beside(spaces: int) -> int:
    return spaces << 1 | spaces >> 1 | spaces << STRIDE | spaces >> STRIDE


def _broken_rule(own: int, opponents: int, area: int) -> str | None:
    """Return the id of the rule that an area around the ball breaks: it holds no players."""
    # Opponents do not bound the area of S19, so it is at least this large.
    if _borderlines(area) < MIN_BORDERLINES and _borderlines(_fill(area, PITCH & ~own)) < MIN_BORDERLINES:
        return "S19"
    around = _beside(area)
    if not (around & own and around & opponents):
        return "S20"
    return None


def _borderlines(area: int) -> int:
    west, east, south, north = BORDERLINES
    return bool(area & west) + bool(area & east) + bool(area & south) + bool(area & north)


def _has_room(area: int, opponents: int) -> bool:
    """Return whether the ball's area can spare a single space: it touches three borderlines and the opponents twice."""
    wide = 0
    for line in BORDERLINES:
        touched = area & line
        if touched & touched - 1:
            wide += 1
    near = _beside(opponents) & area
    return wide >= MIN_BORDERLINES and bool(near & near - 1)


def _chained(players: int) -> int:
    """Return those of the players on the pitch who are connected with the lines around it."""
    chained = players & _ANCHORED
    while True:
        row = chained | chained << 1 | chained >> 1
        grown = (row | row << STRIDE | row >> STRIDE) & players
        if grown == chained:
            return chained
        chained = grown


def _split_spaces(free: int) -> int:
    """Return the spaces whose orthogonal free neighbours are not all connected around them.

    These are the spaces around which free and taken neighbours change twice or more: taking such a space
    may cut ``free`` in two. Taking any other cannot.
    """
    north, east, south, west = free >> STRIDE, free >> 1, free << STRIDE, free << 1
    after_north = north ^ (north & east & free >> STRIDE + 1)
    after_east = east ^ (east & south & free << STRIDE - 1)
    after_south = south ^ (south & west & free << STRIDE + 1)
    after_west = west ^ (west & north & free >> STRIDE - 1)
    return after_north & after_east | after_south & after_west | (after_north | after_east) & (after_south | after_west)


_ANCHORED = BORDERLINES[0] | BORDERLINES[1] | BORDERLINES[2] | BORDERLINES[3]
_EVERYWHERE = (1 << STRIDE * 12) - 1
