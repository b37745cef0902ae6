"""Calls to URLs that others have named: to public addresses only, without redirects, and each within a time.

The address that was checked is the one that is called: a name is resolved once.
"""

import asyncio
import ssl
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

CALL_TIMEOUT = 10.0
"""Seconds for a whole call, from the look-up of the name to the status of the answer."""

MAX_ANSWER_LINE = 4096
PORTS = {"https": 443, "http": 80}

_NAT64 = ip_network("64:ff9b::/96")


class ForbiddenUrl(ValueError):
    """A URL that is not called: not of a public server, or not spoken to in secret."""


@dataclass(frozen=True, slots=True)
class Call:
    """A POST to a URL that others have named."""

    url: str
    headers: Mapping[str, str]
    body: bytes


def check_url(url: str) -> SplitResult:
    """Return the parts of a URL that may be called, as far as its text says; raises ForbiddenUrl."""
    try:
        parts = urlsplit(url)
        has_port = parts.port is None or parts.port > 0
    except ValueError:
        raise ForbiddenUrl("This is no URL.") from None
    schemes = PORTS if settings.ALLOW_PRIVATE_ADDRESSES else {"https"}
    is_plain = url.isascii() and url.isprintable() and " " not in url
    if not (is_plain and has_port and parts.scheme in schemes and parts.hostname and parts.username is None):
        raise ForbiddenUrl("This is no URL that starts with https://.")
    return parts


def post_all(calls: Sequence[Call]) -> list[int | Exception]:
    """Make calls side by side, and return for each the status of its answer, or why there is none.

    It lasts ``CALL_TIMEOUT`` at most, however slow some of the servers, or their names, are.
    """
    loop = asyncio.new_event_loop()
    # One thread each, so that names that are slow to be found do not hold up others.
    loop.set_default_executor(ThreadPoolExecutor(max(1, len(calls)), thread_name_prefix="names"))
    try:
        return loop.run_until_complete(_gather(calls))
    finally:
        # Without waiting for names that are still looked up, as ``asyncio.run`` would.
        loop.close()


async def _gather(calls: Sequence[Call]) -> list[int | Exception]:
    context = ssl.create_default_context()
    answers = await asyncio.gather(*(_post(call, context) for call in calls), return_exceptions=True)
    return [answer if isinstance(answer, int | Exception) else ConnectionError(repr(answer)) for answer in answers]


async def _post(call: Call, context: ssl.SSLContext) -> int:
    parts = check_url(call.url)
    host, port = str(parts.hostname), parts.port or PORTS[parts.scheme]
    is_secret = parts.scheme == "https"
    async with asyncio.timeout(CALL_TIMEOUT):
        reader, writer = await asyncio.open_connection(
            await _public_address(host, port),
            port,
            ssl=context if is_secret else None,
            server_hostname=host if is_secret else None,
            limit=MAX_ANSWER_LINE,
        )
        try:
            writer.write(_head(call, parts) + call.body)
            await writer.drain()
            _version, status, *_reason = (await reader.readline()).split()
            return int(status)
        finally:
            writer.transport.abort()


async def _public_address(host: str, port: int) -> str:
    """Return an address of a host; raises ForbiddenUrl if one of them is not public."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=1)
    addresses = [str(address[0]) for *_kind, address in found]
    if not settings.ALLOW_PRIVATE_ADDRESSES and not all(is_public(ip_address(each)) for each in addresses):
        raise ForbiddenUrl("This is no server of the public internet.")
    return addresses[0]


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is one of the public internet, and so is the one that it stands for."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def _head(call: Call, parts: SplitResult) -> bytes:
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host = parts.netloc
    headers = {"Host": host, **call.headers, "Content-Length": str(len(call.body)), "Connection": "close"}
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("ascii")
