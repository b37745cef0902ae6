"""Show a refusal on the players' pages."""

from django.http import HttpResponse

from web.errors import DomainError, PasswordsBusy


def as_refused(response: HttpResponse, refusal: DomainError) -> HttpResponse:
    """Return the page that shows a refusal, with status and header that tell programs how long to wait."""
    if refusal.wait is not None:
        response.status_code = 503 if isinstance(refusal, PasswordsBusy) else 429
        response["Retry-After"] = str(refusal.wait)
    return response
