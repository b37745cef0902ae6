"""Limits the bodies of requests under WSGI: they are read whole, in threads that nobody else waits for."""

from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from threading import Lock
from time import monotonic
from typing import Any

from django.conf import settings

from web.errors import DomainError
from web.limits.bodies.errors import REFUSAL, BodyTooLarge, BodyTooSlow, max_size_of, read_length
from web.limits.slots import Application, Environ, closing

MAX_SLOW = 32
"""The most bodies that may take longer than ``PROMPT``: each holds a thread of the server, and others need some."""

MAX_READERS = 4 * MAX_SLOW
"""The most threads that read bodies. One that is given up is read until its connection has been closed."""

PROMPT = 1.0
"""Seconds in which a body arrives that nothing holds up."""


class BoundedBodies:
    """Passes requests on to an application when their bodies have arrived, without those too large or too slow.

    The environment of such a request holds the refusal. When it is answered the connection is closed.
    """

    def __init__(self, application: Application) -> None:
        """Wrap the application."""
        self._application = application
        # A read cannot be interrupted.
        self._readers = ThreadPoolExecutor(MAX_READERS, thread_name_prefix="body")
        self._lock = Lock()
        self._slow = 0

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
        """Return the body, at most this size of it, or nothing if it does not arrive in time."""
        deadline = monotonic() + settings.BODY_TIMEOUT
        reading: Future[bytes] = self._readers.submit(environ["wsgi.input"].read, size)
        try:
            return reading.result(timeout=min(PROMPT, settings.BODY_TIMEOUT))
        except TimeoutError:
            return self._await_slow(reading, deadline)

    def _await_slow(self, reading: "Future[bytes]", deadline: float) -> bytes | None:
        with self._lock:
            if self._slow >= MAX_SLOW:
                return None
            self._slow += 1
        try:
            return reading.result(timeout=max(0.0, deadline - monotonic()))
        except TimeoutError:
            return None
        finally:
            with self._lock:
                self._slow -= 1


def _with_body(environ: Environ, body: bytes) -> Environ:
    return environ | {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
