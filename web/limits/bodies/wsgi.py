"""Limits the bodies of requests under WSGI: they are read whole, before anybody else waits for them."""

from collections.abc import Callable, Iterable
from io import BytesIO
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import Any

import structlog
from django.conf import settings

from web.errors import DomainError
from web.limits.bodies.errors import REFUSAL, BodyTooLarge, BodyTooSlow, max_size_of, read_length
from web.limits.slots import Application, Environ, closing

MAX_READ = 40
"""The most bodies that are read at a time: each holds a thread of the server, and others need some."""

WATCH_INTERVAL = 1.0
"""Seconds between two looks at how long bodies have been read."""

ANSWER_ASIDE = "kickabout.answer_aside"
"""The key of an environment under which stands what answers its request while another thread reads its body."""

logger = structlog.get_logger(__name__)


class _Reading:
    """A body that is being read, by the thread that has its request."""

    def __init__(self, environ: Environ) -> None:
        self.environ = environ
        self.since = monotonic()
        self.given_up = Event()
        self.is_answered = False


class BoundedBodies:
    """Passes requests on to an application when their bodies have arrived, without those too large or too slow.

    The environment of such a request holds the refusal. When it is answered the connection is closed. A body that is
    not there in time is refused while it is read, and so is the one that is read longest when too many are.
    """

    def __init__(self, application: Application) -> None:
        """Wrap the application."""
        self._application = application
        self._lock = Lock()
        self._readings: dict[_Reading, None] = {}
        """All that were not given up, the oldest first."""
        self._begun = Event()
        self._watcher: Thread | None = None

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Serve one request."""
        length = read_length(environ.get("CONTENT_LENGTH"))
        if not length and "HTTP_TRANSFER_ENCODING" not in environ:
            return self._application(environ, start_response)
        max_size = max_size_of(environ["PATH_INFO"])
        refusal: DomainError = BodyTooLarge(max_size)
        if length <= max_size:
            reading = _Reading(environ)
            body = self._receive(reading, max_size + 1)
            if reading.is_answered:
                return []
            # Of one who has hung up the rest is missing: half a form is another form.
            if body is None or len(body) < length:
                refusal = BodyTooSlow(settings.BODY_TIMEOUT)
            elif len(body) <= max_size:
                # Django takes a body without a length for empty.
                return self._application(_with_body(environ, body), start_response)
        return self._refuse(environ, start_response, refusal)

    def _refuse(self, environ: Environ, start_response: Callable[..., Any], refusal: DomainError) -> Iterable[bytes]:
        return self._application(_with_body(environ, b"") | {REFUSAL: refusal}, closing(start_response))

    def _receive(self, reading: _Reading, size: int) -> bytes | None:
        """Return the body, at most this size of it, or nothing if it was given up, or has no place."""
        if not self._begin(reading):
            return None
        try:
            body: bytes = reading.environ["wsgi.input"].read(size)
        finally:
            was_given_up = not self._end(reading)
        if was_given_up:
            reading.given_up.wait()
            return None
        return body

    def _begin(self, reading: _Reading) -> bool:
        """Note a body as read, in the place of the oldest if too many are; return whether there is a place."""
        while True:
            with self._lock:
                if len(self._readings) < MAX_READ:
                    self._readings[reading] = None
                    break
                oldest = next(iter(self._readings), None)
            if oldest is None or ANSWER_ASIDE not in oldest.environ:
                return False
            self._give_up(oldest)
        if ANSWER_ASIDE in reading.environ:
            self._begun.set()
            with self._lock:
                if self._watcher is None:
                    self._watcher = Thread(target=self._watch, name="slow-bodies", daemon=True)
                    self._watcher.start()
        return True

    def _end(self, reading: _Reading) -> bool:
        """Note a body as no longer read; return whether it had not been given up."""
        with self._lock:
            return reading in self._readings and self._readings.pop(reading) is None

    def _watch(self) -> None:
        """Give up what is read for too long. While nothing is read nothing wakes."""
        while self._begun.wait():
            sleep(WATCH_INTERVAL)
            with self._lock:
                overdue = [each for each in self._readings if each.since + settings.BODY_TIMEOUT < monotonic()]
                if not self._readings:
                    self._begun.clear()
            for reading in overdue:
                self._give_up(reading)

    def _give_up(self, reading: _Reading) -> None:
        """Answer the request of a body while it is read, if that has not ended; its thread waits for the answer."""
        if not self._end(reading):
            return
        answered: list[Any] = []

        def start_response(status: str, headers: list[tuple[str, str]], *more: Any) -> None:
            answered[:] = int(status.split(" ", 1)[0]), headers

        try:
            parts = self._refuse(reading.environ, start_response, BodyTooSlow(settings.BODY_TIMEOUT))
            reading.environ[ANSWER_ASIDE](*answered, b"".join(parts))
            reading.is_answered = True
        except Exception as error:  # noqa: BLE001 - its own thread answers it, and the others are given up all the same
            logger.warning("body_not_given_up", error=repr(error))
        finally:
            reading.given_up.set()


def _with_body(environ: Environ, body: bytes) -> Environ:
    return environ | {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
