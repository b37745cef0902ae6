"""Start and end the rounds of a cup.

A cup with days for its rounds plays them one after the other: a round begins, as a whole, when the
one before it has ended. Without such days nobody waits for anybody: all rounds of a round robin
begin at the start, and a tie of an elimination as soon as both its entrants are known. Where each
round is paired by the results of those before it, a task draws it (``cups.pairings``).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Max, Q

from tournaments.formats.protocol import Flow
from tournaments.models import CompetitionStatus, Cup, Fixture, Group, Round, Tie
from tournaments.selectors.cups import rounds_of
from tournaments.selectors.group_records import read_record
from tournaments.selectors.groups import first_group_id
from tournaments.services.after_commit import notify_round_due
from tournaments.services.cups.end import finish_cup
from tournaments.services.cups.round_dates import date_at_start
from tournaments.services.cups.ties import load_ties, play_ties
from tournaments.services.fixtures import OPEN, forfeit_without_play, start_fixtures
from tournaments.services.log import log_action


def begin_cup(*, cup: Cup, now: datetime) -> None:
    """Start the first rounds of a cup that is drawn and running. The caller holds the competition's lock."""
    rounds = list(rounds_of(first_group_id(competition_id=cup.pk)))
    if cup.first_stage.round_days is not None:
        begin_round(cup=cup, round=rounds[0], now=now)
    elif cup.first_stage.format_spec.flow is Flow.ROUNDS:
        for each in rounds:
            begin_round(cup=cup, round=each, now=now)
    else:
        play_ties(cup=cup, ties=load_ties(cup=cup), now=now)
    move_rounds_on(cup=cup, now=now, at=now)


def move_rounds_on(*, cup: Cup, now: datetime, at: datetime | None = None) -> None:
    """End every round that is over and begin what follows, to the end of the cup if it has come.

    A round ends with its last result, or ``at`` a later moment that made an end of it; one of a bracket in which
    nothing is to be played does not begin. What follows begins now.
    The caller holds the competition's lock.
    """
    while cup.status == CompetitionStatus.RUNNING:
        unended = list(Round.objects.filter(group__stage__competition=cup.pk, ended_at=None).order_by("number"))
        still_open = _with_open_results(cup)
        is_bracket = cup.first_stage.format_spec.flow is Flow.TIES
        over = [each for each in unended if each.pk not in still_open and (each.started_at is not None or is_bracket)]
        _date_ends(cup, over, at)
        if cup.first_stage.round_days is not None or cup.first_stage.abilities.pairs_by_results:
            for each in (each for each in over if each.started_at is not None):
                log_action(competition=cup, action="round-ended", subject=str(each.number), now=now)
        remaining = [each for each in unended if each.ended_at is None]
        if not remaining and _needs_pairing(cup):
            _ask_for_pairing(cup, now)
            return
        if not remaining:
            finish_cup(cup=cup, now=now)
        elif remaining[0].started_at is None:
            begin_round(cup=cup, round=remaining[0], now=now)
        elif not over:
            return


def _needs_pairing(cup: Cup) -> bool:
    """Return whether another round has to be drawn from the results: all that have been drawn have ended."""
    stage = cup.first_stage
    if not stage.abilities.pairs_by_results:
        return False
    group = Group.objects.select_related("stage__competition").get(pk=first_group_id(competition_id=cup.pk))
    return not stage.format_spec.is_over(read_record(group), stage.chosen_options)


def _ask_for_pairing(cup: Cup, now: datetime) -> None:
    group_id = first_group_id(competition_id=cup.pk)
    Group.objects.filter(pk=group_id, pairing_due_since=None).update(pairing_due_since=now)
    notify_round_due(group_id=group_id)


def _with_open_results(cup: Cup) -> set[int]:
    """Return the ids of the rounds in which results are still to come."""
    if cup.first_stage.format_spec.flow is Flow.TIES:
        undecided = Tie.objects.filter(round__group__stage__competition=cup.pk, decided_at=None)
        return set(undecided.values_list("round_id", flat=True).distinct())
    open_fixtures = Fixture.objects.filter(OPEN, competition_id=cup.pk, round__isnull=False)
    return {key for key in open_fixtures.values_list("round_id", flat=True).distinct() if key is not None}


def _date_ends(cup: Cup, rounds: Sequence[Round], at: datetime | None) -> None:
    """Store when rounds that are over have ended: with the last of their results, and not before they began."""
    if cup.first_stage.format_spec.flow is Flow.TIES:
        last = Max("ties__decided_at")
    else:
        last = Max("fixtures__finished_at", filter=Q(fixtures__is_annulled=False))
    ends = dict(Round.objects.filter(pk__in=[each.pk for each in rounds]).annotate(last=last).values_list("pk", "last"))
    for each in rounds:
        moments = (each.started_at, ends.get(each.pk), at if each.started_at is not None else None)
        each.ended_at = max((moment for moment in moments if moment is not None), default=None)
    Round.objects.bulk_update(rounds, ["ended_at"])


def begin_round(*, cup: Cup, round: Round, now: datetime) -> None:  # noqa: A002
    """Start a round: its ties, or its fixtures; entrants who have left lose at once.

    The caller holds the competition's lock.
    """
    stage = cup.first_stage
    if round.started_at is None:
        round.started_at = now
        date_at_start(round=round, cup=cup, now=now)
        round.save(update_fields=["started_at", "ends_at", "dated_at"])
        if stage.round_days is not None or stage.abilities.pairs_by_results:
            log_action(competition=cup, action="round-started", subject=str(round.number), now=now)
    if stage.format_spec.flow is Flow.TIES:
        play_ties(cup=cup, ties=load_ties(cup=cup, round_=round), now=now)
        return
    fixtures = list(
        Fixture.objects.filter(OPEN, round=round).select_related("yellow__player", "red__player").order_by("pk")
    )
    gone = [fixture for fixture in fixtures if not (fixture.yellow.is_in and fixture.red.is_in)]
    forfeit_without_play(competition=cup, fixtures=gone, now=now)
    start_fixtures(fixtures=fixtures, competition=cup, now=now)
