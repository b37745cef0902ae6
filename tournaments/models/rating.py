"""Changes that rated matches made to players' ratings. The ratings themselves are the players'."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from matches.models import Match


class RatingChange(models.Model):
    """The change of one player's rating by a match: the state after it.

    Changes of a family are in the order of the matches' ends, then of their numbers.
    """

    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="rating_changes")
    family = models.CharField(_("game"), max_length=40)
    match = models.ForeignKey(Match, models.CASCADE, related_name="rating_changes")
    finished_at = models.DateTimeField(_("match finished"))
    before = models.DecimalField(_("rating before"), max_digits=9, decimal_places=4)
    after = models.DecimalField(_("rating after"), max_digits=9, decimal_places=4)
    games = models.PositiveIntegerField(_("rated games"))
    wins = models.PositiveIntegerField(_("wins"))
    rank = models.PositiveSmallIntegerField(_("rank"))

    class Meta:
        verbose_name = _("change of rating")
        verbose_name_plural = _("changes of rating")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["match", "player"], name="rating_change_one_for_each_side"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["player", "family", "finished_at", "match"], name="rating_change_of_player"),
            models.Index(fields=["family", "finished_at", "match"], name="rating_change_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.before} → {self.after}"


class RatingDue(models.Model):
    """A match from whose end on the changes of its family have to be made, or made again.

    Written in the transaction that makes a rated match count, or count no more; gone when the changes are made.
    """

    family = models.CharField(_("game"), max_length=40)
    match = models.ForeignKey(Match, models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("match to be rated")
        verbose_name_plural = _("matches to be rated")
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["family"], name="rating_due_by_family")]

    def __str__(self) -> str:
        return f"{self.family}: {self.match_id}"


class RatingCount(models.Model):
    """The number of players in the list of a family of games who are rated from ``points`` to the next whole number.

    A place in the list follows from the rows above. Kept by ``tournaments.tables.services.rating_counts``.
    """

    family = models.CharField(_("game"), max_length=40)
    points = models.IntegerField(_("points"))
    players = models.IntegerField(_("players"), default=0)

    class Meta:
        verbose_name = _("number of rated players")
        verbose_name_plural = _("numbers of rated players")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["family", "points"], name="rating_count_one_for_each_number"),
        ]

    def __str__(self) -> str:
        return f"{self.family}, {self.points}: {self.players}"


class RatingPool(models.Model):
    """One row a family of games: services lock it before they rate matches."""

    family = models.CharField(_("game"), max_length=40, primary_key=True)

    def __str__(self) -> str:
        return self.family
