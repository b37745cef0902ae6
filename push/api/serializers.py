"""Serializers of bodies about devices."""

from typing import Any

from rest_framework import serializers

from push.models import MAX_DEVICE_NAME_LENGTH, MAX_ENDPOINT_LENGTH, SWITCHES, PushSettings


class DeviceKeysSerializer(serializers.Serializer[Any]):
    """The keys of a subscription, as browsers write them."""

    p256dh = serializers.CharField(max_length=100)
    auth = serializers.CharField(max_length=30)


class NewDeviceSerializer(serializers.Serializer[Any]):
    """A device to be told by push."""

    endpoint = serializers.CharField(max_length=MAX_ENDPOINT_LENGTH, help_text="The URL of the push service for it.")
    keys = DeviceKeysSerializer()
    name = serializers.CharField(max_length=MAX_DEVICE_NAME_LENGTH, help_text="What the device is called in the list.")
    replaces = serializers.CharField(
        max_length=MAX_ENDPOINT_LENGTH,
        required=False,
        allow_blank=True,
        default="",
        help_text="The endpoint that the device had before: one of yours stays the same device, with its name.",
    )


class PushSettingsSerializer(serializers.ModelSerializer[PushSettings]):
    """What a player is told on devices."""

    quiet_from = serializers.IntegerField(
        min_value=0, max_value=23, required=False, allow_null=True, help_text="An hour in your time zone, or null."
    )
    quiet_until = serializers.IntegerField(
        min_value=0, max_value=23, required=False, allow_null=True, help_text="An hour in your time zone, or null."
    )

    class Meta:
        model = PushSettings
        fields = (*SWITCHES.values(), "shows_names", "quiet_from", "quiet_until")
