"""The results that organisers have decided on in place of those that fixtures had."""

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from rules_engine.values import BySide, Ending, Outcome, Side
from tournaments.models.fixture import Fixture
from tournaments.models.log import LogEntry

_SIDES = [(side.value, side.value) for side in Side]


class Correction(models.Model):
    """A result decided on for a fixture that had one; the latest of a fixture counts.

    ``cause`` is the line of the log by which. Of a fixture without a match, ``ending_before`` and ``winner_before`` are
    how it was decided before any correction: nothing else says so.
    """

    fixture = models.ForeignKey(Fixture, models.CASCADE, related_name="corrections")
    winner = models.CharField(_("winner"), max_length=6, choices=_SIDES, blank=True)
    points_yellow = models.PositiveIntegerField(_("Yellow's match points"))
    points_red = models.PositiveIntegerField(_("Red's match points"))
    goals_yellow = models.PositiveIntegerField(_("Yellow's goals"))
    goals_red = models.PositiveIntegerField(_("Red's goals"))
    is_rated = models.BooleanField(_("counts for the ratings"), default=True)
    ending_before = models.CharField(max_length=16, blank=True, default="", editable=False)
    winner_before = models.CharField(max_length=6, choices=_SIDES, blank=True, default="", editable=False)
    cause = models.ForeignKey(LogEntry, models.SET_NULL, null=True, blank=True, related_name="corrections")
    decided_at = models.DateTimeField(_("decided"))

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(winner=Side.YELLOW.value, points_yellow__gt=F("points_red"))
                | Q(winner=Side.RED.value, points_red__gt=F("points_yellow"))
                | Q(winner="", points_yellow=F("points_red")),
                name="correction_winner_has_more_points",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.points_yellow} – {self.points_red}"

    @property
    def points(self) -> BySide[int]:
        """Return the match points."""
        return BySide(self.points_yellow, self.points_red)

    @property
    def goals(self) -> BySide[int]:
        """Return the goals."""
        return BySide(self.goals_yellow, self.goals_red)

    @property
    def outcome_before(self) -> Outcome | None:
        """Return how a fixture without a match was decided before; ``None`` for one with a match."""
        if not self.ending_before:
            return None
        winner = Side(self.winner_before) if self.winner_before else None
        return Outcome(winner, Ending(self.ending_before), BySide(0, 0))
