"""Headers of API responses that tell a client how much of its rate is left."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from web.limits.allowances import Allowance


class LimitsMiddleware:
    """Adds ``RateLimit-Policy`` and ``RateLimit`` (the IETF's draft): the rate, what is left of it, for how long."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response, with the headers if the request was counted."""
        response = self.get_response(request)
        allowance = getattr(request, "allowance", None)
        if isinstance(allowance, Allowance):
            response["RateLimit-Policy"] = f'"{allowance.scope}";q={allowance.number};w={allowance.seconds}'
            response["RateLimit"] = f'"{allowance.scope}";r={allowance.left};t={round(allowance.reset)}'
        return response
