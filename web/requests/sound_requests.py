"""Django's requests, made robust: no header and no form that a client sends makes them fail."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.http import HttpRequest, HttpResponse, RawPostDataException, UnreadablePostError
from django.http.response import HttpResponseBase
from django.utils.http import parse_header_parameters
from django.views.defaults import bad_request

from web.problems import API

FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data"})
UTF_8 = frozenset({"utf-8", "utf8"})
UNREADABLE = "application/octet-stream"


class SoundRequest(HttpRequest):
    """A request that is read as UTF-8, whatever character set it announces, and whose form is empty if it is broken.

    Django reads the query in the announced character set before any middleware runs, and reads the form of a request
    whenever it renders a page, also that of a refusal. ``form_fault`` says why a form that has been read is empty.
    """

    form_fault: Exception | None = None

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        """Set type and length from the headers; an invalid type becomes one that no view accepts."""
        try:
            self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))
        except Exception:  # noqa: BLE001 - it uses the parser of mails, which raises many kinds
            meta["CONTENT_TYPE"] = UNREADABLE
            self.content_type, self.content_params = UNREADABLE, {}
        length = meta.get("CONTENT_LENGTH", "")
        if length and not (length.isascii() and length.isdigit()):
            meta["CONTENT_LENGTH"] = ""

    def _load_post_and_files(self) -> None:
        try:
            self._refuse_other_character_sets()
            super()._load_post_and_files()
        except (UnreadablePostError, RawPostDataException, RequestDataTooBig):
            raise
        except Exception as fault:  # noqa: BLE001 - the parser of mails once more, on the headers of parts
            self._mark_post_parse_error()  # type: ignore[attr-defined]
            self.form_fault = fault

    def _refuse_other_character_sets(self) -> None:
        charset = (self.content_params or {}).get("charset", "")
        if self.content_type in FORMS and charset and charset.lower() not in UTF_8:
            raise BadRequest("Send forms in UTF-8.")


class SoundWSGIRequest(SoundRequest, WSGIRequest):
    """A request under WSGI that survives invalid headers and forms."""


class SoundASGIRequest(SoundRequest, ASGIRequest):
    """A request under ASGI that survives invalid headers and forms."""


class SoundWSGIHandler(WSGIHandler):
    """Django's WSGI handler with ``SoundWSGIRequest``."""

    request_class = SoundWSGIRequest


class BrokenFormsMiddleware:
    """Refuses invalid forms, before a view takes them for empty. The API reads no forms."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, options: Any) -> HttpResponse | None:
        """Return a page that refuses the form, if there is one and it is invalid."""
        if request.method != "POST" or request.content_type not in FORMS or request.path_info.startswith(API):
            return None
        request.POST  # noqa: B018 - to have it read
        fault = getattr(request, "form_fault", None)
        return bad_request(request, fault) if fault else None
