"""Answers requests of granian from another thread: nothing else ends the read of a body that does not come."""

import importlib
from collections.abc import Callable, Iterator
from time import sleep
from typing import Any

from web.limits.bodies.wsgi import ANSWER_ASIDE

SENDING = 0.1
"""Seconds in which an answer is sent before its connection is closed."""


def allow_answers_aside() -> None:
    """Put into each environment what answers its request, given status, headers and body, and closes its connection."""
    # Granian shows an application nothing by which it can answer earlier.
    server: Any = importlib.import_module("granian.server.mp")
    wrap = server._wsgi_call_wrap  # noqa: SLF001

    def wrap_with_answers(application: Any, *args: Any) -> Callable[[Any, dict[str, Any]], int]:
        run: Callable[[Any, dict[str, Any]], int] = wrap(application, *args)

        def run_with_answer(protocol: Any, scope: dict[str, Any]) -> int:
            def answer(status: int, headers: list[tuple[str, str]], body: bytes) -> None:
                others = [header for header in headers if header[0].lower() != "content-length"]
                # A connection whose answer is shorter than announced is closed, and with it the body ends.
                announced = ("Content-Length", str(len(body) + 1))
                protocol.response_iter(status, [*others, announced], _parts(body))

            scope[ANSWER_ASIDE] = answer
            return run(protocol, scope)

        return run_with_answer

    server._wsgi_call_wrap = wrap_with_answers  # noqa: SLF001


def _parts(body: bytes) -> Iterator[bytes]:
    yield body
    sleep(SENDING)
