"""The door of every request: the moment at which it arrived, before anything that it might wait for."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from database.clock import arriving


class ArrivalMiddleware:
    """Lets services judge a request by when it arrived. Under WSGI that is when its body had been read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Wrap the rest of the site."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the site's response."""
        with arriving():
            return self.get_response(request)
