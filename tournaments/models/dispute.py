"""The disputes of players about results."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from tournaments.models.fixture import Fixture
from tournaments.models.log import LogEntry

MAX_DISPUTE_LENGTH = 500

OF_RESULT = Q(
    fixture__is_annulled=False,
    fixture__finished_at=F("result_at"),
    correction_number=Coalesce("fixture__correction", 0),
)
"""Disputes about the result that counts now: another result leaves nothing to decide, and taking it back does again."""

OPEN = OF_RESULT & Q(dismissal=None)
"""Disputes that wait for organisers."""


class Dispute(models.Model):
    """The objection of a player to the result of a match.

    It is about the result of ``result_at``, as decided by the correction with this number, 0 for none: the number is
    kept when that correction is taken back. ``dismissal`` is the line of the log by which organisers let it stand.
    """

    fixture = models.ForeignKey(Fixture, models.CASCADE, related_name="disputes")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="disputes")
    text = models.TextField(_("text"), max_length=MAX_DISPUTE_LENGTH)
    disputed_at = models.DateTimeField(_("disputed"))
    result_at = models.DateTimeField()
    correction_number = models.PositiveBigIntegerField(default=0)
    dismissal = models.ForeignKey(LogEntry, models.RESTRICT, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name = _("dispute")
        verbose_name_plural = _("disputes")
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["fixture", "player", "result_at", "correction_number"], name="dispute_once_a_result"
            ),
        ]

    def __str__(self) -> str:
        return self.text[:40]
