"""Template tags and filters about matches and times."""

from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _

from computers.levels import level_of
from database.clock import current_moment
from matches.models import Match, Seek, SitePause
from matches.seek_links import path_to
from matches.selectors.matches import count_matches_to_move, shown_matches
from matches.selectors.site_pauses import find_site_pause
from matches.sentences import format_time_control, format_time_left, matches_to_move_text
from matches.skipped import read_skipped, with_skipped
from players.models import Player
from rules_engine.registry import get_game

MAX_LATEST = 20

register = template.Library()
register.filter("time_control", format_time_control)


@register.simple_tag(takes_context=True)
def matches_to_move(context: Context) -> int:
    """Return how many matches wait for the viewer, which a page may have read with what it shows of them."""
    player = context.get("user")
    if "number_to_move" in context:
        return int(context["number_to_move"])
    return count_matches_to_move(player) if isinstance(player, Player) else 0


@register.simple_tag
def site_pause() -> SitePause | None:
    """Return the pause of the site that lasts."""
    return find_site_pause()


@register.simple_tag(takes_context=True)
def stream_data(context: Context) -> dict[str, Any]:
    """Return the data with which the page's scripts share the event stream of their browser."""
    user = context.get("user")
    return {
        "player": user.pk if isinstance(user, Player) else None,
        "stream": reverse("api-stream") if settings.EVENT_STREAMS else "",
        "most": settings.MAX_MATCHES_PER_STREAM,
        "turns": reverse("turns"),
        "echoes": reverse("api-echoes"),
        "worker": static("js/stream-worker.js"),
    }


@register.inclusion_tag("matches/parts/lead_on.html", takes_context=True)
def lead_on(context: Context) -> dict[str, Any]:
    """Show the link from a match to the player's next one, with how many other matches wait."""
    match: Match = context["match"]
    is_own_turn = match.is_running and match.side == context["you"]
    more = (context.get("matches_due") or 0) - is_own_turn
    texts = {"next": _("Next match ({count} more)"), "skip": _("Skip")}
    others = [each for each in read_skipped(context["request"]) if each != match.pk]
    urls = {
        "next": with_skipped(reverse("next-turn"), others),
        "skip": with_skipped(reverse("next-turn"), [*others, match.pk]),
    }
    shown = "skip" if is_own_turn else "next"
    return {
        "more": more,
        "texts": texts,
        "urls": urls,
        "text": texts[shown].format(count=more),
        "url": urls[shown],
        "is_primary": not is_own_turn,
    }


@register.filter
def to_move(count: int) -> str:
    """Return the header's text about how many matches wait for the viewer."""
    return matches_to_move_text(count) if count else ""


@register.simple_tag
def seek_path(seek: Seek) -> str:
    """Return the page of a game that is taken by its link."""
    return path_to(seek.pk)


@register.simple_tag
def latest_matches(player: Player) -> list[Match]:
    """Return the player's latest matches, the newest first."""
    return list(shown_matches(player)[:MAX_LATEST])


@register.filter
def time_left(deadline: datetime) -> str:
    """Return how long it is until the deadline, in its two largest units."""
    return format_time_left(deadline - current_moment())


@register.filter
def game_title(key: str) -> str:
    """Return the title of the game with this key."""
    return get_game(key).title


@register.filter
def opponent_of(match: Match, player: Player) -> Player:
    """Return the player's opponent in the match."""
    return match.red if match.yellow_id == player.pk else match.yellow


@register.filter
def side_of(match: Match, player: Player) -> str:
    """Return the player's side in the match."""
    return match.side_of(player.pk) or ""


@register.filter
def level_name(player: Player) -> str:
    """Return the label of a computer's level."""
    return str(level_of(player).label)


@register.filter
def lookup(found: dict[Any, Any] | None, key: Any) -> Any:
    """Return a dictionary's value for a key from a variable, ``None`` if there is none."""
    return (found or {}).get(key)
