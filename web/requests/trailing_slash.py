"""URLs without their last slash."""

import json
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.utils.encoding import escape_uri_path
from django.utils.translation import gettext as _

from web.problems import API, CONTENT_TYPE, problem


class ForgivingCommonMiddleware(CommonMiddleware):
    """Redirects readers to the URL with the slash. A write would lose its body on the way and gets a 404.

    The API's 404 names the right URL.
    """

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        """Return whether the request reads and its URL lacks nothing but the slash."""
        return request.method in {"GET", "HEAD"} and super().should_redirect_with_slash(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the response, a redirect, or a problem that names the URL with the slash."""
        if response.status_code == HTTPStatus.NOT_FOUND and self._is_write_without_slash(request):
            response = _name_url(f"{escape_uri_path(request.path)}/")
        return super().process_response(request, response)

    def _is_write_without_slash(self, request: HttpRequest) -> bool:
        return request.path_info.startswith(API) and super().should_redirect_with_slash(request)


def _name_url(url: str) -> HttpResponse:
    sentence = _("There is nothing at this URL. Did you mean %(url)s, with a slash at the end?")
    body = problem(status=HTTPStatus.NOT_FOUND, code="not_found", detail=sentence % {"url": url})
    return HttpResponse(json.dumps(body), status=HTTPStatus.NOT_FOUND, content_type=CONTENT_TYPE)
