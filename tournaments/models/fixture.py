"""Meetings in a competition: rounds, ties of a knock-out, and fixtures, each of which is one match."""

from collections.abc import Collection
from typing import ClassVar

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import ExpressionWrapper, F, Q
from django.utils.translation import gettext_lazy as _

from formats.protocol import Outcome, Part, TieKey
from matches.models import Match
from players.models import Player
from rules_engine.values import BySide, Ending, Side
from tournaments.models.competition import Competition
from tournaments.models.entry import Entry
from tournaments.models.stage import Group, Seat
from web.moment_bounds import within_calendar

PARTS = [
    (Part.MAIN.value, _("main bracket")),
    (Part.THIRD_PLACE.value, _("third place")),
    (Part.LOSERS.value, _("losers' bracket")),
    (Part.FINAL.value, _("final")),
    (Part.RESET.value, _("second final")),
]
OUTCOMES = [(Outcome.WINNER.value, _("winner")), (Outcome.LOSER.value, _("loser"))]

MAX_ROUND = 100_000
"""No request names a round beyond this one."""


class Annulment(models.TextChoices):
    """The reason why a fixture counts for nothing, where that can be taken back."""

    DECIDED = "decided", _("by an organiser")
    ENDED = "ended", _("with the competition")


SITTING = ("yellow__player", "red__player", "yellow__team", "red__team", "yellow_player", "red_player")
"""The relations with which fixtures are read where their ``players`` are asked for."""

OF_PLAY = ("match__position", "match__position_summary", "match__seed")
"""The columns without which fixtures are read where nobody plays: the long ones of their matches."""

OF_TIES = ("first__player", "second__player", "first__team", "second__team")
"""The relations with which ties are read where their entrants are named."""


def is_played_by(player: Player | int, entries: Collection[int] | None = None) -> Q:
    """Return the condition of fixtures that a player plays: as an entrant, or at a board of a team.

    With the ids of the player's ``entries`` they are found by indexes: PostgreSQL would look at everybody's fixtures
    for the players of their entries.
    """
    if entries is None:
        alone = Q(yellow__player=player) | Q(red__player=player)
    else:
        alone = Q(yellow__in=entries) | Q(red__in=entries)
    return alone & Q(board=None) | Q(yellow_player=player) | Q(red_player=player)


BY_DECISION = ExpressionWrapper(Q(ending=Ending.ADJUDICATION.value), models.BooleanField())
"""Whether somebody has decided on the result that counts: corrections do, too."""

LOST_ON_TIME = Q(ending__in=[Ending.TIMEOUT.value, Ending.FORFEIT.value], is_annulled=False)
"""Fixtures that count as lost on time, or were forfeited: on a ladder, by who did not begin."""


GOING_ON = Q(ended_at=None) & (Q(cut_short_at=None) | Q(ends_at__gt=F("cut_short_at")))
"""Rounds that have not ended, and were not ended early, or go on since."""


class Round(models.Model):
    """A round of a group, from 1. ``ends_at`` is when it must end, if it must.

    ``dated_at`` is when its organisers have set this date, null where it follows from the days for each round.
    Since ``cut_short_at`` its matches are ended from outside, and no replays begin in it any more. ``cuts`` are the
    early ends that stand: each with when it was, the ``seconds`` that were left until the date of the round, if it had
    one, and with ``cut_short_at`` as it was ``before``.
    ``drawn_at`` is when its pairings were drawn where that was before it was published, and ``drawn`` what they were
    then where an organiser has changed them: ``ProposedRound`` says how. ``reminded_of`` and ``overdue_of`` are the
    dates of which was said that they are near, and that they have passed.
    """

    group = models.ForeignKey(Group, models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField(_("number"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ends_at = models.DateTimeField(_("must end by"), null=True, blank=True)
    dated_at = models.DateTimeField(_("end date set"), null=True, blank=True, editable=False)
    cut_short_at = models.DateTimeField(_("ended early"), null=True, blank=True, editable=False)
    cuts = models.JSONField(default=list, db_default=[], blank=True, editable=False)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    drawn_at = models.DateTimeField(null=True, blank=True, editable=False)
    drawn = models.JSONField(null=True, blank=True, editable=False)
    reminded_of = models.DateTimeField(null=True, blank=True, editable=False)
    overdue_of = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["group", "number"], name="round_numbers_differ"),
            models.CheckConstraint(condition=within_calendar("ends_at"), name="round_end_in_calendar"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["ends_at"], condition=Q(ended_at__isnull=True, ends_at__isnull=False), name="round_ends"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.group} {self.number}"

    @property
    def is_edited(self) -> bool:
        """Return whether an organiser has changed its pairings before they were published."""
        return self.drawn is not None

    @property
    def competition_id(self) -> int:
        """Return the id of the competition. Reads group and stage unless they were read with the round."""
        return self.group.stage.competition_id


class Bye(models.Model):
    """A round that a seat has no opponent in; ``is_asked`` where the entrant asked beforehand to sit it out."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="byes")
    is_asked = models.BooleanField(_("asked for"), default=False)

    class Meta:
        verbose_name = _("bye")
        verbose_name_plural = _("byes")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["round", "seat"], name="bye_one_for_each_seat"),
        ]

    def __str__(self) -> str:
        return str(self.seat)


class ByeRequest(models.Model):
    """A round, by its number in the group, that an entrant asks to sit out; a seat has one at most.

    It stays once the round is drawn: a ``Bye`` says whether it was granted.
    """

    seat = models.OneToOneField(Seat, models.CASCADE, related_name="bye_request")
    round_number = models.PositiveIntegerField(_("round"), validators=[MinValueValidator(1)])
    requested_at = models.DateTimeField(_("requested"))

    class Meta:
        verbose_name = _("request for a bye")
        verbose_name_plural = _("requests for byes")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(round_number__gte=1), name="bye_request_of_a_round"),
        ]

    def __str__(self) -> str:
        return f"{self.seat} {self.round_number}"


class Tie(models.Model):
    """Two entrants of a bracket of whom one goes on.

    ``part`` is the part of the bracket, ``slot`` counts the ties of a round and part from 0, top first. Each side comes
    from a seed of the group (``first_seed``) or from an earlier tie (``first_from``), whose winner or loser it
    ``first_takes``. ``first`` is the upper entrant, and plays Yellow in the first leg; both stay empty until they are
    known. ``decided_by`` tells how it was decided. ``notified_of`` is the decision after which was said who goes on.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="ties")
    part = models.CharField(_("part"), max_length=11, choices=PARTS, default=Part.MAIN.value)
    slot = models.PositiveIntegerField(_("slot"))
    first_seed = models.PositiveIntegerField(null=True, blank=True, editable=False)
    first_from = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="sends_to_first", editable=False
    )
    first_takes = models.CharField(max_length=6, choices=OUTCOMES, blank=True, editable=False)
    second_seed = models.PositiveIntegerField(null=True, blank=True, editable=False)
    second_from = models.ForeignKey(
        "self", models.CASCADE, null=True, blank=True, related_name="sends_to_second", editable=False
    )
    second_takes = models.CharField(max_length=6, choices=OUTCOMES, blank=True, editable=False)
    first = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="ties_as_first")
    second = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="ties_as_second")
    winner = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="ties_won")
    decided_by = models.CharField(_("decided by"), max_length=20, blank=True)
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    notified_of = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("tie")
        verbose_name_plural = _("ties")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["round", "part", "slot"], name="tie_slots_differ"),
            models.CheckConstraint(
                condition=Q(winner=None) | Q(winner=F("first")) | Q(winner=F("second")), name="tie_won_by_one_of_both"
            ),
            models.CheckConstraint(
                condition=Q(first_from=None, first_takes="") | Q(first_from__isnull=False) & ~Q(first_takes=""),
                name="tie_first_taken_from_a_tie",
            ),
            models.CheckConstraint(
                condition=Q(second_from=None, second_takes="") | Q(second_from__isnull=False) & ~Q(second_takes=""),
                name="tie_second_taken_from_a_tie",
            ),
            models.CheckConstraint(
                condition=Q(decided_at=None, decided_by="") | ~Q(decided_at=None) & ~Q(decided_by=""),
                name="tie_decided_by_something",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.first or '?'} – {self.second or '?'}"

    @property
    def loser_id(self) -> int | None:
        """Return the id of the entry that has lost it to the winner."""
        if self.winner_id is None:
            return None
        return self.second_id if self.winner_id == self.first_id else self.first_id

    @property
    def key(self) -> TieKey:
        """Return its place in the group. Reads the round unless that was read with it."""
        return TieKey(self.round.number, Part(self.part), self.slot)


class Fixture(models.Model):
    """One match of a competition, and its result as it counts there.

    ``match`` is empty until it starts, and stays so where the result came without play. ``leg`` counts a tie's matches
    from 1, replays going on. ``counted_at`` is when the result was counted; only then are points and goals filled. A
    fixture that ``is_annulled`` counts for nothing: ``cause`` is the line of the log by which, ``annulment`` says why
    where that can be taken back by itself, and ``replay`` is the one that is played instead of it. ``draw_place`` is
    where it was to be played if it counts again as soon as the same two are to meet there again (``set_aside``), and
    ``round_left`` what was left then of the days of its round.
    ``correction`` is the result that was decided on last instead of how the match ended: the result follows from it.
    ``is_notified`` says that the players know by mail that it began, ``is_in_history`` that the places of both in the
    table made next after it have been written down.
    Of two teams it is the match at one ``board``, from 1: ``yellow_player`` and ``red_player`` sit there since the
    round began, nobody where a team could not man it.
    """

    competition = models.ForeignKey(Competition, models.CASCADE, related_name="fixtures", db_index=False)
    group = models.ForeignKey(Group, models.CASCADE, related_name="fixtures")
    round = models.ForeignKey(Round, models.CASCADE, null=True, blank=True, related_name="fixtures")
    tie = models.ForeignKey(Tie, models.CASCADE, null=True, blank=True, related_name="fixtures")
    leg = models.PositiveSmallIntegerField(_("leg"), default=1)
    yellow = models.ForeignKey(Entry, models.PROTECT, related_name="fixtures_as_yellow")
    red = models.ForeignKey(Entry, models.PROTECT, related_name="fixtures_as_red")
    board = models.PositiveSmallIntegerField(_("board"), null=True, blank=True)
    yellow_player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="boards_as_yellow"
    )
    red_player = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="boards_as_red"
    )
    challenger = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="challenges")
    match = models.OneToOneField(Match, models.PROTECT, null=True, blank=True, related_name="fixture")
    created_at = models.DateTimeField(_("created"))
    is_notified = models.BooleanField(_("players notified"), default=False, editable=False)

    is_in_history = models.BooleanField(_("in the history of places"), default=False, editable=False)

    is_annulled = models.BooleanField(_("annulled"), default=False)
    annulment = models.CharField(max_length=7, choices=Annulment.choices, blank=True, default="", editable=False)
    cause = models.ForeignKey(
        "tournaments.LogEntry", models.SET_NULL, null=True, blank=True, related_name="+", editable=False, db_index=False
    )
    draw_place = models.CharField(max_length=60, blank=True, default="", editable=False)
    round_left = models.DurationField(null=True, blank=True, editable=False)
    replay = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="replayed", editable=False)
    correction = models.OneToOneField(
        "tournaments.Correction", models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )
    counted_at = models.DateTimeField(_("counted"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    ending = models.CharField(_("ending"), max_length=16, blank=True)
    points_yellow = models.PositiveIntegerField(_("Yellow's match points"), null=True, blank=True)
    points_red = models.PositiveIntegerField(_("Red's match points"), null=True, blank=True)
    goals_yellow = models.PositiveIntegerField(_("Yellow's goals"), null=True, blank=True)
    goals_red = models.PositiveIntegerField(_("Red's goals"), null=True, blank=True)

    class Meta:
        verbose_name = _("fixture")
        verbose_name_plural = _("fixtures")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=~Q(yellow=F("red")), name="fixture_sides_differ"),
            models.CheckConstraint(
                condition=Q(
                    counted_at=None,
                    finished_at=None,
                    ending="",
                    points_yellow=None,
                    points_red=None,
                    goals_yellow=None,
                    goals_red=None,
                )
                | Q(
                    counted_at__isnull=False,
                    finished_at__isnull=False,
                    points_yellow__isnull=False,
                    points_red__isnull=False,
                    goals_yellow__isnull=False,
                    goals_red__isnull=False,
                )
                & ~Q(ending=""),
                name="fixture_counted_with_result",
            ),
            models.CheckConstraint(
                condition=Q(board=None, yellow_player=None, red_player=None) | Q(board__gte=1),
                name="fixture_players_of_boards",
            ),
            models.UniqueConstraint(
                fields=["tie", "leg"],
                condition=Q(tie__isnull=False, board=None, is_annulled=False),
                name="fixture_legs_differ",
            ),
            models.UniqueConstraint(
                fields=["tie", "leg", "board"],
                condition=Q(tie__isnull=False, board__isnull=False, is_annulled=False),
                name="fixture_boards_of_legs_differ",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(
                fields=["group", "finished_at"],
                condition=Q(counted_at__isnull=False, is_annulled=False),
                name="fixture_results",
            ),
            models.Index(
                fields=["group"],
                condition=Q(counted_at__isnull=False, is_annulled=False, is_in_history=False),
                name="fixture_without_history",
            ),
            models.Index(fields=["group", "finished_at"], condition=LOST_ON_TIME, name="fixture_lost_on_time"),
            models.Index(
                fields=["competition", "yellow", "red"],
                condition=Q(counted_at__isnull=True, is_annulled=False),
                name="fixture_running",
            ),
            models.Index(fields=["competition", "-id", "is_annulled"], name="fixture_of_competition"),
            models.Index(
                fields=["competition", "id"],
                condition=Q(counted_at__isnull=True, is_annulled=False),
                name="fixture_going_on",
            ),
            models.Index(
                fields=["competition", "-id"],
                condition=Q(counted_at__isnull=False) | Q(is_annulled=True),
                name="fixture_ended",
            ),
            models.Index(
                fields=["competition", "draw_place"],
                condition=Q(is_annulled=True) & ~Q(draw_place=""),
                name="fixture_set_aside",
            ),
            models.Index(
                fields=["id"],
                condition=Q(match__isnull=False, counted_at__isnull=True, is_notified=False),
                name="fixture_to_notify",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.yellow_name} – {self.red_name}"

    @property
    def players(self) -> BySide[Player | None]:
        """Return who plays: the entrants, or who sits at the board, nobody where it is not manned."""
        if self.board is None:
            return BySide(self.yellow.player, self.red.player)
        return BySide(self.yellow_player, self.red_player)

    @property
    def player_ids(self) -> BySide[int | None]:
        """Return the ids of the ``players``."""
        if self.board is None:
            return BySide(self.yellow.player_id, self.red.player_id)
        return BySide(self.yellow_player_id, self.red_player_id)

    @property
    def team_ids(self) -> BySide[int | None]:
        """Return the ids of the teams, ``None`` for single players."""
        return BySide(self.yellow.team_id, self.red.team_id)

    def name_of(self, side: Side) -> str:
        """Return the username of who plays a side; at a board without a player, the name of the team."""
        return str(self.players[side] or (self.yellow if side is Side.YELLOW else self.red))

    @property
    def seated(self) -> list[Player]:
        """Return those of the ``players`` who are there, Yellow first."""
        return [player for player in self.players if player is not None]

    @property
    def yellow_name(self) -> str:
        """Return the name of Yellow, for templates."""
        return self.name_of(Side.YELLOW)

    @property
    def red_name(self) -> str:
        """Return the name of Red, for templates."""
        return self.name_of(Side.RED)

    @property
    def points(self) -> BySide[int] | None:
        """Return the match points, ``None`` until the result is counted."""
        if self.points_yellow is None or self.points_red is None:
            return None
        return BySide(self.points_yellow, self.points_red)

    @property
    def played_by(self) -> BySide[str] | None:
        """Return who played the match if a place was taken over since; as ``selectors.substitutes`` reads it."""
        yellow, red = (vars(self).get(f"played_by_{side}") for side in ("yellow", "red"))
        return None if yellow is None or red is None else BySide(yellow, red)

    @property
    def by_decision(self) -> bool:
        """Return whether somebody has decided on the result that counts: corrections do, too."""
        return self.ending == Ending.ADJUDICATION

    @property
    def goals(self) -> BySide[int] | None:
        """Return the goals, ``None`` until the result is counted."""
        if self.goals_yellow is None or self.goals_red is None:
            return None
        return BySide(self.goals_yellow, self.goals_red)
