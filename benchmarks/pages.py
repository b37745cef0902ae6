"""Compare what pages, lists and answers of the API cost on a small site and on one a hundred times as large.

``.venv/bin/python benchmarks/pages.py`` starts PostgreSQL twice, with 1,000 and with 100,000 players and what they
have played, asks for each page as a player of both, and prints what PostgreSQL touched for it (8-kB pages, from
``EXPLAIN (ANALYZE, BUFFERS)`` of its queries), how many queries there were, how much processor time the answer took
and how long it is, compressed. ``--players`` makes the large site smaller.

A table of a few pages is read whole, which is cheaper than any index, and says nothing about how a query grows. So
both sites are asked a second time, by indexes alone; the dearer way of the small site is compared with the cheaper one
of the large site. What has a ``!`` grew with the site: more than twice the pages, and more than 50 in all.
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
from typing import Any

from django.db import connection

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.migrated_database import migrated_database

TIMES = 2
"""How many times as many pages of the database a larger site may touch."""

FREE = 50
"""Up to so many pages anything goes."""

LADDER, BRACKET = "competitions/ladder", "competitions/bracket"

PAGES = {
    "home of a guest": ("", "/"),
    "home of a player": ("player", "/"),
    "lobby": ("player", "/seeks/"),
    "turns": ("player", "/turns/"),
    "profile": ("player", "/profile/"),
    "match": ("player", "/matches/{match}/"),
    "player": ("player", "/players/player-000009/"),
    "players, first page": ("", "/players/"),
    "players, deep page": ("", "/players/?page=after-{rating}-{middle}"),
    "players, last page": ("", "/players/?page=last"),
    "players as one of them": ("player", "/players/"),
    "ladders": ("", "/ladders/"),
    "ladder, first page": ("", "/ladders/ladder/"),
    "ladder of an entrant": ("player", "/ladders/ladder/"),
    "ladder, deep page": ("", "/ladders/ladder/?page={deep}"),
    "ladder, last page": ("", "/ladders/ladder/?page=99999"),
    "ladder on another site": ("", "/ladders/ladder/embed/"),
    "newcomers of a ladder": ("", "/ladders/newcomers/"),
    "newcomers, deep page": ("", "/ladders/newcomers/?page={deep}"),
    "newcomers, last page": ("", "/ladders/newcomers/?page=99999"),
    "newcomers on another site": ("", "/ladders/newcomers/embed/"),
    "ladder, feed": ("", "/ladders/ladder/feed/"),
    "ladder, log": ("", "/ladders/ladder/log/"),
    "ladder, last page of the log": ("", "/ladders/ladder/log/?page=last"),
    "cups, first page": ("", "/cups/"),
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
    "series, last players of one group": ("", "/series/series/?season={field}&page=last"),
    "teams": ("", "/teams/"),
    "team": ("player", "/teams/team-000007/"),
    "hall of fame": ("", "/hall-of-fame/?kind=cup&game=streetsoccer"),
    "hall of fame of a player": ("", "/hall-of-fame/?player=player-000009"),
    "my competitions": ("player", "/organise/"),
    "desk of a ladder": ("staff", "/ladders/ladder/organise/"),
    "desk: players": ("staff", "/ladders/ladder/organise/entries/"),
    "desk: last players": ("staff", "/ladders/ladder/organise/entries/?page=last"),
    "desk: matches that go on": ("staff", "/ladders/ladder/organise/fixtures/"),
    "desk: matches that have ended": ("staff", "/ladders/ladder/organise/fixtures/?state=ended"),
    "desk: first matches that ended": ("staff", "/ladders/ladder/organise/fixtures/?state=ended&page=last"),
    "desk: invitations": ("staff", "/ladders/ladder/organise/invitations/"),
    "desk: first invitations": ("staff", "/ladders/ladder/organise/invitations/?page=last"),
    "desk: notes": ("staff", "/ladders/ladder/organise/notes/"),
    "desk: first notes": ("staff", "/ladders/ladder/organise/notes/?page=last"),
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
    "API standings of newcomers, deep": ("", "competitions/newcomers/standings/?cursor={cursor}"),
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
        for players in (max(100, options.players // 100), options.players)
    )
    print(f"{'':36}{'status':>7}{'queries':>8}{'pages touched (by index)':>25}{'processor time':>24}{'bytes':>9}")
    for name, after in large.items():
        before = small[name]
        mark = " !" if has_grown(before, after) else ""
        print(
            f"{name:<36}{after['status']:>7}{after['queries']:>8}"
            f"{before['pages']:>7} ({before['by_index']:>5}) → {after['pages']:>6}"
            f"{before['ms']:>9.1f} → {after['ms']:>7.1f} ms{after['bytes']:>9}{mark}"
        )


def has_grown(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Return whether a page touches more of the database's pages than it may on a larger site.

    Of the larger site's two ways the cheaper one counts: PostgreSQL may take the other while both are cheap.
    """
    return bool(min(after["pages"], after["by_index"]) > max(FREE, TIMES * max(before["pages"], before["by_index"])))


def measure(players: int, only: str) -> dict[str, Any]:
    """Return what each page costs on a site of so many players."""
    with migrated_database():
        from benchmarks.grown_site import fill

        fill(players)
        return {name: ask(*PATHS[name], players=players) for name in PATHS if only in name}


def ask(who: str, path: str, *, players: int) -> dict[str, Any]:
    """Return the status, queries, pages touched, processor time in milliseconds, and bytes of an answer."""
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
    path = path.format(match=match, **numbers)
    client.get(path)
    asked: list[tuple[str, Any]] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append((sql, params))
        return execute(sql, params, many, context)

    begun = process_time()
    with connection.execute_wrapper(note):
        response = client.get(path)
    processor = process_time() - begun
    touched = sum(count_pages(sql, params) for sql, params in asked)
    with plans_by_index():
        by_index = sum(count_pages(sql, params) for sql, params in asked)
    return {
        "status": response.status_code,
        "queries": len(asked),
        "pages": touched,
        "by_index": by_index,
        "ms": 1000 * processor,
        "bytes": len(gzip.compress(b"".join(response))),
    }


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
