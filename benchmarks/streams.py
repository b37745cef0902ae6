"""Measure how soon many clients get moves over event streams, and whether all get all of them.

    python benchmarks/streams.py --clients 1000 --matches 20 --moves 20

Starts PostgreSQL, Valkey, granian for the moves and the process for streams, as docs/operating.md says. The clients
follow the matches, equally many each; with ``--players`` that share of them are the streams of players with tokens,
who name their match. With ``--topics`` all follow the lobby and their match by its topic, on a stream that begins
``ready``; what the process needs while nothing happens is printed, too. One player after the other moves, and every
client notes when its event came. A tenth of them goes away in the middle and comes back all at once with ``Last-Event-
ID``. With ``--elsewhere`` moves are also played in matches that nobody follows. Prints the delays from the moment at
which the move was answered (below zero: the event came first), and what the process for streams needed.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from socket import create_connection, socket
from statistics import median
from typing import Any
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.http_clients import start_by_correspondence
from tests.plugins.real_servers import start_postgresql, start_valkey

ROOT = Path(__file__).resolve().parent.parent
GAME = "streetsoccer-board"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Follower:
    """A client that follows one match, with a token as a player."""

    match: int
    token: str = ""
    seen: dict[str, float] = field(default_factory=dict)
    """The moment when each version came."""
    last: str = ""
    latest: str = ""
    """The last version that came."""
    connections: int = 0
    topics: str = ""

    async def follow(self, port: int) -> None:
        """Read the stream until it ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        self.connections += 1
        path = f"/api/v1/stream/?match={self.match}" if self.token else f"/api/v1/matches/{self.match}/stream/"
        if self.topics:
            path = f"/api/v1/stream/?topics={self.topics}"
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
        if self.token:
            head += f"Authorization: Bearer {self.token}\r\n"
        writer.write(f"{head}Last-Event-ID: {self.last}\r\n\r\n".encode())
        try:
            status = await reader.readline()
            if b" 200 " not in status:
                raise SystemExit(f"A stream was answered with {status!r}.")
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    self.last = line[4:].decode().strip()
                if line.startswith(b"data: ") and "ply" in (facts := json.loads(line[6:])):
                    self.latest = f"{facts['ply']}.0.{facts['status']}"
                    self.seen.setdefault(self.latest, time.perf_counter())
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def prepare(matches: int, source: random.Random) -> tuple[list[Any], dict[str, str]]:
    """Start matches of two players; return them, and the secrets of the players' tokens by side."""
    from django.utils import timezone

    from players.models import Player, Scope
    from players.services import create_token

    now = timezone.now()
    players = [Player.objects.create(username=name) for name in ("yellow", "red")]
    secrets = {
        player.username: create_token(player=player, name="bot", scopes=[Scope.PLAY], now=now)[1] for player in players
    }
    return [start_by_correspondence(GAME, players, source) for _ in range(matches)], secrets


def make_players(number: int) -> list[str]:
    """Make players; return the secrets of their tokens."""
    from django.utils import timezone

    from players.models import Player, Scope
    from players.services import create_token

    now = timezone.now()
    players = Player.objects.bulk_create(Player(username=f"follower{place}") for place in range(number))
    return [create_token(player=each, name="bot", scopes=[Scope.READ], now=now)[1] for each in players]


def move(port: int, match: Any, secrets: dict[str, str], source: random.Random) -> tuple[str, float]:
    """Play a random move over HTTP and in memory; return the version that it made, and when it was answered."""
    from matches.services import progress

    text = source.choice(match.state.legal_moves())
    body = json.dumps({"ply": match.ply, "text": text}).encode()
    headers = {"Authorization": f"Bearer {secrets[match.side]}", "Content-Type": "application/json"}
    with urlopen(Request(f"http://127.0.0.1:{port}/api/v1/matches/{match.pk}/moves/", body, headers)) as response:
        answer = json.loads(response.read())["match"]
    answered = time.perf_counter()
    progress.play(match, match.state.play(text), match.side, [text], now=match.last_move_at)
    return f"{answer['ply']}.0.{answer['status']}", answered


async def measure(options: argparse.Namespace, web: int, streams: int, process: int) -> None:
    """Let clients follow while moves are played, then print."""
    source = random.Random(options.seed)
    started, secrets = await asyncio.to_thread(prepare, options.matches + options.elsewhere, source)
    tokens = await asyncio.to_thread(make_players, round(options.clients * options.players))
    tokens += [""] * (options.clients - len(tokens))
    followers = [Follower(started[number % options.matches].pk, tokens[number]) for number in range(options.clients)]
    for each in followers if options.topics else ():
        each.topics = f"lobby,match:{each.match}"
    idle = processor_seconds(process), resident(process)
    begun = time.perf_counter()
    following = {number: asyncio.create_task(each.follow(streams)) for number, each in enumerate(followers)}
    await until(lambda: all(each.seen for each in followers))
    seconds, worked = time.perf_counter() - begun, processor_seconds(process) - idle[0]
    print(f"{options.clients} clients were let in within {seconds:.1f} s: {options.clients / seconds:.0f} a second")
    print(f"letting in a client took {1000 * worked / options.clients:.2f} ms of processor time")
    print(f"a client takes {(resident(process) - idle[1]) / options.clients:.0f} kB")
    print_needs(process, "then")
    quiet = processor_seconds(process)
    await asyncio.sleep(options.idle)
    idle_share = (processor_seconds(process) - quiet) / options.idle
    print(f"while nothing happens it needs {idle_share:.2%} of a core, over {options.idle:.0f} s")
    needed = processor_seconds(process)
    came_back = 0.0
    versions: dict[int, list[tuple[str, float]]] = {match.pk: [] for match in started}
    away = range(0, options.clients, 10)
    total = options.moves * len(started)
    for number in range(total):
        if number == total // 2:
            for client in away:
                following[client].cancel()
        if number == total * 3 // 4:
            came_back = time.perf_counter()
            for client in away:
                following[client] = asyncio.create_task(followers[client].follow(streams))
        match = started[number % len(started)]
        if match.side:
            versions[match.pk].append(await asyncio.to_thread(move, web, match, secrets, source))
        await asyncio.sleep(options.pause)
    await until(lambda: not not_reached(followers, versions), seconds=options.timeout)
    missing = not_reached(followers, versions)
    needed = processor_seconds(process) - needed
    moves = sum(map(len, versions.values()))
    stayed = [each for number, each in enumerate(followers) if number not in away]
    wanted = sum(len(versions[each.match]) for each in stayed)
    delays = [
        (answered, each.seen[version] - answered)
        for each in stayed
        for version, answered in versions[each.match]
        if version in each.seen
    ]
    print(f"{moves} moves, {wanted} messages to those who stayed: {len(delays)} came ({len(delays) / wanted:.2%})")
    print(f"{len(missing)} of {options.clients} clients, {len(away)} of whom had been away, do not know the last move")
    print_delays("until clients came back", [delay for answered, delay in delays if answered < came_back])
    print_delays("in all", [delay for _answered, delay in delays])
    print(f"the process for streams needed {1000 * needed / moves:.1f} ms of processor time a move")
    print_needs(process, "at the end")
    for task in following.values():
        task.cancel()
    await asyncio.gather(*following.values(), return_exceptions=True)


def not_reached(followers: list[Follower], versions: dict[int, list[tuple[str, float]]]) -> list[Follower]:
    """Return the clients who do not know the last move."""
    return [each for each in followers if versions[each.match] and each.latest != versions[each.match][-1][0]]


def print_delays(what: str, delays: list[float]) -> None:
    """Print how long after the answer events came."""
    delays.sort()
    marks = {"median": median(delays), "99 %": delays[len(delays) * 99 // 100], "longest": delays[-1]}
    print(f"events after the answer {what}: {', '.join(f'{name} {1000 * at:.0f} ms' for name, at in marks.items())}")


async def until(condition: Any, *, seconds: float = 120) -> None:
    """Wait until the condition holds, or so many seconds are over."""
    end = time.perf_counter() + seconds
    while not condition() and time.perf_counter() < end:  # noqa: ASYNC110 - threads make it true
        await asyncio.sleep(0.1)


def processor_seconds(process: int) -> float:
    """Return the processor time that a process has had."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(process: int) -> int:
    """Return the memory of a process in kB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


def print_needs(process: int, when: str) -> None:
    """Print the memory and the threads of a process."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    print(f"the process for streams {when}: {int(status['VmRSS'].split()[0]) // 1024} MB, {status['Threads']} threads")


@contextmanager
def served(command: list[str]) -> Iterator[tuple[int, int]]:
    """Run a server; gives its port and the number of its process when it answers."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([*command, "--port", str(port)], cwd=ROOT)
    try:
        while True:
            with suppress(OSError), create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield port, server.pid
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Start everything, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=1000, help="how many streams are open (default: 1000)")
    parser.add_argument("--matches", type=int, default=20, help="how many matches they follow (default: 20)")
    parser.add_argument("--players", type=float, default=0.5, help="share of players' streams (default: 0.5)")
    parser.add_argument("--topics", action="store_true", help="follow the lobby and the match as topics")
    parser.add_argument("--idle", type=float, default=20, help="seconds in which nothing happens (default: 20)")
    parser.add_argument("--elsewhere", type=int, default=0, help="how many more matches nobody follows (default: 0)")
    parser.add_argument("--moves", type=int, default=20, help="moves in each match (default: 20)")
    parser.add_argument("--pause", type=float, default=0.02, help="seconds between two moves (default: 0.02)")
    parser.add_argument("--timeout", type=float, default=30, help="seconds until what has not come is missing")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random matches (default: 1)")
    options = parser.parse_args()
    with ExitStack() as stack:
        for variable, start in (("DATABASE_URL", start_postgresql), ("REDIS_URL", start_valkey)):
            os.environ[variable], server = start()
            stack.callback(server.stop if server else lambda: None)
        os.environ["DATA_DIR"] = stack.enter_context(tempfile.TemporaryDirectory())
        os.environ["MAX_STREAMS_PER_CLIENT"] = "1000000"
        os.environ["THROTTLE_READ"] = os.environ["THROTTLE_WRITE"] = "1000000/min"
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        web, _process = stack.enter_context(served([sys.executable, "manage.py", "serve_web", "--workers", "1"]))
        streams, process = stack.enter_context(served([sys.executable, "manage.py", "serve_streams"]))
        asyncio.run(measure(options, web, streams, process))


if __name__ == "__main__":
    main()
