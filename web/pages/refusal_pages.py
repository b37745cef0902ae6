"""Refusals on pages: a page with the sentence, and the status of the table in ``web.problems``."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.response import SimpleTemplateResponse

from web.errors import DomainError
from web.problems import API, CONTENT_TYPE, STATUS_OF_CODE, describe_refusal


class PageRefusalsMiddleware:
    """Answers refusals of services on pages; if a page shows the refusal itself, only its status is set."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return a page, or a problem for a script that asks for JSON; ``None`` for what is no refusal."""
        if not isinstance(error, DomainError) or request.path_info.startswith(API):
            return None
        return refuse(request, error)

    def process_template_response(
        self, request: HttpRequest, response: SimpleTemplateResponse
    ) -> SimpleTemplateResponse:
        """Return the response, with the status of the refusal that its page shows as ``refusal``."""
        refusal = (response.context_data or {}).get("refusal")
        if isinstance(refusal, DomainError):
            response.status_code = int(STATUS_OF_CODE[refusal.code])
        return response


def refuse(request: HttpRequest, error: DomainError) -> HttpResponse:
    """Return a page with the sentence of a refusal, or a problem in the API and for a script that asks for JSON."""
    status = int(STATUS_OF_CODE[error.code])
    is_for_scripts = request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    if is_for_scripts or request.path_info.startswith(API):
        response: HttpResponse = JsonResponse(describe_refusal(error), status=status, content_type=CONTENT_TYPE)
    elif status == HTTPStatus.TOO_MANY_REQUESTS:
        # Rendered without the request, so that no context processor queries the player: a refusal costs little.
        response = render(None, "429.html", {"refusal": error, "is_read": request.method == "GET"}, status=status)
    else:
        response = render(request, "refused.html", {"refusal": error}, status=status)
    if error.wait is not None:
        response["Retry-After"] = str(error.wait)
    return response
