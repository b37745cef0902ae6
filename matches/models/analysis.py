"""The analysis of a finished match by an engine."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models.match import Match


class AnalysisStatus(models.TextChoices):
    """The state of an analysis: how far it has come."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


UNFINISHED = Q(status__in=[AnalysisStatus.WAITING, AnalysisStatus.RUNNING])


class MatchAnalysis(models.Model):
    """The analysis of a match by one way of judging: ``engine`` (its version) within ``nodes`` and ``depth``.

    ``verdicts`` has one for each move so far, in the form of ``computers.analysis.write_verdict``; ``judged`` is their
    number. A worker holds the analysis until ``held_until``; after that another may continue it. ``attempts`` counts
    how often it was claimed since a result was last stored.
    """

    match = models.ForeignKey(Match, models.CASCADE, related_name="analyses")
    engine = models.CharField(_("engine"), max_length=40)
    nodes = models.PositiveIntegerField(_("positions looked at for a move"))
    depth = models.PositiveSmallIntegerField(_("turns looked ahead"))

    status = models.CharField(_("status"), max_length=7, choices=AnalysisStatus.choices, default=AnalysisStatus.WAITING)
    judged = models.PositiveIntegerField(_("moves judged so far"), default=0)
    verdicts = models.JSONField(_("verdicts"), default=list)

    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    requested_at = models.DateTimeField(_("requested"))
    started_at = models.DateTimeField(_("started"), null=True)
    finished_at = models.DateTimeField(_("finished"), null=True)
    held_until = models.DateTimeField(_("held until"), null=True)
    attempts = models.PositiveSmallIntegerField(_("attempts since the last verdict"), default=0)

    class Meta:
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["match", "engine", "nodes", "depth"], name="analysis_one_for_each_way_of_judging"
            ),
            models.CheckConstraint(
                condition=UNFINISHED & Q(finished_at=None)
                | Q(status__in=[AnalysisStatus.DONE, AnalysisStatus.FAILED], finished_at__isnull=False),
                name="analysis_is_finished_or_not",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["requested_at", "id"], condition=UNFINISHED, name="analysis_unfinished"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id} {self.engine}"

    @property
    def is_finished(self) -> bool:
        """Return whether the analysis is done or has failed."""
        return self.status in (AnalysisStatus.DONE, AnalysisStatus.FAILED)
