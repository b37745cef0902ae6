"""The ratings of those who have entered a competition."""

from __future__ import annotations

from decimal import Decimal

from players.models import Rating
from tournaments.models import Competition


def ratings_now(competition: Competition) -> dict[int, Decimal]:
    """Return the ratings of those who have entered, by the ids of their entries; of the unrated none. One query."""
    ratings = Rating.objects.filter(family=competition.rules.family, player__entries__competition=competition.pk)
    return dict(ratings.values_list("player__entries__pk", "rating"))
