"""Connections to Redis that threads keep: found again after a loss, and never shared."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import redis

from database.redis_connection import Connection, RedisConnection

pytestmark = pytest.mark.postgresql


def mute(connection: Connection) -> None:
    connection.on_connect()
    connection.send_command("CLIENT", "REPLY", "OFF")


@pytest.fixture
def client():
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        yield client


@pytest.fixture
def line() -> RedisConnection:
    return RedisConnection(os.environ["REDIS_URL"], patience=2)


@pytest.fixture
def mute_line() -> RedisConnection:
    return RedisConnection(os.environ["REDIS_URL"], patience=2, greet=mute)


def test_a_question_is_answered_after_the_connection_was_lost(line, client):
    client.client_kill_filter(_id=line.ask("CLIENT", "ID"), skipme=False)
    assert line.ask("ECHO", "still here") == b"still here"


def test_a_refused_command_leaves_the_connection_as_it_was(line):
    number = line.ask("CLIENT", "ID")
    with pytest.raises(redis.ResponseError):
        line.ask("EVALSHA", "0" * 40, 0)
    assert line.ask("CLIENT", "ID") == number


def test_each_thread_has_a_connection_of_its_own(line):
    together = Barrier(3)

    def number(_: int) -> int:
        together.wait()
        return line.ask("CLIENT", "ID")

    with ThreadPoolExecutor(3) as threads:
        assert len({*threads.map(number, range(3)), line.ask("CLIENT", "ID")}) == 4


def test_threads_that_come_and_go_never_use_up_the_connections(line, client):
    before = len(client.client_list())
    for _ in range(150):
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(line.ask, "ECHO", "here").result() == b"here"
    assert len(client.client_list()) < before + 100


def test_a_forked_process_does_not_speak_on_its_parents_connection(line):
    number = line.ask("CLIENT", "ID")
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.write(writing, str(line.ask("CLIENT", "ID")).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(reading, 20)) != number
    assert line.ask("CLIENT", "ID") == number


def test_what_is_told_arrives_though_nobody_answers_and_after_the_connection_was_lost(mute_line, client):
    key = "told:redis-lines"
    try:
        mute_line.tell("RPUSH", key, "one")
        mute_line.tell("RPUSH", key, "two")
        while client.llen(key) < 2:
            pass
        ours = {each["id"] for each in client.client_list() if each["cmd"] == "rpush"}
        for number in ours:
            client.client_kill_filter(_id=number)
        mute_line.tell("RPUSH", key, "three")
        while client.llen(key) < 3:
            pass
        assert client.lrange(key, 0, -1) == [b"one", b"two", b"three"]
    finally:
        client.delete(key)


def test_a_server_that_is_away_is_told(line):
    away = RedisConnection("unix:///nowhere/at/all", patience=2)
    with pytest.raises(redis.ConnectionError):
        away.ask("PING")
    with pytest.raises(redis.ConnectionError):
        away.tell("PING")
