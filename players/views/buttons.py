"""Pages, forms and buttons that need a logged-in player; a visitor is led to the log-in."""

from collections.abc import Callable
from functools import wraps
from pathlib import PurePosixPath
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

View = Callable[..., HttpResponse]


def own_page(view: View) -> View:
    """Return a view that only shows, to a logged-in player what no cache may keep."""
    return never_cache(login_required(require_safe(view)))


def own_form(view: View) -> View:
    """Return a view that shows a form to a logged-in player, and takes what is sent by it."""
    return never_cache(login_required(require_http_methods(["GET", "HEAD", "POST"])(view)))


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
