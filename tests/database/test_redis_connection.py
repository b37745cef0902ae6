"""Connections to Redis that threads keep: found again after a loss, and never shared."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import redis

from database.redis_connection import RedisConnection

pytestmark = pytest.mark.postgresql


@pytest.fixture
def client():
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        yield client


@pytest.fixture
def server() -> RedisConnection:
    return RedisConnection(os.environ["REDIS_URL"], timeout=2)


def test_a_command_is_replied_to_after_the_connection_was_lost(server, client):
    client.client_kill_filter(_id=server.call("CLIENT", "ID"), skipme=False)
    assert server.call("ECHO", "still here") == b"still here"


def test_a_refused_command_leaves_the_connection_as_it_was(server):
    number = server.call("CLIENT", "ID")
    with pytest.raises(redis.ResponseError):
        server.call("EVALSHA", "0" * 40, 0)
    assert server.call("CLIENT", "ID") == number


def test_each_thread_has_a_connection_of_its_own(server):
    together = Barrier(3)

    def number(_: int) -> int:
        together.wait()
        return server.call("CLIENT", "ID")

    with ThreadPoolExecutor(3) as threads:
        assert len({*threads.map(number, range(3)), server.call("CLIENT", "ID")}) == 4


def test_threads_that_come_and_go_never_use_up_the_connections(server, client):
    before = len(client.client_list())
    for _ in range(150):
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(server.call, "ECHO", "here").result() == b"here"
    assert len(client.client_list()) < before + 100


def test_a_forked_process_does_not_speak_on_its_parents_connection(server):
    number = server.call("CLIENT", "ID")
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.write(writing, str(server.call("CLIENT", "ID")).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(reading, 20)) != number
    assert server.call("CLIENT", "ID") == number


def test_commands_that_are_sent_together_arrive_also_after_the_connection_was_lost(server, client):
    key = "test:redis-lines"
    try:
        server.send_all([("RPUSH", key, "one"), ("RPUSH", key, "two")])
        client.client_kill_filter(_id=server.call("CLIENT", "ID"), skipme=False)
        server.send_all([("RPUSH", key, "three")])
        assert client.lrange(key, 0, -1) == [b"one", b"two", b"three"]
    finally:
        client.delete(key)


def test_of_commands_that_are_sent_together_a_refused_one_is_reported_and_the_others_have_run(server, client):
    key = "test:redis-lines"
    try:
        with pytest.raises(redis.ResponseError, match="wrong number of arguments"):
            server.send_all([("RPUSH", key, "one"), ("RPUSH", key), ("RPUSH", key, "two")])
        assert server.call("LRANGE", key, 0, -1) == [b"one", b"two"]
    finally:
        client.delete(key)


def test_a_server_that_is_away_is_reported(server):
    away = RedisConnection("unix:///nowhere/at/all", timeout=2)
    with pytest.raises(redis.ConnectionError):
        away.call("PING")
    with pytest.raises(redis.ConnectionError):
        away.send_all([("PING",)])
