"""Entries, why a player may not enter, check-ins, waiting lists and challenges, in JSON."""

from datetime import datetime
from typing import Literal, TypedDict, cast

from formats.pairing.challenge import Prospect
from tournaments.entries.selectors.byes import find_bye_request
from tournaments.entries.services.entry_imports import ImportedList
from tournaments.models import Entry, EntryInvitation, Seat, WaitingPlayer
from tournaments.models.errors import EntryRefused
from tournaments.office.schemas import EntryStatusName, TeamNameSchema, team_name_to_json
from tournaments.records.challenges import ChallengeOption
from tournaments.records.groups import standing_of
from tournaments.running.selectors.waiting_lists import place_on_list
from tournaments.running.sentences import prospect_text, refusal_sentence


class OwnEntrySchema(TypedDict):
    """A player's own entry."""

    status: EntryStatusName
    is_disqualified: bool
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
    is_disqualified: bool
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
        "is_disqualified": entry.disqualified_at is not None,
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
        "is_disqualified": False,
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
        "is_disqualified": entry.disqualified_at is not None,
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


class OwnCheckInSchema(TypedDict):
    """The check-in of a player."""

    checked_in_at: datetime | None


def own_check_in_to_json(place: Entry | WaitingPlayer) -> OwnCheckInSchema:
    """Return when the player of an entry, or of a place on the waiting list, has checked in."""
    return {"checked_in_at": place.checked_in_at}


class WaitingPlayerSchema(TypedDict):
    """A player on the waiting list, as organisers see it."""

    id: int
    player: str
    joined_at: datetime
    checked_in_at: datetime | None


class OwnWaitingSchema(TypedDict):
    """The caller's own place on the waiting list."""

    place: int
    """From 1: who moves up first."""
    joined_at: datetime
    checked_in_at: datetime | None


def waiting_player_to_json(waiting: WaitingPlayer) -> WaitingPlayerSchema:
    """Return a row of a waiting list; the player was read with it."""
    return {
        "id": waiting.pk,
        "player": waiting.player.username,
        "joined_at": waiting.joined_at,
        "checked_in_at": waiting.checked_in_at,
    }


def own_waiting_to_json(waiting: WaitingPlayer) -> OwnWaitingSchema:
    """Return the caller's place on a waiting list. One query."""
    return {
        "place": place_on_list(waiting),
        "joined_at": waiting.joined_at,
        "checked_in_at": waiting.checked_in_at,
    }


class ProspectSchema(TypedDict):
    """The effect of one result of a game."""

    position: int
    """The challenger's position after it."""
    detail: str
    """The same in a sentence."""


class ProspectsSchema(TypedDict):
    """The effects of each result of a game on the challenger."""

    win: ProspectSchema
    draw: ProspectSchema
    loss: ProspectSchema
    timeout: ProspectSchema


class ChallengeOptionSchema(TypedDict):
    """Somebody whom the caller can challenge, or why not. Either ``obstacle`` or ``prospects`` is null."""

    opponent: str
    position: int
    obstacle: RefusalSchema | None
    prospects: ProspectsSchema | None


def challenge_option_to_json(option: ChallengeOption) -> ChallengeOptionSchema:
    """Return what a challenge would do, or why there can be none."""
    refusal, prospects = option.refusal, option.prospects
    return {
        "opponent": option.opponent.player.username,
        "position": option.position,
        "obstacle": {"code": refusal.obstacle.value, "detail": refusal_sentence(refusal)} if refusal else None,
        "prospects": {
            "win": _prospect_to_json(prospects.win),
            "draw": _prospect_to_json(prospects.draw),
            "loss": _prospect_to_json(prospects.loss),
            "timeout": _prospect_to_json(prospects.timeout),
        }
        if prospects
        else None,
    }


def _prospect_to_json(prospect: Prospect) -> ProspectSchema:
    return {"position": prospect.position, "detail": prospect_text(prospect)}
