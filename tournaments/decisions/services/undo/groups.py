"""Let groups go on in which something is open again. Callers hold the competition's lock."""

from __future__ import annotations

from tournaments.models import ENDED, Competition, CompetitionStatus, Group, Stage, Standing
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
