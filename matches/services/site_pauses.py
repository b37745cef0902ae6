"""Pauses of the whole site, and time that is given back afterwards: to every match, once, before any of them expires.

A pause is a row first. Then the matches get their time in batches, one transaction each; a sweep finishes what was
interrupted. Whatever is about to end a match on time gives it its time before, and who has moved since gets what the
move was charged: so it does not matter which comes first.
"""

from bisect import insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from database.named_locks import lock_name
from matches import clock
from matches.errors import SitePauseRefused
from matches.models import (
    OF_SITE,
    STOOD_STILL,
    Actor,
    ClockExtension,
    ExtensionKind,
    Match,
    Move,
    SitePause,
    Status,
    TakenBackMove,
)
from matches.models.match import RUNNING
from matches.selectors.matches import get_match
from matches.selectors.site_pauses import remember_site_pause
from matches.services.after_commit import notify_changed, notify_site_pause
from players.models import Player
from rules_engine.values import Side

BATCH = 500

LOCK = "site-pauses"

MAX_LENGTH = timedelta(days=31)
"""The longest time that is given back at once."""

NONE = timedelta(0)

Span = tuple[datetime, datetime]

Played = tuple[Side, datetime]
"""The side that has played a move, and when."""


def pause_site(
    *, reason: str, actor: Player | None, now: datetime, expected_until: datetime | None = None
) -> SitePause:
    """Stop all clocks of the site from now on, and return the pause; players are told until when it is expected to be.

    Raises ``SitePauseRefused`` while there is one.
    """
    now = clock.whole_millisecond(now)
    with transaction.atomic():
        lock_name(LOCK)
        check_unpaused()
        pause = SitePause.objects.create(
            begins_at=now, expected_until=expected_until, reason=reason, noted_by=actor, noted_at=now
        )
        notify_site_pause(pause)
    return pause


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
        notify_site_pause(pause)
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
        if pause.ends_at is None:
            remember_site_pause(pause)
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
        return _apply(list(_locked(due)), pauses, now) if pauses else set()


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
    matches = list(_locked(Match.objects.filter(concerned, deadline__gt=pause.begins_at, pk__gt=last))[:BATCH])
    _apply(matches, [pause], now)
    return [match.pk for match in matches]


def _locked(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.order_by("pk").select_for_update(no_key=True)


class _Turn(NamedTuple):
    """The clock that ran in a turn, since when, and for how long of a pause."""

    side: Side
    since: datetime
    length: timedelta


@dataclass(slots=True)
class _Change:
    """What pauses change in a match: a clock starts later, stops or runs on, banks hold more, and rows say why."""

    match: Match
    paused_at: datetime | None
    stood: list[Span]
    moves: list[Played]
    later: timedelta = NONE
    credits: dict[Side, timedelta] = field(default_factory=lambda: dict.fromkeys(Side, NONE))
    rows: list[ClockExtension] = field(default_factory=list)

    @property
    def deadline(self) -> datetime:
        """Return when the time of the side to act is over by now."""
        return self.match.clock.deadline + self.later + self.credits[Side(self.match.side)]

    def turns(self, begins_at: datetime, until: datetime) -> list[_Turn]:
        """Return the turns that were played since a moment, and for how long each clock ran until another.

        The last one goes on if it is that of the side to act. With a time for each decision only that counts.
        """
        moves = [*self.moves, (Side(self.match.side), until)]
        since, clocks = max(begins_at, self.match.created_at), []
        if self.match.time_control.by_decision:
            moves, since = moves[-1:], max(begins_at, self.match.last_move_at)
        for side, end in moves:
            if end > since:
                ran = subtract((since, min(end, until)), self.stood)
                clocks.append(_Turn(side, since, sum((end - start for start, end in ran), NONE)))
                since = end
        turns = [list(turn) for _side, turn in groupby(clocks, key=attrgetter("side"))]
        return [turn[0]._replace(length=sum((part.length for part in turn), NONE)) for turn in turns]

    def add(self, pause: SitePause, kind: ExtensionKind, side: str, length: timedelta, now: datetime) -> None:
        """Add the row that says what a side was given for a pause."""
        self.rows.append(
            ClockExtension(
                match=self.match,
                kind=kind,
                ply=self.match.ply,
                side=side,
                milliseconds=length // clock.MILLISECOND,
                site_pause=pause,
                granted_at=now,
            )
        )


def _apply(matches: Sequence[Match], pauses: Sequence[SitePause], now: datetime) -> set[int]:
    """Give locked matches the time of pauses, in the order of these; return those whose clocks changed."""
    rows = ClockExtension.objects.filter(match__in=matches, kind__in=[*STOOD_STILL, *OF_SITE])
    stood: dict[int, list[Span]] = defaultdict(list)
    had: dict[tuple[int, int], ClockExtension] = {}
    for row in rows:
        if row.site_pause_id is not None:
            had[row.match_id, row.site_pause_id] = row
        else:
            length = row.milliseconds * clock.MILLISECOND
            stood[row.match_id].append((row.granted_at - length, row.granted_at))
    moves = _moves_since(min(pause.begins_at for pause in pauses), matches)
    changes, released = [], []
    for match in matches:
        change = _Change(match, match.paused_at, stood[match.pk], moves[match.pk])
        for pause in pauses:
            known = had.get((match.pk, pause.pk))
            if pause.ends_at is None:
                _hold(change, pause, now, is_known=known is not None)
            elif known is None:
                _give(change, pause, pause.ends_at, now)
            elif not known.milliseconds:
                released.append(known.pk)
                change.paused_at = None
                _give(change, pause, pause.ends_at, now)
        if change.rows or change.paused_at != match.paused_at:
            changes.append(change)
    ClockExtension.objects.filter(pk__in=released).delete()
    _store(changes)
    return {change.match.pk for change in changes}


def _moves_since(begins_at: datetime, matches: Sequence[Match]) -> dict[int, list[Played]]:
    """Return what sides have played in matches since a moment, in order; taking back a turn ends one, too."""
    played: dict[int, list[Played]] = defaultdict(list)
    moved = [match.pk for match in matches if match.last_move_at > begins_at]
    later = Move.objects.filter(match__in=moved, played_at__gt=begins_at).exclude(actor=Actor.CHANCE)
    for match_id, side, played_at in later.order_by("match", "ply").values_list("match", "actor", "played_at"):
        played[match_id].append((Side(side), played_at))
    if taken_back := [match.pk for match in matches if match.take_backs]:
        undone = TakenBackMove.objects.filter(take_back__match__in=taken_back, played_at__gt=begins_at)
        agreed = ClockExtension.objects.filter(
            match__in=taken_back, kind=ExtensionKind.TAKE_BACK, granted_at__gt=begins_at
        )
        ended = (
            *undone.values_list("take_back__match", "actor", "played_at"),
            *agreed.values_list("match", "side", "granted_at"),
        )
        for match_id, side, at in ended:
            insort(played[match_id], (Side(side), at), key=itemgetter(1))
    return played


def _hold(change: _Change, pause: SitePause, now: datetime, *, is_known: bool) -> None:
    """Stop a clock that runs while the site is paused, as of when the pause began or the clock started since."""
    since = max([pause.begins_at, change.match.last_move_at, *(end for _start, end in change.stood)])
    if change.paused_at is None and change.deadline > since:
        change.paused_at = since
        if not is_known:
            change.add(pause, ExtensionKind.SITE, change.match.side, NONE, now)


def _give(change: _Change, pause: SitePause, ends_at: datetime, now: datetime) -> None:
    """Give both clocks as much of a pause as they ran in it: the one that runs, unless its time was over before.

    What was charged to a turn that is over, or has been charged since, goes into the bank.
    """
    match, charged = change.match, dict.fromkeys(Side, NONE)
    turns = change.turns(pause.begins_at, ends_at if change.paused_at is None else min(ends_at, change.paused_at))
    if turns and turns[-1].side == match.side:
        turn = turns.pop()
        if change.deadline > turn.since:
            until = change.paused_at or clock.whole_millisecond(now)
            later = min(turn.length, clock.spent(match.turn_started_at + change.later, until))
            charged[turn.side] += turn.length - later
            if later:
                change.later += later
                change.add(pause, ExtensionKind.SITE, turn.side, later, now)
    for turn in turns:
        charged[turn.side] += turn.length
    for side, length in charged.items():
        credit = clock.extension(match.time_control, match.banks[side] + change.credits[side], length)
        if credit:
            change.credits[side] += credit
            change.add(pause, ExtensionKind.CREDIT, side, credit, now)


def _store(changes: Sequence[_Change]) -> None:
    """Store what has changed: one UPDATE for all matches that are changed alike."""
    alike: dict[tuple[timedelta, datetime | None, timedelta, timedelta, timedelta], list[int]] = defaultdict(list)
    for change in changes:
        to_deadline = change.later + change.credits[Side(change.match.side)]
        yellow, red = change.credits[Side.YELLOW], change.credits[Side.RED]
        alike[change.later, change.paused_at, yellow, red, to_deadline].append(change.match.pk)
    for (later, paused_at, yellow, red, to_deadline), match_ids in alike.items():
        Match.objects.filter(pk__in=match_ids).update(
            turn_started_at=F("turn_started_at") + later,
            bank_yellow=F("bank_yellow") + yellow // clock.MILLISECOND,
            bank_red=F("bank_red") + red // clock.MILLISECOND,
            deadline=F("deadline") + to_deadline,
            paused_at=paused_at,
            extensions=F("extensions") + 1,
        )
    ClockExtension.objects.bulk_create(row for change in changes for row in change.rows)
    if changes:
        notify_changed([change.match.pk for change in changes])
