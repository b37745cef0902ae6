"""The IP and the network of a request's client."""

from ipaddress import IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest


def client_ip(request: HttpRequest) -> str:
    """Return the client's IP, from ``X-Forwarded-For`` only as far as ``TRUSTED_PROXIES`` proxies wrote it."""
    proxies: int = settings.TRUSTED_PROXIES
    forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    if proxies and forwarded:
        return _without_port(forwarded[-min(proxies, len(forwarded))])
    return str(request.META.get("REMOTE_ADDR", ""))


def _without_port(written: str) -> str:
    """Return an IP without the port that some proxies add, a different one for each connection."""
    if written.startswith("["):
        return written[1:].partition("]")[0]
    host, _colon, port = written.partition(":")
    return written if ":" in port else host


def client_network(request: HttpRequest) -> str:
    """Return what counts as one client in limits: an IPv4 address, or the /64 network of an IPv6 address.

    A client with one IPv6 address usually has the whole /64 (RFC 6177).
    """
    written = client_ip(request)
    try:
        address = ip_address(written)
    except ValueError:
        return written
    if address.version == 4:
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address) >> 64 << 64, 64)))
