"""Leave a competition, or withdraw an entrant from it."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from formats.protocol import Order
from matches.services.adjudication import forfeit_matches
from players.models import Player
from rules_engine.values import Side
from tournaments.entries.errors import EntryOver
from tournaments.models import (
    ENDED,
    NOT_STARTED,
    SITTING,
    Competition,
    Entry,
    EntryInvitation,
    EntryStatus,
    Fixture,
    InvitationStatus,
    WaitingPlayer,
)
from tournaments.office.errors import EntryNotFound
from tournaments.office.selectors.organisers import check_organiser, competition_of_entry
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.log import log_action
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.consequences import Consequences, name_first
from tournaments.rounds.services.draws import redraw_discarded, undo_draw
from tournaments.rounds.services.fixtures import forfeit_without_play, open_fixtures_of
from tournaments.running.services.advance import advance
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.departure import go, let_go
from tournaments.running.services.free_places import fill_places
from tournaments.running.services.numbers import store_numbers
from tournaments.running.services.settlement import settle_competition
from tournaments.tables.services.challenge_results import replay_challenges


def leave_competition(*, entry_id: int, now: datetime) -> Entry | None:
    """Let a player leave a competition, and return the entry; ``None`` if nothing is left of it.

    That is so before the start, and for who has only waited for a first group.

    From a running cup they withdraw. On a ladder their running games are finished and count, then they are gone; again
    has no effect. Raises ``EntryNotFound``, ``EntryOver`` or ``WrongCompetitionStatus``.
    """
    with transaction.atomic():
        competition, entry = lock_entry(entry_id, now)
        if _leaves_nothing(competition, entry):
            _delete(competition, entry, _owner(entry), "", now)
            return None
        if not competition.is_endless:
            return _withdraw(competition, entry, _owner(entry), "", now)
        if entry.status == EntryStatus.ACTIVE:
            entry.status = EntryStatus.ON_HOLD
            entry.save(update_fields=["status"])
            log_action(competition=competition, action="departed", actor=entry.player, subject=str(entry), now=now)
            let_go(competition=competition, now=now)
            entry.refresh_from_db()
    return entry


def withdraw_entry(*, entry_id: int, actor: Player | None, reason: str, now: datetime) -> Entry | None:
    """Take an entrant out of a competition at once, and return the entry; ``None`` where ``leave_competition`` does.

    Their running matches are forfeited, and so are those still to come; a tie that is open is lost. An
    organiser withdraws anybody, players themselves, captains their teams, the sweep those who have closed the account.
    Raises ``EntryNotFound``, ``EntryOver``, ``NotAnOrganiser`` or ``WrongCompetitionStatus``.
    """
    with transaction.atomic():
        competition, entry = lock_entry(entry_id, now)
        if actor != _owner(entry):
            check_organiser(competition=competition, player=actor)
        if _leaves_nothing(competition, entry):
            _delete(competition, entry, actor, reason, now)
            return None
        return _withdraw(competition, entry, actor, reason, now)


def what_follows_from_withdrawing(*, entry_id: int, now: datetime) -> Consequences:
    """Return what follows from withdrawing an entrant now. Raises what it would, but for who may do it."""
    entry = Entry.objects.select_related("competition", "player", "team").filter(pk=entry_id).first()
    if entry is None:
        raise EntryNotFound(_("There is no such entry."))
    _check_open(entry.competition, entry)
    if _leaves_nothing(entry.competition, entry):
        sentence = _("%(player)s is removed from the list.")
        if _waited_as(entry).exists():
            sentence = _("%(player)s is on the waiting list again, in the old place.")
        return Consequences(more=(sentence % {"player": entry},))
    return Consequences(more=(say_forfeits(entry),))


def say_forfeits(entry: Entry) -> str:
    """Return which matches an entrant loses by leaving now, as a sentence."""
    fixtures = list(open_fixtures_of(entry).select_related(*SITTING))
    if not fixtures:
        return _("%(player)s has no unfinished match.") % {"player": entry}
    sentence = ngettext(
        "%(player)s loses %(count)d unfinished match by forfeit: %(matches)s.",
        "%(player)s loses %(count)d unfinished matches by forfeit: %(matches)s.",
        len(fixtures),
    )
    return sentence % {"player": entry, "count": len(fixtures), "matches": name_first(fixtures)}


def lock_entry(entry_id: int, now: datetime) -> tuple[Competition, Entry]:
    """Lock the competition of an entry, do what is due in it, and return both.

    Raises ``EntryNotFound``, ``WrongCompetitionStatus`` once it has ended, or ``EntryOver`` for who has left.
    """
    competition = lock_competition(competition_id=competition_of_entry(entry_id))
    catch_up(competition=competition, now=now)
    entry = Entry.objects.select_related("player", "team__captain").filter(pk=entry_id).first()
    if entry is None:
        raise EntryNotFound(_("There is no such entry."))
    _check_open(competition, entry)
    return competition, entry


def _owner(entry: Entry) -> Player:
    """Return the player who has entered alone, or who is the captain of the team now."""
    return entry.player if entry.team is None else entry.team.captain


def _check_open(competition: Competition, entry: Entry) -> None:
    if competition.status in ENDED:
        raise WrongCompetitionStatus(_("The competition is over."))
    if not entry.is_in:
        raise EntryOver(_("%(entrant)s has already left the competition.") % {"entrant": entry})


def _leaves_nothing(competition: Competition, entry: Entry) -> bool:
    """Return whether an entry disappears with its player: before the start, and while they only wait for a group."""
    if competition.status in NOT_STARTED:
        return True
    if not competition.first_stage.gathers or Fixture.objects.filter(Q(yellow=entry) | Q(red=entry)).exists():
        return False
    return entry.replaces_id is None and not entry.seats.filter(group__isnull=False).exists()


def _delete(competition: Competition, entry: Entry, actor: Player | None, reason: str, now: datetime) -> None:
    if competition.status in NOT_STARTED:
        undo_draw(competition=competition, actor=None, now=now, remembers=True)
    # They belong to a start that was taken back.
    annulled = Fixture.objects.filter(Q(yellow=entry) | Q(red=entry), is_annulled=True)
    annulled.delete()
    if actor == (owner := _owner(entry)):
        log_action(competition=competition, action="departed", actor=actor, subject=str(entry), now=now)
        _waited_as(entry).delete()
    else:
        _log_withdrawal(competition, entry, actor, reason, now)
        if not _waited_as(entry).update(removed_at=None):
            # Nobody comes back by an invitation who was taken off the list.
            invited = EntryInvitation.objects.filter(competition=competition, team=entry.team_id)
            own = invited if entry.team_id is not None else invited.filter(player=entry.player_id)
            own.update(status=InvitationStatus.WITHDRAWN, answered_at=None)
    entry.delete()
    store_numbers(competition_id=competition.pk)
    if competition.first_stage.format_spec.order is Order.POSITIONS:
        # Nothing is left of the entry: the places of the others are what they would be without it.
        replay_challenges(ladder_id=competition.pk)
    if actor != owner:
        redraw_discarded(competition=competition, actor=actor, now=now)
    fill_places(competition=competition, now=now)


def _waited_as(entry: Entry) -> QuerySet[WaitingPlayer]:
    """Return the place on the waiting list from which an organiser has let an entrant in out of turn."""
    return WaitingPlayer.objects.filter(
        competition=entry.competition_id, player=entry.player_id, removed_at=entry.entered_at
    )


def _withdraw(competition: Competition, entry: Entry, actor: Player | None, reason: str, now: datetime) -> Entry:
    _log_withdrawal(competition, entry, actor, reason, now)
    leave_at_once(competition=competition, entry=entry, now=now)
    advance(competition_id=competition.pk, now=now, entry=entry)
    return entry


def leave_at_once(*, competition: Competition, entry: Entry, now: datetime) -> None:
    """Let an entrant leave who forfeits everything that is open. The caller holds the competition's lock."""
    entry.left_as = entry.status
    go(entries=[entry], at=now, now=now)
    fixtures = list(open_fixtures_of(entry))
    losers = {
        fixture.match_id: Side.YELLOW if fixture.yellow_id == entry.pk else Side.RED
        for fixture in fixtures
        if fixture.match_id is not None
    }
    forfeit_matches(losers=losers, now=now)
    # A match that has just ended by itself counts as it ended, and may have decided a tie before.
    settle_competition(competition=competition, until=now, now=now)
    forfeit_without_play(competition=competition, fixtures=fixtures, now=now)


def _log_withdrawal(competition: Competition, entry: Entry, actor: Player | None, reason: str, now: datetime) -> None:
    log_action(competition=competition, action="withdrew", actor=actor, about=entry, reason=reason, now=now)
