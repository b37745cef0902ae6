"""Pages in place of the one before: a script that asks for it gets a page without what is around its content."""

from django.http import HttpRequest

HEADER = "X-Fragment"


def layout_of(request: HttpRequest) -> str:
    """Return the template that a page extends: the whole one, or that of its content alone."""
    return "fragment.html" if HEADER in request.headers else "base.html"
