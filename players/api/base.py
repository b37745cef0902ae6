"""The bases of the players' endpoints: what a token may do, and what needs a session or the password."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from players.api.authentication import OwnOriginSession, PasswordAuthentication
from players.current_player import require_player
from players.errors import PasswordNeeded
from players.models import Player
from players.recent_password import has_recent_password
from web.api.strict_views import StrictView

IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="The `ETag` of the answer that you have: if it is still the same, you get 304 and no body.",
)


class KeyholderView(StrictView):
    """An endpoint that takes no token: it needs a session in the browser, or HTTP Basic with the password.

    Requests that delete something, or would let a thief stay, also call ``player_with_password``.
    """

    authentication_classes = (PasswordAuthentication, OwnOriginSession)
    private = True


def player_with_password(request: Request) -> Player:
    """Return the player who asks, and who gave the password with the request, or in the session a short time ago.

    Raises NotAuthenticated and PasswordNeeded.
    """
    player = require_player(request)
    if isinstance(request.successful_authenticator, PasswordAuthentication):
        return player
    if not has_recent_password(request, player):
        raise PasswordNeeded(_("Enter your password again: send it with this request by HTTP Basic, or log in again."))
    return player
