"""Spans of time in which the whole site stood still."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class SitePause(models.Model):
    """A span that counts for no clock: a pause that was announced, or an outage that was found afterwards.

    No two of them overlap: what a later one has in common with earlier ones is left out when it is stored. It lasts as
    long as it has no end; players are told until when it is ``expected_until``. It is completed when every match has
    been given its time; clocks that run out before get it then. ``dates_moved_at`` says when all competitions had moved
    their dates.
    """

    begins_at = models.DateTimeField(_("from"))
    ends_at = models.DateTimeField(_("to"), null=True, blank=True)
    expected_until = models.DateTimeField(_("expected until"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    noted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    noted_at = models.DateTimeField(_("noted"))
    completed_at = models.DateTimeField(_("completed"), null=True, blank=True)
    dates_moved_at = models.DateTimeField(_("dates moved"), null=True, blank=True)

    class Meta:
        verbose_name = _("pause of the site")
        verbose_name_plural = _("pauses of the site")
        ordering: ClassVar[list[str]] = ["-begins_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(ends_at=None) | Q(ends_at__gt=F("begins_at")), name="site_pause_begins_before_its_end"
            ),
            models.CheckConstraint(
                condition=Q(completed_at=None) | Q(ends_at__isnull=False), name="site_pause_is_over_when_completed"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.begins_at} – {self.ends_at or ''}"
