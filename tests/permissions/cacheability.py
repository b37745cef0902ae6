"""The check that caches between the site and its callers keep only the answers that they may."""

from typing import Any

from web.requests.redaction import is_secret_path

FOR_ALL = {
    "api/v1/docs/",
    "api/v1/schema/",
    *(f"{kind}s/<slug:slug>/{page}" for kind in ("cup", "ladder") for page in ("embed/", "preview.png")),
}
"""The same for every role."""


def is_kept_by_nobody_else(response: Any, role: str, method: str, route: str) -> bool:
    """Return whether an answer that is for its caller alone says so, and every answer by what it differs."""
    if route in FOR_ALL:
        return True
    if {"authorization", "cookie"} - {name.strip().lower() for name in response.get("Vary", "").split(",")}:
        return False
    if role == "visitor" and method == "GET" and not response.cookies and not is_secret_path(f"/{route}"):
        return "public" not in response.get("Cache-Control", "")
    said = {part.strip() for part in response.get("Cache-Control", "").split(",")}
    if "ETag" in response:
        return {"private", "no-cache"} <= said or "no-store" in said
    return "no-store" in said
