"""Players on the waiting list of a competition, and who may join it."""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import (
    ENDED,
    NOT_REPLACED,
    NOT_STARTED,
    Competition,
    CompetitionKind,
    CompetitionStatus,
    Entry,
    WaitingPlayer,
)
from tournaments.models.errors import EntryRefused
from tournaments.office.selectors.organisers import may_see
from tournaments.records.errors import NO_COMPETITION, CompetitionNotFound
from tournaments.records.groups import is_drawn
from tournaments.running.errors import CompetitionFull, EntryClosed, NotWaiting, PlacesFree
from tournaments.running.selectors.entry_conditions import count_taken_places, reasons_not_to_enter, reasons_of_kind

_ENTERED = Entry.objects.filter(NOT_REPLACED, competition=OuterRef("competition"), player=OuterRef("player"))
_REMOVED = Q(~Exists(_ENTERED), removed_at__isnull=False)


def waiting_list(competition: Competition) -> QuerySet[WaitingPlayer]:
    """Return who waits for a place in a competition, the first first."""
    return _rows(competition).filter(removed_at=None)


def removed_from_list(competition: Competition) -> QuerySet[WaitingPlayer]:
    """Return whom organisers have removed from the waiting list, in the order of the places that they had.

    Who has entered since is none of them.
    """
    return _rows(competition).filter(_REMOVED)


def count_waiting(competition: Competition) -> int:
    """Return how many wait for a place in a competition that was read with details: nobody once it has started."""
    waiting: int = vars(competition)["waiting"]
    return waiting if competition.status in NOT_STARTED else 0


def find_waiting(*, competition: Competition, player: Player | None) -> WaitingPlayer | None:
    """Return the player's row on the waiting list of a competition that has not started.

    One query, none where the competition was read with how many are on it, and nobody is.
    """
    if player is None or competition.status not in NOT_STARTED or vars(competition).get("waiting") == 0:
        return None
    return waiting_list(competition).filter(player=player).first()


def place_on_list(waiting: WaitingPlayer) -> int:
    """Return the player's place on the waiting list, from 1."""
    before = WaitingPlayer.objects.filter(competition_id=waiting.competition_id, pk__lte=waiting.pk, removed_at=None)
    return before.count()


def get_listed(competition: Competition, waiting_id: int) -> WaitingPlayer:
    """Return the row with this number, of who is on the waiting list or was removed from it. Raises ``NotWaiting``."""
    return _get(_rows(competition).filter(_REMOVED | Q(removed_at=None)), waiting_id)


def get_waiting(competition: Competition, waiting_id: int) -> WaitingPlayer:
    """Return the row of the competition's waiting list with this number. Raises ``NotWaiting``."""
    return _get(waiting_list(competition), waiting_id)


def find_own_waiting(*, slug: str, player: Player, kind: CompetitionKind | None = None) -> WaitingPlayer:
    """Return the player's row on the waiting list of a competition, of that kind if one is given, hidden or not.

    Raises ``CompetitionNotFound`` for what there is not, or is hidden from who is not on the list, or ``NotWaiting``.
    """
    kinds = [kind] if kind is not None else list(CompetitionKind)
    competition = Competition.objects.filter(slug=slug, kind__in=kinds).first()
    if competition is None:
        raise CompetitionNotFound(NO_COMPETITION)
    waiting = find_waiting(competition=competition, player=player)
    if waiting is not None:
        waiting.competition = competition
        return waiting
    if not may_see(competition=competition, player=player):
        raise CompetitionNotFound(NO_COMPETITION)
    raise NotWaiting(_("You are not on the waiting list of this competition."))


def reasons_not_to_wait(*, competition: Competition, player: Player) -> list[EntryRefused]:
    """Return every reason why a player who is not on it may not join the waiting list, except the password.

    They are those not to enter, but for the lack of places, without which there is no waiting list.
    """
    refusals = reasons_not_to_enter(competition=competition, player=player)
    others = [each for each in refusals if not isinstance(each, CompetitionFull)]
    if others or competition.status in ENDED:
        return others
    if competition.status == CompetitionStatus.RUNNING:
        return [EntryClosed(_("The competition has started, so its waiting list is closed."))]
    return [] if refusals else [PlacesFree(_("A place is free. You can join."))]


def can_wait(competition: Competition, refusals: Sequence[EntryRefused]) -> bool:
    """Return whether a player who is refused entry for these reasons, and is not on the waiting list, may join it."""
    return (
        competition.status in NOT_STARTED
        and bool(refusals)
        and all(isinstance(each, CompetitionFull) for each in refusals)
    )


def waiting_to_move_up(competition: Competition) -> list[WaitingPlayer]:
    """Return for whom of the waiting list there is a place now, the first first. Four queries at most, mostly one."""
    if competition.status not in {CompetitionStatus.OPEN, CompetitionStatus.CLOSED} or competition.hidden_at:
        return []
    waiting = fit_to_move_up(competition)
    if not waiting or is_drawn(competition=competition):
        return []
    return waiting[: count_free_places(competition, count_taken_places(competition))]


def fit_to_move_up(competition: Competition) -> list[WaitingPlayer]:
    """Return who of the waiting list may play, the first first, whether there is a place or not."""
    waiting = waiting_list(competition)
    return [each for each in waiting if not reasons_of_kind(competition=competition, player=each.player)]


def count_free_places(competition: Competition, entrants: int) -> int | None:
    """Return how many places are free if so many are in; ``None`` for any number."""
    return None if competition.max_entrants is None else max(0, competition.max_entrants - entrants)


def _rows(competition: Competition) -> QuerySet[WaitingPlayer]:
    rows = WaitingPlayer.objects.filter(competition_id=competition.pk, moved_up_at=None)
    return rows.select_related("player").order_by("pk")


def _get(rows: QuerySet[WaitingPlayer], waiting_id: int) -> WaitingPlayer:
    waiting = rows.filter(pk=waiting_id).first()
    if waiting is None:
        raise NotWaiting(_("There is no such player on the waiting list."))
    return waiting
