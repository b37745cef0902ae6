"""Which sides entrants of a competition have had. Reads only."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from rules_engine.values import Ending, Side
from tournaments.models import Entry, Fixture
from tournaments.sides import Balance


def balance_of(*, entries: Collection[int]) -> Balance[int]:
    """Return how often each of these entrants has been Yellow, and on which side they were last. One query."""
    rows = Entry.objects.filter(pk__in=entries).values_list(
        "pk", "draw", _count_as_yellow(), _find_last(Side.YELLOW), _find_last(Side.RED)
    )
    found = list(rows)
    balance = Balance({key: lot for key, lot, *_ in found})
    for key, _lot, as_yellow, yellow, red in found:
        last = None if yellow is red is None else (Side.YELLOW if (yellow or 0) > (red or 0) else Side.RED)
        balance.note(key, as_yellow=as_yellow, last=last)
    return balance


def _matches_as(side: Side) -> QuerySet[Fixture]:
    played = Fixture.objects.filter(is_annulled=False).exclude(ending=Ending.FORFEIT)
    return played.filter(**{side.value: OuterRef("pk")}).order_by()


def _count_as_yellow() -> Coalesce:
    counted = _matches_as(Side.YELLOW).values("yellow").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _find_last(side: Side) -> Subquery:
    return Subquery(_matches_as(side).order_by("-pk").values("pk")[:1])
