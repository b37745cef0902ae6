"""Content negotiation of the API."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class QuickNegotiation(DefaultContentNegotiation):
    """DRF's negotiation with a shortcut for clients that accept anything, or what the view offers first."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer and its media type; raises NotAcceptable, or ValidationError for a ``format``."""
        renderers = list(renderers)
        first = renderers[0]
        # The parameter ``format`` may ask for another format.
        plain = not format_suffix and not request.META.get("QUERY_STRING")
        if plain and request.META.get("HTTP_ACCEPT", "*/*") in {"*/*", first.media_type}:
            return first, str(first.media_type)
        chosen: tuple[BaseRenderer, str] = super().select_renderer(request, renderers, format_suffix)
        return chosen

    def filter_renderers(self, renderers: Iterable[BaseRenderer], format: str) -> list[BaseRenderer]:  # noqa: A002 - DRF's own name
        """Return the renderers of a format; raises ValidationError if a view that has several has none of it.

        If a view has only one format, it refuses the parameter as unknown.
        """
        renderers = list(renderers)
        formats = sorted({str(renderer.format) for renderer in renderers})
        if len(formats) > 1 and format not in formats:
            raise ValidationError({"format": [_("Choose one of: %(formats)s.") % {"formats": ", ".join(formats)}]})
        return [renderer for renderer in renderers if len(formats) == 1 or renderer.format == format]
