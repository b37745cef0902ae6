"""The API's OpenAPI description, as a file for programs: made once in each process."""

from functools import cache
from typing import Any

from django.http import HttpResponse
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from web.api.documents import Document
from web.api.strict_views import StrictView


@cache
def describe_api() -> dict[str, Any]:
    """Return the description, in English for everybody. Callers must not change it."""
    with translation.override("en"):
        described: dict[str, Any] = SchemaGenerator().get_schema(public=True)
    return described


class DescriptionView(StrictView, SpectacularAPIView):
    """The description as YAML, or as JSON by ``format=json`` or the Accept header."""

    @extend_schema(exclude=True, parameters=[OpenApiParameter("format", str, enum=["yaml", "json"])])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the description."""
        form = request.accepted_renderer.format
        disposition = {"Content-Disposition": f'inline; filename="kickabout.{form}"'}
        return _write(form).answer(request, **disposition)


@cache
def _write(form: str) -> Document:
    """Return the description as ``yaml`` or ``json``."""
    renderer = next(kind() for kind in DescriptionView.renderer_classes if kind.format == form)
    charset = f"; charset={renderer.charset}" if renderer.charset else ""
    text: bytes = renderer.render(describe_api(), renderer_context={})
    return Document.of(text, content_type=f"{renderer.media_type}{charset}")
