"""What every public site says of itself: to crawlers, to finders of faults, and about privacy."""

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from database.clock import current_moment

VALIDITY = timedelta(days=180)
"""The time for which ``security.txt`` says that it is right; RFC 9116 wants less than a year."""

ROBOTS = """\
User-agent: *
Disallow: /admin/
Disallow: /api/
Disallow: /*/embed/
"""


@require_safe
def robots_txt(request: HttpRequest) -> HttpResponse:
    """Return which pages crawlers leave alone: those for programs and for staff."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return whom to tell of a fault in the site's security, by RFC 9116; 404 if ``SECURITY_CONTACT`` is empty."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    until = (current_moment() + VALIDITY).replace(microsecond=0)
    lines = (
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {until.isoformat()}",
        f"Canonical: {settings.SITE_URL}/.well-known/security.txt",
    )
    return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")


@require_safe
def privacy_page(request: HttpRequest) -> HttpResponse:
    """Return who runs the site, what it stores about people, and for how long."""
    context = {"operator": settings.SITE_OPERATOR, "contact": settings.SITE_CONTACT}
    return render(request, "privacy.html", context)
