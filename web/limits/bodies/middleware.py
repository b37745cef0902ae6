"""Responses to requests whose body was refused."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from web.errors import DomainError
from web.limits.bodies.errors import REFUSAL, BodyTooLarge, max_size_of, read_length
from web.problems import API, CONTENT_TYPE, STATUS_OF_CODE, describe_refusal


class BodiesMiddleware:
    """Refuses bodies that the server in front of Django has refused, or that announce too large a size."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response, or a problem or a page in its place."""
        refusal = _find_refusal(request)
        if refusal is None:
            return self.get_response(request)
        status = int(STATUS_OF_CODE[refusal.code])
        if request.path_info.startswith(API):
            body = json.dumps(describe_refusal(refusal))
            response = HttpResponse(body, status=status, content_type=CONTENT_TYPE)
        else:
            # Rendered without the request, so that no context processor queries the player.
            response = render(None, "body_refused.html", {"status": status, "refusal": refusal}, status=status)
        response["Content-Length"] = str(len(response.content))
        return response


def _find_refusal(request: HttpRequest) -> DomainError | None:
    carrier: Mapping[str, Any] = getattr(request, "scope", None) or request.environ  # type: ignore[attr-defined]
    found: DomainError | None = carrier.get(REFUSAL)
    max_size = max_size_of(request.path_info)
    if found is None and read_length(request.META.get("CONTENT_LENGTH")) > max_size:
        return BodyTooLarge(max_size)
    return found
