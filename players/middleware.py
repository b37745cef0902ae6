"""Middleware that notes of players when they last did something, and knows guests: their network, their forms."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth import login
from django.db import Error, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from database.clock import current_moment
from database.named_locks import lock_name
from players.models import Player
from players.presence import follows
from players.services import note_act, note_client
from web.api.idempotency.responses import Answer, find_response, respond_once
from web.errors import DomainError
from web.limits.budgets import SAFE_METHODS
from web.pages.form_keys import FormKeysMiddleware, has_form_key, key_of
from web.pages.refusal_pages import refuse
from web.requests.client_ip import client_network
from web.requests.privacy import SHOWN_BY_BACK

logger = structlog.get_logger(__name__)


class ActsMiddleware:
    """Notes that the player of a session has acted, unless the browser only follows what a page shows."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        response = self.get_response(request)
        # A client that is told that the database is away need not wait for a second attempt to reach it.
        is_away = response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not follows(request) and not is_away:
            _note(request)
        return response


def _note(request: HttpRequest) -> None:
    """Note the act; a database that is away must not spoil the response, and the next act is noted."""
    try:
        player = request.user
        if isinstance(player, Player):
            note_act(player=player, now=current_moment())
    except Error as error:
        logger.warning("act_not_noted", error=str(error))


class GuestClientMiddleware:
    """Notes the client network of a guest who sends something, if it has been forgotten since."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        if request.method not in SAFE_METHODS and settings.SESSION_COOKIE_NAME in request.COOKIES:
            player = request.user
            if isinstance(player, Player):
                note_client(player=player, network=client_network(request))
        return self.get_response(request)


class GuestFormKeysMiddleware(FormKeysMiddleware):
    """Lets a visitor whose form is sent again, or several times at once, go on as the one guest whom it has made."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, options: dict[str, Any]
    ) -> HttpResponse | None:
        """Return what the view answers, or answered to the same form of this browser; ``None`` without a key."""
        browser = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
        if not has_form_key(request) or not browser or request.user.pk is not None:
            return super().process_view(request, view, args, options)
        key, now = key_of(request, browser), current_moment()
        try:
            with transaction.atomic():
                lock_name(key)
                found = find_response(key=key, now=now)
                if found is not None and found.player.is_guest:
                    login(request, found.player)
                    return HttpResponse(status=found.status, headers=found.headers)
                response = view(request, *args, **options)
                if "Location" in response and isinstance(guest := request.user, Player):
                    answer = Answer(response.status_code, "", {"Location": response["Location"]})
                    respond_once(player_id=guest.pk, key=key, fingerprint=key, now=now, answer=lambda: answer)
                else:
                    response["Cache-Control"] = SHOWN_BY_BACK
                return response
        except DomainError as refusal:
            return refuse(request, refusal)
