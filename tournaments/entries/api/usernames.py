"""The endpoint by which programs and pages find the players whom somebody wants to enter or to invite."""

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from players.api.serializers import BeginningSerializer
from players.current_player import require_player
from players.models import Player
from players.selectors import MAX_SUGGESTED, find_usernames, is_searchable
from tournaments.entries.errors import LookupRefused
from tournaments.models import Entry
from web.api.strict_views import StrictView

MAX_OWN_COMPETITIONS = 20
"""The latest competitions of an organiser whose players are looked through."""


def find_usernames_for(*, player: Player, known: str) -> list[str]:
    """Return usernames to suggest to a player who knows a part of one: of guests and closed accounts never.

    First come those with the text anywhere in them, of players of the latest competitions that the player organises,
    then those of all players, of which those that begin so are first; before all of them the player who is called just
    so. Four queries at most.
    """
    everybody = find_usernames(part=known)
    own = _usernames_of_own(player, known) if is_searchable(known) else []
    found = [*own, *(name for name in everybody if name not in own)]
    return sorted(found, key=lambda name: name.lower() != known.lower())[:MAX_SUGGESTED]


def _usernames_of_own(player: Player, known: str) -> list[str]:
    latest = player.organised_competitions.order_by("-pk").values_list("pk", flat=True)[:MAX_OWN_COMPETITIONS]
    entered = Entry.objects.filter(competition__in=list(latest)).values("player")
    named = Player.objects.filter(pk__in=entered, username__icontains=known, is_active=True, is_guest=False)
    return list(named.order_by("username").values_list("username", flat=True)[:MAX_SUGGESTED])


class UsernamesView(StrictView):
    """Usernames by what is known of them."""

    @extend_schema(operation_id="find_usernames", parameters=[BeginningSerializer], responses=list[str])
    def get(self, request: Request) -> Response:
        """List up to ten usernames with a text anywhere in them, in any case of letters.

        Guests and closed accounts are never among them. Those of players of your own competitions come first, then
        those that begin so. Of two letters only usernames that begin so are found, and those of your own players. For
        players with an account.
        """
        player = require_player(request)
        if player.is_guest or player.is_computer:
            raise LookupRefused(_("Only players with an account can look up usernames. Sign up first."))
        known = self.read_query()["beginning"]
        return Response(find_usernames_for(player=player, known=known))
