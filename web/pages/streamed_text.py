"""Responses that send a long text while it is read from the database."""

from collections.abc import AsyncIterator, Iterable, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest


def stream(request: HttpRequest, chunks: Iterator[str]) -> Iterable[str] | AsyncIterator[str]:
    """Return the chunks, asynchronous under ASGI, where Django first collects those of a synchronous iterator."""
    return _ask_one_by_one(chunks) if isinstance(request, ASGIRequest) else chunks


async def _ask_one_by_one(chunks: Iterator[str]) -> AsyncIterator[str]:
    ask = sync_to_async(lambda: next(chunks, None))
    while (chunk := await ask()) is not None:
        yield chunk
