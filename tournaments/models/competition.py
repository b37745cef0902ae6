"""The model that ladders and cups extend."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches.clock import CORRESPONDENCE
from matches.models.time_control import TimeControlled, bank_within_cap, time_control_columns
from rules_engine.protocol import Game
from rules_engine.registry import get_game
from rules_engine.values import Outcome
from tournaments.scoring import Points, PointTable, points_of, read_table, write_standard_table


class CompetitionStatus(models.TextChoices):
    """The status of a competition."""

    DRAFT = "draft", _("in preparation")
    OPEN = "open", _("open for entry")
    CLOSED = "closed", _("entry closed, not started")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


NOT_STARTED = (CompetitionStatus.DRAFT, CompetitionStatus.OPEN, CompetitionStatus.CLOSED)
ENDED = (CompetitionStatus.FINISHED, CompetitionStatus.CANCELLED)

MAX_DAYS = 3650
"""How many days an option of a ladder or a cup may say: ten years, so that no date leaves the calendar."""


class Competition(TimeControlled):
    """A competition that players enter. Its options that only ladders or only cups have are theirs.

    ``password`` is hashed, empty where none is asked for. ``tiebreaks`` are the keys of
    ``tournaments.tiebreaks.TIEBREAKS``, the first deciding first. ``point_table`` is as ``scoring.write_table`` writes.
    Since ``paused_at`` the clocks of its matches stand still.
    ``standings_stale_since`` is set by whatever changes a result and cleared by the recomputation that follows, unless
    ``results_version``, which counts these changes, has gone on.
    """

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("slug"), max_length=80, unique=True)
    description = models.TextField(_("description"), blank=True, max_length=4000)
    organisers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="organised_competitions", verbose_name=_("organisers"), blank=True
    )
    status = models.CharField(
        _("status"), max_length=9, choices=CompetitionStatus.choices, default=CompetitionStatus.DRAFT, editable=False
    )

    game = models.CharField(_("game"), max_length=40)
    time_bank, time_increment, time_cap = time_control_columns(default=CORRESPONDENCE)
    vacation_limit = models.PositiveSmallIntegerField(
        _("maximum days of vacation"),
        null=True,
        blank=True,
        help_text=_("How many days each player can use in this competition. 0: none. Empty: all that they have."),
    )
    is_rated = models.BooleanField(_("counts for the ratings"), default=True)
    admits_computers = models.BooleanField(_("admits computers and bots"), default=False)

    max_entrants = models.PositiveIntegerField(
        _("maximum number of players"), null=True, blank=True, validators=[MinValueValidator(2)]
    )
    min_rating = models.PositiveIntegerField(_("lowest rating"), null=True, blank=True)
    max_rating = models.PositiveIntegerField(_("highest rating"), null=True, blank=True)
    password = models.CharField(_("password"), max_length=128, blank=True, editable=False)
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True)
    starts_when_full = models.BooleanField(_("starts when full"), default=False)

    point_table = models.JSONField(_("match points"), default=write_standard_table)
    tiebreaks = models.JSONField(_("order of the table"), default=list)
    standings_stale_since = models.DateTimeField(null=True, blank=True, editable=False)
    results_version = models.PositiveBigIntegerField(default=0, editable=False)

    created_at = models.DateTimeField(_("created"), editable=False)
    started_at = models.DateTimeField(_("started"), null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True, editable=False)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("competition")
        verbose_name_plural = _("competitions")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(min_rating=None) | Q(max_rating=None) | Q(min_rating__lte=F("max_rating")),
                name="competition_rating_limits_in_order",
            ),
            models.CheckConstraint(
                condition=Q(starts_when_full=False) | Q(max_entrants__isnull=False),
                name="competition_full_means_a_number",
            ),
            bank_within_cap("competition_bank_within_cap"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["status", "-id"], name="competition_by_status"),
            models.Index(
                fields=["standings_stale_since"],
                condition=Q(standings_stale_since__isnull=False),
                name="competition_standings_stale",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def rules(self) -> Game:
        """Return the game that is played."""
        return get_game(self.game)

    @property
    def scoring(self) -> PointTable:
        """Return what each outcome is worth here."""
        return read_table(self.point_table)

    def points_of(self, outcome: Outcome) -> Points:
        """Return what the outcome of a match is worth here."""
        return points_of(self.rules, outcome, self.scoring)
