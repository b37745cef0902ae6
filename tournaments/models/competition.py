"""Competitions: ladders and cups in one table, of which each is a proxy."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from secrets import randbits
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from formats.scoring.points import Points, PointTable, points_of, read_table, write_standard_table
from formats.team_meetings import MAX_BOARDS, MIN_BOARDS
from matches.clock import CORRESPONDENCE, MAX_BANK, held_back
from matches.models.time_control import TimeControlled, bank_within_cap, time_control_columns
from rules_engine.protocol import Game
from rules_engine.registry import get_game
from rules_engine.values import Outcome
from tournaments.models.disqualification import Disqualification
from tournaments.models.series import Series
from web.moment_bounds import check_bounds, within_calendar

if TYPE_CHECKING:
    from tournaments.models.stage import Stage


class CompetitionKind(models.TextChoices):
    """The kind of a competition, by which people look for it: without an end, or with a winner."""

    LADDER = "ladder", _("ladder")
    CUP = "cup", _("cup")


class CompetitionStatus(models.TextChoices):
    """The status of a competition."""

    DRAFT = "draft", _("in preparation")
    OPEN = "open", _("open for entry")
    CLOSED = "closed", _("entry closed, not started")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


MAX_CHECK_IN_MINUTES = 7 * 24 * 60
MAX_BEGIN_HOURS = MAX_BANK // timedelta(hours=1)
MAX_PROTEST_HOURS = 31 * 24
NOT_STARTED = (CompetitionStatus.DRAFT, CompetitionStatus.OPEN, CompetitionStatus.CLOSED)
JOINED_STAGE = "opening"
"""The attribute of a competition that was read together with its first stage."""

LAST_STAGE = "last_stage"
"""The attribute of a competition that was read together with the number of its last stage."""

READ_STAGES = "read_stages"
"""The attribute in which a competition keeps its stages once they have been read."""

UPCOMING = (CompetitionStatus.OPEN, CompetitionStatus.CLOSED)
"""The statuses of a competition that is announced and has not started, drawn or not."""

ENDED = (CompetitionStatus.FINISHED, CompetitionStatus.CANCELLED)
NOT_ENDED = (*NOT_STARTED, CompetitionStatus.RUNNING)
PUBLIC = ~Q(status=CompetitionStatus.DRAFT) & Q(hidden_at=None)
"""The competitions that everybody can see, as ``Competition.is_public`` says it."""


def draw_version() -> int:
    """Return a number that no other version has: a count would come again where a backup is restored."""
    return randbits(62)


class Competition(TimeControlled):
    """A competition that players enter. How it is played is said by its stages.

    Read from the database it is the ``Ladder`` or the ``Cup`` that its ``kind`` says.
    ``password`` is hashed, empty where none is asked for. Nobody else enters what is ``by_invitation`` than those whom
    organisers have invited or entered. ``point_table`` is as ``scoring.write_table`` writes.
    A cup that has ended has a ``winner``. A competition of a ``series`` is its ``season`` of that number, or the
    final of the winners of a year, ``final_of``. The ``creator`` is empty where nobody was noted.
    Players check in from ``check_in_minutes`` before it ``starts_at``, or since organisers have opened the check-in;
    ``check_in_opened_at`` is noted by whatever is done next.
    With ``boards`` it is one of teams: so many members of each play in each round.
    Nobody is among the ``organisers`` and the ``helpers`` both; ``tournaments.models.rights`` says what these may do.
    Since ``hidden_at`` it exists for those alone: staff have hidden it, or it was cancelled as a draft.
    Since ``paused_at`` the clocks of its matches stand still. ``options_version`` counts changes of its options and
    organisers: who stores others says which version they have read.
    A running ladder has no game to start before ``pairing_due_at``, unless it changes: locking it empties this.
    ``page_version`` is drawn anew whenever it is locked, so that no two states of its pages have the same.
    ``entrants`` are in it, and ``leavers`` have left it since it started; a change of entries keeps both numbers.
    """

    kind = models.CharField(
        _("kind"), max_length=6, choices=CompetitionKind.choices, default=CompetitionKind.CUP, editable=False
    )
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("slug"), max_length=80, unique=True)
    description = models.TextField(_("description"), blank=True, max_length=4000)
    organisers = models.ManyToManyField(
        settings.AUTH_USER_MODEL, related_name="organised_competitions", verbose_name=_("organisers"), blank=True
    )
    helpers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="helped_competitions",
        verbose_name=_("helpers"),
        blank=True,
        editable=False,
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
        help_text=_(
            "How many days each player can use in this competition. 0 means none. Leave it empty for no limit."
        ),
    )
    begin_hours = models.PositiveIntegerField(
        _("hours for the first move"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_BEGIN_HOURS)],
        help_text=_(
            "A player who has not made a first move after so many hours of their clock forfeits the match. Leave it "
            "empty for the whole clock."
        ),
    )
    protest_hours = models.PositiveSmallIntegerField(
        _("hours of protest time"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_PROTEST_HOURS)],
        help_text=_(
            "For so many hours after the end of a cup the final result is provisional. Leave it empty for no protest "
            "time."
        ),
    )
    is_rated = models.BooleanField(_("counts for the ratings"), default=True)
    admits_computers = models.BooleanField(_("admits computers and bots"), default=False)

    disqualification = models.CharField(
        _("results of disqualified players"),
        max_length=8,
        choices=Disqualification.choices,
        default=Disqualification.STAND,
        db_default=Disqualification.STAND,
    )

    max_entrants = models.PositiveIntegerField(
        _("maximum number of players"), null=True, blank=True, validators=[MinValueValidator(2)]
    )
    min_rating = models.PositiveIntegerField(_("lowest rating"), null=True, blank=True)
    max_rating = models.PositiveIntegerField(_("highest rating"), null=True, blank=True)
    password = models.CharField(_("password"), max_length=128, blank=True, editable=False)
    by_invitation = models.BooleanField(_("only for invited players"), default=False)
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True, validators=[check_bounds])
    starts_when_full = models.BooleanField(_("starts when full"), default=False)
    check_in_minutes = models.PositiveIntegerField(
        _("minutes of check-in before the start"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_CHECK_IN_MINUTES)],
        help_text=_(
            "For how many minutes before the start players can check in. Players who have not checked in by the "
            "start do not play. Leave it empty for no check-in."
        ),
    )
    boards = models.PositiveSmallIntegerField(
        _("boards of a team"),
        null=True,
        blank=True,
        validators=[MinValueValidator(MIN_BOARDS), MaxValueValidator(MAX_BOARDS)],
        help_text=_("The number of boards of each team. Leave it empty if single players join."),
    )
    check_in_opened_at = models.DateTimeField(_("check-in opened"), null=True, blank=True, editable=False)

    point_table = models.JSONField(_("match points"), default=write_standard_table)
    winner = models.ForeignKey(
        "tournaments.Entry", models.PROTECT, null=True, blank=True, editable=False, related_name="competitions_won"
    )

    series = models.ForeignKey(
        Series, models.PROTECT, null=True, blank=True, editable=False, related_name="seasons", verbose_name=_("series")
    )
    season = models.PositiveIntegerField(_("season"), null=True, blank=True, editable=False)
    final_of = models.PositiveSmallIntegerField(_("final of the year"), null=True, blank=True, editable=False)

    creator = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="created_competitions",
    )
    created_at = models.DateTimeField(_("created"), editable=False)
    started_at = models.DateTimeField(_("started"), null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True, editable=False)
    hidden_at = models.DateTimeField(_("hidden"), null=True, blank=True, editable=False)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True, editable=False)
    options_version = models.PositiveIntegerField(_("version of the options"), default=0, editable=False)
    pairing_due_at = models.DateTimeField(null=True, blank=True, editable=False)
    page_version = models.PositiveBigIntegerField(default=draw_version, editable=False)
    entrants = models.PositiveIntegerField(_("players"), default=0, editable=False)
    leavers = models.PositiveIntegerField(_("players who have left"), default=0, editable=False)

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
            models.CheckConstraint(
                condition=Q(by_invitation=False) | Q(password=""), name="competition_one_way_of_admission"
            ),
            models.CheckConstraint(condition=Q(kind__in=CompetitionKind.values), name="competition_kind_known"),
            models.CheckConstraint(
                condition=Q(kind=CompetitionKind.CUP) | Q(check_in_minutes=None, check_in_opened_at=None),
                name="competition_check_in_of_cups",
            ),
            models.CheckConstraint(
                condition=Q(boards=None) | Q(kind=CompetitionKind.CUP, boards__range=(MIN_BOARDS, MAX_BOARDS)),
                name="competition_boards_of_cups",
            ),
            models.CheckConstraint(
                condition=Q(boards=None) | Q(check_in_minutes=None, check_in_opened_at=None),
                name="competition_teams_check_nobody_in",
            ),
            models.UniqueConstraint(fields=["series", "season"], name="competition_seasons_differ"),
            models.CheckConstraint(
                condition=Q(series=None, season=None, final_of=None)
                | Q(series__isnull=False, season__gte=1, final_of=None)
                | Q(series__isnull=False, season=None, final_of__gte=1),
                name="competition_season_of_a_series",
            ),
            models.UniqueConstraint(fields=["series", "final_of"], name="competition_finals_differ"),
            bank_within_cap("competition_bank_within_cap"),
            models.CheckConstraint(condition=within_calendar("starts_at"), name="competition_start_in_calendar"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["status", "-id"], name="competition_by_status"),
            models.Index(fields=["kind", "-id"], name="competition_by_kind"),
            models.Index(fields=["kind", "-id"], condition=Q(status__in=ENDED), name="competition_ended"),
            models.Index(fields=["kind", "-id"], condition=Q(status__in=UPCOMING), name="competition_upcoming"),
            models.Index(fields=["series", "season"], condition=Q(status__in=NOT_ENDED), name="competition_not_ended"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_public(self) -> bool:
        """Return whether everybody can see it: it is neither a draft nor hidden."""
        return self.status != CompetitionStatus.DRAFT and self.hidden_at is None

    @property
    def entered(self) -> int:
        """Return how many are in the competition or have left it since it started."""
        return self.entrants + self.leavers

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any]) -> Competition:
        """Return a row as the ladder or the cup that it is, with which any query of competitions serves."""
        kind = dict(zip(field_names, values, strict=True)).get("kind", "")
        own = _PROXIES.get(kind, cls)
        return super(Competition, own).from_db(db, field_names, values)

    def refresh_from_db(self, using: Any = None, fields: Any = None, from_queryset: Any = None) -> None:
        """Read it anew, and its stages when they are needed next."""
        if fields is None:
            vars(self).pop(JOINED_STAGE, None)
            vars(self).pop(READ_STAGES, None)
        super().refresh_from_db(using, fields, from_queryset)

    @property
    def first_stage(self) -> Stage:
        """Return the first stage: the one that was joined, or of all stages, prefetched or read once."""
        joined: Stage | None = vars(self).get(JOINED_STAGE)
        return self._read_stages()[0] if joined is None else joined

    @property
    def is_endless(self) -> bool:
        """Return whether it never ends by itself: matches begin whenever two are free, and players come and go."""
        return self.first_stage.is_endless

    @property
    def begin_within(self) -> int | None:
        """Return the seconds for each player's first move in a match, ``None`` where it is the whole clock."""
        seconds = None if self.begin_hours is None else self.begin_hours * 3600
        return seconds if held_back(self.time_control, seconds) else None

    @property
    def provisional_until(self) -> datetime | None:
        """Return when its end becomes final; ``None`` before it has ended by play, and without a protest time."""
        if self.protest_hours is None or self.finished_at is None or self.status != CompetitionStatus.FINISHED:
            return None
        return self.finished_at + timedelta(hours=self.protest_hours)

    @property
    def starts_with_entries(self) -> bool:
        """Return whether it starts by itself as soon as enough players are in: at all places, or with a first group."""
        if self.starts_when_full:
            return self.status in NOT_STARTED
        # The stage is read last: where groups form one by one, the first forms only while the competition is open.
        if self.status != CompetitionStatus.OPEN or self.starts_at is not None:
            return False
        # The query that read it may have found that its groups do not form one by one.
        return getattr(self, "may_gather", True) and self.first_stage.gathers

    @property
    def check_in_opens_at(self) -> datetime | None:
        """Return when the check-in opens, or has opened; ``None`` if there is none, or no time is known."""
        if self.check_in_opened_at is not None or self.check_in_minutes is None or self.starts_at is None:
            return self.check_in_opened_at
        return self.starts_at - timedelta(minutes=self.check_in_minutes)

    def is_checking_in(self, now: datetime) -> bool:
        """Return whether players can check in now, noted or not."""
        opens_at = self.check_in_opens_at
        is_coming = self.status in {CompetitionStatus.OPEN, CompetitionStatus.CLOSED}
        return is_coming and opens_at is not None and opens_at <= now

    @property
    def all_stages(self) -> list[Stage]:
        """Return its stages, in order: without a query where the only one was joined, or all were prefetched."""
        joined: Stage | None = vars(self).get(JOINED_STAGE)
        if joined is not None and vars(self).get(LAST_STAGE) == joined.number:
            joined.competition = self
            return [joined]
        return self._read_stages()[:]

    def _read_stages(self) -> list[Stage]:
        if self.pk is None or "stages" in getattr(self, "_prefetched_objects_cache", {}):
            return list(self.stages.all())
        stages: list[Stage] | None = vars(self).get(READ_STAGES)
        if stages is None:
            stages = vars(self)[READ_STAGES] = list(self.stages.all())
        return stages

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

    def get_absolute_url(self) -> str:
        """Return the competition's page."""
        return f"/{self.kind}s/{self.slug}/"

    def get_desk_url(self) -> str:
        """Return its desk: the page of those who organise it, and of its helpers."""
        return f"{self.get_absolute_url()}organise/"


class Ladders(models.Manager["Ladder"]):
    """All ladders."""

    def get_queryset(self) -> models.QuerySet[Ladder]:
        """Return the competitions that are ladders."""
        return super().get_queryset().filter(kind=CompetitionKind.LADDER)


class Cups(models.Manager["Cup"]):
    """All cups."""

    def get_queryset(self) -> models.QuerySet[Cup]:
        """Return the competitions that are cups."""
        return super().get_queryset().filter(kind=CompetitionKind.CUP)


class Ladder(Competition):
    """A competition without an end, which players join and leave at any time."""

    objects: ClassVar[Ladders] = Ladders()

    class Meta:
        proxy = True
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **(fields if args else {"kind": CompetitionKind.LADDER} | fields))


class Cup(Competition):
    """A competition that comes to a winner."""

    objects: ClassVar[Cups] = Cups()

    class Meta:
        proxy = True
        verbose_name = _("cup")
        verbose_name_plural = _("cups")

    def __init__(self, *args: Any, **fields: Any) -> None:
        super().__init__(*args, **(fields if args else {"kind": CompetitionKind.CUP} | fields))


_PROXIES: dict[str, type[Competition]] = {CompetitionKind.LADDER: Ladder, CompetitionKind.CUP: Cup}
