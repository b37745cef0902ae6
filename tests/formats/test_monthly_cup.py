"""A monthly cup: the groups of each month, of whose winners those of the next are made, and the year's final."""

from datetime import UTC, datetime, timedelta

import pytest

from formats.advancement import AdvanceRule
from formats.grouping import GroupingOptions, group_sizes
from tournaments.making.recipes import MONTHLY_CUP, RECIPES
from tournaments.models.season_dates import SeasonDates, find_final, year_of

(STAGE,) = RECIPES[MONTHLY_CUP].stages
GROUPS = GroupingOptions(**(STAGE.grouping or {}))
RULE = AdvanceRule(**(STAGE.advance or {}))
DAY = timedelta(days=1)


def at(year: int, month: int) -> datetime:
    return datetime(year, month, 1, 18, tzinfo=UTC)


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, [[2]]),
        (5, [[5]]),
        (6, [[3, 3], [2]]),
        (7, [[4, 3], [2]]),
        (11, [[4, 4, 3], [3]]),
        (16, [[4, 4, 4, 4], [4]]),
        (26, [[5, 5, 4, 4, 4, 4], [3, 3], [2]]),
        (150, [[5] * 30, [5] * 6, [3, 3], [2]]),
    ],
)
def test_groups_from_month_to_month_are_as_the_table_by_hand_says(players: int, sizes: list[list[int]]) -> None:
    assert (RULE.first, RULE.best) == (1, 0)
    levels = []
    while players > 1:
        levels.append(sorted(group_sizes(players, GROUPS), reverse=True))
        players = len(levels[-1])
    assert levels == sizes


def test_a_final_waits_for_every_season_of_its_year() -> None:
    over = SeasonDates(at(2027, 11), at(2027, 11), at(2027, 12))
    goes_on = SeasonDates(at(2027, 12), at(2027, 12) + 40 * DAY)
    ended = SeasonDates(at(2027, 12), at(2027, 12) + 40 * DAY, at(2028, 3))
    later = SeasonDates(at(2028, 1), at(2028, 1))
    assert year_of(goes_on) == 2027
    assert find_final([over, goes_on, later], 2027) is None
    assert find_final([over, ended, later], 2027) == at(2028, 3)
    assert find_final([over, later], 2027) == datetime(2028, 1, 1, tzinfo=UTC)
    assert find_final([over, later], 2026) is None
