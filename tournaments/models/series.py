"""A competition that comes again: what its seasons have in common."""

from typing import ClassVar

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.carry_overs import NOBODY, CarryOver, get_carry_over
from tournaments.models.season_dates import Rhythm, SeasonCalendar, read_days
from web.moment_bounds import check_bounds, within_calendar

MAX_SERIES_NAME = 64
"""The characters of a series' name: that of a season adds its number."""

MAX_ANNOUNCE_DAYS = 60


class SeriesRhythm(models.TextChoices):
    """The rhythm of a series: when the next season comes."""

    WEEKLY = Rhythm.WEEKLY, _("every week")
    MONTHLY = Rhythm.MONTHLY, _("every month")
    DATES = Rhythm.DATES, _("on dates of the year")
    AFTER_END = Rhythm.AFTER_END, _("when the last one has ended")


class Series(models.Model):
    """A competition that comes again. Its seasons are competitions: ``Competition.series`` and ``.season``, from 1.

    The next season has the options, the stages and the people who run it of the last one: who organises that one
    organises the series. ``carry_over`` is a key of ``CARRY_OVERS`` in ``tournaments.models.carry_overs``: it says who
    comes along and how they are seeded; a new kind is an entry of that table and nothing here. ``anchor`` gives the
    hour of every start, and the day of a week or a month; ``days`` are those of the year, ``05-01`` for example, where
    the rhythm asks for them.
    Each season is announced, and opened for entry, ``announce_days`` before it is due. It starts when the one
    before has ended, unless seasons ``overlap``. With a ``year_final``, the winners of a year's seasons meet in a
    competition that is the series' ``Competition.final_of`` that year. Since ``ended_at`` nothing further is announced.
    """

    name = models.CharField(_("name"), max_length=MAX_SERIES_NAME)
    slug = models.SlugField(_("slug"), max_length=80, unique=True)
    rhythm = models.CharField(_("next season"), max_length=9, choices=SeriesRhythm.choices)
    anchor = models.DateTimeField(_("first date"), validators=[check_bounds])
    days = models.JSONField(_("dates of the year"), default=list, blank=True)
    announce_days = models.PositiveSmallIntegerField(
        _("days of entry before a season"), default=7, validators=[MaxValueValidator(MAX_ANNOUNCE_DAYS)]
    )
    carry_over = models.CharField(_("players of the previous season"), max_length=40, default=NOBODY)
    overlap = models.BooleanField(
        _("seasons overlap"),
        default=False,
        help_text=_("A season starts on its date even if earlier ones are still running."),
    )
    year_final = models.BooleanField(
        _("final of the year"),
        default=False,
        help_text=_("The winners of a year's seasons meet in a final, where they all play each other twice."),
    )
    created_at = models.DateTimeField(_("created"), editable=False)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = _("series")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(rhythm__in=[each.value for each in Rhythm]), name="series_rhythm_known"),
            models.CheckConstraint(
                condition=Q(announce_days__lte=MAX_ANNOUNCE_DAYS), name="series_announce_days_bounded"
            ),
            models.CheckConstraint(condition=within_calendar("anchor"), name="series_anchor_in_calendar"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the page of the series."""
        return f"/series/{self.slug}/"

    @property
    def calendar(self) -> SeasonCalendar:
        """Return its dates."""
        return SeasonCalendar(Rhythm(self.rhythm), self.anchor, self.announce_days, read_days(self.days))

    @property
    def carries(self) -> CarryOver:
        """Return what carries over from season to season."""
        return get_carry_over(self.carry_over)
