"""The HTTP response of an event stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import StreamingHttpResponse

if TYPE_CHECKING:
    from streams.stream import Stream

MEDIA_TYPE = "text/event-stream"


class EventStreamResponse(StreamingHttpResponse):
    """Sends the events of a stream as they come; no proxy may store or buffer them."""

    def __init__(self, stream: Stream) -> None:
        super().__init__(stream, content_type=MEDIA_TYPE)
        self.stream = stream
        self["Cache-Control"] = "no-store"
        self["X-Accel-Buffering"] = "no"
