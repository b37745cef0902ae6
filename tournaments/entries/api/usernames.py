"""The endpoint by which programs and pages find the players whom somebody wants to enter or to invite."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.api.serializers import BeginningSerializer
from players.current_player import require_player
from tournaments.entries.errors import LookupRefused
from tournaments.entries.selectors.own_players import find_usernames_for
from web.api.request_data import read
from web.api.strict_views import StrictView


class UsernamesView(StrictView):
    """Usernames by what is known of them."""

    @extend_schema(operation_id="find_usernames", parameters=[BeginningSerializer], responses=list[str])
    def get(self, request: Request) -> Response:
        """List up to ten usernames that begin with a text, in any case of letters; guests and closed accounts never.

        Before them come those of players of your own competitions who have it anywhere in their names. For players
        with an account.
        """
        player = require_player(request)
        if player.is_guest or player.is_computer:
            raise LookupRefused(_("Only players with an account can look up usernames. Sign up first."))
        known = read(BeginningSerializer, request.query_params)["beginning"]
        return Response(find_usernames_for(player=player, known=known))
