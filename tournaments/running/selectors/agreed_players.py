"""People who have agreed to what a competition is by joining it, or its waiting list, and do not run it."""

from django.db.models import Q, QuerySet

from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, WaitingPlayer
from tournaments.running.selectors.waiting_lists import waiting_list


def entered_by_others(competition: Competition) -> QuerySet[Entry]:
    """Return the entries of those who do not run the competition, and of all teams, but for computers."""
    entered = Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ACTIVE)
    return entered.exclude(_asked_nothing(competition), team=None).order_by("pk")


def waiting_by_others(competition: Competition) -> QuerySet[WaitingPlayer]:
    """Return who waits for a place, the first first, but for those who run the competition, and computers."""
    return waiting_list(competition).exclude(_asked_nothing(competition))


def have_others_joined(competition: Competition) -> bool:
    """Return whether there is anybody of these before the start. Two queries at most, none for a draft."""
    if competition.status == CompetitionStatus.DRAFT:
        return False
    return entered_by_others(competition).exists() or waiting_by_others(competition).exists()


def _asked_nothing(competition: Competition) -> Q:
    return Q(player__in=competition.organisers.all()) | ~Q(player__level="")
