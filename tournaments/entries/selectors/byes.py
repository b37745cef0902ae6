"""Byes on request: the rounds in which an entrant can still ask for one, and what was asked."""

from dataclasses import dataclass

from django.db.models import OuterRef, Prefetch, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from tournaments.entries.errors import ByesNotInFormat, ByesNotOffered
from tournaments.models import ENDED, Bye, ByeRequest, Entry, Seat
from tournaments.records.coming_rounds import coming_rounds, count_drawn_rounds, count_starters


@dataclass(frozen=True, slots=True)
class ByeChoice:
    """The rounds in which an entrant can ask for a bye, and the entrant's requests so far.

    ``rounds`` can still be asked for: those after the one that is played or drawn now. ``requested`` is the round of a
    request that waits for its round to be drawn, ``granted`` the round of the bye on request that the entrant has had,
    and ``refused`` one that was drawn without the bye that was asked for.
    """

    rounds: range
    requested: int | None = None
    granted: int | None = None
    refused: int | None = None


def offers_byes(entry: Entry) -> bool:
    """Return whether somebody is in, and can ask for byes in the latest stage. Lists prefetch ``SEATS``."""
    return _offered_seat(entry) is not None


def _offered_seat(entry: Entry) -> Seat | None:
    """Return the latest seat of somebody who is in, if byes can be asked for there. It is read once."""
    seat = entry.seat if entry.is_in else None
    return seat if seat is not None and seat.stage.abilities.byes_on_request else None


def find_bye_request(seat: Seat | None) -> ByeRequest | None:
    """Return the request of a seat, whether its round has been drawn or not."""
    return getattr(seat, "bye_request", None)


def seat_with_byes(entry: Entry) -> Seat:
    """Return the latest seat of somebody who is in. Raises ``ByesNotInFormat`` or ``ByesNotOffered``. One query."""
    seat = _with_byes(Seat.objects.filter(entry=entry).select_related("stage__competition")).order_by("-pk")[0]
    abilities = seat.stage.abilities
    if not abilities.pairs_by_results:
        raise ByesNotInFormat(_("You can ask for a bye only if each round is drawn after the previous one."))
    if not abilities.byes_on_request:
        raise ByesNotOffered(_("Players cannot ask for byes in this competition."))
    return seat


def find_bye_choice(entry: Entry) -> ByeChoice | None:
    """Return what an entrant of a competition that has not ended can ask for; ``None`` where there are no such byes.

    One query, none where the entry was prefetched with ``SEATS_WITH_BYES``.
    """
    seat = _offered_seat(entry)
    if seat is None or entry.competition.status in ENDED:
        return None
    if not hasattr(seat, "granted_bye"):
        seat = seat_with_byes(entry)
    seat.stage.competition = entry.competition
    return bye_choice(seat)


def list_bye_rounds(entry: Entry) -> list[int]:
    """Return the numbers of the rounds that an entrant can ask to sit out."""
    choice = find_bye_choice(entry)
    return [] if choice is None or choice.granted is not None else list(choice.rounds)


def bye_choice(seat: Seat) -> ByeChoice:
    """Return what the entrant in a seat, which was read with byes, can ask for and has asked for."""
    known = vars(seat)
    rounds = coming_rounds(seat.stage, drawn=known["drawn_rounds"], starters=known["starters"])
    request, granted = find_bye_request(seat), known["granted_bye"]
    if request is None or granted is not None:
        return ByeChoice(rounds, granted=granted)
    number = request.round_number
    first = rounds.start - known["pairing_due"]
    return ByeChoice(
        rounds,
        requested=number if first <= number < rounds.stop else None,
        refused=number if number < first else None,
    )


def _with_byes(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Return the seats with all that ``bye_choice`` asks of them."""
    granted = Bye.objects.filter(seat=OuterRef("pk"), is_asked=True).values("round__number")
    return seats.select_related("stage", "standing", "bye_request").annotate(
        drawn_rounds=count_drawn_rounds("group"),
        pairing_due=Q(group__pairing_due_since__isnull=False) | Q(group__proposed_round__isnull=False),
        starters=count_starters("group"),
        granted_bye=Subquery(granted[:1]),
    )


SEATS_WITH_BYES = Prefetch("seats", _with_byes(Seat.objects.all()))
"""The prefetch of an entry where it is shown what the entrant can ask for."""
