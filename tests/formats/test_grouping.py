"""Entrants into groups: everybody once, sizes differ by at most one, strengths even."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.grouping import (
    GroupingOptions,
    count_groups,
    form_groups,
    gather,
    group_sizes,
    join_queue,
    move_to_place,
)
from formats.options import InvalidOptions, OptionFault, read_options, write_options


@st.composite
def groupings(draw):
    entrants = list(range(draw(st.integers(2, 200))))
    return entrants, GroupingOptions(groups=draw(st.integers(1, len(entrants) // 2)))


@given(groupings())
def test_everybody_is_in_one_group_and_sizes_differ_by_at_most_one(grouping):
    entrants, options = grouping
    groups = form_groups(entrants, options)
    assert sorted(each for group in groups for each in group) == entrants
    assert len(groups) == options.groups
    sizes = {len(group) for group in groups}
    assert max(sizes) - min(sizes) <= 1


@given(st.integers(2, 300), st.integers(2, 20))
def test_groups_are_as_few_as_their_size_allows(entrants, size):
    options = GroupingOptions(size=size)
    try:
        groups = form_groups(range(entrants), options)
    except ValueError:
        assert entrants // -(-entrants // size) < 2
        return
    assert max(map(len, groups)) <= size
    assert len(groups) == 1 or (len(groups) - 1) * size < entrants


@given(groupings())
def test_in_a_snake_two_groups_of_a_size_differ_by_less_than_a_row_in_the_sums_of_their_seeds(grouping):
    entrants, options = grouping
    groups = form_groups(entrants, options)
    for one in groups:
        for other in groups:
            if len(one) == len(other):
                assert abs(sum(one) - sum(other)) < len(groups)


def test_seeds_go_from_a_to_c_and_back():
    assert form_groups("123456789", GroupingOptions(groups=3)) == (tuple("167"), tuple("258"), tuple("349"))
    assert form_groups("12345", GroupingOptions(size=3)) == (tuple("145"), tuple("23"))


@pytest.mark.parametrize(
    ("entrants", "options"), [(5, {"groups": 3}), (1, {"size": 4}), (3, {"size": 2}), (0, {"size": 2})]
)
def test_a_group_of_one_is_refused(entrants, options):
    with pytest.raises(ValueError, match="too few"):
        count_groups(entrants, GroupingOptions(**options))


def test_an_entrant_who_is_named_twice_is_refused():
    with pytest.raises(ValueError, match="twice"):
        form_groups("aabb", GroupingOptions(groups=2))


def test_either_the_number_or_the_size_is_given():
    options = GroupingOptions(size=5)
    assert read_options(GroupingOptions, write_options(options)) == options
    for values in ({}, {"groups": 2, "size": 3}):
        with pytest.raises(InvalidOptions) as refused:
            read_options(GroupingOptions, values)
        assert refused.value.faults["size"][0] is OptionFault.NOT_A_CHOICE


# Groups that form as players come


@pytest.mark.parametrize(("waiting", "groups"), [("", []), ("ab", []), ("abc", ["abc"]), ("abcdefgh", ["abc", "def"])])
def test_players_who_came_first_play_first(waiting, groups):
    assert ["".join(group) for group in gather(waiting, 3)] == groups


def test_a_plan_has_as_many_groups_as_can_form():
    options = GroupingOptions(whenever=3)
    assert group_sizes(8, options) == [3, 3]
    with pytest.raises(ValueError, match="too few"):
        group_sizes(2, options)


@pytest.mark.parametrize("options", [{"size": 4, "whenever": 3}, {"groups": 2, "whenever": 3}, {"whenever": None}])
def test_there_is_one_way_in_which_groups_form(options):
    with pytest.raises(InvalidOptions):
        GroupingOptions(**options)


@given(st.permutations(range(8)), st.integers(0, 7), st.integers(1, 8))
def test_who_is_moved_in_a_queue_has_the_place_and_passes_the_others_by(queue, who, place):
    moved = move_to_place(queue, who, place)
    assert moved.index(who) == place - 1
    assert [each for each in moved if each != who] == [each for each in queue if each != who]
    assert move_to_place(moved, who, queue.index(who) + 1) == list(queue)


@given(st.permutations(range(8)), st.sets(st.integers(0, 7)))
def test_a_queue_in_which_nobody_was_moved_stays_in_the_order_of_arrival(arrivals, coming):
    queue = [each for each in arrivals if each not in coming]
    assert join_queue(queue, [each for each in arrivals if each in coming], arrivals) == list(arrivals)
    assert join_queue(["earlier", *queue], [], arrivals) == ["earlier", *queue]
