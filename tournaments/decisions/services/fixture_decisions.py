"""Organisers' decisions about single matches of a competition. Each is logged with who did it and why."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from formats.protocol import Order
from matches.errors import MatchNotPaused, MatchOver, MatchPaused
from matches.models import Match
from matches.sentences import format_time_left
from matches.services.adjudication import adjudicate_match
from matches.services.expiry import expire_match
from matches.services.extensions import extend_bank, take_back_bank, time_to_take_back
from matches.services.pauses import pause_match, resume_match
from players.models import Player
from rules_engine.values import Ending, Side
from tournaments.decisions.errors import ClockFull, CompetitionPaused, NoResult, NothingToTakeBack, ResultStands
from tournaments.decisions.services.undo.changes import find_fixture
from tournaments.models import SITTING, Competition, CompetitionStatus, Fixture, RoundEnd
from tournaments.office.errors import FixtureNotFound
from tournaments.office.selectors.organisers import check_decider
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import Change, log_action
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.consequences import Consequences
from tournaments.rounds.services.fixtures import count_without_play
from tournaments.running.services.advance import advance
from tournaments.running.services.catch_up import catch_up
from tournaments.tables.services.challenge_results import replay_challenges

NOTHING_UNSPENT = gettext_lazy("Nothing is left to take back: the time is spent, or the player has little time left.")


def adjudicate_fixture(*, fixture_id: int, winner: Side | None, actor: Player, reason: str, now: datetime) -> Fixture:
    """Adjudicate a fixture without a result, and return it; with ``None`` nobody wins.

    The score of a match that goes on stays as it is; one that has not begun is decided without goals. Raises
    ``FixtureNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``ResultStands`` or ``MatchOver``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        _adjudicate(competition=competition, fixture=fixture, winner=winner, actor=actor, reason=reason, now=now)
    return fixture


def extend_clock(*, fixture_id: int, side: Side, by: timedelta, actor: Player, reason: str, now: datetime) -> timedelta:
    """Give a side of a running match more time, up to the cap of its clock, and return how much it got.

    Raises ``FixtureNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``MatchOver``, ``NoResult`` for a match
    that has not begun, or ``ClockFull``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        return _extend(competition=competition, fixture=fixture, side=side, by=by, actor=actor, reason=reason, now=now)


def take_back_extension(*, fixture_id: int, actor: Player, reason: str, now: datetime) -> timedelta:
    """Take back what is unspent of the last time that was given in a running match, and return how much it was.

    The player keeps a day, or a tenth of the bank if that is less. Raises ``FixtureNotFound``, ``NotAnOrganiser``,
    ``WrongCompetitionStatus``, ``MatchOver``, ``NoResult`` for a match that has not begun, or ``NothingToTakeBack``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        if fixture.match is None:
            raise NoResult(_("This match has not started."))
        taken = take_back_bank(match_id=fixture.match.pk, now=now)
        if taken is None:
            raise NothingToTakeBack(NOTHING_UNSPENT)
        _log_time(
            "extension-undone",
            competition=competition,
            fixture=fixture,
            side=taken.side,
            left=taken.before,
            by=-taken.time,
            actor=actor,
            reason=reason,
            now=now,
        )
    return taken.time


def what_follows_from_taking_back_extension(*, fixture_id: int, now: datetime) -> Consequences:
    """Return how much time would be taken back now. Raises ``FixtureNotFound`` or ``NothingToTakeBack``."""
    fixture = find_fixture(fixture_id)
    taken = None
    if fixture.match is not None and fixture.match.side:
        taken = time_to_take_back(match=fixture.match, now=now)
    if taken is None:
        raise NothingToTakeBack(NOTHING_UNSPENT)
    sentence = _("%(player)s loses %(time)s again, and keeps %(left)s.") % {
        "player": fixture.name_of(taken.side),
        "time": format_time_left(taken.time),
        "left": format_time_left(taken.before - taken.time),
    }
    return Consequences(more=(sentence,))


def adjudicate_by_rule(*, fixture_id: int, policy: RoundEnd, actor: Player, reason: str, now: datetime) -> Fixture:
    """Adjudicate a fixture without a result by its score, or against the player to move, and return it.

    The score and the side to move are read once nobody can move any more. Raises what ``adjudicate_fixture`` does, and
    ``NoResult`` where nobody is to move because the match has not begun.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        match = _hold_match(fixture, now)
        if policy == RoundEnd.FORFEIT:
            winner: Side | None = _side_to_move(match).opponent
        else:
            winner = match.side_ahead if match else None
        _adjudicate(competition=competition, fixture=fixture, winner=winner, actor=actor, reason=reason, now=now)
    return fixture


def extend_clock_to_move(*, fixture_id: int, by: timedelta, actor: Player, reason: str, now: datetime) -> timedelta:
    """Give the player to move in a running match more time, and return how much it was. Raises as ``extend_clock``."""
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        side = _side_to_move(_hold_match(fixture, now))
        return _extend(competition=competition, fixture=fixture, side=side, by=by, actor=actor, reason=reason, now=now)


def pause_fixture(*, fixture_id: int, actor: Player, reason: str, now: datetime) -> Fixture:
    """Stop the clocks of a running match until it is resumed, and return its fixture.

    Nobody moves in it meanwhile; the date of its round stays. Raises ``FixtureNotFound``, ``NotAnOrganiser``,
    ``WrongCompetitionStatus``, ``CompetitionPaused``, ``NoResult`` for a match that has not begun, ``MatchOver``, or
    ``MatchPaused``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        match = _running_by_itself(competition, fixture)
        if not pause_match(match_id=match.pk, now=now):
            match.refresh_from_db()
            raise (
                MatchOver(_("The match is over."))
                if match.paused_at is None
                else MatchPaused(_("It is already paused."))
            )
        log_action(competition=competition, action="match-paused", actor=actor, about=fixture, reason=reason, now=now)
    return fixture


def resume_fixture(*, fixture_id: int, actor: Player, reason: str, now: datetime) -> Fixture:
    """Let the clocks of a match that was paused by itself run on with what they held, and return its fixture.

    Raises as ``pause_fixture`` does, but ``MatchNotPaused`` instead of ``MatchPaused``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        match = _running_by_itself(competition, fixture)
        if not resume_match(match_id=match.pk, now=now):
            raise MatchNotPaused(_("The match is not paused."))
        log_action(competition=competition, action="match-resumed", actor=actor, about=fixture, reason=reason, now=now)
    return fixture


def _running_by_itself(competition: Competition, fixture: Fixture) -> Match:
    """Return the match of a fixture, which is not over, and whose clocks stand still only if it is paused itself."""
    if fixture.match is None:
        raise NoResult(_("This match has not started."))
    if not fixture.match.side:
        raise MatchOver(_("The match is over."))
    if competition.paused_at is not None:
        raise CompetitionPaused(_("The competition is paused, and all of its matches with it. Resume the competition."))
    return fixture.match


def _adjudicate(
    *, competition: Competition, fixture: Fixture, winner: Side | None, actor: Player, reason: str, now: datetime
) -> None:
    if fixture.counted_at is not None or fixture.is_annulled:
        raise ResultStands(_("This match already has a result. You can annul or replay it."))
    subject = "–" if winner is None else fixture.name_of(winner)
    log_action(
        competition=competition,
        action="adjudicated",
        actor=actor,
        about=fixture,
        subject=f"{fixture}: {subject}",
        reason=reason,
        now=now,
    )
    if fixture.match_id is not None:
        adjudicate_match(match_id=fixture.match_id, winner=winner, now=now)
    else:
        count_without_play(competition=competition, fixture=fixture, winner=winner, ending=Ending.ADJUDICATION, now=now)
        _go_on(competition, now)


def _extend(
    *, competition: Competition, fixture: Fixture, side: Side, by: timedelta, actor: Player, reason: str, now: datetime
) -> timedelta:
    if fixture.match is None:
        raise NoResult(_("This match has not started."))
    left = fixture.match.time_left(side, now)
    given = extend_bank(match_id=fixture.match.pk, side=side, by=by, now=now)
    if not given:
        raise ClockFull(
            _("The clock of %(entrant)s already has %(time)s, the most that is allowed.")
            % {"entrant": fixture.name_of(side), "time": format_time_left(left)}
        )
    _log_time(
        "extended",
        competition=competition,
        fixture=fixture,
        side=side,
        left=left,
        by=given,
        actor=actor,
        reason=reason,
        now=now,
    )
    return given


def _log_time(
    action: str,
    *,
    competition: Competition,
    fixture: Fixture,
    side: Side,
    left: timedelta,
    by: timedelta,
    actor: Player,
    reason: str,
    now: datetime,
) -> None:
    """Log by how much the clock of a side was changed, which held so much before."""
    player, entrant = fixture.players[side], fixture.name_of(side)
    hours = round(abs(by) / timedelta(hours=1), 2)
    log_action(
        competition=competition,
        action=action,
        actor=actor,
        about=fixture,
        subject=f"{fixture}: {entrant} {'+' if by > timedelta(0) else '−'} {hours:g} h",
        reason=reason,
        changes=[
            Change(
                what=_("time of %(player)s") % {"player": entrant},
                old=format_time_left(left),
                new=format_time_left(left + by),
            )
        ],
        now=now,
        players=[] if player is None else [player],
    )


def _hold_match(fixture: Fixture, now: datetime) -> Match | None:
    """Return the match of a fixture, ended if its time was over, in which nobody moves until the transaction ends."""
    if fixture.match_id is None:
        return None
    # That may lock players, who come before matches.
    expire_match(match_id=fixture.match_id, now=now)
    fixture.match = Match.objects.select_for_update(no_key=True).get(pk=fixture.match_id)
    return fixture.match


def _side_to_move(match: Match | None) -> Side:
    if match is None:
        raise NoResult(_("This match has not started."))
    if not match.side:
        raise MatchOver(_("The match is over."))
    return Side(match.side)


def _lock(fixture_id: int, actor: Player, now: datetime) -> tuple[Competition, Fixture]:
    competition_id = Fixture.objects.filter(pk=fixture_id).values_list("competition_id", flat=True).first()
    if competition_id is None:
        raise FixtureNotFound(_("There is no such match in a competition."))
    competition = lock_competition(competition_id=competition_id)
    fixture = Fixture.objects.select_related(*SITTING).get(pk=fixture_id)
    check_decider(competition=competition, fixture=fixture, player=actor)
    catch_up(competition=competition, now=now)
    if competition.status != CompetitionStatus.RUNNING:
        raise WrongCompetitionStatus(_("You can decide matches only while their competition is running."))
    related = (*SITTING, "round", "tie__round", "match", "group__stage")
    # What was due may have let another match count in its place.
    fresh = Fixture.objects.select_related(*related).filter(pk=fixture_id).first()
    if fresh is None:
        raise FixtureNotFound(_("There is no such match in a competition."))
    return competition, fresh


def _go_on(competition: Competition, now: datetime) -> None:
    """Let positions be counted anew, or move on a competition that has an end."""
    if not competition.is_endless:
        advance(competition_id=competition.pk, now=now)
    elif competition.first_stage.format_spec.order is Order.POSITIONS:
        replay_challenges(ladder_id=competition.pk)
