"""A player's place in a competition."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from players.models import Player
from tournaments.models.competition import Competition
from tournaments.models.disqualification import Disqualification
from tournaments.models.team import Team

if TYPE_CHECKING:
    from tournaments.models.stage import Seat


class EntryStatus(models.TextChoices):
    """The status of an entry."""

    ACTIVE = "active", _("plays")
    ON_HOLD = "on-hold", _("leaves after the running games")
    GONE = "gone", _("has left")
    REPLACED = "replaced", _("replaced")


NOT_REPLACED = ~Q(status=EntryStatus.REPLACED)
"""The entries of which each player has one at most in a competition: who was replaced may enter again."""


class Entry(models.Model):
    """A player who has entered a competition, or a team whose captain has.

    Of a ``team`` the ``player`` is who was its captain when it entered.

    ``draw`` is a stored random number, the last tiebreak of all. Since ``waits_since`` a
    ladder player who lost on time gets no new games until they act again; this follows from the matches lost on time,
    and from the last act after one of them, which is ``acted_at``. A player who leaves a ladder, or has left it, for
    doing nothing has done so since ``inactive_since``. Who was taken out at once was in ``left_as`` until then; it is
    empty for who has left with the last game. Who is disqualified has left, and has no place since
    ``disqualified_at``; the rule of ``disqualification`` holds for their results. On a ladder at least ``known_games``
    of the games are running, on a challenge ladder of those as challenger: 0 says that it is not known that any is.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="entries", db_index=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="entries")
    team = models.ForeignKey(
        Team, models.PROTECT, null=True, blank=True, editable=False, related_name="entries", verbose_name=_("team")
    )
    status = models.CharField(_("status"), max_length=8, choices=EntryStatus.choices, default=EntryStatus.ACTIVE)
    draw = models.PositiveBigIntegerField(_("draw"))
    waits_since = models.DateTimeField(_("gets no new games since"), null=True, blank=True)
    acted_at = models.DateTimeField(_("active again"), null=True, blank=True, editable=False)
    known_games = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    replaces = models.OneToOneField(
        "self", models.PROTECT, null=True, blank=True, related_name="replaced_by", verbose_name=_("replaces")
    )
    entered_at = models.DateTimeField(_("entered"))
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True, editable=False)
    left_at = models.DateTimeField(_("left"), null=True, blank=True)
    left_as = models.CharField(
        max_length=8, choices=EntryStatus.choices, blank=True, default="", db_default="", editable=False
    )
    inactive_since = models.DateTimeField(_("inactive since"), null=True, blank=True, editable=False)

    disqualified_at = models.DateTimeField(_("disqualified"), null=True, blank=True, editable=False)
    disqualification = models.CharField(
        _("rule for the results"),
        max_length=8,
        choices=Disqualification.choices,
        blank=True,
        default="",
        db_default="",
        editable=False,
    )

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["competition", "player"], condition=NOT_REPLACED, name="entry_one_for_each_player"
            ),
            models.UniqueConstraint(
                fields=["competition", "team"], condition=Q(team__isnull=False), name="entry_one_for_each_team"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["competition", "id"], name="entry_of_competition"),
            models.Index(fields=["competition", "status", "left_at"], name="entry_by_status"),
            models.Index(fields=["competition"], condition=Q(waits_since__isnull=False), name="entry_waiting"),
            models.Index(
                fields=["competition", "known_games"],
                condition=Q(status="active", waits_since__isnull=True),
                name="entry_by_known_games",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the page of the player, or of the team."""
        return self.player.get_absolute_url() if self.team is None else self.team.get_absolute_url()

    def get_line_up_url(self) -> str:
        """Return the page on which the captain of a team names its line-up, no page for single players."""
        return "" if self.team is None else f"{self.competition.get_absolute_url()}line-up/?team={self.team.slug}"

    @property
    def name(self) -> str:
        """Return the username, or the name of the team."""
        return self.player.username if self.team is None else self.team.name

    @property
    def person(self) -> Player | None:
        """Return the player who has entered alone; of a team there is none."""
        return self.player if self.team is None else None

    @property
    def seat(self) -> Seat | None:
        """Return the seat in the latest stage; nobody's who was replaced. Lists prefetch it."""
        return max(self.seats.all(), key=lambda seat: seat.pk, default=None)

    @property
    def is_in(self) -> bool:
        """Return whether the entrant plays on, if only the running games."""
        return self.status in {EntryStatus.ACTIVE, EntryStatus.ON_HOLD}
