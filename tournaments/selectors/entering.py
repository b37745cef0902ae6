"""Who may enter an event, and why not."""

from __future__ import annotations

from players.models import Player, Rating
from tournaments.errors import (
    AlreadyEntered,
    ComputersNotAdmitted,
    EntrantClosed,
    EntryClosed,
    EntryRefused,
    EventFull,
    GuestsNotAdmitted,
    RatingOutOfLimits,
)
from tournaments.models import ENDED, Entry, EntryStatus, Event, EventStatus
from tournaments.rating import START
from tournaments.selectors.events import count_entrants, find_cup


def reasons_not_to_enter(*, event: Event, player: Player) -> list[EntryRefused]:
    """Return every reason why the player may not enter the event, but for its password; empty if he may.

    Each has a stable ``code`` and a sentence, its ``reason``.
    """
    entry = Entry.objects.filter(event_id=event.pk, player=player).first()
    return [
        *_reasons_of_entry(event, entry),
        *_reasons_of_status(event),
        *reasons_of_kind(event=event, player=player),
        *_reasons_of_number(event, entry),
        *_reasons_of_rating(event, player),
    ]


def reasons_of_kind(*, event: Event, player: Player) -> list[EntryRefused]:
    """Return the reasons that lie in what kind of player somebody is."""
    if not player.is_active:
        return [EntrantClosed(f"The account {player} is closed.")]
    if player.is_guest and event.is_rated:
        return [GuestsNotAdmitted("The event is rated: sign up, and you can enter.")]
    if player.is_computer and not event.admits_computers:
        return [ComputersNotAdmitted("The event is for people only.")]
    return []


def can_return(entry: Entry, event: Event) -> bool:
    """Return whether somebody who was in the event may enter it again: a ladder is left and joined at any time."""
    return entry.status in {EntryStatus.ON_HOLD, EntryStatus.GONE} and find_cup(event) is None


def takes_late_entries(event: Event) -> bool:
    """Return whether players may enter the event while it runs: a ladder always, a cup if it is wanted and possible."""
    cup = find_cup(event)
    return cup is None or (cup.late_entry and cup.allows_late_entry)


def can_take_late_entries(event: Event) -> bool:
    """Return whether organisers may enter players while the event runs: where it is possible, wanted or not."""
    cup = find_cup(event)
    return cup is None or cup.allows_late_entry


def _reasons_of_entry(event: Event, entry: Entry | None) -> list[EntryRefused]:
    if entry is None or can_return(entry, event):
        return []
    if entry.status == EntryStatus.ACTIVE:
        return [AlreadyEntered("You have entered already.")]
    return [AlreadyEntered("You have been in this event and left it.")]


def _reasons_of_status(event: Event) -> list[EntryRefused]:
    if event.status == EventStatus.OPEN:
        return []
    if event.status == EventStatus.RUNNING:
        return [] if takes_late_entries(event) else [EntryClosed("The cup has started, and takes no more players.")]
    if event.status in ENDED:
        return [EntryClosed("The event is over.")]
    return [EntryClosed("The event is not open for entry.")]


def _reasons_of_number(event: Event, entry: Entry | None) -> list[EntryRefused]:
    keeps_his_place = entry is not None and entry.is_in
    if event.max_entrants is None or keeps_his_place or count_entrants(event) < event.max_entrants:
        return []
    return [EventFull(f"All {event.max_entrants} places are taken.")]


def _reasons_of_rating(event: Event, player: Player) -> list[EntryRefused]:
    if event.min_rating is None and event.max_rating is None:
        return []
    rating = Rating.objects.filter(player=player, family=event.rules.family).values_list("rating", flat=True).first()
    rating = START if rating is None else rating
    if event.min_rating is not None and rating < event.min_rating:
        return [RatingOutOfLimits(f"The event is for ratings from {event.min_rating} up; yours is {rating:.0f}.")]
    if event.max_rating is not None and rating > event.max_rating:
        return [RatingOutOfLimits(f"The event is for ratings up to {event.max_rating}; yours is {rating:.0f}.")]
    return []
