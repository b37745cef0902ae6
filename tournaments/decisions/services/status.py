"""Open and close entry, end a competition by hand, and announce something to its players."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from matches.services.adjudication import break_off
from players.models import Player
from tournaments.decisions.services.round_dates import move_dates
from tournaments.entries.services.new_invitations import ask_invited
from tournaments.models import (
    ENDED,
    NOT_STARTED,
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
from tournaments.office.services.after_commit import notify_start
from tournaments.office.services.log import log_action
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.draws import undo_draw
from tournaments.rounds.services.final_places import place_entrants
from tournaments.rounds.services.fixtures import OPEN
from tournaments.rounds.services.levels import move_levels_on
from tournaments.rounds.services.set_aside import naming_cause
from tournaments.running.services.catch_up import lock_for_organiser
from tournaments.running.services.free_places import fill_places, note_end_of_waiting
from tournaments.tables.services.known_games import forget_all_games
from tournaments.tables.services.standings import mark_all_standings_stale
from web.written_texts import clean_text


def open_competition(*, competition_id: int, actor: Player | None, now: datetime, reason: str = "") -> Competition:
    """Open a competition that has not started for entry and return it; a draw that was made is forgotten.

    Those who were invited to a draft are asked now. One in which groups form one by one can be opened while it runs.

    Again has no effect. Raises ``NotAnOrganiser`` or ``WrongCompetitionStatus``.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_id, actor=actor, now=now)
        if competition.status == CompetitionStatus.OPEN:
            return competition
        if _gathers(competition):
            return _keep_entry(competition, is_open=True, actor=actor, now=now, reason=reason)
        _require(competition, NOT_STARTED, _("Entry can be opened only before the competition starts."))
        undo_draw(competition=competition, actor=actor, now=now)
        # Of a draft its players have not heard yet.
        unaware = Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ACTIVE)
        concerns = unaware if competition.status == CompetitionStatus.DRAFT else ()
        _move(competition, CompetitionStatus.OPEN)
        log_action(competition=competition, action="opened", actor=actor, reason=reason, concerns=concerns, now=now)
        ask_invited(competition=competition, actor=actor, now=now)
        fill_places(competition=competition, now=now)
        notify_start(competition_id=competition.pk)
    return competition


def close_competition(*, competition_id: int, actor: Player | None, now: datetime, reason: str = "") -> Competition:
    """Close the entry of a competition that has not started and return it. Again has no effect.

    One in which groups form one by one can be closed while it runs: it ends when no group plays any more.
    Raises ``NotAnOrganiser`` or ``WrongCompetitionStatus``.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_id, actor=actor, now=now)
        if competition.status == CompetitionStatus.CLOSED:
            return competition
        if _gathers(competition):
            return _keep_entry(competition, is_open=False, actor=actor, now=now, reason=reason)
        _require(competition, (CompetitionStatus.OPEN,), _("Entry can be closed only while it is open."))
        _move(competition, CompetitionStatus.CLOSED)
        log_action(competition=competition, action="closed", actor=actor, reason=reason, now=now)
    return competition


def finish_competition(*, competition_id: int, actor: Player | None, now: datetime, reason: str = "") -> Competition:
    """Finish a ladder and return it; its table stays as it is, games still going on end and count nowhere.

    Again has no effect. Raises ``NotAnOrganiser``, or ``WrongCompetitionStatus`` for whatever is not
    a running ladder: a cup finishes by itself.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_id, actor=actor, now=now)
        if competition.status == CompetitionStatus.FINISHED:
            return competition
        _require(competition, (CompetitionStatus.RUNNING,), _("Only a running competition can be finished."))
        if not competition.is_endless:
            raise WrongCompetitionStatus(_("A cup finishes with its last result. You can cancel it instead."))
        with naming_cause(competition=competition):
            _break_off_matches(competition, now)
            _end(competition, CompetitionStatus.FINISHED, now)
            log_action(competition=competition, action="finished", actor=actor, reason=reason, now=now)
    return competition


def cancel_competition(*, competition_id: int, actor: Player | None, now: datetime, reason: str = "") -> Competition:
    """Cancel a competition that has not ended and return it; matches still going on end and count nowhere.

    A draft, which nobody else has seen, is hidden with it. Again has no effect. Raises ``NotAnOrganiser`` or
    ``WrongCompetitionStatus``.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_id, actor=actor, now=now)
        if competition.status == CompetitionStatus.CANCELLED:
            return competition
        if competition.status in ENDED:
            raise WrongCompetitionStatus(_("The competition is over."))
        if competition.status == CompetitionStatus.DRAFT and competition.hidden_at is None:
            competition.hidden_at = now
            competition.save(update_fields=["hidden_at"])
        had_started = competition.status == CompetitionStatus.RUNNING
        with naming_cause(competition=competition):
            _break_off_matches(competition, now)
            _end(competition, CompetitionStatus.CANCELLED, now)
            log_action(competition=competition, action="cancelled", actor=actor, reason=reason, now=now)
        if not had_started:
            note_end_of_waiting(competition=competition, action="waiting-cancelled", now=now)
    return competition


def announce(*, competition_id: int, actor: Player, text: str, now: datetime) -> LogEntry:
    """Write something into the competition's log for its players, and return the entry.

    Raises ``InvalidDetails`` or ``NotAnOrganiser``.
    """
    text = clean_text(text, field="text")
    with transaction.atomic():
        return log_action(
            competition=lock_for_organiser(competition_id=competition_id, actor=actor, now=now),
            action="announced",
            actor=actor,
            reason=text,
            now=now,
        )


def _gathers(competition: Competition) -> bool:
    return competition.status == CompetitionStatus.RUNNING and competition.first_stage.gathers


def _keep_entry(
    competition: Competition, *, is_open: bool, actor: Player | None, now: datetime, reason: str
) -> Competition:
    """Open or close the entry of a running competition, which may be over by that; return it."""
    stage = competition.first_stage
    if stage.late_entry != is_open:
        stage.late_entry = is_open
        stage.save(update_fields=["late_entry"])
        action = "opened" if is_open else "closed"
        log_action(competition=competition, action=action, actor=actor, reason=reason, now=now)
        move_levels_on(competition=competition, now=now)
    return competition


def _require(competition: Competition, statuses: tuple[CompetitionStatus, ...], sentence: str) -> None:
    if competition.status not in statuses:
        raise WrongCompetitionStatus(sentence)


def _move(competition: Competition, status: CompetitionStatus) -> None:
    competition.status = status
    competition.save(update_fields=["status"])


def _end(competition: Competition, status: CompetitionStatus, now: datetime) -> None:
    if competition.status == CompetitionStatus.RUNNING:
        mark_all_standings_stale(competition_id=competition.pk, now=now)
    if competition.paused_at is not None:
        # If the end is taken back, rounds have the days that they had before the pause.
        move_dates(since=competition.paused_at, until={competition.pk: now})
    competition.status, competition.finished_at, competition.paused_at = status, now, None
    competition.save(update_fields=["status", "finished_at", "paused_at"])
    rounds = Round.objects.filter(group__stage__competition_id=competition.pk)
    rounds.filter(started_at__isnull=False, ended_at=None).update(ended_at=now)
    open_groups = Group.objects.filter(
        stage__competition_id=competition.pk, started_at__isnull=False, ended_at=None
    ).select_related("stage")
    brackets = [group for group in open_groups if group.stage.is_bracket]
    open_groups.update(ended_at=now)
    for group in brackets:
        place_entrants(group_id=group.pk)


def _break_off_matches(competition: Competition, now: datetime) -> None:
    """End the matches that go on, which count nowhere then. Those that are over and wait to be counted will count."""
    open_fixtures = Fixture.objects.filter(OPEN, competition_id=competition.pk)
    begun = open_fixtures.values_list("match_id", flat=True)
    ended = break_off(match_ids=[match_id for match_id in begun if match_id is not None], now=now)
    open_fixtures.filter(Q(match=None) | Q(match__in=ended)).update(is_annulled=True, annulment=Annulment.ENDED)
    forget_all_games(competition_ids=[competition.pk])
