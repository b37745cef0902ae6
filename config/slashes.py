"""Addresses without their last slash."""

from django.http import HttpRequest
from django.middleware.common import CommonMiddleware


class ForgivingCommonMiddleware(CommonMiddleware):
    """Redirects readers to the address with the slash; a write would lose its body on the way and gets a 404."""

    def should_redirect_with_slash(self, request: HttpRequest) -> bool:
        """Whether the request reads and its address lacks nothing but the slash."""
        return request.method in {"GET", "HEAD"} and super().should_redirect_with_slash(request)
