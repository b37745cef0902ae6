"""Players of matches whose places other players have taken over since."""

from __future__ import annotations

from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, When

from players.models import Player
from tournaments.models import Fixture


def with_players(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    """Return the fixtures with the names of those who played their matches, where these are not the entrants."""
    # Subqueries are asked only of those: joined, both players would be read for every match.
    names = Player.objects.values("username")
    is_other = ~Q(match__yellow=F("yellow__player")) | ~Q(match__red=F("red__player"))
    was_replaced = Q(match__isnull=False, board=None) & is_other
    return fixtures.annotate(
        played_by_yellow=Case(When(was_replaced, then=Subquery(names.filter(pk=OuterRef("match__yellow_id"))))),
        played_by_red=Case(When(was_replaced, then=Subquery(names.filter(pk=OuterRef("match__red_id"))))),
    )
