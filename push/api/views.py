"""The endpoints of devices, and of what their player is told on them."""

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from players.api.authentication import OwnOriginSession
from players.current_player import require_player
from push.api.serializers import NewDeviceSerializer, PushSettingsSerializer
from push.encryption import public_key_of
from push.schemas import DeviceSchema, PushSettingsSchema, device_to_json, push_settings_to_json
from push.selectors import devices_of, push_settings_of
from push.services.keys import site_key
from push.services.subscriptions import change_push_settings, end_subscription, subscribe
from push.sessions import note_device
from web.api.idempotency.decorator import answered_whole
from web.api.rows import rows_to_json
from web.api.strict_views import StrictView


class PushSubscriptionsView(StrictView):
    """The devices of the player who asks."""

    private = True

    @extend_schema(responses=list[DeviceSchema], operation_id="list_push_subscriptions")
    def get(self, request: Request) -> Response:
        """List your devices that are told by push, the newest first."""
        return Response(rows_to_json(devices_of(player=require_player(request)), device_to_json))

    @extend_schema(request=NewDeviceSerializer, responses={201: DeviceSchema}, operation_id="create_push_subscription")
    @answered_whole
    def post(self, request: Request) -> Response:
        """Subscribe a device. The same endpoint again is the same device, with what is sent now."""
        body = self.read_body()
        device = subscribe(
            player=require_player(request),
            endpoint=body["endpoint"],
            **body["keys"],
            name=body["name"],
            replaces=body["replaces"],
            now=current_moment(),
        )
        if isinstance(request.successful_authenticator, OwnOriginSession):
            note_device(request, device.pk)
        return Response(device_to_json(device), status=201)


class PushSubscriptionView(StrictView):
    """One device of the player who asks."""

    private = True

    @extend_schema(responses={204: OpenApiResponse(description="Ended")}, operation_id="end_push_subscription")
    def delete(self, request: Request, device_id: int) -> Response:
        """End a subscription: nothing is sent to the device any more."""
        end_subscription(player=require_player(request), device_id=device_id)
        return Response(status=204)


class PushSettingsView(StrictView):
    """What the player who asks is told on devices."""

    private = True

    @extend_schema(responses=PushSettingsSchema, operation_id="get_push_settings")
    def get(self, request: Request) -> Response:
        """Get what you are told by push, and the key with which a device subscribes."""
        settings = push_settings_of(player=require_player(request))
        return Response(push_settings_to_json(settings, server_key=public_key_of(site_key())))

    @extend_schema(request=PushSettingsSerializer, responses=PushSettingsSchema, operation_id="change_push_settings")
    @answered_whole
    def patch(self, request: Request) -> Response:
        """Choose what you are told, and your quiet hours. What you do not send stays as it is."""
        settings = change_push_settings(player=require_player(request), wishes=self.read_body())
        return Response(push_settings_to_json(settings, server_key=public_key_of(site_key())))
