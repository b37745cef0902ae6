"""Take back that a round was ended early: its matches go on."""

from datetime import datetime
from functools import partial

from django.utils.translation import gettext as _

from matches import clock
from matches.services.reopen_match import DECIDED
from players.models import Player
from tournaments.decisions.errors import NothingToTakeBack
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.results import check_uncorrected, forget_results, open_again
from tournaments.decisions.services.undo.rounds import let_rounds_go_on
from tournaments.decisions.services.undo.trial import foresee, take_back
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Fixture, LogEntry, Round
from tournaments.office.services.log import log_action
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.consequences import Consequences
from tournaments.rounds.services.cut_rounds import last_cut
from tournaments.rounds.services.round_codes import code_round


def take_back_round_end(*, round: Round, confirm: bool, actor: Player, reason: str, now: datetime) -> Round:  # noqa: A002
    """Let the matches of a round go on that were decided since it was ended early last, and return the round.

    Those that somebody forfeited by leaving, or that were adjudicated by themselves, stay as they are.

    It has the time that was left, its ties may have replays, and what followed is taken back. Where it had been ended
    before, that end stands, and can be taken back then. Raises
    ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``NothingToTakeBack``, or ``MatchesWouldBeLost`` where somebody has
    moved in what followed and this is not confirmed.
    """
    change = partial(_open, round.pk, actor, reason, now)
    take_back(competition_id=round.competition_id, change=change, confirm=confirm, actor=actor, now=now)
    return Round.objects.select_related("group__stage").get(pk=round.pk)


def what_follows_from_taking_back_round_end(*, round: Round, now: datetime) -> Consequences:  # noqa: A002
    """Return what follows from taking back the end of a round now. Raises what that would, but for the lost."""
    return foresee(competition_id=round.competition_id, change=partial(_open, round.pk, None, "", now), now=now)


def _open(round_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition) -> Changes:
    round_ = Round.objects.select_related("group__stage").get(pk=round_id)
    if competition.status not in {CompetitionStatus.RUNNING, CompetitionStatus.FINISHED}:
        raise WrongCompetitionStatus(_("The competition was cancelled. Take that back first."))
    if not round_.cuts:
        raise NothingToTakeBack(_("This round was not ended early."))
    since = clock.whole_millisecond(last_cut(round_))
    over = Fixture.objects.filter(round=round_, match__isnull=False, match__ending__in=DECIDED, finished_at__gte=since)
    left = Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.GONE, left_at__isnull=False)
    gone_at = {entry.pk: clock.whole_millisecond(entry.left_at) for entry in left if entry.left_at is not None}
    lines = LogEntry.objects.filter(competition=competition.pk, action="adjudicated", logged_at__gte=since)
    singly = {(match, clock.whole_millisecond(at)) for match, at in lines.values_list("match", "logged_at")}
    decided = [
        each
        for each in over.select_related(*RELATED).order_by("pk")
        if each.finished_at not in {gone_at.get(each.yellow_id), gone_at.get(each.red_id)}
        and (each.match_id, each.finished_at) not in singly
    ]
    check_uncorrected(fixtures=decided)
    forget_results(fixtures=Fixture.objects.filter(pk__in=[each.pk for each in decided]))
    fixtures = [each for each in decided if not each.is_annulled]
    log_action(
        competition=competition,
        action="round-end-undone",
        actor=actor,
        subject=code_round(round_.group, round_),
        reason=reason,
        now=now,
        players={player.pk: player for each in fixtures for player in each.seated}.values(),
    )
    if round_.group.ended_at is None or fixtures:
        let_rounds_go_on(rounds=[round_id], now=now)
    Round.objects.filter(pk=round_id).update(cuts=round_.cuts[:-1], cut_short_at=round_.cuts[-1]["before"])
    return open_again(competition=competition, fixtures=fixtures, now=now)
