"""End the matches, entries, invitations and memberships of closed accounts, and refuse closures that are not allowed.

Everything here may be done half, twice or late: what is left to do is always found in the rows.
"""

import re
from contextlib import suppress
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from database.isolation import attempt_each
from matches.services.account_closures import end_matches_of, end_seeks_of
from players.models import Player
from players.services.account_closures import complete_closing, deactivate_player, needs_accounts
from tournaments.entries.errors import EntryOver
from tournaments.entries.services.waiting_list import leave_all_waiting_lists
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.models import (
    ENDED,
    Competition,
    Dispute,
    Entry,
    EntryInvitation,
    EntryStatus,
    InvitationStatus,
    LogEntry,
    RoleInvitation,
)
from tournaments.office.errors import EntryNotFound
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import MAX_SUBJECT_LENGTH, NAMING, log_action
from tournaments.records.ladders import running_ladders
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.tables.services.rating_counts import unlist_closed
from tournaments.teams.services.members import leave_all_teams

CLOSING_DELAY = timedelta(minutes=1)
"""The time for which a closed account is checked again: requests that began before have ended by then."""

BATCH = 500


def finish_closing(*, player_id: int, now: datetime) -> None:
    """Do what is left to do about a closed account: withdraw it from everywhere, end its seeks and matches.

    An account that is open, or has nothing left to be done, is left alone.
    """
    player = Player.objects.filter(pk=player_id, is_active=False, closing_finished_at=None).first()
    if player is None:
        return
    if player.closed_at is None:
        # Somebody has switched it off in another way.
        player = deactivate_player(player_id=player_id, now=now)
    end_seeks_of(player=player)
    _withdraw_invitations(player, now)
    leave_all_waiting_lists(player=player, now=now)
    leave_all_teams(player=player, now=now)
    for entry_id in _entries_of(player):
        # An organiser, or the end of the competition, may have come first.
        with suppress(EntryNotFound, EntryOver, WrongCompetitionStatus):
            withdraw_entry(entry_id=entry_id, actor=None, reason=_("The account has been closed."), now=now)
    end_matches_of(player=player, now=now)
    # The first rated match may have been rated while the account was being closed.
    unlist_closed(player_id=player_id)
    if player.closed_at is not None and player.closed_at + CLOSING_DELAY <= now:
        complete_closing(player_id=player_id, now=now)


def finish_closings(*, now: datetime) -> int:
    """Do what is left to do about all closed accounts; return of how many. One that fails stops none of the others."""
    closed = Player.objects.filter(is_active=False, closing_finished_at=None).order_by("pk")

    def finish(player_id: int) -> int:
        finish_closing(player_id=player_id, now=now)
        return 1

    keys = closed.values_list("pk", flat=True).iterator(chunk_size=BATCH)
    return sum(attempt_each(keys, finish, event="closing_not_finished", key="player_id"))


@needs_accounts
def needed_by_competitions(player: Player) -> list[str]:
    """Return a sentence for each competition that the player alone organises; lock all that the player organises.

    The ladders that ``let_ladders_be_paired`` locks are locked with them, in one order: two who organise each other's
    ladders may close their accounts at the same time. The caller is in a transaction, and locks no player before.
    """
    organised = Competition.objects.filter(organisers=player).exclude(status__in=ENDED).order_by("pk")
    for competition_id in sorted({*organised.values_list("pk", flat=True), *_ladders_of(player.pk)}):
        lock_competition(competition_id=competition_id)
    others = Player.objects.filter(is_active=True).exclude(pk=player.pk)
    return [
        _("%s has no other organiser. Add one, finish it or cancel it first.") % competition.name
        for competition in organised
        if not others.filter(organised_competitions=competition).exists()
    ]


def let_ladders_be_paired(*, player_id: int) -> None:
    """Let the running ladders on which a player is be looked at for games that can start, as their accounts count.

    The caller is in a transaction, and has not locked the player.
    """
    for ladder_id in _ladders_of(player_id):
        lock_competition(competition_id=ladder_id)


def _ladders_of(player_id: int) -> list[int]:
    """Return the running ladders on which the player is, in order."""
    playing = Entry.objects.filter(player=player_id, status=EntryStatus.ACTIVE).values("competition")
    return list(running_ladders().filter(pk__in=playing).values_list("pk", flat=True))


def forget_player(*, player_id: int, old_name: str, new_name: str) -> None:
    """Take the name of a deleted account out of the logs of competitions, and let it run and dispute nothing."""
    name = re.compile(rf"(?<![\w-]){re.escape(old_name)}(?![\w-])", re.ASCII)
    lines = LogEntry.objects.filter(action__in=NAMING, subject__contains=old_name).only("pk", "subject")
    renamed = [(line, name.sub(new_name, line.subject)) for line in lines]
    changed = [line for line, subject in renamed if line.subject != subject]
    for line, subject in renamed:
        line.subject = subject[:MAX_SUBJECT_LENGTH]
    LogEntry.objects.bulk_update(changed, ["subject"], batch_size=BATCH)
    Competition.organisers.through.objects.filter(player_id=player_id).delete()
    Competition.helpers.through.objects.filter(player_id=player_id).delete()
    RoleInvitation.objects.filter(player_id=player_id).delete()
    Dispute.objects.filter(player_id=player_id).delete()


def entries_to_withdraw(own: Q) -> QuerySet[Entry]:
    """Return those of a player's ``own`` entries that are in competitions that have not ended."""
    playing = Entry.objects.filter(own, status__in=[EntryStatus.ACTIVE, EntryStatus.ON_HOLD])
    return playing.exclude(competition__status__in=ENDED)


def _withdraw_invitations(player: Player, now: datetime) -> None:
    """Withdraw what the player was asked and has not answered, in the order in which competitions are locked.

    Invitations of a team stay with its next captain.
    """
    waiting = EntryInvitation.objects.filter(player=player, team=None, status=InvitationStatus.WAITING)
    # Nobody can accept these, and the logs of what has ended stay as they are.
    waiting.filter(competition__status__in=ENDED).update(status=InvitationStatus.WITHDRAWN)
    player.role_invitations.filter(status=InvitationStatus.WAITING).update(status=InvitationStatus.WITHDRAWN)
    for competition_id in list(waiting.order_by("competition").values_list("competition", flat=True)):
        with transaction.atomic():
            competition = lock_competition(competition_id=competition_id)
            own = waiting.filter(competition=competition)
            was_asked = own.filter(asked_at__isnull=False).exists()
            if own.update(status=InvitationStatus.WITHDRAWN) and was_asked:
                log_action(
                    competition=competition,
                    action="invitation-withdrawn",
                    subject=str(player),
                    reason=_("The account has been closed."),
                    now=now,
                )


def _entries_of(player: Player) -> list[int]:
    """Return the player's entries in competitions that have not ended, in the order in which these are locked.

    Those of teams are among them that were closed as the player was the last member.
    """
    own = Q(player=player, team=None) | Q(team__captain=player, team__closed_at__isnull=False)
    return list(entries_to_withdraw(own).order_by("competition").values_list("pk", flat=True))
