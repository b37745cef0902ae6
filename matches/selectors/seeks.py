"""Finding seeks."""

from __future__ import annotations

from django.db.models import F, Q, QuerySet

from matches.models import Seek, SeekStatus
from players.models import Player


def visible_seeks(player: Player | None) -> QuerySet[Seek]:
    """Return the seeks that a player may see, whatever became of them, the newest first.

    Invitations are seen by their two players only; ``None`` is a visitor.
    """
    public = Q(invited=None)
    seen = public if player is None else public | Q(invited=player) | Q(creator=player)
    return Seek.objects.filter(seen).select_related("creator", "invited").order_by("-pk")


def open_seeks(player: Player | None) -> QuerySet[Seek]:
    """Return the open seeks that a player may see: everybody's, his own, and his invitations."""
    return visible_seeks(player).filter(status=SeekStatus.OPEN)


def seeks_to_take(player: Player | None) -> QuerySet[Seek]:
    """Return the open seeks that a player may take, his invitations first."""
    seeks = open_seeks(player)
    if player is None:
        return seeks
    return seeks.exclude(creator=player).order_by(F("invited_id").asc(nulls_last=True), "-pk")


def own_seeks(player: Player) -> QuerySet[Seek]:
    """Return the player's own open seeks."""
    return open_seeks(player).filter(creator=player)
