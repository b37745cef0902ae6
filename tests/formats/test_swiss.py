"""Swiss: rounds, byes, repeats and sides by hand, and of random competitions against slow and obvious means."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.pairing.swiss.players import WIN
from formats.protocol import Abilities, Absence, Game, HeldRound, Outline, Place, Record, Seat
from formats.results import results_by_round
from formats.scoring.points import STANDARD
from formats.scoring.standings import rank
from formats.scoring.tiebreaks import Bye
from formats.swiss import SwissOptions, read_players
from rules_engine.values import BySide, Ending
from tests.formats.swiss_play import (
    DAY,
    START,
    SWISS,
    byes_of,
    can_be_seated,
    finish,
    hold,
    is_too_much,
    make_seats,
    pairings,
    play,
    play_round,
    players_in,
    repeats_in,
    rounds_met,
    score_of,
    sides_of,
)

FOUR = SwissOptions(rounds=4, byes_on_request=True)
YELLOW_WINS, DRAWN = BySide(5, 0), BySide(2, 2)

SIZES = st.integers(2, 8)
RANDOMS = st.randoms(use_true_random=True)


def pairs_of(drawn) -> set[frozenset[Any]]:
    return {frozenset(pair.sides) for pair in drawn.pairs}


def draw(record, options=FOUR, seed=0):
    (drawn,) = SWISS.next_rounds(record, options, seed)
    return drawn


def test_in_the_first_round_the_upper_half_meets_the_lower_and_sides_alternate():
    drawn = draw(Record(make_seats(6)))
    sides = [tuple(pair.sides) for pair in drawn.pairs]
    assert [{*pair} for pair in sides] == [{"p1", "p4"}, {"p2", "p5"}, {"p3", "p6"}]
    uppers = [pair.index(f"p{seed}") for seed, pair in enumerate(sides, start=1)]
    assert uppers in ([0, 1, 0], [1, 0, 1])


def test_the_seed_says_on_which_side_the_first_seed_begins():
    record = Record(make_seats(6))
    begun = {draw(record, seed=seed).pairs[0].sides.yellow for seed in range(20)}
    assert begun == {"p1", "p4"}
    assert draw(record, seed=7) == draw(record, seed=7)


def test_the_next_round_waits_for_the_end_of_the_one_before_it():
    record = Record(make_seats(6))
    drawn = draw(record)
    ended = hold(record, drawn, finish(drawn, YELLOW_WINS))
    running = replace(ended, rounds=(replace(ended.rounds[0], ended_at=None),))
    assert SWISS.next_rounds(running, FOUR, 0) == ()
    assert not SWISS.is_over(running, FOUR)
    assert draw(ended).number == 2


@pytest.mark.parametrize(
    ("size", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (64, 6), (65, 7), (1024, 10)]
)
def test_there_are_as_many_rounds_as_in_a_knock_out_unless_they_are_chosen(size, rounds):
    outline = SWISS.outline(size, SwissOptions())
    assert outline == Outline(rounds, rounds * (size // 2), rounds, rounds * (size % 2))
    assert SWISS.outline(size, SwissOptions(rounds=7)).rounds == 7


def test_it_ends_after_its_last_round():
    record = Record(make_seats(4))
    for number in (1, 2):
        assert not SWISS.is_over(record, SwissOptions())
        assert draw(record, SwissOptions()).number == number
        record = play_round(record, SwissOptions(), YELLOW_WINS)
    assert SWISS.is_over(record, SwissOptions())
    assert SWISS.next_rounds(record, SwissOptions(), 0) == ()


def test_latecomers_do_not_make_it_longer():
    record = Record((*make_seats(4), Seat("late", 5, first_round=2)))
    record = play_round(play_round(record, SwissOptions(), YELLOW_WINS), SwissOptions(), YELLOW_WINS)
    assert SWISS.is_over(record, SwissOptions())


def test_it_ends_when_fewer_than_two_are_left():
    record = play_round(Record(make_seats(3)), FOUR, YELLOW_WINS)
    left = [replace(seat, absences=(Absence(START + 2 * DAY),)) for seat in record.seats]
    assert not SWISS.is_over(replace(record, seats=(left[0], *record.seats[1:])), FOUR)
    assert SWISS.is_over(replace(record, seats=(*left[:2], record.seats[2])), FOUR)
    assert SWISS.next_rounds(replace(record, seats=tuple(left)), FOUR, 0) == ()
    assert SWISS.is_over(Record(make_seats(1)), FOUR)


def test_the_last_of_an_odd_number_has_the_bye_and_nobody_two():
    record = Record(make_seats(5))
    byes = []
    for _round in range(4):
        byes += draw(record).byes
        record = play_round(record, FOUR, YELLOW_WINS)
    assert byes[0] == "p5"
    assert len(set(byes)) == 4


def test_a_player_who_won_without_play_has_no_bye():
    record = Record(make_seats(5))
    drawn = draw(record)
    games = finish(drawn, YELLOW_WINS)
    upset = [pair.sides.yellow for pair in drawn.pairs]
    losers = [pair.sides.red for pair in drawn.pairs]
    forfeited = [
        replace(game, ending=Ending.FORFEIT, forfeited_by=game.sides.yellow, points=BySide(0, 5)) for game in games
    ]
    second = draw(hold(record, drawn, forfeited))
    assert {*second.byes} <= {*upset}
    assert not {*second.byes} & {*losers, "p5"}


def test_a_match_that_was_forfeited_may_be_played_later():
    record = Record(make_seats(2))
    drawn = draw(record)
    game = replace(finish(drawn, BySide(0, 0))[0], ending=Ending.FORFEIT)
    assert draw(hold(record, drawn, [game])).repeats == ()
    assert draw(play_round(record, FOUR, YELLOW_WINS)).repeats == draw(play_round(record, FOUR, YELLOW_WINS)).pairs


def test_a_bye_that_was_asked_for_is_given_once_and_worth_a_draw():
    seats = make_seats(6)
    record = Record((replace(seats[0], asked_byes=frozenset({1, 3})), *seats[1:]))
    first = draw(record)
    assert first.asked_byes == ("p1",)
    assert first.byes == ("p6",)
    record = play_round(play_round(record, FOUR, YELLOW_WINS), FOUR, YELLOW_WINS)
    third = draw(record)
    assert third.asked_byes == ()
    assert "p1" in {entrant for pair in third.pairs for entrant in pair.sides}
    places = rank(["p1"], results_by_round(Record(record.seats, rounds=record.rounds[:1])), ["points"])
    assert places[0].values == {"points": 2}


def test_byes_on_request_can_be_left_out():
    seats = tuple(replace(seat, asked_byes=frozenset({1})) for seat in make_seats(2)) + make_seats(4)[2:]
    assert draw(Record(seats), SwissOptions(rounds=4, byes_on_request=False)).asked_byes == ()
    assert draw(Record(seats)).asked_byes == ("p1", "p2")


def test_nobody_sits_out_a_round_that_would_be_left_without_a_match():
    seats = make_seats(3)
    asking = tuple(replace(seat, asked_byes=frozenset({1})) for seat in seats[:2])
    drawn = draw(Record((*asking, seats[2])))
    assert drawn.asked_byes == ()
    assert len(drawn.pairs) == 1


def test_latecomers_come_with_nothing_and_who_has_left_is_not_paired():
    record = play_round(Record(make_seats(4)), FOUR, YELLOW_WINS)
    winners = {game.sides.yellow for game in record.games}
    gone = next(seat for seat in record.seats if seat.entrant not in winners)
    away = replace(gone, absences=(Absence(START + DAY),))
    seats = (*(away if seat is gone else seat for seat in record.seats), Seat("late", 5, first_round=2))
    second = draw(replace(record, seats=seats))
    (loser,) = {seat.entrant for seat in record.seats} - winners - {gone.entrant}
    assert pairs_of(second) == {frozenset(winners), frozenset({loser, "late"})}


def test_a_player_who_comes_back_is_paired_again():
    record = play_round(Record(make_seats(4)), FOUR, YELLOW_WINS)
    back = replace(record.seats[0], absences=(Absence(START + DAY, START + DAY + DAY / 4),))
    assert "p1" in {
        each for pair in draw(replace(record, seats=(back, *record.seats[1:]))).pairs for each in pair.sides
    }


def test_the_oldest_pairs_come_again_and_are_named_when_all_have_met():
    options = SwissOptions(rounds=9)
    record: Record[Any] = Record(make_seats(4))
    drawn = []
    for _round in range(9):
        drawn.append(draw(record, options))
        record = play_round(record, options, YELLOW_WINS)
    assert [pairs_of(each) for each in drawn[3:]] == [pairs_of(each) for each in drawn[:3]] * 2
    assert [len(each.repeats) for each in drawn] == [0] * 3 + [2] * 6


def test_the_less_often_yellow_is_yellow_then_the_last_red_then_the_higher_has_the_side_that_is_due():
    record = play_round(Record(make_seats(4)), FOUR, DRAWN)
    for pair in draw(record).pairs:
        assert sides_of(record, pair.sides.yellow) == "R"
        assert sides_of(record, pair.sides.red) == "Y"
    # Both won as Yellow: Red is due to both, and the higher in the table has it.
    record = play_round(Record(make_seats(4)), FOUR, YELLOW_WINS)
    top = draw(record).pairs[0].sides
    assert (sides_of(record, top.yellow), sides_of(record, top.red)) == ("Y", "Y")
    assert top.red == min(top)


def test_the_place_in_the_table_counts_for_sides_before_the_seed():
    seats = make_seats(4)
    record = Record(seats)
    drawn = draw(record)
    # The worse seed of the winners won 5-0, the better 3-2: both pair with 1 point, and the table has them apart.
    winners = [pair.sides.yellow for pair in drawn.pairs]
    worse = max(winners)
    games = [
        replace(game, points=YELLOW_WINS if game.sides.yellow == worse else BySide(3, 2))
        for game in finish(drawn, YELLOW_WINS)
    ]
    assert draw(hold(record, drawn, games)).pairs[0].sides.red == worse


@given(RANDOMS, SIZES, st.integers(1, 8), st.booleans())
def test_small_rounds_repeat_as_little_and_as_old_pairs_as_can_be(random, size, rounds, quiet):
    for record, drawn in play(random, size, rounds, quiet=quiet).rounds:
        playing = [entrant for pair in drawn.pairs for entrant in pair.sides] + [*drawn.byes]
        fewest = min(byes_of(record, entrant) for entrant in playing)
        candidates = [entrant for entrant in playing if byes_of(record, entrant) == fewest]
        least = min(repeats_in(record, pairs) for pairs, _ in pairings(playing, candidates))
        assert repeats_in(record, [(pair.sides.yellow, pair.sides.red) for pair in drawn.pairs]) == least
        assert len(drawn.repeats) == least[0]


@given(RANDOMS, SIZES, st.integers(1, 6))
def test_small_rounds_give_nobody_a_side_too_often_where_any_pairing_does_not(random, size, rounds):
    for record, drawn in play(random, size, rounds).rounds:
        playing = [entrant for pair in drawn.pairs for entrant in pair.sides] + [*drawn.byes]
        unplayed_wins = {
            entrant
            for game in record.games
            for entrant in game.sides
            if game.forfeited_by is not None and entrant != game.forfeited_by
        }
        candidates = [each for each in playing if not byes_of(record, each) and each not in unplayed_wins]

        def is_good(pair, record=record, drawn=drawn):
            return not rounds_met(record, *pair) and can_be_seated(record, drawn, rounds, *pair)

        if any(all(map(is_good, pairs)) for pairs, _ in pairings(playing, candidates)):
            assert all(is_good(pair.sides) for pair in drawn.pairs)


@given(RANDOMS, st.integers(2, 40), st.integers(1, 7))
def test_everybody_who_is_in_is_paired_or_has_a_bye(random, size, rounds):
    played = play(random, size, rounds)
    for record, drawn in played.rounds:
        named = [entrant for pair in drawn.pairs for entrant in pair.sides] + [*drawn.byes, *drawn.asked_byes]
        assert sorted(named) == sorted(players_in(record, drawn))
        assert len(drawn.byes) <= 1
        assert drawn.pairs
        if size > 2 * rounds + 2 and len(named) > 2 * rounds + 2:
            assert drawn.repeats == ()
            assert all(byes_of(record, entrant) == 0 for entrant in drawn.byes)
        for entrant in drawn.asked_byes:
            assert not any(entrant in each.asked_byes for each in record.rounds)
        for pair in drawn.pairs:
            first, second = (sides_of(record, entrant) for entrant in pair.sides)
            if is_too_much(first + "Y") or is_too_much(second + "R"):
                assert is_too_much(first + "R") or is_too_much(second + "Y")
    assert SWISS.is_over(played.record, played.options)


@given(RANDOMS, st.integers(2, 20), st.integers(1, 6))
def test_scores_and_sides_are_read_from_the_record(random, size, rounds):
    record = play(random, size, rounds).record
    for entrant, player in read_players(record).items():
        assert player.score == score_of(record, entrant) * WIN
        assert "".join(side.value[0].upper() for side in player.sides) == sides_of(record, entrant)
        assert len(player.floats) == len(record.rounds)
        assert player.points == next(
            row.values["points"] for row in rank([entrant], results_by_round(record), ["points"])
        )


def test_the_table_is_one_of_match_points_and_then_of_strength():
    record = play_round(play_round(Record(make_seats(5)), FOUR, YELLOW_WINS), FOUR, YELLOW_WINS)
    places = SWISS.places(record, FOUR, SWISS.tiebreaks)
    rows = rank(
        [seat.entrant for seat in record.seats],
        results_by_round(record),
        SWISS.tiebreaks,
        given={"draw": {seat.entrant: seat.lot for seat in record.seats}},
        swiss_rounds=2,
    )
    assert places == [Place(row.entrant, row.place) for row in rows]
    assert [row.values["points"] for row in rows] == sorted((row.values["points"] for row in rows), reverse=True)


def list_byes(record):
    """Return what each entrant without a match has for it, and whether it was their own will."""
    byes = [each for each in results_by_round(record) if isinstance(each, Bye)]
    return {each.entrant: (each.points, each.is_voluntary) for each in byes}


def test_rounds_without_a_match_are_byes_with_or_without_points_and_own_will():
    seats = (
        Seat("free", 1),
        Seat("asked", 2, asked_byes=frozenset({1})),
        Seat("late", 3, first_round=2),
        Seat("gone", 4, absences=(Absence(START),)),
        Seat("back", 5, absences=(Absence(START, START + 3 * DAY / 2),)),
        Seat("annulled", 6),
    )
    rounds = (HeldRound(1, START + DAY, None, START + 2 * DAY, ("free",), ("asked",)),)
    assert list_byes(Record(seats, rounds=rounds)) == {
        "free": (5, False),
        "asked": (2, True),
        "late": (0, True),
        "gone": (0, True),
        "back": (0, True),
        "annulled": (0, False),
    }
    undated = list_byes(Record(seats, rounds=(replace(rounds[0], started_at=None),)))
    assert (undated["gone"], undated["back"]) == ((0, True), (0, False))


def test_a_match_without_its_result_is_a_meeting_that_has_brought_nothing_yet():
    record = Record(make_seats(2))
    drawn = draw(record)
    game = Game(1, drawn.pairs[0].sides)
    held = hold(record, drawn, [game])
    player = read_players(held)["p1"]
    assert (player.score, player.points, player.met) == (0, 0, {2: (1,)})
    assert list(results_by_round(held)) == []


def test_it_says_what_it_allows():
    assert SWISS.abilities(SwissOptions()) == Abilities(
        late_entry=True, replacement=True, replays=True, pairs_by_results=True
    )
    assert SWISS.abilities(SwissOptions(byes_on_request=True)).byes_on_request
    assert SWISS.draw_ties(8, SwissOptions()) == ()


def test_it_says_how_it_is_played():
    sentences = [text % parameters for text, parameters in SWISS.describe(SwissOptions(rounds=5, byes_on_request=True))]
    assert sentences[0] == "There are 5 rounds."
    assert sentences[-1] == "You can ask beforehand to sit out one round. This counts as a draw."
    assert SWISS.describe(SwissOptions(rounds=1))[0] == ("There is one round.", {})
    assert SWISS.describe(SwissOptions())[0] == ("There are as many rounds as a knock-out would have.", {})
    assert len(SWISS.describe(SwissOptions(byes_on_request=False))) == len(sentences) - 1


def test_forfeits_that_were_won_and_floats_are_read_from_the_record():
    seats = make_seats(6)
    first = HeldRound(1, START, None, START + DAY, ("p5",), ("p6",))
    second: HeldRound[str] = HeldRound(2, START + DAY, None, START + 2 * DAY)
    games = (
        Game(1, BySide("p1", "p2"), points=YELLOW_WINS, goals=BySide(1, 0), ending=Ending.NORMAL_TIME),
        Game(1, BySide("p3", "p4"), points=BySide(0, 5), goals=BySide(0, 0), ending=Ending.FORFEIT, forfeited_by="p3"),
        Game(2, BySide("p1", "p3"), points=DRAWN, goals=BySide(1, 1), ending=Ending.NORMAL_TIME),
    )
    players = read_players(Record(seats, games, (first, second)))
    assert {entrant: [each.value for each in player.floats] for entrant, player in players.items()} == {
        "p1": ["none", "down"],
        "p2": ["none", "none"],
        "p3": ["none", "up"],
        "p4": ["down", "none"],
        "p5": ["down", "none"],
        "p6": ["down", "none"],
    }
    assert {entrant: player.forfeit_wins for entrant, player in players.items() if player.forfeit_wins} == {"p4": 1}
    assert [(player.score, player.points, player.byes) for player in players.values()] == [
        (3, 7, 0), (0, 0, 0), (1, 2, 0), (2, 5, 0), (2, 5, 1), (1, 2, 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("drawn", "places"), [(2, [("p2", 1), ("p1", 2), ("p3", 2)]), (3, [("p2", 1), ("p1", 2), ("p3", 3)])]
)
def test_byes_count_in_the_table_as_in_a_swiss_by_its_point_table(drawn, places):
    games = (
        Game(1, BySide("p2", "p3"), points=YELLOW_WINS, goals=BySide(1, 0)),
        Game(2, BySide("p1", "p2"), points=YELLOW_WINS, goals=BySide(1, 0)),
    )
    rounds = (HeldRound(1, START, byes=("p1",)), HeldRound(2, START, byes=("p3",)))
    record = Record(make_seats(3), games, rounds, point_table=replace(STANDARD, drawn=drawn))
    # p2 has met 5 and 10; p1 met 5, p3 5, and each a dummy of their own 10 and 5, but of no more than two draws.
    assert [(each.entrant, each.place) for each in SWISS.places(record, FOUR, ["buchholz"])] == places
