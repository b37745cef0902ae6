"""Renderers of responses that are not JSON."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import BaseRenderer, JSONRenderer

ATTACHMENT = OpenApiParameter(
    "Content-Disposition",
    str,
    OpenApiParameter.HEADER,
    response=[200],
    description="A name for the file.",
)


class TextRenderer(BaseRenderer):
    """Renders a record as text, and a refusal as a problem in JSON."""

    media_type = "text/plain"
    format = "txt"
    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """Return the text, encoded."""
        return data.encode() if isinstance(data, str) else JSONRenderer().render(data)
