#!/usr/bin/env python3
"""Play whole matches against a running Kickabout, with nothing but HTTP and the standard library.

Makes two players, lets one post a seek and the other take it, plays random legal moves to the end,
checks every roll and the match points, and prints each match's record::

    python3 examples/play_match.py --url http://127.0.0.1:8000 --matches 5 --game streetsoccer-online

Ends with status 1 and one line that says why when anything is not as it should be.
"""

import argparse
import base64
import hashlib
import hmac
import http.client
import json
import random
import secrets
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

POINTS = {"sudden-death": (4, 1), "last-goal": (3, 2), "goalless": (2, 2), "over-time": (4, 1), "penalties": (3, 2)}
"""The points of the winner and of the loser for an ending; other endings are worth 5 and 0, or follow from the
score."""

DIE = range(1, 7)
OUTCOMES = {
    "coin": ["yellow", "red"],
    "die": [str(face) for face in DIE],
    "two-dice": [str(total) for total in sorted(one + other for one in DIE for other in DIE)],
    "battle": [f"{own}-{other}" for own in DIE for other in DIE],
    "shot": ["goal", "goal", "corner", "goal-kick"],
    "penalty": ["goal", "no-goal"],
}
"""The results of a roll of each kind, in the order of the numbers that stand for it; all are equally likely."""

Json = dict[str, Any]


class Failed(Exception):
    """Something is not as it should be; the message says what."""


class Client:
    """Speaks with the server as one player, or as nobody in particular."""

    def __init__(self, url: str, username: str = "", authorization: str = "") -> None:
        self.url = url.rstrip("/") + "/api/v1/"
        self.username = username
        self.authorization = authorization

    def get(self, path: str) -> Any:
        """Return what is at a path under ``/api/v1/``."""
        return self._send("GET", path, None)

    def post(self, path: str, body: Json | None = None) -> Any:
        """Send a body to a path under ``/api/v1/`` and return the answer."""
        return self._send("POST", path, body or {})

    def _send(self, method: str, path: str, body: Json | None) -> Any:
        request = urllib.request.Request(self.url + path, method=method)  # noqa: S310 - main takes http only
        request.add_header("Accept", "application/json")
        if self.authorization:
            request.add_header("Authorization", self.authorization)
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        while True:
            try:
                with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
                    return json.load(response)
            except urllib.error.HTTPError as error:
                wait = error.headers.get("Retry-After")
                if error.code != 429 or wait is None:
                    raise Failed(f"{method} {request.full_url}: {error.code} {explain(error)}") from None
                print(f"The server asks for a pause of {wait} s.", file=sys.stderr)
                time.sleep(float(wait))
            except (OSError, ValueError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", error)
                raise Failed(f"{method} {request.full_url}: no sensible answer ({reason})") from None


def explain(error: urllib.error.HTTPError) -> str:
    """Return the sentence of a problem document, or the status line's phrase."""
    try:
        problem = json.load(error)
        return f"{problem['detail']} ({problem['code']})"
    except (ValueError, LookupError, TypeError):
        return error.reason


def sign_up(url: str, name: str) -> Client:
    """Make a player whose name begins so, and return a client with the player's token."""
    username, password = f"{name}-{secrets.token_hex(4)}", secrets.token_urlsafe(18)
    Client(url).post("players/", {"username": username, "password": password})
    basic = base64.b64encode(f"{username}:{password}".encode()).decode()
    token = Client(url, authorization=f"Basic {basic}").post(
        "tokens/", {"name": "play_match", "scopes": ["read", "play"]}
    )
    return Client(url, username, f"Bearer {token['secret']}")


def start_match(creator: Client, taker: Client, game: str) -> Json:
    """Let one player open a seek and the other take it; return the match."""
    seek = creator.post("seeks/", {"game": game, "colour": "random"})
    return dict(taker.post(f"seeks/{seek['id']}/take/"))


def play_to_the_end(match: Json, players: dict[str, Client], choose: random.Random) -> Json:
    """Play random legal moves until the match is over, and return it as it is then."""
    path = f"matches/{match['id']}/"
    while match["turn"]:
        player = players[match["players"][match["turn"]]["username"]]
        if match["you"] != match["turn"]:
            match = player.get(path)
        move = {"ply": match["ply"], "text": choose.choice(match["legal_moves"])}
        match = player.post(f"{path}moves/", move)["match"]
    return match


def check_dice(record: Json, commitment: str) -> int:
    """Compute every roll from the seed, as docs/dice.md tells, and return how many there are."""
    match, seed = record["tags"]["Match"], bytes.fromhex(record["tags"]["Seed"])
    if hashlib.sha256(seed).hexdigest() != commitment:
        raise Failed(f"match {match}: the seed is not the one that was committed to at the start")
    kinds = record["tags"]["Rolls"].split()
    chain = hashlib.sha256(f"kickabout dice v1|{match}".encode()).hexdigest()
    rolls = 0
    for move in record["moves"]:
        if move["actor"] == "chance":
            outcomes = OUTCOMES[kinds[rolls % len(kinds)]]
            limit = 2**256 - 2**256 % len(outcomes)
            number, attempt = limit, 0
            while number >= limit:
                message = f"kickabout dice v1|{match}|{rolls}|{chain}|{attempt}"
                number = int.from_bytes(hmac.digest(seed, message.encode(), "sha256"), "big")
                attempt += 1
            given = outcomes[number % len(outcomes)]
            if move["text"] != given:
                raise Failed(f"match {match}: roll {rolls} is {move['text']}, but the seed gives {given}")
            rolls += 1
        chain = hashlib.sha256(f"{chain}|{move['actor']}|{move['text']}".encode()).hexdigest()
    return rolls


def check_result(match: Json, record: Json) -> None:
    """Compare the result with that of the record, and the match points with the ending."""
    tags, outcome, points = record["tags"], match["outcome"], match["match_points"]
    told = {
        "Winner": outcome["winner"] or "nobody",
        "Ending": outcome["ending"],
        "Score": "{yellow}-{red}".format(**match["score"]),
        "Points": "{yellow}-{red}".format(**points),
    }
    if outcome["score"] != match["score"] or any(tags[name] != value for name, value in told.items()):
        raise Failed(f"match {match['id']}: the record's result differs from that of the match, {told}")
    won, lost = sorted(points.values(), reverse=True)
    usual = [POINTS[outcome["ending"]]] if outcome["ending"] in POINTS else [(5, 0), (4, 1), (3, 2)]
    if (won, lost) not in usual or (outcome["winner"] and points[outcome["winner"]] != won):
        raise Failed(f"match {match['id']}: the points {points} do not fit the outcome {outcome}")


def write(record: Json) -> str:
    """Return a record as text that a person can read."""
    lines = [f'[{name} "{value}"]' for name, value in record["tags"].items()] + [""]
    rolls = ""
    for move in record["moves"]:
        if move["actor"] == "chance":
            rolls += f" ({move['text']})"
        else:
            lines.append(f"{move['actor']}{rolls} {move['text']}")
            rolls = ""
    if rolls:
        lines.append(rolls.strip())
    return "\n".join(lines) + "\n"


def main() -> int:
    """Play the matches; return the status to exit with."""
    parser = argparse.ArgumentParser(description="Play whole matches on a running Kickabout, and check them.")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="where it runs (default: %(default)s)")
    parser.add_argument("--matches", type=int, default=1, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--game", default="streetsoccer-board", help="the game's key (default: %(default)s)")
    parser.add_argument("--seed", help="for the choice of the moves, to choose them alike again")
    options = parser.parse_args()
    if not options.url.startswith(("http://", "https://")):
        parser.error("--url begins with http:// or https://")
    if options.matches < 1:
        parser.error("--matches is 1 or more")
    choose = random.Random(options.seed)
    try:
        anna, piotr = sign_up(options.url, "anna"), sign_up(options.url, "piotr")
        players = {client.username: client for client in (anna, piotr)}
        for number in range(1, options.matches + 1):
            yellow, red = choose.sample([anna, piotr], 2)
            match = start_match(yellow, red, options.game)
            commitment = match["dice"]["commitment"]
            match = play_to_the_end(match, players, choose)
            record = anna.get(f"matches/{match['id']}/record/?format=json")
            rolls = check_dice(record, commitment)
            check_result(match, record)
            print(write(record))
            print(f"Match {number} of {options.matches}: {rolls} rolls and the match points are right.\n")
    except Failed as failure:
        print(f"Failed: {failure}", file=sys.stderr)
        return 1
    except (LookupError, TypeError) as error:
        print(f"Failed: the server's answer is not in the shape of this API ({error!r})", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
