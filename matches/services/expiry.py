"""Matches lost on time: found by an indexed sweep, and ended as of their deadlines.

A deadline that has passed decides the match, unless a day of vacation saves the clock, or the match is played with a
time for each decision: then it is drawn. It does not matter when a sweep runs, or how many run at once.

Deadlines of clocks that run have a partial index. Matches that nobody else has locked end in batches, those with the
same result by one UPDATE; one that cannot be ended is passed by and holds up no other.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache

import structlog
from django.db import transaction
from django.db.models import F, QuerySet

from matches.models import Match, Status
from matches.selectors.clocks import (
    OverdueClock,
    clocks_to_save,
    lock_overdue,
    lock_together,
    overdue_matches,
    read_clocks,
)
from matches.selectors.matches import count_drawn, get_match
from matches.services import progress
from matches.services.after_commit import notify_ended, notify_move
from matches.services.answered_moves import store_answered
from matches.services.conditional_answers import forget_answers
from matches.services.site_pauses import give_back
from matches.services.vacation_hours import take_vacation
from players.services import lock_vacation
from rules_engine.registry import get_game
from rules_engine.values import Ending, Outcome, Score, Side


def draw_late_decisions(*, match_id: int, now: datetime) -> bool:
    """Draw every decision of a match whose time was over until ``now``; return whether that ended the match."""
    has_ended = False
    while _is_late(match := get_match(match_id), now):
        moves = progress.draw_move(match, count_drawn(match, Side(match.side)))
        if store_answered(match, moves, moves[0].played_at):
            notify_move(match)
            has_ended = match.status == Status.FINISHED
    return has_ended


def _is_late(match: Match, now: datetime) -> bool:
    return match.time_control.by_decision and match.is_running and match.is_late(now)


BATCH = 500
"""The most matches that a transaction ends."""

MAX_NAMED = 20

logger = structlog.get_logger(__name__)


Result = tuple[str, Outcome]
"""A game and how a match of it ends."""


def expire_match(*, match_id: int, now: datetime) -> bool:
    """End a match whose deadline has passed, dated at the deadline; return whether this call did it.

    A clock that vacation saves goes on.
    """
    return bool(expire_together(matches=Match.objects.filter(pk=match_id), now=now))


def expire_together(*, matches: QuerySet[Match], now: datetime) -> int:
    """End those of the matches whose deadline has passed, dated at the deadlines; return how many this call ended.

    Clocks that are due the time of a pause of the site, or that vacation saves, go on. For callers that change all
    these matches in the same transaction: players are locked first, in the order of their ids, then the matches
    together with every clock that vacation may touch, all at once. Matches that cannot be ended are logged.
    """
    overdue = _overdue_among(matches, now)
    failed: dict[int, Exception] = {}
    with transaction.atomic():
        clocks = read_clocks(overdue)
        if not clocks:
            return 0
        known = {clock.pk for clock in clocks}
        to_save = _lock(clocks, matches, now)
        give_back(match_ids=known, now=now)
        _take_vacations(to_save, now, failed)
        unsaved = [clock for clock in read_clocks(overdue) if clock.pk in known - failed.keys()]
        ended = _end_soundly(unsaved, failed, now)
    _log(failed)
    return ended


def lock_to_expire(*, matches: QuerySet[Match], now: datetime) -> None:
    """Take every lock that ``expire_together`` takes for these matches until ``now``, in its order, and end nothing.

    For callers that end them one moment after the other in one transaction: a player must not be locked after a match.
    """
    if clocks := read_clocks(_overdue_among(matches, now)):
        _lock(clocks, matches, now)


def expire_due(*, now: datetime, limit: int | None = None, batch: int = BATCH) -> int:
    """End the matches whose deadline has passed, the longest overdue first; return how many this call ended.

    At most ``limit`` are ended or saved by vacation. Matches of which neither can be done are logged, and do not stop
    the others, however many they are.
    """
    overdue = overdue_matches(now)
    ended = done = 0
    last: OverdueClock | None = None
    failed: dict[int, Exception] = {}
    while limit is None or done < limit:
        size = batch if limit is None else min(batch, limit - done)
        failures = len(failed)
        with transaction.atomic():
            clocks = lock_overdue(overdue, after=last, limit=size)
            if not clocks:
                break
            last = clocks[-1]
            found = {clock.pk for clock in clocks}
            if give_back(match_ids=found, now=now):
                clocks = read_clocks(overdue.filter(pk__in=found))
            to_save = clocks_to_save(clocks, now)
            kept = {clock.pk for clock in to_save}
            ended += _end_soundly([clock for clock in clocks if clock.pk not in kept], failed, now)
        if asked := _take_vacations(to_save, now, failed):
            with transaction.atomic():
                unsaved = lock_overdue(overdue.filter(pk__in=asked), after=None, limit=size)
                ended += _end_soundly(unsaved, failed, now)
        done += len(found) - (len(failed) - failures)
    _log(failed)
    return ended


def _overdue_among(matches: QuerySet[Match], now: datetime) -> QuerySet[Match]:
    return overdue_matches(now).filter(pk__in=matches.order_by().values("pk"))


def _lock(clocks: Sequence[OverdueClock], matches: QuerySet[Match], now: datetime) -> list[OverdueClock]:
    """Lock the players whom vacation may save, then the matches and these players' clocks; return what it may save."""
    to_save = clocks_to_save(clocks, now)
    players = sorted({clock.player_id for clock in to_save})
    for player_id in players:
        lock_vacation(player_id=player_id)
    lock_together(matches, clocks_of=players)
    return to_save


def _take_vacations(clocks: Iterable[OverdueClock], now: datetime, failed: dict[int, Exception]) -> list[int]:
    """Spend vacation on overdue clocks; return the matches that are saved, and those that cannot be.

    Each player has their own transaction. A player for whom it fails loses no match because of the failure.
    """
    asked: list[int] = []
    by_player: dict[int, list[int]] = defaultdict(list)
    for clock in clocks:
        by_player[clock.player_id].append(clock.pk)
    for player_id, match_ids in sorted(by_player.items()):
        try:
            take_vacation(player_id=player_id, now=now)
            asked += match_ids
        except Exception as error:  # noqa: BLE001 - it is logged with all that failed
            failed |= dict.fromkeys(match_ids, error)
    return asked


def _log(failed: Mapping[int, Exception]) -> None:
    if failed:
        first = next(iter(failed.values()))
        logger.error("matches_not_expired", count=len(failed), match_ids=[*failed][:MAX_NAMED], exc_info=first)


def _end_soundly(clocks: Sequence[OverdueClock], failed: dict[int, Exception], now: datetime) -> int:
    """End locked matches together, or one by one if that fails; return how many ended.

    With a time for each decision those that are late until ``now`` are drawn, which seldom ends a match.
    """
    alike: dict[Result, list[int]] = defaultdict(list)
    ended = 0
    forget_answers([clock.pk for clock in clocks if clock.answer_changes and not clock.is_by_decision])
    for clock in clocks:
        try:
            if clock.is_by_decision:
                ended += _draw_soundly(clock.pk, failed, now)
            else:
                alike[_result(clock)].append(clock.pk)
        except Exception as error:  # noqa: BLE001 - it is logged with all that failed
            failed[clock.pk] = error
    try:
        with transaction.atomic():
            return ended + _end(alike)
    except Exception:
        logger.exception("batch_not_expired", count=len(clocks))
    for result, match_ids in alike.items():
        for match_id in match_ids:
            try:
                with transaction.atomic():
                    ended += _end({result: [match_id]})
            except Exception as error:  # noqa: BLE001 - it is logged with all that failed
                failed[match_id] = error
    return ended


def _draw_soundly(match_id: int, failed: dict[int, Exception], now: datetime) -> int:
    """Draw the late decisions of a locked match; return 1 if that ended it, else 0."""
    try:
        with transaction.atomic():
            return int(draw_late_decisions(match_id=match_id, now=now))
    except Exception as error:  # noqa: BLE001 - it is logged with all that failed
        failed[match_id] = error
        return 0


def _result(clock: OverdueClock) -> Result:
    """Return how an overdue match ends: the side to act loses, the score stays. Who has not begun forfeits."""
    ending = Ending.FORFEIT if clock.must_begin else Ending.TIMEOUT
    return clock.game, Outcome(Side(clock.side).opponent, ending, _score(clock.game, clock.position))


@lru_cache(maxsize=1024)
def _score(game: str, position: str) -> Score:
    """Return the score in a position. Many overdue matches have had no move, so they share one position."""
    return get_game(game).read(position).score


def _end(alike: Mapping[Result, list[int]]) -> int:
    """End locked matches, dated at their deadlines, by one UPDATE for each result; return how many."""
    for (game, outcome), match_ids in alike.items():
        fields = progress.result(get_game(game), outcome)
        playing = Match.objects.filter(pk__in=match_ids, status=Status.PLAYING)
        playing.update(**fields, finished_at=F("deadline"))
    ended = [match_id for match_ids in alike.values() for match_id in match_ids]
    notify_ended(ended)
    return len(ended)
