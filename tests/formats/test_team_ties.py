"""Ties of teams: what decides them, against a table by hand and a second implementation that is deliberately simple."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.knock_out import KnockOut, KnockOutOptions
from formats.pairing.legs import Decider
from formats.protocol import Absence, FromSeed, Game, Outcome, Part, Record, TieKey
from formats.team_meetings import join_boards
from formats.ties import TieState, are_settled
from rules_engine.values import BySide, Ending
from tests.formats.brackets import BEGAN, HOUR, make_record, resolve

CUP = KnockOut()
FINAL = TieKey(1, Part.MAIN, 0)
HOME, GUESTS = 1, 2
"""The seeds of two teams: the first is the higher one."""

Board = tuple[int, int, int, int]
"""Match points of the higher seed and of the lower one, then their goals."""

boards = st.tuples(
    st.sampled_from([(5, 0), (4, 1), (3, 2), (2, 2), (2, 3), (1, 4), (0, 5)]),
    st.tuples(st.integers(0, 2), st.integers(0, 2)),
).map(lambda drawn: (*drawn[0], *drawn[1]))


def options(legs: int, *, third_place: bool = False) -> KnockOutOptions:
    return KnockOutOptions(legs=legs, replays=0, third_place=third_place)


def play_leg(
    key: TieKey, first: int, second: int, leg: int, results: list[Board], at: datetime = BEGAN + HOUR
) -> list[tuple[int | None, Game[int]]]:
    """Return the boards of a leg, with points and goals of the first and the second team.

    The first one is at home in the odd legs, and the home team is Yellow at boards 1, 3 and 5.
    """
    played = []
    for board, (points, others, goals, goals_of_others) in enumerate(results, start=1):
        first_is_yellow = (leg % 2 == 1) == (board in {1, 3, 5})
        both = [(first, points, goals), (second, others, goals_of_others)]
        yellow, red = both if first_is_yellow else both[::-1]
        game = Game(
            key.round,
            BySide(yellow[0], red[0]),
            key,
            leg,
            points=BySide(yellow[1], red[1]),
            goals=BySide(yellow[2], red[2]),
            ending=Ending.RESIGNATION,
            ended_at=at,
            number=100 * leg + board,
        )
        played.append((board, game))
    return played


def decide(*legs: list[Board]) -> Any:
    """Return the tie of two teams with these legs."""
    games = [each for number, leg in enumerate(legs, start=1) for each in play_leg(FINAL, HOME, GUESTS, number, leg)]
    record = replace(make_record(2), games=tuple(join_boards(games)))
    return resolve(CUP, options(len(legs)), record)[FINAL]


def decide_naively(*legs: list[Board]) -> int:
    """Return the seed of who goes on, as the rules read: lists of sums, compared number by number."""
    sums = {HOME: [0, 0, 0], GUESTS: [0, 0, 0]}
    for points, others, goals, goals_of_others in [board for leg in legs for board in leg]:
        sums[HOME][0] += points
        sums[GUESTS][0] += others
        if points > others:
            sums[HOME][1] += 1
        if others > points:
            sums[GUESTS][1] += 1
        sums[HOME][2] += goals
        sums[GUESTS][2] += goals_of_others
    return GUESTS if sums[GUESTS] > sums[HOME] else HOME


@pytest.mark.parametrize(
    ("legs", "winner", "decided_by"),
    [
        # One leg. 8 : 2 match points.
        ([[(5, 0, 1, 0), (3, 2, 0, 0)]], HOME, Decider.POINTS),
        # 4 : 6, though each has won a board.
        ([[(4, 1, 1, 0), (0, 5, 0, 3)]], GUESTS, Decider.POINTS),
        # Points are not goals: 5 : 5 with one board each, so goals decide.
        ([[(5, 0, 2, 0), (0, 5, 0, 3)]], GUESTS, Decider.GOALS),
        # 6 : 6 at three boards: one against two boards won, whatever the goals.
        ([[(5, 0, 9, 0), (1, 4, 0, 1), (0, 2, 0, 1)]], GUESTS, Decider.BOARDS),
        # 7 : 7: the same for the higher seed.
        ([[(0, 5, 0, 4), (3, 2, 1, 0), (4, 0, 1, 0)]], HOME, Decider.BOARDS),
        # Level on all of it.
        ([[(5, 0, 1, 0), (0, 5, 0, 1)]], HOME, Decider.SEED),
        ([[(2, 2, 1, 1), (2, 2, 0, 0)]], HOME, Decider.SEED),
        # Two legs count together: 10 : 10 and two boards each, 3 : 4 goals.
        ([[(5, 0, 1, 0), (5, 0, 2, 0)], [(0, 5, 0, 2), (0, 5, 0, 2)]], GUESTS, Decider.GOALS),
        # The first leg alone says nothing: 3 : 7, then 8 : 2.
        ([[(3, 2, 0, 0), (0, 5, 0, 1)], [(5, 0, 1, 0), (3, 2, 0, 0)]], HOME, Decider.POINTS),
        ([[(5, 0, 1, 0), (2, 2, 0, 0)], [(0, 5, 0, 1), (2, 2, 0, 0)]], HOME, Decider.SEED),
    ],
)
def test_match_points_decide_then_boards_then_goals_then_the_higher_seed(
    legs: list[list[Board]], winner: int, decided_by: Decider
) -> None:
    tie = decide(*legs)
    assert (tie.state, tie.winner, tie.decided_by) == (TieState.DECIDED, winner, decided_by)
    assert tie.loser == HOME + GUESTS - winner


@given(
    st.integers(1, 2).flatmap(
        lambda legs: st.lists(st.lists(boards, min_size=2, max_size=6), min_size=legs, max_size=legs)
    )
)
def test_a_tie_is_decided_as_the_rules_read(legs: list[list[Board]]) -> None:
    assert decide(*legs).winner == decide_naively(*legs)


def test_a_tie_waits_for_its_last_board() -> None:
    games = play_leg(FINAL, HOME, GUESTS, 1, [(5, 0, 1, 0), (5, 0, 1, 0), (5, 0, 1, 0)])
    board, last = games[2]
    going_on = [*games[:2], (board, replace(last, points=None, goals=None, ending=None, ended_at=None))]
    tie = resolve(CUP, options(1), replace(make_record(2), games=tuple(join_boards(going_on))))[FINAL]
    assert (tie.state, tie.winner, tie.legs_due) == (TieState.OPEN, None, ())


def forfeit(games: list[tuple[int | None, Game[int]]], board: int, by: int | None) -> None:
    """Let a board be lost without play by a team, or by both."""
    number, game = games[board - 1]
    points = BySide(0, 0) if by is None else BySide(0, 5) if game.sides.yellow == by else BySide(5, 0)
    lost = replace(game, points=points, goals=BySide(0, 0), ending=Ending.FORFEIT, forfeited_by=by, ended_at=BEGAN)
    games[board - 1] = (number, lost)


def resolve_forfeited(forfeits: list[int | None], **absences: Any) -> Any:
    """Return a tie of as many boards, each lost without play by the team named, or by both."""
    games = play_leg(FINAL, HOME, GUESTS, 1, [(5, 0, 1, 0)] * len(forfeits))
    for board, by in enumerate(forfeits, start=1):
        forfeit(games, board, by)
    return resolve(CUP, options(1), replace(make_record(2), games=tuple(join_boards(games)), **absences))[FINAL]


def test_a_team_that_misses_all_boards_loses_and_if_both_do_nobody_goes_on() -> None:
    lost = resolve_forfeited([HOME, HOME])
    assert (lost.winner, lost.decided_by) == (GUESTS, Decider.POINTS)
    # A board that both miss is worth nothing to either.
    assert resolve_forfeited([None, HOME, None]).winner == GUESTS
    nobody = resolve_forfeited([None, None])
    assert (nobody.state, nobody.winner, nobody.decided_by) == (TieState.DECIDED, None, Decider.NEITHER)


@pytest.mark.parametrize(
    ("hours", "winner", "decided_by"), [(2, HOME, Decider.POINTS), (0.5, GUESTS, Decider.WITHDRAWAL)]
)
def test_a_team_that_withdraws_loses_an_open_tie_and_not_one_that_is_over(
    hours: float, winner: int, decided_by: Decider
) -> None:
    """The home team leads at every board; at an hour all are over. One is forfeited by leaving before."""
    left_at = BEGAN + hours * HOUR
    games = play_leg(FINAL, HOME, GUESTS, 1, [(5, 0, 1, 0), (5, 0, 1, 0), (5, 0, 1, 0)])
    if left_at < BEGAN + HOUR:
        games[0] = (1, replace(games[0][1], ended_at=BEGAN))
        for board in (2, 3):
            forfeit(games, board, HOME)
            # Matches end at whole milliseconds, not after the withdrawal.
            games[board - 1] = (board, replace(games[board - 1][1], ended_at=left_at - timedelta(microseconds=300)))
    record = make_record(2)
    seats = tuple(
        replace(seat, absences=(Absence(left_at),)) if seat.entrant == HOME else seat for seat in record.seats
    )
    tie = resolve(CUP, options(1), replace(record, seats=seats, games=tuple(join_boards(games))))[FINAL]
    assert (tie.winner, tie.decided_by) == (winner, decided_by)


def play_bracket(
    teams: int, legs: int, number_of_boards: int, source: Random
) -> tuple[Record[int], Mapping[TieKey, Any], dict[TieKey, list[list[Board]]]]:
    """Play a bracket to its end; return the record, how its ties stand, and the results of each by its legs."""
    record, clock = make_record(teams), count(1)
    results: dict[TieKey, list[list[Board]]] = {}
    while True:
        resolved = resolve(CUP, options(legs, third_place=True), record)
        if are_settled(resolved.values()):
            return record, resolved, results
        games: list[tuple[int | None, Game[int]]] = []
        for key, tie in resolved.items():
            if not tie.legs_due:
                continue
            at = BEGAN + next(clock) * HOUR
            drawn = [[_draw_board(source) for _ in range(number_of_boards)] for _ in tie.legs_due]
            results[key] = drawn
            first, second = tie.first, tie.second
            if legs == 1 and tie.legs_due[0].sides.yellow == second:
                # The balance of sides lets the lower team be at home.
                first, second = second, first
                flipped = [(others, points, more, goals) for points, others, goals, more in drawn[0]]
                games += play_leg(key, first, second, 1, flipped, at)
                continue
            for due, leg in zip(tie.legs_due, drawn, strict=True):
                assert due.sides.yellow == (first if due.leg % 2 else second)
                games += play_leg(key, first, second, due.leg, leg, at)
        record = replace(record, games=(*record.games, *join_boards(games)))


def _draw_board(source: Random) -> Board:
    points = source.choice([(5, 0), (4, 1), (3, 2), (2, 2), (2, 3), (1, 4), (0, 5)])
    return (*points, source.randrange(3), source.randrange(3))


@pytest.mark.parametrize("teams", range(3, 10))
@given(st.integers(1, 2), st.integers(2, 6), st.randoms(use_true_random=False))
def test_brackets_of_teams_come_to_the_end_that_the_rules_give(
    teams: int, legs: int, number_of_boards: int, source: Random
) -> None:
    record, resolved, results = play_bracket(teams, legs, number_of_boards, source)
    winners: dict[TieKey, tuple[int, int]] = {}
    for drawn in CUP.draw_ties(teams, options(legs, third_place=True)):
        both = []
        for side in (drawn.first, drawn.second):
            if isinstance(side, FromSeed):
                both.append(side.seed)
            else:
                both.append(winners[side.tie][0 if side.outcome is Outcome.WINNER else 1])
        sums = [[0, 0, 0], [0, 0, 0]]
        for points, others, goals, goals_of_others in [board for leg in results[drawn.key] for board in leg]:
            sums[0] = [sums[0][0] + points, sums[0][1] + (points > others), sums[0][2] + goals]
            sums[1] = [sums[1][0] + others, sums[1][1] + (others > points), sums[1][2] + goals_of_others]
        # Seeds count from 1: of two that are level the smaller number goes on.
        ranked = sorted(zip(sums, both, strict=True), key=lambda each: ([-number for number in each[0]], each[1]))
        winners[drawn.key] = (ranked[0][1], ranked[1][1])
        tie = resolved[drawn.key]
        assert (tie.winner, tie.loser) == winners[drawn.key]
    # Of three teams one has a bye in the semi-final, so that there is nobody to meet for third place.
    assert len(resolved) == len(winners) == (teams if teams > 3 else 2)
    places = {each.entrant: each.place for each in CUP.places(record, options(legs, third_place=True), ())}
    final = TieKey(max(key.round for key in winners), Part.MAIN, 0)
    assert (places[winners[final][0]], places[winners[final][1]]) == (1, 2)
    for key, (_winner, loser) in winners.items():
        ahead = sum(place < places[loser] for place in places.values())
        lost_to_play_on = key.round == final.round - 1 and teams > 3
        assert lost_to_play_on or places[loser] == ahead + 1
    assert sorted(places.values())[:3] == [1, 2, 3]
