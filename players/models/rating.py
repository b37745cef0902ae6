"""The row of a player's rating."""

from decimal import Decimal
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models.player import Player

START_RATING = Decimal(1500)
"""The rating of players without a rated match."""


class Rating(models.Model):
    """A player's rating in a family of games: the sum of all rated matches so far.

    ``rank`` is the number of the permanent rank, 0 at the start (20 kyu), 1 for 19 kyu and so on. ``is_listed`` says
    that the account is open: only then the player has a place in the list.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings")
    family = models.CharField(_("game"), max_length=40)
    rating = models.DecimalField(_("rating"), max_digits=9, decimal_places=4, default=START_RATING)
    games = models.PositiveIntegerField(_("rated games"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)
    rank = models.PositiveSmallIntegerField(_("rank"), default=0)
    is_listed = models.BooleanField(_("in the list"), default=True, db_default=True, editable=False)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["player", "family"], name="rating_one_for_each_game"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["family", "-rating", "player"], condition=Q(is_listed=True), name="rating_listed"),
        ]

    def __str__(self) -> str:
        return f"{self.rating:.0f}"
