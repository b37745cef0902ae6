"""The dates by which rounds must end, as they follow from a stage's days for them and from pauses."""

from __future__ import annotations

from datetime import datetime, timedelta

from tournaments.models import Competition, Round, Stage


def date_by_rule(*, round: Round, stage: Stage, now: datetime) -> None:  # noqa: A002
    """Let a round end, from now on, when the stage's days for it are over. It is not stored; the caller does that."""
    round.ends_at = None if stage.round_days is None else now + timedelta(days=stage.round_days)
    round.dated_at = None


def date_at_start(*, round: Round, stage: Stage, now: datetime) -> None:  # noqa: A002
    """Give a round that begins its date, unless it has one that is still to come. The caller stores it."""
    if round.ends_at is None or round.ends_at <= now:
        date_by_rule(round=round, stage=stage, now=now)


def move_dates(*, competition: Competition, paused_at: datetime, now: datetime) -> None:
    """Give open rounds later dates by the length of the pause, or of what they saw of it if they began during it.

    A date that was set during the pause was meant as it is, and stays.
    """
    dated = Round.objects.filter(
        group__stage__competition_id=competition.pk, ended_at=None, cut_short_at=None, ends_at__isnull=False
    )
    rounds = [each for each in dated if each.dated_at is None or each.dated_at < paused_at]
    for each in rounds:
        if each.ends_at is not None:
            each.ends_at += now - max(paused_at, each.started_at or paused_at)
    Round.objects.bulk_update(rounds, ["ends_at"])
