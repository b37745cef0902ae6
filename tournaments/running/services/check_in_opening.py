"""Open the check-in of a competition: when its time has come, noted by whatever is done next, or by hand."""

from datetime import datetime, timedelta

from django.db import transaction

from database.isolation import attempt_each
from players.models import Player
from tournaments.models import MAX_CHECK_IN_MINUTES, Competition, CompetitionStatus, Entry, EntryStatus
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.running.selectors.waiting_lists import waiting_list


def open_check_in_if_due(*, competition: Competition, now: datetime) -> int:
    """Note that the check-in has opened, dated by its time, and tell the players; return whether it was due.

    The caller holds the competition's lock.
    """
    opens_at = competition.check_in_opens_at
    if competition.check_in_opened_at is not None or opens_at is None or not competition.is_checking_in(now):
        return 0
    if competition.hidden_at is not None:
        return 0
    note_opening(competition=competition, actor=None, at=opens_at)
    return 1


def note_opening(*, competition: Competition, actor: Player | None, at: datetime, reason: str = "") -> None:
    """Store that the check-in is open, and tell everybody who is in the competition or waits for a place."""
    competition.check_in_opened_at = at
    competition.save(update_fields=["check_in_opened_at"])
    entries = Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ACTIVE)
    players = [each.player for each in waiting_list(competition)]
    log_action(
        competition=competition,
        action="check-in-opened",
        actor=actor,
        reason=reason,
        concerns=entries,
        players=players,
        now=at,
    )


def open_due_check_ins(*, now: datetime) -> int:
    """Open the check-ins whose time has come; return how many. One that fails stops none of the others."""
    coming = Competition.objects.filter(
        status__in=[CompetitionStatus.OPEN, CompetitionStatus.CLOSED],
        check_in_opened_at=None,
        check_in_minutes__isnull=False,
        hidden_at=None,
        starts_at__lte=now + timedelta(minutes=MAX_CHECK_IN_MINUTES),
    )

    def open_one(competition: Competition) -> int:
        if not competition.is_checking_in(now):
            return 0
        with transaction.atomic():
            return open_check_in_if_due(competition=lock_competition(competition_id=competition.pk), now=now)

    return sum(attempt_each(list(coming.order_by("pk")), open_one, event="check_in_not_opened", key="competition_id"))
