"""examples/play_match.py, run as a program against a running server."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from matches.models import Match
from matches.records import match_record
from matches.services.verification import verify_match
from rules_engine.record_formats import read_record, record_to_json, write_record
from tests.marks import nightly
from tests.rules_engine.golden.make import HERE as GOLDEN

PROGRAM = Path(__file__).resolve().parents[2] / "examples" / "play_match.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, PROGRAM, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("game", ["streetsoccer-board", *nightly(["streetsoccer-online", "paper-soccer"])])
def test_the_example_plays_a_match_to_the_end_checks_and_prints_it(game, live_server):
    done = run("--url", live_server.url, "--matches", "1", "--game", game, "--seed", "7")
    assert (done.stderr, done.returncode) == ("", 0)
    match = Match.objects.get()
    assert match.game == game
    assert write_record(match_record(match)) in done.stdout
    assert verify_match(match=match) == []


def test_the_example_prints_rolls_with_which_a_match_ends():
    lines = (GOLDEN / "soccer-tactics-penalties.txt").read_text().splitlines()
    record = read_record("\n".join(line for line in lines if not line.startswith("  ")))
    spec = importlib.util.spec_from_file_location("play_match", PROGRAM)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    assert program.write(record_to_json(record)) == write_record(record)


def test_the_example_says_in_one_line_what_is_wrong(live_server):
    done = run("--url", live_server.url, "--game", "chess")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(f"Failed: POST {live_server.url}/api/v1/seeks/: 400 There is no such game")
    assert done.stderr.count("\n") == 1


def test_the_example_says_when_nobody_answers():
    done = run("--url", "http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Failed: POST http://127.0.0.1:9/api/v1/players/: no sensible answer")


@pytest.mark.parametrize("wrong", [("--url", "file:///etc"), ("--matches", "0")])
def test_the_example_refuses_arguments_that_make_no_sense(wrong):
    done = run(*wrong)
    assert done.returncode == 2
    assert f"error: {wrong[0]}" in done.stderr
