"""Meetings of two teams: what their boards add up to, against a second implementation that is deliberately simple."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.pairing.round_robin import schedule
from formats.protocol import Game, Record, Seat
from formats.results import results_of
from formats.scoring.standings import rank
from formats.sides import sides_at
from formats.team_meetings import TEAM_ORDER, meet, team_numbers
from rules_engine.values import BySide, Ending, Side

START = datetime(2026, 11, 1, tzinfo=UTC)
OUTCOMES = [(5, 0), (4, 1), (3, 2), (2, 2), (2, 3), (1, 4), (0, 5), (0, 0)]

Board = tuple[tuple[int, int], tuple[int, int]] | None
"""Match points and goals of Yellow and Red; nothing while the match goes on."""

boards_of_a_meeting = st.lists(
    st.none() | st.tuples(st.sampled_from(OUTCOMES), st.tuples(st.integers(0, 4), st.integers(0, 4))),
    min_size=2,
    max_size=6,
)
finished_boards = st.lists(
    st.tuples(st.sampled_from(OUTCOMES), st.tuples(st.integers(0, 1), st.integers(0, 1))), min_size=2, max_size=2
)


def games_of(home: str, guests: str, boards: list[Board], round_: int = 1) -> list[tuple[int, Game[str]]]:
    """Return the games of a meeting: the home team is Yellow at boards 1, 3 and 5."""
    games = []
    for number, board in enumerate(boards, start=1):
        sides = BySide(home, guests) if number in {1, 3, 5} else BySide(guests, home)
        if board is None:
            games.append((number, Game(round_, sides, number=number)))
            continue
        points, goals = BySide(*board[0]), BySide(*board[1])
        ended_at = START + timedelta(hours=number)
        games.append((number, Game(round_, sides, points=points, goals=goals, ended_at=ended_at, number=number)))
    return games


def count_naively(team: str, games: list[tuple[int, Game[str]]]) -> tuple[int, int, int]:
    """Return a team's match points, boards won, and goals, game by game."""
    match_points = won = goals = 0
    for _board, game in games:
        if game.points is None:
            continue
        if game.sides.yellow == team:
            match_points, goals = match_points + game.points.yellow, goals + game.goals.yellow
            won += 1 if game.points.yellow > game.points.red else 0
        else:
            match_points, goals = match_points + game.points.red, goals + game.goals.red
            won += 1 if game.points.red > game.points.yellow else 0
    return match_points, won, goals


def points_naively(team: str, other: str, games: list[tuple[int, Game[str]]]) -> int:
    """Return what a meeting is worth to a team: 2, 1 or 0. Tuples are compared number by number, as the rules say."""
    own, others = count_naively(team, games), count_naively(other, games)
    if own[0] == others[0] == 0 and own == others:
        return 0
    return 2 if own > others else 1 if own == others else 0


@given(boards_of_a_meeting)
def test_a_meeting_is_the_sum_of_its_boards(boards: list[Board]):
    games = games_of("home", "guests", boards)
    met = meet(games)
    score = met.team_score
    sums = zip(score.match_points, score.boards, score.goals, strict=True)
    assert list(sums) == [count_naively("home", games), count_naively("guests", games)]
    assert met.sides == BySide("home", "guests")
    if None in boards:
        assert (met.points, met.goals, met.ended_at) == (None, None, None)
        return
    assert tuple(met.points) == (points_naively("home", "guests", games), points_naively("guests", "home", games))
    assert tuple(met.goals) == tuple(score.goals)
    assert met.ended_at == START + timedelta(hours=len(boards))


@given(boards_of_a_meeting, st.randoms(use_true_random=False))
def test_the_order_of_the_boards_does_not_matter(boards: list[Board], random):
    games = games_of("home", "guests", boards)
    shuffled = random.sample(games, len(games))
    assert meet(shuffled) == meet(games)


@given(st.lists(finished_boards, min_size=6, max_size=6))
def test_a_league_is_ordered_by_points_match_points_boards_and_goals(results: list[list[Board]]):
    teams = ["a", "b", "c", "d"]
    pairs = [pair for each in schedule(teams, 1) for pair in each.pairs]
    played = {pair: games_of(pair.yellow, pair.red, boards) for pair, boards in zip(pairs, results, strict=True)}
    record = Record(
        seats=tuple(Seat(team, seed) for seed, team in enumerate(teams, start=1)),
        games=tuple(meet(games) for games in played.values()),
    )
    given_numbers = {"draw": {team: number for number, team in enumerate(teams)}, **team_numbers(teams, record.games)}
    rows = rank(teams, results_of(record), TEAM_ORDER, given=given_numbers)

    def numbers_of(team: str) -> tuple[int, ...]:
        """Return the numbers of a team that decide, each the larger the better."""
        points, sums = 0, [0, 0, 0]
        for pair, games in played.items():
            if team in pair:
                points += points_naively(team, pair.red if pair.yellow == team else pair.yellow, games)
                sums = [have + more for have, more in zip(sums, count_naively(team, games), strict=True)]
        return (points, *sums, -teams.index(team))

    assert [row.entrant for row in rows] == sorted(teams, key=numbers_of, reverse=True)


@pytest.mark.parametrize(
    ("boards", "points"),
    [
        ([((5, 0), (1, 0)), ((5, 0), (1, 0))], (1, 1)),
        ([((5, 0), (1, 0)), ((4, 1), (1, 0))], (2, 0)),
        ([((3, 2), (1, 0)), ((2, 3), (0, 1)), ((3, 2), (1, 0)), ((3, 2), (0, 1))], (2, 0)),
        # Level on match points, 10 each: 4-1, 3-2 and 3-2 are three boards against one of 5-0.
        ([((4, 1), (1, 0)), ((2, 3), (0, 1)), ((3, 2), (1, 0)), ((5, 0), (1, 0))], (2, 0)),
        ([((2, 2), (1, 1)), ((2, 2), (0, 0))], (1, 1)),
        # Level on match points and boards: more goals.
        ([((5, 0), (3, 0)), ((5, 0), (1, 0))], (2, 0)),
        # Neither team has come.
        ([((0, 0), (0, 0)), ((0, 0), (0, 0))], (0, 0)),
    ],
)
def test_points_boards_and_goals_decide_a_meeting(boards: list[Board], points: tuple[int, int]):
    assert tuple(meet(games_of("home", "guests", boards)).points) == points


def test_a_meeting_in_which_all_boards_were_forfeited_was_not_played():
    sides = BySide("home", "guests")
    lost = [
        (
            board,
            Game(
                1,
                sides_at(board, sides),
                points=sides_at(board, BySide(5, 0)),
                goals=BySide(0, 0),
                ending=Ending.FORFEIT,
            ),
        )
        for board in (1, 2)
    ]
    assert (meet(lost).ending, tuple(meet(lost).points)) == (Ending.FORFEIT, (2, 0))
    assert meet([lost[0], *games_of("home", "guests", [None, ((2, 2), (0, 0))])[1:]]).ending is None


def test_boards_of_different_teams_are_no_meeting():
    games = games_of("home", "guests", [None, None])
    with pytest.raises(ValueError, match="different teams"):
        meet([games[0], (2, Game(1, BySide("others", "home")))])
    with pytest.raises(ValueError, match="has boards"):
        meet([])


@pytest.mark.parametrize("board", range(1, 7))
def test_the_home_team_is_yellow_on_odd_boards(board: int):
    sides = sides_at(board, BySide("home", "guests"))
    assert sides[Side.YELLOW if board in {1, 3, 5} else Side.RED] == "home"
    assert sides_at(board, sides) == BySide("home", "guests")
