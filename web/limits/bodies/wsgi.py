"""Limits the bodies of requests under WSGI: they are read whole, before anybody else waits for them."""

from collections.abc import Callable, Iterable
from io import BytesIO
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings

from web.errors import DomainError
from web.limits.bodies.errors import REFUSAL, BodyTooLarge, BodyTooSlow, max_size_of, read_length
from web.limits.slots import Application, Environ, closing

MAX_READ = 40
"""The most bodies that are read at a time: each holds a thread of the server, and others need some."""


class BoundedBodies:
    """Passes requests on to an application when their bodies have arrived, without those too large or too slow.

    The environment of such a request holds the refusal. When it is answered the connection is closed.
    """

    def __init__(self, application: Application) -> None:
        """Wrap the application."""
        self._application = application
        self._free = BoundedSemaphore(MAX_READ)

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Serve one request."""
        length = read_length(environ.get("CONTENT_LENGTH"))
        if not length and "HTTP_TRANSFER_ENCODING" not in environ:
            return self._application(environ, start_response)
        max_size = max_size_of(environ["PATH_INFO"])
        refusal: DomainError = BodyTooLarge(max_size)
        if length <= max_size:
            body = self._receive(environ, max_size + 1)
            if body is None:
                refusal = BodyTooSlow(settings.BODY_TIMEOUT)
            elif len(body) <= max_size:
                # Django takes a body without a length for empty.
                return self._application(_with_body(environ, body), start_response)
        return self._application(_with_body(environ, b"") | {REFUSAL: refusal}, closing(start_response))

    def _receive(self, environ: Environ, size: int) -> bytes | None:
        """Return the body, at most this size of it, or nothing if too many are read. No read can be interrupted."""
        if not self._free.acquire(blocking=False):
            return None
        try:
            body: bytes = environ["wsgi.input"].read(size)
        finally:
            self._free.release()
        return body


def _with_body(environ: Environ, body: bytes) -> Environ:
    return environ | {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
