"""Organisers' decisions about single matches of a competition. Each is logged with who did it and why."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from matches.services.adjudication import adjudicate_match, extend_bank
from players.models import Player
from rules_engine.values import Ending, Side
from tournaments.errors import (
    ClockFull,
    FixtureNotFound,
    NextTieBegun,
    NoResult,
    ResultStands,
    TieNeedsResult,
    WrongCompetitionStatus,
)
from tournaments.formats.protocol import Order
from tournaments.models import Competition, CompetitionStatus, Fixture, Tie
from tournaments.pairing.legs import REPLAY_LEGS, Decider
from tournaments.selectors.organisers import check_organiser
from tournaments.services.advance import advance
from tournaments.services.catch_up import catch_up
from tournaments.services.cups.round_dates import reopen_round
from tournaments.services.fixtures import count_without_play, start_fixture
from tournaments.services.ladders.challenge_results import replay_challenges
from tournaments.services.locks import lock_competition
from tournaments.services.log import log_action
from tournaments.services.ratings import annul_rated
from tournaments.services.standings import mark_standings_stale


def adjudicate_fixture(*, fixture_id: int, winner: Side | None, actor: Player, reason: str, now: datetime) -> Fixture:
    """Adjudicate a fixture without a result, and return it; with ``None`` nobody wins.

    The score of a match that goes on stays as it is; one that has not begun is decided without goals. Raises
    ``FixtureNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``ResultStands`` or ``MatchOver``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        if fixture.counted_at is not None or fixture.is_annulled:
            raise ResultStands("This match already has a result. You can annul or replay it.")
        subject = "–" if winner is None else str(fixture.yellow if winner is Side.YELLOW else fixture.red)
        log_action(
            competition=competition,
            action="adjudicated",
            actor=actor,
            subject=f"{fixture}: {subject}",
            reason=reason,
            now=now,
        )
        if fixture.match_id is not None:
            adjudicate_match(match_id=fixture.match_id, winner=winner, now=now)
        else:
            count_without_play(
                competition=competition, fixture=fixture, winner=winner, ending=Ending.ADJUDICATION, now=now
            )
            _go_on(competition, now)
    return fixture


def annul_fixture(*, fixture_id: int, actor: Player, reason: str, now: datetime) -> Fixture:
    """Let a fixture count for nothing, in its competition and in the ratings, and return it; a match that goes on ends.

    Raises ``FixtureNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``ResultStands`` where it is
    annulled already, or ``TieNeedsResult``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        if fixture.tie_id is not None:
            raise TieNeedsResult("A knock-out tie needs this match. Replay or adjudicate it instead.")
        _annul(fixture, now)
        log_action(
            competition=competition, action="annulled", actor=actor, subject=str(fixture), reason=reason, now=now
        )
        _go_on(competition, now)
    return fixture


def replay_fixture(*, fixture_id: int, actor: Player, reason: str, now: datetime) -> Fixture:
    """Annul a fixture that was begun and let it be played again; return the new one.

    Of a tie, the replay pairs after it are annulled too, for they followed from its result, and who had gone on comes
    back. A round that had ended goes on, with all of its days. Raises ``FixtureNotFound``, ``NotAnOrganiser``,
    ``WrongCompetitionStatus``, ``ResultStands``, ``NoResult`` where it has not begun, or ``NextTieBegun``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        if fixture.match_id is None and fixture.counted_at is None:
            raise NoResult("This match has not started.")
        if fixture.tie is not None:
            _reopen_tie(fixture.tie)
        _annul(fixture, now)
        for later in _replays_after(fixture):
            _annul(later, now)
        again = Fixture.objects.create(
            competition_id=competition.pk,
            group_id=fixture.group_id,
            round_id=fixture.round_id,
            tie_id=fixture.tie_id,
            leg=fixture.leg,
            yellow=fixture.yellow,
            red=fixture.red,
            challenger_id=fixture.challenger_id,
            created_at=now,
        )
        if fixture.round is not None:
            reopen_round(stage=fixture.group.stage, round=fixture.round, now=now)
        start_fixture(fixture=again, competition=competition, now=now)
        log_action(
            competition=competition, action="replayed", actor=actor, subject=str(fixture), reason=reason, now=now
        )
        _go_on(competition, now)
    return again


def extend_clock(*, fixture_id: int, side: Side, by: timedelta, actor: Player, reason: str, now: datetime) -> timedelta:
    """Give a side of a running match more time, up to the cap of its clock, and return how much it got.

    Raises ``FixtureNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``MatchOver``, ``NoResult`` for a match
    that has not begun, or ``ClockFull``.
    """
    with transaction.atomic():
        competition, fixture = _lock(fixture_id, actor, now)
        if fixture.match_id is None:
            raise NoResult("This match has not started.")
        given = extend_bank(match_id=fixture.match_id, side=side, by=by, now=now)
        if not given:
            raise ClockFull("This clock already has as much time as it can hold.")
        entrant = fixture.yellow if side is Side.YELLOW else fixture.red
        hours = round(given / timedelta(hours=1), 2)
        subject = f"{fixture}: {entrant} + {hours:g} h"
        log_action(competition=competition, action="extended", actor=actor, subject=subject, reason=reason, now=now)
    return given


def _lock(fixture_id: int, actor: Player, now: datetime) -> tuple[Competition, Fixture]:
    competition_id = Fixture.objects.filter(pk=fixture_id).values_list("competition_id", flat=True).first()
    if competition_id is None:
        raise FixtureNotFound("There is no such match in a competition.")
    competition = lock_competition(competition_id=competition_id)
    check_organiser(competition=competition, player=actor)
    catch_up(competition=competition, now=now)
    if competition.status != CompetitionStatus.RUNNING:
        raise WrongCompetitionStatus("You can decide matches only while their competition is running.")
    related = ("yellow__player", "red__player", "round", "tie__round", "match", "group__stage")
    return competition, Fixture.objects.select_related(*related).get(pk=fixture_id)


def _annul(fixture: Fixture, now: datetime) -> None:
    if fixture.is_annulled:
        raise ResultStands("This match has already been annulled.")
    fixture.is_annulled = True
    fixture.save(update_fields=["is_annulled"])
    mark_standings_stale(group_id=fixture.group_id, now=now)
    if fixture.match_id is not None:
        annul_rated(match_id=fixture.match_id, now=now)


def _replays_after(fixture: Fixture) -> list[Fixture]:
    """Return the tie's fixtures that were played only because of the result of this one, in order."""
    if fixture.tie_id is None:
        return []
    regular = fixture.group.stage.chosen_options.legs
    pair = max(0, -(-(fixture.leg - regular) // REPLAY_LEGS))
    last_of_pair = regular + pair * REPLAY_LEGS
    later = Fixture.objects.filter(tie=fixture.tie_id, is_annulled=False, leg__gt=last_of_pair)
    return list(later.order_by("match_id"))


def _reopen_tie(tie: Tie) -> None:
    """Take the tie's winner, and a semi-final's loser, back from where they went on to, if they play there not yet.

    What was decided after it without play, as nobody came from it, is open again.
    """
    if tie.decided_at is None:
        return
    followers = Tie.objects.filter(Q(first_from=tie) | Q(second_from=tie))
    for follower in followers.select_related("round"):
        if follower.decided_by in {Decider.BYE, Decider.NOT_PLAYED}:
            _reopen_tie(follower)
        if follower.decided_at is not None or follower.fixtures.filter(is_annulled=False).exists():
            raise NextTieBegun("It is too late: the winner’s next tie has started.")
        if follower.first_from_id == tie.pk:
            follower.first = None
        if follower.second_from_id == tie.pk:
            follower.second = None
        follower.save(update_fields=["first", "second"])
    tie.winner, tie.decided_by, tie.decided_at = None, "", None
    tie.save(update_fields=["winner", "decided_by", "decided_at"])


def _go_on(competition: Competition, now: datetime) -> None:
    """Let positions be counted anew, or move on a competition that has an end."""
    if not competition.is_endless:
        advance(competition_id=competition.pk, now=now)
    elif competition.first_stage.format_spec.order is Order.POSITIONS:
        replay_challenges(ladder_id=competition.pk)
