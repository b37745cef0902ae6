"""The API's OpenAPI description, as a file for programs: made once in each process."""

from functools import cache
from hashlib import sha256
from typing import Any

from django.http import HttpResponse
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_cache_control
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

from web.api.strict_views import StrictView

FIVE_MINUTES = 300


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
        """Return the description, with an ETag that changes with the site's version."""
        renderer = request.accepted_renderer
        text, etag = _write(renderer.format)
        charset = f"; charset={renderer.charset}" if renderer.charset else ""
        response = HttpResponse(text, content_type=f"{renderer.media_type}{charset}")
        response["Content-Disposition"] = f'inline; filename="kickabout.{renderer.format}"'
        response["ETag"] = etag
        patch_cache_control(response, public=True, max_age=FIVE_MINUTES)
        conditional = get_conditional_response(request, etag=etag, response=response)
        return conditional or response


@cache
def _write(form: str) -> tuple[bytes, str]:
    """Return the description as ``yaml`` or ``json``, and its entity tag."""
    renderer = next(kind() for kind in DescriptionView.renderer_classes if kind.format == form)
    text: bytes = renderer.render(describe_api(), renderer_context={})
    return text, f'"{sha256(text).hexdigest()[:32]}"'
