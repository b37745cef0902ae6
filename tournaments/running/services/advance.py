"""Move any competition on: what can begin begins, and what is over ends."""

from datetime import datetime

from django.db import transaction

from tournaments.models import CompetitionStatus, Entry
from tournaments.office.services.after_commit import notify_pairing
from tournaments.office.services.locks import lock_competition
from tournaments.records.groups import groups_of
from tournaments.rounds.services.levels import move_levels_on
from tournaments.rounds.services.stage_ends import advance_group, end_stage


def advance(*, competition_id: int, now: datetime, entry: Entry | None = None) -> None:
    """Move on what can move on in a running competition, of its ties only the entrant's, if one is given.

    Ties, rounds, groups, stages and the competition itself end and begin as far as results, withdrawals and decisions
    have come; where there are no rounds, new matches are looked for by a task. Again has no effect.
    """
    with transaction.atomic():
        competition = lock_competition(competition_id=competition_id)
        if competition.status != CompetitionStatus.RUNNING:
            return
        groups = groups_of(competition)
        running = [group for group in groups if group.started_at is not None and group.ended_at is None]
        for group in running:
            if group.stage.is_endless:
                notify_pairing(ladder_id=competition_id)
            else:
                advance_group(group=group, now=now, entry=entry)
        if competition.first_stage.gathers:
            # Groups that come back may be over, and let somebody go on to a level above.
            while move_levels_on(competition=competition, now=now):
                pass
        elif not running and groups[-1].ended_at is not None:
            # The next stage was taken back, and this one has been over since.
            end_stage(stage=groups[-1].stage, now=now)
