"""Compare what pages, lists and answers of the API cost on a small site and on one a hundred times as large.

``.venv/bin/python benchmarks/pages.py`` starts PostgreSQL twice, with 1,000 and with 100,000 players and what they
have played, asks for each page as a player of both, and prints of both sites, with their ratios, what PostgreSQL
touched for it (8-kB pages, from ``EXPLAIN (ANALYZE, BUFFERS)`` of its queries), how many queries there were, how much
processor time the answer took and how long it is, compressed. ``--players`` makes the large site smaller; the small
one has at least 250 players, so that its lists fill as many rows of a page as those of the large site.

What is over a limit is marked with ``!`` and the limit, and the exit status is 1:

- *pages touched*: more than twice those of the small site, and more than 50. A table of a few pages is read whole,
  which is cheaper than any index, and says nothing about how a query grows. So both sites are asked a second time, by
  indexes alone; the dearer way of the small site is compared with the cheaper one of the large site, in the ratio too.
- *processor time*: more than 1.5 times that of the small site, and more than 5 ms more. It is that of this process,
  the least of five askings after a first one. Of less than 5 ms most is noise of a busy machine. PostgreSQL's own time
  is not in it: what PostgreSQL does is judged by the pages that it touches.
- *bytes*: more than 100,000, compressed.
- *status*: any but 200.

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
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any

from django.db import connection

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.migrated_database import migrated_database

if TYPE_CHECKING:
    from django.test import Client

TIMES = 2
"""How many times as many pages of the database a larger site may touch."""

FREE = 50
"""Up to so many pages anything goes."""

TIMES_SLOWER = 1.5
"""How many times as much processor time a larger site may need."""

NOISE = 5
"""Milliseconds of processor time of which nothing is said."""

MAX_BYTES = 100_000
"""Of an answer, compressed."""

ASKINGS = 5
"""The least processor time of so many askings counts."""

MIN_SMALL = 250
"""So many players are on the small site at least."""

DEEP_PAGES = (", deep page", ", last page")
"""How the names of further pages of a list end; what is before it is the name of its first page."""

LADDER, BRACKET = "competitions/ladder", "competitions/bracket"

PAGES = {
    "home of a guest": ("", "/"),
    "home of a player": ("player", "/"),
    "lobby": ("player", "/seeks/"),
    "turns": ("player", "/turns/"),
    "profile": ("player", "/profile/"),
    "match": ("player", "/matches/{match}/"),
    "player": ("player", "/players/player-000009/"),
    "players": ("", "/players/"),
    "players, deep page": ("", "/players/?page=after-{rating}-{middle}"),
    "players, last page": ("", "/players/?page=last"),
    "players as one of them": ("player", "/players/"),
    "ladders": ("", "/ladders/"),
    "ladder": ("", "/ladders/ladder/"),
    "ladder of an entrant": ("player", "/ladders/ladder/"),
    "ladder, deep page": ("", "/ladders/ladder/?page={deep}"),
    "ladder, last page": ("", "/ladders/ladder/?page=99999"),
    "ladder on another site": ("", "/ladders/ladder/embed/"),
    "newcomers": ("", "/ladders/newcomers/"),
    "newcomers, deep page": ("", "/ladders/newcomers/?page={deep}"),
    "newcomers, last page": ("", "/ladders/newcomers/?page=99999"),
    "newcomers on another site": ("", "/ladders/newcomers/embed/"),
    "ladder, feed": ("", "/ladders/ladder/feed/"),
    "ladder, log": ("", "/ladders/ladder/log/"),
    "ladder, log, last page": ("", "/ladders/ladder/log/?page=last"),
    "cups": ("", "/cups/"),
    "cups, last page": ("", "/cups/?page=last"),
    "bracket": ("", "/cups/bracket/"),
    "bracket, last rounds": ("", "/cups/bracket/?part=0"),
    "bracket of an entrant": ("player", "/cups/bracket/"),
    "bracket on another site": ("", "/cups/bracket/embed/"),
    "bracket, calendar": ("", "/cups/bracket/calendar.ics"),
    "series": ("", "/series/"),
    "series, last page": ("", "/series/?page=last"),
    "series with its seasons": ("", "/series/series/"),
    "series, another group": ("", "/series/series/?season={season}&group=5"),
    "series, season of one group": ("", "/series/series/?season={field}"),
    "series, season of one group, last page": ("", "/series/series/?season={field}&page=last"),
    "teams": ("", "/teams/"),
    "team": ("player", "/teams/team-000007/"),
    "hall of fame": ("", "/hall-of-fame/?kind=cup&game=streetsoccer"),
    "hall of fame of a player": ("", "/hall-of-fame/?player=player-000009"),
    "my competitions": ("player", "/organise/"),
    "desk of a ladder": ("staff", "/ladders/ladder/organise/"),
    "desk: players": ("staff", "/ladders/ladder/organise/entries/"),
    "desk: players, last page": ("staff", "/ladders/ladder/organise/entries/?page=last"),
    "desk: matches that go on": ("staff", "/ladders/ladder/organise/fixtures/"),
    "desk: matches that have ended": ("staff", "/ladders/ladder/organise/fixtures/?state=ended"),
    "desk: matches that have ended, last page": ("staff", "/ladders/ladder/organise/fixtures/?state=ended&page=last"),
    "desk: invitations": ("staff", "/ladders/ladder/organise/invitations/"),
    "desk: invitations, last page": ("staff", "/ladders/ladder/organise/invitations/?page=last"),
    "desk: notes": ("staff", "/ladders/ladder/organise/notes/"),
    "desk: notes, last page": ("staff", "/ladders/ladder/organise/notes/?page=last"),
    "desk: waiting list": ("staff", "/ladders/ladder/organise/waiting-list/"),
    "desk of a cup": ("staff", "/cups/bracket/organise/"),
}

API = {
    "API matches": ("player", "matches/"),
    "API matches by status": ("", "matches/?status=finished"),
    "API own matches": ("player", "matches/?player=player-000007"),
    "API matches of a game nobody plays": ("", "matches/?game=paper-soccer-1"),
    "API seeks": ("player", "seeks/"),
    "API ratings": ("", "ratings/?game=streetsoccer"),
    "API ratings of a player": ("", "players/player-000007/ratings/"),
    "API changes of a rating": ("", "players/player-000007/rating-changes/?game=streetsoccer"),
    "API competitions of a player": ("", "players/player-000007/competitions/"),
    "API seasons of a player": ("", "players/player-000007/seasons/"),
    "API usernames": ("player", "usernames/?beginning=player-00000"),
    "API competitions": ("", "competitions/"),
    "API competition": ("", f"{LADDER}/"),
    "API standings": ("", f"{LADDER}/standings/"),
    "API standings of newcomers": ("", "competitions/newcomers/standings/"),
    "API standings of newcomers, deep page": ("", "competitions/newcomers/standings/?cursor={cursor}"),
    "API fixtures": ("", f"{LADDER}/fixtures/"),
    "API fixtures of a player": ("", f"{LADDER}/fixtures/?player=player-000007"),
    "API fixtures that go on": ("", f"{LADDER}/fixtures/?counted=false"),
    "API log": ("", f"{LADDER}/log/"),
    "API places": ("", f"{LADDER}/places/"),
    "API places of a player": ("", f"{LADDER}/places/?player=player-000007"),
    "API invitations": ("staff", f"{LADDER}/invitations/"),
    "API notes": ("staff", f"{LADDER}/notes/"),
    "API waiting list": ("staff", f"{LADDER}/waiting-list/"),
    "API bracket": ("", f"{BRACKET}/bracket/"),
    "API rounds": ("", f"{BRACKET}/rounds/"),
    "API organised": ("staff", "organised/"),
    "API organised before": ("staff", "organised/over/"),
    "API series": ("", "series/"),
    "API seasons": ("", "series/series/seasons/"),
    "API teams": ("", "teams/"),
    "API titles": ("", "titles/"),
    "API tokens": ("player", "tokens/"),
}

ADMIN = {
    "matches": "matches/match/",
    "matches, deep page": "matches/match/?p={behind}",
    "analyses": "matches/matchanalysis/",
    "players": "players/player/",
    "staff": "players/player/?is_staff__exact=1",
    "ratings": "players/rating/",
    "tokens": "players/apitoken/",
    "mails": "players/delivery/",
    "cups": "tournaments/cup/",
    "ladders": "tournaments/ladder/",
    "entries": "tournaments/entry/",
    "invitations": "tournaments/entryinvitation/",
    "fixtures": "tournaments/fixture/",
    "search of fixtures": "tournaments/fixture/?q=player-000007",
    "log": "tournaments/logentry/",
    "changes of places": "tournaments/placechange/",
    "changes of ratings": "tournaments/ratingchange/",
    "rounds": "tournaments/round/",
    "series": "tournaments/series/",
    "standings": "tournaments/standing/",
    "teams": "tournaments/team/",
    "members of teams": "tournaments/teammembership/",
    "ties": "tournaments/tie/",
}

PATHS = (
    PAGES
    | {name: (who, f"/api/v1/{path}") for name, (who, path) in API.items()}
    | {f"admin: {name}": ("staff", f"/admin/{path}") for name, path in ADMIN.items()}
)
"""Who asks for what, by its name."""


def main() -> None:
    """Measure both sites, each in a process of its own, and print them beside each other."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=100_000, help="players of the large site (default: 100,000)")
    parser.add_argument("--only", default="", help="only what has this in its name")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.players, options.only)))
        return
    small, large = (
        json.loads(
            subprocess.run(
                [sys.executable, __file__, "--measure", "--players", str(players), "--only", options.only],
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            ).stdout.splitlines()[-1]
        )
        for players in (max(MIN_SMALL, options.players // 100), options.players)
    )
    columns = ("pages touched (by index)", "queries", "processor time in ms", "bytes")
    print(f"{'':40}{'status':>7}{columns[0]:>36}{columns[1]:>18}{columns[2]:>27}{columns[3]:>24}")
    marked = 0
    for name, after in large.items():
        if options.only not in name:
            continue
        before = compared(name, small)
        limits = exceeded(before, after)
        marked += bool(limits)
        print(
            f"{name:<40}{after['status']:>7}"
            f"{before['pages']:>6} ({before['by_index']:>5}) →{after['pages']:>6} ({after['by_index']:>5})"
            f"{ratio(max(before['pages'], before['by_index']), min(after['pages'], after['by_index']))}"
            f"{before['queries']:>5} →{after['queries']:>3}{ratio(before['queries'], after['queries'])}"
            f"{before['ms']:>9.1f} →{after['ms']:>7.1f}{ratio(before['ms'], after['ms'])}"
            f"{before['bytes']:>7} →{after['bytes']:>6}{ratio(before['bytes'], after['bytes'])}"
            f"{' ! ' if limits else ''}{', '.join(limits)}"
        )
    print(f"{marked} of {len(large)} are over a limit.")
    if marked:
        sys.exit(1)


def ratio(before: float, after: float) -> str:
    """Return how many times as much a page costs on the larger site, in a column's width."""
    return f"{after / before:>7.1f}×" if before else f"{'':8}"


def first_page(name: str) -> str:
    """Return the name of the first page of the same list: a page's own name, if it is not a further one."""
    for ending in DEEP_PAGES:
        name = name.removesuffix(ending)
    return name


def compared(name: str, small: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what a page may be compared with on the smaller site: it, or the list's first page where that is more."""
    own, first = small[name], small[first_page(name)]
    return {key: max(own[key], first[key]) for key in own}


def exceeded(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Return the limits that a page of the larger site exceeds, in words."""
    found = []
    if after["status"] != 200:
        found.append(f"status {after['status']}")
    if has_grown(before, after):
        found.append(f"pages touched: more than {TIMES} times")
    if after["ms"] > TIMES_SLOWER * before["ms"] and after["ms"] > before["ms"] + NOISE:
        found.append(f"processor time: more than {TIMES_SLOWER} times")
    if after["bytes"] > MAX_BYTES:
        found.append(f"bytes: more than {MAX_BYTES:,}")
    return found


def has_grown(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether a page touches more of the database's pages than it may on a larger site.

    Of the larger site's two ways the cheaper one counts: PostgreSQL may take the other while both are cheap.
    """
    return bool(min(after["pages"], after["by_index"]) > max(FREE, TIMES * max(before["pages"], before["by_index"])))


def measure(players: int, only: str) -> dict[str, Any]:
    """Return what each page, and the first one of each list, costs on a site of so many players."""
    names = [name for name in PATHS if only in name]
    with migrated_database():
        from benchmarks.grown_site import fill

        fill(players)
        return {
            name: ask(*PATHS[name], players=players) | {"ms": least_time(*PATHS[name], players=players)}
            for name in dict.fromkeys(each for name in names for each in (first_page(name), name))
        }


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


def least_time(who: str, path: str, *, players: int) -> float:
    """Return the least processor time, in milliseconds, in which this process has given an answer."""
    client, path = reader_of(who, path, players=players)
    client.get(path)
    times = []
    for _each in range(ASKINGS):
        begun = process_time()
        b"".join(client.get(path))
        times.append(process_time() - begun)
    return 1000 * min(times)


def reader_of(who: str, path: str, *, players: int) -> tuple[Client, str]:
    """Return a client that is logged in as who asks, and the path for a site of so many players."""
    from django.test import Client

    from benchmarks.grown_site import viewer
    from matches.models import Match
    from players.models import Rating
    from tournaments.models import Competition, CompetitionStatus
    from tournaments.selectors.tables import PAGE

    client = Client(SERVER_NAME="localhost")
    reader = viewer()
    if who:
        reader.is_staff = reader.is_superuser = who == "staff"
        reader.save()
        client.force_login(reader)
    match = Match.objects.filter(yellow=reader).latest("pk").pk
    ratings = Rating.objects.filter(family="streetsoccer").order_by("-rating", "player_id")
    middle, deep = ratings[players // 2], max(2, players // 200)
    seasons = Competition.objects.filter(series__slug="series", status=CompetitionStatus.FINISHED)
    field = seasons.order_by("season").values_list("season", flat=True)[0]
    numbers = {
        "deep": deep,
        "cursor": b64encode(f"p={PAGE * deep}".encode()).decode(),
        "behind": min(200, players // 20),
        "rating": middle.rating,
        "middle": middle.player_id,
        "field": field,
        "season": field + 3,
    }
    return client, path.format(match=match, **numbers)


@contextmanager
def plans_by_index() -> Iterator[None]:
    """Let PostgreSQL read by indexes, however small a table is."""
    ways = ("enable_seqscan", "enable_hashjoin", "enable_mergejoin")
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
