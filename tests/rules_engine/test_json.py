"""JSON read strictly, and the JSON twin of records."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.record import Move, Record
from rules_engine.record_formats import (
    looks_like_json,
    read_json_record,
    read_record,
    record_from_json,
    record_to_json,
    replay_record,
    write_record,
)
from rules_engine.registry import get_game
from rules_engine.strict_json import MAX_DEPTH, read_json
from rules_engine.values import Nature, Side
from tests.rules_engine.test_notation import outcome_of

fuzz = settings(derandomize=True)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["Game", "paper-soccer", "paper-soccer-1", "yellow", "red", "chance", "0", "7", "17"])
)
keys = st.sampled_from(["tags", "moves", "actor", "text", "Game", "Yellow"]) | st.text(max_size=4)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4))
tags = st.dictionaries(st.sampled_from(["Game", "Yellow", "Winner", "Score"]) | st.text(), scalars | st.text())
records_moves = st.lists(
    st.fixed_dictionaries(
        {"actor": st.sampled_from(["yellow", "red", "chance"]) | scalars, "text": st.text("01234567") | scalars}
    )
    | values,
    max_size=5,
)
twins = st.fixed_dictionaries({"tags": tags | values, "moves": records_moves | values}) | values

moves = st.from_regex(r"[^\s()\[\]]+", fullmatch=True)
records = st.builds(
    Record,
    st.dictionaries(
        st.from_regex(r"[A-Za-z][A-Za-z0-9]*", fullmatch=True), st.text(st.characters(categories=["L", "N", "P", "S"]))
    ),
    st.lists(st.builds(Move, st.sampled_from([*Side, Nature.CHANCE]), moves), max_size=20).map(tuple),
)


@fuzz
@given(record=records)
def test_a_record_that_was_written_is_read_as_the_same_record(record):
    written = json.dumps(record_to_json(record))

    assert looks_like_json(written)
    assert read_json_record(written) == record
    assert read_json_record(json.dumps(record_to_json(record), ensure_ascii=False, indent=2)) == record
    assert read_record(write_record(read_json_record(written))) == record


@fuzz
@given(data=twins)
def test_any_data_are_a_record_that_can_be_replayed_or_are_refused(data):
    try:
        record = record_from_json(data)
    except InvalidNotation:
        return

    assert record_to_json(record) == data
    state = outcome_of(lambda: replay_record(record))
    assert state in (InvalidNotation, IllegalMove) or get_game(record.tags["Game"]).read(str(state)) == state


@fuzz
@given(text=st.text() | values.map(json.dumps) | twins.map(json.dumps) | st.text('{}[]",:\\u0d8e+-.tagsvnrl \n'))
@example(text='{"tags": {}, "moves": []} ')
@example(text="\ufeff[]")
def test_any_text_is_json_as_the_standard_library_reads_it_or_is_refused(text):
    value = outcome_of(lambda: read_json(text))

    assert value is InvalidNotation or value == json.loads(text.removeprefix("\ufeff"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1e999", "The JSON has a number that is too large: 1e999."),
        ("[-1E+400]", "The JSON has a number that is too large: -1E+400."),
        ("9" * 5000, "The JSON has a number of more than 40 characters."),
        ("0." + "1" * 5000, "The JSON has a number of more than 40 characters."),
        ("[NaN]", "The JSON has NaN, which is not a number."),
        ("-Infinity", "The JSON has -Infinity, which is not a number."),
        ('{"a": 1, "b": 2, "a": 3}', "The JSON has an object with the key 'a' twice."),
        ('"\\ud800"', "The JSON has half of a surrogate pair."),
        ("[" * 100_000, "The JSON is nested too deeply."),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "The JSON is nested too deeply."),
        ('{"a":' * 50 + "1" + "}" * 50, "The JSON is nested too deeply."),
        ('{"a": 1,\n}', "This is not valid JSON: see line 2, column 1."),
        ("", "This is not valid JSON: see line 1, column 1."),
    ],
)
def test_a_sentence_says_what_is_wrong_with_json(text, sentence):
    with pytest.raises(InvalidNotation) as refusal:
        read_json(text)
    assert str(refusal.value) == sentence


def test_deep_is_not_too_deep_and_long_strings_are_read():
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert read_json(deep) == json.loads(deep)
    assert read_json('"' + "x" * 1_000_000 + '"') == "x" * 1_000_000


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "a record must be an object with the members tags and moves"),
        ({"tags": {}}, "a record must be an object with the members tags and moves"),
        ({"tags": {}, "moves": [], "more": 1}, "a record must be an object with the members tags and moves"),
        ({"tags": {"Game": 1}, "moves": []}, "a record's tags must be an object of strings"),
        ({"tags": {}, "moves": {}}, "a record's moves must be a list"),
        ({"tags": {}, "moves": ["0"]}, "move 1: a move must be an object with the members actor and text"),
        ({"tags": {}, "moves": [{"actor": "green", "text": "0"}]}, "move 1: an actor must be yellow, red or chance"),
        ({"tags": {}, "moves": [{"actor": ["red"], "text": "0"}]}, "move 1: an actor must be yellow, red or chance"),
        ({"tags": {}, "moves": [{"actor": "red", "text": 0}]}, "move 1: a move's text must be a string"),
        ({"tags": {}, "moves": [{"actor": "red", "text": "0 1"}]}, "'0 1' cannot be a move's text"),
        ({"tags": {"A b": "c"}, "moves": []}, "'A b' cannot be the name of a tag"),
        ({"tags": {}, "moves": [{"actor": "red", "text": "(" * 99}]}, f"'{'(' * 40}…' cannot be a move's text"),
    ],
)
def test_json_that_is_no_record_is_refused_with_its_place(data, sentence):
    with pytest.raises(InvalidNotation) as refusal:
        record_from_json(data)
    assert str(refusal.value) == sentence
