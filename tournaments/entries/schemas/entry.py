"""Entries in JSON, and why a player may not enter."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypedDict, cast

from tournaments.entries.selectors.byes import find_bye_request
from tournaments.entries.services.entry_imports import ImportedList
from tournaments.models import Entry, EntryInvitation, Seat
from tournaments.models.errors import EntryRefused
from tournaments.office.schemas.entrant import EntryStatusName, TeamNameSchema, team_name_to_json
from tournaments.records.groups import standing_of


class OwnEntrySchema(TypedDict):
    """A player's own entry."""

    status: EntryStatusName
    seed: int | None
    place: int | None
    """In the table of the group. Null until the player has one."""
    stage: int | None
    """The number of the latest stage in which the player has a seat, null if they were replaced."""
    group: int | None
    """The number of the group in it."""
    waits_since: datetime | None
    """The moment since which the player has got no games, after a loss on time."""
    inactive_since: datetime | None
    """The moment since which the player had done nothing, if they leave the ladder, or have left it, for that."""
    bye_request: int | None
    """The round that the player asks, or has asked, to sit out."""
    entered_at: datetime
    checked_in_at: datetime | None
    """The moment when the player checked in to play, null if they have not, or nobody has to."""


class OrganisedEntrySchema(TypedDict):
    """An entry as organisers see it; or that of a player or team that has been invited, and does not play yet."""

    id: int | None
    """The number by which organisers name the entry, null once it is off the list, and of an invited player."""
    player: str
    """Of a team, who entered it as its captain, or is invited with it."""
    team: TeamNameSchema | None
    """Null for single players."""
    status: Literal["active", "on-hold", "gone", "replaced", "invited"]
    seed: int | None
    position: int | None
    bye_request: int | None
    """The round that the player asks, or has asked, to sit out."""
    checked_in_at: datetime | None
    """The moment when the player checked in to play, null if they have not, or nobody has to."""


class SkippedLineSchema(TypedDict):
    """A line of a list that was not taken."""

    line: int
    """From 1."""
    username: str
    """As it was written."""
    reason: str
    """A sentence for people."""


class ImportSchema(TypedDict):
    """The entries made from a list."""

    players: list[str]
    invited: list[str]
    """The players who were asked first, and play only if they accept."""
    skipped: list[SkippedLineSchema]
    """The lines that were left out: with `skips_faults` alone."""


class RefusalSchema(TypedDict):
    """A reason why not."""

    code: str
    """Stable."""
    detail: str
    """A sentence for people."""


def own_entry_to_json(entry: Entry) -> OwnEntrySchema:
    """Return a player's entry; its seats were read with it."""
    seat = entry.seat
    standing = standing_of(seat)
    group = seat.group if seat else None
    return {
        "status": cast("EntryStatusName", str(entry.status)),
        "seed": seat.seed if seat else None,
        "place": (seat.position if seat else None) or (standing.place if standing else None),
        "stage": group.stage.number if group else None,
        "group": group.number if group else None,
        "waits_since": entry.waits_since,
        "inactive_since": entry.inactive_since,
        "bye_request": _bye_request_of(seat),
        "entered_at": entry.entered_at,
        "checked_in_at": entry.checked_in_at,
    }


def admitted_to_json(done: Entry | EntryInvitation) -> OrganisedEntrySchema:
    """Return an entry as organisers see it, or who was invited."""
    if isinstance(done, Entry):
        return organised_entry_to_json(done)
    return {
        "id": None,
        "player": done.player.username,
        "team": team_name_to_json(done.team),
        "status": "invited",
        "seed": None,
        "position": None,
        "bye_request": None,
        "checked_in_at": None,
    }


def organised_entry_to_json(entry: Entry) -> OrganisedEntrySchema:
    """Return an entry as organisers see it; its seats were read with it."""
    seat = entry.seat
    return {
        "id": entry.pk,
        "player": entry.player.username,
        "team": team_name_to_json(entry.team),
        "status": cast("EntryStatusName", str(entry.status)),
        "seed": seat.seed if seat else None,
        "position": seat.position if seat else None,
        "bye_request": _bye_request_of(seat),
        "checked_in_at": entry.checked_in_at,
    }


def _bye_request_of(seat: Seat | None) -> int | None:
    request = find_bye_request(seat)
    return None if request is None else request.round_number


def import_to_json(done: ImportedList) -> ImportSchema:
    """Return who was entered from a list, and which lines were left out."""
    return {
        "players": [entry.player.username for entry in done.entries],
        "invited": [invitation.player.username for invitation in done.invitations],
        "skipped": [
            {"line": each.listed.line, "username": each.listed.username, "reason": each.fault} for each in done.skipped
        ],
    }


def refusal_to_json(refusal: EntryRefused) -> RefusalSchema:
    """Return a reason why a player may not enter."""
    return {"code": refusal.code, "detail": refusal.reason}
