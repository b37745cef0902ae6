"""Pauses of the whole site, and time that is given back afterwards: to every match, once, before any of them expires.

A pause is a row first. Then the matches get their time in batches, one transaction each; a sweep finishes what was
interrupted. Whatever is about to end a match on time gives it its time before, so it does not matter which comes first.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from database.named_locks import lock_name
from matches import clock
from matches.errors import SitePauseRefused
from matches.models import Actor, ClockExtension, ExtensionKind, Match, Move, SitePause, Status
from matches.models.match import RUNNING
from matches.selectors.matches import get_match
from matches.services.after_commit import notify_changed
from players.models import Player

BATCH = 500

LOCK = "site-pauses"

MAX_LENGTH = timedelta(days=31)
"""The longest time that is given back at once."""

NONE = timedelta(0)

Span = tuple[datetime, datetime]


def pause_site(*, reason: str, actor: Player | None, now: datetime) -> SitePause:
    """Stop all clocks of the site from now on, and return the pause. Raises ``SitePauseRefused`` while there is one."""
    now = clock.whole_millisecond(now)
    with transaction.atomic():
        lock_name(LOCK)
        check_unpaused()
        return SitePause.objects.create(begins_at=now, reason=reason, noted_by=actor, noted_at=now)


def resume_site(*, now: datetime) -> SitePause:
    """End the pause of the site, and return it. Raises ``SitePauseRefused`` while there is none."""
    now = clock.whole_millisecond(now)
    with transaction.atomic():
        lock_name(LOCK)
        pause = SitePause.objects.filter(ends_at=None).first()
        if pause is None:
            raise SitePauseRefused(_("The site is not paused."))
        pause.ends_at = max(now, pause.begins_at + clock.MILLISECOND)
        pause.save(update_fields=["ends_at"])
    return pause


def give_time_back(
    *, begins_at: datetime, ends_at: datetime, reason: str, actor: Player | None, now: datetime
) -> list[SitePause]:
    """Let a span of time count for no clock; return the parts of it that were not given back before.

    Raises ``SitePauseRefused`` unless it is over and lasted a month at most.
    """
    begins_at, ends_at = clock.whole_millisecond(begins_at), clock.whole_millisecond(ends_at)
    check_span(begins_at=begins_at, ends_at=ends_at, now=now)
    with transaction.atomic():
        lock_name(LOCK)
        others = SitePause.objects.filter(Q(ends_at=None) | Q(ends_at__gt=begins_at), begins_at__lt=ends_at)
        known = [(pause.begins_at, pause.ends_at or ends_at) for pause in others]
        parts = [
            SitePause(begins_at=start, ends_at=end, reason=reason, noted_by=actor, noted_at=now)
            for start, end in subtract((begins_at, ends_at), known)
        ]
        return SitePause.objects.bulk_create(parts)


def check_unpaused() -> None:
    """Check that the site is not paused; raises ``SitePauseRefused``."""
    if SitePause.objects.filter(ends_at=None).exists():
        raise SitePauseRefused(_("The site is already paused."))


def check_span(*, begins_at: datetime, ends_at: datetime, now: datetime) -> None:
    """Check that a span is over and short enough to be given back; raises ``SitePauseRefused``."""
    if not begins_at < ends_at <= now:
        raise SitePauseRefused(_("The time must end after it begins, and be over."))
    if ends_at - begins_at > MAX_LENGTH:
        raise SitePauseRefused(_("At most %d days are given back at once.") % MAX_LENGTH.days)


def subtract(span: Span, others: Iterable[Span]) -> list[Span]:
    """Return the parts of a span that lie in none of the others, in order."""
    parts, start = [], span[0]
    for begins_at, ends_at in sorted(others):
        if begins_at > start:
            parts.append((start, min(begins_at, span[1])))
        start = max(start, ends_at)
    if start < span[1]:
        parts.append((start, span[1]))
    return [part for part in parts if part[0] < part[1]]


def complete_site_pauses(*, now: datetime) -> int:
    """Give all matches the time of pauses that are not completed, and stop clocks while one lasts; return how many."""
    changed = 0
    for pause in SitePause.objects.filter(completed_at=None).order_by("begins_at"):
        last = 0
        while batch := _apply_to_batch(pause, last, now):
            last = batch[-1]
            changed += len(batch)
        if pause.ends_at is not None:
            SitePause.objects.filter(pk=pause.pk).update(completed_at=now)
    return changed


def give_back(*, match_ids: Collection[int], now: datetime) -> set[int]:
    """Give these matches all time that they are due, and return those whose clocks changed. One query if none is."""
    with transaction.atomic():
        due = Match.objects.filter(pk__in=match_ids, status=Status.PLAYING)
        begun = Subquery(due.order_by("created_at").values("created_at")[:1])
        pauses = list(SitePause.objects.filter(Q(ends_at=None) | Q(ends_at__gt=begun)).order_by("begins_at"))
        return _apply(_lock(due), pauses, now) if pauses else set()


def give_back_if_late(match: Match, now: datetime) -> Match:
    """Return a match as it is now, given the time that it is due if its time seems to be over."""
    if match.is_late(now) and give_back(match_ids=[match.pk], now=now):
        return get_match(match.pk)
    return match


@transaction.atomic
def _apply_to_batch(pause: SitePause, last: int, now: datetime) -> list[int]:
    """Apply a pause to the next matches after the last one, and return these."""
    # Those that are stopped wait for its end.
    concerned = Q(status=Status.PLAYING) if pause.ends_at is not None else RUNNING
    matches = _lock(Match.objects.filter(concerned, deadline__gt=pause.begins_at, pk__gt=last), limit=BATCH)
    _apply(matches, [pause], now)
    return [match.pk for match in matches]


def _lock(matches: QuerySet[Match], limit: int | None = None) -> list[Match]:
    """Return matches, locked in their order, each with ``since``: when its turn began, whatever was given since."""
    others = Move.objects.filter(match=OuterRef("pk")).exclude(actor__in=[Actor.CHANCE]).exclude(actor=OuterRef("side"))
    passed = Subquery(others.order_by("-ply").values("played_at")[:1])
    locked = matches.order_by("pk").select_for_update(no_key=True, of=("self",))
    return list(locked.annotate(since=Coalesce(passed, "created_at"))[:limit])


@dataclass(slots=True)
class _Change:
    """What pauses change in a match: its clock starts so much later, stops or runs on, and rows say why."""

    match: Match
    later: timedelta
    paused_at: datetime | None
    rows: list[ClockExtension]


def _apply(matches: Sequence[Match], pauses: Sequence[SitePause], now: datetime) -> set[int]:
    """Give locked matches the time of pauses, in the order of these; return those whose clocks changed."""
    rows = ClockExtension.objects.filter(match__in=matches, kind__in=[ExtensionKind.PAUSE, ExtensionKind.SITE])
    stood: dict[int, list[Span]] = defaultdict(list)
    had: dict[tuple[int, int], ClockExtension] = {}
    for row in rows:
        if row.site_pause_id is not None:
            had[row.match_id, row.site_pause_id] = row
        else:
            length = row.milliseconds * clock.MILLISECOND
            stood[row.match_id].append((row.granted_at - length, row.granted_at))
    changes, released = [], []
    for match in matches:
        change = _Change(match, NONE, match.paused_at, [])
        for pause in pauses:
            known = had.get((match.pk, pause.pk))
            if pause.ends_at is None:
                _hold(change, pause, stood[match.pk], known, now)
            elif known is None:
                _give(change, (pause.begins_at, pause.ends_at), pause, stood[match.pk], now)
            elif not known.milliseconds and change.paused_at is not None:
                released.append(known.pk)
                _release(change, pause, pause.ends_at, now)
        if change.later or change.paused_at != match.paused_at:
            changes.append(change)
    ClockExtension.objects.filter(pk__in=released).delete()
    _store(changes)
    return {change.match.pk for change in changes}


def _hold(change: _Change, pause: SitePause, stood: Sequence[Span], row: ClockExtension | None, now: datetime) -> None:
    """Stop a clock that runs while the site is paused, as of when the pause began or the clock started since."""
    since = max([pause.begins_at, _since(change.match), *(end for _start, end in stood)])
    if change.paused_at is None and _deadline(change) > since:
        change.paused_at = since
        if row is None:
            change.rows.append(_row(change.match, pause, NONE, now))


def _release(change: _Change, pause: SitePause, ends_at: datetime, now: datetime) -> None:
    """Let a clock run on that was stopped, with what it held."""
    length = clock.spent(change.paused_at or ends_at, ends_at)
    change.later += length
    change.paused_at = None
    change.rows.append(_row(change.match, pause, length, now))


def _give(change: _Change, span: Span, pause: SitePause, stood: Sequence[Span], now: datetime) -> None:
    """Give a clock as much of a pause as it ran, unless its time was over before."""
    begins_at = max(span[0], _since(change.match))
    ends_at = span[1] if change.paused_at is None else min(span[1], change.paused_at)
    if begins_at < ends_at and _deadline(change) > begins_at:
        ran = subtract((begins_at, ends_at), stood)
        length = sum((end - start for start, end in ran), NONE)
        if length:
            change.later += length
            change.rows.append(_row(change.match, pause, length, now))


def _store(changes: Sequence[_Change]) -> None:
    """Store what has changed: one UPDATE for all matches that are changed alike."""
    alike: dict[tuple[timedelta, datetime | None], list[int]] = defaultdict(list)
    for change in changes:
        alike[change.later, change.paused_at].append(change.match.pk)
    for (later, paused_at), match_ids in alike.items():
        Match.objects.filter(pk__in=match_ids).update(
            turn_started_at=F("turn_started_at") + later,
            deadline=F("deadline") + later,
            paused_at=paused_at,
            extensions=F("extensions") + 1,
        )
    ClockExtension.objects.bulk_create(row for change in changes for row in change.rows)
    if changes:
        notify_changed([change.match.pk for change in changes])


def _row(match: Match, pause: SitePause, length: timedelta, now: datetime) -> ClockExtension:
    return ClockExtension(
        match=match,
        kind=ExtensionKind.SITE,
        ply=match.ply,
        side=match.side,
        milliseconds=length // clock.MILLISECOND,
        site_pause=pause,
        granted_at=now,
    )


def _since(match: Match) -> datetime:
    if match.time_control.by_decision:
        return match.last_move_at
    since: datetime = match.since  # type: ignore[attr-defined]
    return since


def _deadline(change: _Change) -> datetime:
    return (change.match.deadline or change.match.turn_started_at) + change.later
