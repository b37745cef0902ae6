"""Start and end the rounds of a group that comes to an end.

Where a stage has days for its rounds, a group plays them one after the other: a round begins, as a whole, when the
one before it has ended. Without such days nobody waits for anybody: all rounds of a round robin
begin at the start, and a tie of an elimination as soon as both its entrants are known. Where each
round is paired by the results of those before it, a task draws it (``cups.pairings``), and where organisers publish
rounds it waits for them then (``cups.proposed_rounds``).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max, OuterRef, Q, QuerySet, Subquery

from formats.protocol import Flow
from tournaments.models import SITTING, Annulment, CompetitionStatus, Fixture, Group, ProposedRound, Round, Stage, Tie
from tournaments.office.services.after_commit import notify_round_due
from tournaments.office.services.log import log_action
from tournaments.records.group_records import read_record
from tournaments.rounds.selectors import is_round_proposed
from tournaments.rounds.services.fixtures import OPEN, man_boards, start_fixtures
from tournaments.rounds.services.proposed_rounds import ask_for_publication
from tournaments.rounds.services.round_codes import code_round
from tournaments.rounds.services.ties import load_ties, play_ties

MAX_ROWS = 250
"""Rows that are changed by one statement, whose cost grows with their square."""


def start_groups(*, groups: Sequence[Group], now: datetime) -> None:
    """Start drawn groups of one stage of a running competition, and the first of their rounds.

    A round that waits for its organisers begins when they publish it. Rounds of other groups than brackets begin with
    as many queries for any number of them. The caller holds the lock.
    """
    for group in groups:
        group.started_at = now
    Group.objects.bulk_update(groups, ["started_at"], batch_size=MAX_ROWS)
    ready = {group.pk: group for group in groups if not ask_for_publication(group=group, now=now)}
    begun: list[tuple[Group, Round]] = []
    seen: set[int] = set()
    for each in Round.objects.filter(group__in=ready).order_by("group", "number"):
        group = ready[each.group_id]
        if group.stage.round_days is None:
            if group.stage.format_spec.flow is Flow.ROUNDS:
                begun.append((group, each))
        elif each.group_id not in seen:
            begun.append((group, each))
        seen.add(each.group_id)
    begin_rounds(rounds=begun, now=now)
    for group in ready.values():
        if group.stage.round_days is None and group.stage.format_spec.flow is not Flow.ROUNDS:
            play_ties(group=group, ties=load_ties(group=group), now=now)


def groups_that_wait(groups: Sequence[Group]) -> set[int]:
    """Return which of these groups, by their ids, can only wait for results: some are to come in each round.

    Brackets are none of them, and cost no query.
    """
    waiting = {group.pk for group in groups if not group.stage.is_bracket}
    to_come = Fixture.objects.filter(OPEN, group__in=waiting, round__isnull=False)
    is_open = set(to_come.values_list("round_id", flat=True).distinct())
    rounds = Round.objects.filter(group__in=waiting, ended_at=None).values_list("group_id", "pk", "started_at")
    begun: set[int] = set()
    for group_id, key, started_at in rounds:
        if started_at is not None:
            begun.add(group_id)
            if key not in is_open:
                waiting.discard(group_id)
    return waiting & begun


def move_rounds_on(*, group: Group, now: datetime) -> bool:
    """End every round that is over and begin what follows; return whether nothing more is to be played in the group.

    A round ends with its last result, or with the decision that one of its matches is not to be played; one of a
    bracket in which nothing is to be played does not begin. The caller holds the competition's lock.
    """
    while group.competition.status == CompetitionStatus.RUNNING:
        unended = list(Round.objects.filter(group=group.pk, ended_at=None).order_by("number"))
        still_open = _with_open_results(group)
        is_bracket = group.stage.is_bracket
        over = [each for each in unended if each.pk not in still_open and (each.started_at is not None or is_bracket)]
        _date_ends(group, over)
        if _are_rounds_logged(group):
            for each in (each for each in over if each.started_at is not None):
                log_action(
                    competition=group.competition, action="round-ended", subject=code_round(group, each), now=now
                )
        remaining = [each for each in unended if each.ended_at is None]
        if not remaining and _needs_pairing(group):
            if not is_round_proposed(group):
                ask_for_pairing(group, now)
            return False
        if not remaining:
            ProposedRound.objects.filter(group=group).delete()
            return True
        if remaining[0].started_at is None:
            begin_round(group=group, round=remaining[0], now=now)
        elif not over:
            return False
    return False


def _are_rounds_logged(group: Group) -> bool:
    return group.stage.round_days is not None or group.stage.abilities.pairs_by_results


def _needs_pairing(group: Group) -> bool:
    """Return whether another round has to be drawn from the results: all that have been drawn have ended."""
    stage = group.stage
    return stage.abilities.pairs_by_results and not stage.format_spec.is_over(read_record(group), stage.chosen_options)


def ask_for_pairing(group: Group, now: datetime) -> None:
    """Note that what follows the results of a group has to be drawn, and queue the task that draws it."""
    Group.objects.filter(pk=group.pk, pairing_due_since=None).update(pairing_due_since=now)
    notify_round_due(group_id=group.pk)


def _with_open_results(group: Group) -> set[int]:
    """Return the ids of the rounds in which results are still to come."""
    if group.stage.is_bracket:
        still_open: QuerySet[Any] = Tie.objects.filter(round__group=group.pk, decided_at=None)
    else:
        still_open = Fixture.objects.filter(OPEN, group=group.pk, round__isnull=False)
    return set(still_open.order_by().values_list("round_id", flat=True).distinct())


def _date_ends(group: Group, rounds: Sequence[Round]) -> None:
    """Store when rounds that are over have ended: with the last of what is decided there; without that, as they began.

    A start says less: of what was taken back, and counts again, it is later than the results.
    """
    if not rounds:
        return
    if group.stage.is_bracket:
        last = {"decided": Max("ties__decided_at")}
    else:
        not_played = Q(fixtures__annulment=Annulment.DECIDED, fixtures__counted_at=None)
        last = {
            "decided": Max("fixtures__finished_at", filter=Q(fixtures__is_annulled=False)),
            "annulled": Max("fixtures__cause__logged_at", filter=not_played),
        }
    ended = Round.objects.filter(pk__in=[each.pk for each in rounds]).annotate(**last)
    ends = {key: moments for key, *moments in ended.values_list("pk", *last)}
    for each in rounds:
        each.ended_at = max((moment for moment in ends[each.pk] if moment is not None), default=each.started_at)
    Round.objects.bulk_update(rounds, ["ended_at"])


def date_end_again(*, group: Group) -> None:
    """Let the rounds of a group that have ended, and the group if it has, have ended with what counts now."""
    rounds = list(Round.objects.filter(group=group, ended_at__isnull=False))
    _date_ends(group, rounds)
    if group.ended_at is not None:
        group.ended_at = max((each.ended_at for each in rounds if each.ended_at is not None), default=group.ended_at)
        group.save(update_fields=["ended_at"])


def begin_round(*, group: Group, round: Round, now: datetime) -> None:  # noqa: A002
    """Start a round: its ties, or its fixtures; entrants who have left lose at once, and so do boards without a player.

    The caller holds the competition's lock.
    """
    begin_rounds(rounds=[(group, round)], now=now)


def begin_rounds(*, rounds: Sequence[tuple[Group, Round]], now: datetime) -> None:
    """Start rounds of groups of one competition, as ``begin_round`` does each; fixtures of all of them together."""
    new = [(group, each) for group, each in rounds if each.started_at is None]
    followed = _ends_before([each for group, each in new if not group.stage.abilities.pairs_by_results])
    for group, each in new:
        each.started_at = followed.get(each.pk, now)
        if each.ends_at is None or each.ends_at <= now:
            date_by_rule(round=each, stage=group.stage, now=now)
    Round.objects.bulk_update(
        [each for _group, each in new], ["started_at", "ends_at", "dated_at"], batch_size=MAX_ROWS
    )
    for group, each in new:
        if _are_rounds_logged(group):
            log_action(competition=group.competition, action="round-started", subject=code_round(group, each), now=now)
    for group, each in rounds:
        if group.stage.is_bracket:
            play_ties(group=group, ties=load_ties(group=group, round_=each), now=now)
        elif group.competition.boards is not None:
            man_boards(round=each)
    played = [each for group, each in rounds if not group.stage.is_bracket]
    if not played:
        return
    competition = rounds[0][0].competition
    fixtures = list(Fixture.objects.filter(OPEN, round__in=played).select_related(*SITTING).order_by("pk"))
    start_fixtures(fixtures=fixtures, competition=competition, now=now)


def _ends_before(rounds: Sequence[Round]) -> dict[int, datetime]:
    """Return, by rounds that were drawn beforehand, when the last round before each of them has ended."""
    beside = {(each.group_id, each.number + 1) for each in rounds}
    later = [each for each in rounds if each.number > 1 and (each.group_id, each.number) not in beside]
    if not later:
        return {}
    earlier = Round.objects.filter(group=OuterRef("group"), number__lt=OuterRef("number"), ended_at__isnull=False)
    last = Subquery(earlier.order_by("-ended_at").values("ended_at")[:1])
    ends = Round.objects.filter(pk__in=[each.pk for each in later]).annotate(last=last).values_list("pk", "last")
    return {key: ended_at for key, ended_at in ends if ended_at is not None}


def date_by_rule(*, round: Round, stage: Stage, now: datetime) -> None:  # noqa: A002
    """Let a round end, from now on, when the stage's days for it are over. It is not stored; the caller does that."""
    round.ends_at = None if stage.round_days is None else now + timedelta(days=stage.round_days)
    round.dated_at = None
