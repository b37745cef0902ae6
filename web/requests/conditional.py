"""Responses that are sent once to a client that has them already."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response


def with_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Return the response with an entity tag of its content, or 304 to a client that has this content."""
    etag = f'"{sha256(response.content).hexdigest()[:32]}"'
    response["ETag"] = etag
    known = get_conditional_response(request, etag=etag, response=response)
    return response if not isinstance(known, HttpResponse) else known
