"""A push service of our own, for devices of our own: it takes what is sent, checks who signed it, and decrypts it."""

import json
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

AUTH = b"sixteen bytes ok"


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


@dataclass
class Device:
    """A device with its keys. It answers with a status, after some seconds."""

    service: str
    name: str
    status: int = 201
    delay: float = 0
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    messages: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def subscription(self) -> dict[str, Any]:
        """Return what its browser sends to subscribe it."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": encode(point), "auth": encode(AUTH)}
        return {"endpoint": f"{self.service}/{self.name}", "keys": keys, "name": self.name}


class PushService:
    """The devices of a push service, by their names."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.devices: dict[str, Device] = {}

    def add(self, name: str, **options: Any) -> Device:
        self.devices[name] = device = Device(self.url, name, **options)
        return device

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        """Return the status for a request to a device, which keeps what it can read."""
        device = self.devices[path.strip("/")]
        time.sleep(device.delay)
        if 200 <= device.status < 300:
            assert Vapid02.verify(headers["Authorization"])
            assert headers["Content-Encoding"] == "aes128gcm"
            text = http_ece.decrypt(body, private_key=device.key, auth_secret=AUTH, version="aes128gcm")
            device.messages.append(json.loads(text))
        device.headers.append(headers)
        return device.status


@contextmanager
def serve_pushes() -> Iterator[PushService]:
    """Serve pushes on this machine while the context lasts."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(service.take(self.path, dict(self.headers), body))
            self.send_header("Location", f"{service.url}/elsewhere")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def claims_of(headers: dict[str, str]) -> dict[str, Any]:
    """Return what the sender of a push says of itself."""
    payload = headers["Authorization"].split("t=")[1].split(".")[1]
    return dict(json.loads(urlsafe_b64decode(payload + "==")))
