"""Where a request comes from."""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The client's address, taken from ``X-Forwarded-For`` only as far as ``TRUSTED_PROXIES`` wrote it."""
    proxies: int = settings.TRUSTED_PROXIES
    forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    if proxies and forwarded:
        return forwarded[-min(proxies, len(forwarded))]
    return str(request.META.get("REMOTE_ADDR", ""))
