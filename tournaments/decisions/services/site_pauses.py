"""What follows from pauses of the site: matches get their time, and competitions later dates."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from celery import current_app
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _

from matches.models import Match, SitePause, Status
from matches.sentences import format_duration
from matches.services import site_pauses
from tournaments.decisions.services.round_dates import move_dates
from tournaments.models import MAX_CHECK_IN_MINUTES, UPCOMING, Competition, CompetitionStatus, Stage
from tournaments.office.services.log import Change, log_for_all
from web.moments import format_moment

COMPLETE = "tournaments.tasks.complete_site_pauses"

NONE = timedelta(0)
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


def complete_site_pauses(*, now: datetime) -> int:
    """Give matches and dates the time of pauses that are not completed; return how many matches changed."""
    changed = site_pauses.complete_site_pauses(now=now)
    over = SitePause.objects.filter(ends_at__isnull=False, dates_moved_at=None).order_by("begins_at")
    for pause_id in over.values_list("pk", flat=True):
        _move_dates(pause_id, now)
    return changed


def call_completion() -> None:
    """Queue, after the commit, what completes the pauses; a sweep does if that gets lost."""
    transaction.on_commit(lambda: current_app.send_task(COMPLETE, retry=False), robust=True)


@transaction.atomic
def _move_dates(pause_id: int, now: datetime) -> None:
    """Give competitions later dates by as much of a pause as fell to them, and log it, once.

    Competitions that stood still before follow when they are resumed.
    """
    pause = SitePause.objects.select_for_update(no_key=True).get(pk=pause_id)
    if pause.dates_moved_at is not None or pause.ends_at is None:
        return
    span = pause.begins_at, pause.ends_at
    going_on = Q(paused_at=None) | Q(paused_at__gt=pause.begins_at)
    coming = Q(
        status__in=UPCOMING,
        starts_at__gt=pause.begins_at,
        starts_at__lt=pause.ends_at + timedelta(minutes=MAX_CHECK_IN_MINUTES),
    )
    concerned = Competition.objects.filter(coming | going_on & Q(status=CompetitionStatus.RUNNING))
    # They are locked before anything of theirs, in one order everywhere.
    competitions = {each.pk: each for each in concerned.order_by("pk").select_for_update(of=("self",), no_key=True)}
    ends = {each.pk: _end(each, span) for each in competitions.values()}
    changes = _move_starts(competitions, span)
    playing = Match.objects.filter(status=Status.PLAYING, competition__in=competitions, created_at__lt=pause.ends_at)
    got_time = {*changes, *move_dates(since=span[0], until=ends), *_move_stages(competitions, span)}
    got_time.update(playing.order_by().values_list("competition", flat=True).distinct())
    log_for_all(
        action="time-given-back",
        lines=[(competitions[pk], _length(competitions[pk], span), changes.get(pk, [])) for pk in sorted(got_time)],
        reason=pause.reason,
        now=now,
    )
    pause.dates_moved_at = now
    pause.save(update_fields=["dates_moved_at"])


def _end(competition: Competition, span: site_pauses.Span) -> datetime:
    """Return until when a competition gets a span: what it stood still itself it gets when it is resumed."""
    return min(span[1], competition.paused_at or span[1])


def _length(competition: Competition, span: site_pauses.Span) -> str:
    length = _end(competition, span) - span[0]
    return format_duration(max(SECOND, round(length / MINUTE) * MINUTE if length > 2 * MINUTE else length))


def _move_starts(competitions: Mapping[int, Competition], span: site_pauses.Span) -> dict[int, list[Change]]:
    """Let competitions start later: by the whole span if the start fell into it, else by the check-in that did."""
    changes = {}
    for each in competitions.values():
        start = each.starts_at
        if each.status not in UPCOMING or start is None:
            continue
        opened = span[0] if start <= span[1] else each.check_in_opens_at or start
        if (by := span[1] - max(span[0], opened)) > NONE:
            each.starts_at = start + by
            each.save(update_fields=["starts_at"])
            old, new = format_moment(start), format_moment(each.starts_at)
            changes[each.pk] = [Change(what=_("start"), old=old, new=new)]
    return changes


def _move_stages(competitions: Mapping[int, Competition], span: site_pauses.Span) -> set[int]:
    """Let stages begin later whose day fell into a span; return the competitions."""
    due = Stage.objects.filter(competition__in=competitions, next_begins_at__gt=span[0], next_begins_at__lte=span[1])
    moved = set(due.values_list("competition", flat=True))
    due.update(next_begins_at=F("next_begins_at") + (span[1] - span[0]))
    return moved
