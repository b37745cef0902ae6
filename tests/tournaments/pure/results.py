"""Results as tests write them, and strategies for random ones."""

from __future__ import annotations

from hypothesis import strategies as st

from rules_engine.values import BySide
from tournaments.metrics import Bye, Result

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


def read_results(text: str) -> list[Result[str] | Bye[str]]:
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


@st.composite
def competitions(draw: st.DrawFn, most: int = 8) -> tuple[list[int], list[Result[int] | Bye[int]]]:
    """Draw entrants, and results among them and strangers, with few different values so that ties are common."""
    entrants = list(range(draw(st.integers(1, most))))
    everybody = [*entrants, 100, 101]
    pairs = st.lists(st.sampled_from(everybody), min_size=2, max_size=2, unique=True)
    few_points = draw(st.sampled_from([POINTS, POINTS[3:4], [POINTS[0], POINTS[6]], [POINTS[3], POINTS[2]]]))
    result = st.builds(
        lambda pair, points, goals: Result(pair[0], pair[1], points, BySide(*goals)),
        pairs,
        st.sampled_from(few_points),
        st.tuples(st.integers(0, 2), st.integers(0, 2)),
    )
    bye = st.builds(Bye, st.sampled_from(entrants), st.just(5))
    return entrants, draw(st.lists(result | bye, max_size=24))
