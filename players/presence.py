"""The players who are on the site now. Only the cache knows; if it is lost, a player may get one mail too many."""

from collections.abc import Callable, Iterable
from datetime import timedelta

import structlog
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.http.response import HttpResponseBase

UNATTENDED_HEADER = "X-Unattended"
"""The header of a page that polls although nobody has touched it for a while."""

PRESENCE_TIMEOUT = timedelta(minutes=5)
"""The time for which players count as present after they have opened a page or done something."""

logger = structlog.get_logger(__name__)


class PresenceMiddleware:
    """Notes that the player of a session is present, unless the browser only follows what a page shows."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        response = self.get_response(request)
        if not follows(request) and settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.pk is not None:
            note_presence(player_id=request.user.pk)
        return response


def note_presence(*, player_id: int) -> None:
    """Remember that the player is present; without a cache nothing is remembered."""
    try:
        cache.set(_key(player_id), True, PRESENCE_TIMEOUT.total_seconds())
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own
        logger.warning("presence_not_noted", error=str(error))


def forget_presence(*, player_id: int) -> None:
    """Forget that the player was present; without a cache there is nothing to forget."""
    try:
        cache.delete(_key(player_id))
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own
        logger.warning("presence_not_forgotten", error=str(error))


def present_among(player_ids: Iterable[int]) -> set[int]:
    """Return those of the players who are present; without a cache, none."""
    by_key = {_key(player_id): player_id for player_id in player_ids}
    try:
        return {by_key[key] for key in cache.get_many(by_key)}
    except Exception as error:  # noqa: BLE001 - each cache has errors of its own
        logger.warning("presence_not_known", error=str(error))
        return set()


def follows(request: HttpRequest) -> bool:
    """Return whether the browser only asks by itself for what has changed."""
    headers = request.headers
    return "If-None-Match" in headers or UNATTENDED_HEADER in headers or headers.get("Accept") == "text/event-stream"


def _key(player_id: int) -> str:
    return f"present:{player_id}"
