"""The tables that are shown: a cache of what the results say, and how places changed."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from matches.models import Match
from tournaments.models.competition import Competition
from tournaments.models.stage import Group, Seat


class Standing(models.Model):
    """A seat's row in the table of its group.

    ``place`` is empty for those who have not played enough to be ranked. ``decided_by`` is the tiebreak that set
    the row apart from the one above it; ``values`` holds the tiebreaks that are more than sums of results.

    No index holds the place: after a round of a large ladder nearly every place is another, and PostgreSQL rewrites
    a row in a third of the time when no index has to follow. ``TableSection`` leads to the rows of a page instead.
    """

    seat = models.OneToOneField(Seat, models.CASCADE, primary_key=True, related_name="standing")
    group = models.ForeignKey(Group, models.CASCADE, related_name="standings")
    place = models.PositiveIntegerField(_("place"), null=True, blank=True)
    previous_place = models.PositiveIntegerField(_("place before"), null=True, blank=True)
    played = models.PositiveIntegerField(_("played"), default=0)
    won = models.PositiveIntegerField(_("won"), default=0)
    drawn = models.PositiveIntegerField(_("drawn"), default=0)
    lost = models.PositiveIntegerField(_("lost"), default=0)
    as_red = models.PositiveIntegerField(_("played as Red"), default=0)
    goals_for = models.PositiveIntegerField(_("goals"), default=0)
    goals_against = models.PositiveIntegerField(_("goals against"), default=0)
    points = models.PositiveIntegerField(_("match points"), default=0)
    values = models.JSONField(_("other tie-breaks"), default=dict)
    decided_by = models.CharField(_("decided by"), max_length=20, blank=True)

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")

    def __str__(self) -> str:
        return f"{self.place}. {self.seat}"


class TableSection(models.Model):
    """A hundred rows that follow each other in the table of a ladder: the ids of the ``seats``, in order.

    Sections are numbered from 0, and all are full but the last. A row without a place is in none.
    """

    group = models.ForeignKey(Group, models.CASCADE, related_name="table_sections")
    number = models.PositiveIntegerField(_("number"))
    seats = models.JSONField(_("seats"))

    class Meta:
        verbose_name = _("section of a table")
        verbose_name_plural = _("sections of tables")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["group", "number"], name="table_section_numbers_differ"),
        ]

    def __str__(self) -> str:
        return f"{self.group}: {self.number}"


class PlaceChange(models.Model):
    """A place that a seat came to, and the match after which it was so, dated by the match's end.

    ``competition`` is that of the seat: by it the latest changes of one are found among those of all.

    A points ladder and a cup keep the places of both players of each result in the table that was made next after it,
    none for those who are not ranked; a challenge ladder keeps every move of anybody, none for those who leave it.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="+", editable=False, db_index=False)
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="place_changes")
    place = models.PositiveIntegerField(_("place"), null=True, blank=True)
    match = models.ForeignKey(Match, models.PROTECT, null=True, blank=True, related_name="place_changes")
    changed_at = models.DateTimeField(_("changed"))

    class Meta:
        verbose_name = _("change of place")
        verbose_name_plural = _("changes of place")
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["competition", "-id"], name="place_change_by_competition"),
            models.Index(fields=["seat", "changed_at"], name="place_change_by_seat"),
            models.Index(fields=["changed_at"], name="place_change_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.seat}: {self.place}"
