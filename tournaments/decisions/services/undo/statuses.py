"""The competitions in which matches can be decided, and decisions taken back."""

from django.utils.translation import gettext as _

from tournaments.models import Competition, CompetitionStatus
from tournaments.rounds.errors import WrongCompetitionStatus


def check_status(competition: Competition) -> None:
    """Raise ``WrongCompetitionStatus`` unless the competition has started, and was not ended by hand."""
    if competition.status == CompetitionStatus.CANCELLED:
        raise WrongCompetitionStatus(_("The competition was cancelled. Take that back first."))
    if competition.status == CompetitionStatus.FINISHED and competition.is_endless:
        raise WrongCompetitionStatus(_("The ladder was finished. Take that back first."))
    if competition.started_at is None:
        raise WrongCompetitionStatus(_("The competition has not started."))
