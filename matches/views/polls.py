"""Polls of those who only watch a match: answered in front of sessions, with bytes made once for all who watch.

Each poll reads the row that says what the answer is of: with answers in the shared cache alone, a change that is
committed while the cache is away would never be seen.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch
from django.utils.cache import get_conditional_response
from rest_framework.utils.encoders import JSONEncoder

from matches.errors import MatchNotFound
from matches.selectors.matches import find_version, get_match
from matches.views.updates import MAX_BEHIND, choices_to_json, match_updates, update_etag, update_to_json
from web.errors import TooManyAttempts
from web.limits.table import REQUESTS
from web.requests.client_ip import client_network

MAX_KEPT = 256
"""The most answers that a process keeps: a few for each match that is watched."""

ENDING = "/updates/"

_PATH = re.compile(r"/matches/([0-9]{1,18})/updates/")
_QUERY = re.compile(r"since=([0-9]{1,5})")
POLL = ResolverMatch(match_updates, (), {}, route="matches/<int:match_id>/updates/")
"""The route of polls, as requests are measured by it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to all who watch a match, and its entity tag."""

    etag: str
    body: bytes


KEPT: dict[tuple[int, int], Answer] = {}
"""The latest answers by match and ``?since=``, the oldest first."""

_lock = Lock()


class PollsMiddleware:
    """Answers polls without a session cookie, which pages of those who play no side send.

    Such a poll is not logged or taken for an act of a player, as little as a static file: it costs one query of a row,
    and what it returns is made once. The poll for which it is made is counted, as a page is. Everything else about
    matches goes on to the views: polls of players, of pages that are far behind, and what cannot be read.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer to a poll of a watcher, or the site's response."""
        is_poll = request.path_info.endswith(ENDING) and request.method == "GET"
        return (is_poll and answer_watcher(request)) or self.get_response(request)


def answer_watcher(request: HttpRequest) -> HttpResponse | None:
    """Return what has happened in a match, for who is not known; ``None`` if the view has to answer."""
    path, query = _PATH.fullmatch(request.path_info), _QUERY.fullmatch(request.META.get("QUERY_STRING", ""))
    if path is None or query is None or settings.SESSION_COOKIE_NAME in request.COOKIES:
        return None
    try:
        answer = _find(request, int(path[1]), int(query[1]))
    except (MatchNotFound, TooManyAttempts):
        # The site refuses in its own words what is refused here.
        return None
    if answer is None:
        return None
    response = get_conditional_response(request, etag=answer.etag)
    if response is None:
        response = HttpResponse(answer.body, content_type="application/json")
    response["ETag"] = answer.etag
    response["Cache-Control"] = "private, no-cache"
    response["Vary"] = "Authorization, Cookie"
    response["X-Frame-Options"] = settings.X_FRAME_OPTIONS
    request.resolver_match = POLL
    return response


def _find(request: HttpRequest, match_id: int, since: int) -> Answer | None:
    """Return the answer for all who watch, ``None`` if they are far behind.

    One query if it is kept, as many as the view takes if none is, and one more if it is not up to date. An answer that
    has to be made is counted as a page: it may replay the match. Raises ``MatchNotFound`` and ``TooManyAttempts``.
    """
    kept = KEPT.get((match_id, since))
    if kept is not None:
        version = find_version(match_id)
        if version is not None and update_etag(*version) == kept.etag:
            return kept
    match = get_match(match_id)
    if since < match.ply - MAX_BEHIND:
        return None
    since, etag = min(since, match.ply), update_etag(match.ply, match.chain, match.changed_at)
    kept = KEPT.get((match_id, since))
    if kept is not None and kept.etag == etag:
        return kept
    REQUESTS["page-read"].of(client_network(request)).spend()
    data = {**update_to_json(match, since), **choices_to_json(match, None)}
    made = Answer(etag, json.dumps(data, cls=JSONEncoder).encode())
    with _lock:
        KEPT.pop((match_id, since), None)
        KEPT[match_id, since] = made
        if len(KEPT) > MAX_KEPT:
            del KEPT[next(iter(KEPT))]
    return made
