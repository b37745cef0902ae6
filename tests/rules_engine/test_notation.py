"""Any text is either read and written back to the letter, or refused with ``InvalidNotation``."""

import json
from functools import cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.record import Move, Record
from rules_engine.record_formats import read_record, record_to_json, replay_record, write_record
from rules_engine.registry import get_game
from rules_engine.values import Nature, Side
from tests.rules_engine.playouts import playout

USUAL = {"streetsoccer-board", "streetsoccer-online", "paper-soccer", "paper-soccer-1", "soccer-tactics-90-advanced"}
"""The other presets of Soccer Tactics are written alike: how long they last, and what a defender adds, differs."""

games = pytest.mark.parametrize("key", sorted(USUAL))
fuzz = settings(derandomize=True)


@st.composite
def mutated(draw, texts):
    """Draw one of the texts with a few characters or words changed, or with none changed."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(0, 3))):
        words = text.split(" ")
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 4)))
        one, other = draw(st.integers(0, len(words) - 1)), draw(st.integers(0, len(words) - 1))
        words[one], words[other] = words[other], words[one]
        borrowed = draw(st.sampled_from(draw(st.sampled_from(texts)).split(" ")))
        text = draw(
            st.sampled_from(
                [
                    text[:start] + text[end:],
                    text[:start] + draw(st.characters()) + text[end:],
                    text[:start] + draw(st.sampled_from('abdegh0123579,.-?@> ()[]"\\\n')) + text[end:],
                    text[:end] + text[start:],
                    " ".join(words),
                    " ".join([*words[:one], borrowed, *words[one + 1 :]]),
                ]
            )
        )
    return text


@cache
def positions(key):
    return [str(state) for seed in range(2) for state in playout(key, seed).states]


@cache
def moves(key):
    return [move.text for seed in range(2) for move in playout(key, seed).record.moves]


def beginnings(key):
    """Return records of matches that have just begun, and a whole one."""
    record = playout(key, 0).record
    return [Record(record.tags, record.moves[:length]) for length in (0, 1, 2, 5, 12, 30)] + [record]


@games
@fuzz
@given(data=st.data())
def test_a_text_is_a_position_to_the_letter_or_none(key, data):
    text = data.draw(st.text() | mutated(positions(key)))
    try:
        state = get_game(key).read(text)
    except InvalidNotation:
        return

    assert str(state) == text


@games
@fuzz
@given(data=st.data())
def test_every_position_that_is_read_can_be_played_on_and_drawn(key, data):
    try:
        state = get_game(key).read(data.draw(mutated(positions(key))))
    except InvalidNotation:
        return

    texts = [*state.legal_moves(), *(roll.text for roll in state.chance())]
    assert bool(texts) is (state.turn is not None)
    assert (state.outcome is None) is (state.turn is not None)
    for text in texts[:3] + texts[-3:]:
        after = state.play(text)
        assert get_game(key).read(str(after)) == after
    assert state.stage
    assert state.task
    assert state.picture().spaces


@games
@fuzz
@given(data=st.data())
def test_a_text_is_a_move_to_the_letter_or_none(key, data):
    game = get_game(key)
    text = data.draw(st.text() | mutated(moves(key)))
    state = data.draw(st.sampled_from(playout(key, 0).states))
    assert outcome_of(lambda: game.read_move(text)) in (text, InvalidNotation)
    assert (outcome_of(lambda: state.play(text)) is InvalidNotation) is (
        outcome_of(lambda: game.read_move(text)) is InvalidNotation
    )


def outcome_of(attempt):
    """Return what the attempt returns, or the kind of its refusal."""
    try:
        return attempt()
    except (InvalidNotation, IllegalMove) as refusal:
        return type(refusal)


@games
@fuzz
@given(data=st.data())
def test_a_text_is_a_record_or_none(key, data):
    text = data.draw(st.text() | mutated([write_record(record) for record in beginnings(key)]))
    try:
        record = read_record(text)
    except InvalidNotation:
        return

    assert read_record(write_record(record)) == record


@games
@fuzz
@given(data=st.data())
def test_a_record_is_replayed_or_refused(key, data):
    try:
        record = read_record(data.draw(mutated([write_record(record) for record in beginnings(key)])))
        state = replay_record(record)
    except (InvalidNotation, IllegalMove):
        return

    assert get_game(record.tags["Game"]).read(str(state)) == state


tags = st.dictionaries(st.from_regex(r"[A-Za-z][A-Za-z0-9]*", fullmatch=True), st.text())
lists_of_moves = st.lists(st.builds(Move, st.sampled_from([*Side, Nature.CHANCE]), st.text()))


@fuzz
@given(tags=tags, moves=lists_of_moves)
@example(tags={"Note": 'a "quoted" \\ backslash'}, moves=[Move(Side.RED, "pass")])
@example(tags={"Yellow": "Zoë 選手"}, moves=[Move(Nature.CHANCE, "1"), Move(Nature.CHANCE, "6")])
@example(tags={}, moves=[])
def test_a_record_with_free_tags_and_moves_is_written_and_read_or_refused(tags, moves):
    try:
        record = Record(tags, tuple(moves))
    except InvalidNotation:
        return

    assert read_record(write_record(record)) == record
    data = json.loads(json.dumps(record_to_json(record)))
    assert data["tags"] == tags
    assert data["moves"] == [{"actor": move.actor, "text": move.text} for move in record.moves]


@pytest.mark.parametrize(
    "text",
    [
        "[Game]",
        '[Game "a',
        "yellow (5 @c3",
        "green @c3",
        '[Game "a"]\n[Game "b"]',
        'yellow @c3\n[Game "a"]',
        "(5)\nyellow @c3",
        '[Game "a" "b"]',
    ],
)
def test_a_broken_record_is_refused_with_its_line(text):
    with pytest.raises(InvalidNotation, match=r"line \d"):
        read_record(text)


def test_line_breaks_of_any_system_are_read():
    record = playout("streetsoccer-online", 0).record
    text = write_record(record)

    assert read_record(text.replace("\n", "\r\n")) == record
    assert read_record(text.replace("\n", " \n")) == record
