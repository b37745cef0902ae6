"""The rules' texts agree with the engine, and the pages show all of them."""

from __future__ import annotations

import json
import re

import pytest

from rules_engine.drawing import as_text
from rules_engine.errors import IllegalMove
from rules_engine.record import from_json, read_record, replay, write_record
from rules_engine.registry import GAMES
from tests.docs.texts import DIAGRAMS, RECORDS, ROOT, STREETSOCCER, blocks

diagrams = pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda diagram: diagram.position)


def ids_raised_by_the_engine():
    source = "".join(path.read_text() for path in (ROOT / "rules_engine" / "streetsoccer").glob("*.py"))
    return set(re.findall(r"\"(S[0-9]+)\"", source))


def test_every_rule_has_a_heading_in_its_order():
    headings = re.findall(r"^### (S[0-9]+) ", STREETSOCCER, re.MULTILINE)
    assert headings == [f"S{number}" for number in range(1, 22)]


def test_every_rule_that_a_refusal_can_name_is_told():
    raised = ids_raised_by_the_engine()
    assert "S12" in raised
    assert raised <= set(re.findall(r"^### (S[0-9]+) ", STREETSOCCER, re.MULTILINE))


@pytest.mark.parametrize("key", GAMES)
def test_every_game_is_named(key):
    assert f"`{key}`" in STREETSOCCER


@diagrams
def test_a_diagram_is_drawn_as_the_engine_draws_it(diagram):
    drawing = "".join(f"{line.rstrip()}\n" for line in as_text(diagram.state.picture()).splitlines())
    assert diagram.drawing == drawing


@diagrams
def test_a_diagrams_move_is_legal_or_refused_as_it_says(diagram):
    if diagram.played:
        assert diagram.played in diagram.state.legal_moves()
    if diagram.refused:
        with pytest.raises(IllegalMove) as refusal:
            diagram.state.play(diagram.refused)
        assert refusal.value.rule == diagram.rule


def test_the_example_of_a_record_is_one_and_can_be_replayed():
    (example,) = [block for block in blocks(RECORDS, "text") if block.startswith("[")]
    record = read_record(example)
    assert write_record(record) == example
    assert str(replay(record)) == "play 2.2 red 3 d1,d5,c4,f10,c10 e10,e2,b4,f5,b8 d3 0-0 -"


def test_the_example_of_a_json_twin_is_one():
    (example,) = blocks(RECORDS, "json")
    record = from_json(example)
    assert [event.text for event in record.events] == [event["text"] for event in json.loads(example)["events"]]
    assert str(replay(record)) == "set-up 1.1 yellow 4 d1,d5,c4 e10,e6 - 0-0 -"


def test_the_positions_in_the_text_are_positions():
    lines = re.findall(r"[a-z-]+ [0-9]+\.[12](?: \S+){5} [0-9]+-[0-9]+ [a-z-]+", RECORDS)
    assert len(lines) == 3
    for line in lines:
        assert any(_reads(game, line) for game in GAMES.values()), line


def _reads(game, line):
    try:
        return str(game.read(line)) == line
    except ValueError:
        return False
