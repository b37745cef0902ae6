"""A ladder: a competition without an end."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.competition import MAX_DAYS, Competition

MAX_GAMES_EACH = 50
"""How many games a ladder may let everybody play at a time."""


class LadderSystem(models.TextChoices):
    """The system of a ladder: by points or by challenges."""

    POINTS = "points", _("points ladder")
    CHALLENGE = "challenge", _("challenge ladder")


class Ladder(Competition):
    """A ladder and its options; ``window_days`` is 0 for all time, ``best_results`` null for all.

    Who does nothing for ``inactive_days`` leaves, nobody where it is 0; whoever comes back to a challenge ladder within
    ``return_days`` enters near the old position.

    A points ladder keeps every player at ``games_each`` running games; a challenge ladder lets
    them have ``max_outgoing`` and ``max_incoming``.
    """

    system = models.CharField(_("system"), max_length=9, choices=LadderSystem.choices, default=LadderSystem.POINTS)
    window_days = models.PositiveIntegerField(
        _("days for which results count"), default=90, validators=[MaxValueValidator(MAX_DAYS)]
    )
    best_results = models.PositiveIntegerField(
        _("number of best results that count"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    min_matches = models.PositiveIntegerField(_("matches before a player is ranked"), default=3)
    games_each = models.PositiveIntegerField(
        _("running games of each player"),
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_GAMES_EACH)],
    )
    rematch_days = models.PositiveIntegerField(
        _("days before the same players meet again"), default=14, validators=[MaxValueValidator(MAX_DAYS)]
    )
    max_outgoing = models.PositiveIntegerField(_("maximum games as challenger"), default=1)
    max_incoming = models.PositiveIntegerField(_("maximum games as challenged"), default=2)
    inactive_days = models.PositiveIntegerField(
        _("days without an act before a player leaves"),
        default=30,
        validators=[MaxValueValidator(MAX_DAYS)],
        help_text=_("Anything done on the site is an act. With 0 nobody leaves."),
    )
    return_days = models.PositiveIntegerField(
        _("days for which a position is remembered"),
        default=180,
        validators=[MaxValueValidator(MAX_DAYS)],
        help_text=_("Who returns later enters at the bottom."),
    )

    class Meta:
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(
                    window_days__lte=MAX_DAYS,
                    rematch_days__lte=MAX_DAYS,
                    inactive_days__lte=MAX_DAYS,
                    return_days__lte=MAX_DAYS,
                ),
                name="ladder_days_bounded",
            ),
            models.CheckConstraint(
                condition=models.Q(games_each__range=(1, MAX_GAMES_EACH)), name="ladder_games_each_bounded"
            ),
        ]

    def get_absolute_url(self) -> str:
        """Return the ladder's page."""
        return f"/ladders/{self.slug}/"

    @property
    def window(self) -> timedelta | None:
        """Return how far back results count, ``None`` for all time."""
        return timedelta(days=self.window_days) if self.window_days else None

    @property
    def rematch_pause(self) -> timedelta:
        """Return how long the same two players do not meet again."""
        return timedelta(days=self.rematch_days)

    @property
    def inactivity(self) -> timedelta | None:
        """Return how long players may do nothing before they leave, ``None`` for ever."""
        return timedelta(days=self.inactive_days) if self.inactive_days else None

    @property
    def return_time(self) -> timedelta:
        """Return how long the position of somebody who has left is remembered."""
        return timedelta(days=self.return_days)
