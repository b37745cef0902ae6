"""The recipe of docs/dice.md, run as it stands there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from matches.records import match_record
from rules_engine.record_formats import record_to_json
from tests.matches.conftest import StartMatch
from tests.matches.play import play_randomly

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "dice.md"


def run_recipe(record: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[str]:
    found = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    recipe, saved = folder / "recipe.py", folder / "record.json"
    recipe.write_text(found[1], encoding="utf-8")
    saved.write_text(json.dumps(record), encoding="utf-8")
    return subprocess.run([sys.executable, recipe, saved], capture_output=True, text=True, check=False)


@pytest.fixture
def record(begin: StartMatch) -> dict[str, Any]:
    return record_to_json(match_record(play_randomly(begin("streetsoccer-online"))))


def test_the_recipe_finds_the_dice_of_a_real_match_right(record: dict[str, Any], tmp_path: Path) -> None:
    rolls = sum(move["actor"] == "chance" for move in record["moves"])
    run = run_recipe(record, tmp_path)
    assert (run.stdout, run.returncode) == (f"All {rolls} rolls are those of the seed.\n", 0)
    assert rolls > 50


def test_the_recipe_finds_the_coin_of_a_real_match_right(begin: StartMatch, tmp_path: Path) -> None:
    record = record_to_json(match_record(play_randomly(begin("paper-soccer-1"))))
    run = run_recipe(record, tmp_path)
    assert (run.stdout, run.returncode) == ("All 1 rolls are those of the seed.\n", 0)

    coin = record["moves"][0]
    coin["text"] = {"yellow": "red", "red": "yellow"}[coin["text"]]
    assert run_recipe(record, tmp_path).stderr.startswith(f"Roll 0 is {coin['text']}, but the seed gives ")


def test_the_recipe_finds_a_changed_roll(record: dict[str, Any], tmp_path: Path) -> None:
    move = [move for move in record["moves"] if move["actor"] == "chance"][7]
    move["text"] = str(int(move["text"]) % 6 + 1)
    run = run_recipe(record, tmp_path)
    assert run.stderr.startswith(f"Roll 7 is {move['text']}, but the seed gives ")
    assert run.returncode == 1


def test_the_recipe_finds_another_seed(record: dict[str, Any], tmp_path: Path) -> None:
    record["tags"]["Seed"] = "00" * 32
    run = run_recipe(record, tmp_path)
    assert run.stderr == "This is not the seed that was committed to.\n"
    assert run.returncode == 1
