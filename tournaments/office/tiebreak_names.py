"""What tie-breaks are called in sentences."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from formats.reasons import DRAW

TIEBREAK_NAMES = {
    "points": gettext_lazy("points"),
    "head-to-head": gettext_lazy("points in matches between the tied"),
    "wins": gettext_lazy("wins"),
    "goal-difference": gettext_lazy("goal difference"),
    "goals": gettext_lazy("goals"),
    "sonneborn-berger": gettext_lazy("Sonneborn-Berger"),
    "buchholz": gettext_lazy("Buchholz"),
    "median-buchholz": gettext_lazy("median Buchholz"),
    "points-per-match": gettext_lazy("points per match"),
    "matches-as-red": gettext_lazy("matches as Red"),
    "rating": gettext_lazy("rating"),
    DRAW: gettext_lazy("drawing lots"),
}
"""The names of tie-breaks by their keys, as they are written in a sentence."""


TEAM_TIEBREAK_NAMES = {"match-points": gettext_lazy("match points"), "boards": gettext_lazy("boards won")}
"""The same of what decides the tables of teams alone."""


def tiebreak_name(key: str) -> str:
    """Return what a tie-break is called in a sentence. Raises ``KeyError``."""
    return str(TEAM_TIEBREAK_NAMES.get(key) or TIEBREAK_NAMES[key])
