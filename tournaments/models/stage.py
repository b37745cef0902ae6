"""The parts of a competition: stages, the groups of a stage, and the seats of a group."""

from typing import Any, ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from formats.advancement import NEXT_MONTH, AdvanceRule
from formats.grouping import GroupingOptions, league_of, letter_of
from formats.options import MAX_DAYS, Option, options_of, read_options
from formats.protocol import Abilities, Flow, Format
from formats.registry import get_format
from matches.models.changed_at import Changing
from tournaments.models.competition import Competition
from tournaments.models.entry import Entry


class Seeding(models.TextChoices):
    """The source of the seeds."""

    RATING = "rating", _("by rating")
    DRAW = "draw", _("by draw")
    HAND = "hand", _("by hand")
    SEASON = "season", _("by the previous seasons, then by rating")


class RoundEnd(models.TextChoices):
    """The rule for matches that still go on when a round must end."""

    WAIT = "wait", _("wait for them")
    ADJUDICATE = "adjudicate", _("adjudicate by the score")
    FORFEIT = "forfeit", _("the player to move loses")


class Stage(models.Model):
    """A part of a competition, from 1, that is played in one format. Most competitions have one.

    ``format`` is a key of ``formats.registry``, and ``options`` are those of its dataclass.
    ``draw_seed`` is rolled when the stage is drawn, so that anybody can repeat the draw. ``late_entry`` matters where
    the stage ``allows_late_entry``. ``grouping`` says how its groups form, null for one group, and ``advance`` who goes
    on to the next stage, null where there is none. One that is played in levels gets a next stage like itself as soon
    as somebody goes on. ``next_begins_at`` is when the next stage does, set while that is all it waits for.
    ``discarded_draw`` is the draw that was forgotten as somebody came: its seed, and the ids of the entries of each
    group in the order of their seeds.
    ``tiebreaks`` are the keys of ``formats.scoring.tiebreaks.TIEBREAKS``, the first deciding first.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    format = models.CharField(_("format"), max_length=40)
    options = models.JSONField(_("options"), default=dict)
    tiebreaks = models.JSONField(_("order of the table"), default=list)
    seeding = models.CharField(_("seeds"), max_length=6, choices=Seeding.choices, default=Seeding.RATING)
    draw_seed = models.PositiveBigIntegerField(_("draw seed"), null=True, blank=True)
    round_days = models.PositiveIntegerField(
        _("days for each round"), null=True, blank=True, validators=[MinValueValidator(1), MaxValueValidator(MAX_DAYS)]
    )
    at_round_end = models.CharField(
        _("when the time of a round is over"), max_length=10, choices=RoundEnd.choices, default=RoundEnd.WAIT
    )
    grouping = models.JSONField(_("groups"), null=True, blank=True)
    advance = models.JSONField(_("who goes on"), null=True, blank=True)
    late_entry = models.BooleanField(
        _("entry after the start"),
        default=False,
        help_text=_(
            "Possible only if the format allows it, with days for each round only if each round is drawn anew."
        ),
    )
    next_begins_at = models.DateTimeField(null=True, blank=True, editable=False)
    discarded_draw = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ("number",)
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["competition", "number"], name="stage_numbers_differ"),
            models.CheckConstraint(
                condition=Q(round_days=None) | Q(round_days__range=(1, MAX_DAYS)), name="stage_round_days_bounded"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["next_begins_at"], condition=Q(next_begins_at__isnull=False), name="stage_next_begins"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.competition} {self.number}"

    @property
    def format_spec(self) -> Format:
        """Return the format in which it is played."""
        return get_format(self.format)

    @property
    def format_options(self) -> tuple[Option, ...]:
        """Return what can be chosen in its format."""
        return options_of(self.format_spec.options)

    @property
    def chosen_options(self) -> Any:
        """Return the options, as the format's dataclass. Raises ``InvalidOptions`` for values that it cannot take."""
        return read_options(self.format_spec.options, self.options)

    @property
    def grouping_options(self) -> GroupingOptions | None:
        """Return how its groups form, ``None`` for one group. Raises ``InvalidOptions``."""
        return None if self.grouping is None else read_options(GroupingOptions, self.grouping)

    @property
    def has_leagues(self) -> bool:
        """Return whether its groups are those of leagues in a pyramid."""
        return self.grouping is not None and self.grouping.get("league_size") is not None

    @property
    def advance_rule(self) -> AdvanceRule | None:
        """Return who goes on to the next stage, ``None`` where there is none. Raises ``InvalidOptions``."""
        return None if self.advance is None else read_options(AdvanceRule, self.advance)

    @property
    def gathers(self) -> bool:
        """Return whether its groups form one by one, each as soon as enough players are there."""
        return bool((self.grouping or {}).get("whenever"))

    @property
    def max_levels(self) -> int | None:
        """Return how many times it is played at most, always by those who have gone on; ``None`` for only once."""
        levels: int | None = (self.advance or {}).get("levels")
        return levels

    @property
    def play_offs(self) -> int | None:
        """Return on how many places of each group of its leagues play-offs decide, ``None`` without any."""
        places: int | None = (self.advance or {}).get("play_offs")
        return places

    @property
    def is_play_offs(self) -> bool:
        """Return whether it is the play-offs of leagues: nothing else is a bracket in groups of a size."""
        return self.is_bracket and (self.grouping or {}).get("size") is not None

    @property
    def goes_by_months(self) -> bool:
        """Return whether it is played in levels, each of which begins in the month after the one before."""
        return self.max_levels is not None and (self.advance or {}).get("begins") == NEXT_MONTH

    @property
    def is_last_level(self) -> bool:
        """Return whether nobody goes on from this one of its levels."""
        return self.max_levels is not None and self.number >= self.max_levels

    @property
    def abilities(self) -> Abilities:
        """Return what the format allows with these options."""
        return self.format_spec.abilities(self.chosen_options)

    @property
    def is_endless(self) -> bool:
        """Return whether it never ends by itself: matches begin whenever two are free."""
        return self.format_spec.flow is Flow.CONTINUOUS

    @property
    def is_bracket(self) -> bool:
        """Return whether it is played in ties: entrants come from other ties, and the loser goes down or out."""
        return self.format_spec.flow is Flow.TIES

    @property
    def is_played_at_once(self) -> bool:
        """Return whether all matches begin at the start: no round waits for another."""
        return self.format_spec.flow is Flow.ROUNDS and self.round_days is None and not self.abilities.pairs_by_results

    @property
    def allows_late_entry(self) -> bool:
        """Return whether a player can enter after the start: to meet everybody, from the next round on, or to wait."""
        abilities = self.abilities
        if self.gathers:
            return True
        return abilities.late_entry and (self.round_days is None or abilities.pairs_by_results)

    @property
    def takes_late_entries(self) -> bool:
        """Return whether players may enter after the start: always where there is no end, elsewhere if it is wanted."""
        return self.allows_late_entry and (self.late_entry or self.is_endless)


class Group(Changing):
    """Entrants who play each other in a stage, from 1: a pool, a bracket, or a whole ladder.

    ``started_at`` and ``ended_at`` are empty until it has; that of a ladder never ends by itself.
    ``pairing_due_since`` is when the last round ended after which another has to be drawn, null while none has to.
    ``standings_stale_since`` is set by whatever changes a result and cleared by the recomputation that follows, unless
    ``results_version``, which counts these changes, has gone on. In the stored table count results since
    ``window_since``, null where all count or nobody knows. ``notified_of`` is the end after which was said who goes on.
    ``is_only_one`` says that its league has no other group. ``places_known_since`` is the end of the last result of
    which an early version did not keep the places; empty where those of all results are kept.
    """

    SEEN = frozenset({"results_version", "standings_stale_since"})

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="groups")
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    started_at = models.DateTimeField(_("started"), null=True, blank=True, editable=False)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True, editable=False)
    pairing_due_since = models.DateTimeField(null=True, blank=True, editable=False)
    standings_stale_since = models.DateTimeField(null=True, blank=True, editable=False)
    results_version = models.PositiveBigIntegerField(default=0, editable=False)
    table_version = models.PositiveBigIntegerField(default=0, db_default=0, editable=False)
    window_since = models.DateTimeField(null=True, blank=True, editable=False)
    notified_of = models.DateTimeField(null=True, blank=True, editable=False)
    is_only_one = models.BooleanField(default=False, db_default=False, editable=False)
    places_known_since = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("group")
        verbose_name_plural = _("groups")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["stage", "number"], name="group_numbers_differ"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["pairing_due_since"], condition=Q(pairing_due_since__isnull=False), name="group_pairing_due"
            ),
            models.Index(fields=["changed_at"], name="group_changed"),
            models.Index(
                fields=["standings_stale_since"],
                condition=Q(standings_stale_since__isnull=False),
                name="group_standings_stale",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.letter}"

    @property
    def letter(self) -> str:
        """Return what it is called among the groups of its stage: A to Z, then AA and so on; in leagues 1, 2A, 2B."""
        return letter_of(self.number, in_leagues=self.stage.has_leagues, is_only_one=self.is_only_one)

    @property
    def league(self) -> int | None:
        """Return its league, from 1, the highest; ``None`` where there are none."""
        return league_of(self.number) if self.stage.has_leagues else None

    @property
    def competition(self) -> Competition:
        """Return the competition of its stage."""
        return self.stage.competition


class Seat(models.Model):
    """An entrant's seat in a stage. A player who replaces an entrant takes the seat over, with all that has come to it.

    ``group`` is empty until the groups are drawn, or as long as the seat waits for others where groups form one by one:
    those who play first have the lowest ids. ``seed`` (from 1 in its group) is empty until the seeds are drawn.
    ``position`` is that on a challenge ladder, from 1, empty for those who are not on it.

    A seat ``is_on_ladder`` if its stage is a ladder and its entrant is in it: a change of the entry's status, or of the
    stage's format, keeps this. It ``has_place`` if the stored table of a points ladder gives it one: storing the table
    keeps that.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="seats")
    group = models.ForeignKey(Group, models.CASCADE, null=True, blank=True, related_name="seats")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="seats")
    seed = models.PositiveIntegerField(_("seed"), null=True, blank=True)
    position = models.PositiveIntegerField(_("position"), null=True, blank=True)
    is_on_ladder = models.BooleanField(default=False, db_default=False, editable=False)
    has_place = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["group", "entry"], name="seat_one_for_each_entry"),
            models.UniqueConstraint(
                fields=["group", "seed"], condition=Q(seed__isnull=False), name="seat_seeds_differ"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["group", "position"], condition=Q(position__isnull=False), name="seat_by_position"),
            models.Index(
                fields=["group", "entry"],
                condition=Q(is_on_ladder=True, has_place=False),
                name="seat_on_ladder_without_place",
            ),
            models.Index(
                fields=["group"], condition=Q(is_on_ladder=False, has_place=True), name="seat_left_with_place"
            ),
        ]

    def __str__(self) -> str:
        return str(self.entry)
