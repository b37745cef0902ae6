"""Sending a long text while it is being read from the database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest


def stream(request: HttpRequest, chunks: Iterator[str]) -> Iterable[str] | AsyncIterator[str]:
    """Return the chunks as the server wants them that has the request: an asynchronous one would gather others up."""
    return _ask_one_by_one(chunks) if isinstance(request, ASGIRequest) else chunks


async def _ask_one_by_one(chunks: Iterator[str]) -> AsyncIterator[str]:
    ask = sync_to_async(lambda: next(chunks, None))
    while (chunk := await ask()) is not None:
        yield chunk
