"""Keep noted on the seats of ladders whose entrants are in them, as the pages of a table ask for it.

Callers hold the competition's lock, and have stored the entries. Seats may be written at any point of a transaction:
who makes the table writes them, too, but never waits for one (``services.standings``).
"""

from collections.abc import Collection

from django.db.models import F, Q, QuerySet

from formats.protocol import Flow
from formats.registry import formats_with
from tournaments.models import Entry, Seat
from tournaments.records.competitions import IN_COMPETITION

MAX_ROWS = 1000

IS_ON_LADDER = Q(stage__format__in=formats_with(Flow.CONTINUOUS), entry__status__in=IN_COMPETITION)
"""The seats of those who are in a ladder, if only for their running games."""


def note_on_ladder(*, entries: Collection[Entry]) -> None:
    """Note on the seats of entrants whether these are on a ladder. One query for a thousand of them."""
    keys = [entry.pk for entry in entries]
    for start in range(0, len(keys), MAX_ROWS):
        _note(Seat.objects.filter(entry__in=keys[start : start + MAX_ROWS]))


def note_all_on_ladder(*, competition_id: int) -> None:
    """Note on all seats of a competition whether their entrants are on a ladder. One query."""
    _note(Seat.objects.filter(stage__competition=competition_id))


def noted_wrongly(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Return those of the seats on which something else is noted than their entries say."""
    return seats.filter(Q(IS_ON_LADDER, is_on_ladder=False) | ~IS_ON_LADDER & Q(is_on_ladder=True))


def _note(seats: QuerySet[Seat]) -> None:
    noted_wrongly(seats).update(is_on_ladder=~F("is_on_ladder"))
