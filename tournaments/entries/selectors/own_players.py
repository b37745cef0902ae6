"""The players whom an organiser knows: those of their own competitions."""

from __future__ import annotations

from players.models import Player
from players.selectors import MAX_SUGGESTED, find_usernames, is_searchable
from tournaments.models import Entry

MAX_OWN_COMPETITIONS = 20
"""The latest competitions of an organiser whose players are looked through."""


def find_usernames_for(*, player: Player, known: str) -> list[str]:
    """Return usernames to suggest to a player who knows a part of one: of guests and closed accounts never.

    First come those with the text anywhere in them, of players of the latest competitions that the player organises,
    then those of all players that begin so; before all of them the player who is called just so. Three queries, which
    read no more than has entered these competitions.
    """
    beginning = find_usernames(beginning=known)
    own = _usernames_of_own(player, known) if is_searchable(known) else []
    found = [*own, *(name for name in beginning if name not in own)]
    return sorted(found, key=lambda name: name.lower() != known.lower())[:MAX_SUGGESTED]


def _usernames_of_own(player: Player, known: str) -> list[str]:
    latest = player.organised_competitions.order_by("-pk").values_list("pk", flat=True)[:MAX_OWN_COMPETITIONS]
    entered = Entry.objects.filter(competition__in=list(latest)).values("player")
    named = Player.objects.filter(pk__in=entered, username__icontains=known, is_active=True, is_guest=False)
    return list(named.order_by("username").values_list("username", flat=True)[:MAX_SUGGESTED])
