"""Measure what each special mechanism saves of a move over HTTP: the processor time with and without it.

    python benchmarks/move_parts.py --moves 60 --rounds 9
    python benchmarks/move_parts.py --game paper-soccer --without "summaries of positions"
    python benchmarks/move_parts.py --profile

One process sends moves through the whole WSGI application, on PostgreSQL that commits to disk and on Valkey, as in
production; nothing but the network is left out. With a mechanism and without it take turns in the same run, so that a
busy machine slows both, and the median of the turns' differences counts. Only the processor time of this process is
measured, not that of PostgreSQL and Valkey.

The floor is what nobody can leave out: the same statements by bare psycopg, the body and the answer as JSON, the hash
of the token and those of the dice, and the engine that reads the position, plays the move and writes the position.
"""

import argparse
import cProfile
import io
import json
import pstats
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext
from dataclasses import replace
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.http_clients import Script, Submission
from benchmarks.moves import GAME, TEMPLATE, Databases, Statement, fresh_site, prepare, record


def send(application: Any, submission: Submission) -> bytes:
    """Send a move through the application, as granian does; return the answer."""
    answer: dict[str, Any] = {}

    def start(status: str, headers: Any, *more: Any) -> None:
        answer["status"] = status

    environ = {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": submission.path,
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "localhost",
        "HTTP_AUTHORIZATION": f"Bearer {submission.secret}",
        "HTTP_PREFER": submission.preference,
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(submission.body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(submission.body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    response = application(environ, start)
    content = b"".join(response)
    response.close()
    if not answer["status"].startswith("201"):
        raise SystemExit(f"{answer['status']}: {content.decode()}")
    return content


def send_all(application: Any, submissions: Sequence[Submission]) -> float:
    """Return the milliseconds of processor time for each of these moves."""
    begun = time.process_time()
    for submission in submissions:
        send(application, submission)
    return (time.process_time() - begun) / len(submissions) * 1000


@contextmanager
def without_compiled_queries() -> Iterator[None]:
    """Let Django compile each query at each request."""
    from database.compiled_queries import CompiledQuery

    def find(self: Any, **given: Any) -> Any:
        return next(iter(self._query(**given)), None)

    def rows(self: Any, **given: Any) -> Any:
        return list(self._query(**given))

    with patch.object(CompiledQuery, "find", find), patch.object(CompiledQuery, "rows", rows):
        yield


@contextmanager
def without_prepared_statements() -> Iterator[None]:
    """Send the same SQL by Django's usual cursor."""
    from database.postgresql.base import DatabaseWrapper

    with patch.object(DatabaseWrapper, "prepared_cursor", DatabaseWrapper.cursor):
        yield


@contextmanager
def with_a_query_before_each_request() -> Iterator[None]:
    """Let Django check the connection by a query, as its backend does."""
    from database.postgresql.base import DatabaseWrapper

    with patch.object(DatabaseWrapper, "_is_quiet", lambda self: False):
        yield


@contextmanager
def with_django_reading_moments() -> Iterator[None]:
    """Let Django read timestamps, on a connection of its own: each keeps how it reads them."""
    from django.db import connection

    from database.postgresql.base import MomentLoader

    connection.close()
    with patch.object(MomentLoader, "timezone", None):
        yield
    connection.close()


class PooledRedis:
    """Redis by its usual client, with a pool, as ``RedisConnection`` is called."""

    def __init__(self, url: str, *, timeout: float, **more: Any) -> None:
        """Make a client."""
        import redis

        self._client = redis.Redis.from_url(url, socket_connect_timeout=timeout, socket_timeout=timeout)
        self.database = 0

    def call(self, *command: Any) -> Any:
        """Send a command and return its reply."""
        return self._client.execute_command(*command)

    def send_all(self, commands: Sequence[tuple[Any, ...]]) -> None:
        """Send commands together, and wait for their replies."""
        pipeline = self._client.pipeline(transaction=False)
        for command in commands:
            pipeline.execute_command(*command)
        pipeline.execute()


@contextmanager
def with_the_usual_client_of_redis() -> Iterator[None]:
    """Let the client of redis-py count requests and publish changes."""
    from streams import pubsub
    from web.limits import request_counts

    made: dict[tuple[str, float], PooledRedis] = {}

    def connect(timeout: float) -> Callable[[str], PooledRedis]:
        return lambda url: made.setdefault((url, timeout), PooledRedis(url, timeout=timeout))

    with (
        patch.object(request_counts, "_redis", connect(request_counts.REDIS_TIMEOUT)),
        patch.object(pubsub, "_redis", connect(pubsub.PUBLISH_TIMEOUT)),
    ):
        yield


@contextmanager
def counting_by_the_cache() -> Iterator[None]:
    """Count requests as REST framework does: a list that is read from the cache and written to it."""
    from django.core.cache import cache

    from web.limits import budgets
    from web.limits.request_counts import Count

    def count(client: str, *, number: int, seconds: int, amount: int = 1) -> Count:
        now = time.time()
        recent = cache.get(f"list:{client}", [])
        while recent and recent[-1] <= now - seconds:
            recent.pop()
        allowed = len(recent) < number
        if allowed:
            recent.insert(0, now)
            cache.set(f"list:{client}", recent[:100], seconds)
        return Count(allowed, len(recent), seconds)

    with patch.object(budgets, "count_request", count):
        yield


@contextmanager
def with_a_policy_made_each_time() -> Iterator[None]:
    """Let the content policy be written for each answer."""
    from csp.utils import build_policy

    from web.pages.content_policy import ContentPolicyMiddleware

    with patch.object(ContentPolicyMiddleware, "_policy", property(lambda self: build_policy()), create=True):
        yield


@contextmanager
def with_new_serializers() -> Iterator[None]:
    """Let each request make the serializer that reads it."""
    from web.api import strict_views

    with patch.object(strict_views, "_shape", lambda serializer: serializer()):
        yield


@contextmanager
def with_descriptions_read_each_time() -> Iterator[None]:
    """Let each request find out from the API's description what it may contain."""
    from web.api import strict_views

    with patch.object(strict_views, "accepted_by", strict_views.accepted_by.__wrapped__):
        yield


@contextmanager
def with_statements_for_each_table() -> Iterator[None]:
    """Store the match and its moves by Django's own statements, in a transaction."""
    from django.db import transaction

    from matches.models import Move
    from matches.services import move_storage, progress

    def store(match: Any, moves: Sequence[Any]) -> bool:
        with transaction.atomic():
            stored = progress.store(match, ply=moves[0].ply)
            if stored:
                Move.objects.bulk_create(moves)
        return stored

    with patch.object(move_storage, "_store_at_once", store):
        yield


@contextmanager
def with_all_columns_of_players() -> Iterator[None]:
    """Read the players of a match with what nobody is shown."""
    from database.compiled_queries import CompiledQuery
    from matches.models import Match
    from matches.selectors import matches

    def whole(match_id: int) -> Any:
        return Match.objects.select_related("yellow", "red").filter(pk=match_id).order_by()

    with patch.object(matches, "_MATCH", CompiledQuery(whole)):
        yield


@contextmanager
def with_positions_read_from_their_texts() -> Iterator[None]:
    """Follow the history in the text of each position. It takes time in Paper Soccer only."""
    from rules_engine.series import Series

    with patch.object(Series, "resume", lambda self, text, summary: self.read(text)):
        yield


WITHOUT: dict[str, Callable[[], AbstractContextManager[None]]] = {
    "nothing (the noise)": nullcontext,
    "compiled queries": without_compiled_queries,
    "prepared statements": without_prepared_statements,
    "connections checked without a query": with_a_query_before_each_request,
    "moments read by Python": with_django_reading_moments,
    "own connections to Redis": with_the_usual_client_of_redis,
    "requests counted by one script": counting_by_the_cache,
    "content policy written once": with_a_policy_made_each_time,
    "serializers made once": with_new_serializers,
    "descriptions read once": with_descriptions_read_each_time,
    "a move stored by one statement": with_statements_for_each_table,
    "players without private columns": with_all_columns_of_players,
    "summaries of positions": with_positions_read_from_their_texts,
}


def floor(databases: Databases, game: str, scripts: list[Script], statements: list[list[list[Statement]]]) -> float:
    """Return the milliseconds of a move that does nothing but what the docstring of this module says."""
    from matches.games import find_game
    from matches.selectors.matches import _MATCH

    compiled = _MATCH._compiled  # noqa: SLF001 - as it is compiled
    place = [column.target.attname for column, *_ in compiled.select].index("position")
    rules = find_game(game)
    databases.create("bare", TEMPLATE)
    spent, moves = 0.0, 0
    with closing(databases.connect("bare")) as connection:
        cursor = connection.cursor()
        for script, sent in zip(scripts, statements, strict=True):
            for submission, parts in zip(script, sent, strict=True):
                begun = time.process_time()
                sha256(submission.secret.encode()).hexdigest()
                json.loads(submission.body)
                rows = []
                for text, values in parts:
                    cursor.execute(text, values or None, prepare=True)
                    rows.append(cursor.fetchone() if cursor.description else None)
                state = rules.read(next(row[place] for row in rows[1:] if row))
                texts = next(value for _, values in parts for value in values[-4:-3] if isinstance(value, list))
                for text in texts:
                    state = state.play(text)
                    sha256(text.encode()).hexdigest()
                json.dumps({"position": str(state), "moves": texts}).encode()
                spent += time.process_time() - begun
                moves += 1
    return spent / moves * 1000


def measure(application: Any, moves: Iterator[Submission], options: argparse.Namespace) -> None:
    """Print what each mechanism saves."""

    def turn() -> list[Submission]:
        return list(islice(moves, options.moves))

    print(f"{'without':<38}{'with, ms':>10}{'without, ms':>13}{'saves, ms':>11}{'of it':>7}")
    for name in options.without or WITHOUT:
        without, pairs = WITHOUT[name], []
        for number in range(options.rounds):
            taken = {}
            for leaves_out in (number % 2 == 0, number % 2 != 0):
                with without() if leaves_out else nullcontext():
                    # The first moves compile, prepare and connect, which is not to be measured.
                    send_all(application, list(islice(moves, 8)))
                    taken[leaves_out] = send_all(application, turn())
            pairs.append((taken[False], taken[True]))
        kept, left = (median(column) for column in zip(*pairs, strict=True))
        saved = median(each - ours for ours, each in pairs)
        print(f"{name:<38}{kept:>10.2f}{left:>13.2f}{saved:>11.2f}{saved / left:>7.0%}", flush=True)


def profile(application: Any, moves: Iterator[Submission], number: int) -> None:
    """Print in which functions a move spends its processor time."""
    send_all(application, list(islice(moves, 50)))
    profiler = cProfile.Profile(time.process_time)
    sent = list(islice(moves, number))
    profiler.runcall(send_all, application, sent)
    stats = pstats.Stats(profiler)
    stats.sort_stats("cumulative").print_stats(80)
    stats.sort_stats("tottime").print_stats(60)


def read_options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moves", type=int, default=60, help="moves of a turn (default: 60)")
    parser.add_argument("--rounds", type=int, default=5, help="turns that both take (default: 5)")
    parser.add_argument("--without", action="append", choices=WITHOUT, help="all, unless some are named")
    parser.add_argument("--game", default=GAME, help=f"the game that is played (default: {GAME})")
    parser.add_argument("--whole", action="store_true", help="have moves answered with the whole match")
    parser.add_argument("--profile", action="store_true", help="print a profile of moves instead")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random matches (default: 1)")
    return parser.parse_args()


def main() -> None:
    """Prepare, measure, and print."""
    options = read_options()
    with ExitStack() as stack:
        databases, _environment = stack.enter_context(fresh_site())
        from django.db import connection

        rows = len(options.without or WITHOUT)
        wanted = 400 if options.profile else (options.moves + 8) * 2 * options.rounds * rows
        # A random match has 60 moves and more.
        scripts = prepare(wanted // 55 + 8, Random(options.seed), game=options.game)
        stack.callback(connection.close)
        connection.close()
        databases.create("recorded", TEMPLATE)
        connection.settings_dict["NAME"] = "recorded"
        statements = record(scripts[:4])
        least = min(floor(databases, options.game, scripts[:4], statements) for _ in range(3))
        print(f"floor: {least:.2f} ms", flush=True)
        databases.create("played", TEMPLATE)
        connection.settings_dict["NAME"] = "played"
        if options.whole:
            scripts = [[replace(each, preference="return=representation") for each in script] for script in scripts]
        moves = chain.from_iterable(scripts)
        from config.wsgi import application

        if options.profile:
            profile(application, moves, 300)
        else:
            measure(application, moves, options)


if __name__ == "__main__":
    main()
