"""Find memberships of teams that have changed, for the streams of those whom they concern."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Max, Q

from tournaments.models import TeamMembership


def changed_memberships(
    *,
    after: datetime | None = None,
    ids: Collection[int] | None = None,
    player_ids: Collection[int] | None = None,
    limit: int | None = None,
) -> list[TeamMembership]:
    """Return the memberships that fit everything given, ``limit`` at most, in the order of their last changes.

    They concern the player and the captain. Each comes with its player, its team and the captain of that.
    """
    condition = Q() if after is None else Q(changed_at__gt=after)
    if ids is not None:
        condition &= Q(pk__in=ids)
    if player_ids is not None:
        condition &= Q(player__in=player_ids) | Q(team__captain__in=player_ids)
    found = TeamMembership.objects.filter(condition).select_related("team__captain", "player")
    return list(found.order_by("changed_at", "pk")[:limit])


def last_membership_change() -> datetime | None:
    """Return the moment when any membership changed last, ``None`` before the first."""
    last: datetime | None = TeamMembership.objects.aggregate(last=Max("changed_at"))["last"]
    return last
