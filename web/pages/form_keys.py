"""Forms whose pages carry a key: what makes rows is done once, however often and at how many moments it is sent."""

from collections.abc import Callable
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from database.clock import current_moment
from web.api.idempotency.responses import Answer, forget_response, respond_once
from web.errors import DomainError
from web.pages.refusal_pages import refuse
from web.problems import API
from web.requests.privacy import SHOWN_BY_BACK

FORM_KEY = "form_key"
"""The name of the hidden field, which ``{% form_key %}`` writes."""

NOT_SENT_AGAIN = frozenset({"csrfmiddlewaretoken"})
"""The fields that differ between two posts of the same page."""


class FormKeysMiddleware:
    """Answers a form that a player sends again as it was answered first, by a redirect that is stored with its rows.

    The same page with other values in it is another form.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, options: dict[str, Any]
    ) -> HttpResponse | None:
        """Return what the view answers, or answered to the same form; ``None`` for a request without a key."""
        if not has_form_key(request) or (player_id := request.user.pk) is None:
            return None
        pages: list[HttpResponse] = []

        def answer() -> Answer:
            response = view(request, *args, **options)
            if "Location" not in response:
                pages.append(response)
                return Answer(HTTPStatus.OK, "")
            return Answer(response.status_code, "", {"Location": response["Location"]})

        key = key_of(request)
        try:
            with transaction.atomic():
                given = respond_once(player_id=player_id, key=key, fingerprint=key, now=current_moment(), answer=answer)
                if pages:
                    # Nothing was done: the page shows what is wrong, or asks for more.
                    forget_response(player_id=player_id, key=key)
        except DomainError as refusal:
            return refuse(request, refusal)
        for page in pages:
            page["Cache-Control"] = SHOWN_BY_BACK
            return page
        return HttpResponse(status=given.status, headers=given.headers)


def has_form_key(request: HttpRequest) -> bool:
    """Return whether a request sends a form that is to be done once."""
    return request.method == "POST" and not request.path_info.startswith(API) and FORM_KEY in request.POST


def key_of(request: HttpRequest, sender: str = "") -> str:
    """Return a key that another form, the same one with other values, or another sender does not have."""
    sent = sorted((name, values) for name, values in request.POST.lists() if name not in NOT_SENT_AGAIN)
    files = sorted((name, file.name or "", file.size or 0) for name, given in request.FILES.lists() for file in given)
    return sha256(repr([request.get_full_path(), sent, files, sender]).encode()).hexdigest()
