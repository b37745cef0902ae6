"""Who played a match whose place another player has taken over since."""

from __future__ import annotations

from django.db.models import Case, F, Q, QuerySet, When

from tournaments.models import Fixture


def with_players(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    """Return the fixtures with the names of those who played their matches, where these are not the entrants."""
    is_other = ~Q(match__yellow=F("yellow__player")) | ~Q(match__red=F("red__player"))
    was_replaced = Q(match__isnull=False, board=None) & is_other
    return fixtures.annotate(
        played_by_yellow=Case(When(was_replaced, then=F("match__yellow__username"))),
        played_by_red=Case(When(was_replaced, then=F("match__red__username"))),
    )
