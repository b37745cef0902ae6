"""Disqualify an entrant, and take it back: places, winners and who goes on follow."""

from datetime import datetime
from functools import partial

from django.utils.translation import gettext as _

from players.models import Player
from tournaments.decisions.errors import NotDisqualified
from tournaments.decisions.services.undo.changes import Changes
from tournaments.decisions.services.undo.disqualified_results import (
    annul_all,
    let_opponent_come_back,
    lose_all,
    opponents_before,
    opponents_by_rule,
    take_back_results,
)
from tournaments.decisions.services.undo.trial import foresee, take_back
from tournaments.decisions.services.undo.withdrawals import find_entry, play_on
from tournaments.entries.errors import EntryOver
from tournaments.entries.services.withdrawal import leave_at_once, say_forfeits
from tournaments.models import Competition, CompetitionStatus, Disqualification, Entry, EntryStatus
from tournaments.office.selectors.organisers import competition_of_entry
from tournaments.office.services.log import Change, log_action
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.consequences import Consequences


def disqualify_entry(
    *, entry_id: int, rule: Disqualification | None, confirm: bool, actor: Player, reason: str, now: datetime
) -> Entry:
    """Disqualify an entrant, and return the entry: they have left, and have no place and no title.

    Their results follow the rule, that of the competition if none is given. It may be somebody who has withdrawn, and
    the competition may be over. Raises ``EntryNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``EntryOver``
    for who was replaced, or disqualified before, or ``MatchesWouldBeLost`` where somebody has moved in what others had
    gone on to, and this is not confirmed.
    """
    change = partial(_disqualify, entry_id=entry_id, rule=rule, actor=actor, reason=reason, now=now)
    take_back(competition_id=competition_of_entry(entry_id), change=change, confirm=confirm, actor=actor, now=now)
    return find_entry(entry_id)


def what_follows_from_disqualifying(
    *, entry_id: int, rule: Disqualification | None = None, now: datetime
) -> Consequences:
    """Return what follows from disqualifying an entrant, by the competition's rule if none is given.

    Raises what doing it would.
    """
    change = partial(_disqualify, entry_id=entry_id, rule=rule, actor=None, reason="", now=now)
    return foresee(competition_id=competition_of_entry(entry_id), change=change, now=now)


def take_back_disqualification(*, entry_id: int, confirm: bool, actor: Player, reason: str, now: datetime) -> Entry:
    """Let an entrant be in the competition as they were before they were disqualified, and return the entry.

    Raises ``EntryNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``, ``NotDisqualified``, or
    ``MatchesWouldBeLost`` where somebody has moved in what followed and this is not confirmed.
    """
    change = partial(_restore, entry_id, actor, reason, now)
    take_back(competition_id=competition_of_entry(entry_id), change=change, confirm=confirm, actor=actor, now=now)
    return find_entry(entry_id)


def what_follows_from_taking_back_disqualification(*, entry_id: int, now: datetime) -> Consequences:
    """Return what follows from taking back a disqualification. Raises what taking it back would, but for the lost."""
    change = partial(_restore, entry_id, None, "", now)
    return foresee(competition_id=competition_of_entry(entry_id), change=change, now=now)


def _disqualify(
    competition: Competition,
    *,
    entry_id: int,
    rule: Disqualification | None,
    actor: Player | None,
    reason: str,
    now: datetime,
) -> Changes:
    entry = find_entry(entry_id)
    _check(competition)
    if entry.status == EntryStatus.REPLACED:
        raise EntryOver(_("%(entrant)s has been replaced.") % {"entrant": entry})
    if entry.disqualified_at is not None:
        raise EntryOver(_("%(entrant)s has already been disqualified.") % {"entrant": entry})
    usual = Disqualification(competition.disqualification)
    rule = Disqualification(rule or usual)
    line = log_action(
        competition=competition,
        action="disqualified",
        actor=actor,
        about=entry,
        concerns=opponents_by_rule(competition=competition, entry=entry, rule=rule),
        reason=reason,
        changes=[Change(what=_("results"), old=str(usual.label), new=str(rule.label))] if rule != usual else [],
        now=now,
    )
    changes = Changes()
    if rule == Disqualification.COMEBACK:
        changes = let_opponent_come_back(competition=competition, entry=entry, cause=line, now=now)
    changes.more.insert(0, _("%(player)s has no place and cannot win.") % {"player": entry})
    if entry.is_in:
        changes.more.append(say_forfeits(entry))
        leave_at_once(competition=competition, entry=entry, now=now)
    entry.disqualified_at, entry.disqualification = now, rule
    entry.save(update_fields=["disqualified_at", "disqualification"])
    if rule in {Disqualification.ANNULLED, Disqualification.LOST}:
        is_lost = rule == Disqualification.LOST
        by_rule = (
            lose_all(competition=competition, entry=entry, cause=line) if is_lost else annul_all(entry=entry, now=now)
        )
        changes.meant, changes.more = by_rule.meant, changes.more + by_rule.more
    return changes


def _restore(entry_id: int, actor: Player | None, reason: str, now: datetime, competition: Competition) -> Changes:
    entry = find_entry(entry_id)
    _check(competition)
    since = entry.disqualified_at
    if since is None:
        raise NotDisqualified(_("%(entrant)s has not been disqualified.") % {"entrant": entry})
    log_action(
        competition=competition,
        action="disqualify-undone",
        actor=actor,
        about=entry,
        concerns=opponents_before(competition=competition, entry=entry, since=since),
        reason=reason,
        now=now,
    )
    entry.disqualified_at, entry.disqualification = None, ""
    entry.save(update_fields=["disqualified_at", "disqualification"])
    counted = take_back_results(competition=competition, entry=entry, since=since, now=now)
    if entry.left_at != since:
        return counted
    changes = play_on(competition=competition, entry=entry, left_at=since, now=now)
    going_on = {each.pk for each in changes.reopened}
    changes.counted = [each for each in counted.counted if each.pk not in going_on]
    changes.reopened += [each for each in counted.reopened if each.pk not in going_on]
    changes.meant = counted.meant
    return changes


def _check(competition: Competition) -> None:
    if competition.status not in {CompetitionStatus.RUNNING, CompetitionStatus.FINISHED}:
        raise WrongCompetitionStatus(
            _("You can disqualify players once the competition has started, unless it was cancelled.")
        )
