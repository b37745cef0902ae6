"""How strong computers play: the levels by the names that people read."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.models import Player
from rules_engine.protocol import Game
from rules_engine.registry import find_strategy


class Level(models.TextChoices):
    """The levels of ``rules_engine.registry``, the weakest first."""

    BEGINNER = "beginner", _("Beginner")
    CLUB = "club", _("Club")
    STRONG = "strong", _("Strong")


def level_of(player: Player) -> Level:
    """Return the level at which a computer plays; one that has none, or one unknown here, plays like a club player."""
    return Level(player.level) if player.level in Level.values else Level.CLUB


def levels_in(game: Game) -> list[Level]:
    """Return the levels at which the computer plays a game, the weakest first."""
    return [level for level in Level if find_strategy(game, level) is not None]


def levels_to_ask(game: Game, wanted: Level) -> list[Level]:
    """Return the level that is wanted in a game, and then the weaker ones, which may stand in for it."""
    weaker = list(Level)[: list(Level).index(wanted) + 1]
    return [level for level in reversed(levels_in(game)) if level in weaker]
