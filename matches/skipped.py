"""The matches that a player has skipped, in the URLs of the pages on which they go from match to match."""

from collections.abc import Sequence

from django.http import HttpRequest

MAX_SKIPPED = 100
"""The most matches that a URL says to have been skipped: of more, the latest."""


def read_skipped(request: HttpRequest) -> list[int]:
    """Return the ids of the matches that were skipped, the latest last; what is no id is left out."""
    parts = request.GET.get("skipped", "").split(",")
    ids = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 19]
    return ids[-MAX_SKIPPED:]


def with_skipped(url: str, skipped: Sequence[int]) -> str:
    """Return a URL that says which matches were skipped."""
    return f"{url}?skipped={','.join(map(str, skipped[-MAX_SKIPPED:]))}" if skipped else url
