"""Move any competition on: what can begin begins, and what is over ends."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from tournaments.formats.protocol import Flow
from tournaments.models import CompetitionStatus, Entry
from tournaments.selectors.groups import running_groups
from tournaments.services.after_commit import notify_pairing
from tournaments.services.cups.progress import advance_group
from tournaments.services.locks import lock_competition


def advance(*, competition_id: int, now: datetime, entry: Entry | None = None) -> None:
    """Move on what can move on in a running competition, of its ties only the entrant's, if one is given.

    Ties, rounds, groups, stages and the competition itself end and begin as far as results, withdrawals and decisions
    have come; where there are no rounds, new matches are looked for by a task. Again has no effect.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        if competition.status != CompetitionStatus.RUNNING:
            return
        for group in running_groups(competition):
            if group.stage.format_spec.flow is Flow.CONTINUOUS:
                notify_pairing(ladder_id=competition_id)
            else:
                advance_group(group=group, now=now, entry=entry)
