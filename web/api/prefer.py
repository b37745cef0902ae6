"""The ``Prefer`` header, by which clients ask for a short response (RFC 7240)."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

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
