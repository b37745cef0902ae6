"""Limits the bodies of requests under WSGI, where a view reads the body when it needs it.

The proxy in front limits the time of a body, and keeps it until it is whole: here no read can be interrupted.
"""

from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any

from web.limits.bodies.errors import REFUSAL, BodyTooLarge, max_size_of, read_length

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class BoundedBodies:
    """Passes requests on to an application, without bodies that are too large.

    The environment of such a request holds the refusal. When it is answered the connection is closed.
    """

    def __init__(self, application: Application) -> None:
        """Wrap the application."""
        self._application = application

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Serve one request."""
        max_size = max_size_of(environ["PATH_INFO"])
        if read_length(environ.get("CONTENT_LENGTH")) > max_size:
            body = None
        elif "HTTP_TRANSFER_ENCODING" in environ:
            body = environ["wsgi.input"].read(max_size + 1)
        else:
            return self._application(environ, start_response)
        if body is not None and len(body) <= max_size:
            # Django takes a body without a length for empty.
            return self._application(_with_body(environ, body), start_response)

        def close_after(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            return start_response(status, [*headers, ("Connection", "close")], *more)

        return self._application(_with_body(environ, b"") | {REFUSAL: BodyTooLarge(max_size)}, close_after)


def _with_body(environ: Environ, body: bytes) -> Environ:
    return environ | {"wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
