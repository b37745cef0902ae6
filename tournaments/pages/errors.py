"""Refusals about pages."""

from web.errors import DomainError


class ExportNotFound(DomainError):
    """A competition is not to be had in this form."""

    code = "not_found"
