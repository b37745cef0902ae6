"""Play-offs between leagues: who meets, what it comes to before the draw, and who plays in which league after it."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.advancement import AdvanceRule
from formats.grouping import GroupingOptions, group_sizes, league_of
from formats.options import InvalidOptions, read_options
from formats.play_offs import list_play_offs, most_play_offs
from formats.promotion import SeasonPlace, league_after
from formats.stage_plans import outline_stage, plan_stages
from tests.formats.test_stage_plans import Planned


def met_by_hand(sizes, places, up, stay):
    """Walk down the pyramid: each group looks for the group above it, and each of its players for a defender there."""
    found: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for group, size in enumerate(sizes, start=1):
        above = None if group == 1 else group // 2
        for rank in range(1, size + 1):
            if above is not None and up < rank <= up + places:
                # The first of them meets the last defender, the second the last but one.
                found.setdefault((above, stay - (rank - up - 1)), []).append((group, rank))
    return {defender: sorted(players) for defender, players in found.items() if defender[1] <= sizes[defender[0] - 1]}


@st.composite
def pyramids(draw):
    entrants, size = draw(st.integers(4, 400)), draw(st.integers(4, 20))
    up = draw(st.integers(0, 4))
    stay = draw(st.integers(max(1, up + 2), 20))
    places = draw(st.integers(1, most_play_offs(up, stay)))
    return group_sizes(entrants, GroupingOptions(league_size=size)), places, up, stay


@given(pyramids())
def test_each_defender_meets_those_of_the_groups_below_as_the_pyramid_read_upwards_says(pyramid):
    sizes, places, up, stay = pyramid
    play_offs = list_play_offs(sizes, places, last_promoted=up, last_to_stay=stay)
    met = {(first.group, first.rank): [(each.group, each.rank) for each in others] for first, *others in play_offs}
    assert met == met_by_hand(sizes, places, up, stay)
    everybody = [(each.group, each.rank) for each in chain.from_iterable(play_offs)]
    assert len(set(everybody)) == len(everybody)
    assert all(2 <= len(each) <= 3 for each in play_offs)


@given(pyramids(), st.randoms(use_true_random=False))
def test_as_many_come_up_as_lose_their_place_in_play_offs(pyramid, chance):
    sizes, places, up, stay = pyramid
    play_offs = list_play_offs(sizes, places, last_promoted=up, last_to_stay=stay)
    won = {(each.group, each.rank): False for met in play_offs for each in met}
    for met in play_offs:
        winner = chance.choice(met)
        won[winner.group, winner.rank] = True
    for group, size in enumerate(sizes, start=1):
        for rank in range(1, size + 1):
            league = league_of(group)
            about = ((group, rank), 1, league, group, rank, True, up, stay)
            without = league_after(SeasonPlace(*about))
            after = league_after(SeasonPlace(*about, play_offs=places, won_play_off=won.get((group, rank))))
            defends = (group, rank) in {(met[0].group, met[0].rank) for met in play_offs}
            expected = {None: without, True: league if defends else league - 1, False: league + defends}
            assert after == expected[won.get((group, rank))]


def test_the_play_offs_count_in_what_a_season_comes_to():
    leagues = GroupingOptions(league_size=9)
    stages = [
        Planned("round-robin", leagues, AdvanceRule(first=0, play_offs=1)),
        Planned("knock-out", GroupingOptions(size=3)),
    ]
    # Leagues of 9, 8 and 7, and 6: 1 and 2A are defended, and below 2B nobody is.
    _season, play_offs = plan_stages(stages, 30)
    assert (play_offs.entrants, play_offs.sizes) == (5, (3, 2))
    outline = outline_stage(stages[1], play_offs)
    # Three ties of two legs, each with a replay at most.
    assert (outline.rounds, outline.matches) == (2, 12)
    _season, none = plan_stages(stages, 8)
    assert (none.entrants, outline_stage(stages[1], none).matches) == (0, 0)


def test_play_offs_stand_alone():
    alone = {"first": 0, "play_offs": 1}
    assert read_options(AdvanceRule, alone).play_offs == 1
    for more in ({"first": 2}, {"best": 1}, {"above_percent": 50}, {"levels": 3}):
        with pytest.raises(InvalidOptions):
            read_options(AdvanceRule, alone | more)
