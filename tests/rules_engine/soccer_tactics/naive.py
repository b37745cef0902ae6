"""Soccer Tactics a second time: slow and plain, from the rules' text, as a check of the engine.

A whole match is one coroutine, written as the rules tell it: it yields what can be played next, and is sent what was.
Squares are names, pawns are objects, and nothing is shared with the engine.
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.rules_engine.soccer_tactics.naive_board import (
    BOARD,
    FIVE_IN_ROW,
    FOUR_IN_COLUMN,
    GOAL_AREA,
    HOMES,
    OTHER,
    PENALTY_AREA,
    ball_ends,
    far,
    from_line,
    in_half,
    pawn_paths,
    place,
    seen_by,
)

DIE = tuple(str(face) for face in range(1, 7))
TWO_DICE = tuple(str(total) for total in range(2, 13))
BATTLE = tuple(f"{own}-{other}" for own in DIE for other in DIE)
SHOT = ("goal", "corner", "goal-kick")
PENALTY = ("goal", "no-goal")


@dataclass(eq=False)
class Pawn:
    """A pawn, and where it stands, if it does."""

    side: str
    shirt: int
    role: str
    square: str | None = None
    gone: bool = False
    cards: int = 0


@dataclass(frozen=True)
class Question:
    """The texts that can be played next, and who plays them: a side or chance."""

    who: str
    texts: tuple[str, ...]


Flow = Generator[Question, str, Any]


class HalfOver(Exception):
    """The next minute would begin, and there is none left."""


@dataclass(eq=False)
class Match:
    """A match by the rules; ``play`` is the coroutine of all of it."""

    minutes: int = 25
    defender_bonus: int = 1
    goals: dict = field(default_factory=lambda: {"yellow": 0, "red": 0})
    penalties: dict = field(default_factory=lambda: {"yellow": 0, "red": 0})
    tally: dict = field(default_factory=lambda: {"yellow": 0, "red": 0})
    ball: str | None = None
    left: int = 0
    ended: str | None = None

    def __post_init__(self):
        roles = ["keeper"] + ["defender"] * 4 + ["midfielder"] * 4 + ["striker"] * 2
        self.pawns = [Pawn(side, shirt, role) for side in OTHER for shirt, role in enumerate(roles, 1)]

    # who is where

    def team(self, side):
        return [pawn for pawn in self.pawns if pawn.side == side and not pawn.gone]

    def standing(self, side):
        return [pawn for pawn in self.team(side) if pawn.square]

    def field_players(self, side):
        return [pawn for pawn in self.standing(side) if pawn.role != "keeper"]

    def keeper(self, side):
        return next(pawn for pawn in self.team(side) if pawn.role == "keeper")

    def on(self, side, square):
        return next((pawn for pawn in self.standing(side) if pawn.square == square), None)

    def is_empty(self, square):
        return not any(self.on(side, square) for side in OTHER)

    # T3 and T5

    def may_stand(self, pawn, square):
        """Return whether T3 and T5 hold for the pawn's team once it stands there."""
        if pawn.role in ("keeper", "defender") and not in_half(pawn.side, square):
            return False
        others = [other for other in self.standing(pawn.side) if other is not pawn]
        squares = [other.square for other in others] + [square]
        field_squares = [other.square for other in others if other.role != "keeper"]
        field_squares += [square] * (pawn.role != "keeper")
        team = set(squares)
        return (
            len(team) == len(squares)
            and not any(team.issuperset(FIVE_IN_ROW[each]) or team.issuperset(FOUR_IN_COLUMN[each]) for each in squares)
            and not any(len(team.intersection(GOAL_AREA[side])) > 1 for side in OTHER)
            and not any(len(PENALTY_AREA[side].intersection(field_squares)) > 4 for side in OTHER)
        )

    def nearest_free(self, pawn, squares):
        free = [
            square
            for square in squares
            if square != pawn.square and self.is_empty(square) and self.may_stand(pawn, square)
        ]
        return min(free, key=lambda square: (far(square, pawn.square), from_line(pawn.side, square), *place(square)))

    # T4

    def moves(self, pawn, pips, banned=()):
        """Return the moves of a field player with a die."""
        found = set()
        opponents = {other.square for other in self.standing(OTHER[pawn.side])}
        for path in pawn_paths(pawn.square, pips):
            for step, square in enumerate(path, 1):
                if square is None or (pawn.role == "defender" and not in_half(pawn.side, square)):
                    break
                if square in opponents or step == pips:
                    found.add(square)
                    break
        return [f"{pawn.square}-{square}" for square in found if square not in banned and self.may_stand(pawn, square)]

    # asking

    def roll(self, faces: Iterable[str] = DIE) -> Flow:
        return (yield Question("chance", tuple(faces)))

    def choose(self, side, texts) -> Flow:
        return (yield Question(side, tuple(texts)))

    def move_by_die(self, side, pawns, banned=None) -> Flow:
        """Let a side roll and move one of the pawns, and return which one, if any could."""
        pips = int((yield from self.roll()))
        options = [text for pawn in pawns for text in self.moves(pawn, pips, [self.ball] if pawn is banned else [])]
        text = yield from self.choose(side, options or ["pass"])
        if text == "pass":
            return None
        start, end = text.split("-")
        pawn = self.on(side, start)
        pawn.square = end
        return pawn

    # the match

    def play(self) -> Flow:
        yellow = red = None
        while yellow == red:
            yellow, red = (yield from self.roll()), (yield from self.roll())
        first = "yellow" if yellow < red else "red"
        for minutes, ending in ((self.minutes, "normal-time"), (-(-self.minutes // 3), "over-time")):
            for side in (first, OTHER[first]):
                self.left = minutes
                try:
                    yield from self.half(side)
                except HalfOver:
                    continue
            if self.goals["yellow"] != self.goals["red"]:
                self.ended = ending
                return
        yield from self.shoot_out(first)
        self.ended = "penalties"

    def shoot_out(self, first) -> Flow:
        second, taken = OTHER[first], {"yellow": 0, "red": 0}
        while True:
            for side in (first, second):
                self.penalties[side] += (yield from self.roll(PENALTY)) == "goal"
                taken[side] += 1
                due = {each: max(5, taken[first]) - taken[each] for each in OTHER}
                for one, two in ((first, second), (second, first)):
                    if self.penalties[one] > self.penalties[two] + due[two]:
                        return

    def minute(self, *, always=False):
        if self.left <= 0 and not always:
            raise HalfOver
        self.left -= 1

    def half(self, side) -> Flow:
        """Play until the minutes are used."""
        yield from self.go_on(self.kick_off(side))

    def go_on(self, step) -> Flow:
        """Play on: each step is a coroutine that returns the next one."""
        while True:
            step = yield from step

    # T13

    def kick_off(self, side) -> Flow:
        self.minute()
        self.ball = None
        for pawn in self.team("yellow") + self.team("red"):
            pawn.square = seen_by(pawn.side, HOMES[pawn.shirt]) if pawn.role in ("defender", "midfielder") else None
        kickers = [pawn for role in ("striker", "midfielder") for pawn in self.team(side) if pawn.role == role]
        kicker = kickers[0]
        kicker.square = None
        row = [seen_by(side, f"{column}8") for column in "abcdefgh"]
        yield from self.put(kicker, [seen_by(side, "d8"), seen_by(side, "e8")])
        self.ball = kicker.square
        for pawn in self.team(side):
            if pawn.role == "striker" and pawn is not kicker:
                yield from self.put(pawn, row)
        yield from self.put(self.keeper(side), GOAL_AREA[side])
        away = [seen_by(OTHER[side], f"{column}8") for column in "abcdefgh"]
        for pawn in self.team(OTHER[side]):
            if pawn.role == "striker":
                yield from self.put(pawn, [square for square in away if far(square, self.ball) > 1])
        yield from self.put(self.keeper(OTHER[side]), GOAL_AREA[OTHER[side]])
        return self.kick(kicker, lambda square: not in_half(side, square))

    def put(self, pawn, squares) -> Flow:
        options = [f"@{square}" for square in squares if self.is_empty(square) and self.may_stand(pawn, square)]
        pawn.square = (yield from self.choose(pawn.side, options))[1:]

    def kick(self, kicker, allowed=lambda square: True, *, corner=False) -> Flow:
        """Play the ball of a restart: no dribble, no double touch."""
        target = yield from self.play_ball(kicker, allowed, dribbles=False)
        return self.ball_ended(kicker.side, target, row=1, kicker=kicker, corner=corner)

    # T6 and T7

    def play_ball(self, holder, allowed=lambda square: True, *, dribbles=True) -> Flow:
        while True:
            pips = int((yield from self.roll(TWO_DICE if holder.role == "keeper" else DIE)))
            options = [f">{square}" for square in ball_ends(self.ball, pips) if allowed(square)]
            if dribbles and pips == 1 and holder.role != "keeper":
                options += [
                    f"={square}" for square in BOARD if far(square, self.ball) == 1 and self.may_stand(holder, square)
                ]
            if options:
                return (yield from self.choose(holder.side, options))

    def new_set(self, side) -> Flow:
        self.minute()
        holder = self.on(side, self.ball)
        yield from self.move_by_die(side, [pawn for pawn in self.field_players(side) if pawn is not holder])
        text = yield from self.play_ball(holder)
        return self.ball_ended(side, text, row=1)

    def ball_ended(self, side, text, *, row, kicker=None, corner=False) -> Flow:
        """Decide what follows a played ball or a dribble; ``row`` is which direct pass in a row this would be."""
        holder, square = self.on(side, self.ball), text[1:]
        self.ball = square
        opponent = self.on(OTHER[side], square)
        if text[0] == "=":
            holder.square = square
            if opponent:
                return self.battle(side)
            reached = yield from self.attempt(OTHER[side])
            return self.battle(side) if reached else self.unopposed(side)
        receiver = self.on(side, square)
        if receiver and opponent:
            return self.battle(side)
        if opponent:
            return self.new_set(OTHER[side])
        if not receiver:
            return self.free_ball(side, kicker, corner=corner)
        return self.direct_pass(side, receiver, row, corner=corner)
        yield

    # T9

    def direct_pass(self, side, receiver, row, *, corner) -> Flow:
        if not corner and self.is_offside(receiver):
            return self.offside(receiver)
        long_shots = [seen_by(OTHER[side], "c4"), seen_by(OTHER[side], "f4")]
        if self.ball in PENALTY_AREA[OTHER[side]].union(long_shots):
            return self.shot(side)
        if row == 2:
            reached = yield from self.attempt(OTHER[side])
            return self.battle(side) if reached else self.new_set(side)
        text = yield from self.play_ball(receiver)
        return self.ball_ended(side, text, row=2)

    # T8

    def free_ball(self, side, kicker, *, corner) -> Flow:
        rounds = 0
        while True:
            pawn = yield from self.move_by_die(side, self.field_players(side), banned=kicker)
            if pawn and pawn.square == self.ball:
                if not corner and self.is_offside(pawn):
                    return self.offside(pawn)
                reached = yield from self.attempt(OTHER[side])
                return self.battle(side) if reached else self.unopposed(side)
            if (yield from self.attempt(OTHER[side])):
                return self.new_set(OTHER[side])
            rounds += 1
            if rounds % 10 == 0:
                self.minute()

    def attempt(self, side) -> Flow:
        """Let D try to reach the ball, and return whether a pawn has."""
        keeper = self.keeper(side)
        steps = [square for square in BOARD if far(square, keeper.square) == 1 and self.may_stand(keeper, square)]
        text = yield from self.choose(side, ["roll", *(f"{keeper.square}-{square}" for square in steps)])
        if text != "roll":
            keeper.square = text.split("-")[1]
        else:
            yield from self.move_by_die(side, self.field_players(side))
        return self.on(side, self.ball) is not None

    # T10 to T12

    def unopposed(self, side) -> Flow:
        return self.shot(side) if self.ball in PENALTY_AREA[OTHER[side]] else self.new_set(side)
        yield

    def battle(self, side) -> Flow:
        own, other = self.on(side, self.ball), self.on(OTHER[side], self.ball)
        bonus = {"keeper": 2, "defender": self.defender_bonus}
        while True:
            one, two = (int(die) for die in (yield from self.roll(BATTLE)).split("-"))
            if (one, two) == (6, 1):
                return self.foul(other, own, by_attacker=False)
            if (one, two) == (1, 6):
                return self.foul(own, other, by_attacker=True)
            one, two = one + bonus.get(own.role, 0), two + bonus.get(other.role, 0)
            if two > one:
                return self.new_set(OTHER[side])
            if one > two and other.role == "keeper":
                return self.shot(side)
            if one > two:
                return self.unopposed(side)

    def shot(self, side) -> Flow:
        result = yield from self.roll(SHOT)
        if result == "goal":
            self.goals[side] += 1
            return self.kick_off(OTHER[side])
        return self.corner(side) if result == "corner" else self.goal_kick(OTHER[side])

    # T14

    def foul(self, offender, fouled, *, by_attacker) -> Flow:
        side, square = offender.side, self.ball
        if offender.role == "defender":
            self.tally[side] += 1
            off = self.tally[side] > 1
        else:
            off = offender.cards > 0
        offender.cards += 1
        if off:
            offender.gone = True
            offender.square = None
            if offender.role == "keeper":
                ranks = ("defender", "midfielder", "striker")
                successor = next(pawn for role in ranks for pawn in self.team(side) if pawn.role == role)
                successor.role, successor.square = "keeper", square
        if not by_attacker and square in PENALTY_AREA[side]:
            self.minute(always=True)
            if (yield from self.roll(PENALTY)) == "goal":
                self.goals[fouled.side] += 1
                return self.kick_off(side)
            return self.goal_kick(side)
        return self.free_kick(fouled)

    def free_kick(self, taker) -> Flow:
        self.minute()
        opponent = self.on(OTHER[taker.side], taker.square)
        if opponent:
            opponent.square = self.nearest_free(opponent, BOARD)
        return (yield from self.kick(taker))

    # T15

    def goal_kick(self, side) -> Flow:
        self.minute()
        keeper = yield from self.put_keeper(side, clear=PENALTY_AREA[side])
        self.ball = keeper.square
        return (yield from self.kick(keeper, lambda square: square not in PENALTY_AREA[side]))

    def put_keeper(self, side, clear=()) -> Flow:
        keeper = self.keeper(side)
        in_the_way = next((pawn for pawn in self.field_players(side) if pawn.square in GOAL_AREA[side]), None)
        if in_the_way:
            leaves_from, in_the_way.square = in_the_way.square, None
        options = [square for square in GOAL_AREA[side] if self.may_stand(keeper, square)] or GOAL_AREA[side]
        if in_the_way:
            in_the_way.square = leaves_from
        keeper.square = (yield from self.choose(side, [f"@{square}" for square in options]))[1:]
        leaving = [pawn for pawn in self.standing(OTHER[side]) if pawn.square in clear]
        leaving += [in_the_way] if in_the_way else []
        leaving.sort(key=lambda pawn: (from_line(side, pawn.square), place(pawn.square)[0], pawn.side != side))
        for pawn in leaving:
            area = GOAL_AREA[side] if pawn.side == side else clear
            pawn.square = self.nearest_free(pawn, [square for square in BOARD if square not in area])
        return keeper

    # T16

    def corner(self, side) -> Flow:
        self.minute(always=True)
        self.ball = seen_by(OTHER[side], "a1" if self.ball[0] in "abcd" else "h1")
        kickers = [pawn for pawn in self.field_players(side) if self.may_stand(pawn, self.ball)]
        shirt = int((yield from self.choose(side, [f"#{pawn.shirt}" for pawn in kickers]))[1:])
        kicker = next(pawn for pawn in kickers if pawn.shirt == shirt)
        kicker.square = self.ball
        yield from self.put_keeper(OTHER[side])
        placed = [kicker]
        for each in (OTHER[side], side) * 3:
            options = [
                f"{pawn.square}-{square}"
                for pawn in self.field_players(each)
                if pawn not in placed
                for square in BOARD
                if self.is_empty(square) and self.may_stand(pawn, square)
                if each == side or far(square, self.ball) > 1
            ]
            text = yield from self.choose(each, [*options, "pass"])
            if text != "pass":
                start, end = text.split("-")
                pawn = self.on(each, start)
                pawn.square = end
                placed.append(pawn)
        return (yield from self.kick(kicker, corner=True))

    # T17

    def is_offside(self, pawn):
        line = OTHER[pawn.side]
        return (
            pawn.role != "keeper"
            and in_half(line, pawn.square)
            and all(from_line(line, other.square) > from_line(line, pawn.square) for other in self.field_players(line))
        )

    def offside(self, pawn) -> Flow:
        self.minute()
        side, square = OTHER[pawn.side], pawn.square
        takers = [each for each in self.field_players(side) if self.may_stand(each, square)]
        taker = min(
            takers,
            key=lambda each: (far(each.square, square), from_line(side, each.square), *place(each.square)),
            default=self.keeper(side),
        )
        taker.square = square
        pawn.square = self.nearest_free(pawn, BOARD)
        return (yield from self.kick(taker))
