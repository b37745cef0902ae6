"""What follows from pauses of the site: matches get their time, and rounds later dates."""

from datetime import datetime, timedelta

from celery import current_app
from django.db import transaction
from django.db.models import Q

from matches.models import SitePause
from matches.services import site_pauses
from tournaments.models import CompetitionStatus, Round

COMPLETE = "tournaments.tasks.complete_site_pauses"


def complete_site_pauses(*, now: datetime) -> int:
    """Give matches and rounds the time of pauses that are not completed; return how many matches changed."""
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
    """Give open rounds later dates by as much of a pause as they saw, once.

    A date that was set during the pause was meant as it is. Rounds of competitions that stood still before follow when
    these are resumed.
    """
    pause = SitePause.objects.select_for_update(no_key=True).get(pk=pause_id)
    if pause.dates_moved_at is not None or pause.ends_at is None:
        return
    dated = Round.objects.filter(ended_at=None, cut_short_at=None, ends_at__gt=pause.begins_at)
    running = dated.filter(group__stage__competition__status=CompetitionStatus.RUNNING)
    going_on = Q(group__stage__competition__paused_at=None) | Q(
        group__stage__competition__paused_at__gte=pause.begins_at
    )
    set_before = Q(dated_at=None) | Q(dated_at__lt=pause.begins_at)
    rounds = list(running.filter(going_on, set_before).select_for_update(of=("self",), no_key=True).order_by("pk"))
    for each in rounds:
        if each.ends_at is not None:
            begun = max(pause.begins_at, each.started_at or pause.begins_at)
            each.ends_at += max(timedelta(0), pause.ends_at - begun)
    Round.objects.bulk_update(rounds, ["ends_at"], batch_size=500)
    pause.dates_moved_at = now
    pause.save(update_fields=["dates_moved_at"])
