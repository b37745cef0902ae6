"""The tag that shows devices on the profile."""

from typing import Any

from django import template
from django.template.context import Context

from push.forms import PushForm
from push.selectors import devices_of, push_settings_of
from push.sessions import device_of

register = template.Library()


@register.inclusion_tag("push/devices.html", takes_context=True)
def push_devices(context: Context) -> dict[str, Any]:
    """Show the viewer's devices, and what they are told."""
    player, this, devices = context["user"], device_of(context["request"]), list(devices_of(player=context["user"]))
    return {
        "csrf_token": context.get("csrf_token"),
        "devices": devices,
        "this": this,
        "is_here": any(device.pk == this for device in devices),
        "form": context.get("push_form") or PushForm(instance=push_settings_of(player=player)),
        "zone": player.time_zone or "UTC",
    }
