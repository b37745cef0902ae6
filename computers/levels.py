"""The levels at which computers play, with their labels."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from players.models import Player
from rules_engine.protocol import Game
from rules_engine.registry import find_strategy


class Level(models.TextChoices):
    """The keys of strategies in the engine, the weakest first."""

    BEGINNER = "beginner", _("Beginner")
    CLUB = "club", _("Club")
    STRONG = "strong", _("Strong")


COSTS = {Level.BEGINNER: 1, Level.CLUB: 2, Level.STRONG: 50}
"""The cost of a turn at each level for the client played against: about its share of the processor."""


def level_of(player: Player) -> Level:
    """Return the level at which a computer plays: ``CLUB`` if it has none or an unknown one."""
    return Level(player.level) if player.level in Level.values else Level.CLUB


def levels_in(game: Game) -> list[Level]:
    """Return the levels at which computers play a game, the weakest first."""
    return [level for level in Level if find_strategy(game, level) is not None]


def levels_to_try(game: Game, level: Level) -> list[Level]:
    """Return the levels of a game up to ``level``, the strongest first: a weaker one replaces one that fails."""
    weaker = list(Level)[: list(Level).index(level) + 1]
    return [each for each in reversed(levels_in(game)) if each in weaker]
