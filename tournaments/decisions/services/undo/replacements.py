"""Take back a replacement: the first player has the place again, with the matches that they had."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial

from django.db.models import Q
from django.utils.translation import gettext as _

from players.models import Player
from tournaments.decisions.errors import NothingToTakeBack
from tournaments.decisions.services.undo.changes import RELATED, Changes
from tournaments.decisions.services.undo.results import annul
from tournaments.decisions.services.undo.rounds import let_group_go_on, let_rounds_go_on
from tournaments.decisions.services.undo.trial import foresee, take_back
from tournaments.decisions.services.undo.withdrawals import find_entry, is_closed
from tournaments.entries.services.replacement import hand_over
from tournaments.models import NOT_REPLACED, Competition, CompetitionStatus, Entry, EntryStatus, Fixture
from tournaments.office.selectors.organisers import competition_of_entry
from tournaments.office.services.log import log_action
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.consequences import Consequences
from tournaments.rounds.services.fixtures import set_up_instead, start_fixtures
from tournaments.running.errors import AlreadyEntered, EntrantClosed
from tournaments.running.services.ladder_seats import note_on_ladder
from tournaments.running.services.numbers import store_numbers
from tournaments.tables.services.winners import store_title


def take_back_replacement(*, entry_id: int, confirm: bool, actor: Player, reason: str, now: datetime) -> Entry:
    """Give a place back to the player who was replaced in it, and return their entry; nothing is left of the other's.

    What the other has played counts no more, and matches go on from where they stood when the place was taken over.
    Raises ``EntryNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``NothingToTakeBack``, ``EntrantClosed``,
    ``AlreadyEntered`` where the player has joined again, or ``MatchesWouldBeLost`` where the other has moved and this
    is not confirmed.
    """
    change = partial(_give_back, entry_id, actor, reason, now)
    take_back(competition_id=competition_of_entry(entry_id), change=change, confirm=confirm, actor=actor, now=now)
    return find_entry(entry_id)


def what_follows_from_taking_back_replacement(*, entry_id: int, now: datetime) -> Consequences:
    """Return what follows from taking back a replacement now. Raises what that would, but for the lost."""
    change = partial(_give_back, entry_id, None, "", now)
    return foresee(competition_id=competition_of_entry(entry_id), change=change, now=now)


def _give_back(entry_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition) -> Changes:
    old = find_entry(entry_id)
    new = _check(competition, old)
    log_action(
        competition=competition,
        action="replacement-undone",
        actor=actor,
        subject=f"{new} → {old}",
        reason=reason,
        now=now,
        concerns=(old, new),
    )
    own = Fixture.objects.filter(Q(yellow=new) | Q(red=new), competition_id=competition.pk, is_annulled=False)
    of_other = own.filter(Q(match__yellow=new.player_id) | Q(match__red=new.player_id))
    played = list(of_other.select_related(*RELATED).order_by("pk"))
    changes = annul(competition=competition, fixtures=played, now=now)
    had_left = old.left_at is not None and old.left_at < new.entered_at
    hand_over(old=new, new=old)
    if competition.winner_id == new.pk:
        competition.winner = old
        competition.save(update_fields=["winner"])
        store_title(competition=competition)
    old.status, old.left_at = (EntryStatus.GONE, old.left_at) if had_left else (EntryStatus.ACTIVE, None)
    old.save(update_fields=["status", "left_at"])
    new.delete()
    note_on_ladder(entries=[old])
    store_numbers(competition_id=competition.pk)
    _begin_again(competition, [each.pk for each in played], now)
    changes.more.append(_("%(player)s has the place again.") % {"player": old})
    return changes


def _check(competition: Competition, old: Entry) -> Entry:
    """Return who has taken over the place. Raises what speaks against giving it back."""
    if competition.status == CompetitionStatus.CANCELLED:
        raise WrongCompetitionStatus(_("The competition is over. Take back its end first."))
    new = Entry.objects.filter(replaces=old).select_related("player").first()
    if old.status != EntryStatus.REPLACED or new is None:
        raise NothingToTakeBack(_("%(entrant)s has not been replaced.") % {"entrant": old})
    if new.status == EntryStatus.REPLACED:
        raise NothingToTakeBack(_("%(entrant)s has been replaced, too. Take that back first.") % {"entrant": new})
    if Entry.objects.filter(NOT_REPLACED, competition=competition, player=old.player_id).exists():
        raise AlreadyEntered(
            _("%(player)s has joined again since, and can have only one place.") % {"player": old.player}
        )
    if is_closed(old):
        raise EntrantClosed(_("This account is closed."))
    return new


def _begin_again(competition: Competition, keys: Sequence[int], now: datetime) -> None:
    """Set up what the other has played once more: what was going on when the place was taken over is taken up."""
    fixtures = list(Fixture.objects.filter(pk__in=keys).select_related(*RELATED).order_by("pk"))
    again = [set_up_instead(each, now=now) for each in fixtures]
    for group in {each.group_id: each.group for each in fixtures}.values():
        let_group_go_on(competition=competition, group=group)
    rounds = {each.round_id for each in again if each.round_id is not None}
    let_rounds_go_on(rounds=rounds, now=now)
    start_fixtures(fixtures=again, competition=competition, now=now)
