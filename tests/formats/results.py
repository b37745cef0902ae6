"""Results as tests write them, and strategies for random ones."""

from itertools import combinations
from typing import Any

from hypothesis import strategies as st

from formats.scoring.tiebreaks import Bye, Result
from rules_engine.values import BySide

POINTS = [
    BySide(5, 0),
    BySide(4, 1),
    BySide(3, 2),
    BySide(2, 2),
    BySide(2, 3),
    BySide(1, 4),
    BySide(0, 5),
    BySide(0, 0),
]


def read_results(text: str) -> list[Any]:
    """Read lines such as ``A B 5-0 3:1`` (Yellow, Red, points, goals) and ``A bye 5``."""
    results: list[Result[str] | Bye[str]] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        match line.split():
            case [entrant, "bye", points]:
                results.append(Bye(entrant, int(points)))
            case [yellow, red, points, goals]:
                results.append(
                    Result(yellow, red, BySide(*map(int, points.split("-"))), BySide(*map(int, goals.split(":"))))
                )
            case _:
                raise ValueError(line)
    return results


GOALS = st.builds(BySide, st.integers(0, 2), st.integers(0, 2))


@st.composite
def round_robins(draw: st.DrawFn) -> tuple[list[int], list[Result[int]]]:
    """Draw four to six entrants, and a match between every two of them that one or the other wins."""
    entrants = list(range(draw(st.integers(4, 6))))
    points = st.sampled_from([BySide(5, 0), BySide(0, 5)])
    return entrants, [Result(*pair, draw(points), draw(GOALS)) for pair in combinations(entrants, 2)]


@st.composite
def competitions(draw: st.DrawFn) -> tuple[list[int], list[Result[int] | Bye[int]]]:
    """Draw entrants, matches among them and a stranger, and byes; values are few, so that ties are common."""
    entrants = list(range(draw(st.integers(1, 6))))
    points = st.sampled_from(draw(st.sampled_from([POINTS, POINTS[3:4], [POINTS[0], POINTS[6]]])))
    pairs = st.lists(st.sampled_from([*entrants, 100]), min_size=2, max_size=2, unique=True)
    matches = st.builds(lambda pair, points, goals: Result(pair[0], pair[1], points, goals), pairs, points, GOALS)
    byes = st.builds(Bye, st.sampled_from(entrants), st.just(5))
    return entrants, draw(st.lists(matches | byes, max_size=20))
