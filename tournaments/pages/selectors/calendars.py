"""The rounds of a competition that stand in its calendar."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Count, Max, Q

from formats.protocol import Part
from tournaments.models import Competition, LogEntry, Round, Tie


@dataclass(frozen=True, slots=True)
class Revision:
    """The number of changes of a competition, which only grows, and the moment of the last."""

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


def parts_played(rounds: list[Round]) -> dict[int, list[tuple[int, Part]]]:
    """Return which parts are played in which rounds of the brackets that have some of these, by group, in order.

    One query, of one row for each part of a round.
    """
    found: dict[int, list[tuple[int, Part]]] = defaultdict(list)
    ties = Tie.objects.filter(round__group__in={each.group_id for each in rounds}).order_by()
    for group, number, part in ties.values_list("round__group", "round__number", "part").distinct():
        found[group].append((number, Part(part)))
    order = list(Part)
    return {group: sorted(played, key=lambda each: (each[0], order.index(each[1]))) for group, played in found.items()}


def revision_of(competition: Competition) -> Revision:
    """Return the competition's revision: every change of its dates is in its log. One query."""
    log = LogEntry.objects.filter(competition_id=competition.pk).aggregate(number=Count("pk"), last=Max("logged_at"))
    return Revision(log["number"], log["last"] or competition.created_at)
