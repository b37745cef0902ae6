"""Print how much of four anonymous requests that announce 5 GB each the single-process server keeps.

    .venv/bin/python benchmarks/large_bodies.py

Each sends as much as the server reads, up to 25 MB, and then waits for its answer.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from socket import create_connection, socket

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.served import Served

REQUESTS = 4
ANNOUNCED = 5_000_000_000
SENT = 25_000_000
PART = bytes(250_000)
WAIT = 5.0


def main() -> None:
    """Start a fresh site, send, and look at the files that it has open."""
    with tempfile.TemporaryDirectory() as directory, ExitStack() as stack:
        served = Served(Path(directory)).wait()
        stack.callback(served.stop)
        head = f"POST /api/v1/guests/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: {ANNOUNCED}\r\n\r\n".encode()
        clients = [stack.enter_context(create_connection(("127.0.0.1", served.port))) for _ in range(REQUESTS)]
        taken = 0
        for client in clients:
            client.settimeout(WAIT)
            with suppress(OSError):
                client.sendall(head)
                for _ in range(SENT // len(PART)):
                    client.sendall(PART)
                    taken += len(PART)
        print(f"sent: {taken / 1e6:.0f} MB; kept on disk: {count_spooled(served.process.pid) / 1e6:.1f} MB")
        print(f"answers: {[read_status(client) for client in clients]}")


def count_spooled(process: int) -> int:
    """Return how many bytes a process has in temporary files, which have no name any more."""
    size = 0
    for link in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):
            if str(link.readlink()).endswith("(deleted)"):
                size += link.stat().st_size
    return size


def read_status(client: socket) -> str:
    """Return the status of the answer, or that there is none yet."""
    try:
        return client.recv(64).split(b" ")[1].decode()
    except (OSError, IndexError):
        return "none"


if __name__ == "__main__":
    main()
