"""Of each test some samples are asked in a run of everything, spread over all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.samples import spread

COUNTS = st.integers(1, 60)


@given(COUNTS, COUNTS, st.integers(0, 2**32 - 1))
def test_so_many_are_chosen_in_their_order_and_none_twice(count: int, wanted: int, start: int) -> None:
    chosen = spread(list(range(count)), wanted, start=start)
    assert len(chosen) == min(count, wanted)
    assert chosen == sorted(set(chosen))


@pytest.mark.parametrize(
    ("start", "chosen"), [(0, [0, 3, 6]), (1, [1, 4, 7]), (4, [0, 4, 7]), (9, [2, 5, 9]), (10, [0, 3, 6])]
)
def test_they_are_far_apart_and_begin_anywhere(start: int, chosen: list[int]) -> None:
    assert spread(list(range(10)), 3, start=start) == chosen
