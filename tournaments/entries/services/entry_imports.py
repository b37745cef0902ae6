"""Import a list of entrants: all of it or nothing, or what of it can be taken."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.db import transaction
from django.utils.translation import gettext as _

from players.models import Player
from players.selectors import find_players
from tournaments.entries.entry_lists import (
    MAX_LINES,
    MAX_SEED,
    MAX_SHOWN,
    ListedEntrant,
    ListFault,
    UnreadableList,
    read_entry_list,
)
from tournaments.entries.errors import InvalidEntryList
from tournaments.entries.services.admission import admit_entries, check_admission
from tournaments.entries.services.new_invitations import invite_players
from tournaments.models import (
    NOT_REPLACED,
    Competition,
    CompetitionStatus,
    Entry,
    EntryInvitation,
    InvitationStatus,
    Seat,
    Seeding,
)
from tournaments.office.selectors.invitations import is_asked_first
from tournaments.office.services.log import log_action
from tournaments.running.selectors.entry_conditions import can_return, reasons_of_kind
from tournaments.running.services.catch_up import lock_for_organiser
from tournaments.running.services.entry_rows import make_entry


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line of a list, and the player it names, if there is one.

    ``fault`` is a sentence where the line cannot be taken. ``is_asked`` says of a player who is not just entered, but
    invited.
    """

    listed: ListedEntrant
    player: Player | None
    fault: str = ""
    is_asked: bool = False


def preview_entry_list(*, competition: Competition, text: str, actor: Player | None = None) -> list[Candidate]:
    """Return every line of the list with the player whom it names, or what is wrong with it; nothing is stored.

    Seeds that are of no use in the competition are left out. Three queries at any length, five with seeds. Raises
    ``InvalidEntryList`` for what is no list at all.
    """
    try:
        lines = read_entry_list(text)
        if any(line.seed_text for line in lines) and not _takes_seeds(competition):
            lines = read_entry_list(text, reads_seeds=False)
    except UnreadableList as error:
        raise InvalidEntryList(list_fault_sentence(error.fault, error.line, error.title)) from error
    players = find_players(usernames=[line.username for line in lines if not line.fault])
    present = {entry.player_id: entry for entry in Entry.objects.filter(NOT_REPLACED, competition_id=competition.pk)}
    invited = EntryInvitation.objects.filter(competition_id=competition.pk, status=InvitationStatus.DECLINED)
    declined = set(invited.values_list("player_id", flat=True))
    seated = Seat.objects.filter(stage__competition_id=competition.pk, seed__isnull=False)
    has_seeds = any(line.seed is not None for line in lines)
    seeds = set(seated.values_list("seed", flat=True)) if has_seeds else set()
    candidates = []
    for line in lines:
        player = players.get(line.username.lower())
        if line.fault is not None:
            fault = list_fault_sentence(line.fault, line.first_line)
        else:
            fault = _fault_of(competition, player, present, declined) or _fault_of_seed(competition, line, seeds)
        is_asked = not fault and player is not None and is_asked_first(player=player, actor=actor)
        candidates.append(Candidate(line, player, fault, is_asked))
    return candidates


@dataclass(frozen=True, slots=True)
class ImportedList:
    """The result of an import: the entries, whom it has only invited, and the lines that were left out."""

    entries: Sequence[Entry]
    invitations: Sequence[EntryInvitation]
    skipped: Sequence[Candidate]


def import_entry_list(
    *,
    competition_id: int,
    text: str,
    actor: Player,
    now: datetime,
    reason: str = "",
    skips_faults: bool = False,
) -> ImportedList:
    """Enter every player of the list, whatever the limits on number, rating and password.

    Players who have to be asked first are invited; who accepts gets the next seed.
    Players with lower seeds enter first, which on a challenge ladder is their place; in a cup that is seeded by hand
    the seed is kept. The number of queries does not depend on the list, and the log gets one line. A list with a line
    at fault is refused, or with ``skips_faults`` the rest of it is taken. Raises ``InvalidEntryList``, which names
    every line at fault, ``NotAnOrganiser``, ``EntryClosed``, ``LastRoundDrawn`` or ``TooManyEntryInvitations``; then
    nobody enters.
    """
    with transaction.atomic():
        competition = lock_for_organiser(competition_id=competition_id, actor=actor, now=now)
        check_admission(competition=competition)
        listed = preview_entry_list(competition=competition, text=text, actor=actor)
        skipped = [each for each in listed if each.fault]
        candidates = [each for each in listed if not each.fault]
        if skipped and not (skips_faults and candidates):
            faults = {str(each.listed.line): [each.fault] for each in skipped}
            line, (sentence, *_more) = next(iter(faults.items()))
            raise InvalidEntryList(_("Line %(line)s: %(fault)s") % {"line": line, "fault": sentence}, fields=faults)
        if not candidates:
            raise InvalidEntryList(_("The list has no players."))
        candidates.sort(key=lambda each: (each.listed.seed is None, each.listed.seed or 0, each.listed.line))
        players = [cast("Player", each.player) for each in candidates]  # nobody is a fault
        asked = [player for player, each in zip(players, candidates, strict=True) if each.is_asked]
        invitations = invite_players(competition=competition, players=asked, actor=actor, reason=reason, now=now)
        candidates = [each for each in candidates if not each.is_asked]
        entries = _entries_of(competition, candidates, now)
        if entries:
            admit_entries(competition=competition, entries=entries, actor=actor, now=now)
            log_action(
                competition=competition,
                action="imported",
                actor=actor,
                subject=str(len(entries)),
                reason=reason,
                now=now,
                concerns=entries,
            )
        if not competition.is_endless:
            _keep_seeds(entries, candidates)
    return ImportedList(entries, invitations, skipped)


def _entries_of(competition: Competition, candidates: list[Candidate], now: datetime) -> list[Entry]:
    """Return the entries of candidates without a fault, in their order, those of players who return among them."""
    players = [cast("Player", each.player) for each in candidates]  # nobody is a fault
    former = Entry.objects.filter(NOT_REPLACED, competition_id=competition.pk, player__in=players)
    known = {entry.player_id: entry for entry in former}
    entries = []
    for player in players:
        entry = known.get(player.pk) or make_entry(competition=competition, player=player, now=now)
        entry.player = player
        entries.append(entry)
    return entries


def _keep_seeds(entries: list[Entry], candidates: list[Candidate]) -> None:
    seeds = {
        entry.pk: each.listed.seed
        for entry, each in zip(entries, candidates, strict=True)
        if each.listed.seed is not None
    }
    seats = list(Seat.objects.filter(entry__in=list(seeds)))
    for seat in seats:
        seat.seed = seeds[seat.entry_id]
    Seat.objects.bulk_update(seats, ["seed"], batch_size=250)


def _fault_of(
    competition: Competition, player: Player | None, present: dict[int, Entry], declined: Collection[int]
) -> str:
    if player is None:
        return _("There is no player with this username.")
    entry = present.get(player.pk)
    if entry is not None and not can_return(entry, competition):
        return _("This player has already joined.")
    if player.pk in declined:
        return _("This player has declined an invitation.")
    refusals = reasons_of_kind(competition=competition, player=player)
    return refusals[0].reason if refusals else ""


def _fault_of_seed(competition: Competition, line: ListedEntrant, seeds: set[int | None]) -> str:
    if line.seed is None or competition.is_endless:
        return ""
    return _("Another player in the cup already has this seed.") if line.seed in seeds else ""


def _takes_seeds(competition: Competition) -> bool:
    """Return whether seeds of a list are of use: as the order in which players enter a ladder, or as seeds by hand."""
    if competition.is_endless:
        return True
    return competition.status != CompetitionStatus.RUNNING and competition.first_stage.seeding == Seeding.HAND


def list_fault_sentence(fault: ListFault, line: int | None = None, title: str = "") -> str:
    """Return why a list of entrants, or a line of it, cannot be taken.

    ``line`` is the first line with the same player or seed, or that at which reading ended; ``title`` is that of the
    column at fault.
    """
    match fault:
        case ListFault.TOO_LONG:
            return _("This list is too long.")
        case ListFault.UNSTORABLE:
            return _("The list contains characters that cannot be used.")
        case ListFault.TOO_MANY_LINES:
            return _("A list can have at most %(number)d lines.") % {"number": MAX_LINES}
        case ListFault.UNREADABLE_LINE:
            return _(
                "We cannot tell where the cells of line %(line)s end. Check its quotation marks: each cell that begins "
                "with one must end with one."
            ) % {"line": line}
        case ListFault.UNSURE_COLUMN:
            return _(
                "We are not sure which column has the usernames: “%(title)s”, or another one? Change its heading to "
                "“username”."
            ) % {"title": title[:MAX_SHOWN]}
        case ListFault.MORE_THAN_A_SEED:
            return _("A line can have a username and a seed, nothing else.")
        case ListFault.NO_USERNAME:
            return _("This is not a username.")
        case ListFault.NO_SEED:
            return _("The seed must be a number from 1 to %(number)d.") % {"number": MAX_SEED}
        case ListFault.SAME_PLAYER:
            return _("This player is already in line %(line)s.") % {"line": line}
        case ListFault.SAME_SEED:
            return _("Line %(line)s already has this seed.") % {"line": line}
