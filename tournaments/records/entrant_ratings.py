"""The ratings of those who have entered a competition."""

from datetime import datetime
from decimal import Decimal

from django.db.models import OuterRef, Subquery

from players.models import Rating
from tournaments.models import Competition, Entry, RatingChange


def ratings_now(competition: Competition) -> dict[int, Decimal]:
    """Return the ratings of those who have entered, by the ids of their entries; of the unrated none. One query."""
    ratings = Rating.objects.filter(family=competition.rules.family, player__entries__competition=competition.pk)
    return dict(ratings.order_by().values_list("player__entries__pk", "rating"))


def ratings_before(competition: Competition, end: datetime) -> dict[int, Decimal]:
    """Return the ratings that entrants had before the matches that ended then or later, as ``ratings_now`` does."""
    changes = RatingChange.objects.filter(
        family=competition.rules.family, player=OuterRef("player"), finished_at__lt=end
    )
    latest = Subquery(changes.order_by("-finished_at", "-match").values("after")[:1])
    entries = Entry.objects.filter(competition_id=competition.pk).annotate(rating=latest).exclude(rating=None)
    return dict(entries.values_list("pk", "rating"))
