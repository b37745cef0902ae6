"""The ways in which ties are decided."""

import pytest

from formats.pairing.legs import Decider, Decision, decide_tie
from formats.sides import sides_of_leg
from tests.formats.results import read_results


@pytest.mark.parametrize(
    ("results", "decision"),
    [
        ("", (None, None, 2)),
        ("A B 5-0 4:0", (None, None, 2)),
        ("A B 5-0 1:0; B A 4-1 3:0", ("A", "points", 2)),
        ("A B 5-0 1:0; B A 5-0 2:0", ("B", "goals", 2)),
        ("A B 2-2 0:0; B A 2-2 0:0", (None, None, 4)),
        ("A B 5-0 2:1; B A 5-0 2:1", (None, None, 4)),
        ("A B 2-2 0:0; B A 2-2 0:0; A B 5-0 2:0", (None, None, 4)),
        ("A B 2-2 0:0; B A 2-2 0:0; A B 5-0 2:0; B A 4-1 2:1", ("A", "replay-points", 4)),
        ("A B 2-2 0:0; B A 2-2 0:0; A B 5-0 2:0; B A 5-0 3:0", ("B", "replay-goals", 4)),
        ("A B 5-0 2:1; B A 5-0 2:1; A B 2-2 0:0; B A 2-2 0:0", ("A", "seed", 4)),
        ("A B 0-0 0:0; B A 0-0 0:0; A B 0-0 0:0; B A 0-0 0:0", ("A", "seed", 4)),
        ("A B 5-0 1:0; B A 4-1 3:0; A B 0-5 0:1; B A 5-0 1:0", ("A", "points", 2)),
    ],
)
def test_two_legs_and_one_replay_pair(results, decision):
    assert decide_tie("A", "B", read_results(results.replace(";", "\n"))) == Decision(*decision)


@pytest.mark.parametrize(
    ("legs", "replays", "results", "decision"),
    [
        (1, 0, "", (None, None, 1)),
        (1, 0, "A B 2-3 1:1", ("B", "points", 1)),
        (1, 0, "A B 2-2 0:0", ("A", "seed", 1)),
        (1, 1, "A B 2-2 0:0", (None, None, 3)),
        (1, 1, "A B 2-2 0:0; B A 5-0 1:0; A B 3-2 1:1", ("B", "replay-points", 3)),
        (2, 0, "A B 2-2 0:0; B A 2-2 0:0", ("A", "seed", 2)),
        (2, 2, "A B 2-2 0:0; B A 2-2 0:0; A B 2-2 0:0; B A 2-2 0:0", (None, None, 6)),
        (
            2,
            2,
            "A B 2-2 0:0; B A 2-2 0:0; A B 2-2 0:0; B A 2-2 0:0; A B 2-2 0:0; B A 3-2 1:1",
            ("B", "replay-points", 6),
        ),
    ],
)
def test_the_options_for_legs_and_replays(legs, replays, results, decision):
    read = read_results(results.replace(";", "\n"))
    assert decide_tie("A", "B", read, legs=legs, replays=replays) == Decision(*decision)


@pytest.mark.parametrize(
    ("withdrawn", "results", "decision"),
    [
        ("A", "", ("B", "withdrawal", 2)),
        ("B", "A B 0-5 0:4", ("A", "withdrawal", 2)),
        ("A", "A B 2-2 0:0; B A 2-2 0:0", ("B", "withdrawal", 4)),
        ("A", "A B 5-0 1:0; B A 2-2 0:0", ("A", "points", 2)),
        ("AB", "", ("A", "seed", 2)),
        ("AB", "A B 0-5 0:1; B A 5-0 1:0", ("B", "points", 2)),
        ("C", "", (None, None, 2)),
    ],
)
def test_an_entrant_who_withdraws_loses_a_tie_that_is_still_open(withdrawn, results, decision):
    read = read_results(results.replace(";", "\n"))
    assert decide_tie("A", "B", read, withdrawn=withdrawn) == Decision(*decision)


def test_a_last_replay_that_is_level_goes_to_the_entrant_who_has_not_withdrawn():
    level = read_results("A B 2-2 0:0 \n B A 2-2 0:0")
    assert decide_tie("A", "B", level, replays=0, withdrawn="A") == Decision("B", Decider.WITHDRAWAL, 2)


def test_sides_alternate_from_leg_to_leg():
    assert [tuple(sides_of_leg("A", "B", leg)) for leg in (1, 2, 3, 4)] == [("A", "B"), ("B", "A")] * 2


def test_a_result_of_another_tie_is_refused():
    with pytest.raises(ValueError, match="not one of the tie"):
        decide_tie("A", "B", read_results("A C 5-0 1:0"))
