"""The right entrants go on from groups, with the right seeds, and group-mates meet as late as they can."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.advancement import (
    BY_DRAW,
    BY_RATING,
    CROSSED,
    SNAKE,
    AdvanceRule,
    GroupRank,
    Qualifier,
    find_first,
    find_qualifiers,
    list_arrivals,
    plan_seeds,
    seed_qualifiers,
)
from formats.knock_out import KnockOut, KnockOutOptions
from formats.options import InvalidOptions, OptionFault, read_options, write_options
from formats.pairing.elimination import count_rounds
from formats.protocol import FromSeed, TieKey
from formats.scoring.tiebreaks import Ledger, Result
from rules_engine.values import BySide

SEEDINGS = (CROSSED, SNAKE, BY_RATING, BY_DRAW)


@cache
def meetings_of(size):
    """Return the round in which each two seeds of a bracket meet if both win until then."""
    inside: dict[TieKey, set[int]] = {}
    found = {}
    for tie in KnockOut().draw_ties(size, KnockOutOptions()):
        sides = [
            {source.seed} if isinstance(source, FromSeed) else inside[source.tie] for source in (tie.first, tie.second)
        ]
        inside[tie.key] = set.union(*sides)
        found.update({frozenset((one, other)): tie.key.round for one in sides[0] for other in sides[1]})
    return found


def earliest_meeting(groups):
    """Return the first round in which two of a group can meet, from the groups in the order of the seeds."""
    rounds = meetings_of(len(groups))
    pairs = combinations(range(1, len(groups) + 1), 2)
    return min((rounds[frozenset(pair)] for pair in pairs if groups[pair[0] - 1] == groups[pair[1] - 1]), default=None)


def qualifiers_of(groups, first, best_of=()):
    """Return those who go on, called by group and rank."""
    sources = [GroupRank(group, rank) for rank in range(1, first + 1) for group in range(1, groups + 1)]
    sources += [GroupRank(group, first + 1) for group in best_of]
    return [Qualifier((source.group, source.rank), source) for source in sources]


def seed_groups(rule, groups, best_of=(), draw_seed=0):
    """Return those who go on in the order of their seeds, with ratings that say nothing of ranks."""
    qualifiers = qualifiers_of(groups, rule.first, best_of)
    ratings = {each.entrant: Decimal(hash((each.entrant, draw_seed)) % 97) for each in qualifiers}
    return seed_qualifiers(rule, qualifiers, groups, ratings=ratings, draw_seed=draw_seed)


@given(st.integers(1, 33), st.integers(1, 8), st.sampled_from(SEEDINGS))
def test_nobody_meets_a_group_mate_before_it_cannot_be_avoided(groups, first, seeding):
    seeded = seed_groups(AdvanceRule(first=first, seeding=seeding), groups, draw_seed=groups)
    assert sorted(each.entrant for each in seeded) == sorted(each.entrant for each in qualifiers_of(groups, first))
    if first == 1 or groups * first < 2:
        return
    # In one of 2**n parts of the bracket there are two of a group as soon as more than 2**n go on.
    latest = count_rounds(groups * first) - (first - 1).bit_length() + 1
    assert earliest_meeting([each.source.group for each in seeded]) >= latest


@given(st.integers(2, 16), st.integers(1, 4), st.sampled_from(SEEDINGS), st.integers(0, 10**9), st.data())
def test_the_best_are_seeded_first_and_the_plan_is_kept(groups, first, seeding, draw_seed, data):
    best_of = data.draw(st.lists(st.integers(1, groups), unique=True, max_size=groups))
    rule = AdvanceRule(first=first, best=len(best_of), seeding=seeding)
    seeded = seed_groups(rule, groups, best_of, draw_seed)
    assert [each.source.rank for each in seeded] == sorted(each.source.rank for each in seeded)
    plan = plan_seeds(rule, [first + 1] * groups, draw_seed)
    if seeding == BY_RATING:
        assert plan is None
        return
    known = groups * first
    assert plan[:known] == tuple(each.source for each in seeded[:known])
    assert plan[known:] == (GroupRank(None, first + 1),) * len(best_of)


@given(st.integers(3, 16), st.integers(1, 3), st.data())
def test_the_best_of_the_next_rank_meet_no_group_mate_at_once_if_there_is_another_way(groups, first, data):
    best_of = data.draw(st.lists(st.integers(1, groups), unique=True, min_size=2, max_size=groups))
    seeded = seed_groups(AdvanceRule(first=first, best=len(best_of)), groups, best_of)
    size = len(seeded)
    if (1 << count_rounds(size)) == size:
        assert earliest_meeting([each.source.group for each in seeded]) > 1


def test_two_groups_are_crossed():
    plan = plan_seeds(AdvanceRule(), [4, 4])
    assert [(each.group, each.rank) for each in plan] == [(1, 1), (2, 1), (1, 2), (2, 2)]


def test_four_groups_are_crossed_in_pairs():
    plan = plan_seeds(AdvanceRule(), [4] * 4)
    pairs = {(plan[number - 1], plan[8 - number]) for number in range(1, 5)}
    assert pairs == {(GroupRank(one, 1), GroupRank(other, 2)) for one, other in ((1, 2), (2, 1), (3, 4), (4, 3))}


def test_the_seeds_by_rating_follow_the_ratings_among_those_of_a_rank():
    rule = AdvanceRule(first=1, seeding=BY_RATING)
    ratings = {(1, 1): Decimal(1500), (2, 1): Decimal(1700), (3, 1): Decimal(1600)}
    seeded = seed_qualifiers(rule, qualifiers_of(3, 1), 3, ratings=ratings)
    assert [each.source.group for each in seeded] == [2, 3, 1]


def test_another_draw_seeds_otherwise():
    rule = AdvanceRule(first=1, seeding=BY_DRAW)
    assert len({plan_seeds(rule, [3] * 6, draw_seed) for draw_seed in range(30)}) > 20


def test_groups_of_different_strength_send_on_what_they_have():
    rule = AdvanceRule(first=3)
    plan = plan_seeds(rule, [3, 2, 3])
    assert sorted((each.rank, each.group) for each in plan) == [
        (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 3)
    ]  # fmt: skip


RESULTS = [
    # Group 1: a 10, b 5, c 0, each in two matches; group 2: d 5, e 4, f 1, of which f has played one match only.
    Result("a", "b", BySide(5, 0), BySide(1, 0)),
    Result("b", "c", BySide(5, 0), BySide(1, 0)),
    Result("a", "c", BySide(5, 0), BySide(1, 0)),
    Result("d", "e", BySide(5, 0), BySide(1, 0)),
    Result("e", "f", BySide(4, 1), BySide(1, 0)),
]
TABLES = ["abc", "def"]


def names_of(rule):
    ledger = Ledger.of_results(RESULTS, {"draw": dict(zip("abcdef", range(6), strict=True))})
    return "".join(each.entrant for each in find_qualifiers(rule, TABLES, ledger, ["points", "draw"]))


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        (AdvanceRule(first=1), "ad"),
        (AdvanceRule(first=2), "adbe"),
        (AdvanceRule(first=1, best=1), "adb"),
        (AdvanceRule(first=2, best=1), "adbef"),
        (AdvanceRule(first=9), "adbecf"),
        (AdvanceRule(first=0, above_percent=50), "ad"),
        (AdvanceRule(first=0, above_percent=49), "adb"),
        (AdvanceRule(first=0, above_percent=99), "ad"),
        (AdvanceRule(first=0, above_percent=0), "adbef"),
    ],
)
def test_the_rule_says_who_goes_on(rule, names):
    assert names_of(rule) == names


def test_the_best_of_the_next_rank_are_compared_by_points_for_each_match():
    results = [
        *RESULTS,
        Result("g", "h", BySide(2, 2), BySide(0, 0)),
        Result("h", "i", BySide(2, 2), BySide(0, 0)),
        Result("g", "i", BySide(2, 2), BySide(0, 0)),
        Result("j", "k", BySide(2, 3), BySide(0, 1)),
    ]
    lots = dict(zip("abcdefghijk", range(11), strict=True))
    ledger = Ledger.of_results(results, {"draw": lots})
    rule = AdvanceRule(first=1, best=2)
    found = find_qualifiers(rule, ["ghi", "kj", "abc"], ledger, ["points", "draw"])
    # b has 5 points in two matches, h 4 in two, j 2 in one: h has more points than j, and as many a match.
    assert "".join(each.entrant for each in found) == "gkabh"


def test_a_rule_is_read_as_it_was_written():
    for rule in (AdvanceRule(best=3, seeding=SNAKE), AdvanceRule(first=0, above_percent=50)):
        assert read_options(AdvanceRule, write_options(rule)) == rule


@pytest.mark.parametrize(
    ("values", "name", "fault"),
    [
        ({"first": 0}, "first", OptionFault.TOO_SMALL),
        ({"above_percent": 50}, "first", OptionFault.TOO_LARGE),
        ({"first": 0, "best": 1, "above_percent": 50}, "best", OptionFault.TOO_LARGE),
        ({"above_percent": 100}, "above_percent", OptionFault.TOO_LARGE),
        ({"seeding": "luck"}, "seeding", OptionFault.NOT_A_CHOICE),
        ({"last": 1}, "last", OptionFault.UNKNOWN),
    ],
)
def test_a_rule_that_says_nothing_or_contradicts_itself_is_refused(values, name, fault):
    with pytest.raises(InvalidOptions) as refused:
        read_options(AdvanceRule, values)
    assert refused.value.faults[name][0] is fault


# Levels


def result(one, other, points):
    return Result(one, other, BySide(*points), BySide(*points))


def test_above_a_share_of_the_points_the_order_of_the_table_does_not_decide_who_goes_on():
    ledger = Ledger.of_results([result("a", "b", (1, 4)), result("b", "c", (2, 2)), result("c", "a", (5, 0))])
    rule = AdvanceRule(first=0, above_percent=50)
    found = find_qualifiers(rule, [["a", "b", "c"]], ledger, ["wins"])
    assert [each.entrant for each in found] == ["b", "c"]


def test_arrivals_from_the_group_that_ended_first_come_first_and_only_once():
    noon = datetime(2026, 11, 1, 12, tzinfo=UTC)
    ends = [(noon + timedelta(1), 1, "ab"), (noon, 3, "c"), (noon, 2, "ad"), (noon + timedelta(2), 4, "")]
    assert list_arrivals(ends) == ["a", "d", "c", "b"]
    assert list_arrivals(reversed(ends)) == ["a", "d", "c", "b"]


def test_of_those_who_are_first_the_best_has_most_points_for_each_match():
    ledger = Ledger.of_results([result("a", "b", (4, 1)), result("a", "b", (4, 1)), result("c", "d", (5, 0))])
    assert find_first(["ab", "cd", ""], ledger, ["points"]) == "c"
    assert find_first([], ledger, ["points"]) is None
