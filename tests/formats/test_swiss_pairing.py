"""Swiss rounds of players made up for it: sides, the exact way, and the ways by cost beside it."""

from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from formats.pairing.swiss import matching
from formats.pairing.swiss.dutch import pair_exactly
from formats.pairing.swiss.matching import can_be_paired, pair_at_least_cost, pair_large_field
from formats.pairing.swiss.players import DRAW, WIN, Float, Need, RoundToPair, SwissPlayer
from formats.pairing.swiss.rounds import MAX_EXACT, draw_round, seat_pair
from rules_engine.values import Side

SIDES = {"Y": Side.YELLOW, "R": Side.RED}


def player(number: int, sides: str = "", **about) -> SwissPlayer:
    return SwissPlayer(number, sides=tuple(SIDES[each] for each in sides), **about)


def play_on(random: Random, players: dict[int, SwissPlayer], drawn, number: int) -> dict[int, SwissPlayer]:
    """Return the players after the round, with results at random."""
    after = dict(players)
    for pair in drawn.pairs:
        gained = random.choice([(WIN, 0), (0, WIN), (DRAW, DRAW)])
        for side, score in zip(Side, gained, strict=True):
            own, other = players[pair[side]], players[pair[side.opponent]]
            direction = Float.DOWN if own.score > other.score else Float.UP if own.score < other.score else Float.NONE
            after[own.number] = replace(
                own,
                score=own.score + score,
                sides=(*own.sides, side),
                floats=(*own.floats, direction),
                met={**own.met, other.number: (*own.met.get(other.number, ()), number)},
            )
    if drawn.bye is not None:
        had = players[drawn.bye]
        after[had.number] = replace(had, score=had.score + WIN, floats=(*had.floats, Float.DOWN), byes=had.byes + 1)
    return after


def play_rounds(seed: int, size: int, rounds: int, until: int):
    """Yield the players before each round, the round, and how it was drawn."""
    random = Random(seed)
    players = {number: SwissPlayer(number) for number in range(1, size + 1)}
    for number in range(1, until + 1):
        drawn = draw_round(list(players.values()), number, rounds, Side.YELLOW)
        yield players, RoundToPair(number, rounds), drawn
        players = play_on(random, players, drawn, number)


@pytest.mark.parametrize(
    ("upper", "lower", "yellow"),
    [
        ("", "", 1),
        ("Y", "R", 2),
        ("R", "Y", 1),
        ("YR", "RY", 1),
        ("RY", "YR", 2),
        ("Y", "Y", 2),
        ("R", "R", 1),
        ("", "Y", 1),
        ("", "R", 2),
        ("", "YR", 2),
        ("", "RY", 1),
        ("RYRYY", "YRYRY", 2),
        ("YRRYY", "RYRYYR", 2),
        ("RRYY", "RYYRY", 2),
        ("YYRYRYR", "YRYYRR", 2),
    ],
)
def test_sides_go_by_limits_then_balance_then_alternation_then_the_table(upper, lower, yellow):
    pair = seat_pair(player(2, lower), player(1, upper), Side.YELLOW)
    assert pair.yellow.number == yellow


def test_the_table_is_by_points_and_then_by_seed():
    assert seat_pair(player(1, "Y", points=5), player(2, "Y", points=4), Side.YELLOW).red.number == 1
    assert seat_pair(player(1, "Y", points=4), player(2, "Y", points=5), Side.YELLOW).red.number == 2


def test_odd_numbers_have_the_first_side_where_nothing_is_due():
    assert [
        seat_pair(player(number), player(number + 4), side).yellow.number
        for number in (1, 2)
        for side in (Side.YELLOW, Side.RED)
    ] == [1, 5, 6, 2]


@pytest.mark.parametrize("size", range(7))
def test_a_side_breaks_the_limits_if_it_comes_three_times_running_or_too_often(size):
    for before in map("".join, product("YR", repeat=size)):
        for letter, side in SIDES.items():
            sides = before + letter
            breaks = sides[-3:] == letter * 3 or abs(sides.count("Y") - sides.count("R")) > 2
            assert player(1, before).breaks_with(side) == breaks


def test_needs_are_by_repetition_balance_and_the_last_side():
    needs = {sides: player(1, sides).need for sides in ["", "YR", "Y", "YRY", "RYY", "YRYYRY"]}
    assert needs == {
        "": Need.NONE,
        "YR": Need.MILD,
        "Y": Need.STRONG,
        "YRY": Need.STRONG,
        "RYY": Need.ABSOLUTE,
        "YRYYRY": Need.ABSOLUTE,
    }
    assert [player(1, sides).due for sides in ("", "YR", "RYY", "RRYRY")] == [None, Side.YELLOW, Side.RED, Side.YELLOW]


def test_only_the_last_round_lets_leaders_have_a_side_too_often():
    one, other = player(1, "RYY", score=4), player(2, "RYY", score=2)
    assert not RoundToPair(4, 5).may_meet(one, other)
    assert RoundToPair(4, 4).may_meet(one, other)
    assert not RoundToPair(4, 4).may_meet(replace(one, score=3), other)


def test_a_round_needs_two_players():
    with pytest.raises(ValueError, match="needs two players, not 1"):
        draw_round([SwissPlayer(1)], 1, 3, Side.YELLOW)


def differences(players, pairs):
    return sum((players[one].score - players[other].score) ** 2 for one, other in pairs)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [9, 16, 23])
def test_the_least_cost_pairs_no_farther_apart_than_the_exact_way(seed, size):
    for players, to_pair, _drawn in play_rounds(seed, size, 6, 5):
        everybody = list(players.values())
        assert can_be_paired(everybody, to_pair)
        exact, cheap = pair_exactly(everybody, to_pair), pair_at_least_cost(everybody, to_pair)
        assert all(to_pair.may_meet(players[one], players[other]) for one, other in cheap.pairs)
        if exact.bye is not None:
            assert players[cheap.bye].score <= players[exact.bye].score
        if exact.bye is None or players[cheap.bye].score == players[exact.bye].score:
            assert differences(players, cheap.pairs) <= differences(players, exact.pairs)


def test_the_least_cost_pairs_the_halves_of_a_score_group_in_order():
    everybody = [SwissPlayer(number, floats=(Float.NONE,)) for number in range(1, 9)]
    pairing = pair_at_least_cost(everybody, RoundToPair(2, 5))
    assert pairing.pairs == ((1, 5), (2, 6), (3, 7), (4, 8))


def test_the_least_cost_lets_the_last_of_a_group_meet_the_first_of_the_next_and_not_twice_running():
    upper = [SwissPlayer(number, score=2) for number in (1, 2, 3)]
    lower = [SwissPlayer(number) for number in (4, 5, 6)]
    assert pair_at_least_cost([*upper, *lower], RoundToPair(2, 5)).pairs == ((1, 2), (3, 4), (5, 6))
    floated = replace(upper[2], floats=(Float.DOWN,))
    assert pair_at_least_cost([*upper[:2], floated, *lower], RoundToPair(2, 5)).pairs == ((1, 3), (2, 4), (5, 6))
    raised = replace(lower[0], floats=(Float.UP, Float.NONE))
    assert pair_at_least_cost([*upper, raised, *lower[1:]], RoundToPair(3, 5)).pairs == ((1, 2), (3, 5), (4, 6))


def test_the_least_cost_grants_sides_that_are_due_before_order():
    sides = ["Y", "Y", "R", "Y", "R", "R"]
    everybody = [player(number, each) for number, each in enumerate(sides, start=1)]
    pairing = pair_at_least_cost(everybody, RoundToPair(2, 5))
    assert all(sides[one - 1] != sides[other - 1] for one, other in pairing.pairs)


def test_the_least_cost_gives_the_bye_to_the_lowest_who_has_had_none():
    scores = [4, 2, 2, 0, 0]
    everybody = [SwissPlayer(number, score=score) for number, score in enumerate(scores, start=1)]
    assert pair_at_least_cost(everybody, RoundToPair(3, 5)).bye == 5
    everybody[4] = replace(everybody[4], byes=1)
    assert pair_at_least_cost(everybody, RoundToPair(3, 5)).bye == 4
    everybody[3] = replace(everybody[3], forfeit_wins=1)
    assert pair_at_least_cost(everybody, RoundToPair(3, 5)).bye == 3


def test_a_side_too_often_is_cheaper_than_a_repeat():
    one, two = player(1, "RYY", met={3: (1,)}), player(2, "RYY", met={4: (1,)})
    three, four = player(3, "YRR", met={1: (1,)}), player(4, "YRR", met={2: (1,)})
    to_pair = RoundToPair(4, 9)
    assert pair_at_least_cost([one, two, three, four], to_pair).pairs == ((1, 4), (2, 3))
    one, two = replace(one, met={3: (1,), 4: (2,)}), replace(two, met={4: (1,), 3: (2,)})
    three, four = replace(three, met={1: (1,), 2: (2,)}), replace(four, met={2: (1,), 1: (2,)})
    assert not can_be_paired([one, two, three, four], to_pair)
    assert pair_at_least_cost([one, two, three, four], to_pair).pairs == ((1, 2), (3, 4))


@pytest.mark.parametrize("size", [MAX_EXACT + 20, MAX_EXACT + 21])
def test_large_fields_are_paired_by_the_same_rules(size):
    for players, to_pair, drawn in play_rounds(size, size, 6, 6):
        paired = [number for pair in drawn.pairs for number in pair]
        assert sorted([*paired, *([] if drawn.bye is None else [drawn.bye])]) == sorted(players)
        assert drawn.bye is None or players[drawn.bye].may_have_bye
        assert drawn.repeats == ()
        assert all(to_pair.may_meet(players[pair.yellow], players[pair.red]) for pair in drawn.pairs)
        assert max(abs(players[pair.yellow].score - players[pair.red].score) for pair in drawn.pairs) <= WIN


@pytest.mark.parametrize("seed", range(2))
def test_a_large_field_is_paired_about_as_well_as_at_least_cost(seed):
    for players, to_pair, _drawn in play_rounds(seed, 36, 7, 5):
        everybody = list(players.values())
        best, near = pair_at_least_cost(everybody, to_pair), pair_large_field(everybody, to_pair)
        assert differences(players, near.pairs) <= differences(players, best.pairs) + 2 * WIN**2


def test_a_player_who_has_met_everybody_near_may_meet_anybody():
    met = dict.fromkeys(range(30, 75), (1,))
    everybody = [SwissPlayer(1, met=met)] + [
        SwissPlayer(number, met={1: (1,)} if number in met else {}) for number in range(2, 121)
    ]
    pairing = pair_large_field(everybody, RoundToPair(46, 50))
    assert len(pairing.pairs) == 60
    assert next(other for one, other in pairing.pairs if one == 1) not in met


def test_a_large_field_in_which_too_many_need_the_same_side_has_as_few_of_them_meet_as_can_be():
    everybody = [player(number, "RYY" if number <= 18 else "YRR") for number in range(1, 25)]
    pairing = pair_large_field(everybody, RoundToPair(4, 9))
    assert sum(one <= 18 and other <= 18 for one, other in pairing.pairs) == 6


def test_a_large_field_looks_at_all_pairs_before_it_gives_somebody_a_side_too_often():
    first, second = range(1, 13), range(13, 25)
    everybody = [player(number, "RYY", met=dict.fromkeys(second, (1,))) for number in first]
    everybody += [player(number, "YRR", met=dict.fromkeys(first, (1,))) for number in second]
    pairing = pair_large_field(everybody, RoundToPair(4, 9))
    assert len(pairing.pairs) == 12
    assert all((one in first) == (other in first) for one, other in pairing.pairs)


def test_nobody_meets_twice_as_long_as_it_can_be_avoided_at_any_size():
    met = [
        {pair.yellow, pair.red}
        for _players, _to_pair, drawn in play_rounds(3, 8, 7, 7)
        for pair in drawn.pairs
        if pair not in drawn.repeats
    ]
    assert all(one != other for one, other in combinations(met, 2))


def test_a_side_too_often_costs_more_than_a_difference_of_scores():
    leaders = [player(number, "RYY", score=4) for number in (1, 2)]
    others = [player(number, "YRR", score=2) for number in (3, 4)]
    pairs = pair_at_least_cost([*leaders, *others], RoundToPair(4, 9)).pairs
    assert all(one <= 2 < other for one, other in pairs)


def test_two_who_need_the_same_side_strongly_are_kept_apart_before_two_of_whom_one_does():
    everybody = [player(1, "R"), player(2, "YR"), player(3, "R"), player(4, "YR")]
    assert (1, 3) not in pair_at_least_cost(everybody, RoundToPair(3, 9)).pairs


def test_a_player_who_clashes_with_everybody_near_meets_somebody_else_without_a_look_at_all_pairs(monkeypatch):
    monkeypatch.delattr(matching, "_all_pairs")
    near = range(55, 68)
    everybody = [player(number, "RYY" if number == 1 or number in near else "") for number in range(1, 121)]
    pairing = pair_large_field(everybody, RoundToPair(4, 9))
    assert len(pairing.pairs) == 60
    assert next(other for one, other in pairing.pairs if one == 1) not in near
