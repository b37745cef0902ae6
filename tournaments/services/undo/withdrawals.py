"""Take back a withdrawal: what followed from it is derived again as if the entrant had stayed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from matches import clock
from players.models import Player
from rules_engine.values import Ending
from tournaments.errors import EntrantClosed, EntryNotFound, EntryOver, NotWithdrawn, WrongCompetitionStatus
from tournaments.formats.protocol import Order
from tournaments.models import (
    ENDED,
    Competition,
    CompetitionStatus,
    Entry,
    EntryStatus,
    Fixture,
    Group,
    PlaceChange,
    Round,
    Tie,
)
from tournaments.selectors.competitions import find_ladder
from tournaments.selectors.organisers import check_organiser
from tournaments.selectors.played_matches import played_fixtures
from tournaments.services.advance import advance
from tournaments.services.after_commit import notify_pairing
from tournaments.services.catch_up import catch_up
from tournaments.services.cups.round_dates import reopen_round
from tournaments.services.fixtures import forfeit_without_play, start_fixtures
from tournaments.services.ladders.challenge_results import replay_challenges
from tournaments.services.locks import lock_competition
from tournaments.services.log import log_action
from tournaments.services.standings import mark_standings_of
from tournaments.services.undo.consequences import Consequences, annul_matches, check_confirmed, sort_matches

_RELATED = ("match", "round", "group__stage", "yellow__player", "red__player")


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is done for one who left at ``left_at``: ``again`` are played after all.

    Of ties of a bracket, ``opened`` are open again, ``later`` are those that followed.
    ``legs`` are the matches of both that count nowhere any more.
    """

    left_at: datetime
    again: Sequence[Fixture]
    opened: Sequence[Tie]
    later: Sequence[Tie]
    legs: Sequence[Fixture]
    follows: Consequences


def take_back_withdrawal(*, entry_id: int, confirm: bool, actor: Player, reason: str, now: datetime) -> Entry:
    """Let an entrant who has left play on, and return the entry.

    Matches that were forfeited before anybody moved are played after all, unless their round is over; on a challenge
    ladder the entrant stands where they would without the leaving. Of a knock-out, the tie is open again, and what
    followed from it is taken back. Raises ``EntryNotFound``, ``NotAnOrganiser``, ``WrongCompetitionStatus``,
    ``NotWithdrawn``, ``EntryOver`` where the place was taken over, ``EntrantClosed``, or ``MatchesWouldBeLost`` where
    somebody has moved in what followed and this is not confirmed.
    """
    with transaction.atomic():
        competition_id = _competition_of(entry_id)
        competition = lock_competition(competition_id=competition_id)
        check_organiser(competition=competition, player=actor)
        catch_up(competition=competition, now=now)
        entry = _find(entry_id)
        plan = _make_plan(competition, entry)
        check_confirmed(plan.follows, confirm=confirm)
        log_action(
            competition=competition,
            action="withdrawal-undone",
            actor=actor,
            subject=str(entry),
            reason=reason,
            now=now,
        )
        if entry.inactive_since is not None:
            entry.acted_at = now
        entry.status, entry.left_at, entry.inactive_since = EntryStatus.ACTIVE, None, None
        entry.save(update_fields=["status", "left_at", "inactive_since", "acted_at"])
        _reopen_ties(plan, now)
        _play_again(competition, plan.again, now)
        _go_on(competition, entry, plan.left_at, now)
    return entry


def what_follows_from_taking_back_withdrawal(*, entry_id: int) -> Consequences:
    """Return what follows from taking back a withdrawal now. Raises what taking it back would, but for the lost."""
    competition = Competition.objects.get(pk=_competition_of(entry_id))
    return _make_plan(competition, _find(entry_id)).follows


def _competition_of(entry_id: int) -> int:
    competition_id = Entry.objects.filter(pk=entry_id).values_list("competition_id", flat=True).first()
    if competition_id is None:
        raise EntryNotFound("There is no such entry.")
    return competition_id


def _find(entry_id: int) -> Entry:
    entry = Entry.objects.select_related("player").filter(pk=entry_id).first()
    if entry is None:
        raise EntryNotFound("There is no such entry.")
    return entry


def _make_plan(competition: Competition, entry: Entry) -> _Plan:
    if competition.status in ENDED:
        raise WrongCompetitionStatus("The competition is over.")
    if entry.status == EntryStatus.REPLACED:
        raise EntryOver(f"{entry} has been replaced: another player has taken over the place.")
    if entry.status != EntryStatus.GONE or entry.left_at is None:
        raise NotWithdrawn(f"{entry} has not been withdrawn.")
    if not entry.player.is_active:
        raise EntrantClosed("This account is closed.")
    since = clock.whole_millisecond(entry.left_at)
    played = set(played_fixtures(competition_id=competition.pk).values_list("pk", flat=True))
    forfeits = _forfeits_of(entry, since)
    single = [each for each in forfeits if each.tie_id is None]
    again = [each for each in single if each.pk not in played and _can_be_played(competition, entry, each)]
    opened, later = _ties_after(competition, entry, since)
    followed = Fixture.objects.filter(tie__in=later, is_annulled=False).select_related(*_RELATED).order_by("pk")
    reopened = {tie.pk for tie in opened}
    legs = [*(each for each in forfeits if each.tie_id in reopened), *followed]
    follows = sort_matches([each for each in legs if each.match_id is not None or each.pk in played], played)
    more = [
        *_say_ties(entry, opened, later),
        *_say_matches(again, len(single) - len(again)),
        _("%(player)s plays on.") % {"player": entry},
    ]
    return _Plan(entry.left_at, again, opened, later, legs, replace(follows, more=tuple(more)))


def _forfeits_of(entry: Entry, since: datetime) -> list[Fixture]:
    """Return the fixtures that the entrant forfeited by leaving, or after it, with their entries."""
    fixtures = Fixture.objects.filter(
        Q(yellow=entry) | Q(red=entry), is_annulled=False, ending=Ending.FORFEIT, finished_at__gte=since
    )
    return [each for each in fixtures.select_related(*_RELATED).order_by("pk") if not _has_won(each, entry)]


def _has_won(fixture: Fixture, entry: Entry) -> bool:
    points = fixture.points
    if points is None:
        return False
    return points.yellow > points.red if fixture.yellow_id == entry.pk else points.red > points.yellow


def _can_be_played(competition: Competition, entry: Entry, fixture: Fixture) -> bool:
    """Return whether a match that was forfeited without a move can be played after all."""
    if fixture.round is None:
        return _other(fixture, entry).is_in
    return fixture.round.ended_at is None or fixture.group.stage.is_played_at_once


def _other(fixture: Fixture, entry: Entry) -> Entry:
    return fixture.red if fixture.yellow_id == entry.pk else fixture.yellow


def _ties_after(competition: Competition, entry: Entry, since: datetime) -> tuple[list[Tie], list[Tie]]:
    """Return the ties that the entrant lost by leaving, and those after them in which entrants stand by that."""
    ties = Tie.objects.select_related("round", "first__player", "second__player").order_by("round__number", "pk")
    ties = ties.filter(round__group__stage__competition_id=competition.pk)
    own = ties.filter(Q(first=entry) | Q(second=entry), decided_at__gte=since)
    lost = [tie for tie in own if tie.winner_id != entry.pk]
    opened: list[Tie] = []
    later: dict[int, Tie] = {}
    for tie in lost:
        if tie.pk in later:
            continue
        opened.append(tie)
        reached: Collection[int] = [tie.pk]
        while reached:
            found = ties.filter(Q(first_from__in=reached) | Q(second_from__in=reached)).exclude(pk__in=list(later))
            new = {each.pk: each for each in found}
            later |= new
            reached = list(new)
    return opened, list(later.values())


def _say_ties(entry: Entry, opened: Iterable[Tie], later: Sequence[Tie]) -> list[str]:
    """Return what becomes of ties: who plays again, and who would be met next."""
    sentences = []
    for tie in opened:
        other = tie.second if tie.first_id == entry.pk else tie.first
        if other is None:
            continue
        if other.is_in:
            sentences.append(
                _("The tie of %(player)s and %(other)s is open again.") % {"player": entry, "other": other}
            )
        else:
            sentences.append(
                _("%(player)s goes on without playing, as %(other)s has left.") % {"player": entry, "other": other}
            )
        for follower in later:
            if tie.pk not in {follower.first_from_id, follower.second_from_id}:
                continue
            came_first = follower.first_from_id == tie.pk
            came, waits = (follower.first, follower.second) if came_first else (follower.second, follower.first)
            if came is None:
                continue
            sentences.append(
                _("%(player)s does not go on to meet %(other)s yet.") % {"player": came, "other": waits}
                if waits is not None
                else _("%(player)s does not go on yet.") % {"player": came}
            )
    return sentences


def _say_matches(again: Sequence[Fixture], standing: int) -> list[str]:
    sentences = []
    if again:
        sentences.append(
            ngettext(
                "%(count)d match is played after all: %(names)s.",
                "%(count)d matches are played after all: %(names)s.",
                len(again),
            )
            % {"count": len(again), "names": ", ".join(map(str, again))}
        )
    if standing:
        sentences.append(
            ngettext(
                "%(count)d forfeit stands. You can let the match be replayed.",
                "%(count)d forfeits stand. You can let the matches be replayed.",
                standing,
            )
            % {"count": standing}
        )
    return sentences


def _reopen_ties(plan: _Plan, now: datetime) -> None:
    """Take back what followed, last round first, and open the ties again from which it followed."""
    if not plan.opened:
        return
    annul_matches(fixtures=plan.legs, now=now)
    Fixture.objects.filter(pk__in=[each.pk for each in plan.legs]).update(is_annulled=True)
    changed = {tie.pk for tie in (*plan.opened, *plan.later)}
    ties = Tie.objects.filter(pk__in=changed)
    ties.update(winner=None, decided_by="", decided_at=None)
    ties.filter(first_from__in=changed).update(first=None)
    ties.filter(second_from__in=changed).update(second=None)
    rounds = Round.objects.filter(pk__in=ties.values("round")).select_related("group__stage")
    for round_ in rounds.order_by("number"):
        reopen_round(stage=round_.group.stage, round=round_, now=now)


def _play_again(competition: Competition, fixtures: Sequence[Fixture], now: datetime) -> None:
    """Let matches that were forfeited without a move be played: those of rounds that have not begun, later."""
    begun = [each for each in fixtures if each.match_id is not None]
    annul_matches(fixtures=begun, now=now)
    Fixture.objects.filter(pk__in=[each.pk for each in begun]).update(is_annulled=True)
    Fixture.objects.filter(pk__in=[each.pk for each in fixtures if each.match_id is None]).update(
        counted_at=None,
        finished_at=None,
        ending="",
        points_yellow=None,
        points_red=None,
        goals_yellow=None,
        goals_red=None,
        is_in_history=False,
    )
    new = Fixture.objects.bulk_create(
        Fixture(
            competition_id=competition.pk,
            group_id=each.group_id,
            round_id=each.round_id,
            yellow_id=each.yellow_id,
            red_id=each.red_id,
            challenger_id=each.challenger_id,
            created_at=now,
        )
        for each in begun
    )
    rounds = {each.round_id for each in fixtures if each.round_id is not None}
    Round.objects.filter(pk__in=rounds).update(ended_at=None)
    Group.objects.filter(pk__in={each.group_id for each in fixtures if each.round_id is not None}).update(ended_at=None)
    keys = [*(each.pk for each in new), *(each.pk for each in fixtures if each.match_id is None)]
    due = Fixture.objects.filter(pk__in=keys).filter(Q(round=None) | Q(round__started_at__isnull=False))
    if competition.status == CompetitionStatus.RUNNING:
        waiting = list(due.select_related("yellow__player", "red__player").order_by("pk"))
        alone = [each for each in waiting if not (each.yellow.is_in and each.red.is_in)]
        forfeit_without_play(competition=competition, fixtures=alone, now=now)
        start_fixtures(fixtures=waiting, competition=competition, now=now)


def _go_on(competition: Competition, entry: Entry, left_at: datetime, now: datetime) -> None:
    """Let the competition be counted anew, and move on."""
    ladder = find_ladder(competition)
    if ladder is not None and ladder.first_stage.format_spec.order is Order.POSITIONS:
        PlaceChange.objects.filter(seat__entry=entry, place=None, changed_at=left_at).delete()
        replay_challenges(ladder_id=ladder.pk)
    if competition.status != CompetitionStatus.RUNNING:
        return
    mark_standings_of(entries=[entry], now=now)
    if ladder is not None:
        notify_pairing(ladder_id=ladder.pk)
    else:
        advance(competition_id=competition.pk, now=now)
