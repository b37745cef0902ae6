"""Counting what each client has asked for lately, in one step, so that nobody slips in between.

With ``REDIS_URL`` all processes count together, else this one by itself.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from functools import cache as cached
from hashlib import sha1
from threading import Lock

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import NoScriptError

from database.redis_connection import RedisConnection

REDIS_TIMEOUT = 1.0
"""Seconds that Redis has to answer."""

COUNT = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local number, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local oldest = redis.call('LINDEX', KEYS[1], -1)
while oldest and oldest + length <= now do
    redis.call('RPOP', KEYS[1])
    oldest = redis.call('LINDEX', KEYS[1], -1)
end
local used = redis.call('LLEN', KEYS[1])
local allowed = used < number
if allowed then
    used = redis.call('LPUSH', KEYS[1], now)
    redis.call('PEXPIRE', KEYS[1], length)
end
return {allowed and 1 or 0, used, (oldest or now) + length - now}
"""
"""Redis' clock is the same for all. Lengths are in milliseconds; what was refused does not count."""

COUNT_DIGEST = sha1(COUNT.encode(), usedforsecurity=False).hexdigest()
"""By what Redis knows a script that it has seen."""

_alone = Lock()


@dataclass(frozen=True, slots=True)
class Count:
    """Whether it is ``allowed``, how many are ``used`` with it, and in how many seconds the first is forgotten."""

    allowed: bool
    used: int
    reset: float


def count_request(who: str, *, number: int, seconds: int) -> Count:
    """Count one request unless ``who`` has had ``number`` in the last ``seconds``. Raises what the cache raises."""
    key = _key(who)
    if not settings.REDIS_URL:
        return _count_alone(key, number, seconds)
    arguments = (1, key, number, seconds * 1000)
    line = _line(settings.REDIS_URL)
    try:
        allowed, used, reset = line.ask("EVALSHA", COUNT_DIGEST, *arguments)
    except NoScriptError:
        allowed, used, reset = line.ask("EVAL", COUNT, *arguments)
    return Count(bool(allowed), used, reset / 1000)


def forget_last_request(who: str, *, seconds: int) -> None:
    """Do as if the last request that was counted for ``who`` had not been. Raises what the cache raises."""
    if settings.REDIS_URL:
        _line(settings.REDIS_URL).ask("LPOP", _key(who))
        return
    with _alone:
        lately: deque[float] = cache.get(_key(who), deque())
        if lately:
            lately.pop()
            cache.set(_key(who), lately, seconds)


def forget_requests(who: str) -> None:
    """Do as if nothing had been counted for ``who``. Raises what the cache raises."""
    if settings.REDIS_URL:
        _line(settings.REDIS_URL).ask("DEL", _key(who))
        return
    cache.delete(_key(who))


def _key(who: str) -> str:
    return f"rate:{who}"


def _count_alone(key: str, number: int, seconds: int) -> Count:
    with _alone:
        now = time.time()
        lately: deque[float] = cache.get(key, deque())
        while lately and lately[0] + seconds <= now:
            lately.popleft()
        allowed = len(lately) < number
        if allowed:
            lately.append(now)
            cache.set(key, lately, seconds)
        return Count(allowed, len(lately), lately[0] + seconds - now if lately else seconds)


@cached
def _line(url: str) -> RedisConnection:
    return RedisConnection(url, patience=REDIS_TIMEOUT)
