"""Idempotent writes: a request that is sent again is run once."""

import json
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from typing import Any, cast

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from database.clock import current_moment
from web.api.idempotency.keys import IDEMPOTENCY_KEY, KEY_HEADER
from web.api.idempotency.responses import Answer, respond_once
from web.api.idempotency.steps import Steps, respond_in_steps

Handler = Callable[..., Response]

_described = extend_schema(parameters=[IDEMPOTENCY_KEY])


def idempotent(handler: Handler) -> Handler:
    """Run a view's handler once for all requests with one ``Idempotency-Key``; describe it.

    With a key or without one, the answer is written in the transaction of what it says, as ``answered_whole`` does it.
    """
    answer_whole = answered_whole(handler)

    @wraps(handler)
    def handle(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get(KEY_HEADER)
        if key is None:
            return answer_whole(view, request, *args, **kwargs)

        def answer() -> Answer:
            return _write(handler(view, request, *args, **kwargs))

        given = respond_once(
            player_id=cast("int", request.user.pk),
            key=key,
            fingerprint=_fingerprint(request),
            now=current_moment(),
            answer=answer,
        )
        return _read(given)

    return _described(handle)


def answered_whole(handler: Handler) -> Handler:
    """Write the answer of a view's handler in the transaction of what it says: if it cannot be, nothing is done."""

    @wraps(handler)
    def handle(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        with transaction.atomic():
            response = handler(view, request, *args, **kwargs)
            _write(response)
        return response

    return handle


def idempotent_in_steps(handler: Handler) -> Handler:
    """Run each step of a view's handler once for all requests with one key; describe it.

    The handler is given ``Steps`` after the request.
    """

    @wraps(handler)
    def handle(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key, now, player_id = request.headers.get(KEY_HEADER), current_moment(), cast("int", request.user.pk)
        if key is None:
            return handler(view, request, Steps(player_id, "", "", now), *args, **kwargs)
        given = respond_in_steps(
            player_id=player_id,
            key=key,
            fingerprint=_fingerprint(request),
            now=now,
            answer=lambda steps: _write(handler(view, request, steps, *args, **kwargs)),
        )
        return _read(given)

    return _described(handle)


def _write(response: Response) -> Answer:
    return Answer(response.status_code, JSONRenderer().render(response.data).decode(), _headers(response))


def _read(given: Answer) -> Response:
    body = json.loads(given.body) if given.body else None
    return Response(body, status=given.status, headers=given.headers)


def _headers(response: Response) -> dict[str, str]:
    """Return the headers that the handler has set; the content type is set when the response is rendered."""
    return {name: value for name, value in response.items() if name != "Content-Type"}


def _fingerprint(request: Request) -> str:
    parts = [request.method, request.path, request.data]
    return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
