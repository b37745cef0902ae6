"""Formats by name: those with which a new competition begins, and those that are simulated and shown in the demo."""

from __future__ import annotations

from tournaments.models import CompetitionKind

POINTS_LADDER = "points-ladder"
CHALLENGE_LADDER = "challenge-ladder"
KNOCK_OUT = "knock-out"
DOUBLE_ELIMINATION = "double-elimination"
ROUND_ROBIN = "round-robin"
SWISS = "swiss"

FORMATS_OF = {
    CompetitionKind.LADDER: (POINTS_LADDER, CHALLENGE_LADDER),
    CompetitionKind.CUP: (KNOCK_OUT, DOUBLE_ELIMINATION, ROUND_ROBIN, SWISS),
}
"""The formats that organisers can choose for a competition of each kind, the usual one first."""
