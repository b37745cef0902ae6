"""Let rounds and groups go on in which something is open again. Callers hold the competition's lock."""

from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import pairwise

from django.db.models import Q

from tournaments.models import ENDED, Competition, CompetitionStatus, Fixture, Group, Round, Stage, Standing, Tie
from tournaments.rounds.services.rounds import date_by_rule
from tournaments.rounds.services.ties import has_ties_by_seed
from tournaments.tables.services.winners import store_title


def let_group_go_on(*, competition: Competition, group: Group) -> None:
    """Let a group that had ended go on, and the competition with it.

    Nobody has won then or has a title, and a bracket has no places yet.
    """
    if competition.status in ENDED:
        competition.status, competition.finished_at, competition.winner = CompetitionStatus.RUNNING, None, None
        competition.save(update_fields=["status", "finished_at", "winner"])
        store_title(competition=competition)
    Stage.objects.filter(pk=group.stage_id).update(next_begins_at=None)
    if Group.objects.filter(pk=group.pk, ended_at__isnull=False).update(ended_at=None) and group.stage.is_bracket:
        Standing.objects.filter(group=group).delete()


def let_rounds_go_on(*, rounds: Collection[int], now: datetime) -> None:
    """Let these rounds go on, with all of their days if they had ended or their dates have passed.

    One that was cut short is no longer, unless ties have gone to the higher seed by that: these stay decided.
    """
    for round_ in Round.objects.filter(pk__in=rounds).select_related("group__stage"):
        if not has_ties_by_seed(round_):
            round_.cut_short_at = None
        if round_.ended_at is not None or (round_.ends_at is not None and round_.ends_at <= now):
            date_by_rule(round=round_, stage=round_.group.stage, now=now)
        round_.ended_at = None
        round_.save(update_fields=["ended_at", "cut_short_at", "ends_at", "dated_at"])


def let_rounds_wait(*, group: Group) -> None:
    """Let rounds of a bracket wait for an earlier one that goes on again.

    A round in which nothing has been played or decided has not begun. Of another one in which entrants are not known,
    the date comes no earlier than all of its days after that of the round before.
    """
    if group.ended_at is not None:
        return
    rounds = list(Round.objects.filter(group=group).order_by("number"))
    begun = set(Fixture.objects.filter(group=group, is_annulled=False).values_list("round", flat=True))
    ties = Tie.objects.filter(round__group=group)
    begun |= set(ties.filter(decided_at__isnull=False).values_list("round", flat=True))
    waiting = set(ties.filter(Q(first=None) | Q(second=None), decided_at=None).values_list("round", flat=True))
    for before, round_ in pairwise(rounds):
        if before.ended_at is None and round_.started_at is not None and round_.ended_at is None:
            if round_.pk not in begun:
                _call_off(round_)
            elif round_.pk in waiting:
                _wait_for(round_, before, group.stage.round_days)


def _call_off(round_: Round) -> None:
    round_.started_at = None
    if round_.dated_at is None:
        round_.ends_at = None
    round_.save(update_fields=["started_at", "ends_at"])


def _wait_for(round_: Round, before: Round, days: int | None) -> None:
    if round_.ends_at is None or before.ends_at is None or days is None:
        return
    round_.ends_at = max(round_.ends_at, before.ends_at + timedelta(days=days))
    round_.save(update_fields=["ends_at"])
