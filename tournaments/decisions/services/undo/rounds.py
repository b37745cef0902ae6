"""Let rounds and groups go on in which something is open again. Callers hold the competition's lock."""

from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import pairwise

from django.db.models import Q

from tournaments.models import (
    ENDED,
    Competition,
    CompetitionStatus,
    Fixture,
    Group,
    Round,
    Stage,
    Standing,
    Tie,
)
from tournaments.rounds.services.cut_rounds import last_cut
from tournaments.rounds.services.fixtures import OPEN
from tournaments.rounds.services.rounds import date_by_rule
from tournaments.rounds.services.set_aside import set_aside
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
    group.ended_at = None


def let_rounds_go_on(*, rounds: Collection[int], now: datetime) -> None:
    """Let these rounds go on, with the time that was left when they ended, or all of their days if none was.

    In one that was cut short no replays begin until that is taken back.
    """
    for round_ in Round.objects.filter(pk__in=rounds).select_related("group__stage"):
        if round_.ended_at is not None and round_.ends_at is not None and round_.ended_at < round_.ends_at:
            round_.ends_at += now - round_.ended_at
        elif (left := _left_at_cut(round_)) > timedelta(0):
            round_.ends_at = now + left
        elif round_.ended_at is not None or (round_.ends_at is not None and round_.ends_at <= now):
            date_by_rule(round=round_, stage=round_.group.stage, now=now)
        round_.ended_at = None
        round_.save(update_fields=["ended_at", "ends_at", "dated_at"])


def _left_at_cut(round_: Round) -> timedelta:
    """Return what was left of the time of a round when it was ended early, if it has had no other date since."""
    is_cut = bool(round_.cuts) and round_.ends_at == last_cut(round_)
    return timedelta(seconds=(round_.cuts[-1]["seconds"] or 0) if is_cut else 0)


def let_rounds_wait(*, group: Group, now: datetime) -> bool:
    """Let rounds that were drawn beforehand wait for an earlier one that goes on again; return whether one does.

    Where rounds have days, their matches that go on are set aside until the round begins once more; otherwise only what
    has not begun waits. Of a round in which entrants are not known, the date comes no earlier than all of its days
    after that of the round before.
    """
    in_rounds = group.stage.round_days is not None
    if (
        group.ended_at is not None
        or group.stage.abilities.pairs_by_results
        or not (in_rounds or group.stage.is_bracket)
    ):
        return False
    rounds = list(Round.objects.filter(group=group).order_by("number"))
    ties = Tie.objects.filter(round__group=group, decided_at=None)
    unknown = set(ties.filter(Q(first=None) | Q(second=None)).values_list("round", flat=True))
    playing = set(Fixture.objects.filter(OPEN, group=group, match__isnull=False).values_list("round", flat=True))
    waits = False
    for before, round_ in pairwise(each for each in rounds if each.ended_at is None):
        if in_rounds and round_.pk in playing:
            _set_round_aside(round_, now)
        if round_.started_at is None:
            continue
        if round_.pk in unknown:
            _wait_for(round_, before, group.stage.round_days)
        if in_rounds or not _has_begun(round_):
            _call_off(round_)
            waits = True
    return waits


def _set_round_aside(round_: Round, now: datetime) -> None:
    """Set aside the matches of a round that go on; what was drawn as a whole is still to be played.

    In a tie of teams, the other boards of a meeting go with them.
    """
    waiting = list(Fixture.objects.filter(OPEN, round=round_, match__isnull=False).order_by("pk"))
    legs = {(each.tie_id, each.leg) for each in waiting if each.tie_id is not None and each.board is not None}
    over = Fixture.objects.filter(tie__in=[tie for tie, _leg in legs], counted_at__isnull=False, is_annulled=False)
    waiting += [each for each in over if (each.tie_id, each.leg) in legs]
    for each in waiting:
        if each.tie_id is None:
            Fixture.objects.filter(pk=each.pk).update(match=None, is_notified=False)
            each.pk, each._state.adding = None, True  # noqa: SLF001 - it is a row beside the one that was drawn
            each.save()
    set_aside(fixtures=waiting, now=now)


def _has_begun(round_: Round) -> bool:
    """Return whether something has been played or decided in a round of a bracket."""
    counting = Fixture.objects.filter(round=round_, is_annulled=False)
    return counting.exists() or Tie.objects.filter(round=round_, decided_at__isnull=False).exists()


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
