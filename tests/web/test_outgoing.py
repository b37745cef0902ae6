"""Calls to URLs that others have named reach public servers only, and none of them takes long."""

import socket
import threading
from ipaddress import ip_address

import pytest

from tests.push.push_service import serve_pushes
from web import outgoing
from web.outgoing import Call, ForbiddenUrl, check_url, is_public, post_all


@pytest.mark.parametrize(
    "url",
    [
        "http://push.example.org/a",
        "ftp://push.example.org/a",
        "https://",
        "https:///a",
        "//push.example.org/a",
        "https://anna@push.example.org/a",
        "https://push.example.org:99999/a",
        "https://push.example.org/a b",
        "https://push.example.org/\r\nHost: elsewhere",
        "https://püsh.example.org/a",
        "https://[::1/a",
    ],
)
def test_a_url_that_is_not_spoken_to_in_secret_or_is_none_is_refused(url):
    with pytest.raises(ForbiddenUrl):
        check_url(url)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("8.8.8.8", True),
        ("2a00:1450:4001:800::200e", True),
        ("::ffff:8.8.8.8", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_only_addresses_of_the_public_internet_are_called(address, expected):
    assert is_public(ip_address(address)) is expected


def test_a_name_that_also_leads_inside_is_not_called(monkeypatch):
    real = socket.getaddrinfo

    def resolve(host, *args, **kwargs):
        return [*real("8.8.8.8", *args, **kwargs), *real("127.0.0.1", *args, **kwargs)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    (answer,) = post_all([Call("https://push.example.org/a", {}, b"")])
    assert isinstance(answer, ForbiddenUrl)


def test_a_name_is_found_once_and_that_address_called(monkeypatch, settings):
    settings.ALLOW_PRIVATE_ADDRESSES = True
    asked = []
    real = socket.getaddrinfo

    def resolve(host, *args, **kwargs):
        asked.append(host)
        return real("127.0.0.1", *args, **kwargs)

    with serve_pushes() as service:
        phone = service.add("phone", status=307)
        monkeypatch.setattr(socket, "getaddrinfo", resolve)
        port = service.url.rsplit(":", 1)[1]
        assert post_all([Call(f"http://push.example.org:{port}/phone", {}, b"hello")]) == [307]
    assert asked.count("push.example.org") == 1
    # A redirect is an answer like any other: nobody follows it.
    assert [headers["Host"] for headers in phone.headers] == [f"push.example.org:{port}"]


def test_servers_that_are_slow_or_talk_nonsense_hold_up_no_others(monkeypatch, settings):
    settings.ALLOW_PRIVATE_ADDRESSES = True
    monkeypatch.setattr(outgoing, "CALL_TIMEOUT", 0.5)
    ended = threading.Event()

    def trickle(connection):
        for _ in range(100):
            if ended.wait(0.1):
                return
            connection.sendall(b"H")

    def babble(connection):
        connection.sendall(b"x" * 10_000)

    def say_nothing(connection):
        ended.wait(10)

    with serve_pushes() as service, socket.create_server(("127.0.0.1", 0)) as odd:
        phone = service.add("phone", status=503)

        def serve():
            for behave in (trickle, babble, say_nothing):
                connection, _address = odd.accept()
                threading.Thread(target=behave, args=[connection], daemon=True).start()
                kept.append(connection)

        kept: list[socket.socket] = []
        threading.Thread(target=serve, daemon=True).start()
        elsewhere = f"http://127.0.0.1:{odd.getsockname()[1]}/"
        odd_calls = [Call(elsewhere, {}, b"") for _ in range(3)]
        *failed, answer = post_all([*odd_calls, Call(phone.subscription["endpoint"], {}, b"")])
        ended.set()
        for connection in kept:
            connection.close()
    assert answer == 503
    assert all(isinstance(each, Exception) for each in failed)
