"""Tags and filters of the pages: how many matches wait for me, and times as people say them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone

from computers.levels import level_of
from matches.models import Match, Status
from matches.selectors.matches import count_matches_to_move, find_matches
from matches.sentences import format_time_control, format_time_left, matches_to_move_text
from players.models import Player
from rules_engine.registry import get_game

MAX_LATEST = 20

register = template.Library()
register.filter("time_control", format_time_control)


@register.simple_tag(takes_context=True)
def matches_to_move(context: Context) -> int:
    """Return the number of matches that wait for the person who looks at the page."""
    player = context.get("user")
    return count_matches_to_move(player) if isinstance(player, Player) else 0


@register.simple_tag(takes_context=True)
def stream_data(context: Context) -> dict[str, Any]:
    """Return what the page's scripts need to follow the one event stream of their browser."""
    user = context.get("user")
    return {
        "player": user.pk if isinstance(user, Player) else None,
        "stream": reverse("api-stream") if settings.EVENT_STREAMS else "",
        "most": settings.MATCHES_PER_STREAM,
        "turns": reverse("turns"),
        "worker": static("js/stream-worker.js"),
    }


@register.filter
def to_move(count: int) -> str:
    """Return how many matches wait for the person who looks at the page, as the header says it."""
    return matches_to_move_text(count) if count else ""


@register.simple_tag
def running_matches(player: Player) -> int:
    """Return how many matches of the player go on."""
    return find_matches(player=player, status=Status.PLAYING).count()


@register.simple_tag
def latest_matches(player: Player) -> list[Match]:
    """Return the player's latest matches, the newest first."""
    return list(find_matches(player=player)[:MAX_LATEST])


@register.filter
def time_left(deadline: datetime) -> str:
    """Return how long it is until the deadline, in its two largest units."""
    return format_time_left(deadline - timezone.now())


@register.filter
def game_title(key: str) -> str:
    """Return what people call the game with this key."""
    return get_game(key).title


@register.filter
def opponent_of(match: Match, player: Player) -> Player:
    """Return who plays against the player."""
    return match.red if match.yellow_id == player.pk else match.yellow


@register.filter
def side_of(match: Match, player: Player) -> str:
    """Return the player's side in the match."""
    return match.side_of(player.pk) or ""


@register.filter
def level_name(player: Player) -> str:
    """Return the level at which a computer plays, as people call it."""
    return str(level_of(player).label)


@register.filter
def lookup(found: dict[Any, Any] | None, key: Any) -> Any:
    """Return what a dictionary holds under a key that is not written in the template, ``None`` if nothing."""
    return (found or {}).get(key)
