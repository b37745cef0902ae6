"""Find what was logged in competitions, for the streams of their players and organisers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Max, Q, QuerySet

from tournaments.models import Competition, CompetitionKind, CompetitionStatus, Entry, LogEntry
from tournaments.selectors.competitions import IN_COMPETITION

CONCERNING = frozenset(
    {
        "announced",
        "drawn",
        "draw-undone",
        "started",
        "start-taken-back",
        "paused",
        "resumed",
        "round-started",
        "round-date",
        "round-cut-short",
        "round-ended",
        "finished",
        "cancelled",
    }
)
"""What concerns all players of a competition.

What is done to one of them shows in their matches, or was done by themselves.
"""


class LoggedChange(NamedTuple):
    """A line of a competition's log, and who is notified; ``stored_at`` is the database's time."""

    pk: int
    stored_at: datetime
    logged_at: datetime
    action: str
    competition_id: int
    slug: str
    kind: CompetitionKind
    players: tuple[int, ...]
    organisers: tuple[int, ...]


def logged_changes(
    *,
    after: datetime | None = None,
    ids: Collection[int] | None = None,
    player_id: int | None = None,
    limit: int | None = None,
) -> list[LoggedChange]:
    """Return the lines that fit everything given, ``limit`` at most, in the order they were stored in.

    Organisers get every line, the players of a competition those that concern them all, and nothing while it is
    being prepared. Three queries at most. Of one player no others are in ``players`` and ``organisers``.
    """
    condition = Q()
    if player_id is not None:
        condition &= _concerns_organiser(player_id) | _concerns_player(player_id)
    if ids is not None:
        condition &= Q(pk__in=ids)
    if after is not None:
        condition &= Q(stored_at__gt=after)
    lines = LogEntry.objects.filter(condition).order_by("stored_at", "pk")
    columns = (
        "pk",
        "stored_at",
        "logged_at",
        "action",
        "competition_id",
        "competition__slug",
        "competition__kind",
        "competition__status",
    )
    rows = list(lines.values_list(*columns)[:limit])
    competitions = {row[4] for row in rows}
    players = _by_competition(Entry.objects.filter(status__in=IN_COMPETITION), competitions, player_id)
    organisers = _by_competition(Competition.organisers.through.objects.all(), competitions, player_id)
    return [
        LoggedChange(
            pk=pk,
            stored_at=stored_at,
            logged_at=logged_at,
            action=action,
            competition_id=competition,
            slug=slug,
            kind=CompetitionKind(kind),
            players=tuple(players[competition]) if action in CONCERNING and status != CompetitionStatus.DRAFT else (),
            organisers=tuple(organisers[competition]),
        )
        for pk, stored_at, logged_at, action, competition, slug, kind, status in rows
    ]


def last_logged() -> datetime | None:
    """Return the moment when any line was stored last, ``None`` before the first."""
    last: datetime | None = LogEntry.objects.aggregate(last=Max("stored_at"))["last"]
    return last


def _concerns_organiser(player_id: int) -> Q:
    return Q(competition__in=Competition.objects.filter(organisers=player_id))


def _concerns_player(player_id: int) -> Q:
    entered = Competition.objects.filter(entries__player=player_id, entries__status__in=IN_COMPETITION)
    return Q(action__in=CONCERNING, competition__in=entered.exclude(status=CompetitionStatus.DRAFT))


def _by_competition(rows: QuerySet[Any], competitions: Collection[int], player_id: int | None) -> dict[int, list[int]]:
    """Return the players of rows of these competitions, or only this player."""
    found: dict[int, list[int]] = defaultdict(list)
    if competitions:
        matching = (
            rows.filter(competition__in=competitions)
            if player_id is None
            else rows.filter(competition__in=competitions, player=player_id)
        )
        for competition, player in matching.values_list("competition_id", "player_id"):
            found[competition].append(player)
    return found
