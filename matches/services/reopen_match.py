"""Let matches go on, or count again, when what ended them is taken back."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from matches import clock, dice
from matches.errors import MatchOver
from matches.models import STOOD_STILL, ClockExtension, ExtensionKind, Match, MatchAnalysis, SpentSeed, Status
from matches.selectors.matches import get_match
from matches.services import progress
from matches.services.adjudication import note_pause
from matches.services.after_commit import notify_changed, notify_ended, notify_move
from matches.services.site_pauses import subtract
from rules_engine.values import Ending, Outcome, Side

DECIDED = frozenset({Ending.ADJUDICATION, Ending.FORFEIT})
"""The endings of matches that were decided from outside: such a match can go on."""


def reopen_match(*, match_id: int, now: datetime, is_paused: bool = False) -> Match:
    """Let a match of a competition that was decided from outside go on from where it stood, and return it.

    The clocks hold what they held when it ended, and stand still until they are resumed if it ``is_paused``. Further
    rolls come from a new seed, as everybody has seen the one before. Raises ``MatchNotFound``, or ``MatchOver`` for a
    match that its players have ended, that goes on, or that belongs to no competition, where nobody decides.
    """
    now = clock.whole_millisecond(now)
    with transaction.atomic():
        match = get_match(match_id)
        if match.status != Status.FINISHED or match.ending not in DECIDED or match.competition is None:
            raise MatchOver(_("The match was not ended by a decision."))
        # A side that did not begin in time has its time to begin anew.
        stopped_at = match.turn_started_at if match.is_no_show else match.finished_at
        length = clock.spent(stopped_at or now, now)
        _reopen(match, length, now, is_paused=is_paused)
        note_pause(match=match, side=match.side, length=length, now=now)
    return get_match(match_id)


def forgive_loss(*, match_id: int, since: datetime, now: datetime, is_paused: bool = False) -> Match:
    """Let a match that was lost on time since a moment go on with the time that was left then, and return it.

    It goes on as ``reopen_match`` lets it. With a time for each decision, the decision to come has all of its time.
    Raises ``MatchNotFound``, or ``MatchOver`` for a match that was not lost on time.
    """
    now = clock.whole_millisecond(now)
    with transaction.atomic():
        match = get_match(match_id)
        if match.finished_at is None or not match.is_lost_on_time or match.competition is None:
            raise MatchOver(_("The match was not lost on time."))
        length = clock.spent(_stop_at(match, since, match.finished_at), now)
        loser = Side(match.winner).opponent
        _reopen(match, length, now, is_paused=is_paused)
        note_pause(match=match, side=loser, length=length, now=now, kind=ExtensionKind.OUTAGE)
    return get_match(match_id)


def lose_again(*, forgiven: Collection[ClockExtension]) -> set[int]:
    """End matches as they were lost on time, and dated so, before that was forgiven; return which.

    It leaves alone those in which somebody has moved since, that have ended, or whose clocks got time.
    """
    rows = {row.match_id: row for row in forgiven}
    with transaction.atomic():
        in_order = Match.objects.filter(pk__in=rows).order_by("pk").select_for_update(no_key=True)
        lost = [match for match in in_order.prefetch_related("clock_extensions") if _lose(match, rows[match.pk])]
        for match in lost:
            Match.objects.filter(pk=match.pk).update(**{name: getattr(match, name) for name in progress.PROGRESS})
        notify_ended([match.pk for match in lost])
    return {match.pk for match in lost}


def _lose(match: Match, forgiven: ClockExtension) -> bool:
    """Let a locked match be as it was before, and forget that its clock stood still; return whether it can be."""
    since = [each for each in match.clock_extensions.all() if each.pk >= forgiven.pk]
    if match.status != Status.PLAYING or match.ply != forgiven.ply:
        return False
    if any(each.kind not in {*STOOD_STILL, ExtensionKind.SITE} for each in since):
        return False
    match.turn_started_at -= sum(each.milliseconds for each in since) * clock.MILLISECOND
    winner, ending = Side(forgiven.side).opponent, Ending.FORFEIT if match.must_begin else Ending.TIMEOUT
    at = match.turn_started_at if match.time_control.by_decision else match.clock.deadline
    progress.finish(match, Outcome(winner, ending, match.state.score), at)
    # The players were notified when it ended so before.
    match.is_notified = True
    ClockExtension.objects.filter(pk__in=[each.pk for each in since]).delete()
    return True


def _stop_at(match: Match, since: datetime, finished_at: datetime) -> datetime:
    """Return the moment from which the clock would have to stand still to hold what it held at another."""
    stops = match.clock_extensions.filter(kind__in=STOOD_STILL, granted_at__gt=since)
    stood = [(each.granted_at - each.milliseconds * clock.MILLISECOND, each.granted_at) for each in stops]
    given = match.clock_extensions.filter(kind=ExtensionKind.SITE, milliseconds__gt=0).select_related("site_pause")
    stood += [(each.site_pause.begins_at, each.site_pause.ends_at or finished_at) for each in given if each.site_pause]
    ran = sum((end - start for start, end in subtract((since, finished_at), stood)), timedelta(0))
    return max(match.turn_started_at, clock.whole_millisecond(finished_at - ran))


def _reopen(match: Match, length: timedelta, now: datetime, *, is_paused: bool) -> None:
    """Store that a finished match goes on after its clock stood still for so long. Raises ``MatchOver``."""
    progress.go_on(match, length)
    fields = {name: getattr(match, name) for name in progress.PROGRESS}
    fields |= {"annulled_at": None, "settled_at": None, "claimed_until": None, **_draw_seed(match)}
    fields["paused_at"] = match.paused_at = now if is_paused else None
    if not Match.objects.filter(pk=match.pk, status=Status.FINISHED).update(**fields):
        raise MatchOver(_("The match goes on already."))
    # The engine's analysis is not for players whose match goes on.
    MatchAnalysis.objects.filter(match=match).delete()
    notify_move(match)


def count_match_again(*, match_id: int) -> Match:
    """Let a match that was annulled after its end count again, and return it. Raises ``MatchNotFound``."""
    with transaction.atomic():
        if Match.objects.filter(pk=match_id, annulled_at__isnull=False).update(annulled_at=None):
            notify_changed([match_id])
        return get_match(match_id)


def _draw_seed(match: Match) -> dict[str, object]:
    """Keep the seed that was shown, and return the fields of a new one."""
    SpentSeed.objects.create(match=match, rolls=match.rolls, seed=match.seed, commitment=match.commitment)
    seed = secrets.token_bytes(dice.SEED_BYTES)
    return {"seed": seed.hex(), "commitment": dice.commit(seed)}
