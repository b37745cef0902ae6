"""Django's ASGI handler in threads that stay, as far as there are enough, instead of a new one for each request.

A thread keeps its connection to the database. A new connection to SQLite reads the whole schema, which takes longer
than most answers.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_finished, request_started
from django.db import connections
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from web.requests.sound_requests import SoundASGIRequest

WEB_THREADS = 16
"""The number of threads that stay. While all are busy, a request gets its own: one that waits holds up nobody else."""


class ThreadedHandler(ASGIHandler):
    """Answers each request in one thread, as WSGI does: all middleware and views are synchronous."""

    request_class = SoundASGIRequest

    def __init__(self) -> None:
        # Not Django's own, which would load the middleware to be called by an event loop.
        self.load_middleware(is_async=False)
        self._web_threads = ThreadPoolExecutor(WEB_THREADS, thread_name_prefix="web")
        self._busy = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request. Raises ``ValueError`` for anything but HTTP."""
        if scope["type"] != "http":
            raise ValueError(f"only HTTP is answered, not {scope['type']}")
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        with body:
            response = await self.find_response(scope, body)
        await self.respond(response, receive, send)

    async def find_response(self, scope: Any, body: Any) -> HttpResponseBase:
        """Return the response to a request, found in one of the threads, or in a new one while none is free."""
        loop = asyncio.get_running_loop()
        if self._busy == WEB_THREADS:
            alone = ThreadPoolExecutor(1, thread_name_prefix="alone")
            finding = loop.run_in_executor(alone, partial(self._answer_alone, scope, body))
            alone.shutdown(wait=False)
            return await finding
        self._busy += 1
        finding = loop.run_in_executor(self._web_threads, partial(self.answer, scope, body))
        finding.add_done_callback(self._note_free)
        return await finding

    def _note_free(self, _finding: object) -> None:
        self._busy -= 1

    def _answer_alone(self, scope: Any, body: Any) -> HttpResponseBase:
        """Return the response to a request, found in a thread that ends with it."""
        try:
            return self.answer(scope, body)
        finally:
            connections.close_all()

    def answer(self, scope: Any, body: Any) -> HttpResponseBase:
        """Return the response to a request, whose thread is free for others: one that is whole is closed."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: Any = refusal if request is None else self.get_response(request)
        if response.streaming:
            request_finished.send(sender=self.__class__)
        else:
            response.close()
        return response

    async def respond(self, response: Any, receive: Any, send: Any) -> None:
        """Send a response. Until the client goes, parts of one that is not whole are made in a thread of their own."""
        if not response.streaming:
            await self.send_response(response, send)
            return
        sending = asyncio.create_task(self._send_parts(response, send))
        gone = asyncio.create_task(wait_until_gone(receive))
        try:
            await asyncio.wait((sending, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            sending.cancel()
            await asyncio.gather(sending, gone, return_exceptions=True)
        if not sending.cancelled():
            sending.result()

    async def _send_parts(self, response: Any, send: Any) -> None:
        async with ThreadSensitiveContext():
            try:
                await self.send_response(response, send)
            finally:
                await sync_to_async(_release)(response)


async def wait_until_gone(receive: Any) -> None:
    """Return when the client has gone. Anything it sends meanwhile is ignored."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _release(response: HttpResponseBase) -> None:
    """Close a response, and the connections of a thread that ends now."""
    response.close()
    connections.close_all()
