"""Competitions that a player organises or helps in, and the decisions that each waits for.

The number of queries does not depend on how many there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from database.isolation import attempt_each
from database.row_counts import count_rows
from formats.stage_plans import missing_entrants
from matches.models import Status
from players.models import Player
from tournaments.decisions.selectors import open_disputes
from tournaments.models import (
    ENDED,
    NOT_STARTED,
    UPCOMING,
    Competition,
    CompetitionStatus,
    Entry,
    EntryStatus,
    Fixture,
    ProposedRound,
)
from tournaments.models.rights import RIGHTS, Right, Role
from tournaments.models.season_dates import year_of
from tournaments.office.selectors.invitations import unanswered_invitations
from tournaments.records.competitions import list_competitions, waits_for_last_season
from tournaments.records.seasons import dates_of

MAX_CURRENT = 100


class Decision(StrEnum):
    """The decisions that an organiser has to make."""

    PROPOSED_ROUNDS = "proposed-rounds"
    DISPUTES = "disputes"
    LATE_MATCHES = "late-matches"
    CLOSED_ACCOUNTS = "closed-accounts"
    PAUSED = "paused"
    FULL = "full"
    CAN_START = "can-start"
    CHECKED_IN = "checked-in"
    CANNOT_START = "cannot-start"
    UNANSWERED = "unanswered"


NEEDED = dict.fromkeys((Decision.DISPUTES, Decision.LATE_MATCHES), Right.DECIDE)
"""The right that a decision needs, if it is not that of organisers."""


@dataclass(frozen=True, slots=True)
class Organised:
    """A competition that goes on: who is in it, matches whose results do not count yet, and decisions.

    One that has ended is there while a result is disputed. The number of a decision is that of disputes, matches,
    accounts, entrants, players that lack, or invitations. Only decisions are there that the player may make in the
    ``role``. ``checked_in`` is how many have checked in, ``None`` while nobody can.
    """

    competition: Competition
    role: Role
    entrants: int
    matches: int
    decisions: Mapping[Decision, int]
    checked_in: int | None = None


def organised_now(*, player: Player, now: datetime) -> list[Organised]:
    """Return the newest competitions that the player runs and that have not ended, or are disputed, newest first."""
    is_helped = Exists(player.helped_competitions.filter(pk=OuterRef("pk")))
    proposed = ProposedRound.objects.filter(group__stage__competition=OuterRef("pk"))
    there = Entry.objects.filter(competition=OuterRef("pk"), status=EntryStatus.ACTIVE, checked_in_at__isnull=False)
    disputes = open_disputes().filter(fixture__competition=OuterRef("pk"))
    found = _run_by(player).filter(~Q(status__in=ENDED) | Exists(disputes))
    found = found.annotate(
        disputes=count_rows(disputes, by="fixture__competition"),
        is_helped=is_helped,
        proposed_rounds=count_rows(proposed, by="group__stage__competition"),
        checked_in=count_rows(there, by="competition"),
    )
    competitions = list(found.prefetch_related("stages")[:MAX_CURRENT])
    running = [each.pk for each in competitions if each.status == CompetitionStatus.RUNNING]
    # The matches themselves are not read to count them: a large cup has hundreds.
    going_on = Fixture.objects.filter(counted_at=None, is_annulled=False, match__isnull=False)
    late = going_on.filter(round__ends_at__lte=now, match__status=Status.PLAYING, match__paused_at=None)
    # Somebody whose account is closed waits for a replacement in cups alone: on a ladder nobody replaces anybody.
    closed = Entry.objects.filter(team=None, player__is_active=False, competition__kind="cup")
    closed = closed.exclude(status=EntryStatus.REPLACED)
    counts = [_count(rows, running) for rows in (going_on, late, closed)]
    counts.append(_count(unanswered_invitations(), [each.pk for each in competitions]))

    def describe(competition: Competition) -> Organised:
        numbers = (count.get(competition.pk, 0) for count in counts)
        role = Role.HELPER if vars(competition)["is_helped"] else Role.ORGANISER
        return _describe(competition, *numbers, role=role, now=now)

    return list(attempt_each(competitions, describe, event="row_not_shown", key="competition_id"))


def organised_before(*, player: Player) -> QuerySet[Competition]:
    """Return the competitions that the player ran and that have ended, the newest first."""
    return _run_by(player).filter(status__in=ENDED)


def _run_by(player: Player) -> QuerySet[Competition]:
    organised, helped = (
        own.order_by().values("pk") for own in (player.organised_competitions, player.helped_competitions)
    )
    return list_competitions(drafts=True).filter(pk__in=organised.union(helped))


def _count(rows: QuerySet[Any], competitions: Sequence[int]) -> dict[int, int]:
    chosen = rows.filter(Q(competition__in=competitions)).order_by()
    return dict(chosen.values("competition_id").annotate(number=Count("pk")).values_list("competition_id", "number"))


def _describe(
    competition: Competition, matches: int, late: int, closed: int, unanswered: int, *, role: Role, now: datetime
) -> Organised:
    entrants = competition.entrants
    checked_in = vars(competition)["checked_in"] if competition.is_checking_in(now) else None
    proposed = vars(competition)["proposed_rounds"]
    decisions: dict[Decision, int] = {Decision.PROPOSED_ROUNDS: proposed} if proposed else {}
    if disputes := vars(competition)["disputes"]:
        decisions[Decision.DISPUTES] = disputes
    if competition.status == CompetitionStatus.RUNNING:
        numbers = {
            Decision.LATE_MATCHES: late,
            Decision.CLOSED_ACCOUNTS: closed,
            Decision.PAUSED: int(competition.paused_at is not None),
        }
        decisions |= {decision: number for decision, number in numbers.items() if number}
    elif competition.status in UPCOMING:
        decisions |= dict(_before_the_start(competition, entrants, checked_in, now))
    if unanswered:
        decisions[Decision.UNANSWERED] = unanswered
    own = {
        decision: number
        for decision, number in decisions.items()
        if NEEDED.get(decision, Right.ORGANISE) in RIGHTS[role]
    }
    return Organised(competition, role, entrants, matches, own, checked_in)


def _before_the_start(
    competition: Competition, entrants: int, checked_in: int | None, now: datetime
) -> Iterable[tuple[Decision, int]]:
    """Yield what organisers can decide; where players check in, of those who have."""
    is_late = competition.starts_at is not None and competition.starts_at <= now
    is_full = competition.max_entrants is not None and entrants >= competition.max_entrants
    starts_by_itself = competition.starts_with_entries or competition.starts_at is not None
    if checked_in is not None:
        # After its time who has checked in too late does not start it by themselves.
        is_full, starts_by_itself = is_full and checked_in == entrants, starts_by_itself and not is_late
        entrants = checked_in
    missing = missing_entrants(competition.all_stages, entrants)
    if missing == 0 and entrants and is_full and not competition.starts_when_full:
        yield Decision.FULL, entrants
    elif missing == 0 and entrants and not starts_by_itself:
        yield Decision.CAN_START if checked_in is None else Decision.CHECKED_IN, entrants
    elif missing and is_late:
        yield Decision.CANNOT_START, missing


@dataclass(frozen=True, slots=True)
class HeldUp:
    """The competitions that wait for a season that is late to start: the next season, the final of a year."""

    next_season: bool
    final_of: int | None


def held_up_by(season: Competition, *, now: datetime) -> HeldUp | None:
    """Return what waits for a season to start, ``None`` for one that has, or that cannot yet. Three queries at most."""
    series = season.series if season.season is not None else None
    if series is None or season.status not in NOT_STARTED or season.starts_at is None or season.starts_at > now:
        return None
    if waits_for_last_season(season, now=now):
        return None
    held = HeldUp(series.ended_at is None, year_of(dates_of(season)) if series.year_final else None)
    return held if held.next_season or held.final_of else None
