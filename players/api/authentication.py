"""Authentication of API requests by token, session or HTTP Basic."""

import base64
import binascii

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.translation import gettext as _
from rest_framework import HTTP_HEADER_ENCODING
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from database.clock import current_moment
from players.errors import WrongCredentials
from players.models import ApiToken, Player
from players.selectors import find_token
from players.services import check_credentials, note_act, note_client, note_use
from web.limits.table import TOKENS_BY_CLIENT
from web.requests.client_ip import client_network


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer kick_…``. ``request.auth`` is then the ApiToken."""

    def authenticate(self, request: Request) -> tuple[Player, ApiToken] | None:
        """Return the token's player and the token, ``None`` without such a header; fails for any other.

        Raises TooManyAttempts for too many of those from one client network. A right token is answered even then:
        nobody guesses its 256 bits, and a neighbour's program with an old token locks nobody out.
        """
        secret = _credentials(
            request, scheme="bearer", else_say=_("Send a token here: “Authorization: Bearer kick_…”.")
        )
        if secret is None:
            return None
        now = current_moment()
        token = find_token(secret=secret, now=now)
        if token is None:
            TOKENS_BY_CLIENT.of(client_network(request)).spend()
            raise AuthenticationFailed(_("This token is unknown, expired or revoked."))
        note_use(token=token, now=now)
        note_client(player=token.player, network=client_network(request))
        note_act(player=token.player, now=now)
        return token.player, token

    def authenticate_header(self, request: Request) -> str:
        """Return what a refused client should send."""
        return 'Bearer realm="Kickabout"'


class PasswordAuthentication(BaseAuthentication):
    """HTTP Basic with username and password: only to create and revoke tokens."""

    def authenticate(self, request: Request) -> tuple[Player, None] | None:
        """Return the player, ``None`` without such a header; fails for wrong ones or a token, refuses too many."""
        no_token = _("No token is enough here: send username and password by HTTP Basic.")
        encoded = _credentials(request, scheme="basic", else_say=no_token)
        if encoded is None:
            return None
        try:
            username, colon, password = base64.b64decode(encoded, validate=True).decode().partition(":")
        except (binascii.Error, ValueError):
            colon = ""
        if not colon:
            raise AuthenticationFailed(_("The Basic credentials cannot be read: base64 of UTF-8 username:password."))
        try:
            player = check_credentials(
                username=username,
                password=password,
                client_ip=client_network(request),
            )
        except WrongCredentials as error:
            raise AuthenticationFailed(error.reason) from None
        note_act(player=player, now=current_moment())
        return player, None

    def authenticate_header(self, request: Request) -> str:
        """Return what a refused client should send. Not ``Basic``: browsers would open a window of their own."""
        return 'Credentials realm="Kickabout"'


def _credentials(request: Request, *, scheme: str, else_say: str) -> str | None:
    """Return what an ``Authorization`` of this scheme gives, ``None`` without such a header.

    Whoever sends another scheme means to be known, and is not taken for nobody: raises AuthenticationFailed.
    """
    if "Authorization" not in request.headers:
        return None
    given, _space, credentials = get_authorization_header(request).decode(HTTP_HEADER_ENCODING).partition(" ")
    if given.lower() != scheme:
        raise AuthenticationFailed(else_say)
    return credentials.strip()


class OwnOriginSession(SessionAuthentication):
    """The session of the pages. A request of a page of another origin counts as a visitor's."""

    def authenticate(self, request: Request) -> tuple[Player, None] | None:
        """Return the player of the session, ``None`` without one, or for a request of another origin."""
        plain = request._request  # noqa: SLF001 - the session is Django's
        if "Origin" in plain.headers and not _Origins(_answer_nothing).know(plain):
            return None
        found: tuple[Player, None] | None = super().authenticate(request)
        return found


class _Origins(CsrfViewMiddleware):
    """The origins from which Django takes forms: the site's own, and those of ``CSRF_TRUSTED_ORIGINS``."""

    def know(self, request: HttpRequest) -> bool:
        """Return whether the origin that a request names is one of them."""
        return bool(self._origin_verified(request))  # type: ignore[attr-defined] # the stubs leave it out


def _answer_nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse()
