"""The formats of the API: JSON that is read strictly, texts, short answers, and none that a view does not have."""

from collections.abc import Iterable, Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ParseError, ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from rules_engine.errors import InvalidNotation
from rules_engine.strict_json import read_json


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


class StrictJSONParser(JSONParser):
    """Parses JSON in UTF-8, whatever character set is announced; invalid JSON is refused with 400."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the value of the body. Raises ``ParseError``."""
        try:
            return read_json(stream.read().decode())
        except UnicodeDecodeError as error:
            raise ParseError(_("The body is not valid UTF-8 from byte %(place)d.") % {"place": error.start}) from None
        except InvalidNotation as error:
            raise ParseError(str(error)) from None


MINIMUM = "return=minimal"

PREFER = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description=f"``{MINIMUM}`` for a short answer.",
)


def prefers_minimum(request: Request) -> bool:
    """Return whether a request prefers the shortest response."""
    preferences = request.headers.get("Prefer", "").replace(";", ",").split(",")
    return any(each.strip().lower() == MINIMUM for each in preferences)
