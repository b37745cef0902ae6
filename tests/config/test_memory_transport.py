"""Celery's transport in memory: a process that waits for a message is woken by it, and asks for none meanwhile."""

import threading

import pytest
from celery.worker import state
from kombu.connection import Connection
from kombu.entity import Queue
from kombu.messaging import Consumer

from config.celery import app
from config.memory_transport import wake_consumers

QUEUE = Queue("tests-of-memory")


@pytest.fixture
def connection():
    with Connection("memory://localhost/") as opened:
        yield opened
        QUEUE(opened.default_channel).delete()


@pytest.fixture
def heard(connection):
    """Consume the queue one unacknowledged message at a time, and list what comes."""
    messages = []
    with Consumer(connection, [QUEUE], callbacks=[lambda body, message: messages.append((body, message))]) as consumer:
        consumer.qos(prefetch_count=1)
        yield messages


def publish(*bodies):
    with Connection("memory://localhost/") as other:
        for body in bodies:
            other.Producer().publish(body, routing_key=QUEUE.name)


def test_the_application_uses_it(connection):
    assert type(connection.transport).__module__ == "config.memory_transport"
    assert type(app.connection_for_write(url="memory://localhost/").transport).__module__ == "config.memory_transport"


def test_a_waiting_consumer_is_woken_by_a_message_and_asks_only_then(connection, heard, monkeypatch):
    asked = []
    cycle = connection.transport.cycle
    ask = cycle.get

    def count(*args, **kwargs):
        asked.append(1)
        return ask(*args, **kwargs)

    monkeypatch.setattr(cycle, "get", count)
    thread = threading.Timer(0.3, publish, ["Hello"])
    thread.start()
    connection.drain_events(timeout=30)
    thread.join()
    assert [body for body, _message in heard] == ["Hello"]
    # Declaring a queue may wake once more.
    assert len(asked) <= 3


def test_nothing_comes_in_time(connection, heard):
    with pytest.raises(TimeoutError):
        connection.drain_events(timeout=0.01)
    assert heard == []


def test_a_consumer_that_waits_for_ever_is_woken_when_workers_are_to_stop(connection, heard, monkeypatch):
    def stop():
        monkeypatch.setattr(state, "should_stop", 0)
        wake_consumers()

    thread = threading.Timer(0.1, stop)
    thread.start()
    with pytest.raises(TimeoutError):
        connection.drain_events(timeout=None)
    thread.join()
    assert heard == []


@pytest.mark.parametrize("settle", ["ack", "reject"])
def test_the_next_message_comes_once_the_last_is_acknowledged(connection, heard, settle):
    publish("one", "two")
    connection.drain_events(timeout=30)
    with pytest.raises(TimeoutError):
        connection.drain_events(timeout=0.01)
    ((_body, message),) = heard
    thread = threading.Timer(0.1, getattr(message, settle))
    thread.start()
    connection.drain_events(timeout=30)
    thread.join()
    assert [body for body, _message in heard] == ["one", "two"]
