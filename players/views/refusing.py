"""What every page of the players does with a refusal."""

from __future__ import annotations

from django.http import HttpResponse

from players.errors import DomainError, TooManyAttempts


def as_refused(response: HttpResponse, refusal: DomainError) -> HttpResponse:
    """The page that shows a refusal, with the status and the header that tell programs to wait, if it says so."""
    if isinstance(refusal, TooManyAttempts):
        response.status_code = 429
        response["Retry-After"] = str(refusal.wait)
    return response
