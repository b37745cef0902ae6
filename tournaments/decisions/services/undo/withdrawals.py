"""Take back a withdrawal: what followed from it is derived again as if the entrant had stayed."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from formats.protocol import Order
from matches import clock
from players.models import Player
from rules_engine.values import Ending, Side
from tournaments.decisions.errors import NotWithdrawn
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.results import check_uncorrected, forget_results, open_again
from tournaments.decisions.services.undo.trial import foresee, take_back
from tournaments.entries.errors import EntryOver
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Fixture, PlaceChange
from tournaments.office.errors import EntryNotFound
from tournaments.office.services.log import log_action
from tournaments.records.results import outcome_of
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.consequences import Consequences
from tournaments.running.errors import EntrantClosed
from tournaments.running.services.ladder_seats import note_on_ladder
from tournaments.running.services.numbers import store_numbers


def take_back_withdrawal(*, entry_id: int, confirm: bool, actor: Player, reason: str, now: datetime) -> Entry:
    """Let an entrant who has left play on, and return the entry.

    Matches that were forfeited by it go on from where they stood, or are played after all; on a challenge ladder the
    entrant stands where they would without the leaving. Of a knock-out, the tie is open again, and what followed from
    it is taken back; a cup that was over goes on. Raises ``EntryNotFound``, ``NotAnOrganiser``,
    ``WrongCompetitionStatus``, ``NotWithdrawn``, ``EntryOver`` where the place was taken over, ``EntrantClosed``,
    ``NothingToTakeBack`` where a match that was forfeited was corrected since, or ``MatchesWouldBeLost`` where somebody
    has moved in what followed and this is not confirmed.
    """
    change = partial(_play_on, entry_id, actor, reason, now)
    take_back(competition_id=_competition_of(entry_id), change=change, confirm=confirm, actor=actor, now=now)
    return find_entry(entry_id)


def what_follows_from_taking_back_withdrawal(*, entry_id: int, now: datetime) -> Consequences:
    """Return what follows from taking back a withdrawal now. Raises what taking it back would, but for the lost."""
    change = partial(_play_on, entry_id, None, "", now)
    return foresee(competition_id=_competition_of(entry_id), change=change, now=now)


def _competition_of(entry_id: int) -> int:
    competition_id = Entry.objects.filter(pk=entry_id).values_list("competition_id", flat=True).first()
    if competition_id is None:
        raise EntryNotFound(_("There is no such entry."))
    return competition_id


def find_entry(entry_id: int) -> Entry:
    """Return an entry with its player and team. Raises ``EntryNotFound``."""
    entry = Entry.objects.select_related("player", "team").filter(pk=entry_id).first()
    if entry is None:
        raise EntryNotFound(_("There is no such entry."))
    return entry


def _play_on(entry_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition) -> Changes:
    entry = find_entry(entry_id)
    left_at = _check(competition, entry)
    log_action(competition=competition, action="withdrawal-undone", actor=actor, about=entry, reason=reason, now=now)
    return play_on(competition=competition, entry=entry, left_at=left_at, now=now)


def play_on(*, competition: Competition, entry: Entry, left_at: datetime, now: datetime) -> Changes:
    """Let an entrant be in the competition again who has left at a moment, with the matches forfeited by that.

    Raises ``NothingToTakeBack`` where one of them was corrected since.
    """
    check_uncorrected(fixtures=_corrected_forfeits(entry, left_at))
    if competition.first_stage.format_spec.order is Order.POSITIONS:
        PlaceChange.objects.filter(seat__entry=entry, match=None, place=None, changed_at=left_at).delete()
    entry.status, entry.left_at, entry.left_as = EntryStatus(entry.left_as or EntryStatus.ACTIVE), None, ""
    if entry.status == EntryStatus.ACTIVE and entry.inactive_since is not None:
        entry.acted_at, entry.inactive_since = now, None
    entry.save(update_fields=["status", "left_at", "left_as", "inactive_since", "acted_at"])
    note_on_ladder(entries=[entry])
    store_numbers(competition_id=competition.pk)
    forfeits = _forfeits_of(entry, left_at)
    forget_results(fixtures=forfeits)
    counting = list(forfeits.filter(is_annulled=False).select_related(*RELATED).order_by("pk"))
    changes = open_again(competition=competition, fixtures=counting, now=now)
    changes.more.append(_("%(player)s is in again.") % {"player": entry})
    return changes


def _check(competition: Competition, entry: Entry) -> datetime:
    """Return when the entrant has left. Raises what speaks against their coming back."""
    was_ended = competition.is_endless and competition.status == CompetitionStatus.FINISHED
    if competition.status == CompetitionStatus.CANCELLED or was_ended:
        raise WrongCompetitionStatus(_("The competition is over. Take back its end first."))
    if entry.status == EntryStatus.REPLACED:
        raise EntryOver(
            _("%(entrant)s has been replaced: another player has taken over the place.") % {"entrant": entry}
        )
    if entry.status != EntryStatus.GONE or entry.left_at is None:
        raise NotWithdrawn(_("%(entrant)s has not been withdrawn.") % {"entrant": entry})
    if entry.disqualified_at is not None:
        raise EntryOver(
            _("%(entrant)s has been disqualified. Take back the disqualification instead.") % {"entrant": entry}
        )
    if is_closed(entry):
        raise EntrantClosed(_("This account is closed.") if entry.team is None else _("This team has been closed."))
    return entry.left_at


def is_closed(entry: Entry) -> bool:
    """Return whether the account, or the team, of an entrant has been closed: nobody can come back."""
    return not entry.player.is_active if entry.team is None else entry.team.closed_at is not None


def _since(entry: Entry, left_at: datetime) -> QuerySet[Fixture]:
    return Fixture.objects.filter(Q(yellow=entry) | Q(red=entry), finished_at__gte=clock.whole_millisecond(left_at))


def _forfeits_of(entry: Entry, left_at: datetime) -> QuerySet[Fixture]:
    """Return the fixtures that the entrant forfeited by leaving, or after it, annulled or not."""
    as_yellow = Q(yellow=entry, points_yellow__lte=F("points_red"))
    as_red = Q(red=entry, points_red__lte=F("points_yellow"))
    return _since(entry, left_at).filter(as_yellow | as_red, ending=Ending.FORFEIT)


def _corrected_forfeits(entry: Entry, left_at: datetime) -> Iterator[Fixture]:
    """Yield the fixtures that ended by forfeit as they left, and whose results were corrected."""
    for each in _since(entry, left_at).filter(correction__isnull=False).select_related(*RELATED).order_by("pk"):
        before, own = outcome_of(each), Side.YELLOW if each.yellow_id == entry.pk else Side.RED
        if before is not None and before.ending is Ending.FORFEIT and before.winner is not own:
            yield each
