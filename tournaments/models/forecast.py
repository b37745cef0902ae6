"""The probable end of a running competition, as it was last worked out."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.competition import Competition


class Forecast(models.Model):
    """The latest forecast of a competition that comes to an end: ``tournaments.running.forecast`` says how it is made.

    It is an estimate of what goes on at ``made_at``, and is made anew at ``due_at`` or when a round has begun. Nothing
    follows from it. Each range is empty for what there is not, and for what nobody knows. ``holds_up`` are pairs of the
    ids of a match and of an entry: the matches on which the end depends most, with the slower of both entrants.
    """

    competition = models.OneToOneField(Competition, models.CASCADE, primary_key=True, related_name="forecast")
    made_at = models.DateTimeField(_("made"))
    due_at = models.DateTimeField(_("due"))
    stage_number = models.PositiveSmallIntegerField(_("stage"), default=1)
    round_number = models.PositiveIntegerField(_("round"), null=True, blank=True)
    round_early = models.DateTimeField(null=True, blank=True)
    round_likely = models.DateTimeField(null=True, blank=True)
    round_late = models.DateTimeField(null=True, blank=True)
    stage_early = models.DateTimeField(null=True, blank=True)
    stage_likely = models.DateTimeField(null=True, blank=True)
    stage_late = models.DateTimeField(null=True, blank=True)
    whole_early = models.DateTimeField(null=True, blank=True)
    whole_likely = models.DateTimeField(null=True, blank=True)
    whole_late = models.DateTimeField(null=True, blank=True)
    holds_up = models.JSONField(default=list)

    class Meta:
        verbose_name = _("forecast")
        verbose_name_plural = _("forecasts")
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["due_at"], name="forecast_due")]

    def __str__(self) -> str:
        return f"{self.competition}: {self.whole_likely}"
