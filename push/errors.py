"""Refusals of the push app."""

from web.errors import DomainError


class DeviceNotFound(DomainError):
    """The player has no such device."""

    code = "not_found"
