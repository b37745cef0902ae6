"""In which form an API request is answered."""

from __future__ import annotations

from collections.abc import Iterable

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class QuickNegotiation(DefaultContentNegotiation):
    """DRF's, but whoever takes anything, or wants just what a view offers first, is not negotiated with."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer and its media type; raises NotAcceptable, or Http404 for an unknown ``format``."""
        renderers = list(renderers)
        first = renderers[0]
        # By ``format`` in the query another form may be asked for.
        plain = not format_suffix and not request.META.get("QUERY_STRING")
        if plain and request.META.get("HTTP_ACCEPT", "*/*") in {"*/*", first.media_type}:
            return first, str(first.media_type)
        chosen: tuple[BaseRenderer, str] = super().select_renderer(request, renderers, format_suffix)
        return chosen
