"""Compare what pages, lists and answers of the API cost on a small site and on one a hundred times as large.

``.venv/bin/python benchmarks/pages.py`` starts PostgreSQL twice, with 1,000 and with 100,000 players and what they
have played, asks for each page as a player of both, and prints of both sites, with their ratios, what PostgreSQL
touched for it (8-kB pages, from ``EXPLAIN (ANALYZE, BUFFERS)`` of its queries), how many queries there were, how much
processor time the answer took and how long it is, compressed. ``--players`` makes the large site smaller; the small
one has at least 250 players, so that its lists fill as many rows of a page as those of the large site.

Figures over a limit are marked with ``!`` and the limit, and the exit status is 1:

- *pages touched*: more than twice those of the small site, and more than 50. A table of a few pages is read whole,
  which is cheaper than any index, and says nothing about how a query grows. So both sites are asked a second time, by
  indexes alone; the dearer way of the small site is compared with the cheaper one of the large site, in the ratio too.
- *processor time*: more than 1.5 times that of the small site, and more than 5 ms more. It is that of the site's
  process, the median of nine askings after a first one, measured by what a fixed piece of work beside each takes. Both
  sites are asked by turns, since a machine that others use becomes slower and faster again. The calls of functions are
  printed beside it and not judged: where both sites call as many, they do the same. PostgreSQL's own time is not in it:
  what PostgreSQL does is judged by the pages that it touches.
- *bytes*: more than 100,000, compressed.
- *bare*: on the small site, more times the processor time of a bare JSON view with one query than ``TIMES_BARE`` of
  ``asked_pages.py`` says. Both are asked by turns through WSGI, without the client of tests. Of other pages it is
  printed only.
- *status*: any but 200.

The pages that are asked for stand in ``benchmarks/asked_pages.py``. Both sites show the same number of rows, but for
the few pages in ``LONGER`` there, with the reason for each: their rows are bounded by one competition and not by the
site. Of these only bytes and status are judged.

A deep or last page is compared with the first page of the same list on the small site, or with itself there if that
costs more: a small site has no deep pages, and its last ones may be almost empty. The number of queries is printed and
not judged: what queries cost is judged by pages and time. Nor is the ratio of the bytes, which says whether both sites
have shown as much.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from math import inf
from multiprocessing import Pipe, get_context
from operator import truediv
from pathlib import Path
from statistics import median
from string import Formatter
from time import process_time
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from django.db import connection

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.asked_pages import ADMIN_ROWS, LONGER, PATHS, TIMES_BARE, first_page
from benchmarks.migrated_database import migrated_database

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from django.db.models import QuerySet
    from django.test import Client

TIMES = 2
"""The factor by which a larger site may touch more pages of the database."""

FREE = 50
"""The number of pages up to which anything goes."""

TIMES_SLOWER = 1.5
"""The factor by which a larger site may need more processor time."""

NOISE = 5
"""Milliseconds of processor time of which nothing is said."""

MAX_BYTES = 100_000
"""Of an answer, compressed."""

ASKINGS = 9
"""The median processor time of so many askings counts."""

YARDSTICK, YARDSTICK_MS = 50_000, 5
"""The numbers that are written as text beside each asking; milliseconds are of a processor that takes 5 for that."""

BARE = "/bare/"
"""Where a site of the benchmark has a JSON view with one query, and nothing else."""

MIN_SMALL = 250
"""The fewest players on the small site."""


class Site:
    """A site of so many players, on a PostgreSQL and in a process of its own, which asks for pages when it is told."""

    def __init__(self, players: int) -> None:
        """Begin to make it."""
        self._asked, told = Pipe()
        self._process = get_context("spawn").Process(target=answer, args=(players, told))
        self._process.start()
        told.close()

    def tell(self, measure: Callable[..., Any], name: str) -> Any:
        """Return what a function says of a page of it."""
        self._asked.send((measure, name))
        return self._asked.recv()

    def close(self) -> None:
        """Remove it."""
        self._asked.close()
        self._process.join()


def main() -> None:
    """Measure both sites, each in a process of its own, and print them beside each other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100_000, help="players of the large site (default: 100,000)")
    parser.add_argument("--only", default="", help="only what has one of these in its name, with | between them")
    options = parser.parse_args()
    sizes = (max(MIN_SMALL, options.players // 100), options.players)
    wanted = [name for name in PATHS if any(part in name for part in options.only.split("|"))]
    columns = ("pages touched (by index)", "queries", "processor time in ms", "1,000 calls", "bytes")
    print(f"{'':40}{'status':>7}{columns[0]:>36}{columns[1]:>18}{columns[2]:>27}{columns[3]:>24}{columns[4]:>24}")
    marked = 0
    small: dict[str, dict[str, Any]] = {}
    names = dict.fromkeys(each for name in wanted for each in (first_page(name), name))
    for name, of_small, after in measure(sizes, names):
        small[name] = of_small
        if name not in wanted:
            continue
        before = compared(name, small)
        limits = exceeded(name, before, after)
        marked += bool(limits)
        print(
            f"{name:<40}{after['status']:>7}"
            f"{before['pages']:>6} ({before['by_index']:>5}) →{after['pages']:>6} ({after['by_index']:>5})"
            f"{ratio(max(before['pages'], before['by_index']), min(after['pages'], after['by_index']))}"
            f"{before['queries']:>5} →{after['queries']:>3}{ratio(before['queries'], after['queries'])}"
            f"{before['ms']:>9.1f} →{after['ms']:>7.1f}{ratio(before['ms'], after['ms'])}"
            f"{before['calls'] / 1000:>7.1f} →{after['calls'] / 1000:>6.1f}{ratio(before['calls'], after['calls'])}"
            f"{before['bare']:>7.1f}× bare"
            f"{before['bytes']:>7} →{after['bytes']:>6}{ratio(before['bytes'], after['bytes'])}"
            f"{' ! ' if limits else ''}{', '.join(limits)}",
            flush=True,
        )
    print(f"{marked} of {len(wanted)} are over a limit.")
    if marked:
        sys.exit(1)


def ratio(before: float, after: float) -> str:
    """Return how many times as much a page costs on the larger site, in a column's width."""
    return f"{after / before:>7.1f}×" if before else f"{'':8}"


def compared(name: str, small: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what a page may be compared with on the smaller site: it, or the list's first page where that is more."""
    own, first = small[name], small[first_page(name)]
    return {key: max(own[key], first[key]) for key in own}


def exceeded(name: str, before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return the limits that a page of the larger site exceeds, in words."""
    found = []
    if after["status"] != 200:
        found.append(f"status {after['status']}")
    if has_grown(before, after) and name not in LONGER:
        found.append(f"pages touched: more than {TIMES} times")
    if name not in LONGER and after["ms"] > TIMES_SLOWER * before["ms"] and after["ms"] > before["ms"] + NOISE:
        found.append(f"processor time: more than {TIMES_SLOWER} times")
    if before["bare"] > TIMES_BARE.get(name, inf):
        found.append(f"bare: more than {TIMES_BARE[name]} times")
    if after["bytes"] > MAX_BYTES:
        found.append(f"bytes: more than {MAX_BYTES:,}")
    return found


def has_grown(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether a page touches more of the database's pages than it may on a larger site.

    Of the larger site's two ways the cheaper one counts: PostgreSQL may take the other while both are cheap.
    """
    return bool(min(after["pages"], after["by_index"]) > max(FREE, TIMES * max(before["pages"], before["by_index"])))


def measure(sizes: tuple[int, int], names: Iterable[str]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield each page with what it costs on the sites of so many players, which are asked by turns."""
    with ExitStack() as stack:
        sites = [stack.enter_context(closing(Site(players))) for players in sizes]
        for name in names:
            costs = [site.tell(ask, name) | {"calls": site.tell(count_calls, name)} for site in sites]
            turns = [[site.tell(processor_times, name) for site in sites] for _turn in range(ASKINGS)]
            for cost, times in zip(costs, zip(*turns, strict=True), strict=True):
                pages, yardsticks = zip(*times, strict=True)
                cost["ms"] = YARDSTICK_MS * median(map(truediv, pages, yardsticks))
                cost["bare"] = 0.0
            costs[0]["bare"] = sites[0].tell(times_bare, name)
            yield name, *costs


def answer(players: int, told: Connection) -> None:
    """Make a site of so many players; then say what its pages cost until nothing is asked any more."""
    with migrated_database(), suppress(EOFError):
        from benchmarks.grown_site import fill

        fill(players)
        add_bare_view()
        while True:
            measure, name = told.recv()
            told.send(measure(*PATHS[name], players=players))


def ask(who: str, path: str, *, players: int) -> dict[str, Any]:
    """Return the status, queries, pages touched and bytes of an answer that is not the first one."""
    client, path = reader_of(who, path, players=players)
    client.get(path)
    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        response = client.get(path)
        answer = b"".join(response)
    touched = sum(count_pages(sql, params) for sql, params in asked)
    with plans_by_index():
        by_index = sum(count_pages(sql, params) for sql, params in asked)
    return {
        "status": response.status_code,
        "queries": len(asked),
        "pages": touched,
        "by_index": by_index,
        "bytes": len(gzip.compress(answer)),
    }


def count_calls(who: str, path: str, *, players: int) -> int:
    """Return how many functions are called for an answer that is not the first one."""
    client, path = reader_of(who, path, players=players)
    client.get(path)
    calls = 0

    def note(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        b"".join(client.get(path))
    finally:
        sys.setprofile(None)
    return calls


def processor_times(who: str, path: str, *, players: int) -> tuple[float, float]:
    """Return the seconds of processor time in which this process gives an answer, and writes the yardstick."""
    client, path = reader_of(who, path, players=players)
    client.get(path)
    begun = process_time()
    b"".join(client.get(path))
    answered = process_time()
    ",".join(str(each) for each in range(YARDSTICK))
    return answered - begun, process_time() - answered


def add_bare_view() -> None:
    """Let the site answer at ``BARE``: JSON of one query. Nothing has been asked of it before."""
    from django.http import HttpRequest, JsonResponse
    from django.urls import path

    from config.urls import urlpatterns
    from players.models import Player

    def bare(_request: HttpRequest) -> JsonResponse:
        return JsonResponse(Player.objects.values("pk", "username")[0])

    patterns: list[Any] = urlpatterns
    patterns.insert(0, path(BARE.lstrip("/"), bare))


def times_bare(who: str, path: str, *, players: int) -> float:
    """Return how many times the processor time of the bare view an answer takes that is not the first one."""
    from django.core.handlers.wsgi import WSGIHandler
    from django.test import Client

    client, path = reader_of(who, path, players=players)
    handler = WSGIHandler()

    def ask(asking: Any, path: str) -> float:
        name, _, query = path.partition("?")
        environ = asking._base_environ(PATH_INFO=name, QUERY_STRING=query)  # noqa: SLF001
        begun = process_time()
        b"".join(handler(environ, lambda *_answer: None))
        return process_time() - begun

    visitor = Client(SERVER_NAME="localhost")
    turns = [(ask(client, path), ask(visitor, BARE)) for _turn in range(2 * ASKINGS)]
    pages, bares = zip(*turns[2:], strict=True)
    return median(pages) / median(bares)


def reader_of(who: str, path: str, *, players: int) -> tuple[Client, str]:
    """Return a client that is logged in as who asks, and the path for a site of so many players."""
    from django.test import Client
    from django.utils import timezone

    from benchmarks.grown_site import entrant, organiser, viewer
    from players.models import Scope
    from players.services import create_token

    client = Client(SERVER_NAME="localhost")
    reader = viewer()
    if who in {"organiser", "entrant"}:
        reader = organiser() if who == "organiser" else entrant()
        client.force_login(reader)
    elif who:
        reader.is_staff = reader.is_superuser = who == "staff"
        reader.save()
        client.force_login(reader)
    names = {name for _text, name, _spec, _conversion in Formatter().parse(path) if name}
    if "secret" in names:
        now = timezone.now()
        _token, secret = create_token(player=reader, name="calendar", scopes=[Scope.CALENDAR], now=now)
        path, names = path.format(secret=secret), set()
    wanted = rows_of(players)
    return client, path.format(**{name: wanted[name]() for name in names})


def rows_of(players: int) -> dict[str, Callable[[], Any]]:
    """Return how to find what stands in paths by its name: rows, and where deep pages begin."""
    from benchmarks.grown_site import viewer
    from matches.models import Match, Seek, SeekStatus
    from players.models import Rating
    from tournaments.models import (
        Competition,
        CompetitionStatus,
        EntryInvitation,
        Fixture,
        Group,
        LogEntry,
        Note,
        PlaceChange,
        RatingChange,
        Series,
        Team,
        Title,
        WaitingPlayer,
    )
    from tournaments.models.log import LISTED
    from tournaments.tables.selectors.tables import PAGE

    deep = max(2, players // 200)
    ladder = Competition.objects.get(slug="ladder")
    rated = Rating.objects.filter(family="streetsoccer").order_by("rating", "-player_id")
    seasons = Competition.objects.filter(series__slug="series")
    over = seasons.filter(status=CompetitionStatus.FINISHED).order_by("season").values_list("season", flat=True)
    own = RatingChange.objects.filter(player=viewer(), family="streetsoccer")
    middles = {
        "matches": (Match.objects.all(), "pk"),
        "seeks": (Seek.objects.filter(status=SeekStatus.OPEN), "pk"),
        "rating_changes": (own, "pk"),
        "competitions": (Competition.objects.all(), "pk"),
        "fixtures": (Fixture.objects.filter(competition=ladder), "pk"),
        "log": (LogEntry.objects.filter(LISTED, competition=ladder), "pk"),
        "places": (PlaceChange.objects.filter(seat__entry__competition=ladder), "pk"),
        "invitations": (EntryInvitation.objects.filter(competition=ladder), "pk"),
        "notes": (Note.objects.filter(competition=ladder), "pk"),
        "waiting": (WaitingPlayer.objects.filter(competition=ladder), "pk"),
        "series": (Series.objects.all(), "pk"),
        "seasons": (seasons, "season"),
        "teams": (Team.objects.all(), "folded_name"),
        "titles": (Title.objects.all(), "won_at"),
        "ratings": (rated, "rating"),
    }
    return {
        "match": lambda: Match.objects.filter(yellow=viewer()).latest("pk").pk,
        "seek": lambda: Seek.objects.filter(creator=viewer()).latest("pk").pk,
        "fixture": lambda: Fixture.objects.filter(competition=ladder).latest("pk").pk,
        "swiss_fixture": lambda: Fixture.objects.filter(competition__slug="swiss").latest("pk").pk,
        "groups": lambda: Group.objects.filter(stage__competition__slug="groups").count(),
        "deep": lambda: deep,
        "rows": lambda: b64encode(f"p={PAGE * deep}".encode()).decode(),
        "behind": lambda: min(200, players // 50),
        "rating": lambda: rated[players // 2].rating,
        "middle": lambda: rated[players // 2].player_id,
        "field": lambda: over[0],
        "season": lambda: over[0] + 3,
        **{name: partial(middle_cursor, rows, column) for name, (rows, column) in middles.items()},
        **{path.strip("/").replace("/", "_"): partial(latest, path) for path in ADMIN_ROWS.values()},
    }


def latest(path: str) -> Any:
    """Return the key of the latest row of a list of the admin."""
    from django.apps import apps

    app, model = path.strip("/").split("/")
    return apps.get_model(app, model).objects.latest("pk").pk


def middle_cursor(rows: QuerySet[Any], column: str) -> str:
    """Return the cursor of a page of the API that begins in the middle of a list."""
    value = rows.order_by(column).values_list(column, flat=True)[rows.count() // 2]
    return quote(b64encode(urlencode({"p": str(value)}).encode()).decode())


@contextmanager
def plans_by_index() -> Iterator[None]:
    """Let PostgreSQL read by indexes, however small a table is and however often a row is read again."""
    ways = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin", "enable_memoize")
    with connection.cursor() as cursor:
        try:
            for way in ways:
                cursor.execute(f"SET {way} = off")
            yield
        finally:
            for way in ways:
                cursor.execute(f"RESET {way}")


def count_pages(sql: str, params: Any) -> int:
    """Return how many 8-kB pages PostgreSQL touches for a query; 0 for what is no query."""
    if not sql.lstrip("( ").upper().startswith(("SELECT", "WITH")):
        return 0
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) {sql}", params)
        plan = cursor.fetchone()[0]
    found = json.loads(plan) if isinstance(plan, str) else plan
    top = found[0]["Plan"]
    touched = top["Shared Hit Blocks"] + top["Shared Read Blocks"]
    if os.environ.get("SHOW_QUERIES") and touched > FREE:
        print(touched, sql % tuple(params or ()), file=sys.stderr)
    return int(touched)


if __name__ == "__main__":
    main()
