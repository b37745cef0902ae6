"""Metrics of requests."""

from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import Histogram

REQUEST_SECONDS = Histogram(
    "kickabout_request_seconds",
    "How long requests took, by the URL's pattern.",
    ["method", "route", "status"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
METHODS = {"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"}
NO_ROUTE = "none"


class MeasuringMiddleware:
    """Counts and times every request by the pattern of its URL, so that there are few time series."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        begun = perf_counter()
        response = self.get_response(request)
        method = request.method if request.method in METHODS else "other"
        route = request.resolver_match.route if request.resolver_match else NO_ROUTE
        REQUEST_SECONDS.labels(method, route, response.status_code).observe(perf_counter() - begun)
        return response
