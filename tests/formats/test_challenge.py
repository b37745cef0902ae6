"""The challenge ladder: reach, limits, reasons, what a game moves."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from math import ceil, sqrt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.pairing.challenge import (
    Challenge,
    ChallengeLadder,
    Limits,
    Obstacle,
    Positions,
    Refusal,
    foresee,
    opponent_beaten,
    position_after,
    position_on_return,
    reach,
)
from rules_engine.values import BySide
from tournaments.running.sentences import prospect_text, refusal_sentence

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
DAY = timedelta(days=1)
POSITIONS = st.integers(1, 30)


@pytest.mark.parametrize(
    ("position", "places"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 3), (8, 3), (9, 3), (10, 4), (17, 5)]
)
def test_the_reach_of_the_rules(position, places):
    assert reach(position) == places


@given(st.integers(3, 10**6))
def test_the_reach_is_the_square_root_rounded_up(position):
    assert reach(position) == ceil(sqrt(position))


def refuse(challenger, opponent, now=NOW, **known):
    refusal = ChallengeLadder("ABCDEFGHIJ", **known).reason_not(challenger, opponent, now)
    return refusal and refusal.obstacle


@pytest.mark.parametrize(
    ("challenger", "opponent", "obstacle"),
    [
        ("B", "A", None),
        ("D", "B", None),
        ("D", "A", Obstacle.OUT_OF_REACH),
        ("J", "F", None),
        ("J", "E", Obstacle.OUT_OF_REACH),
        ("A", "B", Obstacle.NOT_ABOVE),
        ("A", "A", Obstacle.YOURSELF),
        ("X", "A", Obstacle.NOT_ON_LADDER),
        ("A", "X", Obstacle.NOT_ON_LADDER),
    ],
)
def test_without_games_only_players_above_and_in_reach_can_be_challenged(challenger, opponent, obstacle):
    assert refuse(challenger, opponent) is obstacle


@pytest.mark.parametrize(
    ("challenger", "opponent", "paused", "obstacle"),
    [
        ("J", "E", "F", None),
        ("J", "D", "F", Obstacle.OUT_OF_REACH),
        ("J", "A", "BCEFH", None),
        ("D", "A", "B", None),
        ("D", "A", "E", Obstacle.OUT_OF_REACH),
        ("D", "A", "AB", Obstacle.OPPONENT_PAUSED),
        ("D", "A", "BD", Obstacle.PAUSED),
    ],
)
def test_a_player_who_is_paused_is_not_counted_in_anybodys_reach(challenger, opponent, paused, obstacle):
    assert refuse(challenger, opponent, paused=paused) is obstacle


def test_the_distance_is_told_in_places_that_count():
    refusal = ChallengeLadder("ABCDEFGHIJ", paused="CF").reason_not("J", "A", NOW)
    assert refusal == Refusal(Obstacle.OUT_OF_REACH, {"position": 10, "reach": 4, "distance": 7})


@given(st.integers(0, 40), st.sets(st.integers(0, 39)))
def test_the_reach_of_everybody_is_counted_place_by_place(size, paused):
    ladder = ChallengeLadder(range(size), paused=paused)
    for challenger in range(size):
        near: list[int] = []
        for above in range(challenger - 1, -1, -1):
            if above not in paused and len(near) < ceil(sqrt(challenger + 1)):
                near.insert(0, above)
        assert list(ladder.opponents_of(challenger)) == near
        open_to = [each for each in range(size) if ladder.reason_not(challenger, each, NOW) is None]
        assert open_to == ([] if challenger in paused else near)


@pytest.mark.parametrize(
    ("known", "obstacle"),
    [
        ({"paused": "F"}, Obstacle.PAUSED),
        ({"paused": "D"}, Obstacle.OPPONENT_PAUSED),
        ({"paused": "E"}, None),
        ({"running": [Challenge("F", "D")]}, Obstacle.PLAYING_ALREADY),
        ({"running": [Challenge("D", "F")]}, Obstacle.PLAYING_ALREADY),
        ({"running": [Challenge("F", "E")]}, Obstacle.TOO_MANY_OUTGOING),
        ({"running": [Challenge("F", "E")], "limits": Limits(outgoing=2)}, None),
        ({"running": [Challenge("G", "F"), Challenge("H", "F")]}, None),
        ({"running": [Challenge("E", "D")]}, None),
        ({"running": [Challenge("E", "D"), Challenge("G", "D")]}, Obstacle.TOO_MANY_INCOMING),
        ({"running": [Challenge("E", "D"), Challenge("G", "D")], "limits": Limits(incoming=3)}, None),
        ({"running": [Challenge("D", "C"), Challenge("D", "B")]}, None),
        ({"last_met": {frozenset("DF"): NOW - 14 * DAY + timedelta(seconds=1)}}, Obstacle.MET_LATELY),
        ({"last_met": {frozenset("DF"): NOW - 14 * DAY}}, None),
        ({"last_met": {frozenset("EF"): NOW}}, None),
        ({"last_met": {frozenset("DF"): NOW - DAY}, "limits": Limits(pause=DAY)}, None),
    ],
)
def test_limits_and_pauses(known, obstacle):
    assert refuse("F", "D", **known) is obstacle


@pytest.mark.parametrize(
    ("opponent", "known", "sentence"),
    [
        ("A", {}, "From place 6 you can challenge up to 3 places above you, not 5."),
        (
            "D",
            {"last_met": {frozenset("DF"): NOW}},
            "You played each other recently. You can meet again from 4 Dec 2026, 12:00 UTC.",
        ),
        ("D", {"running": [Challenge("F", "E")]}, "You already have your one game as challenger."),
        (
            "D",
            {"running": [Challenge(each, "D") for each in "EG"]},
            "This player has already been challenged to 2 games.",
        ),
        ("D", {"paused": "D"}, "This player is not getting new games at the moment."),
    ],
)
def test_the_reason_is_a_sentence_to_the_challenger(opponent, known, sentence):
    refusal = ChallengeLadder("ABCDEFGHIJ", **known).reason_not("F", opponent, NOW)
    assert refusal is not None
    assert refusal_sentence(refusal) == sentence


def test_games_start_against_the_highest_player_available():
    started = ChallengeLadder("ABCDEF").start_games(NOW)
    assert [(each.challenger, each.opponent) for each in started] == [
        ("B", "A"),
        ("C", "A"),
        ("D", "B"),
        ("E", "B"),
        ("F", "C"),
    ]


def test_a_newcomer_gets_the_highest_player_in_reach_who_is_free():
    running = [Challenge("B", "A"), Challenge("C", "A"), Challenge("D", "B"), Challenge("E", "C"), Challenge("F", "C")]
    ladder = ChallengeLadder("ABCDEFN", running=running, paused="D")
    assert ladder.start_games(NOW) == [Challenge("N", "E")]


@given(
    st.integers(0, 40),
    st.lists(st.tuples(st.integers(0, 39), st.integers(0, 39), st.integers(0, 20)), max_size=60),
    st.sets(st.integers(0, 39)),
)
def test_games_that_start_by_themselves_keep_every_limit_and_leave_nobody_who_could_play(size, met, paused):
    last_met = {frozenset((one, other)): NOW - days * DAY for one, other, days in met if one != other}
    started = ChallengeLadder(range(size), last_met=last_met, paused=paused).start_games(NOW)
    for index, challenge in enumerate(started):
        before = ChallengeLadder(range(size), running=started[:index], last_met=last_met, paused=paused)
        assert before.reason_not(challenge.challenger, challenge.opponent, NOW) is None
        assert not any(
            before.reason_not(challenge.challenger, higher, NOW) is None for higher in range(challenge.opponent)
        )
    assert max(Counter(each.challenger for each in started).values(), default=0) <= 1
    assert max(Counter(each.opponent for each in started).values(), default=0) <= 2
    after = ChallengeLadder(range(size), running=started, last_met=last_met, paused=paused)
    assert not any(
        after.reason_not(challenger, opponent, NOW) is None
        for challenger in range(size)
        for opponent in range(challenger)
    )


def check_moves(positions, before, moves):
    """Check that everybody's position is known, and that those are told who came to another one, from the top."""
    order = positions.order
    assert positions.position_of == {entrant: place for place, entrant in enumerate(order, start=1)}
    old = {entrant: place for place, entrant in enumerate(before, start=1)}
    assert moves == [(entrant, place) for place, entrant in enumerate(order, start=1) if old.get(entrant) != place]


def order_after(order, challenger, opponent):
    """Return the order after a challenger has won."""
    positions = Positions(order)
    check_moves(positions, order, positions.climb(challenger, opponent))
    return positions.order


@pytest.mark.parametrize(
    ("challenger", "opponent", "order"),
    [
        ("D", "B", "ADBCE"),
        ("B", "D", "ABCDE"),
        ("E", "A", "EABCD"),
        ("B", "A", "BACDE"),
        ("X", "A", "ABCDE"),
        ("E", "X", "ABCDE"),
    ],
)
def test_only_a_challenger_who_wins_moves_and_only_up(challenger, opponent, order):
    assert "".join(order_after("ABCDE", challenger, opponent)) == order


@pytest.mark.parametrize(
    ("challenger", "points", "beaten"),
    [
        ("Y", (5, 0), "R"),
        ("R", (1, 4), "Y"),
        ("Y", (2, 2), None),
        ("R", (2, 2), None),
        ("Y", (2, 3), None),
        ("R", (3, 2), None),
    ],
)
def test_a_challenger_with_more_points_has_beaten_the_other(challenger, points, beaten):
    assert opponent_beaten(BySide("Y", "R"), BySide(*points), challenger) == beaten


@given(POSITIONS, POSITIONS)
def test_positions_move_as_the_order_does(challenger, opponent):
    order = range(1, 31)
    after = order_after(order, challenger, opponent)
    new = position_after(challenger, opponent)
    assert after.index(challenger) + 1 == new
    assert sorted(after) == list(order)
    for other in set(order) - {challenger}:
        assert after.index(other) + 1 == other + (new <= other < challenger)
    if challenger > opponent:
        assert after.index(opponent) == after.index(challenger) + 1


@given(POSITIONS, POSITIONS)
def test_each_prospect_is_what_happens(challenger, opponent):
    prospects = foresee(challenger, opponent)
    assert prospects.win.position == position_after(challenger, opponent)
    for prospect in (prospects.draw, prospects.loss, prospects.timeout):
        assert prospect.position == challenger


def test_each_prospect_is_told_in_a_sentence():
    prospects = foresee(5, 3)
    assert prospect_text(prospects.win) == "You climb from place 5 to 3."
    assert prospect_text(prospects.draw) == prospect_text(prospects.loss) == "You keep place 5."
    assert (
        prospect_text(prospects.timeout) == "You keep place 5. You will get no new games until you use the site again."
    )
    assert prospect_text(foresee(2, 3).win) == "You keep place 2."


def test_every_obstacle_has_a_sentence():
    parameters: dict[str, Any] = {"position": 9, "reach": 1, "distance": 2, "games": 1, "until": NOW}
    sentences = {refusal_sentence(Refusal(obstacle, parameters)) for obstacle in Obstacle}
    assert len(sentences) == len(Obstacle)
    assert all(sentence.endswith(".") and "%" not in sentence for sentence in sentences)


def test_a_newcomer_enters_at_the_bottom_and_who_leaves_makes_room():
    positions = Positions("AB")
    assert positions.re_enter("C", None) == [("C", 3)]
    assert positions.leave("B") == [("C", 2)]
    assert positions.order == ["A", "C"]
    with pytest.raises(ValueError, match="already"):
        positions.re_enter("A", None)


@given(st.integers(1, 30), st.data())
def test_players_who_leave_together_make_room_at_once(size, data):
    positions = Positions(range(size))
    leavers = data.draw(st.permutations(range(size)))[: data.draw(st.integers(0, size))]
    moves = positions.leave(leavers)
    assert positions.order == [each for each in range(size) if each not in leavers]
    check_moves(positions, range(size), moves)


@pytest.mark.parametrize(("old", "order"), [(1, "AXB"), (2, "ABX"), (3, "ABX"), (None, "ABX")])
def test_a_player_who_comes_back_to_a_small_ladder_stands_one_below_their_old_position(old, order):
    positions = Positions("AB")
    positions.re_enter("X", old)
    assert "".join(positions.order) == order


@given(st.integers(0, 60), st.integers(1, 80))
def test_a_player_who_comes_back_loses_a_tenth_of_the_ladder_at_most(size, old):
    positions: Positions[Any] = Positions(range(size))
    moves = positions.re_enter("X", old)
    assert positions.position_of["X"] == min(old + ceil(size / 10), size + 1) == position_on_return(old, size)
    assert positions.order.index("X") + 1 == positions.position_of["X"]
    check_moves(positions, range(size), moves)
    with pytest.raises(ValueError, match="already"):
        positions.re_enter("X", old)
    positions.leave(["X"])
    assert positions.order == list(range(size))


def test_an_order_that_names_somebody_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        ChallengeLadder("ABA")
