"""Take back the end of a competition that an organiser has finished or cancelled by hand."""

from datetime import datetime
from functools import partial

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players.models import Player
from tournaments.decisions.errors import EndedByResults, NothingToTakeBack
from tournaments.decisions.services.round_dates import move_dates
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.results import open_again
from tournaments.decisions.services.undo.rounds import let_group_go_on
from tournaments.decisions.services.undo.trial import take_back
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.models import (
    ENDED,
    SITTING,
    Annulment,
    Competition,
    CompetitionStatus,
    Entry,
    EntryStatus,
    Fixture,
    Group,
    LogEntry,
    Round,
)
from tournaments.office.services.log import log_action
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.consequences import MAX_MATCHES, MAX_NAMED, Consequences, name_first
from tournaments.running.services.free_places import fill_places

_OPENINGS = ("opened", "closed", "drawn")
"""The actions in the log of a competition that is no longer a draft."""


def take_back_end(*, competition_id: int, actor: Player, reason: str, now: datetime) -> Competition:
    """Let a competition go on that an organiser has finished or cancelled, and return it.

    Its matches go on from where they stood, and rounds end later by as long as it was over. One that had not started is
    closed for entry, or a draft if it was one. Raises ``NotAnOrganiser``, ``NothingToTakeBack`` for one that is not
    over, ``EndedByResults`` for one that ended with its last result, or ``WrongCompetitionStatus`` where more than
    ``MAX_MATCHES`` would go on.
    """
    change = partial(_go_on, actor, reason, now)
    return take_back(competition_id=competition_id, change=change, confirm=False, actor=actor, now=now)


def what_follows_from_taking_back_end(*, competition_id: int, now: datetime) -> Consequences:
    """Return what follows from taking back the end now. Raises what taking it back would."""
    competition = Competition.objects.get(pk=competition_id)
    _check(competition)
    if competition.started_at is None:
        return Consequences(more=(_say_status(competition),))
    _check_number(competition)
    going_on = _broken_off(competition).filter(match__isnull=False).order_by("pk")
    count = going_on.count()
    if not count:
        return Consequences(more=(_("The competition goes on."),))
    names = name_first(list(going_on.select_related(*SITTING)[:MAX_NAMED]), count=count)
    sentence = ngettext(
        "%(count)d match goes on from where it stood: %(names)s.",
        "%(count)d matches go on from where they stood: %(names)s.",
        count,
    )
    return Consequences(more=(sentence % {"count": count, "names": names}, _("The competition goes on.")))


def _check(competition: Competition) -> None:
    if competition.status not in ENDED:
        raise NothingToTakeBack(_("The competition is not over."))
    if competition.status == CompetitionStatus.FINISHED and not competition.is_endless:
        raise EndedByResults(
            _("It ended with its last result. Replay a match or take back a decision to let it go on.")
        )


def _check_number(competition: Competition) -> None:
    begun = _broken_off(competition).filter(match__isnull=False).order_by()
    if begun[: MAX_MATCHES + 1].count() > MAX_MATCHES:
        raise WrongCompetitionStatus(
            _("It is too late to take this back: more than %(most)d matches would go on.") % {"most": MAX_MATCHES}
        )


def _broken_off(competition: Competition) -> QuerySet[Fixture]:
    return Fixture.objects.filter(competition_id=competition.pk, is_annulled=True, annulment=Annulment.ENDED)


def _go_on(actor: Player | None, reason: str, now: datetime, competition: Competition) -> Changes:
    _check(competition)
    _check_number(competition)
    log_action(competition=competition, action="end-undone", actor=actor, reason=reason, now=now)
    ended_at = competition.finished_at or now
    broken_off = _broken_off(competition)
    if competition.started_at is None:
        broken_off.update(is_annulled=False, annulment="")
        _close(competition, now)
        fill_places(competition=competition, now=now)
        return Changes()
    _let_groups_go_on(competition, ended_at)
    if competition.status in ENDED:
        # No group was open: it waited for its next stage, or for players.
        competition.status, competition.finished_at = CompetitionStatus.RUNNING, None
        competition.save(update_fields=["status", "finished_at"])
    rounds = Round.objects.filter(group__stage__competition_id=competition.pk, ended_at=ended_at)
    rounds.filter(fixtures__in=broken_off).update(ended_at=None)
    rounds.filter(ties__decided_at=None, ties__isnull=False).update(ended_at=None)
    move_dates(since=ended_at, until={competition.pk: now})
    fixtures = list(broken_off.select_related(*RELATED).order_by("pk"))
    changes = open_again(competition=competition, fixtures=fixtures, now=now)
    _note_acts(competition, now)
    _withdraw_closed(competition, now)
    return changes


def _let_groups_go_on(competition: Competition, ended_at: datetime) -> None:
    """Let the groups of the last stage that was played go on that ended with the competition."""
    played = Group.objects.filter(stage__competition=competition.pk, started_at__isnull=False)
    last = played.order_by("-stage__number").values("stage")[:1]
    for group in played.filter(stage__in=last, ended_at=ended_at).select_related("stage"):
        let_group_go_on(competition=competition, group=group)


def _close(competition: Competition, now: datetime) -> None:
    """Let a competition that had not started be as closed for entry, or as a draft."""
    competition.status = CompetitionStatus.CLOSED if _was_open(competition) else CompetitionStatus.DRAFT
    if competition.hidden_at == competition.finished_at:
        competition.hidden_at = None
    competition.finished_at, competition.starts_when_full = None, False
    if competition.starts_at is not None and competition.starts_at <= now:
        competition.starts_at = None
    competition.save(update_fields=["status", "finished_at", "hidden_at", "starts_when_full", "starts_at"])


def _say_status(competition: Competition) -> str:
    if _was_open(competition):
        return _("It is closed for entry. You can open entry again, or start it.")
    return _("It is a draft again.")


def _was_open(competition: Competition) -> bool:
    return LogEntry.objects.filter(competition_id=competition.pk, action__in=_OPENINGS).exists()


def _note_acts(competition: Competition, now: datetime) -> None:
    """Let nobody be taken for inactive because of the time in which nothing could be done."""
    active = Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ACTIVE, waits_since=None)
    active.update(acted_at=now)


def _withdraw_closed(competition: Competition, now: datetime) -> None:
    """Withdraw the players who have closed their accounts meanwhile, and the teams that were closed."""
    closed = Q(team=None, player__is_active=False) | Q(team__closed_at__isnull=False)
    entries = Entry.objects.filter(
        closed, competition_id=competition.pk, status__in=[EntryStatus.ACTIVE, EntryStatus.ON_HOLD]
    )
    for entry_id, team in list(entries.order_by("pk").values_list("pk", "team")):
        reason = _("The account has been closed.") if team is None else _("The team has been closed.")
        withdraw_entry(entry_id=entry_id, actor=None, reason=reason, now=now)
