"""The dates by which rounds must end, as organisers set them."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from formats.options import MAX_DAYS
from players.models import Player
from tournaments.decisions.errors import InvalidRoundDate
from tournaments.models import ENDED, GOING_ON, Round
from tournaments.office.services.log import Change, log_action
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.round_codes import code_round
from tournaments.rounds.services.ties import has_ties_by_seed
from tournaments.running.services.catch_up import lock_for_organiser
from web.moments import format_moment

MAX_AHEAD = timedelta(days=MAX_DAYS)
"""The longest time from now to the end that a round can be given."""


def set_round_date(
    *,
    round: Round,  # noqa: A002
    ends_at: datetime | None,
    actor: Player | None,
    now: datetime,
    reason: str = "",
) -> Round:
    """Give a round that has not ended another date by which it must end, or none, and return it.

    A round that was cut short goes on; ties that have gone to the higher seed by that stay decided. Raises
    ``NotAnOrganiser``, ``WrongCompetitionStatus``, or ``InvalidRoundDate`` for a date that has passed, lies more than
    ten years ahead, or is out of the order of rounds that follow each other.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=round.competition_id, actor=actor, now=now)
        if competition.status in ENDED:
            raise WrongCompetitionStatus(_("The competition is over."))
        fresh = Round.objects.select_related("group__stage__competition").get(pk=round.pk)
        if fresh.ended_at is not None:
            raise WrongCompetitionStatus(_("The round has ended."))
        if ends_at is not None:
            _check(fresh, ends_at, now)
        old = _date_text(fresh.ends_at)
        fresh.ends_at, fresh.dated_at = ends_at, now
        if not has_ties_by_seed(fresh):
            fresh.cut_short_at = None
        fresh.save(update_fields=["ends_at", "dated_at", "cut_short_at"])
        log_action(
            competition=competition,
            action="round-date",
            actor=actor,
            subject=f"{code_round(fresh.group, fresh)}: {_date_text(ends_at)}",
            reason=reason,
            changes=[Change(what=_("deadline"), old=old, new=_date_text(ends_at))],
            now=now,
        )
    return fresh


def move_dates(*, since: datetime, until: Mapping[int, datetime]) -> set[int]:
    """Let open rounds of locked competitions end later by what they saw of a pause; return whose rounds have.

    ``until`` has its end for each competition. A date that had passed before, or was set during it, stays.
    """
    set_before = Q(dated_at=None) | Q(dated_at__lt=since)
    dated = Round.objects.filter(set_before, GOING_ON, ends_at__gt=since)
    rounds = list(dated.filter(group__stage__competition__in=until).select_related("group__stage").order_by("pk"))
    for each in rounds:
        if each.ends_at is not None:
            each.ends_at += max(timedelta(0), until[each.competition_id] - max(since, each.started_at or since))
    Round.objects.bulk_update(rounds, ["ends_at"], batch_size=500)
    return {each.competition_id for each in rounds}


def _date_text(moment: datetime | None) -> str:
    return _("none") if moment is None else format_moment(moment)


def _check(round_: Round, ends_at: datetime, now: datetime) -> None:
    if not now < ends_at <= now + MAX_AHEAD:
        raise _refuse(_("The date must be in the future, at most ten years ahead."))
    if round_.group.stage.is_played_at_once:
        return
    dated = Round.objects.filter(group_id=round_.group_id, ended_at=None, ends_at__isnull=False)
    if dated.filter(number__lt=round_.number, ends_at__gt=ends_at).exists():
        raise _refuse(_("An earlier round ends after this date."))
    if dated.filter(number__gt=round_.number, ends_at__lt=ends_at).exists():
        raise _refuse(_("A later round ends before this date."))


def _refuse(sentence: str) -> InvalidRoundDate:
    return InvalidRoundDate(sentence, fields={"ends_at": [sentence]})
