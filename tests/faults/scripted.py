"""Scripted players: each plays all their matches over HTTP, by random legal moves, goals before others.

A request that was not answered is sent again, to the other web server, until it is. So a player never knows whether
their move was stored when the site died, and sends it once more.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from random import Random
from typing import Any

from tests.faults.preparation import LADDER

Answer = tuple[int, Any]

TIMEOUT = 10.0
ANSWERED = 0.3
"""The chance that a player answers beforehand after a move."""

PAUSE = 0.1
"""Seconds before a request that failed is sent again, and before an idle player looks again."""

AWAY = (503, "service_unavailable")
"""The site's answer when PostgreSQL or Redis is away, or the disk full."""

MISSED = {"stale_ply", "answer_not_possible"}
"""Refusals of an answer beforehand after the match had gone on."""

LOST_RACES = {"match_over", "too_late", "match_paused"}
"""Refusals of a move that came after the clock or an organiser had ended the match, or the site was paused."""


class Stopped(Exception):
    """The player was stopped."""


@dataclass(slots=True)
class Ledger:
    """The deeds and observations of the players, to be compared with what is stored.

    ``accepted`` are the match, ply, side and text of moves that were answered with 200 or 201, ``sent`` of all that
    were sent; ``given`` the match, side and text of answers that were given beforehand; ``resigned`` the match and side
    of accepted resignations. ``failures`` are answers that what the site needs is away, with when the request was sent
    and answered, and ``wrong`` is what must not happen, in sentences.
    """

    accepted: set[tuple[int, int, str, str]] = field(default_factory=set)
    sent: set[tuple[int, int, str, str]] = field(default_factory=set)
    given: set[tuple[int, str, str]] = field(default_factory=set)
    resigned: set[tuple[int, str]] = field(default_factory=set)
    failures: list[tuple[float, float, str]] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    lost_connections: int = 0
    repeated: int = 0


class Client:
    """Asks the site as one player, whichever of its web servers answers."""

    def __init__(self, ports: list[int], secret: str, ledger: Ledger, stop: threading.Event) -> None:
        self._ports = ports
        self._headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
        self._ledger = ledger
        self._stop = stop
        self._chosen = 0
        self._connection: HTTPConnection | None = None

    def ask(self, method: str, path: str, body: object = None) -> Answer:
        """Return the status and the JSON of an answer that is no failure of the site; raises Stopped."""
        while not self._stop.is_set():
            sent = time.monotonic()
            try:
                status, answer = self._try(method, path, body)
            except (OSError, HTTPException, ValueError):
                self._ledger.lost_connections += 1
                self.close()
                self._chosen += 1
            else:
                if status < 500:
                    return status, answer
                what = f"{method} {path}: {status} {answer}"
                if (status, answer["code"]) == AWAY:
                    self._ledger.failures.append((sent, time.monotonic(), what))
                else:
                    self._ledger.wrong.append(what)
            self._stop.wait(PAUSE)
        raise Stopped

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _try(self, method: str, path: str, body: object) -> Answer:
        if self._connection is None:
            port = self._ports[self._chosen % len(self._ports)]
            self._connection = HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        payload = None if body is None else json.dumps(body)
        self._connection.request(method, f"/api/v1/{path}", payload, self._headers)
        response = self._connection.getresponse()
        return response.status, json.loads(response.read())


@dataclass(frozen=True, slots=True)
class Fate:
    """The fate of a match at a ply, if it comes so far: ``play``, ``resign`` or ``leave``."""

    deed: str
    ply: int

    @classmethod
    def of(cls, match: dict[str, Any], seed: int) -> Fate:
        """Return the fate of a match; both players know it. Nobody leaves one whose clock lasts for days."""
        source = Random(f"{seed} {match['id']}")
        is_live = match["time_control"]["bank"] < 60
        deed = source.choices(("play", "resign", "leave"), weights=(5, 3, 2 if is_live else 0))[0]
        return cls(deed, source.randrange(4, 16))

    def is_due(self, match: dict[str, Any]) -> bool:
        """Return whether it has come to that."""
        return self.deed != "play" and match["ply"] >= self.ply


class ScriptedPlayer(threading.Thread):
    """Plays all matches of one player until stopped."""

    def __init__(
        self, username: str, secret: str, *, ports: list[int], ledger: Ledger, stop: threading.Event, seed: int
    ) -> None:
        super().__init__(name=username)
        self._ledger = ledger
        self._stopped = stop
        self._seed = seed
        self._source = Random(f"{seed} {username}")
        self._client = Client(ports, secret, ledger, stop)

    def run(self) -> None:
        try:
            while not self._stopped.is_set():
                if not self._play_a_round():
                    self._stopped.wait(PAUSE)
        except Stopped:
            pass
        except Exception as error:  # noqa: BLE001 - it is reported with everything else
            self._ledger.wrong.append(f"{self.name} cannot go on: {error!r}")
        finally:
            self._client.close()

    def _play_a_round(self) -> bool:
        """Act once in every match in which it is the player's turn; return whether there was one."""
        status, page = self._client.ask("GET", f"matches/?player={self.name}&status=playing")
        if status != 200:
            self._complain(f"own matches: {status} {page}")
            return False
        if not page["results"]:
            self._come_back()
        mine = [match for match in page["results"] if match["turn"] == match["you"]]
        acted = [self._act_in(match) for match in mine]
        return any(acted)

    def _come_back(self) -> None:
        """Enter the ladder again if the player gets no games there after a loss on time."""
        status, competition = self._client.ask("GET", f"competitions/{LADDER}/")
        if status != 200:
            self._complain(f"the ladder: {status} {competition}")
        elif competition["status"] == "running" and competition["entry"]["waits_since"]:
            status, answer = self._client.ask("POST", f"competitions/{LADDER}/enter/", {})
            # A player who enters twice is in already, and the ladder may just have ended.
            if status not in {201, 409}:
                self._complain(f"coming back to the ladder: {status} {answer}")

    def _act_in(self, match: dict[str, Any]) -> bool:
        fate = Fate.of(match, self._seed)
        if not fate.is_due(match):
            self._move(match["id"])
        elif fate.deed == "resign":
            self._resign(match)
        else:
            return False
        return True

    def _move(self, match_id: int) -> None:
        status, match = self._client.ask("GET", f"matches/{match_id}/")
        if status != 200:
            self._complain(f"match {match_id}: {status} {match}")
            return
        if not match["legal_moves"]:
            return
        goals = [text for text in match["legal_moves"] if text.endswith("goal")]
        text = self._source.choice(goals or match["legal_moves"])
        move = (match_id, match["ply"], match["you"], text)
        self._ledger.sent.add(move)
        first = self._send(move)
        if first is not None and self._source.random() < ANSWERED:
            self._answer_beforehand(match_id, match["you"])
        if first is not None and self._source.random() < 0.1:
            again = self._send(move)
            if again != first:
                self._complain(f"{move} was stored as {first}, and answered as {again} when it was repeated")

    def _answer_beforehand(self, match_id: int, side: str) -> None:
        """Answer the decisions that may come; what was given once may be played as long as the match goes on."""
        path = f"matches/{match_id}/conditional-answers/"
        status, known = self._client.ask("GET", path)
        if status != 200:
            self._complain(f"answers in match {match_id}: {status} {known}")
            return
        decisions = [
            {"kind": each["kind"], "texts": [self._source.choice(each["legal_moves"])]} for each in known["to_come"]
        ]
        self._ledger.given.update((match_id, side, each["texts"][0]) for each in decisions)
        status, answer = self._client.ask("PUT", path, {"ply": known["ply"], "decisions": decisions})
        if status != 200 and answer.get("code") not in MISSED:
            self._refused(f"answers in match {match_id}", status, answer)

    def _send(self, move: tuple[int, int, str, str]) -> dict[str, Any] | None:
        """Send a move until it is answered; the stored move, or ``None`` if the match had ended before."""
        match_id, ply, _side, text = move
        status, answer = self._client.ask("POST", f"matches/{match_id}/moves/", {"ply": ply, "text": text})
        if status in {200, 201}:
            self._ledger.accepted.add(move)
            self._ledger.repeated += status == 200
            return answer["move"]
        self._refused(f"{move}", status, answer)
        return None

    def _resign(self, match: dict[str, Any]) -> None:
        status, answer = self._client.ask("POST", f"matches/{match['id']}/resign/")
        if status == 200:
            self._ledger.resigned.add((match["id"], match["you"]))
        else:
            self._refused(f"resigning match {match['id']}", status, answer)

    def _refused(self, what: str, status: int, answer: Any) -> None:
        if status != 409 or answer.get("code") not in LOST_RACES:
            self._complain(f"{what}: {status} {answer}")

    def _complain(self, what: str) -> None:
        self._ledger.wrong.append(f"{self.name}, {what}")


def wait_until(condition: Callable[[], bool], *, seconds: float) -> bool:
    """Wait until the condition holds, for so long at most; return whether it does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True
