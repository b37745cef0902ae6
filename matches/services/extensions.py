"""The time that organisers give players of a match: given, and taken back."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from matches import clock
from matches.clock import InvalidClock
from matches.errors import MatchOver
from matches.models import ClockExtension, ExtensionKind, Match, Status
from matches.selectors.clocks import find_last_extension
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.after_commit import notify_changed
from matches.services.expiry import expire_match
from matches.services.verification import play_again
from rules_engine.values import Side


class TakenTime(NamedTuple):
    """The time that is taken back from a side, and what its clock holds before."""

    side: Side
    time: timedelta
    before: timedelta


def extend_bank(*, match_id: int, side: Side, by: timedelta, now: datetime) -> timedelta:
    """Give a side of a running match more time, up to the cap; return how much it got.

    A side that has lost on time gets none. Raises ``MatchNotFound``, ``MatchOver``, or ``ValueError`` for no time or
    less.
    """
    now = clock.whole_millisecond(now)
    if by < clock.MILLISECOND:
        raise ValueError("a clock is extended by a millisecond at least")
    expire_match(match_id=match_id, now=now)
    while (given := _try_to_extend(match_id, side, by, now)) is None:
        pass
    return given


def take_back_bank(*, match_id: int, now: datetime) -> TakenTime | None:
    """Take back what is unspent of the last extension of a running match, and return it; ``None`` if nothing is.

    The side keeps ``clock.least_left``. Raises ``MatchNotFound`` or ``MatchOver``.
    """
    now = clock.whole_millisecond(now)
    expire_match(match_id=match_id, now=now)
    while True:
        with transaction.atomic():
            match = _get_running(match_id)
            taken = time_to_take_back(match=match, now=now)
            if taken is None:
                return None
            at = match.paused_at or now
            progress.shorten(match, taken.side, taken.time, at)
            if _store(match, ExtensionKind.TAKEN, taken.side, taken.time, at):
                return taken


def time_to_take_back(*, match: Match, now: datetime) -> TakenTime | None:
    """Return what taking back the last extension would take of a running match, ``None`` for nothing.

    Spent is what the side would not have either, had it not got the extension: by its turns, or by the cap.
    """
    extension = find_last_extension(match.pk)
    if extension is None:
        return None
    at, side = match.paused_at or clock.whole_millisecond(now), Side(extension.side)
    left, given = match.time_left(side, at), extension.milliseconds * clock.MILLISECOND
    unspent = left - max(timedelta(0), _left_without(match, extension, side, at))
    time = min(given, unspent, left - clock.least_left(match.time_control))
    return TakenTime(side, time, left) if time > timedelta(0) else None


def _left_without(match: Match, extension: ClockExtension, side: Side, at: datetime) -> timedelta:
    """Return what the clock of a side would hold without an extension: nothing if its time had been over."""
    others = list(match.clock_extensions.exclude(pk=extension.pk))
    try:
        derived, _moves = play_again(match, list(match.moves.all()), others)
    except InvalidClock:
        return timedelta(0)
    return derived.time_left(side, at)


def _try_to_extend(match_id: int, side: Side, by: timedelta, now: datetime) -> timedelta | None:
    with transaction.atomic():
        match = _get_running(match_id)
        at = match.paused_at or now
        given = progress.extend(match, side, by, at)
        if given and not _store(match, ExtensionKind.ORGANISER, side, given, at):
            return None
    return given


def _get_running(match_id: int) -> Match:
    match = get_match(match_id)
    if match.status == Status.FINISHED:
        raise MatchOver(_("The match is over."))
    return match


def _store(match: Match, kind: ExtensionKind, side: Side, length: timedelta, at: datetime) -> bool:
    """Store a changed clock and why it is; return whether no move came first."""
    if not progress.store(match, ply=match.ply):
        return False
    ClockExtension.objects.create(
        match=match, kind=kind, ply=match.ply, side=side, milliseconds=length // clock.MILLISECOND, granted_at=at
    )
    Match.objects.filter(pk=match.pk).update(extensions=match.extensions + 1)
    notify_changed([match.pk])
    return True
