"""The matches of a competition that have been played. Reads only."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.models import Actor, Move, Status
from rules_engine.values import Ending
from tournaments.models import Fixture


def played_fixtures(*, competition_id: int) -> QuerySet[Fixture]:
    """Return the fixtures that count in which somebody has moved, or that have a result that is no forfeit."""
    fixtures = Fixture.objects.filter(competition_id=competition_id, is_annulled=False)
    moved = Move.objects.filter(match=OuterRef("match")).exclude(actor=Actor.CHANCE)
    over = Q(match__status=Status.FINISHED) & ~Q(match__ending=Ending.FORFEIT)
    counted = Q(match=None, counted_at__isnull=False) & ~Q(ending=Ending.FORFEIT)
    return fixtures.filter(Exists(moved) | over | counted)
