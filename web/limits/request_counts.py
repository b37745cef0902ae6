"""Counts of each client's recent requests: a request is checked and counted in one step.

With ``REDIS_URL`` all processes share the counts, otherwise each has its own.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cache as cached
from hashlib import sha1
from threading import Lock
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache

from database.clock import read_clock

if TYPE_CHECKING:
    from database.redis_connection import RedisConnection

REDIS_TIMEOUT = 1.0
"""Seconds that Redis has to reply."""

COUNT = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local number, length, amount = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local oldest = redis.call('LINDEX', KEYS[1], -1)
while oldest and oldest + length <= now do
    redis.call('RPOP', KEYS[1])
    oldest = redis.call('LINDEX', KEYS[1], -1)
end
local used = redis.call('LLEN', KEYS[1])
local allowed = used < number
if allowed then
    for _ = 1, amount do
        used = redis.call('LPUSH', KEYS[1], now)
    end
    redis.call('PEXPIRE', KEYS[1], length)
end
return {allowed and 1 or 0, used, (oldest or now) + length - now}
"""
"""It counts by the clock of Redis, which all processes share. Lengths are in milliseconds; refusals do not count."""

COUNT_DIGEST = sha1(COUNT.encode(), usedforsecurity=False).hexdigest()
"""The name under which Redis keeps a script that it has run."""

_lock = Lock()


@dataclass(frozen=True, slots=True)
class Count:
    """The verdict on a request: ``allowed`` or not, how many are ``used``, and the seconds until the first expires."""

    allowed: bool
    used: int
    reset: float


def count_request(client: str, *, number: int, seconds: int, amount: int = 1) -> Count:
    """Count a request, unless ``client`` has made ``number`` in the last ``seconds``. Raises what the cache raises.

    It may count as several, ``number`` of them at most, though fewer are left.
    """
    key, amount = _key(client), min(amount, number)
    if not settings.REDIS_URL:
        return _count_in_process(key, number, seconds, amount)
    from redis.exceptions import NoScriptError  # noqa: PLC0415 - sites without Redis do without the 7 MB of its client

    arguments = (1, key, number, seconds * 1000, amount)
    connection = _redis(settings.REDIS_URL)
    try:
        allowed, used, reset = connection.call("EVALSHA", COUNT_DIGEST, *arguments)
    except NoScriptError:
        allowed, used, reset = connection.call("EVAL", COUNT, *arguments)
    return Count(bool(allowed), used, reset / 1000)


def forget_last_request(client: str, *, seconds: int, amount: int = 1) -> None:
    """Remove the last request from the count of ``client``, which counted as several. Raises what the cache raises."""
    if settings.REDIS_URL:
        _redis(settings.REDIS_URL).call("LPOP", _key(client), amount)
        return
    with _lock:
        recent: deque[float] = cache.get(_key(client), deque())
        if recent:
            for _ in range(min(amount, len(recent))):
                recent.pop()
            cache.set(_key(client), recent, seconds)


def forget_requests(client: str) -> None:
    """Remove all requests from the count of ``client``. Raises what the cache raises."""
    if settings.REDIS_URL:
        _redis(settings.REDIS_URL).call("DEL", _key(client))
        return
    cache.delete(_key(client))


def _key(client: str) -> str:
    return f"rate:{client}"


def _count_in_process(key: str, number: int, seconds: int, amount: int) -> Count:
    with _lock:
        now = read_clock().timestamp()
        recent: deque[float] = cache.get(key, deque())
        while recent and recent[0] + seconds <= now:
            recent.popleft()
        allowed = len(recent) < number
        if allowed:
            recent.extend([now] * amount)
            cache.set(key, recent, seconds)
        return Count(allowed, len(recent), recent[0] + seconds - now if recent else seconds)


@cached
def _redis(url: str) -> RedisConnection:
    from database.redis_connection import RedisConnection  # noqa: PLC0415 - as above

    return RedisConnection(url, timeout=REDIS_TIMEOUT)
