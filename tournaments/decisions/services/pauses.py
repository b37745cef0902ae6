"""Pause and resume a running competition and its clocks."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from database.isolation import attempt_each
from matches.services import pause_matches, resume_matches
from players.models import Player
from tournaments.decisions.errors import CompetitionNotPaused, CompetitionPaused
from tournaments.decisions.services.round_dates import move_dates
from tournaments.models import Competition, CompetitionStatus
from tournaments.office.selectors.organisers import check_organiser
from tournaments.office.services.after_commit import notify_pairing
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.services.catch_up import catch_up


def pause_competition(*, competition_id: int, actor: Player | None, reason: str, now: datetime) -> Competition:
    """Stop the clocks of a competition's matches until it is resumed, and return it.

    Nobody moves, no round ends by its date, and a ladder starts no games. Matches whose time has run out before end
    first. Raises ``NotAnOrganiser``, ``WrongCompetitionStatus`` unless it is running, or ``CompetitionPaused``.
    """
    with transaction.atomic():
        locked = _lock_running(competition_id, actor, now)
        if locked.paused_at is not None:
            raise CompetitionPaused(_("The competition is already paused."))
        locked.paused_at = now
        locked.save(update_fields=["paused_at"])
        pause_matches(competition=locked.pk, now=now)
        log_action(competition=locked, action="paused", actor=actor, reason=reason, now=now)
    return locked


def pause_saved_matches(*, now: datetime) -> int:
    """Stop the clocks that run on in paused competitions; return how many.

    Of a clock that has run out before the pause, it may be that it could not be asked then whether vacation saves it.
    """

    def stop(competition_id: int) -> int:
        with transaction.atomic():
            is_paused = lock_competition(competition_id=competition_id).paused_at is not None
            return pause_matches(competition=competition_id, now=now) if is_paused else 0

    paused = Competition.objects.filter(status=CompetitionStatus.RUNNING, paused_at__isnull=False)
    keys = list(paused.values_list("pk", flat=True))
    return sum(attempt_each(keys, stop, event="matches_not_paused", key="competition_id"))


def resume_competition(*, competition_id: int, actor: Player | None, reason: str, now: datetime) -> Competition:
    """Let the clocks of a paused competition run on with what they held, and return it.

    The dates of its rounds move by as long as they have waited, but for those set meanwhile. Matches that were paused
    by themselves before stay so. Raises ``NotAnOrganiser``, ``WrongCompetitionStatus`` unless it is running, or
    ``CompetitionNotPaused``.
    """
    with transaction.atomic():
        locked = _lock_running(competition_id, actor, now)
        if locked.paused_at is None:
            raise CompetitionNotPaused(_("The competition is not paused."))
        paused_at, locked.paused_at = locked.paused_at, None
        move_dates(since=paused_at, until={locked.pk: now})
        locked.save(update_fields=["paused_at"])
        resume_matches(competition=locked.pk, now=now, since=paused_at)
        log_action(competition=locked, action="resumed", actor=actor, reason=reason, now=now)
        if locked.is_endless:
            notify_pairing(ladder_id=locked.pk)
    return locked


def _lock_running(competition_id: int, actor: Player | None, now: datetime) -> Competition:
    locked = lock_competition(competition_id=competition_id)
    check_organiser(competition=locked, player=actor)
    catch_up(competition=locked, now=now)
    if locked.status != CompetitionStatus.RUNNING:
        raise WrongCompetitionStatus(_("Only a running competition can be paused or resumed."))
    return locked
