"""The one content policy that every answer carries."""

from __future__ import annotations

from django.http.response import HttpResponseBase

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}


def policy_of(response: HttpResponseBase) -> dict[str, str]:
    """Return the sources by directive that an answer allows."""
    directives = response["Content-Security-Policy"].split("; ")
    return {name: sources for name, _space, sources in (each.partition(" ") for each in directives)}
