"""Django's ASGI handler, for streams that last: an open stream holds no thread and no connection to the database."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import SyncToAsync, sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.db import connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from streams.responses import EventStreamResponse
from web.sound_requests import SoundASGIRequest

MAX_OPENING_STREAMS = 4
"""How many streams are opened at a time. All clients may reconnect together, and each takes a thread and a connection
to the database until its stream begins. Open streams get their events meanwhile."""

URL_ENDING = "/stream/"


class StreamingHandler(ASGIHandler):
    """Releases the thread and the connection of a stream's request before its events are sent."""

    request_class = SoundASGIRequest

    def __init__(self) -> None:
        super().__init__()
        self._opening = asyncio.Semaphore(MAX_OPENING_STREAMS)

    async def run_get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response; a stream first waits for its turn to be opened."""
        if not request.path_info.endswith(URL_ENDING):
            return await super().run_get_response(request)
        async with self._opening:
            response: HttpResponseBase = await super().run_get_response(request)
            if isinstance(response, EventStreamResponse):
                await sync_to_async(connections.close_all)()
                _release_thread()
            return response

    async def send_response(self, response: HttpResponseBase, send: Any) -> None:
        """Send the response, and close its stream however it ends."""
        try:
            await super().send_response(response, send)
        finally:
            if isinstance(response, EventStreamResponse):
                response.stream.close()


def _release_thread() -> None:
    """End the thread that asgiref keeps for the synchronous parts of a request as long as the request lasts."""
    context = SyncToAsync.thread_sensitive_context.get(None)
    executor = None if context is None else SyncToAsync.context_to_thread_executor.pop(context, None)
    if isinstance(executor, ThreadPoolExecutor):
        executor.shutdown(wait=False)
