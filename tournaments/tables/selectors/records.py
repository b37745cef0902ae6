"""Ratings and their changes, a player's competitions, and the rating lists."""

from collections import Counter
from dataclasses import dataclass
from math import floor

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Floor

from players.models import Player, Rating
from tournaments.models import CompetitionStatus, Entry, RatingChange, RatingCount
from tournaments.records.competitions import entries_of
from tournaments.records.groups import SEATS


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


MAX_CHANGES = 400
MAX_RESULTS = 20

BEST_FIRST = ("-rating", "player_id")
"""The order of a list of ratings: of equal ones that of the older account comes first."""


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """A player's rating in a family of games, the place in its list, and the latest changes, the oldest first."""

    rating: Rating
    place: int
    changes: tuple[RatingChange, ...]


def rating_list(family: str) -> QuerySet[Rating]:
    """Return the ratings of everybody who has played a rated match, the best first, with players."""
    return (
        Rating.objects.filter(family=family, is_listed=True, player__is_active=True)
        .select_related("player")
        .order_by(*BEST_FIRST)
    )


def rating_changes(*, player: Player, family: str) -> QuerySet[RatingChange]:
    """Return what rated matches did to the player's rating, the latest first, with matches and opponents."""
    return _latest_changes(player, family).select_related("match__yellow", "match__red")


def rating_records(player: Player) -> list[RatingRecord]:
    """Return the player's ratings, one for each family of games with a rated match."""
    return [
        RatingRecord(
            rating=rating,
            place=place_of(rating),
            changes=tuple(_latest_changes(player, rating.family)[:MAX_CHANGES])[::-1],
        )
        for rating in ratings_of(player)
    ]


def ratings_of(player: Player) -> QuerySet[Rating]:
    """Return the player's ratings, one for each family of games with a rated match."""
    return Rating.objects.filter(player=player).select_related("player").order_by("family")


def entries_ever(player: Player) -> QuerySet[Entry]:
    """Return all the player's own entries, with competition and standing: none of teams, whose results are not theirs.

    Those of drafts and of what is hidden are not among them.
    """
    return (
        Entry.objects.filter(player=player, team=None, competition__hidden_at=None)
        .exclude(competition__status=CompetitionStatus.DRAFT)
        .select_related("competition__winner__player", "competition__winner__team")
        .prefetch_related("competition__stages", SEATS)
    )


def running_entries(player: Player) -> list[Entry]:
    """Return the player's entries in competitions that have not ended, with competition and standing."""
    return list(entries_of(player))


def past_entries(player: Player) -> list[Entry]:
    """Return the player's own latest entries in finished competitions, with the places in their tables."""
    return list(
        Entry.objects.filter(
            player=player, team=None, competition__status=CompetitionStatus.FINISHED, competition__hidden_at=None
        )
        .select_related("competition")
        .prefetch_related("competition__stages", SEATS)
        .order_by("-competition__finished_at", "-pk")[:MAX_RESULTS]
    )


def _latest_changes(player: Player, family: str) -> QuerySet[RatingChange]:
    return RatingChange.objects.filter(player=player, family=family).order_by("-finished_at", "-match_id")
