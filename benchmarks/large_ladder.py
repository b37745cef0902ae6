"""Measure for ``benchmarks/standings.py``, which starts the database that this needs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Self
from unittest.mock import patch

from django.db import connection, transaction
from django.utils import timezone

from benchmarks.copied_rows import copy
from benchmarks.processor_time import processor_seconds
from players.models import Player
from tournaments.models import Competition, CompetitionStatus, Entry, Group, Ladder, Stage
from tournaments.office.services.locks import lock_competition
from tournaments.records.groups import first_group_id
from tournaments.records.standings import window_start
from tournaments.rounds.services.seating import store_competition
from tournaments.running.services import ladder_pairings as pairings
from tournaments.running.services.ladder_pairings import pair_ladder, pair_ladders
from tournaments.tables.services import standings
from tournaments.tables.services.standings import recompute_standings

ROUNDS = 5
BURST = 1000

BARE = """
    SELECT entrant, sum(points)
      FROM (SELECT yellow_id AS entrant, points_yellow AS points FROM tournaments_fixture WHERE {counted}
             UNION ALL
            SELECT red_id, points_red FROM tournaments_fixture WHERE {counted}) seen
     GROUP BY entrant
"""
COUNTED = "competition_id = %(competition)s AND counted_at IS NOT NULL AND NOT is_annulled AND finished_at >= %(since)s"

FILL_ENTRIES = """
    INSERT INTO tournaments_entry (competition_id, player_id, status, draw, entered_at)
    SELECT %(competition)s, id, 'active', floor(random() * 1e15), now()
      FROM players_player
     WHERE username LIKE %(slug)s || '%%'
"""
FILL_SEATS = """
    INSERT INTO tournaments_seat (entry_id, stage_id, group_id, is_on_ladder)
    SELECT entry.id, stage.id, own.id, true
      FROM tournaments_entry entry
      JOIN tournaments_stage stage ON stage.competition_id = entry.competition_id
      JOIN tournaments_group own ON own.stage_id = stage.id
     WHERE entry.competition_id = %(competition)s
"""
FILL_RESULTS = """
    INSERT INTO tournaments_fixture (competition_id, group_id, leg, yellow_id, red_id, created_at, is_annulled,
                                     annulment, is_notified, is_in_history,
                                     counted_at, finished_at, ending, points_yellow, points_red,
                                     goals_yellow, goals_red)
    SELECT %(competition)s, %(group)s, 1, %(first)s + yellow, %(first)s + (yellow + ahead) %% %(players)s, now(),
           false, '', true, true,
           now(), now() - random() * interval '80 days', CASE worth WHEN 2 THEN 'goalless' ELSE 'normal-time' END,
           CASE worth WHEN 2 THEN 2 ELSE CASE WHEN won THEN worth ELSE 5 - worth END END,
           CASE worth WHEN 2 THEN 2 ELSE CASE WHEN won THEN 5 - worth ELSE worth END END,
           CASE worth WHEN 2 THEN 0 ELSE goals + won::int END, CASE worth WHEN 2 THEN 0 ELSE goals + (NOT won)::int END
      FROM (SELECT floor(random() * %(players)s)::int AS yellow, 1 + floor(random() * (%(players)s - 1))::int AS ahead,
                   random() < 0.5 AS won, 2 + floor(random() * 4)::int AS worth, floor(random() * 4)::int AS goals
              FROM generate_series(1, %(results)s)) AS drawn
"""
START_GAMES = """
    INSERT INTO tournaments_fixture (competition_id, group_id, leg, yellow_id, red_id, created_at, is_annulled,
                                     ending, annulment, is_notified, is_in_history)
    SELECT %(competition)s, %(group)s, 1, %(first)s + number, %(first)s + (number + 1) %% %(players)s, now(),
           false, '', '', true, false
      FROM generate_series(0, %(players)s - 1) AS number
"""
LOSE_ON_TIME = """
    UPDATE tournaments_fixture SET ending = 'timeout'
     WHERE competition_id = %(competition)s AND counted_at IS NOT NULL AND id %% 20 = 0
"""
END_GAMES = """
    WITH ended AS (
        DELETE FROM tournaments_fixture
         WHERE id IN (SELECT id FROM tournaments_fixture
                       WHERE competition_id = %(competition)s AND counted_at IS NULL ORDER BY random() LIMIT %(games)s)
        RETURNING yellow_id, red_id
    )
    UPDATE tournaments_entry SET known_games = 0
     WHERE id IN (SELECT yellow_id FROM ended UNION SELECT red_id FROM ended)
"""
CHANGE_RESULTS = """
    UPDATE tournaments_fixture SET points_yellow = points_red, points_red = points_yellow
     WHERE id IN (SELECT id FROM tournaments_fixture
                   WHERE competition_id = %(competition)s AND points_yellow <> points_red
                   ORDER BY random() LIMIT %(results)s)
"""


def query(sql: str, **values: Any) -> list[tuple[object, ...]]:
    """Run one statement, and fetch what it returns."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall() if cursor.description else []


def fill(slug: str, players: int, results: int) -> Ladder:
    """Return a running ladder of so many players and results."""
    ladder = Ladder(
        name=slug,
        slug=slug,
        game="streetsoccer-board",
        status=CompetitionStatus.RUNNING,
        is_rated=False,
        created_at=timezone.now(),
        started_at=timezone.now(),
    )
    store_competition(competition=ladder, stage=Stage(format="points-ladder"))
    player = Player.objects.create(username=f"first-{slug}", acted_at=timezone.now())
    copy(player, players, username=f"'{slug}' || nth")
    query(FILL_ENTRIES, slug=slug, competition=ladder.pk)
    query(FILL_SEATS, competition=ladder.pk)
    first = Entry.objects.filter(competition=ladder).order_by("pk").values_list("pk", flat=True)[0]
    group_id = first_group_id(competition_id=ladder.pk)
    query(FILL_RESULTS, competition=ladder.pk, group=group_id, players=players, results=results, first=first)
    query("ANALYZE")
    return ladder


def seconds(work: Callable[[], object]) -> float:
    """Return how long the work takes once."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def measure_recomputation(ladder: Ladder, changed: int) -> None:
    """Print how many times a bare sum the recomputation takes when so many results have changed."""
    now = timezone.now()
    group = Group.objects.select_related("stage__competition").get(stage__competition=ladder)
    since = window_start(group, now)
    bare, whole, worked_bare, worked_whole, history, rows = [], [], [], [], [], 0
    remember = standings.remember_places

    def timed(*about: Any) -> None:
        history.append(seconds(lambda: remember(*about)))

    for _ in range(ROUNDS):
        query(CHANGE_RESULTS, competition=ladder.pk, results=changed)
        before = processor_seconds().total()
        bare.append(seconds(lambda: query(BARE.format(counted=COUNTED), competition=ladder.pk, since=since)))
        between = processor_seconds().total()
        begun = perf_counter()
        with patch.object(standings, "remember_places", timed):
            rows = recompute_standings(group_id=group.pk, now=now)
        whole.append(perf_counter() - begun)
        worked_bare.append(between - before)
        worked_whole.append(processor_seconds().total() - between)
    ratio, worked_ratio = median(whole) / median(bare), median(worked_whole) / median(worked_bare)
    print(
        f"{changed:>6} changed results {rows:>9} changed rows {median(bare):>8.2f} s bare sum"
        f"{median(whole):>8.2f} s whole table {ratio:>6.1f} times {median(history):>8.2f} s of it history;"
        f" processor time {median(worked_bare):.2f} s and {median(worked_whole):.2f} s, {worked_ratio:.1f} times"
    )


def measure(players: int, results: int) -> None:
    """Measure and print everything."""
    begun = perf_counter()
    large = fill("large", players, results)
    print(f"{players:,} players and {results:,} results, filled in {perf_counter() - begun:.0f} s")

    group_id = first_group_id(competition_id=large.pk)
    first = seconds(lambda: recompute_standings(group_id=group_id, now=timezone.now()))
    print(f"the first table of all, {players:,} rows stored: {first:.1f} s")
    for changed in (0, 1, BURST):
        measure_recomputation(large, changed)


class Costs:
    """The cost of a piece of work: processor time of this process and of its database, queries, and locked time."""

    def __init__(self) -> None:
        """Begin to count."""
        ((backend,),) = query("SELECT pg_backend_pid()")
        self._backend = Path(f"/proc/{backend}/schedstat")
        self.queries = 0
        self.locked = 0.0

    def __enter__(self) -> Self:
        """Note what has been used."""
        self._begun = process_time(), self._backend_time()
        return self

    def __exit__(self, *_: object) -> None:
        """Note what has been used since."""
        own, database = self._begun
        self.own, self.database = process_time() - own, self._backend_time() - database

    def count(self, execute: Callable[..., Any], *statement: Any) -> Any:
        """Run a query, and count it."""
        self.queries += 1
        return execute(*statement)

    def lock(self, **named: Any) -> Competition:
        """Lock a competition, and measure for how long."""
        competition = lock_competition(**named)
        begun = perf_counter()
        transaction.on_commit(lambda: self._unlock(begun))
        return competition

    def _unlock(self, begun: float) -> None:
        self.locked = max(self.locked, perf_counter() - begun)

    def _backend_time(self) -> float:
        return int(self._backend.read_text().split()[0]) / 1e9


def measure_pairing(players: int, results: int, ended: Sequence[int]) -> None:
    """Print what it costs to pair those who lack games after so many have ended, and to find nothing to do."""
    ladder = fill("paired", players, results)
    ladder.started_at = timezone.now()
    ladder.save(update_fields=["started_at"])
    first = Entry.objects.filter(competition=ladder).earliest("pk").pk
    group_id = first_group_id(competition_id=ladder.pk)
    query(START_GAMES, competition=ladder.pk, group=group_id, players=players, first=first)
    query(LOSE_ON_TIME, competition=ladder.pk)
    recompute_standings(group_id=group_id, now=timezone.now())
    query("ANALYZE")
    pair_ladder(ladder_id=ladder.pk, now=timezone.now())
    # It has noted who has enough games; the server removes the rows of before by itself.
    query("VACUUM ANALYZE")
    print(f"{'ended':>6}{'started':>9}{'queries':>9}{'own ms':>9}{'database ms':>13}{'ms a game':>11}{'locked ms':>11}")
    for number in ended:
        query(END_GAMES, competition=ladder.pk, games=number)
        costs = Costs()
        with costs, connection.execute_wrapper(costs.count), patch.object(pairings, "lock_competition", costs.lock):
            started = pair_ladder(ladder_id=ladder.pk, now=timezone.now())
        own, database = 1000 * costs.own, 1000 * costs.database
        each = (own + database) / max(1, started)
        print(
            f"{number:>6}{started:>9}{costs.queries:>9}{own:>9.1f}{database:>13.1f}{each:>11.2f}"
            f"{1000 * costs.locked:>11.1f}"
        )
    costs = Costs()
    with costs, connection.execute_wrapper(costs.count):
        pair_ladders(now=timezone.now())
    print(f"an idle sweep: {costs.queries} queries, {1000 * costs.own:.1f} ms, {1000 * costs.database:.1f} ms database")
