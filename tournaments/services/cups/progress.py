"""Move a cup on after a result."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction

from tournaments.formats.protocol import Flow
from tournaments.models import CompetitionStatus, Cup, Entry, Tie
from tournaments.selectors.brackets import IN_ORDER
from tournaments.services.cups.final_places import place_entrants
from tournaments.services.cups.rounds import move_rounds_on
from tournaments.services.cups.ties import load_ties, play_ties
from tournaments.services.locks import lock_competition


def follow_results(*, cup: Cup, ties: Collection[int], now: datetime) -> None:
    """Decide these ties by the results counted so far, or start the legs that they need next, and move the cup on.

    A decided tie sends its entrants on; rounds and the cup end where it was their last. Again has no effect.
    The caller holds the competition's lock.
    """
    if cup.status == CompetitionStatus.FINISHED and cup.first_stage.format_spec.flow is Flow.TIES:
        # The result of a tie that somebody's withdrawal had decided.
        place_entrants(cup=cup)
    if cup.status != CompetitionStatus.RUNNING:
        return
    undecided = Tie.objects.filter(pk__in=ties, decided_at=None).select_related(
        "round", "first__player", "second__player"
    )
    decided = play_ties(cup=cup, ties=undecided.order_by(*IN_ORDER), now=now)
    if decided or cup.first_stage.format_spec.flow is Flow.ROUNDS:
        move_rounds_on(cup=cup, now=now)


def advance_cup(*, cup_id: int, now: datetime, entry: Entry | None = None) -> None:
    """Move on what can move on in a running cup: ties (only the entrant's, if one is given), rounds, the cup itself.

    Again has no effect.
    """
    with transaction.atomic():
        lock_competition(competition_id=cup_id)
        cup = Cup.objects.get(pk=cup_id)
        if cup.status != CompetitionStatus.RUNNING:
            return
        in_rounds = cup.first_stage.round_days is not None
        play_ties(cup=cup, ties=load_ties(cup=cup, entry=entry, begun_only=in_rounds), now=now)
        move_rounds_on(cup=cup, now=now, at=now)
