"""Content negotiation of the API."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer


class StrictNegotiation(DefaultContentNegotiation):
    """DRF's negotiation, which refuses a ``format`` that the view does not have."""

    def filter_renderers(self, renderers: Iterable[BaseRenderer], format: str) -> list[BaseRenderer]:  # noqa: A002 - DRF's own name
        """Return the renderers of a format; raises ValidationError if a view that has several has none of it.

        If a view has only one format, it refuses the parameter as unknown.
        """
        renderers = list(renderers)
        formats = sorted({str(renderer.format) for renderer in renderers})
        if len(formats) > 1 and format not in formats:
            raise ValidationError({"format": [_("Choose one of: %(formats)s.") % {"formats": ", ".join(formats)}]})
        return [renderer for renderer in renderers if len(formats) == 1 or renderer.format == format]
