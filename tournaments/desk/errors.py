"""Refusals about the desk."""

from web.errors import DomainError


class TooManyRows(DomainError):
    """More matches or players were chosen than are acted on at once."""

    code = "too_many_rows"
