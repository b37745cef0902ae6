"""Settling matches: what a finished match means to the event that it belongs to, and to the ratings.

The finished match is the event. Settling it is one transaction that does everything or nothing,
once, however often and in whatever order it is called for.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import Q

from matches.models import Match, Status
from rules_engine.values import BySide, Ending, Side
from tournaments.models import Entry, Event, Fixture, LadderSystem
from tournaments.scoring import points_of
from tournaments.selectors.events import find_ladder
from tournaments.services.cups.advancing import advance_tie
from tournaments.services.cups.rounds import finish_round_if_over
from tournaments.services.ladders.climbing import apply_challenge
from tournaments.services.locking import lock_event
from tournaments.services.ratings import want_rating
from tournaments.services.standings import want_standings

BATCH = 500

_RESULT = ("counted_at", "finished_at", "ending", "points_yellow", "points_red", "goals_yellow", "goals_red")

logger = structlog.get_logger(__name__)


def settle_match(*, match_id: int, now: datetime) -> bool:
    """Count a finished match wherever it counts; return whether this call did it.

    A match that is still played, is unknown or has been settled is left alone.
    """
    with transaction.atomic():
        event = _lock_event_of(match_id)
        unsettled = Match.objects.filter(pk=match_id, status=Status.FINISHED, settled_at=None)
        if not unsettled.update(settled_at=now):
            return False
        match = Match.objects.get(pk=match_id)
        if match.is_rated and match.annulled_at is None:
            want_rating(match=match)
        if event is not None and match.annulled_at is None:
            _count(event, match, now)
    return True


def settle_finished(*, now: datetime, limit: int = BATCH) -> int:
    """Settle up to ``limit`` finished matches, in the order of their ends; return how many this call settled.

    Each has a transaction of its own, and one that fails stops none of the others.
    """
    settled = 0
    finished = Match.objects.filter(status=Status.FINISHED, settled_at=None).order_by("finished_at", "pk")
    failed: list[int] = []
    while limit > 0:
        batch = list(finished.exclude(pk__in=failed).values_list("pk", flat=True)[:limit])
        if not batch:
            break
        for match_id in batch:
            try:
                settled += settle_match(match_id=match_id, now=now)
                limit -= 1
            except Exception:
                logger.exception("match_not_settled", match_id=match_id)
                failed.append(match_id)
    return settled


def _lock_event_of(match_id: int) -> Event | None:
    event_id = Fixture.objects.filter(match=match_id).values_list("event_id", flat=True).first()
    return None if event_id is None else lock_event(event_id=event_id)


def _count(event: Event, match: Match, now: datetime) -> None:
    """Count the result in the event, and let follow what follows from it."""
    outcome = match.outcome
    fixture = Fixture.objects.select_related("tie__round", "round").filter(match=match).first()
    if fixture is None or outcome is None or match.finished_at is None:
        return
    if fixture.is_annulled or fixture.counted_at is not None:
        return
    fixture.counted_at, fixture.finished_at, fixture.ending = now, match.finished_at, match.ending
    fixture.points_yellow, fixture.points_red = points_of(event.rules, outcome)
    fixture.goals_yellow, fixture.goals_red = outcome.score
    fixture.save(update_fields=_RESULT)
    ladder = find_ladder(event)
    if ladder is None:
        _follow_in_cup(event, fixture, now)
        return
    want_standings(event_id=event.pk, now=now)
    if outcome.ending == Ending.TIMEOUT and outcome.winner is not None:
        _let_wait(fixture, outcome.winner.opponent, match.finished_at)
    if ladder.system == LadderSystem.CHALLENGE:
        apply_challenge(fixture=fixture, now=now)


def _follow_in_cup(event: Event, fixture: Fixture, now: datetime) -> None:
    if fixture.tie is not None:
        advance_tie(tie=fixture.tie, now=now)
    elif fixture.round is not None:
        want_standings(event_id=event.pk, now=now)
        finish_round_if_over(round=fixture.round, now=now)


def _let_wait(fixture: Fixture, loser: Side, lost_at: datetime) -> None:
    """Who lost on time gets no new games of the ladder until he acts again."""
    entry = BySide(fixture.yellow_id, fixture.red_id)[loser]
    earlier = Q(waits_since=None) | Q(waits_since__lt=lost_at)
    Entry.objects.filter(earlier, pk=entry).update(waits_since=lost_at)
