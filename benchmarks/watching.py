"""Measure what it costs that a move is watched: by one player, 10 and 200 watchers, in short and in long matches.

    python benchmarks/watching.py
    python benchmarks/watching.py --game paper-soccer

The site is on SQLite in a directory of its own. Of each game matches of 20, 150 and 200 moves and rolls are played by
chance. StreetSoccer's are never that long: 25 minutes and 10 of extra time, of two turns each with a roll and a move,
and the set-ups make about 150. So the longest there is of 120, and the turns that are measured make it 140. The page is
shown to a visitor, again and with nothing remembered, and a stretch of positions is looked back to. Then a few more
turns are played, and for each the processor time of this process is measured:

- by stream: what the process of the streams does, from reading the change to the bytes of each watcher's event;
- by polling: the requests of a page without a stream.

Then the same of changes that are watched by topic: a game in the lobby, with its row, and a result, a line of the log
and the bracket of a cup, with the ties that have changed.
"""

import argparse
import gzip
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.http_clients import start_by_correspondence

LENGTHS = {"streetsoccer-online": (20, 120), "paper-soccer": (20, 150, 200), "soccer-tactics": (20, 150, 200)}
WATCHERS = (1, 10, 200)
GAMES = tuple(LENGTHS)
TURNS = 5
HEADERS = {"host": "localhost", "accept": "text/html,application/json"}


def configure(directory: str) -> None:
    """Set up Django with a database of its own."""
    import django

    os.environ.update(
        DEBUG="0",
        SECRET_KEY="".join(chr(33 + number) for number in range(60)),
        ALLOWED_HOSTS="localhost",
        HTTPS="0",
        DATABASE_URL=f"sqlite:///{directory}/watching.sqlite3",
        REDIS_URL="",
        DATA_DIR=directory,
        STATIC_ROOT=f"{directory}/static",
        LOG_LEVEL="ERROR",
        THROTTLE_PAGE_READ="1000000/min",
        THROTTLE_READ="1000000/min",
        DJANGO_SETTINGS_MODULE="config.settings",
    )
    django.setup()

    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def play_until(game: str, ply: int, source: Random) -> Any:
    """Return a match that goes on after so many moves and rolls."""
    from players.models import Player

    while True:
        players = [Player.objects.create(username=f"{name}-{Player.objects.count()}") for name in ("yellow", "red")]
        match = start_by_correspondence(game, players, source)
        while match.side and match.ply < ply:
            match = play_on(match, source)
        if match.side:
            return match


def play_on(match: Any, source: Random) -> Any:
    """Return the match after one more turn: any move but one that scores, so that matches become long."""
    from django.utils import timezone

    from matches.services import play_move

    moves = list(match.state.legal_moves())
    source.shuffle(moves)
    score = match.state.score
    quiet = next((move for move in moves if match.state.play(move).score == score), moves[0])
    player = match.player_to_act
    return play_move(match_id=match.pk, player=player, ply=match.ply, text=quiet, now=timezone.now()).match


def milliseconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return how much processor time work takes, and its result."""
    begun = time.process_time()
    result = work()
    return (time.process_time() - begun) * 1000, result


def by_stream(match: Any, watchers: int) -> tuple[float, int]:
    """Return the processor time for one change, and the bytes of the largest event: that of the player to act."""
    from streams.changes import add_updates, read_named
    from streams.subscriptions import PlayerSubscription

    actor = match.player_to_act
    subscriptions = [
        PlayerSubscription(actor.pk if number == 0 and actor else None, "", [match.pk], updates=True)
        for number in range(watchers)
    ]

    def send() -> int:
        (change,) = add_updates(read_named(match=[match.pk]), {("match", match.pk): {actor.pk} if actor else set()})
        return max(len(subscription.event_of(change)) for subscription in subscriptions)

    return milliseconds(send)


def by_topic(topic: Any, watchers: int, **changed: Any) -> float:
    """Return the processor time from reading changes of a topic to the events of all who watch it."""
    from streams.changes import add_updates, read_named
    from streams.subscriptions import PlayerSubscription

    subscriptions = [PlayerSubscription(None, "", topics=[topic], updates=True) for _watcher in range(watchers)]
    shown: Any = {(kind, pk): set() for kind, pks in changed.items() if kind in {"seek", "table"} for pk in pks}

    def send() -> None:
        for change in add_updates(read_named(**changed), shown):
            for subscription in subscriptions:
                subscription.event_of(change)

    return min(milliseconds(send)[0] for _time in range(1 if "table" in changed else TURNS))


def measure_topics() -> None:
    """Print the figures of a game in the lobby, and of each kind of change in a cup."""
    from django.utils import timezone

    from matches.clock import CORRESPONDENCE
    from matches.models import Colour
    from matches.services import open_seek
    from matches.signals import LOBBY
    from players.models import Player
    from streams.updates import bracket_rows
    from tests.tournaments.verbs import end, running, start_cup
    from tournaments.models import LogEntry

    poster, now = Player.objects.create(username="poster"), timezone.now()
    seek = open_seek(creator=poster, game=GAMES[0], colour=Colour.RANDOM, time_control=CORRESPONDENCE, now=now)
    cup, _entries = start_cup(64, format="knock-out", legs=1, now=now)
    fixture = running(cup)[0]
    bracket_rows.begin([cup.pk])

    def by_results(watchers: int) -> float:
        ended = running(cup)[0]
        end(ended, ended.yellow, now)
        return by_topic(topic, watchers, table=[ended.group_id])

    line, topic = LogEntry.objects.filter(action="started").get(), ("competition", cup.pk)
    for watchers in WATCHERS:
        spent = {
            "a game in the lobby": by_topic(LOBBY, watchers, seek=[seek.pk]),
            "a match of a cup": by_topic(topic, watchers, match=[fixture.match_id]),
            "a line of its log": by_topic(topic, watchers, competition=[line.pk]),
            "a result, with its ties": min(by_results(watchers) for _time in range(TURNS)),
        }
        told = ", ".join(f"{what} {took:.1f} ms" for what, took in spent.items())
        print(f"by topic, {watchers} watching: {told}")


def by_polling(client: Any, match: Any, since: int, watchers: int) -> tuple[float, int]:
    """Return the processor time of the requests of all watchers, and the bytes that each of them is sent."""
    url = f"{match.get_absolute_url()}updates/?since={since}"
    return milliseconds(lambda: [len(client.get(url, headers=HEADERS).content) for _watcher in range(watchers)][-1])


def first_view(client: Any, match: Any) -> tuple[float, float, int, int]:
    """Return the processor time of the page for a visitor, and with nothing remembered, its bytes, and compressed."""
    from django.core.cache import cache

    def show() -> bytes:
        return client.get(match.get_absolute_url(), headers=HEADERS).content

    def show_anew() -> bytes:
        cache.clear()
        return show()

    show()
    took, content = min((milliseconds(show) for _ in range(5)), key=lambda each: each[0])
    anew, _ = min((milliseconds(show_anew) for _ in range(5)), key=lambda each: each[0])
    return took, anew, len(content), len(gzip.compress(content))


def looking_back(client: Any, match: Any) -> tuple[float, int, int]:
    """Return the processor time of the last whole stretch of positions, its bytes, and its bytes compressed."""
    from django.urls import reverse

    from matches.views.positions import STRETCH_LENGTH, positions_version

    first = max(match.ply // STRETCH_LENGTH - 1, 0) * STRETCH_LENGTH
    last = min(first + STRETCH_LENGTH - 1, match.ply)
    url = reverse("match-positions", args=[match.pk, positions_version(match), first, last])
    took, answer = min(
        (milliseconds(lambda: client.get(url, headers=HEADERS)) for _ in range(3)), key=lambda each: each[0]
    )
    return took, len(answer.content), len(gzip.compress(answer.content))


def measure(game: str, length: int, source: Random) -> None:
    """Print the figures of one match."""
    from django.test import Client

    client, match = Client(), play_until(game, length, source)
    print(f"{game}, {length} moves and rolls")
    took, anew, size, compressed = first_view(client, match)
    print(f"  the page at ply {match.ply}: {took:.1f} ms, {anew:.1f} ms anew, {size} B, {compressed} B compressed")
    took, size, compressed = looking_back(client, match)
    print(f"  positions to look back to, a stretch: {took:.1f} ms, {size} B, {compressed} B compressed")
    for watchers in WATCHERS:
        while (taken := watch(client, play_until(game, length, source), watchers, source)) is None:
            pass
        for name, turns in zip(("stream", "polling"), taken, strict=True):
            spent, sent = (median(each[part] for each in turns) for part in (0, 1))
            least = min(took for took, _ in turns)
            print(f"  {name}, {watchers} watching: {spent:.1f} ms, at least {least:.1f} ms, {sent:.0f} B each")


def watch(client: Any, match: Any, watchers: int, source: Random) -> tuple[list[tuple[float, int]], ...] | None:
    """Return the processor time and bytes of turns, by stream and by polling; ``None`` if the match ends before."""
    by_polling(client, match, match.ply - 1, 1)
    streamed, polled = [], []
    for _turn in range(TURNS):
        match = play_on(match, source)
        if not match.side:
            return None
        streamed.append(by_stream(match, watchers))
        since, match = match.ply, play_on(match, source)
        if not match.side:
            return None
        polled.append(by_polling(client, match, since, watchers))
    return streamed, polled


def main() -> None:
    """Measure all games and lengths."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", choices=GAMES, help="all, unless some are named")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        configure(directory)
        measure_topics()
        for game in arguments.game or GAMES:
            for length in LENGTHS[game]:
                measure(game, length, Random(arguments.seed))


if __name__ == "__main__":
    main()
