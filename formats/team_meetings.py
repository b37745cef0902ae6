"""Meetings of two teams: board k meets board k, and what the boards give is the teams' result."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from formats.protocol import Format, Game, TieKey
from formats.scoring.points import TeamScore
from formats.sides import sides_at
from rules_engine.values import BySide, Ending, Side

E = TypeVar("E", bound=Hashable)

MIN_BOARDS = 2
MAX_BOARDS = 6
TEAM_ORDER = ("points", "match-points", "boards", "goals", "draw")
"""The tie-breaks by which the table of a league of teams is ordered."""


def usual_order(spec: Format, *, of_teams: bool) -> tuple[str, ...]:
    """Return the tie-breaks that order a table unless others are chosen: teams have an order of their own.

    A bracket, which has no table, has none.
    """
    return TEAM_ORDER if of_teams and spec.tiebreaks else spec.tiebreaks


def meet(boards: Sequence[tuple[int, Game[E]]]) -> Game[E]:
    """Return a meeting of two teams as one game, from the games at its boards, which are not annulled.

    The home team is Yellow. It has its points, those of a league, as soon as all boards have results, and ends with
    the last of them. Of how it ended is known only whether all boards were forfeited. Where a board was set up again,
    so was the meeting. It has its boards in their order, in whichever they are given. Raises ``ValueError`` for no
    boards, or boards of different teams.
    """
    if not boards:
        raise ValueError("a meeting has boards")
    teams = sides_at(boards[0][0], boards[0][1].sides)
    if any(sides_at(board, game.sides) != teams for board, game in boards):
        raise ValueError("these boards are of different teams")
    games = [game for _board, game in sorted(boards, key=lambda each: each[0])]
    first = min(games, key=lambda game: game.number)
    score = add_up_boards(boards)
    met = Game(
        round=first.round,
        sides=teams,
        tie=first.tie,
        leg=first.leg,
        again_at=max((game.again_at for game in games if game.again_at is not None), default=None),
        number=first.number,
        team_score=score,
        boards=tuple(games),
    )
    if not all(game.is_counted for game in games):
        return met
    is_forfeited = all(game.ending is Ending.FORFEIT for game in games)
    return replace(
        met,
        points=score.league_points,
        goals=score.goals,
        ending=Ending.FORFEIT if is_forfeited else None,
        ended_at=max((game.ended_at for game in games if game.ended_at is not None), default=None),
    )


def join_boards(games: Iterable[tuple[int | None, Game[E]]]) -> list[Game[E]]:
    """Return the games of a group with the boards of each meeting as one, each game given with its board, if any."""
    joined: list[Game[E]] = []
    meetings: dict[tuple[int, TieKey | None, int, BySide[E]], list[tuple[int, Game[E]]]] = defaultdict(list)
    for board, game in games:
        if board is None:
            joined.append(game)
        else:
            meetings[game.round, game.tie, game.leg, sides_at(board, game.sides)].append((board, game))
    return [*joined, *(meet(boards) for boards in meetings.values())]


def add_up_boards(boards: Iterable[tuple[int, Game[E]]]) -> TeamScore:
    """Return what the boards with results add up to."""
    match_points, won, goals = [0, 0], [0, 0], [0, 0]
    for board, game in boards:
        if game.points is None or game.goals is None:
            continue
        points, scored = sides_at(board, game.points), sides_at(board, game.goals)
        for number, side in enumerate(Side):
            match_points[number] += points[side]
            won[number] += points[side] > points[side.opponent]
            goals[number] += scored[side]
    return TeamScore(BySide(*match_points), BySide(*won), BySide(*goals))


def team_numbers(entrants: Iterable[E], games: Iterable[Game[E]]) -> Mapping[str, Mapping[E, int]]:
    """Return match points and boards won in the meetings that count, by the keys of their tie-breaks."""
    match_points = dict.fromkeys(entrants, 0)
    boards = dict(match_points)
    for game in games:
        if not game.is_counted or game.team_score is None:
            continue
        for side in Side:
            team = game.sides[side]
            if team in match_points:
                match_points[team] += game.team_score.match_points[side]
                boards[team] += game.team_score.boards[side]
    return {"match-points": match_points, "boards": boards}
