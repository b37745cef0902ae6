"""Measure how long texts of matches take to be read and replayed, and how long the answers are.

Prints processor time, which says how the work grows with the text, and characters. Needs no server and no database.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DATA_DIR", tempfile.mkdtemp())
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

import django

django.setup()

from django.test import RequestFactory  # noqa: E402

from matches.interchange import replay_text  # noqa: E402
from matches.schemas.replay import replay_to_json  # noqa: E402
from matches.views.replays import replay_page  # noqa: E402
from rules_engine.errors import IllegalMove, InvalidNotation  # noqa: E402
from rules_engine.paper_soccer.interchange import GameTexts  # noqa: E402
from rules_engine.record import Move, Record  # noqa: E402
from rules_engine.record_formats import read_json_record, read_record, write_record  # noqa: E402
from rules_engine.registry import get_game  # noqa: E402

PAPER_SOCCER = get_game("paper-soccer")
SIZES = (125_000, 250_000, 500_000, 1_000_000)


def read_game_text(text: str) -> None:
    """Read a text to its end, or to its first error."""
    with suppress(InvalidNotation, IllegalMove):
        GameTexts().read(PAPER_SOCCER, text)


TEXTS: list[tuple[str, Callable[[str], Any], str]] = [
    ("turns", read_game_text, "1. 0 2 "),
    ("one digit a turn", read_game_text, "0 "),
    ("comments", read_game_text, "{a comment} "),
    ("tags and turns", read_game_text, '[A "b"] 0 1-0\n'),
    ("record", read_record, "yellow (5) e6-e2>d3\n"),
]


def main() -> None:
    """Print both tables."""
    print("Reading a text, processor time in ms by characters")
    print(f"{'':20}" + "".join(f"{size:>11,}" for size in SIZES))
    for name, read, unit in TEXTS:
        times = [measure(partial(read, unit * (size // len(unit))))[1] for size in SIZES]
        print(f"{name:20}" + "".join(f"{milliseconds:11.0f}" for milliseconds in times))
    times = [measure(partial(read_json_record, twin(size)))[1] for size in SIZES]
    print(f"{'JSON twin':20}" + "".join(f"{milliseconds:11.0f}" for milliseconds in times))
    print()
    print("Playing a match of Paper Soccer through, each step a move")
    print(f"{'plies':>8}{'text':>10}{'API':>10}{'ms':>7}{'page':>11}{'ms':>7}")
    matches = longest_matches()
    answer_page(write_record(matches[0]))  # which loads the templates
    for record in matches:
        text = write_record(record)
        answer, spent = measure(partial(answer_api, text))
        page, spent_on_page = measure(partial(answer_page, text))
        plies = len(record.moves)
        print(f"{plies:8}{len(text):10,}{len(answer):10,}{spent:7.0f}{len(page):11,}{spent_on_page:7.0f}")


def measure(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what the work returns, and the milliseconds of processor time that it took."""
    start = time.process_time()
    result = work()
    return result, (time.process_time() - start) * 1000


def twin(size: int) -> str:
    """Return the JSON twin of a record as a text of about this size."""
    move = '{"actor": "yellow", "text": "0"}'
    return f'{{"tags": {{}}, "moves": [{", ".join([move] * (size // (len(move) + 2)))}]}}'


def answer_api(text: str) -> str:
    """Return what the API answers to a text."""
    return json.dumps(replay_to_json(replay_text(text=text)))


def answer_page(text: str) -> bytes:
    """Return the page of a text."""
    request = RequestFactory().post("/replay/", {"game": PAPER_SOCCER.key, "text": text})
    return replay_page(request).content


def longest_matches() -> list[Record]:
    """Return a short, a middling and a very long match, from players who avoid every goal while they can."""
    matches = sorted((wander(seed) for seed in range(30)), key=lambda record: len(record.moves))
    return [matches[0], matches[len(matches) // 2], matches[-1]]


def wander(seed: int) -> Record:
    """Return a match in which points last as long as chance allows."""
    chooser = random.Random(seed)
    state = PAPER_SOCCER.start()
    moves: list[Move] = []
    while state.turn:
        rolls = [roll.text for roll in state.chance()]
        choices = rolls or list(state.legal_moves())
        going_on = [move for move in choices if state.play(move).score == state.score]
        text = chooser.choice(going_on or choices)
        moves.append(Move(state.turn, text))
        state = state.play(text)
    return Record({"Game": PAPER_SOCCER.key, "Yellow": "anna", "Red": "piotr"}, tuple(moves))


if __name__ == "__main__":
    main()
