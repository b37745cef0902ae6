"""The refusals of the tournaments' services."""

from web.errors import DomainError


class EntryRefused(DomainError):
    """Somebody may not enter a competition; each reason is a class of its own."""

    code = "entry_refused"
