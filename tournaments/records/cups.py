"""The progress of a cup, and what it is waiting for."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from formats.stage_plans import fewest_entrants
from matches.models import Match, Status
from players.models import Player
from rules_engine.values import Ending, Side
from tournaments.models import (
    ENDED,
    OF_PLAY,
    SITTING,
    Bye,
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    EntryStatus,
    Fixture,
    Group,
    Round,
    RoundEnd,
    Stage,
)
from tournaments.records.brackets import final_places_of
from tournaments.records.coming_rounds import takes_entries
from tournaments.records.competitions import count_checked_in, waits_for_pause
from tournaments.records.groups import has_proposed_round, is_pairing_due
from tournaments.records.levels import find_first_at, waiting_seats
from tournaments.records.qualifiers import qualifiers_of
from tournaments.records.standings import find_first


def is_last_played(stage: Stage) -> bool:
    """Return whether no later stage of the competition has been drawn. One query."""
    return not Group.objects.filter(stage__competition=stage.competition_id, stage__number__gt=stage.number).exists()


def deciding_stage(last: Stage) -> Stage:
    """Return the stage that gives the winner when this one was the last that was played: leagues, not play-offs."""
    first = last.competition.first_stage
    return first if first.has_leagues else last


def decides_winner(stage: Stage) -> bool:
    """Return whether the winner of a competition that is over follows from this stage. One query at most."""
    return stage.has_leagues or (not stage.is_play_offs and is_last_played(stage))


def find_winner(last: Stage) -> int | None:
    """Return the entry that is first in the last stage that was played; ``None`` while nobody is.

    A competition can end before its last stage, where too few are left to play it: who would be the first seed there
    has won. Where groups form one by one, and at levels, it is the best of those who are first in a group of the
    highest one. Who is first in the highest league has won, whoever plays off.
    """
    last = deciding_stage(last)
    if last.gathers or last.max_levels is not None:
        return find_first_at(last)
    if last.advance is not None and not last.has_leagues:
        following = last.competition.stages.filter(number=last.number + 1).get()
        return next(iter(qualifiers_of(last, draw_seed=following.draw_seed or 0)), None)
    # Of leagues it is the highest.
    (group,) = Group.objects.filter(stage=last, number=1)
    if not last.is_bracket:
        group.stage = last
        return find_first(group)
    return next((entry for entry, place in final_places_of(group.pk).items() if place == 1), None)


MAX_MATCHES = 50

MAX_SORTED = 64
"""The most entrants of a cup whose matches are sorted to find those that end next."""


class Wait(StrEnum):
    """Kinds of things that a cup can wait for."""

    OPENING = "opening"
    ENTRANTS = "entrants"
    START = "start"
    MOVE = "move"
    SETTLEMENT = "settlement"
    PAIRING = "pairing"
    PLAYERS = "players"
    PUBLICATION = "publication"
    STAGE = "stage"
    CHECK_IN = "check-in"


@dataclass(frozen=True, slots=True)
class Waiting:
    """One thing that a cup waits for.

    ``players`` is how many are lacking, in a running cup for the next group at a ``level``, or have not checked in;
    they are teams where it is ``of_teams``. A ``move`` names the fixture, who has to make it, and until when, unless
    the cup is paused; ``is_overdue`` where the round should have ended before.
    """

    kind: Wait
    fixture: Fixture | None = None
    player: Player | None = None
    until: datetime | None = None
    is_overdue: bool = False
    players: int = 0
    level: int = 0
    of_teams: bool = False


def cup_waits_for(cup: Cup, now: datetime, *, limit: int = MAX_MATCHES) -> list[Waiting]:
    """Return what a cup is waiting for, the most urgent first; empty once it has ended.

    Of matches that go on, ``limit`` at most are named. Two queries at any size, one more where many have entered, up to
    three more while none goes on, and two where groups form one by one.
    """
    if cup.status in ENDED:
        return []
    if cup.status != CompetitionStatus.RUNNING:
        return _before_the_start(cup, now)
    fixtures = next_to_end(cup, limit=limit)
    if not fixtures and is_pairing_due(competition=cup):
        return [Waiting(Wait.PAIRING)]
    waiting = [_of_fixture(fixture, now) for fixture in fixtures]
    if not waiting and has_proposed_round(competition=cup):
        waiting = [Waiting(Wait.PUBLICATION)]
    if not waiting and (begins_at := next_stage_begins_at(cup)) is not None:
        waiting = [Waiting(Wait.STAGE, until=begins_at)]
    stage = fixtures[0].group.stage if fixtures else cup.first_stage
    return [*_of_levels(cup), *waiting][:limit] if stage.gathers else waiting


def next_stage_begins_at(cup: Competition) -> datetime | None:
    """Return the day for which a cup waits with its next stage. One query at most."""
    if cup.first_stage.advance is None:
        return None
    waiting = Stage.objects.filter(competition_id=cup.pk, next_begins_at__isnull=False)
    return waiting.values_list("next_begins_at", flat=True).first()


def next_to_end(competition: Competition, *, limit: int) -> list[Fixture]:
    """Return matches that have begun and have no result, those first whose player to move has least time left.

    One query; one more where many have entered, and a third if few of their matches go on.
    """
    fixtures = (
        Fixture.objects.filter(competition_id=competition.pk, counted_at=None, is_annulled=False, match__isnull=False)
        .select_related("match", "round", "group__stage", *SITTING)
        .defer(*OF_PLAY)
        .order_by("match__deadline", "pk")
    )
    if competition.entrants > MAX_SORTED:
        # By an index of the matches alone: together with the fixtures PostgreSQL would sort all that go on.
        going_on = Match.objects.filter(competition=competition.pk, status=Status.PLAYING).order_by("deadline", "pk")
        first = list(going_on.values_list("pk", flat=True)[:limit])
        found = list(fixtures.filter(match__in=first)) if len(first) == limit else []
        if len(found) == limit:
            return found
    return list(fixtures[:limit])


def with_open_matches(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Return the rounds, each with ``open_matches``: how many have no result yet."""
    is_open = Q(fixtures__counted_at=None, fixtures__is_annulled=False, fixtures__isnull=False)
    return rounds.annotate(open_matches=Count("fixtures", filter=is_open))


def rounds_due_in(competition_id: int, now: datetime) -> list[Round]:
    """Return the rounds of a competition that must have ended by now, as ``rounds_due`` does."""
    return list(rounds_due(now).filter(group__stage__competition=competition_id))


def rounds_due(now: datetime) -> QuerySet[Round]:
    """Return the rounds that must have ended by now and go on; not of cups that wait for matches, or are paused.

    A round that is still to be given the time of a pause of the site waits for that.
    """
    return (
        Round.objects.filter(~waits_for_pause("ends_at"), ends_at__lte=now, ended_at=None, started_at__isnull=False)
        .filter(
            group__stage__competition__status=CompetitionStatus.RUNNING,
            group__stage__competition__paused_at=None,
        )
        .exclude(group__stage__at_round_end=RoundEnd.WAIT)
        .select_related("group__stage__competition")
        .order_by("ends_at", "pk")
    )


def byes_in(round: Round) -> list[Bye]:  # noqa: A002
    """Return the byes in a round with who has them, by name. One query."""
    byes = Bye.objects.filter(round=round).select_related("seat__entry__player", "seat__entry__team")
    return list(byes.order_by("seat__entry__player__username"))


def with_repeats(fixtures: QuerySet[Fixture]) -> QuerySet[Fixture]:
    """Return the fixtures, each with ``is_repeat``: whether the two have played each other in an earlier round."""
    before = Fixture.objects.filter(
        Q(yellow=OuterRef("yellow"), red=OuterRef("red")) | Q(yellow=OuterRef("red"), red=OuterRef("yellow")),
        group=OuterRef("group"),
        round__number__lt=OuterRef("round__number"),
        is_annulled=False,
    ).exclude(ending=Ending.FORFEIT)
    return fixtures.annotate(is_repeat=Exists(before))


def with_byes(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """Return the rounds with who has a bye in each: one query more."""
    byes = Bye.objects.select_related("seat__entry__player", "seat__entry__team").order_by(
        "seat__entry__player__username"
    )
    return rounds.prefetch_related(Prefetch("byes", byes))


def rounds_of(group_id: int) -> QuerySet[Round]:
    """Return a group's rounds, in order."""
    return Round.objects.filter(group_id=group_id).order_by("number")


def _before_the_start(cup: Cup, now: datetime) -> list[Waiting]:
    waiting = []
    if cup.status == CompetitionStatus.DRAFT:
        waiting.append(Waiting(Wait.OPENING))
    entrants = Entry.objects.filter(competition_id=cup.pk, status=EntryStatus.ACTIVE).count()
    needed = cup.max_entrants if cup.starts_when_full and cup.max_entrants is not None else _least(cup)
    if entrants < needed:
        waiting.append(Waiting(Wait.ENTRANTS, players=needed - entrants, of_teams=cup.boards is not None))
    if cup.is_checking_in(now) and (absent := entrants - count_checked_in(cup)):
        waiting.append(Waiting(Wait.CHECK_IN, players=absent))
    if cup.starts_at is not None:
        waiting.append(Waiting(Wait.START, until=cup.starts_at))
    elif not cup.starts_with_entries:
        waiting.append(Waiting(Wait.START))
    return waiting


def _least(cup: Cup) -> int:
    """Return with how many entrants all stages can be played. One query, none where there is one stage."""
    first = cup.first_stage
    if first.advance is None:
        return first.format_spec.min_entrants
    return fewest_entrants(cup.all_stages) or first.format_spec.min_entrants


def _of_levels(cup: Cup) -> list[Waiting]:
    """Return how many lack for the next group at each level at which somebody waits, or can come. Two queries."""
    options = cup.first_stage.grouping_options
    size = 0 if options is None else options.whenever or 0
    levels = Counter(seat.stage.number for seat in waiting_seats(cup))
    if takes_entries(cup):
        levels[1] += 0
    return [Waiting(Wait.PLAYERS, players=size - levels[level], level=level) for level in sorted(levels)]


def _of_fixture(fixture: Fixture, now: datetime) -> Waiting:
    match = fixture.match
    if match is None or match.status != Status.PLAYING:
        return Waiting(Wait.SETTLEMENT, fixture)
    player = fixture.players[Side(match.side)]
    if match.paused_at is not None:
        return Waiting(Wait.MOVE, fixture, player)
    ends_at = None if fixture.round is None else fixture.round.ends_at
    is_overdue = ends_at is not None and ends_at <= now
    return Waiting(Wait.MOVE, fixture, player, match.deadline, is_overdue)
