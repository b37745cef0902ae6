"""Remember in a session which device its browser is, so that it is told nothing after logging out."""

from django.http import HttpRequest

_DEVICE = "push_device"


def note_device(request: HttpRequest, device_id: int) -> None:
    """Remember the device of the session's browser."""
    request.session[_DEVICE] = device_id


def device_of(request: HttpRequest) -> int | None:
    """Return the device of the session's browser, if it is one."""
    device_id = request.session.get(_DEVICE)
    return device_id if isinstance(device_id, int) else None
