"""The recipe of docs/dice.md, run as it stands there."""

import json
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from matches.dice import commit, draw, first_link, next_link
from matches.records import match_record
from matches.services.resignation import resign
from rules_engine.record_formats import record_to_json
from rules_engine.registry import get_game
from tests.matches.conftest import SEED
from tests.matches.play import act, play_randomly, reread
from tests.rules_engine.soccer_tactics.players import keen

KINDS = {
    "die": ("1", "2"),
    "two-dice": ("7", "8"),
    "battle": ("5-3", "3-5"),
    "shot": ("goal", "corner"),
    "penalty": ("goal", "no-goal"),
}
"""The kinds of rolls of the game that has most, each with two of its texts."""

MATCH_WITH_ALL = 7
"""A match whose dice come to rolls of all kinds when its moves are drawn by its number."""

GIVEN_UP = 120
"""The number of moves and rolls after which a match is given up."""

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "dice.md"


def run_recipe(record: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    found = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    recipe, saved = folder / "recipe.py", folder / "record.json"
    recipe.write_text(found[1], encoding="utf-8")
    saved.write_text(json.dumps(record), encoding="utf-8")
    return subprocess.run([sys.executable, recipe, saved], capture_output=True, text=True, check=False)


def approve(record: dict[str, Any], folder: Path) -> None:
    """See to it that the recipe finds all rolls of a record to be those of its seed."""
    rolls = sum(move["actor"] == "chance" for move in record["moves"])
    drawn = record["tags"].get("Rolls", "").split().count("decision")
    run = run_recipe(record, folder)
    unchecked = f"Not checked: {drawn} decisions that the dice made.\n" if drawn else ""
    assert (run.stdout, run.returncode) == (f"All {rolls} rolls are those of the seed.\n{unchecked}", 0)


@pytest.fixture
def record(begin):
    return record_to_json(match_record(play_randomly(begin("streetsoccer-online"))))


def test_the_recipe_finds_the_dice_of_a_real_match_right(record, tmp_path):
    approve(record, tmp_path)
    assert sum(move["actor"] == "chance" for move in record["moves"]) > 50


def test_the_recipe_finds_the_coin_of_a_real_match_right(begin, tmp_path):
    record = record_to_json(match_record(play_randomly(begin("paper-soccer-1"))))
    approve(record, tmp_path)
    coin = record["moves"][0]
    coin["text"] = {"yellow": "red", "red": "yellow"}[coin["text"]]
    assert run_recipe(record, tmp_path).stderr.startswith(f"Roll 0 is {coin['text']}, but the seed gives ")


@pytest.fixture(scope="module")
def all_kinds():
    """Return a match with rolls of all kinds, by dice of a seed, as its record says it."""
    source, state, chain = Random(MATCH_WITH_ALL), get_game("soccer-tactics").start(), first_link(MATCH_WITH_ALL)
    moves: list[dict[str, str]] = []
    kinds: list[str] = []
    while state.turn is not None:
        rolls = state.chance()
        if rolls:
            text = draw(SEED, MATCH_WITH_ALL, len(kinds), chain, rolls).text
            kinds.append(rolls[0].kind)
        else:
            text = keen(source, state)
        moves.append({"actor": str(state.turn), "text": text})
        chain = next_link(chain, str(state.turn), text)
        state = state.play(text)
    tags = {"Match": str(MATCH_WITH_ALL), "Seed": SEED.hex(), "Commitment": commit(SEED), "Rolls": " ".join(kinds)}
    return {"tags": tags, "moves": moves}


def test_the_recipe_finds_every_kind_of_roll_right(all_kinds, tmp_path):
    assert set(all_kinds["tags"]["Rolls"].split()) == set(KINDS)
    approve(all_kinds, tmp_path)


@pytest.mark.parametrize("kind", KINDS)
def test_the_recipe_finds_a_changed_roll_of_every_kind(all_kinds, tmp_path, kind):
    record = deepcopy(all_kinds)
    number = record["tags"]["Rolls"].split().index(kind)
    roll = [move for move in record["moves"] if move["actor"] == "chance"][number]
    roll["text"] = next(text for text in KINDS[kind] if text != roll["text"])
    run = run_recipe(record, tmp_path)
    assert run.stderr.startswith(f"Roll {number} is {roll['text']}, but the seed gives ")
    assert run.returncode == 1


def test_the_record_says_of_what_kind_each_roll_was(begin, tmp_path):
    match, source = begin("soccer-tactics"), Random(1)
    while match.ply < GIVEN_UP:
        match = act(match, keen(source, match.state))
    assert match.player_to_act
    resign(match_id=match.pk, player=match.player_to_act, now=match.last_move_at)
    record = record_to_json(match_record(reread(match)))
    assert {"die", "battle"} <= set(record["tags"]["Rolls"].split())
    approve(record, tmp_path)


def test_the_recipe_finds_another_seed(record, tmp_path):
    record["tags"]["Seed"] = "00" * 32
    run = run_recipe(record, tmp_path)
    assert run.stderr == "This is not the seed that was committed to.\n"
    assert run.returncode == 1
