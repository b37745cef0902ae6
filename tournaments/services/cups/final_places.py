"""Store the places of an elimination in the same rows as the standings of other competitions."""

from __future__ import annotations

from collections import Counter

from rules_engine.values import BySide, Side
from tournaments.models import Fixture, Standing
from tournaments.selectors.brackets import final_places_of
from tournaments.selectors.groups import seats_by_entry

_SUMS = ("place", "played", "won", "drawn", "lost", "as_red", "goals_for", "goals_against", "points", "decided_by")


def place_entrants(*, group_id: int) -> None:
    """Store everybody's place in a bracket, as far as it is known, and the sums of their matches in it.

    A place comes from the ties alone; those who share one have lost in the same round. Entrants who
    are still in it have no place. The caller holds the competition's lock.
    """
    places = final_places_of(group_id)
    sums: dict[int, Counter[str]] = {entry: Counter() for entry in places}
    for fixture in Fixture.objects.filter(group_id=group_id, is_annulled=False, counted_at__isnull=False):
        _add(sums, fixture)
    seat_of = seats_by_entry(group_id=group_id, entries=list(places))
    rows = [
        Standing(
            seat_id=seat_of[entry], group_id=group_id, place=place, decided_by="bracket" if place else "", **sums[entry]
        )
        for entry, place in places.items()
    ]
    Standing.objects.filter(group_id=group_id).exclude(seat_id__in=seat_of.values()).delete()
    Standing.objects.bulk_create(rows, update_conflicts=True, unique_fields=["seat"], update_fields=_SUMS)


def _add(sums: dict[int, Counter[str]], fixture: Fixture) -> None:
    points, goals = fixture.points, fixture.goals
    if points is None or goals is None:
        return
    entries = BySide(fixture.yellow_id, fixture.red_id)
    for side in Side:
        row = sums.get(entries[side])
        if row is None:
            continue
        own, other = points[side], points[side.opponent]
        row["played"] += 1
        row["won" if own > other else "lost" if own < other else "drawn"] += 1
        row["as_red"] += side is Side.RED
        row["goals_for"] += goals[side]
        row["goals_against"] += goals[side.opponent]
        row["points"] += own
