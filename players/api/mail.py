"""The endpoints about mail: which mails a player wants, confirming an e-mail, and forgotten passwords."""

from __future__ import annotations

from typing import cast

from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from players import services
from players.api.base import KeyholderView, read_body
from players.api.serializers import MailSettingsSerializer, PasswordResetSerializer
from players.current_player import require_player
from players.schemas import MailSettingsSchema, mail_settings_to_json
from players.selectors import mail_settings_of
from players.services.mail_settings import MailWishes
from web.api.strict_views import StrictView
from web.requests.client_ip import client_network

ON_ITS_WAY = OpenApiResponse(description="A mail is on its way")


class MailSettingsView(KeyholderView):
    """The mail settings of the authenticated player."""

    @extend_schema(responses=MailSettingsSchema, operation_id="get_mail_settings")
    def get(self, request: Request) -> Response:
        """Get which mails you get, and how long before a deadline you are reminded."""
        return Response(mail_settings_to_json(mail_settings_of(player=require_player(request))))

    @extend_schema(request=MailSettingsSerializer, responses=MailSettingsSchema, operation_id="change_mail_settings")
    def patch(self, request: Request) -> Response:
        """Switch kinds of mail on and off. Kinds that you do not send stay as they are."""
        wishes = cast("MailWishes", read_body(MailSettingsSerializer, request, partial=True))
        changed = services.change_mail_settings(player=require_player(request), wishes=wishes)
        return Response(mail_settings_to_json(changed))


class ConfirmationsView(KeyholderView):
    """The confirmation of the authenticated player's e-mail."""

    throttle_scope = "mail"

    @extend_schema(request=None, responses={202: ON_ITS_WAY}, operation_id="request_confirmation")
    def post(self, request: Request) -> Response:
        """Ask for another mail with the link that confirms your e-mail."""
        services.request_confirmation(player=require_player(request), now=timezone.now())
        return Response(status=202)


class PasswordResetsView(StrictView):
    """Forgotten passwords."""

    permission_classes = (AllowAny,)
    throttle_scope = "mail"

    @extend_schema(request=PasswordResetSerializer, responses={202: ON_ITS_WAY}, operation_id="request_password_reset")
    def post(self, request: Request) -> Response:
        """Ask for a mail with a link to choose another password. Nobody learns whether the e-mail is known."""
        client_ip = client_network(request._request)  # noqa: SLF001 - Django's request knows it
        services.request_password_reset(
            **read_body(PasswordResetSerializer, request), client_ip=client_ip, now=timezone.now()
        )
        return Response(status=202)
