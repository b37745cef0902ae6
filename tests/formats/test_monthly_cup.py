"""A monthly cup over a year: groups of at most 5, their winners in groups again in the next month, the year's final."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from formats.advancement import AdvanceRule, Qualifier, find_qualifiers, seed_qualifiers
from formats.grouping import GroupingOptions, form_groups
from formats.pairing.seeding import seed_by_draw
from formats.scoring import STANDARD
from formats.tiebreaks import Ledger, Result
from rules_engine.values import BySide
from tournaments.making.recipes import MONTHLY_CUP, RECIPES
from tournaments.models.season_dates import SeasonDates, find_final, find_month_after, year_of

(STAGE,) = RECIPES[MONTHLY_CUP].stages
GROUPS = GroupingOptions(**(STAGE.grouping or {}))
RULE = AdvanceRule(**(STAGE.advance or {}))
WON = (BySide(5, 0), BySide(0, 5))
DAY = timedelta(days=1)


def at(year: int, month: int) -> datetime:
    return datetime(year, month, 1, 18, tzinfo=UTC)


def play(group: Sequence[int], source: random.Random) -> tuple[list[int], list[Result[int]]]:
    """Return the table of a group, the first first, and its results: the one who is stronger that day wins."""
    strength = {player: source.random() for player in group}
    table = sorted(group, key=lambda player: -strength[player])
    results = [
        Result(first, second, WON[strength[first] < strength[second]], BySide(1, 0))
        for number, first in enumerate(group)
        for second in group[number + 1 :]
    ]
    return table, results


def play_cup(players: Sequence[int], seed: int) -> list[list[tuple[int, ...]]]:
    """Return the groups of each level of a cup, until one is left, who alone makes the last of them."""
    source, levels, seeded = random.Random(seed), [], list(seed_by_draw(players, seed))
    while len(seeded) > 1:
        groups = form_groups(seeded, GROUPS)
        levels.append(list(groups))
        tables, results = zip(*(play(group, source) for group in groups), strict=True)
        ledger = Ledger.of_results([each for some in results for each in some], {}, STANDARD)
        found: Sequence[Qualifier[int]] = find_qualifiers(RULE, tables, ledger, ["points", "draw"])
        seeded = [each.entrant for each in seed_qualifiers(RULE, found, len(groups), draw_seed=seed)]
    return [*levels, [tuple(seeded)]]


# A table by hand: how many enter, and the sizes of the groups from month to month.
BY_HAND = [
    (2, [[2]]),
    (3, [[3]]),
    (5, [[5]]),
    (6, [[3, 3], [2]]),
    (7, [[4, 3], [2]]),
    (11, [[4, 4, 3], [3]]),
    (16, [[4, 4, 4, 4], [4]]),
    (26, [[5, 5, 4, 4, 4, 4], [3, 3], [2]]),
    (37, [[5, 5, 5, 5, 5, 4, 4, 4], [4, 4], [2]]),
    (150, [[5] * 30, [5] * 6, [3, 3], [2]]),
]


@pytest.mark.parametrize(("players", "sizes"), BY_HAND)
def test_groups_are_as_the_table_by_hand_says(players: int, sizes: list[list[int]]) -> None:
    levels = play_cup(range(players), seed=1)
    assert [sorted(map(len, groups), reverse=True) for groups in levels] == [*sizes, [1]]


@pytest.mark.parametrize("players", [7, 37, 150])
def test_over_a_year_nobody_is_lost_or_stands_twice_and_there_is_one_winner_a_month(players: int) -> None:
    source = random.Random(players)
    seasons, winners = [], []
    for month in range(1, 13):
        # Some stay away in a month.
        entered = [player for player in range(players) if source.random() < 0.9 or player < 3]
        levels = play_cup(entered, seed=month)
        playing = sorted(entered)
        begun, anchor = at(2027, month), at(2027, month)
        for number, groups in enumerate(levels[:-1]):
            members = [player for group in groups for player in group]
            assert sorted(members) == playing
            sizes = list(map(len, groups))
            assert max(sizes) - min(sizes) <= 1
            assert all(3 <= size <= 5 for size in sizes) or sizes == [2]
            # A level of its own month, counted without the calendar of series.
            years, months = divmod(month - 1 + number, 12)
            assert begun == at(2027 + years, months + 1)
            begun = find_month_after(anchor, begun)
            following = [player for group in levels[number + 1] for player in group]
            assert [len({*group} & {*following}) for group in groups] == [1] * len(groups)
            playing = sorted(following)
        winners.append(levels[-1][0][0])
        seasons.append(SeasonDates(anchor, anchor, begun))
    assert len(winners) == 12
    assert {*winners} <= {*range(players)}
    last = max(each.ended_at for each in seasons if each.ended_at is not None)
    assert find_final(seasons, 2027) == max(last, datetime(2028, 1, 1, tzinfo=UTC))


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
