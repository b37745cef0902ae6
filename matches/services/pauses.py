"""Pauses: the clocks of a competition, or of one of its matches, stop and start again."""

from collections import defaultdict
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from matches import clock
from matches.models import ClockExtension, ExtensionKind, Match, Status
from matches.models.match import RUNNING
from matches.services.after_commit import notify_changed, notify_matches
from matches.services.expiry import expire_together

BATCH = 500


def pause_matches(*, competition: int, now: datetime) -> int:
    """Stop the clocks of a competition's running matches; return how many this call stopped.

    Nobody can move until they run again, but players may resign. A match whose time ran out before is over, or was
    saved by vacation and is stopped too. A second call has no effect.
    """
    return _pause(Match.objects.filter(competition=competition), now)


def pause_match(*, match_id: int, now: datetime) -> bool:
    """Stop the clocks of one match as ``pause_matches`` does, and return whether this call stopped them."""
    return _pause(Match.objects.filter(pk=match_id), now) == 1


def resume_matches(*, competition: int, now: datetime, since: datetime | None = None) -> int:
    """Let the clocks of a competition's matches run on, with what they held; return how many this call started.

    Deadlines are later by the length of the pause. A second call has no effect. Matches paused before ``since`` stay
    paused.
    """
    paused = Match.objects.filter(competition=competition)
    if since is not None:
        paused = paused.filter(paused_at__gte=clock.whole_millisecond(since))
    return _resume(paused, now)


def resume_match(*, match_id: int, now: datetime) -> bool:
    """Let the clocks of one match run on as ``resume_matches`` does, and return whether this call started them."""
    return _resume(Match.objects.filter(pk=match_id), now) == 1


@transaction.atomic
def _pause(matches: QuerySet[Match], now: datetime) -> int:
    now = clock.whole_millisecond(now)
    running = matches.filter(RUNNING)
    expire_together(matches=running, now=now)
    in_order = running.filter(deadline__gt=now).select_for_update(no_key=True).order_by("pk")
    held = Match.objects.filter(pk__in=list(in_order.values_list("pk", flat=True)))
    paused = held.update(paused_at=now, extensions=F("extensions") + 1)
    notify_changed()
    return paused


def _resume(matches: QuerySet[Match], now: datetime) -> int:
    now = clock.whole_millisecond(now)
    resumed = 0
    while batch := _resume_some(matches, now):
        resumed += batch
    return resumed


@transaction.atomic
def _resume_some(held: QuerySet[Match], now: datetime) -> int:
    by_site = ClockExtension.objects.filter(match=OuterRef("pk"), site_pause__ends_at=None, kind=ExtensionKind.SITE)
    paused = held.filter(~Exists(by_site), status=Status.PLAYING, paused_at__isnull=False)
    matches = list(paused.select_for_update(no_key=True).order_by("pk")[:BATCH])
    by_pause: dict[datetime, list[Match]] = defaultdict(list)
    for match in matches:
        if match.paused_at is not None:
            by_pause[match.paused_at].append(match)
    for paused_at, alike in by_pause.items():
        _start_again(alike, length=clock.spent(paused_at, now), now=now)
    return len(matches)


def _start_again(matches: list[Match], *, length: timedelta, now: datetime) -> None:
    """Start the clocks of locked matches after a pause of this length."""
    Match.objects.filter(pk__in=[match.pk for match in matches]).update(
        turn_started_at=F("turn_started_at") + length,
        deadline=F("deadline") + length,
        paused_at=None,
        extensions=F("extensions") + 1,
    )
    ClockExtension.objects.bulk_create(
        ClockExtension(
            match=match,
            kind=ExtensionKind.PAUSE,
            ply=match.ply,
            side=match.side,
            milliseconds=length // clock.MILLISECOND,
            granted_at=now,
        )
        for match in matches
    )
    notify_matches(matches)
