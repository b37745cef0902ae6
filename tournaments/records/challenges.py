"""Challenge ladders as they stand: who may challenge whom, and what it would do.

A ladder may have tens of thousands of players, and a player can challenge as many as the root of the place: so what is
read is that part of the ladder which concerns somebody.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from itertools import zip_longest
from operator import or_
from typing import NamedTuple

from django.db.models import Count, Max, Q, QuerySet

from formats.challenge_ladder import IN_TIME
from formats.pairing.challenge import Challenge, ChallengeLadder, Limits, Prospects, Refusal, foresee, reach
from formats.protocol import Absence, Game, Order, Record
from formats.protocol import Seat as SeatOnRecord
from players.models import Player
from players.selectors import batched
from rules_engine.values import BySide
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Fixture, Group, PlaceChange, Seat
from tournaments.records.groups import group_of
from tournaments.records.ladders import NOT_PAUSED, RUNNING, rematch_pause
from tournaments.records.result_sums import MAX_ENTRANTS_BY_ID

MAX_RANGES = 100
"""The most ranges of positions that one query asks for."""

CHOOSING = 10
"""The part of the bank in which players of a challenge ladder may choose an opponent before the ladder does."""


@dataclass(frozen=True, slots=True)
class ChallengeOption:
    """An opponent as a challenger sees them: why a challenge is not allowed, or what each result would do."""

    opponent: Entry
    position: int
    refusal: Refusal | None
    prospects: Prospects | None


def read_challenge_ladder(
    ladder: Competition, now: datetime, *, challengers: Mapping[int, int], opponents: Collection[int] = ()
) -> ChallengeLadder[int]:
    """Return that part of a challenge ladder, by entry ids, which says whom these challengers can challenge, and why.

    With the ``challengers`` stand their positions. Read are all within their reach, and the ``opponents``: of these it
    can be asked what they are to one challenger. However large the ladder is, nobody else is read, but for those who
    are paused between the challenger and an opponent out of reach. Two queries, one more for these, and one more
    where somebody within reach is paused.
    """
    found = _within_reach(group_of(ladder), challengers.values(), opponents)
    for own in challengers.values() if opponents else ():
        known_from = next(position for position in range(own, -1, -1) if position - 1 not in found)
        if (highest := min(found, default=own)) < known_from:
            found |= _paused_between(ladder, highest, known_from)
    # Somebody who moves up between two queries would stand twice.
    places = sorted({each.entry: each for each in found.values()}.values())
    running, last_met = _games_of(ladder, now, [each.entry for each in places if not each.is_paused], challengers)
    options = ladder.first_stage.chosen_options
    return ChallengeLadder(
        [each.entry for each in places],
        positions=[each.position for each in places],
        running=running,
        last_met=last_met,
        paused=[each.entry for each in places if each.is_paused],
        limits=Limits(options.max_outgoing, options.max_incoming, timedelta(days=options.rematch_days)),
    )


class _PlaceOnLadder(NamedTuple):
    """A place of a challenge ladder: who stands there, and whether they get no new games."""

    position: int
    entry: int
    is_paused: bool


def _places(rows: Q) -> list[_PlaceOnLadder]:
    found = Seat.objects.filter(rows, position__isnull=False).order_by()
    return [
        _PlaceOnLadder(position, entry, status != EntryStatus.ACTIVE or waits is not None or not is_open)
        for position, entry, status, waits, is_open in found.values_list(
            "position", "entry", "entry__status", "entry__waits_since", "entry__player__is_active"
        )
        if position is not None
    ]


def _within_reach(group_id: int, positions: Iterable[int], opponents: Collection[int]) -> dict[int, _PlaceOnLadder]:
    """Return those at these positions and all within their reach, and the opponents, by position.

    Those who are paused do not count in the reach: where there are some, further places are read.
    """
    found: dict[int, _PlaceOnLadder] = {}
    windows = {position: (max(1, position - reach(position)), position) for position in positions}
    others, times = Q(entry__in=opponents) if opponents else Q(), 2
    while windows or others:
        for some in batched(_ranges(windows.values()), MAX_RANGES) if windows else [[]]:
            rows = reduce(or_, (Q(position__range=each) for each in some), others)
            found |= {each.position: each for each in _places(Q(group_id=group_id) & rows)}
        windows = {
            position: (max(1, start - times * missing), start - 1)
            for position, (start, _end) in windows.items()
            if start > 1 and (missing := reach(position) - _count_open(found, start, position)) > 0
        }
        others, times = Q(), 2 * times
    return found


def _count_open(found: Mapping[int, _PlaceOnLadder], start: int, end: int) -> int:
    """Return how many of those from one position to above another get new games."""
    return sum(not found[position].is_paused for position in range(start, end) if position in found)


def _ranges(windows: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the same positions as those of all the windows, with both ends, in ranges that do not touch."""
    ranges: list[tuple[int, int]] = []
    for start, end in sorted(windows):
        if ranges and start <= ranges[-1][1] + 1:
            ranges[-1] = ranges[-1][0], max(end, ranges[-1][1])
        else:
            ranges.append((start, end))
    return ranges


def _paused_between(ladder: Competition, start: int, end: int) -> dict[int, _PlaceOnLadder]:
    """Return the places from ``start`` to above ``end`` that are not counted in a reach, by position.

    They are few, and found by indexes of those who wait, of those who leave, and of closed accounts.
    """
    on_ladder = Entry.objects.filter(
        competition_id=ladder.pk, seats__position__gte=start, seats__position__lt=end
    ).order_by()
    active = on_ladder.filter(status=EntryStatus.ACTIVE)
    paused = (
        on_ladder.filter(waits_since__isnull=False),
        on_ladder.filter(status=EntryStatus.ON_HOLD),
        active.filter(waits_since=None, player__in=Player.objects.filter(is_active=False)),
    )
    first, *others = (entries.values_list("seats__position", "pk") for entries in paused)
    return {
        position: _PlaceOnLadder(position, entry, is_paused=True)
        for position, entry in first.union(*others)
        if position is not None
    }


def _games_of(
    ladder: Competition, now: datetime, entrants: Collection[int], challengers: Collection[int]
) -> tuple[list[Challenge[int]], dict[frozenset[int], datetime]]:
    """Return the running games of entrants, and when each pair with a challenger last met that may not meet again.

    The challengers who get games are among the entrants. One query for each thousand of these.
    """
    games = Fixture.objects.filter(competition_id=ladder.pk).order_by()
    lately = games.filter(counted_at__isnull=False, is_annulled=False, finished_at__gt=now - rematch_pause(ladder))
    running: dict[int, Challenge[int]] = {}
    last_met: dict[frozenset[int], datetime] = {}
    for some in batched(entrants, MAX_ENTRANTS_BY_ID):
        own = [key for key in some if key in challengers]
        rows = games.filter(RUNNING, _has_side(some)).values_list("pk", "yellow", "red", "challenger", "finished_at")
        if own:
            met = lately.filter(_has_side(own))
            rows = rows.union(met.values_list("pk", "yellow", "red", "challenger", "finished_at"), all=True)
        for key, yellow, red, challenger, end in rows:
            pair = frozenset((yellow, red))
            if end is None:
                running[key] = Challenge(challenger, red if challenger == yellow else yellow)
            else:
                last_met[pair] = max(end, last_met.get(pair, end))
    return list(running.values()), last_met


def _has_side(entries: Collection[int]) -> Q:
    return Q(yellow__in=entries) | Q(red__in=entries)


def positions_of(entries: Collection[int]) -> dict[int, int]:
    """Return at which positions of a challenge ladder these entries stand; those who do not are left out. One query."""
    seats = Seat.objects.filter(entry__in=entries, position__isnull=False).order_by()
    rows = seats.values_list("entry", "position")
    return {entry: position for entry, position in rows if position is not None}


def opponents_within_reach(*, seat: Seat) -> list[Entry]:
    """Return those above an entrant of a challenge ladder whose places count in the reach, with players, from the top.

    Empty for somebody who is not on the ladder.
    """
    if seat.position is None:
        return []
    above = Entry.objects.filter(NOT_PAUSED, seats__group=seat.group_id, seats__position__lt=seat.position)
    counted = above.select_related("player").order_by("-seats__position")
    return list(counted[: reach(seat.position)])[::-1]


def entries_choosing(ladder: Competition, now: datetime, *, among: Collection[int]) -> dict[int, datetime]:
    """Return for which of these entrants the ladder does not choose opponents yet, and from when on it does.

    Their time counts from the start, from their coming or an act after an absence, or from the end of their last game
    as challenger.
    """
    if ladder.first_stage.chosen_options.challenges_by != IN_TIME:
        return {}
    time = ladder.time_control.bank / CHOOSING
    ended = Fixture.objects.filter(competition_id=ladder.pk, is_annulled=False, finished_at__gt=now - time)
    acted = Entry.objects.filter(competition_id=ladder.pk, acted_at__gt=now - time).order_by()
    started_at = ladder.started_at or now
    since = dict.fromkeys(among, started_at) if started_at > now - time else {}
    for some in batched(among, MAX_ENTRANTS_BY_ID):
        ends = ended.filter(challenger__in=some).order_by().values_list("challenger_id").annotate(Max("finished_at"))
        for entry, at in (*acted.filter(pk__in=some).values_list("pk", "acted_at"), *ends):
            since[entry] = max(at, since.get(entry, at))
    return {entry: at + time for entry, at in since.items()}


def chooses_until(*, ladder: Competition, entry: Entry, now: datetime) -> datetime | None:
    """Return until when an entrant of a running challenge ladder chooses whom to challenge, before the ladder does.

    ``None`` where that is over or never is, and for one who has as many games as challenger as there can be. One query.
    """
    is_running = ladder.status == CompetitionStatus.RUNNING and ladder.paused_at is None
    stage = ladder.first_stage
    if not is_running or stage.format_spec.order is not Order.POSITIONS or entry.status != EntryStatus.ACTIVE:
        return None
    if entry.waits_since is not None or entry.seat is None or (entry.seat.position or 1) == 1:
        return None
    options = stage.chosen_options
    if options.challenges_by != IN_TIME:
        return None
    own = Fixture.objects.filter(challenger=entry, is_annulled=False)
    games = own.aggregate(running=Count("pk", filter=Q(counted_at=None)), last=Max("finished_at"))
    if games["running"] >= options.max_outgoing:
        return None
    since = max(each for each in (ladder.started_at, entry.acted_at, games["last"]) if each is not None)
    until = since + ladder.time_control.bank / CHOOSING
    return until if until > now else None


def challenge_preview(
    *,
    ladder: Competition,
    player: Player,
    now: datetime,
    opponents: Collection[Entry] | None = None,
    own: Entry | None = None,
) -> list[ChallengeOption]:
    """Return for each opponent, from the top, what a challenge would mean to the player, or why it is not allowed.

    ``opponents`` are the rows of a page, with their players; everybody else on the ladder if not
    given. Empty for somebody who is not on the ladder: a caller that knows that the player is gives the ``own`` entry.
    """
    if own is None:
        on_ladder = Seat.objects.filter(entry__competition_id=ladder.pk, entry__player=player, position__isnull=False)
        seat = on_ladder.select_related("entry").first()
        own = seat.entry if seat else None
    else:
        seat = own.seat
    if own is None:
        return []
    if opponents is None:
        opponents = list(
            Entry.objects.filter(competition_id=ladder.pk, seats__position__isnull=False)
            .select_related("player")
            .order_by("seats__position", "pk")
        )
    others = [entry for entry in opponents if entry.pk != own.pk]
    challengers = {} if seat is None or seat.position is None else {own.pk: seat.position}
    state = read_challenge_ladder(
        ladder, now, challengers=challengers, opponents=[own.pk, *(entry.pk for entry in others)]
    )
    options = []
    for entry in others:
        refusal = state.reason_not(own.pk, entry.pk, now)
        prospects = None if refusal else foresee(state.position_of[own.pk], state.position_of[entry.pk])
        options.append(ChallengeOption(entry, state.position_of.get(entry.pk, 0), refusal, prospects))
    return options


def derive_place_changes(*, ladder_id: int) -> list[PlaceChange]:
    """Return the whole history of a challenge ladder's positions, not stored, as what happened on it gives it.

    Five queries at any size.
    """
    group = Group.objects.select_related("stage__competition").get(stage__competition_id=ladder_id)
    stage = group.stage
    match_of = dict(_challenges(group).values_list("pk", "match"))
    return [
        PlaceChange(
            competition_id=ladder_id,
            seat_id=change.entrant,
            place=change.position,
            match_id=None if change.game is None else match_of[change.game],
            changed_at=change.at,
        )
        for change in stage.format_spec.position_changes(read_ladder_record(group), stage.chosen_options)
    ]


def positions_after(history: Iterable[PlaceChange]) -> dict[int, int]:
    """Return the positions to which a history has come, by the ids of seats, from the top."""
    last = {change.seat_id: change.place for change in history}
    on_ladder = ((place, seat) for seat, place in last.items() if place is not None)
    return {seat: place for place, seat in sorted(on_ladder)}


def read_ladder_record(group: Group) -> Record[int]:
    """Return the record of a ladder's group; its entrants are the ids of their seats, in the order in which they came.

    Changes of places tell who came and left. Of the matches, the challenges that count are read.
    """
    competition = group.competition
    return Record(
        seats=tuple(_read_seats(group)),
        games=tuple(_read_games(group)),
        point_table=competition.scoring,
        began_at=competition.started_at,
    )


def _read_seats(group: Group) -> Iterator[SeatOnRecord[int]]:
    changes = PlaceChange.objects.filter(seat__group=group).order_by("changed_at", "pk")
    # When each seat was taken, left, taken again, and so on.
    moments: dict[int, list[datetime]] = {}
    for seat, place, at in changes.values_list("seat", "place", "changed_at").iterator():
        was_on = len(moments.get(seat, ())) % 2 == 1
        if was_on != (place is not None):
            moments.setdefault(seat, []).append(at)
    for number, (seat, (came_at, *others)) in enumerate(moments.items(), start=1):
        absences = tuple(Absence(since, until) for since, until in zip_longest(others[::2], others[1::2]))
        yield SeatOnRecord(seat, number, absences=absences, entered_at=came_at)


def _read_games(group: Group) -> Iterator[Game[int]]:
    seat_of = dict(Seat.objects.filter(group=group).values_list("entry", "pk"))
    columns = ("pk", "yellow", "red", "challenger", "points_yellow", "points_red", "finished_at")
    for number, yellow, red, challenger, *points, ended_at in _challenges(group).values_list(*columns).iterator():
        yield Game(
            round=0,
            sides=BySide(seat_of[yellow], seat_of[red]),
            points=BySide(*points),
            ended_at=ended_at,
            challenger=seat_of[challenger],
            number=number,
        )


def _challenges(group: Group) -> QuerySet[Fixture]:
    """Return the challenges that have a result which counts."""
    return Fixture.objects.filter(group=group, challenger__isnull=False, counted_at__isnull=False, is_annulled=False)
