"""Seasons of leagues: who is cut into which league, and who goes where, in ten seasons in which people come and go."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.grouping import GroupingOptions, form_groups, group_sizes, league_of, league_sizes, merge_groups
from formats.options import InvalidOptions
from formats.promotion import Newcomer, SeasonPlace, league_after, leagues_after, order_by_leagues

LEAGUES = GroupingOptions(league_size=9)


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (2, [[2]]),
        (7, [[7]]),
        (11, [[11]]),
        (12, [[6], [6]]),
        (19, [[9], [10]]),
        (20, [[10], [10]]),
        (21, [[9], [6, 6]]),
        (29, [[9], [10, 10]]),
        (30, [[9], [8, 7], [6]]),
        (37, [[9], [9, 9], [10]]),
        (150, [[9], [9] * 2, [9] * 4, [9] * 8, [8, 7]]),
        (1000, [[9], [9] * 2, [9] * 4, [9] * 8, [9] * 16, [9] * 32, [10] + [9] * 47]),
    ],
)
def test_the_order_is_cut_from_the_top_into_groups_of_nine(players, sizes):
    assert league_sizes(players, 9) == sizes


@given(st.integers(12, 3000))
def test_every_group_has_six_to_ten_and_leagues_form_a_pyramid(players):
    sizes = league_sizes(players, 9)
    assert sum(map(sum, sizes)) == players
    assert all(6 <= size <= 10 for league in sizes for size in league)
    assert [len(league) for league in sizes[:-1]] == [2**number for number in range(len(sizes) - 1)]
    assert len(sizes[-1]) <= 2 ** (len(sizes) - 1)
    assert all(max(league) - min(league) <= 1 for league in sizes)


@given(st.integers(2, 600), st.integers(4, 40))
def test_groups_of_any_size_hold_everybody_in_the_order_of_leagues(players, size):
    options = GroupingOptions(league_size=size)
    groups = form_groups(range(players), options)
    assert sorted(len(group) for group in groups) == sorted(group_sizes(players, options))
    assert merge_groups(groups, in_leagues=True) == tuple(range(players))
    for number, (above, below) in enumerate(pairwise(groups), start=1):
        if league_of(number) < league_of(number + 1):
            assert max(above) < min(below)


def test_fewer_than_two_make_no_league():
    with pytest.raises(ValueError, match="too few"):
        league_sizes(1, 9)


def places_of(groups, season=1, leavers=(), **moves):
    """Return the places of a season that ended with these tables, by group."""
    return [
        SeasonPlace(player, season, league_of(number), number, place, still_in=player not in leavers, **moves)
        for number, group in enumerate(groups, start=1)
        for place, player in enumerate(group, start=1)
    ]


def test_twenty_players_go_up_stay_and_go_down_as_the_table_by_hand_says():
    first = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10"]
    second = ["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10"]
    # a4 and b7 leave, skipper left league 1 two seasons ago, and two are new.
    history = [
        *places_of([first, second], season=2, leavers={"a4", "b7"}),
        SeasonPlace("skipper", 1, 1, 1, 4, still_in=True),
    ]
    entered = [player for player in [*first, *second] if player not in {"a4", "b7"}]
    newcomers = [Newcomer(player, 1500, lot) for lot, player in enumerate(reversed(entered))]
    newcomers += [Newcomer("weak", 1400, 1), Newcomer("strong", 1700, 2), Newcomer("skipper", 1000, 0)]
    order = order_by_leagues(newcomers, history)
    assert order == [
        # League 1: who stays, then who comes up.
        *("a1", "a2", "a3", "a5", "b1", "b2"),
        # League 2: who comes down, who stays, then who has skipped a season.
        *("a6", "a7", "a8", "a9", "a10", "b3", "b4", "b5", "skipper"),
        # Below: who comes down from the last league, then the new ones by rating.
        *("b6", "b8", "b9", "b10", "strong", "weak"),
    ]
    one, *two = form_groups(order, LEAGUES)
    assert one == ("a1", "a2", "a3", "a5", "b1", "b2", "a6", "a7", "a8")
    assert two == [("a9", "b4", "b5", "b8", "b9", "weak"), ("a10", "b3", "skipper", "b6", "b10", "strong")]


@pytest.mark.parametrize(("up", "stay"), [(0, 1), (1, 3), (3, 3), (2, 5)])
def test_so_many_go_up_and_down_as_the_season_says(up, stay):
    tables = [[f"{group}{place}" for place in range(1, 7)] for group in "abc"]
    places = places_of(tables, last_promoted=up, last_to_stay=stay)
    moved = {each.entrant: league_after(each) - each.league for each in places}
    for first, *others in tables:
        expected = [-1] * up + [0] * (stay - up) + [1] * (6 - stay)
        highest = first.startswith("a")
        assert [moved[each] for each in (first, *others)] == [max(0, each) if highest else each for each in expected]


def test_only_leagues_say_who_moves_and_nobody_who_goes_up_goes_down():
    assert (LEAGUES.promoted_to, LEAGUES.stays_to) == (2, 5)
    for wrong in ({"size": 4, "last_promoted": 1}, {"league_size": 9, "last_promoted": 3, "last_to_stay": 2}):
        with pytest.raises(InvalidOptions):
            GroupingOptions(**wrong)


def test_everybodys_league_if_the_season_ended_now_follows_from_the_same_order():
    groups = form_groups([f"p{number}" for number in range(1, 28)], LEAGUES)
    places = places_of(groups, leavers={groups[0][0]})
    players = [Newcomer(place.entrant, 1500, lot) for lot, place in enumerate(places)]
    moves = leagues_after(players, places, lambda count: list(map(sum, league_sizes(count, 9))))
    assert groups[0][0] not in moves
    # Of the winners of league 2 four come up, and one who would have gone down stays for the one who left.
    assert sorted(player for player, league in moves.items() if league == 1) == sorted(
        [*groups[0][1:5], *groups[1][:2], *groups[2][:2], groups[0][5]]
    )
    assert set(moves.values()) == {1, 2}


@pytest.mark.parametrize("players", [7, 37, 150, 1000])
def test_ten_seasons_lose_nobody_and_keep_the_order(players):
    chance = random.Random(players)
    latest: dict[int, SeasonPlace[int]] = {}
    playing, waiting, newest = list(range(players)), list[int](), players
    for season in range(1, 11):
        newcomers = [Newcomer(player, chance.randint(1000, 2000), chance.getrandbits(62)) for player in playing]
        chance.shuffle(newcomers)
        order = order_by_leagues(newcomers, list(latest.values()))
        assert sorted(order) == sorted(playing)
        groups = form_groups(order, LEAGUES)
        assert sorted(player for group in groups for player in group) == sorted(playing)
        if len(playing) >= 12:
            assert all(6 <= len(group) <= 10 for group in groups)
        leagues = {player: league_of(number) for number, group in enumerate(groups, start=1) for player in group}
        belongs = [_belongs(latest.get(player), season) for player in order]
        assert belongs == sorted(belongs)
        assert [leagues[player] for player in order] == sorted(leagues.values())
        tables = [chance.sample(group, len(group)) for group in groups]
        latest |= {place.entrant: place for place in places_of(tables, season)}
        leaving = set(chance.sample(playing, len(playing) // 10))
        back = set(chance.sample(waiting, len(waiting) // 2))
        new = range(newest, newest + len(leaving) // 2)
        newest += len(new)
        waiting = [*leaving, *(player for player in waiting if player not in back)]
        playing = [*(player for player in playing if player not in leaving), *back, *new]


def _belongs(place, season):
    """Return the league to which somebody belongs, behind all others for who is new."""
    if place is None:
        return 10**9
    return league_after(place) if place.season == season - 1 else place.league + 1
