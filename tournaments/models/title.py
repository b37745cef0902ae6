"""The titles that players and teams have won: who won which competition, as lists of titles need it."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.competition import Competition
from tournaments.models.team import Team
from tournaments.models.title_names import TitleKind


class TitleName(models.TextChoices):
    """The name of the holder of a title."""

    CHAMPION = TitleKind.CHAMPION, _("champion")
    YEAR = TitleKind.YEAR, _("winner of the year")
    MONTH = TitleKind.MONTH, _("winner of the month")
    CUP = TitleKind.CUP, _("cup winner")
    MINI_CUP = TitleKind.MINI_CUP, _("mini cup winner")


class Title(models.Model):
    """The title of a competition that has ended: a copy of its winner, with what lists of titles are ordered by.

    It exists as long as the competition has a winner, and is stored together with that winner. ``family`` is the game,
    whose presets share titles; ``won_at`` is the end of the competition.

    Of a ``team`` the ``player`` is who entered it as its captain, and the ``members`` are those who sat at its boards.
    """

    competition = models.OneToOneField(Competition, models.CASCADE, primary_key=True, related_name="won_title")
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="titles", db_index=False)
    team = models.ForeignKey(Team, models.PROTECT, null=True, blank=True, related_name="titles", verbose_name=_("team"))
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="titles_with_teams", blank=True)
    kind = models.CharField(_("kind"), max_length=8, choices=TitleName.choices)
    family = models.CharField(_("game"), max_length=40)
    won_at = models.DateTimeField(_("won"))

    class Meta:
        verbose_name = _("title")
        verbose_name_plural = _("titles")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(kind__in=[each.value for each in TitleKind]), name="title_kind_known"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["-won_at", "-competition"], name="title_by_date"),
            models.Index(fields=["family", "-won_at", "-competition"], name="title_of_game"),
            models.Index(fields=["kind", "-won_at", "-competition"], name="title_of_kind"),
            models.Index(fields=["family", "kind", "-won_at", "-competition"], name="title_of_game_and_kind"),
            models.Index(fields=["player", "-won_at", "-competition"], name="title_of_player"),
        ]

    def __str__(self) -> str:
        return f"{self.team or self.player}: {self.competition}"
