"""The state of the ties of a bracket, from the draw and the record alone."""

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.double_elimination import DoubleElimination, DoubleEliminationOptions
from formats.knock_out import KnockOut, KnockOutOptions
from formats.pairing.legs import Decider
from formats.protocol import Absence, Game, HeldRound, Part, Place, Record, TieKey
from formats.ties import DueLeg, TieState, are_settled
from rules_engine.values import BySide, Ending
from tests.formats.bracket_life import BracketLife, round_to_begin
from tests.formats.brackets import BEGAN, HOUR, make_record, play_on, resolve, win

CUP, DOUBLE = KnockOut(), DoubleElimination()
TWO_LEGS = KnockOutOptions()
ONE_LEG = KnockOutOptions(legs=1, replays=0, third_place=True)
ONE_LEG_DOUBLE = DoubleEliminationOptions(legs=1, replays=0)
UPPER, LOWER, FINAL = TieKey(1, Part.MAIN, 0), TieKey(1, Part.MAIN, 1), TieKey(2, Part.MAIN, 0)
THIRD = TieKey(2, Part.THIRD_PLACE, 0)
LEVEL = (BySide(2, 2), BySide(0, 0))


def at(hours: float) -> datetime:
    return BEGAN + timedelta(hours=hours)


def add(record: Record[Any], *games: Game[Any]) -> Record[Any]:
    return replace(record, games=(*record.games, *games))


def leave(record: Record[Any], entrant: Any, since: datetime, until: datetime | None = None) -> Record[Any]:
    seats = tuple(
        replace(seat, absences=(*seat.absences, Absence(since, until))) if seat.entrant == entrant else seat
        for seat in record.seats
    )
    return replace(record, seats=seats)


def leg(key: TieKey, yellow: int, red: int, number: int = 1, **about: Any) -> Game[int]:
    return Game(key.round, BySide(yellow, red), key, number, **about)


def level(key: TieKey, yellow: int, red: int, number: int, ended_at: datetime) -> Game[int]:
    return leg(key, yellow, red, number, points=LEVEL[0], goals=LEVEL[1], ended_at=ended_at)


def untouched(key: TieKey, yellow: int, red: int, number: int = 1, ended_at: datetime = BEGAN + HOUR) -> Game[int]:
    nothing = BySide(0, 0)
    return leg(key, yellow, red, number, points=nothing, goals=nothing, ending=Ending.FORFEIT, ended_at=ended_at)


def forfeit(key: TieKey, yellow: int, red: int, by: int, ended_at: datetime, number: int = 1) -> Game[int]:
    points = BySide(0, 5) if by == yellow else BySide(5, 0)
    about = {"points": points, "goals": BySide(0, 0), "ending": Ending.FORFEIT, "forfeited_by": by}
    return leg(key, yellow, red, number, ended_at=ended_at, **about)


def next_round(record: Record[Any]) -> int | None:
    return round_to_begin(resolve(CUP, ONE_LEG, record).values(), record)


def how(tie: Any) -> tuple[Any, ...]:
    return tie.state, tie.winner, tie.decided_by, tie.decided_at


def test_before_a_group_has_begun_it_is_known_who_meets_first_and_nothing_is_due():
    resolved = resolve(CUP, TWO_LEGS, replace(make_record(4), began_at=None))
    assert [(tie.state, tie.first, tie.second, tie.legs_due) for tie in resolved.values()] == [
        (TieState.WAITING, 1, 4, ()),
        (TieState.WAITING, 3, 2, ()),
        (TieState.WAITING, None, None, ()),
    ]


def test_both_legs_are_due_at_once_with_sides_swapped():
    resolved = resolve(CUP, TWO_LEGS, make_record(4))
    assert resolved[UPPER].legs_due == (DueLeg(1, BySide(1, 4)), DueLeg(2, BySide(4, 1)))
    assert (resolved[UPPER].state, resolved[UPPER].known_at) == (TieState.OPEN, BEGAN)
    assert resolved[FINAL].state is TieState.WAITING


def test_a_leg_that_has_begun_is_not_due_again():
    record = add(make_record(4), leg(UPPER, 1, 4))
    assert resolve(CUP, TWO_LEGS, record)[UPPER].legs_due == (DueLeg(2, BySide(4, 1)),)


def test_a_level_tie_is_replayed_with_sides_swapped_and_then_the_higher_seed_goes_on():
    record = add(make_record(2), level(UPPER, 1, 2, 1, at(1)), level(UPPER, 2, 1, 2, at(2)))
    (tie,) = resolve(CUP, TWO_LEGS, record).values()
    assert tie.legs_due == (DueLeg(3, BySide(1, 2)), DueLeg(4, BySide(2, 1)))
    record = add(record, level(UPPER, 1, 2, 3, at(3)), level(UPPER, 2, 1, 4, at(4)))
    (tie,) = resolve(CUP, TWO_LEGS, record).values()
    assert how(tie) == (TieState.DECIDED, 1, Decider.SEED, at(4))


def test_later_legs_keep_to_the_sides_of_those_that_have_begun():
    record = add(make_record(2), level(UPPER, 2, 1, 1, at(1)))
    (tie,) = resolve(CUP, TWO_LEGS, record).values()
    assert tie.legs_due == (DueLeg(2, BySide(1, 2)),)
    options = KnockOutOptions(legs=1)
    (tie,) = resolve(CUP, options, record).values()
    assert tie.legs_due == (DueLeg(2, BySide(1, 2)), DueLeg(3, BySide(2, 1)))


def test_a_later_leg_waits_for_an_earlier_one():
    won = {"points": BySide(5, 0), "goals": BySide(3, 0), "ended_at": at(1)}
    record = add(make_record(2), leg(UPPER, 1, 2), leg(UPPER, 2, 1, 2, **won))
    (tie,) = resolve(CUP, TWO_LEGS, record).values()
    assert (tie.state, tie.legs_due) == (TieState.OPEN, ())


def test_the_final_can_be_played_when_both_semi_finals_are_decided():
    record = add(make_record(4), *win(resolve(CUP, ONE_LEG, make_record(4))[UPPER], 4, at(5)))
    assert resolve(CUP, ONE_LEG, record)[FINAL].state is TieState.WAITING
    assert resolve(CUP, ONE_LEG, record)[FINAL].first == 4
    record = add(record, *win(resolve(CUP, ONE_LEG, record)[LOWER], 2, at(3)))
    resolved = resolve(CUP, ONE_LEG, record)
    assert (resolved[FINAL].first, resolved[FINAL].second, resolved[FINAL].known_at) == (4, 2, at(5))
    assert (resolved[THIRD].first, resolved[THIRD].second) == (1, 3)
    assert not are_settled(resolved.values())
    assert are_settled(resolve(CUP, ONE_LEG, play_on(CUP, ONE_LEG, record, min)).values())


def test_an_entrant_who_withdraws_loses_the_open_tie_and_each_tie_after_it():
    record = leave(make_record(4), 4, at(7))
    resolved = resolve(CUP, ONE_LEG, record)
    assert how(resolved[UPPER]) == (TieState.DECIDED, 1, Decider.WITHDRAWAL, at(7))
    record = add(record, *win(resolved[LOWER], 2, at(9)))
    assert how(resolve(CUP, ONE_LEG, record)[THIRD]) == (TieState.DECIDED, 3, Decider.WITHDRAWAL, at(9))


def test_an_entrant_who_withdraws_keeps_a_tie_won_before_and_loses_the_next():
    record = add(make_record(4), *win(resolve(CUP, ONE_LEG, make_record(4))[UPPER], 1, at(1)))
    record = leave(add(record, *win(resolve(CUP, ONE_LEG, record)[LOWER], 2, at(2))), 1, at(3))
    resolved = resolve(CUP, ONE_LEG, record)
    assert how(resolved[UPPER]) == (TieState.DECIDED, 1, Decider.POINTS, at(1))
    assert how(resolved[FINAL]) == (TieState.DECIDED, 2, Decider.WITHDRAWAL, at(3))


def test_a_result_after_a_withdrawal_changes_nothing():
    record = leave(make_record(2), 1, at(3))
    won = leg(UPPER, 1, 2, points=BySide(5, 0), goals=BySide(1, 0), ended_at=at(4))
    (tie,) = resolve(CUP, ONE_LEG, add(record, won)).values()
    assert how(tie) == (TieState.DECIDED, 2, Decider.WITHDRAWAL, at(3))


def test_the_forfeits_that_follow_from_a_withdrawal_are_not_what_decides():
    record = leave(make_record(2), 1, at(3))
    lost = [forfeit(UPPER, 1, 2, 1, at(3)), forfeit(UPPER, 2, 1, 1, at(3), number=2)]
    (tie,) = resolve(CUP, TWO_LEGS, add(record, *lost)).values()
    assert how(tie) == (TieState.DECIDED, 2, Decider.WITHDRAWAL, at(3))


def test_if_both_have_withdrawn_the_higher_seed_goes_on_and_loses_the_next():
    record = leave(leave(make_record(4), 1, at(2)), 4, at(2))
    resolved = resolve(CUP, ONE_LEG, record)
    assert how(resolved[UPPER]) == (TieState.DECIDED, 1, Decider.SEED, at(2))
    record = add(record, *win(resolved[LOWER], 3, at(4)))
    assert how(resolve(CUP, ONE_LEG, record)[FINAL]) == (TieState.DECIDED, 3, Decider.WITHDRAWAL, at(4))


def test_a_seat_that_was_taken_over_before_the_tie_was_known_loses_nothing():
    record = add(make_record(4), *win(resolve(CUP, ONE_LEG, make_record(4))[UPPER], 1, at(1)))
    record = leave(record, 1, at(2), until=at(3))
    record = add(record, *win(resolve(CUP, ONE_LEG, record)[LOWER], 2, at(4)))
    assert resolve(CUP, ONE_LEG, record)[FINAL].legs_due == (DueLeg(1, BySide(1, 2)),)
    known_earlier = add(record, *win(resolve(CUP, ONE_LEG, record)[FINAL], 2, at(6)))
    assert how(resolve(CUP, ONE_LEG, known_earlier)[FINAL]) == (TieState.DECIDED, 2, Decider.POINTS, at(6))


def test_a_seat_that_was_taken_over_while_a_tie_was_open_had_lost_it():
    record = leave(make_record(2), 2, at(2), until=at(3))
    (tie,) = resolve(CUP, ONE_LEG, record).values()
    assert how(tie) == (TieState.DECIDED, 1, Decider.WITHDRAWAL, at(2))


def test_an_absence_that_ended_before_a_match_was_set_up_again_is_over():
    record = leave(make_record(2), 2, at(2), until=at(3))
    record = add(record, leg(UPPER, 1, 2, again_at=at(4)))
    (tie,) = resolve(CUP, ONE_LEG, record).values()
    assert (tie.state, tie.known_at) == (TieState.OPEN, at(4))


def test_an_unbeaten_entrant_who_leaves_the_final_loses_the_second_final_as_well():
    record = make_record(4)
    for _ in range(3):
        record = play_on(DOUBLE, ONE_LEG_DOUBLE, record, min)
    resolved = resolve(DOUBLE, ONE_LEG_DOUBLE, leave(record, 1, at(50)))
    final, second = resolved[TieKey(4, Part.FINAL, 0)], resolved[TieKey(5, Part.RESET, 0)]
    assert how(final) == how(second) == (TieState.DECIDED, 2, Decider.WITHDRAWAL, at(50))


def test_a_tie_that_neither_side_began_goes_to_nobody_and_the_next_is_a_bye():
    record = add(make_record(4), untouched(UPPER, 1, 4))
    record = add(record, *win(resolve(CUP, ONE_LEG, record)[LOWER], 2, at(3)))
    resolved = resolve(CUP, ONE_LEG, record)
    assert how(resolved[UPPER]) == (TieState.DECIDED, None, Decider.NEITHER, at(1))
    assert resolved[UPPER].loser is None
    assert how(resolved[FINAL]) == (TieState.BYE, 2, Decider.BYE, at(3))
    assert how(resolved[THIRD]) == (TieState.BYE, 3, Decider.BYE, at(3))
    assert not resolved[FINAL].legs_due
    assert CUP.is_over(record, ONE_LEG)
    assert CUP.places(record, ONE_LEG, ()) == [Place(2, 1), Place(3, 3), Place(1, 4), Place(4, 4)]


def test_an_entrant_with_a_bye_goes_on_to_the_next_tie():
    eight = play_on(CUP, ONE_LEG, replace(make_record(8), games=(untouched(UPPER, 1, 8),)), min)
    resolved = resolve(CUP, ONE_LEG, eight)
    assert (resolved[FINAL].state, resolved[FINAL].winner) == (TieState.BYE, 4)
    over = play_on(CUP, ONE_LEG, play_on(CUP, ONE_LEG, eight, min), min)
    assert CUP.is_over(over, ONE_LEG)
    assert [each.entrant for each in CUP.places(over, ONE_LEG, ())[:4]] == [2, 4, 3, 1]


def test_a_tie_to_which_nobody_comes_from_either_side_is_not_played_and_nobody_wins():
    record = add(make_record(4), untouched(UPPER, 1, 4), untouched(LOWER, 3, 2, ended_at=at(2)))
    resolved = resolve(CUP, ONE_LEG, record)
    assert how(resolved[FINAL]) == how(resolved[THIRD]) == (TieState.OFF, None, Decider.NOT_PLAYED, at(2))
    assert CUP.is_over(record, ONE_LEG)
    assert [each.place for each in CUP.places(record, ONE_LEG, ())] == [4, 4, 4, 4]


def test_a_final_that_neither_side_began_leaves_two_seconds():
    record = add(make_record(2), untouched(UPPER, 1, 2))
    assert CUP.places(record, ONE_LEG, ()) == [Place(1, 2), Place(2, 2)]


def test_an_untouched_leg_lets_the_other_decide():
    won = leg(UPPER, 2, 1, 2, points=BySide(2, 3), goals=BySide(1, 2), ended_at=at(1))
    (tie,) = resolve(CUP, TWO_LEGS, add(make_record(2), untouched(UPPER, 1, 2), won)).values()
    assert how(tie) == (TieState.DECIDED, 1, Decider.POINTS, at(1))


def test_a_replay_that_nobody_began_leaves_the_tie_to_the_higher_seed():
    record = add(make_record(2), level(UPPER, 1, 2, 1, at(1)), level(UPPER, 2, 1, 2, at(2)))
    record = add(record, untouched(UPPER, 1, 2, 3, at(3)), untouched(UPPER, 2, 1, 4, at(3)))
    (tie,) = resolve(CUP, TWO_LEGS, record).values()
    assert how(tie) == (TieState.DECIDED, 1, Decider.SEED, at(3))


def test_there_is_no_replay_of_a_tie_that_nobody_began():
    record = add(make_record(2), untouched(UPPER, 1, 2), untouched(UPPER, 2, 1, 2))
    (tie,) = resolve(CUP, TWO_LEGS, record).values()
    assert how(tie) == (TieState.DECIDED, None, Decider.NEITHER, at(1))


def test_a_forfeit_by_one_side_is_a_loss_like_others():
    (tie,) = resolve(CUP, ONE_LEG, add(make_record(2), forfeit(UPPER, 1, 2, 1, at(1)))).values()
    assert how(tie) == (TieState.DECIDED, 2, Decider.POINTS, at(1))


def test_nobody_goes_down_into_the_losers_bracket():
    record = add(make_record(4), untouched(UPPER, 1, 4))
    record = play_on(DOUBLE, ONE_LEG_DOUBLE, record, min)
    resolved = resolve(DOUBLE, ONE_LEG_DOUBLE, record)
    assert how(resolved[TieKey(2, Part.MAIN, 0)])[:2] == (TieState.BYE, 2)
    assert how(resolved[TieKey(2, Part.LOSERS, 0)])[:2] == (TieState.BYE, 3)
    assert how(resolved[TieKey(3, Part.LOSERS, 0)])[:2] == (TieState.BYE, 3)
    over = play_on(DOUBLE, ONE_LEG_DOUBLE, record, min)
    assert DOUBLE.places(over, ONE_LEG_DOUBLE, ()) == [Place(2, 1), Place(3, 2), Place(1, 4), Place(4, 4)]


def test_a_tie_waits_for_its_round_where_rounds_follow_each_other():
    record = make_record(2, in_rounds=True)
    assert resolve(CUP, ONE_LEG, record)[UPPER].state is TieState.WAITING
    planned = replace(record, rounds=(HeldRound(1),))
    assert resolve(CUP, ONE_LEG, planned)[UPPER].state is TieState.WAITING
    begun = replace(record, rounds=(HeldRound(1, started_at=at(2)),))
    assert resolve(CUP, ONE_LEG, begun)[UPPER].known_at == at(2)
    assert resolve(CUP, ONE_LEG, leave(begun, 1, at(1)))[UPPER].decided_at == at(2)


def test_the_start_of_a_round_does_not_matter_where_nobody_waits_for_it():
    record = make_record(2, rounds=(HeldRound(1, started_at=at(2)),))
    assert resolve(CUP, ONE_LEG, record)[UPPER].known_at == BEGAN


def test_the_next_round_begins_when_every_tie_before_it_is_decided():
    record = make_record(4, in_rounds=True)
    assert next_round(record) == 1
    record = replace(record, rounds=(HeldRound(1, started_at=BEGAN),))
    assert next_round(record) is None
    record = play_on(CUP, ONE_LEG, record, min)
    assert next_round(record) == 2
    record = replace(record, rounds=(*record.rounds, HeldRound(2, started_at=at(4))))
    assert next_round(record) is None
    assert next_round(play_on(CUP, ONE_LEG, record, min)) is None


def test_a_round_in_which_nothing_is_to_be_played_begins_only_when_something_is_taken_back():
    record = make_record(4, in_rounds=True, rounds=(HeldRound(1, started_at=BEGAN),))
    nobody = add(record, untouched(UPPER, 1, 4), untouched(LOWER, 3, 2))
    assert next_round(nobody) is None
    record = add(record, *win(resolve(CUP, ONE_LEG, record)[UPPER], 1, at(2)), *nobody.games[1:])
    assert (next_round(record), resolve(CUP, ONE_LEG, record)[FINAL].state) == (None, TieState.BYE)
    back = play_on(CUP, ONE_LEG, replace(record, games=record.games[:1]), min)
    assert next_round(back) == 2


def test_no_round_begins_as_a_whole_where_nobody_waits_for_it():
    assert next_round(make_record(4)) is None


def test_a_bye_does_not_wait_for_its_round():
    record = make_record(4, in_rounds=True, rounds=(HeldRound(1, started_at=at(0)),))
    record = add(record, untouched(UPPER, 1, 4))
    record = add(record, *win(resolve(CUP, ONE_LEG, record)[LOWER], 2, at(3)))
    assert resolve(CUP, ONE_LEG, record)[FINAL].state is TieState.BYE


@pytest.mark.parametrize(("begun", "state"), [(2, TieState.DECIDED), (3, TieState.OPEN), (4, TieState.OPEN)])
def test_once_a_round_is_cut_short_only_replays_that_have_begun_are_played(begun, state):
    record = make_record(2, rounds=(HeldRound(1, cut_short_at=at(9)),))
    record = add(record, level(UPPER, 1, 2, 1, at(1)), level(UPPER, 2, 1, 2, at(2)))
    sides = {3: (1, 2), 4: (2, 1)}
    record = add(record, *(leg(UPPER, *sides[number], number) for number in range(3, begun + 1)))
    (tie,) = resolve(CUP, KnockOutOptions(replays=3), record).values()
    assert tie.state is state
    assert [due.leg for due in tie.legs_due] == ([4] if begun == 3 else [])


def test_games_between_others_than_those_who_meet_decide_nothing_and_are_named():
    record = make_record(4)
    for _ in range(2):
        record = play_on(CUP, ONE_LEG, record, min)
    final = next(game for game in record.games if game.tie == FINAL)
    corrected = [replace(game, points=BySide(0, 5)) if game.tie == UPPER else game for game in record.games]
    resolved = resolve(CUP, ONE_LEG, replace(record, games=tuple(corrected)))
    assert (resolved[FINAL].first, resolved[FINAL].second) == (4, 2)
    assert resolved[FINAL].strays == (final,)
    assert resolved[FINAL].legs_due == (DueLeg(1, BySide(4, 2)),)
    assert resolved[UPPER].strays == ()


def test_games_of_a_tie_that_is_open_again_are_strays_as_well():
    record = make_record(4)
    for _ in range(2):
        record = play_on(CUP, ONE_LEG, record, min)
    without = tuple(game for game in record.games if game.tie != UPPER)
    resolved = resolve(CUP, ONE_LEG, replace(record, games=without))
    assert resolved[UPPER].state is TieState.OPEN
    assert (resolved[FINAL].state, len(resolved[FINAL].strays)) == (TieState.WAITING, 1)


@settings(max_examples=50)
@given(
    st.sampled_from([CUP, DOUBLE]),
    st.integers(3, 12),
    st.integers(1, 2),
    st.integers(0, 2),
    st.booleans(),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_a_bracket_ends_and_its_record_gives_the_decisions_on_the_way_whatever_happens(
    format_, size, legs, replays, extra, in_rounds, random
):
    about = {"reset": extra} if format_ is DOUBLE else {"third_place": extra}
    options = format_.options(legs=legs, replays=replays, **about)
    life = BracketLife(format_, options, size, random, in_rounds=in_rounds)
    record = life.live()

    resolved = resolve(format_, options, record)
    assert life.decided == {
        key: (tie.state, tie.first, tie.second, tie.winner, tie.decided_by, tie.decided_at)
        for key, tie in resolved.items()
    }
    mixed = replace(record, games=tuple(random.sample(record.games, len(record.games))), rounds=record.rounds[::-1])
    assert resolve(format_, options, mixed) == resolved

    losses = Counter(tie.loser for tie in resolved.values() if tie.loser is not None)
    assert max(losses.values(), default=0) <= (2 if format_ is DOUBLE else 1 + extra)
    places = format_.places(record, options, ())
    assert all(each.place is not None for each in places)
    assert sum(each.place == 1 for each in places) <= 1
    outline = format_.outline(size, options)
    assert outline.matches is not None
    assert len(record.games) <= outline.matches
