"""Encrypt a push for one device (RFC 8291), and sign who sends it (RFC 8292).

These are the parts of pywebpush without its two clients for HTTP: neither calls the address that was checked.
"""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from py_vapid import Vapid02

from push.models import PushSubscription
from web.outgoing import Call

MAX_MESSAGE = 3000
"""Bytes; push services take 4096 of the encrypted message."""

AUTH_LENGTH = 16
KEY_LENGTH = 65
SIGNATURE_LIFETIME = timedelta(hours=12)


def make_key() -> str:
    """Return a new private key, in base64 for URLs."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return urlsafe_b64encode(number.to_bytes(32)).decode().rstrip("=")


def public_key_of(private_key: str) -> str:
    """Return the public key of a private one, as browsers take it. Raises ValueError for what is no key."""
    point = _signer(private_key).public_key.public_numbers()
    return urlsafe_b64encode(b"\4" + point.x.to_bytes(32) + point.y.to_bytes(32)).decode().rstrip("=")


def are_keys(p256dh: str, auth: str) -> bool:
    """Return whether these are the keys of a device: a point of the curve, and a secret of 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decode(p256dh))
        return len(_decode(p256dh)) == KEY_LENGTH and len(_decode(auth)) == AUTH_LENGTH
    except ValueError:
        return False


def encrypted_call(
    device: PushSubscription, message: Mapping[str, Any], *, headers: Mapping[str, str], private_key: str, now: datetime
) -> Call:
    """Return the call that sends a message to a device."""
    site = urlsplit(device.endpoint)
    claims = {
        "aud": f"{site.scheme}://{site.netloc}",
        "exp": int((now + SIGNATURE_LIFETIME).timestamp()),
        "sub": settings.VAPID_SUBJECT,
    }
    body = http_ece.encrypt(
        json.dumps(message).encode(),
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decode(device.p256dh),
        auth_secret=_decode(device.auth),
        version="aes128gcm",
    )
    own = {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream"}
    return Call(device.endpoint, {**own, **headers, **_signer(private_key).sign(claims)}, body)


def _signer(private_key: str) -> Vapid02:
    return Vapid02.from_raw(private_key.encode())


def _decode(text: str) -> bytes:
    """Return bytes from base64 for URLs, with its padding or without; raises ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
