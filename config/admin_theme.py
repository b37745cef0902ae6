"""The looks of the admin: the site's mark and its one accent colour."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.templatetags.static import static


def _mark(request: HttpRequest) -> str:
    return static("img/kickabout.svg")


_ACCENT = {
    "50": "oklch(97.6% .014 47)",
    "100": "oklch(94.8% .032 47)",
    "200": "oklch(89.5% .066 46)",
    "300": "oklch(82.6% .112 44)",
    "400": "oklch(74.3% .162 42)",
    "500": "oklch(66.5% .192 40)",
    "600": "oklch(55.4% .179 37)",
    "700": "oklch(48.7% .158 37)",
    "800": "oklch(42.1% .130 37)",
    "900": "oklch(36.4% .104 37)",
    "950": "oklch(25.7% .070 36)",
}

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Kickabout",
    "SITE_HEADER": "Kickabout",
    "SITE_SYMBOL": "sports_soccer",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": _mark}],
    "COLORS": {"primary": _ACCENT},
    "DASHBOARD_CALLBACK": "config.operations.dashboard.show_waiting",
}
