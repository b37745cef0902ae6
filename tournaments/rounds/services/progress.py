"""Move the groups of a competition on after a result."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from tournaments.models import OF_TIES, Competition, Entry, Fixture, Group, Tie
from tournaments.records.brackets import IN_ORDER
from tournaments.records.groups import groups_of
from tournaments.rounds.services.competition_end import place_and_crown
from tournaments.rounds.services.stage_ends import move_on
from tournaments.rounds.services.ties import load_ties, play_ties


def follow_results(*, competition: Competition, fixtures: Collection[Fixture], now: datetime) -> None:
    """Let the groups of these fixtures, whose results have been counted, go on from there.

    Ties are decided, or the legs begin that they need next; a decided tie sends its entrants on; rounds, groups, stages
    and the competition end where it was their last. Again has no effect. The caller holds the competition's lock.
    """
    concerned = {fixture.group_id for fixture in fixtures}
    ties = {fixture.tie_id for fixture in fixtures if fixture.tie_id is not None}
    for group in groups_of(competition):
        if group.pk not in concerned or group.started_at is None:
            continue
        is_bracket = group.stage.is_bracket
        if group.ended_at is not None:
            if is_bracket:
                # The result of a tie that somebody's withdrawal had decided.
                place_and_crown(group=group)
            continue
        undecided = Tie.objects.filter(pk__in=ties, round__group=group, decided_at=None).select_related(
            "round", *OF_TIES
        )
        decided = play_ties(group=group, ties=undecided.order_by(*IN_ORDER), now=now) if is_bracket else []
        if decided or not is_bracket:
            move_on(group=group, now=now)


def advance_group(*, group: Group, now: datetime, entry: Entry | None = None) -> None:
    """Move on what can move on in a running group: ties (only the entrant's, if one is given), rounds, the group.

    Again has no effect. The caller holds the competition's lock.
    """
    if group.stage.is_bracket:
        in_rounds = group.stage.round_days is not None
        play_ties(group=group, ties=load_ties(group=group, entry=entry, begun_only=in_rounds), now=now)
    move_on(group=group, now=now, at=now)
