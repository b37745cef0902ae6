"""One move of a match: keyed by match and ply, which spares a number and over half of the indexes."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models.match import Match


class Actor(models.TextChoices):
    """The origin of a move: a side, or chance."""

    YELLOW = "yellow", _("Yellow")
    RED = "red", _("Red")
    CHANCE = "chance", _("the dice")


class Move(models.Model):
    """One move of a match, a submitted text or a roll, never changed once it is written.

    ``ply`` counts from 0. ``thinking`` is the time in milliseconds since the move before it, of a
    side's first action since its turn started; a roll has none. A move ``is_drawn`` whose player's time
    for the decision ran out: the dice chose it among the legal moves. One that left no choice was played
    ``by_itself``, at the moment of the move before. The ``allowance``, in milliseconds, is the part of the thinking
    time that was not charged, for the move's way.
    """

    pk = models.CompositePrimaryKey("match", "ply")
    # The primary key's index begins with the match.
    match = models.ForeignKey(Match, models.CASCADE, related_name="moves", db_index=False)
    ply = models.PositiveIntegerField(_("ply"))
    actor = models.CharField(_("actor"), max_length=6, choices=Actor.choices)
    text = models.TextField(_("text"))
    played_at = models.DateTimeField(_("played"))
    thinking = models.PositiveBigIntegerField(_("thinking time in milliseconds"), null=True, blank=True)
    is_drawn = models.BooleanField(_("drawn because time ran out"), default=False, db_default=False)
    by_itself = models.BooleanField(_("played by itself"), default=False, db_default=False)
    allowance = models.SmallIntegerField(_("time allowed for its way"), default=0, db_default=0)

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering: ClassVar[list[str]] = ["match", "ply"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(actor=Actor.CHANCE, thinking=None)
                | Q(actor__in=[Actor.YELLOW, Actor.RED], thinking__isnull=False),
                name="move_by_a_side_took_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ply}. {self.actor} {self.text}"
