"""Dice as chance turns: what a single die can show. Games make their other rolls of it."""

from fractions import Fraction
from typing import Final

from rules_engine.protocol import Roll

FACES: Final = range(1, 7)
DIE: Final = tuple(Roll(str(face), Fraction(1, 6)) for face in FACES)
"""One die, each face alike."""
