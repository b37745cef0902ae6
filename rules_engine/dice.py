"""Dice as chance turns: what a single die of a side can show. Games make their other rolls of it."""

from fractions import Fraction
from typing import Final

from rules_engine.protocol import Roll
from rules_engine.values import BySide, Side

FACES: Final = range(1, 7)
DIE: Final = BySide(*(tuple(Roll(str(face), Fraction(1, 6), sides=(side,)) for face in FACES) for side in Side))
"""One die, each face alike, by whose roll it is."""
