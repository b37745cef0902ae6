"""Moves that were taken back: the match goes on without them, and its record keeps them."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from matches.models.clock_extension import ClockExtension
from matches.models.match import SIDES
from matches.models.move import Move

TAKEN_BACK_FIELDS = ("ply", "actor", "text", "played_at", "thinking", "by_itself", "allowance")
"""The fields that a move keeps."""


class TakenBackMove(models.Model):
    """A move of a turn that was taken back, as it was played. Dice and moves that they drew are never taken back."""

    take_back = models.ForeignKey(ClockExtension, models.CASCADE, related_name="moves")
    ply = models.PositiveIntegerField(_("ply"))
    actor = models.CharField(_("actor"), max_length=6, choices=[(side, side) for side in SIDES])
    text = models.TextField(_("text"))
    played_at = models.DateTimeField(_("played"))
    thinking = models.PositiveBigIntegerField(_("thinking time in milliseconds"))
    by_itself = models.BooleanField(_("played by itself"), default=False, db_default=False)
    allowance = models.SmallIntegerField(_("time allowed for its way"), default=0, db_default=0)

    class Meta:
        verbose_name = _("move that was taken back")
        verbose_name_plural = _("moves that were taken back")
        ordering: ClassVar[list[str]] = ["take_back", "ply"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["take_back", "ply"], name="taken_back_move_once_a_ply"),
        ]

    def __str__(self) -> str:
        return f"{self.ply}. {self.actor} {self.text}"

    @property
    def move(self) -> Move:
        """Return the move as it was, which is not stored any more."""
        same = {name: getattr(self, name) for name in TAKEN_BACK_FIELDS}
        return Move(match_id=self.take_back.match_id, **same)
