"""Ending rounds whose time is over."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction

from matches.models import Match, Status
from matches.services.adjudicating import adjudicate_by_score, forfeit_to_move
from players.models import Player
from tournaments.errors import WrongEventStatus
from tournaments.models import EventStatus, Round, RoundEnd
from tournaments.selectors.cups import rounds_due
from tournaments.selectors.organising import check_organiser
from tournaments.services.locking import lock_event
from tournaments.services.log import log_action

BATCH = 50

logger = structlog.get_logger(__name__)


def end_due_rounds(*, now: datetime, limit: int = BATCH) -> int:
    """Cut up to ``limit`` rounds short whose time is over, as their cups want it; return how many matches ended so.

    Rounds whose matches are waited for are left alone. What cannot be ended stops none of the others.
    """
    ended = 0
    for round_ in rounds_due(now)[:limit]:
        try:
            policy = RoundEnd(round_.cup.at_round_end)
            ended += end_round(round=round_, policy=policy, actor=None, now=now)
        except Exception:
            logger.exception("round_not_ended", round_id=round_.pk)
    return ended


def end_round(
    *,
    round: Round,  # noqa: A002
    policy: RoundEnd,
    actor: Player | None,
    now: datetime,
    reason: str = "",
) -> int:
    """End all matches of a round that still go on and return how many: by their score, or whoever is to move loses.

    Its ties get no more replays. The results are counted as those of all other matches, and then the cup goes on;
    done again, it ends what was started in the round since. Raises ``NotAnOrganiser``, or
    ``WrongEventStatus`` where the round is not going on, or for a policy that ends nothing.
    """
    if policy == RoundEnd.WAIT:
        raise WrongEventStatus("To wait for its matches does not end a round.")
    with transaction.atomic():
        event = lock_event(event_id=round.cup_id)
        check_organiser(event=event, player=actor)
        fresh = Round.objects.get(pk=round.pk)
        if event.status != EventStatus.RUNNING or fresh.started_at is None or fresh.ended_at is not None:
            raise WrongEventStatus("Only a round that is going on can be ended.")
        if fresh.cut_short_at is None:
            fresh.cut_short_at = now
            fresh.ends_at = now if fresh.ends_at is None else min(now, fresh.ends_at)
            fresh.save(update_fields=["cut_short_at", "ends_at"])
            log_action(
                event=event,
                action="round-cut-short",
                actor=actor,
                subject=str(fresh.number),
                reason=reason or str(policy.label),
                now=now,
            )
    end_matches = adjudicate_by_score if policy == RoundEnd.ADJUDICATE else forfeit_to_move
    return len(end_matches(match_ids=_running_in(fresh), now=now))


def _running_in(round_: Round) -> list[int]:
    """Return the ids of the matches of a round that go on."""
    running = Match.objects.filter(fixture__round=round_, fixture__is_annulled=False, status=Status.PLAYING)
    return list(running.values_list("pk", flat=True))
