"""Starting the match of a fixture, and giving a fixture its result without one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q, QuerySet

from matches.models import Match
from matches.services import start_match
from rules_engine.values import BySide, Ending, Outcome, Side
from tournaments.models import Entry, EntryStatus, Event, Fixture
from tournaments.scoring import points_of
from tournaments.services.standings import want_standings

OPEN = Q(counted_at__isnull=True, is_annulled=False)
"""Fixtures whose result is still to come."""


def start_fixture(*, fixture: Fixture, event: Event, now: datetime) -> Match | None:
    """Start the fixture's match and return it; ``None`` if it has one, needs none any more, or an account is closed.

    Whoever has closed an account is withdrawn by a sweep, which gives the fixture its result. The caller holds the
    event's lock. A match with a guest is not rated.
    """
    if fixture.match_id is not None or fixture.counted_at is not None or fixture.is_annulled:
        return None
    yellow, red = fixture.yellow.player, fixture.red.player
    if not (yellow.is_active and red.is_active):
        return None
    match = start_match(
        game=event.game,
        yellow=yellow,
        red=red,
        time_control=event.time_control,
        now=now,
        is_rated=event.is_rated and not (yellow.is_guest or red.is_guest),
        vacation_limit=event.vacation_limit,
        competition=event.pk,
        is_paused=event.paused_at is not None,
    )
    fixture.match = match
    fixture.save(update_fields=["match"])
    return match


def add_fixture(
    *,
    event: Event,
    sides: BySide[Entry],
    now: datetime,
    challenger: Entry | None = None,
) -> Fixture:
    """Return a new game of a ladder, its match started. The caller holds the event's lock."""
    fixture = Fixture.objects.create(
        event_id=event.pk, yellow=sides.yellow, red=sides.red, challenger=challenger, created_at=now
    )
    start_fixture(fixture=fixture, event=event, now=now)
    return fixture


def open_fixtures_of(entry: Entry) -> QuerySet[Fixture]:
    """Return the entrant's fixtures whose result is still to come, with their matches and both entries."""
    return (
        Fixture.objects.filter(OPEN, Q(yellow=entry) | Q(red=entry), event_id=entry.event_id)
        .select_related("match", "yellow", "red")
        .order_by("pk")
    )


def forfeit_without_play(*, event: Event, fixtures: Iterable[Fixture], now: datetime) -> None:
    """Count fixtures whose match never started because somebody has left: whoever stays wins by forfeit.

    Where both have left it is a match that neither played. Fixtures have their entries; those with a
    match, or counted already, are left alone. The caller holds the event's lock.
    """
    for fixture in fixtures:
        if fixture.match_id is not None or fixture.counted_at is not None or fixture.is_annulled:
            continue
        here = BySide(fixture.yellow, fixture.red).map(lambda entry: entry.status != EntryStatus.GONE)
        winner = None if here.yellow == here.red else (Side.YELLOW if here.yellow else Side.RED)
        count_without_play(event=event, fixture=fixture, winner=winner, ending=Ending.FORFEIT, now=now)


def count_without_play(*, event: Event, fixture: Fixture, winner: Side | None, ending: Ending, now: datetime) -> None:
    """Give a fixture that has no match its result; no goals. The caller holds the event's lock."""
    points = points_of(event.rules, Outcome(winner, ending, BySide(0, 0)))
    fixture.counted_at = fixture.finished_at = now
    fixture.ending = ending
    fixture.points_yellow, fixture.points_red = points
    fixture.goals_yellow = fixture.goals_red = 0
    fixture.save(
        update_fields=[
            "counted_at",
            "finished_at",
            "ending",
            "points_yellow",
            "points_red",
            "goals_yellow",
            "goals_red",
        ]
    )
    want_standings(event_id=event.pk, now=now)
