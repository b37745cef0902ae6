"""A match between two players."""

from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from matches import clock
from matches.clock import MILLISECOND, RunningClock
from matches.models.changed_at import Changing
from matches.models.offer import Offer, OfferKind
from matches.models.time_control import TimeControlled, time_control_columns
from players.models import Player
from rules_engine.protocol import MAX_SUMMARY_LENGTH, Game, State
from rules_engine.registry import get_game
from rules_engine.values import BySide, Ending, Outcome, Side


class Status(models.TextChoices):
    """The state of a match: whether it goes on."""

    PLAYING = "playing", _("playing")
    FINISHED = "finished", _("finished")


SIDES = [side.value for side in Side]
ENDINGS = [ending.value for ending in Ending]
PLAYING = Q(status=Status.PLAYING)
RUNNING = PLAYING & Q(paused_at=None)
FINISHED = Q(status=Status.FINISHED)
TO_ACT = BySide(*(PLAYING & Q(side=side) for side in SIDES))


class Match(TimeControlled, Changing):
    """A match. Its moves are the truth; ``position``, ``side``, banks and result are a cache of them.

    ``position_summary`` lets a long position be read as fast as a short one. Nobody else is shown it, and it may be
    empty.

    ``ply`` is the number of moves so far, ``rolls`` how many of them are rolls, and ``chain`` the hash of all of them,
    for the dice, whose ``seed`` is in hexadecimal. Banks are the milliseconds that each side held when the turn
    started, and the deadline follows from them. The clocks have stood still since ``paused_at``; ``extensions`` counts
    how often they got time from outside.

    ``vacation_limit`` is how many days of vacation each player may use in the ``competition``, 0 for none and null for
    as many as they have. ``competition`` is a number that its matches share; nothing else is known of it here.

    A side that has not moved yet has ``begin_within`` seconds to do so instead of its bank; the rest of the bank is
    ``held``, in milliseconds, and released by its first move.

    ``allowed`` is what the moves of a side were allowed for their ways so far, in milliseconds.

    ``is_notified`` says whether the side to act has been notified of its turn or, of a finished match, both sides of
    its end.

    Sides play ``by_hand`` what leaves no choice, and is else played by itself if their players wish.

    An ``offer`` of one side to the other stands until the next move. ``take_backs`` counts how often a turn was taken
    back.

    ``answer_changes`` counts how often answers were given beforehand or removed: without any, no move looks for them.

    A worker that chooses a computer's move claims the match at ``claimed_ply`` until ``claimed_until``. After that, or
    at another ply, any worker may claim it.

    A finished match is settled once it has been counted wherever it counts; an annulled one counts nowhere.
    Since ``corrected_at`` another result counts there, which was decided on, than the one that the match has.
    """

    SEEN = frozenset({"ply", "extensions", "status", "annulled_at", "corrected_at", "offer"})

    game = models.CharField(_("game"), max_length=40)
    yellow = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="matches_as_yellow")
    red = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="matches_as_red")
    status = models.CharField(_("status"), max_length=8, choices=Status.choices, default=Status.PLAYING)
    rematch_of = models.OneToOneField("self", models.PROTECT, null=True, blank=True, related_name="rematch")

    ply = models.PositiveIntegerField(_("moves so far"), default=0)
    position = models.TextField(_("position"))
    position_summary = models.CharField(
        _("summary of the position"), max_length=MAX_SUMMARY_LENGTH, blank=True, default="", db_default=""
    )
    side = models.CharField(_("side to act"), max_length=6, choices=[(side, side) for side in SIDES], blank=True)

    time_bank, time_increment, time_cap = time_control_columns()
    bank_yellow = models.PositiveBigIntegerField(_("time on Yellow's clock, in milliseconds"))
    bank_red = models.PositiveBigIntegerField(_("time on Red's clock, in milliseconds"))
    turn_started_at = models.DateTimeField(_("turn started"))
    last_move_at = models.DateTimeField(_("last move"))
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    begin_within = models.PositiveIntegerField(_("seconds for the first move"), null=True, blank=True)
    held_yellow = models.PositiveBigIntegerField(_("time held until Yellow’s first move"), default=0, db_default=0)
    held_red = models.PositiveBigIntegerField(_("time held until Red’s first move"), default=0, db_default=0)
    allowed_yellow = models.PositiveSmallIntegerField(_("time allowed for Yellow’s ways"), default=0, db_default=0)
    allowed_red = models.PositiveSmallIntegerField(_("time allowed for Red’s ways"), default=0, db_default=0)
    extensions = models.PositiveSmallIntegerField(_("changes of its clocks by others"), default=0)
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    vacation_limit = models.PositiveSmallIntegerField(_("maximum days of vacation"), null=True, blank=True)
    competition = models.PositiveBigIntegerField(_("competition"), null=True, blank=True)

    by_hand_yellow = models.BooleanField(_("Yellow plays all by hand"), default=False, db_default=False)
    by_hand_red = models.BooleanField(_("Red plays all by hand"), default=False, db_default=False)

    offer = models.CharField(_("offer"), max_length=9, choices=OfferKind.choices, blank=True, default="", db_default="")
    offered_by = models.CharField(
        _("offered by"), max_length=6, choices=[(side, side) for side in SIDES], blank=True, default="", db_default=""
    )
    offered_at_ply = models.PositiveIntegerField(_("ply of the offer"), default=0, db_default=0)
    take_backs = models.PositiveSmallIntegerField(_("turns taken back"), default=0, db_default=0)
    answer_changes = models.PositiveIntegerField(_("changes of conditional answers"), default=0, db_default=0)

    claimed_ply = models.PositiveIntegerField(_("ply that a worker has claimed"), null=True, blank=True)
    claimed_until = models.DateTimeField(_("claimed until"), null=True, blank=True)

    is_notified = models.BooleanField(_("players notified"), default=False)

    seed = models.CharField(_("secret seed"), max_length=64)
    commitment = models.CharField(_("commitment"), max_length=64)
    chain = models.CharField(_("chain"), max_length=64)
    rolls = models.PositiveIntegerField(_("rolls so far"), default=0)

    winner = models.CharField(_("winner"), max_length=6, choices=[(side, side) for side in SIDES], blank=True)
    ending = models.CharField(_("ending"), max_length=16, choices=[(ending, ending) for ending in ENDINGS], blank=True)
    score_yellow = models.PositiveIntegerField(_("Yellow's score"), null=True, blank=True)
    score_red = models.PositiveIntegerField(_("Red's score"), null=True, blank=True)
    points_yellow = models.PositiveIntegerField(_("Yellow's match points"), null=True, blank=True)
    points_red = models.PositiveIntegerField(_("Red's match points"), null=True, blank=True)

    is_rated = models.BooleanField(_("counts for the ratings"), default=False)
    created_at = models.DateTimeField(_("created"))
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    annulled_at = models.DateTimeField(_("annulled"), null=True, blank=True)
    corrected_at = models.DateTimeField(_("corrected"), null=True, blank=True)

    _read: tuple[str, State | None] = ("", None)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=~Q(yellow=F("red")), name="match_players_differ"),
            models.CheckConstraint(
                condition=(PLAYING & Q(side__in=SIDES, deadline__isnull=False, finished_at__isnull=True, ending=""))
                | (FINISHED & Q(side="", deadline__isnull=True, finished_at__isnull=False, ending__in=ENDINGS)),
                name="match_is_playing_or_finished",
            ),
            models.CheckConstraint(
                condition=(
                    PLAYING & Q(winner="", score_yellow=None, score_red=None, points_yellow=None, points_red=None)
                )
                | (
                    FINISHED
                    & Q(winner__in=["", *SIDES])
                    & Q(score_yellow__isnull=False, score_red__isnull=False)
                    & Q(points_yellow__isnull=False, points_red__isnull=False)
                ),
                name="match_has_result_when_finished",
            ),
            models.CheckConstraint(condition=PLAYING | Q(paused_at=None), name="match_is_paused_while_playing"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["deadline", "id"], condition=RUNNING, name="match_deadlines"),
            models.Index(
                fields=["competition", "deadline", "id"],
                condition=PLAYING & Q(competition__isnull=False),
                name="match_of_competition",
            ),
            models.Index(fields=["yellow", "deadline"], condition=PLAYING, name="match_running_yellow"),
            models.Index(fields=["red", "deadline"], condition=PLAYING, name="match_running_red"),
            models.Index(fields=["yellow", "last_move_at"], condition=TO_ACT.yellow, name="match_yellow_to_act"),
            models.Index(fields=["red", "last_move_at"], condition=TO_ACT.red, name="match_red_to_act"),
            models.Index(fields=["-finished_at"], condition=FINISHED, name="match_finished"),
            models.Index(fields=["id"], condition=FINISHED, name="match_over"),
            models.Index(fields=["game", "-id"], name="match_of_game"),
            models.Index(fields=["id"], condition=FINISHED & Q(settled_at=None), name="match_unsettled"),
            models.Index(
                fields=["turn_started_at", "id"], condition=RUNNING & Q(is_notified=False), name="match_turn_to_notify"
            ),
            models.Index(fields=["id"], condition=FINISHED & Q(is_notified=False), name="match_end_to_notify"),
            models.Index(fields=["changed_at"], name="match_changed"),
            models.Index(fields=["created_at"], condition=Q(competition=None, is_rated=False), name="match_casual"),
        ]

    def __str__(self) -> str:
        return f"{self.yellow} – {self.red}"

    def get_absolute_url(self) -> str:
        """Return the match's page."""
        return f"/matches/{self.pk}/"

    @property
    def rules(self) -> Game:
        """Return the game that is played."""
        return get_game(self.game)

    @property
    def state(self) -> State:
        """Return the position as a state of the game; what it is set to becomes the position."""
        line, state = self._read
        if state is None or line != self.position:
            state = self.rules.resume(self.position, self.position_summary)
            self._read = (self.position, state)
        return state

    @state.setter
    def state(self, state: State) -> None:
        self.position, self.position_summary = str(state), state.summary
        self._read = (self.position, state)

    @property
    def side_ahead(self) -> Side | None:
        """Return the side that has more goals, ``None`` if they are level."""
        yellow, red = self.state.score
        if yellow == red:
            return None
        return Side.YELLOW if yellow > red else Side.RED

    @property
    def players(self) -> BySide[Player]:
        """Return the players of both sides."""
        return BySide(self.yellow, self.red)

    @property
    def banks(self) -> BySide[timedelta]:
        """Return the time that each side held when the turn started."""
        return BySide(self.bank_yellow * MILLISECOND, self.bank_red * MILLISECOND)

    @property
    def held(self) -> BySide[timedelta]:
        """Return the time that each side gets with its first move."""
        return BySide(self.held_yellow * MILLISECOND, self.held_red * MILLISECOND)

    @property
    def by_hand(self) -> BySide[bool]:
        """Return for which sides nothing is played by itself here, whatever their players wish elsewhere."""
        return BySide(self.by_hand_yellow, self.by_hand_red)

    @property
    def allowed(self) -> BySide[timedelta]:
        """Return what the moves of each side were allowed for their ways."""
        return BySide(self.allowed_yellow * MILLISECOND, self.allowed_red * MILLISECOND)

    @property
    def must_begin(self) -> bool:
        """Return whether the side to act forfeits unless it makes its first move by the deadline."""
        return bool(self.side and self.held[Side(self.side)])

    @property
    def is_no_show(self) -> bool:
        """Return whether a side has forfeited the match by not making its first move in time."""
        side = self.state.turn
        if self.ending != Ending.FORFEIT or not isinstance(side, Side) or not self.held[side]:
            return False
        return self.finished_at == RunningClock(self.banks[side], self.turn_started_at).deadline

    @property
    def is_lost_on_time(self) -> bool:
        """Return whether it ended because a side's time was over, that for its first move too."""
        return self.ending == Ending.TIMEOUT or self.is_no_show

    @property
    def clock(self) -> RunningClock:
        """Return the clock of the side to act; only while the match goes on."""
        return RunningClock(self.banks[Side(self.side)], self.turn_started_at)

    def time_left(self, side: Side, now: datetime) -> timedelta:
        """Return what a side's clock holds, which stands still while the match is paused."""
        return self.clock.left(self.paused_at or now) if self.side == side else self.banks[side]

    @property
    def allows_vacation(self) -> bool:
        """Return whether a day of vacation may save a clock, if its player has one."""
        return self.vacation_limit != 0 and not self.time_control.is_live

    @property
    def is_running(self) -> bool:
        """Return whether the side to act may act: the match goes on, and its clocks do not stand still."""
        return self.status == Status.PLAYING and self.paused_at is None

    @property
    def player_to_act(self) -> Player | None:
        """Return the player whose turn it is, ``None`` when the match is over."""
        return self.players[Side(self.side)] if self.side else None

    @property
    def revealed_seed(self) -> str | None:
        """Return the dice's seed, in hexadecimal, when everybody may see it: after the end."""
        return self.seed if self.status == Status.FINISHED else None

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome of the match, ``None`` while it goes on."""
        if self.score_yellow is None or self.score_red is None:
            return None
        winner = Side(self.winner) if self.winner else None
        return Outcome(winner, Ending(self.ending), BySide(self.score_yellow, self.score_red))

    @property
    def standing_offer(self) -> Offer | None:
        """Return what one side offers the other, ``None`` once somebody has moved since."""
        if not self.offer or self.status == Status.FINISHED or self.offered_at_ply != self.ply:
            return None
        return Offer(OfferKind(self.offer), Side(self.offered_by))

    @property
    def by_decision(self) -> bool:
        """Return whether somebody else than the players has decided on the result."""
        return self.corrected_at is not None or self.ending == Ending.ADJUDICATION

    @property
    def points(self) -> BySide[int] | None:
        """Return the match points that both sides got, ``None`` while the match goes on."""
        if self.points_yellow is None or self.points_red is None:
            return None
        return BySide(self.points_yellow, self.points_red)

    def is_late(self, now: datetime) -> bool:
        """Return whether the side to act has run out of time."""
        return self.deadline is not None and self.paused_at is None and clock.is_late(self.deadline, now)

    def side_of(self, player_id: int | None) -> Side | None:
        """Return the side that the player with this id has in the match, if any."""
        return {self.yellow_id: Side.YELLOW, self.red_id: Side.RED}.get(player_id or 0)
