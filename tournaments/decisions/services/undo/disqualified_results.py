"""The results of who is disqualified: annulled, lost, or the beaten opponent comes back. Callers hold the lock."""

from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import ngettext

from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.results import count_again
from tournaments.models import Annulment, Competition, Entry, Fixture
from tournaments.rounds.services.consequences import annul_matches, name_first


def annul_all(*, entry: Entry, now: datetime) -> Changes:
    """Annul what an entrant has played and forfeited, but for ties: these need their results."""
    fixtures = list(_results_of(entry).select_related(*RELATED).order_by("pk"))
    if not fixtures:
        return Changes()
    annul_matches(fixtures=fixtures, now=now)
    Fixture.objects.filter(pk__in=[each.pk for each in fixtures]).update(is_annulled=True, annulment=Annulment.DECIDED)
    sentence = ngettext(
        "%(count)d match is annulled: %(names)s.", "%(count)d matches are annulled: %(names)s.", len(fixtures)
    )
    return Changes(meant=fixtures, more=[sentence % {"count": len(fixtures), "names": name_first(fixtures)}])


def take_back_results(*, competition: Competition, entry: Entry, since: datetime, now: datetime) -> Changes:
    """Let the results count that an entrant had before a disqualification at this moment."""
    of_entry = Q(yellow=entry) | Q(red=entry)
    cause = {"cause__action": "disqualified", "cause__logged_at": since}
    annulled = Fixture.objects.filter(of_entry, annulment=Annulment.DECIDED, is_annulled=True, **cause)
    changes = count_again(fixtures=annulled.filter(draw_place="").select_related(*RELATED).order_by("pk"))
    # What was set aside besides counts as soon as it is drawn again.
    annulled.update(annulment="")
    return changes


def _results_of(entry: Entry) -> QuerySet[Fixture]:
    return Fixture.objects.filter(Q(yellow=entry) | Q(red=entry), is_annulled=False, tie=None)
