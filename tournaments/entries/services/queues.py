"""Move a player in the queue of a level, from which the next group forms."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from formats.grouping import move_to_place
from players.models import Player
from tournaments.models import Competition, Entry, Seat
from tournaments.office.selectors.organisers import competition_of_entry, get_entry
from tournaments.office.services.log import Change, log_action
from tournaments.office.stage_names import name_level
from tournaments.records.levels import queues_of
from tournaments.rounds.services.consequences import Consequences
from tournaments.rounds.services.levels import order_seats
from tournaments.running.errors import NotWaiting
from tournaments.running.services.catch_up import lock_for_organiser
from web.errors import InvalidDetails


def move_in_queue(*, entry_id: int, level: int | None, place: int, actor: Player, reason: str, now: datetime) -> Entry:
    """Give an entrant who waits for a group this place in the queue, from 1, and return the entry.

    Without a ``level`` it is the queue of the highest one at which they wait. Again has no effect. Raises
    ``EntryNotFound``, ``NotAnOrganiser``, ``NotWaiting``, or ``InvalidDetails`` for a place that there is not.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_of_entry(entry_id), actor=actor, now=now)
        seats, order = _move(competition, entry_id, level, place)
        old = [seat.entry for seat in seats]
        moved = [entry for before, entry in zip(old, order, strict=True) if before != entry]
        entry = get_entry(competition, entry_id)
        if moved:
            order_seats(seats=seats, entries=[each.pk for each in order])
            log_action(
                competition=competition,
                action="queue-moved",
                actor=actor,
                about=entry,
                concerns=moved,
                reason=reason,
                changes=[Change(what=_queue_name(seats[0]), old=str(old.index(entry) + 1), new=str(place))],
                now=now,
            )
    return entry


def what_follows_from_moving(*, entry_id: int, level: int | None, place: int, now: datetime) -> Consequences:
    """Return in which order all wait after a move in the queue. Raises what the move would."""
    competition = Competition.objects.get(pk=competition_of_entry(entry_id))
    seats, order = _move(competition, entry_id, level, place)
    sentence = _("%(queue)s: %(players)s.")
    names = ", ".join(f"{number}. {entry}" for number, entry in enumerate(order, start=1))
    return Consequences(more=(sentence % {"queue": _queue_name(seats[0]), "players": names},))


def _move(competition: Competition, entry_id: int, level: int | None, place: int) -> tuple[list[Seat], list[Entry]]:
    """Return the seats of a queue, and who is to have them. Raises ``NotWaiting`` or ``InvalidDetails``."""
    queues = queues_of(competition, entry_id)
    seats = queues.get(next(iter(queues), 0) if level is None else level)
    if seats is None:
        raise NotWaiting(_("This player is not waiting for a group there."))
    entries = {seat.entry_id: seat.entry for seat in seats}
    try:
        order = move_to_place([seat.entry_id for seat in seats], entry_id, place)
        return seats, [entries[each] for each in order]
    except ValueError:
        sentence = _("Name a place from 1 to %(last)d.") % {"last": len(seats)}
        raise InvalidDetails({"place": [sentence]}) from None


def _queue_name(seat: Seat) -> str:
    return _("Queue at %(level)s") % {"level": name_level(seat.stage.number)}
