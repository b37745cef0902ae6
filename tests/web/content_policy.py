"""The one content policy that every answer carries, and the other one of pages that any site may show in a frame."""

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

CLOSED = dict.fromkeys(("script-src", "connect-src", "worker-src", "form-action"), "'none'")
EMBEDDED = POLICY | CLOSED | {"frame-ancestors": "*"}


def policy_of(response: HttpResponseBase) -> dict[str, str]:
    """Return the sources by directive that an answer allows."""
    directives = response["Content-Security-Policy"].split("; ")
    return {name: sources for name, _space, sources in (each.partition(" ") for each in directives)}
