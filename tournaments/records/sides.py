"""The sides that entrants of a competition have had. Reads only.

Written in SQL that PostgreSQL and SQLite share: each side's matches are found once for all entrants, in the order of
the table, and not for one entrant after the other.
"""

from collections.abc import Collection

from django.db import connection

from formats.results import balance_of_games
from formats.sides import Balance
from formats.team_meetings import join_boards
from rules_engine.values import Side
from tournaments.models import Fixture, Seat
from tournaments.records.games import read_game

_LAST_SIDES = """
    SELECT entry.id, entry.draw, coalesce(as_yellow.matches, 0), coalesce(as_yellow.last, 0), coalesce(as_red.last, 0)
      FROM tournaments_entry entry
      LEFT JOIN ({as_yellow}) as_yellow ON as_yellow.entrant = entry.id
      LEFT JOIN ({as_red}) as_red ON as_red.entrant = entry.id
     WHERE entry.id IN ({entries})
"""
_MATCHES_AS = """
    SELECT {side}_id AS entrant, count(*) AS matches, max(id) AS last
      FROM tournaments_fixture
     WHERE {side}_id IN ({entries}) AND NOT is_annulled AND ending <> 'forfeit'
     GROUP BY {side}_id
"""


def balance_of(*, entries: Collection[int]) -> Balance[int]:
    """Return how often each of these entrants has been Yellow, and on which side they were last. One query."""
    rows = _last_sides(entries) if entries else []
    balance = Balance({key: lot for key, lot, *_ in rows})
    for key, _lot, as_yellow, yellow, red in rows:
        last = None if yellow == red else (Side.YELLOW if yellow > red else Side.RED)
        balance.note(key, as_yellow=as_yellow, last=last)
    return balance


def balance_of_teams(*, group_id: int) -> Balance[int]:
    """Return how often teams of a bracket were at home, and where last. Two queries."""
    seats = Seat.objects.filter(group=group_id, seed__isnull=False)
    fixtures = Fixture.objects.filter(group=group_id, is_annulled=False).select_related("round").order_by("pk")
    meetings = join_boards(
        (each.board, read_game(each, round_=0 if each.round is None else each.round.number)) for each in fixtures
    )
    return balance_of_games(dict(seats.values_list("entry", "entry__draw")), meetings)


def _last_sides(entries: Collection[int]) -> list[tuple[int, int, int, int, int]]:
    named = {f"entry_{number}": entry for number, entry in enumerate(entries)}
    placeholders = ", ".join(f"%({name})s" for name in named)
    as_yellow, as_red = (_MATCHES_AS.format(side=side.value, entries=placeholders) for side in Side)
    with connection.cursor() as cursor:
        cursor.execute(_LAST_SIDES.format(as_yellow=as_yellow, as_red=as_red, entries=placeholders), named)
        return cursor.fetchall()
