"""Views of buttons that need a logged-in player; a visitor is led to the log-in."""

from collections.abc import Callable
from functools import wraps
from pathlib import PurePosixPath
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.views.decorators.http import require_POST

View = Callable[..., HttpResponse]


def button(view: View) -> View:
    """Return a view that answers only to POST, and only to those who are logged in.

    A visitor is led to the log-in, and from there to the page with the button, where they can click it
    again: the nearest page above the button's URL.
    """

    @require_POST
    @wraps(view)
    def press(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        return redirect_to_login(_page_above(request.path))

    press.is_button = True  # type: ignore[attr-defined]
    return press


def _page_above(path: str) -> str:
    return next(page for above in PurePosixPath(path).parents if _is_page(page := f"{above}/".replace("//", "/")))


def _is_page(path: str) -> bool:
    try:
        found = resolve(path)
    except Resolver404:
        return False
    return not getattr(found.func, "is_button", False)
