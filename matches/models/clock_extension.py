"""Time that clocks of a match got from outside."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models.match import SIDES, Match
from matches.models.site_pause import SitePause
from players.models import VacationDay


class ExtensionKind(models.TextChoices):
    """The reason why a clock got time."""

    ORGANISER = "organiser", _("by an organiser")
    TAKEN = "taken", _("taken back by an organiser")
    VACATION = "vacation", _("a day of vacation")
    PAUSE = "pause", _("a pause of the clocks")
    SITE = "site", _("a pause of the site")
    CREDIT = "credit", _("a pause of the site that a turn was charged")
    OUTAGE = "outage", _("a loss on time that was forgiven")
    TAKE_BACK = "take-back", _("a turn that was taken back")


OF_SITE = (ExtensionKind.SITE, ExtensionKind.CREDIT)
"""The reasons that have their pause of the site."""

STOOD_STILL = (ExtensionKind.PAUSE, ExtensionKind.OUTAGE)
"""The reasons for which a clock stood still until the row was written."""


class ClockExtension(models.Model):
    """Time given to a side at ``ply``: the clocks do not follow from the moves alone.

    A day of vacation gives each clock its hours once, and a pause of the site its length: the clock that runs starts
    later, and a side whose turn was charged for it has so much more in its bank. While that pause lasts, or the match
    has not been given its length yet, its row has 0 milliseconds. Time that was ``TAKEN`` is what a side has lost again
    of the last extension by an organiser before it. A loss on time that was forgiven names the side that had lost, and
    how long its clock stands still for it. A turn that was taken back names the side that was to act; what the turn had
    added to a clock follows from the moves, so its row has 0 milliseconds.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="clock_extensions")
    kind = models.CharField(_("reason"), max_length=9, choices=ExtensionKind.choices, default=ExtensionKind.ORGANISER)
    ply = models.PositiveIntegerField(_("ply"))
    side = models.CharField(_("side"), max_length=6, choices=[(side, side) for side in SIDES])
    milliseconds = models.PositiveBigIntegerField(_("milliseconds"))
    vacation_day = models.ForeignKey(
        VacationDay, models.PROTECT, null=True, blank=True, related_name="clock_extensions"
    )
    site_pause = models.ForeignKey(SitePause, models.PROTECT, null=True, blank=True, related_name="clock_extensions")
    granted_at = models.DateTimeField(_("granted"))

    class Meta:
        verbose_name = _("extension of a clock")
        verbose_name_plural = _("extensions of clocks")
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(kind=ExtensionKind.VACATION, vacation_day__isnull=False)
                | (~Q(kind=ExtensionKind.VACATION) & Q(vacation_day__isnull=True)),
                name="clock_extension_by_its_day",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=OF_SITE, site_pause__isnull=False)
                | (~Q(kind__in=OF_SITE) & Q(site_pause__isnull=True)),
                name="clock_extension_by_its_site_pause",
            ),
            models.UniqueConstraint(
                fields=["site_pause", "match", "kind", "side"],
                condition=Q(site_pause__isnull=False),
                name="clock_extension_once_a_site_pause",
            ),
            models.UniqueConstraint(
                fields=["vacation_day", "match"],
                condition=Q(vacation_day__isnull=False),
                name="clock_extension_once_a_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.side} {'-' if self.kind == ExtensionKind.TAKEN else '+'} {self.milliseconds} ms"
