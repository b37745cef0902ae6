"""A tiny game with chance, repeated turns, and positions that are reached in several ways; and its simple solution."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random

from rules_engine.protocol import Roll
from rules_engine.values import Nature, Side

LAST = 7
TOTALS = 11


@dataclass(frozen=True)
class Toy:
    """So many plies have been played, and the numbers played add up to ``total``, modulo 11; ``seed`` is the game's."""

    seed: int
    plies: int = 0
    total: int = 0

    def __str__(self):
        return f"{self.seed} {self.plies} {self.total}"

    @property
    def turn(self):
        return None if self.plies == LAST else draw_turn(self)

    def legal_moves(self):
        return [] if self.turn in (None, Nature.CHANCE) else ["1", "2", "4"]

    def chance(self):
        if self.turn is not Nature.CHANCE:
            return ()
        return Roll("0", Fraction(1, 2)), Roll("3", Fraction(1, 3)), Roll("5", Fraction(1, 6))

    def play(self, text):
        return Toy(self.seed, self.plies + 1, (self.total + int(text)) % TOTALS)


@cache
def draw_turn(state):
    """Return the actor of the next ply: chance in one position of five, on average."""
    return Random(str(state)).choice([Side.YELLOW, Side.YELLOW, Side.RED, Side.RED, Nature.CHANCE])


@cache
def evaluate(state):
    """Return what a position is said to be worth, between 0 and 1: true at the end only."""
    return Random(f"value {state}").random()


def evaluate_coarsely(state):
    """Return what it is worth where only wins, draws and losses are known, at the end: before it nothing is certain."""
    return round(2 * evaluate(state)) / 2 if state.turn is None else (1 + evaluate(state)) / 3


@cache
def solve(state):
    """Return Yellow's chance by playing everything to the end, and the best move."""
    if state.turn is None:
        return evaluate(state), None
    if state.turn is Nature.CHANCE:
        return sum(float(roll.probability) * solve(state.play(roll.text))[0] for roll in state.chance()), None
    pick = max if state.turn is Side.YELLOW else min
    values = {move: solve(state.play(move))[0] for move in state.legal_moves()}
    best = pick(values, key=values.__getitem__)
    return values[best], best
