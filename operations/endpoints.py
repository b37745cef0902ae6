"""The endpoints for monitoring: ``/health/live``, ``/health/ready`` and ``/metrics``."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase

from operations import health, metrics


class OperationsMiddleware:
    """Answers these paths before all other middleware.

    Monitoring asks from within the machine: by any host name, without https, cookies or a session. Nothing is logged or
    cached.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response of an endpoint, or the site's response."""
        answer = ANSWERS.get(request.path_info)
        if answer is None:
            return self.get_response(request)
        response = answer(request) if request.method in {"GET", "HEAD"} else HttpResponseNotAllowed(["GET", "HEAD"])
        response["Cache-Control"] = "no-store"
        return response


def _live(request: HttpRequest) -> HttpResponse:
    """Return 200, because this process lives."""
    return JsonResponse({"status": "live"})


def _ready(request: HttpRequest) -> HttpResponse:
    """Return 200 if all health checks pass, else 503."""
    checks = health.check_all()
    ready = all(checks.values())
    body = {
        "status": "ready" if ready else "not ready",
        "checks": {name: "ok" if passed else "failed" for name, passed in checks.items()},
    }
    return JsonResponse(body, status=200 if ready else 503)


def _metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics, to clients with the token."""
    if not metrics.are_for(request.headers.get("Authorization", "")):
        return HttpResponse(status=404)
    return HttpResponse(metrics.render_counted() + metrics.render_waiting(), content_type=metrics.CONTENT_TYPE)


ANSWERS: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/health/live": _live,
    "/health/ready": _ready,
    "/metrics": _metrics,
}
