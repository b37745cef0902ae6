"""A position of one point as data: the ball, what has been drawn, who is to draw."""

from dataclasses import dataclass, field

from rules_engine.paper_soccer.field import GOALS, START, TOUCHING, WAYS, bounces
from rules_engine.paper_soccer.presets import Preset
from rules_engine.values import Side

NOTHING_DRAWN = "-"


@dataclass(frozen=True, slots=True)
class Position:
    """One position. ``str`` gives its line of text, which has its history: who began, and the turns.

    ``side`` is to draw, or would be if the point were not decided; ``ball`` is a point, ``drawn`` a set of segments.
    Nothing else matters for what follows, and positions that agree in these are equal. ``first`` (who began) and
    ``path`` (the turns, a space between them) remember the order for the text and the picture.
    """

    preset: Preset = field(hash=False)
    side: Side
    ball: int = START
    drawn: int = 0
    first: Side = field(default=Side.YELLOW, compare=False)
    path: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.first} {self.path or NOTHING_DRAWN}"

    @property
    def summary(self) -> str:
        """Return all that matters for what follows, in 90 characters at most: the side, the ball and what is drawn."""
        return f"{self.side} {self.ball} {self.drawn:x}"

    @property
    def bouncing(self) -> bool:
        """Return whether the side to act is inside its turn, because the ball has come to where it bounces (P5)."""
        here = self.drawn & TOUCHING[self.ball]
        all_but_one = here & here - 1
        return bool(here) and bounces(self.ball, all_but_one)

    @property
    def winner(self) -> Side | None:
        """Return the winner: the attacker of the goal with the ball (P6), or the opponent of a stuck side (P7)."""
        if GOALS.red >> self.ball & 1:
            return Side.YELLOW
        if GOALS.yellow >> self.ball & 1:
            return Side.RED
        return None if self.ways() else self.side.opponent

    def ways(self) -> list[tuple[str, int, int]]:
        """Return the legal steps, clockwise from north: the digit, the point that it leads to, its segment as a set."""
        drawn = self.drawn
        ways = [way for way in WAYS[self.ball] if not drawn & way[2]]
        if self.preset.own_goals:
            return ways
        barred = GOALS[self.side]
        return [way for way in ways if not barred >> way[1] & 1]
