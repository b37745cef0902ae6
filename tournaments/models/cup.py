"""A cup: a competition that comes to a winner."""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.competition import MAX_DAYS, Competition


class CupFormat(models.TextChoices):
    """The format of a cup."""

    ELIMINATION = "elimination", _("single elimination")
    ROUND_ROBIN = "round-robin", _("round robin")


class Seeding(models.TextChoices):
    """The source of the seeds."""

    RATING = "rating", _("by rating")
    DRAW = "draw", _("by draw")
    HAND = "hand", _("by hand")


class RoundEnd(models.TextChoices):
    """The rule for matches that still go on when a round must end."""

    WAIT = "wait", _("wait for them")
    ADJUDICATE = "adjudicate", _("adjudicate by the score")
    FORFEIT = "forfeit", _("the player to move loses")


class Cup(Competition):
    """A cup and its options.

    ``legs``, ``replays`` and ``third_place`` are an elimination's, ``cycles`` a round robin's: how often each
    meets each. ``late_entry`` matters where the cup ``allows_late_entry``. ``draw_seed`` is rolled when the cup is
    drawn, so that anybody can repeat the draw.
    """

    format = models.CharField(_("format"), max_length=11, choices=CupFormat.choices, default=CupFormat.ELIMINATION)
    seeding = models.CharField(_("seeds"), max_length=6, choices=Seeding.choices, default=Seeding.RATING)
    draw_seed = models.PositiveBigIntegerField(_("draw seed"), null=True, blank=True)
    legs = models.PositiveSmallIntegerField(
        _("legs"), default=2, validators=[MinValueValidator(1), MaxValueValidator(2)]
    )
    replays = models.PositiveSmallIntegerField(_("replay pairs"), default=1, validators=[MaxValueValidator(5)])
    third_place = models.BooleanField(_("third-place tie"), default=False)
    cycles = models.PositiveSmallIntegerField(
        _("matches of each pair"), default=1, validators=[MinValueValidator(1), MaxValueValidator(2)]
    )
    round_days = models.PositiveIntegerField(
        _("days for each round"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MAX_DAYS)]
    )
    at_round_end = models.CharField(
        _("when the time of a round is over"), max_length=10, choices=RoundEnd.choices, default=RoundEnd.WAIT
    )
    late_entry = models.BooleanField(
        _("entry after the start"),
        default=False,
        help_text=_("Possible only in round robins without days for each round."),
    )
    winner = models.ForeignKey(
        "tournaments.Entry", models.PROTECT, null=True, blank=True, editable=False, related_name="cups_won"
    )

    class Meta:
        verbose_name = _("cup")
        verbose_name_plural = _("cups")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(legs__in=[1, 2]), name="cup_one_or_two_legs"),
            models.CheckConstraint(condition=models.Q(cycles__in=[1, 2]), name="cup_one_or_two_cycles"),
            models.CheckConstraint(
                condition=models.Q(round_days=None) | models.Q(round_days__range=(1, MAX_DAYS)),
                name="cup_round_days_bounded",
            ),
        ]

    @property
    def is_played_at_once(self) -> bool:
        """Return whether all matches begin at the start: no round waits for another."""
        return self.format == CupFormat.ROUND_ROBIN and self.round_days is None

    @property
    def allows_late_entry(self) -> bool:
        """Return whether a player who enters while it runs can still play everybody."""
        return self.is_played_at_once

    def get_absolute_url(self) -> str:
        """Return the cup's page."""
        return f"/cups/{self.slug}/"
