"""Leave out who has not checked in when a competition starts, and take that back with the start."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from players.models import Player
from tournaments.models import AbsentPlayer, Competition, Entry, EntryStatus, WaitingPlayer
from tournaments.office.services.log import MAX_SUBJECT_LENGTH, log_action
from tournaments.rounds.errors import TooFewEntrants
from tournaments.rounds.services.draws import check_number, undo_draw
from tournaments.running.selectors.waiting_lists import count_free_places, fit_to_move_up
from tournaments.running.services.entry_rows import seat_entries
from tournaments.running.services.free_places import move_up
from tournaments.running.services.numbers import remove_entries, store_numbers


@dataclass(frozen=True, slots=True)
class Absences:
    """The entrants who are left out if a competition starts now, and the waiting players who move up in their place."""

    absent: Sequence[Entry] = ()
    moving_up: Sequence[WaitingPlayer] = ()
    present: int = 0


def find_absences(*, competition: Competition, until: datetime) -> Absences:
    """Return who has not checked in ``until`` then, where players check in. Three queries at most."""
    entries = list(
        Entry.objects.filter(competition_id=competition.pk, status=EntryStatus.ACTIVE)
        .select_related("player")
        .order_by("pk")
    )
    absent = [each for each in entries if not _is_there(each, until)]
    if not absent:
        return Absences(present=len(entries))
    present = len(entries) - len(absent)
    waiting = [each for each in fit_to_move_up(competition) if _is_there(each, until)]
    return Absences(absent, waiting[: count_free_places(competition, present)], present)


def leave_out_absent(*, competition: Competition, until: datetime, now: datetime) -> None:
    """Take out who has not checked in ``until`` then, let those who wait and have move up, and forget the draw.

    The caller starts the competition, and holds its lock. Raises ``TooFewEntrants`` or ``TooManyEntrants`` if those who
    are there cannot play, or if others have checked in since: then those who were there had been too few.
    """
    if competition.check_in_opened_at is None:
        return
    found = find_absences(competition=competition, until=until)
    if not found.absent:
        return
    if any(each.checked_in_at is not None for each in found.absent):
        raise TooFewEntrants(
            _("Too few players had checked in by the start. An organiser has to start the competition.")
        )
    check_number(competition, found.present + len(found.moving_up))
    undo_draw(competition=competition, actor=None, now=now)
    AbsentPlayer.objects.bulk_create(
        AbsentPlayer(
            competition_id=competition.pk,
            player=each.player,
            entry_number=each.pk,
            draw=each.draw,
            entered_at=each.entered_at,
        )
        for each in found.absent
    )
    log_action(
        competition=competition,
        action="left-out",
        subject=name_players([each.player for each in found.absent]),
        concerns=found.absent,
        now=now,
    )
    remove_entries(competition=competition, entries=found.absent)
    WaitingPlayer.objects.filter(pk__in=[each.pk for each in found.moving_up]).update(moved_up_at=now)
    if found.moving_up:
        move_up(competition=competition, waiting=found.moving_up, now=now)


def bring_back_absent(*, competition: Competition, now: datetime) -> None:
    """Let who was left out at a start that is taken back be in again, and who moved up then wait again.

    The draw is forgotten. An entrant who has been replaced or withdrawn since stays so, and one whose account is closed
    stays out. The caller holds the competition's lock, and has annulled its matches.
    """
    absent = list(AbsentPlayer.objects.filter(competition=competition.pk).select_related("player").order_by("pk"))
    if not absent:
        return
    undo_draw(competition=competition, actor=None, now=now)
    _put_back_on_list(competition, now)
    entered = set(Entry.objects.filter(competition=competition.pk).values_list("player", flat=True))
    entries = [
        Entry(
            pk=each.entry_number,
            competition_id=competition.pk,
            player=each.player,
            draw=each.draw,
            entered_at=each.entered_at,
            acted_at=now,
        )
        for each in absent
        if each.player_id not in entered and each.player.is_active
    ]
    Entry.objects.bulk_create(entries)
    seat_entries(competition=competition, entries=entries)
    store_numbers(competition_id=competition.pk)
    AbsentPlayer.objects.filter(competition=competition.pk).delete()
    if entries:
        names = name_players([each.player for each in entries])
        log_action(competition=competition, action="left-out-undone", subject=names, concerns=entries, now=now)


def name_players(players: Sequence[Player]) -> str:
    """Return the names of players as a line of a log has room for them, or how many they are."""
    names = ", ".join(sorted(map(str, players)))
    return names if len(names) <= MAX_SUBJECT_LENGTH else str(len(players))


def _is_there(one: Entry | WaitingPlayer, until: datetime) -> bool:
    return one.checked_in_at is not None and one.checked_in_at <= until


def _put_back_on_list(competition: Competition, now: datetime) -> None:
    """Let who moved up at the start wait again in their old places."""
    moved = WaitingPlayer.objects.filter(competition=competition.pk, moved_up_at__isnull=False)
    own = Entry.objects.filter(competition=competition.pk, player__in=moved.values("player"))
    entries = list(own.filter(status=EntryStatus.ACTIVE, replaces=None).select_related("player"))
    players = [each.player for each in entries]
    remove_entries(competition=competition, entries=entries)
    moved.exclude(player__in=players).delete()
    moved.update(moved_up_at=None)
    if players:
        names = name_players(players)
        log_action(competition=competition, action="moved-up-undone", subject=names, players=players, now=now)
