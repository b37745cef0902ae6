"""The end of a competition that comes to one: its winner."""

from datetime import datetime

from tournaments.models import Competition, CompetitionStatus, Entry, Group, LogEntry, Stage
from tournaments.office.services.after_commit import notify_season
from tournaments.office.services.log import log_action
from tournaments.records.cups import decides_winner, deciding_stage
from tournaments.rounds.services.final_places import place_entrants
from tournaments.tables.services.standings import recompute_standings
from tournaments.tables.services.winners import crown


def finish(*, last: Stage, now: datetime, at: datetime | None = None) -> None:
    """Finish a running competition with the end of the last stage that is played, or ``at`` a later moment.

    The caller holds the competition's lock.
    """
    competition = last.competition
    ended = Group.objects.filter(stage__competition_id=competition.pk, ended_at__isnull=False)
    ends = [*ended.values_list("ended_at", flat=True), at]
    deciding = deciding_stage(last)
    if not deciding.is_bracket:
        for group_id in Group.objects.filter(stage=deciding).order_by("number").values_list("pk", flat=True):
            recompute_standings(group_id=group_id, now=now)
    competition.status, competition.paused_at = CompetitionStatus.FINISHED, None
    competition.finished_at = max((each for each in ends if each is not None), default=now)
    competition.save(update_fields=["status", "finished_at", "paused_at"])
    crown(last=last)
    _log_end(competition, competition.winner, now)
    if competition.series_id is not None:
        notify_season(series_id=competition.series_id)


def tell_end(*, competition: Competition, winner: Entry | None, after: int, now: datetime) -> None:
    """Log the end once more, with another result, unless a line after this one tells that it was reached once more."""
    if not LogEntry.objects.filter(competition_id=competition.pk, action="finished", pk__gt=after).exists():
        _log_end(competition, winner, now)


def tell_end_taken_back(*, competition: Competition, now: datetime) -> None:
    """Log that a competition that was over goes on, unless an organiser has just decided so, and it is logged."""
    if not LogEntry.objects.filter(competition_id=competition.pk, action="end-undone", logged_at=now).exists():
        log_action(competition=competition, action="end-undone", now=now)


def place_and_crown(*, group: Group) -> None:
    """Let the places of a bracket that is over follow from its ties, and the winner of a finished competition."""
    place_entrants(group_id=group.pk)
    if group.competition.status == CompetitionStatus.FINISHED and decides_winner(group.stage):
        crown(last=group.stage)


def _log_end(competition: Competition, winner: Entry | None, now: datetime) -> None:
    log_action(competition=competition, action="finished", subject=str(winner or ""), now=now)
