"""The end of a competition that comes to one: its winner."""

from __future__ import annotations

from datetime import datetime

from tournaments.formats.protocol import Flow
from tournaments.models import CompetitionStatus, Entry, Group, Stage
from tournaments.selectors.winners import find_winner
from tournaments.services.cups.final_places import place_entrants
from tournaments.services.log import log_action
from tournaments.services.standings import recompute_standings


def finish(*, last: Stage, now: datetime) -> None:
    """Finish a running competition with the end of the last stage that is played.

    The caller holds the competition's lock.
    """
    competition = last.competition
    ends = Group.objects.filter(stage=last, ended_at__isnull=False).values_list("ended_at", flat=True)
    competition.status, competition.paused_at = CompetitionStatus.FINISHED, None
    competition.finished_at = max((each for each in ends if each is not None), default=now)
    competition.save(update_fields=["status", "finished_at", "paused_at"])
    if last.format_spec.flow is not Flow.TIES:
        recompute_standings(competition_id=competition.pk, now=now)
    crown(last=last)
    log_action(competition=competition, action="finished", subject=str(competition.winner or ""), now=now)


def place_and_crown(*, group: Group) -> None:
    """Let the places of a bracket that is over follow from its ties, and the winner of a finished competition."""
    place_entrants(group_id=group.pk)
    if group.competition.status == CompetitionStatus.FINISHED and group.stage.advance is None:
        crown(last=group.stage)


def crown(*, last: Stage) -> None:
    """Store who has won a finished competition, by the results of the last stage that was played."""
    competition, winner = last.competition, find_winner(last)
    competition.winner = None if winner is None else Entry.objects.select_related("player").get(pk=winner)
    competition.save(update_fields=["winner"])
