"""Where pages may load what from."""

from __future__ import annotations

from csp.constants import SELF, UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.http import HttpRequest
from django.http.response import HttpResponseBase

ADMIN = "/admin/"
ADMIN_POLICY = {"script-src": [SELF, UNSAFE_INLINE, UNSAFE_EVAL], "style-src": [SELF, UNSAFE_INLINE]}


class ContentPolicyMiddleware(CSPMiddleware):
    """The strict policy of the settings; only the admin's theme, which staff alone see, needs inline code."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """The parts of the policy for this response."""
        parts = super().get_policy_parts(request, response, report_only)
        if not report_only and request.path_info.startswith(ADMIN):
            parts.replace = {**(parts.replace or {}), **ADMIN_POLICY}
        return parts
