"""Ladders as they stand: who lacks games, who may not meet again, who waits, and who leaves."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import Case, F, OuterRef, Q, QuerySet, Subquery, When

from formats.pairing.challenge import position_on_return
from formats.protocol import Flow, Order
from formats.registry import formats_with
from matches.models import Move
from rules_engine.values import Side
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Fixture, PlaceChange, Seat, Stage
from tournaments.models.fixture import LOST_ON_TIME
from tournaments.records.groups import first_group
from tournaments.records.result_sums import MAX_ENTRANTS_BY_ID

RUNNING = Q(counted_at__isnull=True, is_annulled=False)

IN_LADDER = (EntryStatus.ACTIVE, EntryStatus.ON_HOLD)

NOT_PAUSED = Q(status=EntryStatus.ACTIVE, waits_since=None, player__is_active=True)
"""Entries that get new games."""

_GAMES = """
    WITH asked AS MATERIALIZED (
        SELECT entry.id, entry.player_id, entry.entered_at
          FROM tournaments_entry entry
         WHERE entry.competition_id = %(ladder)s AND entry.status = 'active' AND entry.waits_since IS NULL
           AND entry.known_games < %(games)s
    ), busy AS (
        SELECT entrant, count(*) AS games
          FROM (
              SELECT yellow_id AS entrant FROM tournaments_fixture
               WHERE competition_id = %(ladder)s AND counted_at IS NULL AND NOT is_annulled
                 AND yellow_id IN (SELECT id FROM asked)
               UNION ALL
              SELECT red_id FROM tournaments_fixture
               WHERE competition_id = %(ladder)s AND counted_at IS NULL AND NOT is_annulled
                 AND red_id IN (SELECT id FROM asked)
          ) sides
         GROUP BY entrant
    )
"""
"""The running games of those entrants of whom it is not known that they have enough."""

_CHALLENGES = """
    WITH asked AS MATERIALIZED (
        SELECT entry.id, entry.player_id
          FROM tournaments_entry entry
         WHERE entry.competition_id = %(ladder)s AND entry.status = 'active' AND entry.waits_since IS NULL
           AND entry.known_games < %(games)s
    ), busy AS (
        SELECT challenger_id AS entrant, count(*) AS games
          FROM tournaments_fixture
         WHERE competition_id = %(ladder)s AND counted_at IS NULL AND NOT is_annulled
           AND challenger_id IN (SELECT id FROM asked)
         GROUP BY challenger_id
    )
"""
"""The same of a challenge ladder: the running games in which they are the challengers."""

_FEW_GAMES = """
    , lacking AS MATERIALIZED (
        SELECT asked.*, coalesce(busy.games, 0) AS games
          FROM asked
          LEFT JOIN busy ON busy.entrant = asked.id
         WHERE coalesce(busy.games, 0) < %(games)s
    )
"""

_LACKING = """
    SELECT lacking.id, lacking.games
      FROM lacking
     WHERE (SELECT player.is_active FROM players_player player WHERE player.id = lacking.player_id)
     ORDER BY (SELECT standing.place
                 FROM tournaments_seat seat
                 JOIN tournaments_standing standing ON standing.seat_id = seat.id
                WHERE seat.entry_id = lacking.id) ASC NULLS LAST,
              lacking.entered_at, lacking.id
"""
"""Places are looked up one by one, for those few who lack games."""

_CHALLENGERS = """
    SELECT lacking.id, seat.position
      FROM lacking
      JOIN tournaments_seat seat ON seat.entry_id = lacking.id AND seat.position IS NOT NULL
     WHERE (SELECT player.is_active FROM players_player player WHERE player.id = lacking.player_id)
     ORDER BY seat.position
     LIMIT %(limit)s
"""

_WITH_ENOUGH = """
    SELECT busy.entrant FROM busy WHERE busy.games >= %(games)s ORDER BY busy.entrant LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Lacking:
    """An active player of a points ladder with too few running games."""

    entry_id: int
    running: int


def running_ladders() -> QuerySet[Competition]:
    """Return the running competitions without an end, in order."""
    stages = Stage.objects.filter(number=1, format__in=formats_with(Flow.CONTINUOUS)).values("competition")
    return Competition.objects.filter(status=CompetitionStatus.RUNNING, pk__in=stages).order_by("pk")


def pairing_due(now: datetime) -> Q:
    """Return which running ladders have changed since no game could start, or have waited for their time."""
    return Q(pairing_due_at=None) | Q(pairing_due_at__lte=now)


def ladders_to_pair(now: datetime) -> list[int]:
    """Return the running ladders that may have games to start, in order. Two queries.

    Something has changed since none could start, their time has come, or somebody who waits since a loss on time has
    acted.
    """
    ladders = running_ladders()
    due = ladders.filter(pairing_due(now)).values_list("pk", flat=True)
    playing = ladders.filter(paused_at=None).values("pk")
    returned = acts_of_waiting().filter(
        Q(as_yellow__isnull=False) | Q(as_red__isnull=False) | Q(elsewhere__isnull=False),
        competition__in=playing,
        status__in=IN_LADDER,
    )
    return sorted({*due, *returned.values_list("competition", flat=True)})


def players_lacking_games(ladder: Competition, *, limit: int | None = None) -> list[Lacking]:
    """Return who lacks games on a points ladder, in the order of the table, newcomers last. One query.

    With a ``limit`` only so many of them. Players who are known to have enough are not looked at.
    """
    statement = _LACKING if limit is None else f"{_LACKING} LIMIT %(limit)s"
    return [Lacking(*row) for row in _ask_for_games(_FEW_GAMES + statement, ladder, limit)]


def challengers_lacking_games(ladder: Competition, *, limit: int) -> dict[int, int]:
    """Return the positions of those on a challenge ladder who get games as challengers and have too few. One query.

    By entry ids, from the top, ``limit`` at most. Players who are known to have enough are not looked at.
    """
    return dict(_ask_for_games(_FEW_GAMES + _CHALLENGERS, ladder, limit))


def entries_with_enough_games(ladder: Competition, *, limit: int) -> list[int]:
    """Return of whom it is not known yet that they have as many running games as their ladder gives. One query.

    On a challenge ladder games as challenger count.
    """
    return [entry_id for (entry_id,) in _ask_for_games(_WITH_ENOUGH, ladder, limit)]


def entries_to_look_at(ladder: Competition) -> list[int] | None:
    """Return who may lack games, or waits since a loss on time; ``None`` where these are many. One query."""
    entries = Entry.objects.filter(competition=ladder.pk).order_by()
    lacking = entries.filter(status=EntryStatus.ACTIVE, waits_since=None, known_games__lt=games_of_each(ladder))
    waiting = entries.filter(waits_since__isnull=False)
    found = list(lacking.values_list("pk").union(waiting.values_list("pk"), all=True)[: MAX_ENTRANTS_BY_ID + 1])
    return None if len(found) > MAX_ENTRANTS_BY_ID else [entry_id for (entry_id,) in found]


def games_of_each(ladder: Competition) -> int:
    """Return how many running games a ladder gives each player at once: on a challenge ladder as challenger."""
    options = ladder.first_stage.chosen_options
    return int(options.max_outgoing if _has_positions(ladder) else options.games_each)


def _has_positions(ladder: Competition) -> bool:
    return ladder.first_stage.format_spec.order is Order.POSITIONS


def _ask_for_games(statement: str, ladder: Competition, limit: int | None) -> list[Any]:
    games = _CHALLENGES if _has_positions(ladder) else _GAMES
    with connection.cursor() as cursor:
        cursor.execute(games + statement, {"ladder": ladder.pk, "games": games_of_each(ladder), "limit": limit})
        return cursor.fetchall()


def pairs_barred(
    ladder: Competition, now: datetime, among: Collection[int] | None = None
) -> list[tuple[int, int, datetime | None]]:
    """Return the pairs that are playing, or met too lately to meet again; only those with somebody ``among``.

    With each stands when they may meet again, or ``None`` while they play.
    """
    pause = rematch_pause(ladder)
    lately = Q(counted_at__isnull=False, is_annulled=False, finished_at__gt=now - pause)
    fixtures = Fixture.objects.filter(RUNNING | lately, competition_id=ladder.pk)
    if among is not None:
        fixtures = fixtures.filter(Q(yellow__in=among) | Q(red__in=among))
    rows = fixtures.values_list("yellow_id", "red_id", "finished_at")
    return [(yellow, red, None if end is None else end + pause) for yellow, red, end in rows]


def has_lost_on_time(entry: Entry) -> bool:
    """Return whether an entrant waits for an act after a loss on time, or has ever waited for one."""
    if entry.waits_since is not None:
        return True
    lost = Fixture.objects.filter(LOST_ON_TIME, group=first_group(entry.competition_id))
    as_yellow, as_red = (
        Q(**{side.value: entry, f"points_{side.value}__lt": F(f"points_{side.opponent.value}")}) for side in Side
    )
    return lost.filter(as_yellow | as_red).exists()


def acts_of_waiting() -> QuerySet[Any]:
    """Return the entries that wait since a loss on time, each with the last acts since then: moves, and any other."""
    acts = {
        side: Move.objects.filter(
            match__last_move_at__gt=OuterRef("waits_since"),
            played_at__gt=OuterRef("waits_since"),
            actor=side.value,
            by_itself=False,
            **{f"match__{side.value}": OuterRef("player")},
        )
        .order_by("-played_at")
        .values("played_at")[:1]
        for side in Side
    }
    return Entry.objects.filter(waits_since__isnull=False).annotate(
        as_yellow=Subquery(acts[Side.YELLOW]),
        as_red=Subquery(acts[Side.RED]),
        elsewhere=Case(When(player__acted_at__gt=F("waits_since"), then=F("player__acted_at"))),
    )


def start_of_day(moment: datetime) -> datetime:
    """Return the last midnight in UTC."""
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def remembered_positions(*, seats: Iterable[Seat], now: datetime) -> dict[int, int | None]:
    """Return from which position those have left one challenge ladder who come back, by the ids of seats.

    They re-enter near it, ``None`` if they come too late. They are in the order in which they first came; players who
    were never on the ladder are left out. Two queries, none where nobody is given.
    """
    known = list(seats)
    if not known:
        return {}
    memory = return_time(Competition.objects.get(stages=known[0].stage_id))
    rows = PlaceChange.objects.filter(seat__in=known).order_by("changed_at", "pk")
    places: dict[int, int] = {}
    left: dict[int, int | None] = {}
    for seat, place, at in rows.values_list("seat", "place", "changed_at"):
        if place is not None:
            places[seat] = place
        elif seat in places:
            left[seat] = places[seat] if now - at <= memory else None
    return {seat: left.get(seat) for seat in places}


def foresee_return(*, ladder: Competition, entry: Entry, now: datetime) -> int | None:
    """Return at which position somebody who has left a running challenge ladder would re-enter it now."""
    seat = entry.seat
    if seat is None or entry.is_in or ladder.status != CompetitionStatus.RUNNING:
        return None
    if ladder.first_stage.format_spec.order is not Order.POSITIONS:
        return None
    size = Seat.objects.filter(group=seat.group_id, position__isnull=False).count()
    return position_on_return(remembered_positions(seats=[seat], now=now).get(seat.pk), size)


def return_time(ladder: Competition) -> timedelta:
    """Return how long the position of somebody who has left is remembered."""
    return timedelta(days=ladder.first_stage.chosen_options.return_days)


def rematch_pause(ladder: Competition) -> timedelta:
    """Return how long the same two players do not meet again."""
    return timedelta(days=ladder.first_stage.chosen_options.rematch_days)
