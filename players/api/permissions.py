"""API permissions: anybody reads, players write, tokens only within their scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from players.current_player import lacks_scope
from players.models import ApiToken, Scope

if TYPE_CHECKING:
    from rest_framework.views import APIView


class HasScope(BasePermission):
    """Anybody may read; only players may write. A token needs ``read``, or the view's ``write_scope``.

    A view sets ``write_scope`` where it is not ``play``, and ``private = True`` where reading too is for players only.
    Where everybody may read, a token without ``read`` gets what a visitor gets.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Return whether the request is allowed; set the message if a token's scopes are too narrow."""
        reading = request.method in SAFE_METHODS
        is_open = reading and not getattr(view, "private", False)
        if isinstance(request.auth, ApiToken):
            scope = Scope.READ if reading else getattr(view, "write_scope", Scope.PLAY)
            if scope in request.auth.scopes:
                return True
            self.message = lacks_scope(scope)
            if is_open:
                request.user = AnonymousUser()
            return is_open
        return is_open or bool(request.user and request.user.is_authenticated)
