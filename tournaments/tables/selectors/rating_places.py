"""Places in the lists of ratings, from the numbers of players that are kept by points."""

from __future__ import annotations

from collections import Counter
from math import floor

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Floor

from players.models import Rating
from tournaments.models import RatingCount


def count_listed(family: str) -> int:
    """Return how many players are in the list of a family. One query."""
    return _add_up(RatingCount.objects.filter(family=family))


def place_of(rating: Rating) -> int:
    """Return the place of a rating in its list: one more than the players who have a higher one. Two queries."""
    return 1 + _count_above(rating, Q(rating__gt=rating.rating))


def count_before(rating: Rating) -> int:
    """Return how many rows of the list come before a rating: of equal ones, those of older accounts. Two queries."""
    equal = Q(rating=rating.rating, player__lt=rating.player_id)
    return _count_above(rating, Q(rating__gt=rating.rating) | equal)


def count_listed_by_points(family: str) -> Counter[int]:
    """Return how many players of a family's list have which points, counted from their ratings. One query."""
    listed = Rating.objects.filter(family=family, is_listed=True).order_by()
    rows = listed.values_list(Floor("rating")).annotate(players=Count("pk"))
    return Counter({int(points): players for points, players in rows})


def stored_counts(family: str) -> Counter[int]:
    """Return how many players of a family's list have which points, as it is stored. One query."""
    rows = RatingCount.objects.filter(family=family).exclude(players=0)
    return Counter(dict(rows.values_list("points", "players")))


def _count_above(rating: Rating, condition: Q) -> int:
    """Return how many have more points, and how many of those with as many fulfil the condition."""
    points = floor(rating.rating)
    above = RatingCount.objects.filter(family=rating.family, points__gt=points)
    near = Rating.objects.filter(family=rating.family, is_listed=True, rating__gte=points, rating__lt=points + 1)
    return _add_up(above) + near.filter(condition).count()


def _add_up(counts: QuerySet[RatingCount]) -> int:
    total: int | None = counts.aggregate(total=Sum("players"))["total"]
    return total or 0
