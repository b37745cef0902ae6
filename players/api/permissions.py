"""What a request may do: anybody reads, players write, tokens only within their scopes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from players.models import ApiToken, Scope

if TYPE_CHECKING:
    from rest_framework.views import APIView


class HasScope(BasePermission):
    """Reading is open to all; writing needs a player. A token needs ``read``, or the view's ``write_scope``.

    A view sets ``write_scope`` where it is not ``play``, and ``private = True`` where reading too is
    for players only.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Whether the request may be made; sets the sentence for a token whose scopes are too narrow."""
        reading = request.method in SAFE_METHODS
        if isinstance(request.auth, ApiToken):
            scope = Scope.READ if reading else getattr(view, "write_scope", Scope.PLAY)
            self.message = _("This token lacks the scope '%s'.") % scope.value
            return scope in request.auth.scopes
        if reading and not getattr(view, "private", False):
            return True
        return bool(request.user and request.user.is_authenticated)
