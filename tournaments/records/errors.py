"""Refusals about what is looked up."""

from django.utils.translation import gettext_lazy as _

from web.errors import DomainError

NO_COMPETITION = _("There is no such competition.")
"""The refusal for a draft as for a competition that does not exist, no matter which kind was asked for."""


class CompetitionNotFound(DomainError):
    """There is no such competition."""

    code = "not_found"


class GroupNotFound(DomainError):
    """The competition has no such stage, or the stage no such group."""

    code = "not_found"


class RoundNotFound(DomainError):
    """The cup has no such round."""

    code = "not_found"
