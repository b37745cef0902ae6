"""Refusals about pages."""

from __future__ import annotations

from web.errors import DomainError


class ExportNotFound(DomainError):
    """A competition is not to be had in this form."""

    code = "not_found"
