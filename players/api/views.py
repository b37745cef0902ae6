"""The players' endpoints: sign-up, guests, profiles, tokens, mail and vacation."""

from datetime import date

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players import services
from players.api.authentication import OwnOriginSession, PasswordAuthentication
from players.api.base import KeyholderView, player_with_password
from players.api.serializers import (
    EmailSerializer,
    MailSettingsSerializer,
    NewTokenSerializer,
    NewVacationSerializer,
    OwnSettingsSerializer,
    PasswordResetSerializer,
    PasswordSerializer,
    SignUpSerializer,
)
from players.current_player import require_player
from players.models import Player, Scope
from players.recent_password import note_password
from players.schemas import (
    GuestSchema,
    MailSettingsSchema,
    OwnPlayerSchema,
    PlayerSchema,
    SecretTokenSchema,
    TokenSchema,
    VacationSchema,
    guest_to_json,
    mail_settings_to_json,
    own_player_to_json,
    player_to_json,
    secret_token_to_json,
    token_to_json,
    vacation_to_json,
)
from players.selectors import find_any_player, mail_settings_of, recent_days_of, tokens_of, vacation_years
from web.api.idempotency.decorator import answered_whole
from web.api.idempotency.keys import IDEMPOTENCY_KEY, KEY_HEADER
from web.api.rows import rows_to_json
from web.api.strict_views import StrictView
from web.requests.client_ip import client_network


class SignUpView(StrictView):
    """New players."""

    permission_classes = (AllowAny,)
    throttle_scope = "sign-up"

    @extend_schema(request=SignUpSerializer, responses={201: OwnPlayerSchema}, operation_id="sign_up")
    @answered_whole
    def post(self, request: Request) -> Response:
        """Sign up. A guest who signs up becomes the new player and keeps all matches."""
        details = self.read_body()
        guest = request.user if isinstance(request.user, Player) else None
        player = services.sign_up(**details, guest=guest, now=current_moment())
        if isinstance(request.successful_authenticator, OwnOriginSession):
            note_password(request, player)
        return Response(own_player_to_json(player), status=201)


class GuestsView(StrictView):
    """New guests, who may play at once."""

    permission_classes = (AllowAny,)
    throttle_scope = "guests"

    @extend_schema(request=None, responses={201: GuestSchema}, operation_id="create_guest")
    @answered_whole
    def post(self, request: Request) -> Response:
        """Create a guest, who may play at once. The token is the only way in: if you lose it, you lose the guest."""
        now = current_moment()
        guest = services.create_guest(now=now, network=client_network(request))
        token, secret = services.create_token(player=guest, name=_("guest"), scopes=[Scope.READ, Scope.PLAY], now=now)
        return Response(guest_to_json(guest, token, secret), status=201)


class PlayerView(StrictView):
    """One player."""

    @extend_schema(responses=PlayerSchema, operation_id="get_player")
    def get(self, request: Request, username: str) -> Response:
        """Get a player. The username may be in any case of letters."""
        player = find_any_player(username=username)
        if player is None:
            raise Http404(_("There is no such player."))
        return Response(player_to_json(player))


class MeView(StrictView):
    """The player who asks."""

    private = True

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Require the password or a session to change or delete the account: a token is not enough."""
        if self.request is not None and self.request.method in {"PATCH", "DELETE"}:
            return [PasswordAuthentication(), OwnOriginSession()]
        return super().get_authenticators()

    @extend_schema(responses=OwnPlayerSchema, operation_id="get_me")
    def get(self, request: Request) -> Response:
        """Get your own player."""
        return Response(own_player_to_json(require_player(request)))

    @extend_schema(request=OwnSettingsSerializer, responses=OwnPlayerSchema, operation_id="change_me")
    @answered_whole
    def patch(self, request: Request) -> Response:
        """Change what you choose about yourself. Choices that you do not send stay as they are."""
        player = require_player(request)
        services.change_choices(player=player, choices=self.read_body(), now=current_moment())
        return Response(own_player_to_json(player))

    @extend_schema(responses={204: OpenApiResponse(description="Deleted")}, operation_id="delete_account")
    def delete(self, request: Request) -> Response:
        """Delete your account: matches are resigned, competitions left, and results stay under a neutral name."""
        services.delete_account(player_id=player_with_password(request).pk, now=current_moment())
        return Response(status=204)


class EmailView(KeyholderView):
    """The e-mail of the authenticated player."""

    throttle_scope = "mail"

    @extend_schema(request=EmailSerializer, responses=OwnPlayerSchema, operation_id="change_email")
    @answered_whole
    def put(self, request: Request) -> Response:
        """Change your e-mail, or remove it. A mail with a link that confirms it is sent there."""
        player = player_with_password(request)
        services.change_email(player=player, **self.read_body(), now=current_moment())
        return Response(own_player_to_json(player))


class PasswordView(KeyholderView):
    """The password of the player who asks."""

    throttle_scope = "password"

    @extend_schema(
        request=PasswordSerializer,
        responses={204: OpenApiResponse(description="Changed")},
        operation_id="change_password",
    )
    def put(self, request: Request) -> Response:
        """Change your password. Other sessions end; tokens are revoked unless `revoke_tokens` is false."""
        services.change_password(player=require_player(request), **self.read_body())
        if isinstance(request.successful_authenticator, OwnOriginSession):
            note_password(request, require_player(request))
        return Response(status=204)


class TokensView(KeyholderView):
    """The API tokens of the player who asks."""

    throttle_scope = "tokens"

    @extend_schema(responses=list[TokenSchema], operation_id="list_tokens")
    def get(self, request: Request) -> Response:
        """List your tokens, the newest first, without their secrets."""
        return Response(rows_to_json(tokens_of(player=require_player(request)), token_to_json))

    @extend_schema(
        request=NewTokenSerializer,
        parameters=[IDEMPOTENCY_KEY],
        responses={201: SecretTokenSchema},
        operation_id="create_token",
    )
    @answered_whole
    def post(self, request: Request) -> Response:
        """Create a token. Its secret is shown this once, and again to the same request with the same key."""
        token, secret = services.create_token(
            player=player_with_password(request),
            **self.read_body(),
            now=current_moment(),
            key=request.headers.get(KEY_HEADER),
        )
        return Response(secret_token_to_json(token, secret), status=201)


class TokenView(KeyholderView):
    """One API token of the player who asks."""

    @extend_schema(responses={204: OpenApiResponse(description="Revoked")}, operation_id="revoke_token")
    def delete(self, request: Request, token_id: int) -> Response:
        """Revoke a token: no request with it is answered from now on."""
        services.revoke_token(player=player_with_password(request), token_id=token_id)
        return Response(status=204)


ON_ITS_WAY = OpenApiResponse(description="A mail is on its way")


class MailSettingsView(KeyholderView):
    """The mail settings of the authenticated player."""

    @extend_schema(responses=MailSettingsSchema, operation_id="get_mail_settings")
    def get(self, request: Request) -> Response:
        """Get which mails you get, and how long before a deadline you are reminded."""
        return Response(mail_settings_to_json(mail_settings_of(player=require_player(request))))

    @extend_schema(request=MailSettingsSerializer, responses=MailSettingsSchema, operation_id="change_mail_settings")
    @answered_whole
    def patch(self, request: Request) -> Response:
        """Switch kinds of mail on and off. Kinds that you do not send stay as they are."""
        player, now = require_player(request), current_moment()
        changed = services.change_mail_settings(player=player, wishes=self.read_body(), now=now)
        return Response(mail_settings_to_json(changed))


class ConfirmationsView(KeyholderView):
    """The confirmation of the authenticated player's e-mail."""

    throttle_scope = "mail"

    @extend_schema(request=None, responses={202: ON_ITS_WAY}, operation_id="request_confirmation")
    def post(self, request: Request) -> Response:
        """Ask for another mail with the link that confirms your e-mail."""
        services.request_confirmation(player=require_player(request), now=current_moment())
        return Response(status=202)


class PasswordResetsView(StrictView):
    """Forgotten passwords."""

    permission_classes = (AllowAny,)
    throttle_scope = "mail"

    @extend_schema(request=PasswordResetSerializer, responses={202: ON_ITS_WAY}, operation_id="request_password_reset")
    def post(self, request: Request) -> Response:
        """Ask for a mail with a link to choose another password. Nobody learns whether the e-mail is known."""
        client_ip = client_network(request)
        services.request_password_reset(**self.read_body(), client_ip=client_ip, now=current_moment())
        return Response(status=202)


def _answer(player: Player) -> Response:
    now = current_moment()
    return Response(vacation_to_json(vacation_years(player=player, now=now), recent_days_of(player=player, now=now)))


class VacationView(StrictView):
    """The vacation of the player who asks."""

    private = True

    @extend_schema(responses=VacationSchema, operation_id="get_vacation")
    def get(self, request: Request) -> Response:
        """Get your vacation: days left this year and the next, and days spent or planned since last year."""
        return _answer(require_player(request))

    @extend_schema(request=NewVacationSerializer, responses=VacationSchema, operation_id="plan_vacation")
    @answered_whole
    def post(self, request: Request) -> Response:
        """Plan days of vacation, from the first to the last (UTC). Days that are planned already stay."""
        services.plan_vacation(player=require_player(request), **self.read_body(), now=current_moment())
        return _answer(require_player(request))


class VacationDayView(StrictView):
    """A planned day of the player who asks."""

    private = True

    @extend_schema(
        parameters=[OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH)],
        responses={204: OpenApiResponse(description="Cancelled")},
        operation_id="cancel_vacation_day",
    )
    def delete(self, request: Request, day: str) -> Response:
        """Cancel a planned day of vacation that has not begun."""
        try:
            planned = date.fromisoformat(day)
        except ValueError:
            raise Http404 from None
        services.cancel_day(player=require_player(request), day=planned, now=current_moment())
        return Response(status=204)
