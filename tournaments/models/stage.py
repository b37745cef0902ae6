"""The parts of a competition: stages, the groups of a stage, and the seats of a group."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.competition import Competition
from tournaments.models.entry import Entry


class Stage(models.Model):
    """A part of a competition, from 1, that is played in one format. Most competitions have one."""

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(_("number"), default=1)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["competition", "number"], name="stage_numbers_differ"),
        ]

    def __str__(self) -> str:
        return f"{self.competition} {self.number}"


class Group(models.Model):
    """Entrants who play each other in a stage, from 1: a pool, a bracket, or a whole ladder."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="groups")
    number = models.PositiveSmallIntegerField(_("number"), default=1)

    class Meta:
        verbose_name = _("group")
        verbose_name_plural = _("groups")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["stage", "number"], name="group_numbers_differ"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"


class Seat(models.Model):
    """An entrant's seat in a stage; ``group`` is empty until the groups are drawn."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="seats")
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="seats")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="seats")

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["group", "entry"], name="seat_one_for_each_entry"),
        ]

    def __str__(self) -> str:
        return str(self.entry)
