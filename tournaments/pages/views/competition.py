"""The common parts of the pages of ladders and of cups: the shown competition, the viewer's entry, and buttons."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse

from database.clock import current_moment
from matches.selectors.matches import running_matches_in
from players.current_player import current_player
from players.models import Player
from tournaments.models import (
    ENDED,
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    EntryInvitation,
    EntryStatus,
    Ladder,
    LogEntry,
    WaitingPlayer,
)
from tournaments.models.audiences import CONDITIONS_CHANGED
from tournaments.models.errors import EntryRefused
from tournaments.models.rights import Role
from tournaments.office.selectors.changes import listed_lines
from tournaments.office.selectors.invitations import open_invitations
from tournaments.office.selectors.lists import pinned_if_any
from tournaments.office.selectors.organisers import people_of
from tournaments.office.sentences import competition_format_text, list_facts
from tournaments.office.views import topics_of
from tournaments.pages.sentences import preview_of, start_sentence
from tournaments.pages.views.shared import Page, Shown
from tournaments.records.competitions import count_checked_in
from tournaments.running.selectors.entry_conditions import (
    can_enter_again,
    reasons_not_to_enter,
    reasons_of_rounds,
    reasons_without_entry,
    takes_late_entries,
)
from tournaments.running.selectors.waiting_lists import can_wait, count_waiting, find_waiting, place_on_list

MAX_LATEST = 6


@dataclass(frozen=True, slots=True)
class Doors:
    """The buttons of viewers for their own entries: the URLs of the buttons, or why there are none."""

    can_enter: bool
    can_enter_again: bool
    can_return: bool
    can_leave: bool
    asks_password: bool
    reasons: tuple[str, ...]
    log_in_first: bool
    can_wait: bool


@dataclass(frozen=True, slots=True)
class CheckIn:
    """The check-in that is open: how many have checked in, and when the viewer has, if they can.

    ``url`` is that of the button, empty for who does not play, or has checked in.
    """

    checked_in: int
    own: datetime | None
    url: str


def shared_context(request: HttpRequest, shown: Shown) -> dict[str, Any]:
    """Return what is about a competition itself: its head, its organisers, and the latest of its log."""
    competition = shown.competition
    kind = kind_of(competition)
    people = people_of(competition)
    log = _latest_lines(competition)
    return {
        "kind": kind,
        "competition": competition,
        "format": competition_format_text(competition),
        "facts": list_facts(competition),
        "start": start_sentence(competition),
        "organisers": [each for each, role in people if role is Role.ORGANISER],
        "helpers": [each for each, role in people if role is Role.HELPER],
        "runs": shown.reader.runs,
        "entry": shown.reader.entry,
        "pinned": pinned_if_any(competition),
        "log": log[:MAX_LATEST],
        "change": next((line for line in log if line.action == CONDITIONS_CHANGED), None),
        "log_url": reverse(f"{kind}-log", args=[competition.slug]),
        "is_over": competition.status in ENDED,
        "holder": shown.holder,
        "seasons_beside": shown.beside,
        "embed_url": request.build_absolute_uri(f"{competition.get_absolute_url()}embed/"),
        "page_url": request.build_absolute_uri(request.path),
        "picture_url": request.build_absolute_uri(
            f"{competition.get_absolute_url()}preview.png?v={preview_of(competition).digest}"
        ),
    }


def competition_context(request: HttpRequest, shown: Shown, page: Page) -> dict[str, Any]:
    """Return what the page of a competition needs, and the viewer's own part in it."""
    player, competition, entry = current_player(request), shown.competition, shown.reader.entry
    kind = kind_of(competition)
    waiting = None if entry is not None and entry.is_in else find_waiting(competition=competition, player=player)
    invitation = _waiting_invitation(competition, player, entry) if shown.own.may_answer else None
    since = _knows_since(competition, entry, waiting, invitation)
    return {
        "section": f"{kind}s",
        "kind": kind,
        "competition": competition,
        "topics": topics_of(competition),
        "entry": entry,
        "doors": _doors(shown, player),
        "invitation": invitation,
        "enter_url": reverse(f"{kind}-enter", args=[competition.slug]),
        "own_waiting": waiting,
        "waiting_place": place_on_list(waiting) if waiting else None,
        "waiting_count": count_waiting(competition),
        "join_waiting_list_url": reverse(f"{kind}-join-waiting-list", args=[competition.slug]),
        "leave_waiting_list_url": reverse(f"{kind}-leave-waiting-list", args=[competition.slug]),
        "check_in": _check_in(competition, entry, waiting),
        "leave_url": reverse(f"{kind}-leave", args=[competition.slug]),
        "my_matches": (
            running_matches_in(competition_id=competition.pk, player=player) if player and shown.own.plays else []
        ),
        "changed_conditions": _changed_conditions(page.kept["change"], since),
        "shared": page.parts,
        "number_to_move": shown.own.to_move,
        "is_over": competition.status in ENDED,
    }


def kind_of(competition: Competition) -> str:
    """Return the word for a competition's kind that stands in names of URLs."""
    return "cup" if isinstance(competition, Cup) else "ladder"


def _check_in(competition: Competition, entry: Entry | None, waiting: WaitingPlayer | None) -> CheckIn | None:
    """Return the check-in while it is open."""
    if not competition.is_checking_in(current_moment()):
        return None
    place = entry if entry is not None and entry.is_in else waiting
    own = place.checked_in_at if place else None
    url = reverse("cup-check-in", args=[competition.slug]) if place and own is None else ""
    return CheckIn(count_checked_in(competition), own, url)


def _knows_since(
    competition: Competition, entry: Entry | None, waiting: WaitingPlayer | None, invitation: EntryInvitation | None
) -> datetime | None:
    """Return when the viewer has entered, begun to wait or been invited; ``None`` for nobody who plays or will."""
    if competition.status in ENDED:
        return None
    if entry is not None:
        return entry.entered_at if entry.is_in else None
    return waiting.joined_at if waiting else invitation.created_at if invitation else None


def _latest_lines(competition: Competition) -> list[LogEntry]:
    """Return the latest lines of the log, and that of the latest change of conditions if it is older. One query."""
    lines = listed_lines(competition)
    latest = Q(pk__in=lines.values("pk")[:MAX_LATEST])
    return list(lines.filter(latest | Q(pk__in=lines.filter(action=CONDITIONS_CHANGED).values("pk")[:1])))


def _changed_conditions(change: LogEntry | None, since: datetime | None) -> LogEntry | None:
    """Return the line of the latest change of conditions if the viewer may not know of it."""
    return change if change is not None and since is not None and change.logged_at >= since else None


def _waiting_invitation(competition: Competition, player: Player | None, entry: Entry | None) -> EntryInvitation | None:
    """Return the viewer's invitation that waits for an answer."""
    if player is None or entry is not None or competition.status in ENDED:
        return None
    return open_invitations(player=player).filter(competition_id=competition.pk).first()


def _doors(shown: Shown, player: Player | None) -> Doors:
    competition, entry = shown.competition, shown.reader.entry
    is_in = entry is not None and entry.is_in
    admits = competition.status == CompetitionStatus.OPEN or (
        competition.status == CompetitionStatus.RUNNING and takes_late_entries(competition)
    )
    enters_again = player is not None and is_in and admits and entry is not None and can_enter_again(entry, competition)
    reasons: list[EntryRefused] = []
    if player is not None and admits and not (entry is not None and entry.status == EntryStatus.ACTIVE):
        reasons = (
            reasons_not_to_enter(competition=competition, player=player)
            if entry is not None or competition.boards is not None
            else reasons_without_entry(competition=competition, player=player, was_invited=shown.own.stands)
        )
    return Doors(
        can_enter=admits and not is_in and not reasons and player is not None,
        can_enter_again=enters_again and not reasons_of_rounds(competition),
        can_return=_can_return(competition, entry),
        can_leave=entry is not None and entry.status == EntryStatus.ACTIVE and competition.status not in ENDED,
        asks_password=bool(competition.password),
        reasons=tuple(reason.reason for reason in reasons) if not is_in else (),
        log_in_first=admits and player is None and not reasons_of_rounds(competition),
        can_wait=can_wait(competition, reasons),
    )


def _can_return(competition: Competition, entry: Entry | None) -> bool:
    """Return whether the entrant gets no games now, but could resume by a button."""
    if entry is None or competition.status != CompetitionStatus.RUNNING or not isinstance(competition, Ladder):
        return False
    waits = entry.status == EntryStatus.ACTIVE and entry.waits_since is not None
    return waits or entry.status == EntryStatus.ON_HOLD
