"""Queries for clocks: overdue ones, those of a player, and those that are due a day of vacation."""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from matches.clock import DAY, SECOND
from matches.models import ClockExtension, ExtensionKind, Match, Status
from matches.models.match import RUNNING
from matches.models.time_control import control_in
from players.models import Player, VacationDay
from players.selectors import starting_in
from rules_engine.values import Side

TAKES_VACATION = Q(time_bank__gte=DAY // SECOND) & (Q(vacation_limit=None) | Q(vacation_limit__gt=0))
"""Matches that are played over days and allow vacation."""


LOCK_NOT_AVAILABLE = "55P03"
"""The state by which PostgreSQL says that a row is locked for which nobody wants to wait."""

MAX_ATTEMPTS = 5
"""The number of attempts to lock all matches at once."""


class OverdueClock(NamedTuple):
    """The columns of a match that is lost on time unless vacation saves it, or the late decision is drawn."""

    pk: int
    deadline: datetime
    side: str
    yellow_id: int
    red_id: int
    game: str
    position: str
    turn_started_at: datetime
    time_bank: int
    time_increment: int
    time_cap: int
    vacation_limit: int | None
    held_yellow: int
    held_red: int
    answer_changes: int

    @property
    def player_id(self) -> int:
        """Return the id of the player to act."""
        return self.yellow_id if self.side == Side.YELLOW else self.red_id

    @property
    def must_begin(self) -> bool:
        """Return whether the side to act has not made its first move in the time for it."""
        return bool(self.held_yellow if self.side == Side.YELLOW else self.held_red)

    @property
    def is_by_decision(self) -> bool:
        """Return whether the late decision is drawn, so that the match need not be lost."""
        return control_in(self.game, self.time_bank, self.time_increment, self.time_cap).by_decision

    @property
    def takes_vacation(self) -> bool:
        """Return whether a day of vacation may save the clock in this match."""
        return self.vacation_limit != 0 and self.time_bank * SECOND >= DAY


def overdue_matches(now: datetime) -> QuerySet[Match]:
    """Return the matches whose deadline has passed and whose clocks do not stand still, the longest overdue first."""
    return Match.objects.filter(RUNNING, deadline__lte=now).order_by("deadline", "pk")


def lock_overdue(matches: QuerySet[Match], *, after: OverdueClock | None, limit: int) -> list[OverdueClock]:
    """Return the first clocks of ordered overdue matches that come after one, locked until the transaction ends.

    Rows that another transaction has locked are skipped.
    """
    if after is not None:
        later = Q(deadline__gt=after.deadline) | Q(deadline=after.deadline, pk__gt=after.pk)
        matches = matches.filter(later, deadline__gte=after.deadline)
    return read_clocks(matches.select_for_update(skip_locked=True, no_key=True)[:limit])


def read_clocks(matches: QuerySet[Match]) -> list[OverdueClock]:
    """Return the clocks of overdue matches."""
    return [OverdueClock(*row) for row in matches.values_list(*OverdueClock._fields)]


def lock_together(matches: QuerySet[Match], *, clocks_of: Collection[int]) -> None:
    """Lock the matches, and those in which vacation gives these players hours, as ``lock_at_once`` does.

    The caller has locked the players before, in the order of their ids.
    """
    to_act = Q(yellow__in=clocks_of, side=Side.YELLOW) | Q(red__in=clocks_of, side=Side.RED)
    clocks = Match.objects.filter(to_act, RUNNING, TAKES_VACATION)

    def find() -> QuerySet[Match]:
        ids = {pk for each in (matches, clocks) for pk in each.values_list("pk", flat=True)}
        return Match.objects.filter(pk__in=ids, status=Status.PLAYING).order_by("pk").only("pk")

    lock_at_once(find)


def lock_at_once(find: Callable[[], QuerySet[Match]]) -> list[Match]:
    """Return the matches that are found, all of them locked until the transaction ends.

    While it waits for one of them, none of the others is locked. A transaction that holds a match that has just ended
    may want them next: a change of a competition counts what has ended, and then ends or stops other matches, in any
    order. Where others hold one of them at each of a few attempts, as they may in a competition with very many moves,
    they are locked one after the other in their order.
    """
    for _ in range(MAX_ATTEMPTS):
        matches = find()
        try:
            with transaction.atomic():
                return list(matches.select_for_update(nowait=True, no_key=True))
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) != LOCK_NOT_AVAILABLE:
                raise
        _wait_for_one(matches)
    return list(find().select_for_update(no_key=True))


def _wait_for_one(matches: QuerySet[Match]) -> None:
    """Wait until nobody holds one of the matches that somebody holds now. None is locked afterwards."""
    with transaction.atomic():
        free = matches.select_for_update(skip_locked=True, no_key=True)
        held = set(matches.values_list("pk", flat=True)).difference(free.values_list("pk", flat=True))
        transaction.set_rollback(True)
    with transaction.atomic():
        list(Match.objects.select_for_update(no_key=True).filter(pk__in=sorted(held)[:1]).order_by().values_list("pk"))
        transaction.set_rollback(True)


def clocks_to_save(clocks: Iterable[OverdueClock], now: datetime) -> list[OverdueClock]:
    """Return the overdue clocks that vacation may save: the player has a day left, or spent one during the turn.

    The limit of a competition is not checked here. A clock that is not returned is lost.
    """
    asking = [clock for clock in clocks if clock.takes_vacation]
    players = {clock.player_id for clock in asking}
    if not players:
        return []
    counts = {str(year): Count("pk", filter=starting_in(year)) for year in {clock.deadline.year for clock in asking}}
    latest = Max("starts_at", filter=Q(starts_at__lte=now))
    taken = VacationDay.objects.filter(player__in=players).order_by().values("player_id")
    known = {row["player_id"]: row for row in taken.annotate(latest=latest, **counts)}
    computers = set(Player.objects.filter(is_computer=True).values_list("pk", flat=True))

    def may_be_saved(clock: OverdueClock) -> bool:
        row = known.get(clock.player_id, {})
        latest = row.get("latest")
        fell_into_the_turn = latest is not None and latest + DAY > clock.turn_started_at
        return fell_into_the_turn or row.get(str(clock.deadline.year), 0) < settings.VACATION_DAYS

    return [clock for clock in asking if clock.player_id not in computers and may_be_saved(clock)]


def clocks_on_vacation(player: Player) -> QuerySet[Match]:
    """Return the matches in which the player's clock runs and a day of vacation gives it hours."""
    to_act = Q(yellow=player, side=Side.YELLOW) | Q(red=player, side=Side.RED)
    return Match.objects.filter(RUNNING, TAKES_VACATION, to_act).order_by("pk")


def find_last_extension(match_id: int) -> ClockExtension | None:
    """Return the last time that an organiser gave in a match and has not taken back."""
    kinds = [ExtensionKind.ORGANISER, ExtensionKind.TAKEN]
    standing: list[ClockExtension] = []
    for row in ClockExtension.objects.filter(match=match_id, kind__in=kinds):
        if row.kind == ExtensionKind.ORGANISER:
            standing.append(row)
        else:
            standing.pop()
    return standing[-1] if standing else None


def players_to_give_hours(now: datetime) -> QuerySet[VacationDay, int]:
    """Return the ids of the players on vacation with a running clock that has not had the hours of the day yet."""
    had = ClockExtension.objects.filter(match=OuterRef("pk"), vacation_day=OuterRef(OuterRef("pk")))
    clocks = Match.objects.filter(~Exists(had), RUNNING, TAKES_VACATION, deadline__gte=OuterRef("starts_at"))
    waiting = [Exists(clocks.filter(side=side, **{side.value: OuterRef("player")})) for side in Side]
    days = VacationDay.objects.filter(waiting[0] | waiting[1], starts_at__lte=now, starts_at__gt=now - DAY)
    return days.order_by("player_id").values_list("player_id", flat=True).distinct()
