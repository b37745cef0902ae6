"""Find what players of competitions must be notified of."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q, QuerySet

from tournaments.models import CompetitionStatus, Entry, Fixture, LogEntry
from tournaments.selectors.competitions import IN_COMPETITION

BEGUN = Q(match__isnull=False, counted_at__isnull=True, is_annulled=False)


def lock_log_lines_to_notify(*, limit: int) -> list[LogEntry]:
    """Return entries of logs that are news, locked until the transaction ends; those held elsewhere are left out."""
    waiting = LogEntry.objects.filter(is_notified=False).order_by("pk")
    return list(waiting.select_for_update(skip_locked=True, no_key=True)[:limit])


def lock_fixtures_to_notify(*, limit: int) -> list[Fixture]:
    """Return fixtures whose match has begun and whose players have not been notified; locked in the same way."""
    waiting = Fixture.objects.filter(match__isnull=False, counted_at__isnull=True, is_notified=False).order_by("pk")
    return list(waiting.select_for_update(skip_locked=True, no_key=True)[:limit])


def players_in(*, competition_id: int) -> QuerySet[Entry, int]:
    """Return the ids of the players who are in a competition; of a draft, nobody knows yet."""
    entries = Entry.objects.filter(competition_id=competition_id, status__in=IN_COMPETITION).exclude(
        competition__status=CompetitionStatus.DRAFT
    )
    return entries.values_list("player_id", flat=True)


def players_of(*, fixtures: Collection[Fixture]) -> dict[int, int]:
    """Return the ids of the fixtures' players, by the ids of their entries."""
    entries = {entry for fixture in fixtures for entry in (fixture.yellow_id, fixture.red_id)}
    return dict(Entry.objects.filter(pk__in=entries).values_list("pk", "player_id"))


def begun_fixtures(*, player_id: int, ids: Collection[int]) -> QuerySet[Fixture]:
    """Return those of the player's fixtures that go on, with all that a mail says of them."""
    own = Q(yellow__player_id=player_id) | Q(red__player_id=player_id)
    related = ("competition", "round", "match", "yellow__player", "red__player")
    return Fixture.objects.filter(BEGUN, own, pk__in=ids).select_related(*related).order_by("competition_id", "pk")
