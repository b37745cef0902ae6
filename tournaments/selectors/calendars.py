"""The rounds of a competition that stand in its calendar."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Count, Max, Q

from tournaments.formats.protocol import DrawnTie
from tournaments.models import Competition, LogEntry, Round, Tie
from tournaments.selectors.brackets import drawn_ties


@dataclass(frozen=True, slots=True)
class Revision:
    """How often a competition has changed, which only grows, and when it last did."""

    number: int
    changed_at: datetime


def dated_rounds(competition: Competition) -> list[Round]:
    """Return the rounds that have begun or must end at some moment, in order; of very many the latest. One query.

    Each has its group and stage, and these the competition.
    """
    rounds = Round.objects.filter(group__stage__competition_id=competition.pk)
    rounds = rounds.filter(Q(started_at__isnull=False) | Q(ends_at__isnull=False)).select_related("group__stage")
    order = ("group__stage__number", "number", "group__number")
    found = list(rounds.order_by(*(f"-{name}" for name in order))[: settings.MAX_CALENDAR_ROUNDS])
    for each in found:
        each.group.stage.competition = competition
    return found[::-1]


def ties_of_rounds(rounds: list[Round]) -> dict[int, list[DrawnTie]]:
    """Return all ties of the brackets that have some of these rounds, by the ids of their groups. One query."""
    stored: dict[int, list[Tie]] = defaultdict(list)
    groups = {each.group_id for each in rounds}
    for tie in Tie.objects.filter(round__group__in=groups).select_related("round").order_by("slot"):
        stored[tie.round.group_id].append(tie)
    return {group: drawn_ties(ties) for group, ties in stored.items()}


def revision_of(competition: Competition) -> Revision:
    """Return the competition's revision: every change of its dates is in its log. One query."""
    log = LogEntry.objects.filter(competition_id=competition.pk).aggregate(number=Count("pk"), last=Max("logged_at"))
    return Revision(log["number"], log["last"] or competition.created_at)
