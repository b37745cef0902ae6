"""``manage.py serve`` as a real process."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parent.parent
TIMEOUT = 120
METRICS_TOKEN = "the tests alone know this"


class Served:
    """A server process, and what it answers."""

    def __init__(self, data: Path, *options: str, **settings: str) -> None:
        """Start it on a free port, with ``settings`` in its environment."""
        self.data = data
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = start(self.port, data, *options, **settings)

    def wait(self) -> Served:
        """Wait until it says where it is."""
        lines = []
        assert self.process.stdout
        for line in self.process.stdout:
            lines.append(line)
            if "Kickabout is at" in line:
                return self
        raise AssertionError("".join(lines))

    def ask(self, path: str, body: object = None, key: str = "") -> tuple[int, str]:
        """Return the status and the body of an answer; with a ``body`` the request is a POST."""
        data = json.dumps(body).encode() if body is not None else None
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def stop(self, sign: int = signal.SIGINT) -> tuple[int, str]:
        """End it by a signal; return its exit code and all that it said."""
        self.process.send_signal(sign)
        output, _nothing = self.process.communicate(timeout=TIMEOUT)
        return self.process.returncode, output

    def kill(self) -> None:
        """End it whatever it does."""
        self.process.kill()
        self.process.communicate()


def start(port: int, data: Path, *options: str, **settings: str) -> subprocess.Popen[str]:
    """Start ``manage.py serve`` as somebody does who has set nothing up."""
    environment = {name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}}
    return subprocess.Popen(
        [sys.executable, "-u", ROOT / "manage.py", "serve", "--port", str(port), "--data", str(data), *options],
        cwd="/",
        env=environment | settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
