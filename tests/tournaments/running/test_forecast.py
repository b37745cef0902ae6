"""Forecasts: what they say for what is known, and that they keep to clocks and dates."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from tournaments.running.forecast import MAX_DRAWS_OF_LEVELS, MIN_KNOWN, _Scenario, make_forecast
from tournaments.running.forecast_inputs import (
    GroupOfLevel,
    Known,
    LevelsAhead,
    OpenMatch,
    PlayedMatch,
    RoundAhead,
    StageAhead,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def played(one, other, pace=HOUR, moves=50):
    return PlayedMatch((one, other), pace * moves, moves)


def even_field(pace=HOUR):
    """Return what is known where six players take an hour for a move and matches have 50 moves."""
    pairs = [(one, other) for one in range(6) for other in range(one)]
    return Known([played(*pair, pace) for pair in pairs], lengths=[50] * 15)


def going_on(key, one, other, *, moves=0, pace=HOUR, left=None):
    return OpenMatch(key, (one, other), pace * moves, moves, left)


def forecast(groups, known=None, later=(), levels=None):
    made = make_forecast(now=NOON, groups=groups, later=later, known=known or even_field(), levels=levels)
    assert made is not None
    return made


def hours(moment):
    return (moment - NOON) / HOUR


def test_a_match_half_way_takes_as_long_again():
    made = forecast([[RoundAhead(1, (going_on(7, 0, 1, moves=25),))]])
    assert 10 < hours(made.stage.early) < 20 < hours(made.stage.likely) < 28 < hours(made.stage.late) < 45
    assert made.whole == made.stage
    assert made.round == made.stage


def test_the_same_values_give_the_same_forecast():
    groups = [[RoundAhead(1, (going_on(7, 0, 1, moves=25), going_on(8, 2, 3)), to_come=2)]]
    assert forecast(groups) == forecast(groups)


def test_rounds_follow_each_other_and_the_first_one_ends_first():
    rounds = [RoundAhead(2, (going_on(7, 0, 1, moves=25),)), RoundAhead(3, (), to_come=1), RoundAhead(4, (), to_come=1)]
    made = forecast([rounds])
    assert made.round_number == 2
    assert 20 < hours(made.round.likely) < 30
    assert 110 < hours(made.stage.likely) < 145


def test_matches_of_all_rounds_that_are_played_at_once_end_with_the_longest():
    rounds = [RoundAhead(number, (going_on(number, 0, number, moves=10 * number),)) for number in (1, 2, 3)]
    made = forecast([rounds])
    assert (made.round_number, made.round) == (None, None)
    assert 30 < hours(made.stage.likely) < 50


def test_a_stage_ends_with_its_last_group_and_the_whole_with_the_last_stage():
    groups = [[RoundAhead(1, (going_on(7, 0, 1, moves=45),))], [RoundAhead(1, (going_on(8, 2, 3, moves=5),))]]
    made = forecast(groups, later=[StageAhead(rounds=2, matches=1)])
    assert 34 < hours(made.stage.likely) < 55
    assert 130 < hours(made.whole.likely) < 175


def test_nobody_knows_the_end_of_the_whole_where_players_decide_how_many_come():
    made = make_forecast(now=NOON, groups=[[RoundAhead(1, (going_on(7, 0, 1),))]], later=None, known=even_field())
    assert made is not None
    assert (made.whole, made.stage is not None) == (None, True)


def in_levels(*groups, waiting=None, last=9, **options):
    """Return levels whose groups of three play twice against each other, unless it is chosen otherwise."""
    usual = {"first": 1, "shape": lambda size: (1, size * (size - 1)), "split": lambda size: [size]}
    return LevelsAhead(groups=groups, waiting=waiting or {}, last=last, **{**usual, **options})


def group_of(*entrants, moves=25):
    """Return a group in which everybody has won as much as the others, and one match of each two goes on."""
    pairs = [(one, other) for one in entrants for other in entrants if one < other]
    matches = tuple(going_on(number, *pair, moves=moves) for number, pair in enumerate(pairs))
    return GroupOfLevel(1, dict.fromkeys(entrants, 1.0)), [RoundAhead(1, matches)]


def test_groups_that_form_as_players_come_play_on_a_level_higher():
    (one, rounds), (other, others) = group_of(0, 1, 2), group_of(3, 4, 5)
    # A third player waits above: a group forms with the two winners, and ends the whole.
    levels = in_levels(one, other, waiting={2: [9]}, gathers=3)
    made = forecast([rounds, others], later=None, levels=levels)
    assert hours(made.stage.likely) < 40
    assert 70 < hours(made.whole.likely) < 125
    # Without the third one nobody plays on.
    alone = forecast([rounds, others], later=None, levels=in_levels(one, other, gathers=3))
    assert alone.whole == alone.stage
    # At the last level nobody goes on.
    ended = forecast([rounds, others], later=None, levels=in_levels(one, other, waiting={2: [9]}, gathers=3, last=1))
    assert ended.whole == ended.stage


def test_nobody_gets_a_second_place_at_a_level_above_the_first():
    (one, rounds), (other, others) = group_of(0, 1, 2), group_of(0, 1, 3)
    # All but one have been at level 2, so that no group of three forms there.
    options = {"waiting": {2: [3]}, "gathers": 3, "first": 3}
    made = forecast([rounds, others], later=None, levels=in_levels(one, other, placed={2: {0, 1, 3}}, **options))
    assert made.whole == made.stage
    made = forecast([rounds, others], later=None, levels=in_levels(one, other, **options))
    assert made.whole.early > made.stage.late
    # Once 0 and 1 have come to level 2 with 2, the slow one waits there for others.
    known = Known(
        [*even_field().played, *(played("slow", each, pace=4 * HOUR) for each in range(6))], lengths=[50] * 15
    )
    (one, rounds), other = group_of(0, 1, 2, moves=49), GroupOfLevel(1, {0: 1.0, 1: 1.0, "slow": 1.0})
    others = [RoundAhead(1, (going_on(7, 0, "slow", moves=25, pace=4 * HOUR),))]
    levels = in_levels(one, other, gathers=3, first=3, last=2)
    made = forecast([rounds, others], known, later=None, levels=levels)
    assert hours(made.whole.likely) < hours(made.stage.likely) + 40


def test_every_player_who_goes_on_has_their_own_pace():
    slow = [played("slow", other, pace=4 * HOUR) for other in range(6)]
    known = Known([*even_field().played, *slow], lengths=[50] * 15)
    group, rounds = group_of(0, 1, 2, moves=49)
    ends = []
    for third in ("slow", 3):
        levels = in_levels(group, waiting={2: [third, 4]}, gathers=3)
        ends.append(hours(forecast([rounds], known, later=None, levels=levels).whole.likely))
    assert ends[0] > ends[1] + 40


def test_only_players_who_already_have_more_than_the_share_go_on():
    # Each plays four matches. One has won all; what is left is between the other two, who cannot get more than half.
    rounds = [RoundAhead(1, (going_on(1, 1, 2, moves=25),))]
    options = {"waiting": {2: [8, 9]}, "gathers": 3, "first": 0}
    levels = in_levels(GroupOfLevel(1, {0: 4.0, 1: 1.0, 2: 0.0}), above=0.5, **options)
    made = forecast([rounds], later=None, levels=levels)
    assert hours(made.whole.early) > 50
    levels = in_levels(GroupOfLevel(1, {0: 2.0, 1: 1.0, 2: 1.0}), above=0.75, **options)
    made = forecast([rounds], later=None, levels=levels)
    assert made.whole == made.stage


def test_levels_that_are_dealt_wait_for_their_day_and_end_when_one_is_left():
    (one, rounds), (other, others) = group_of(0, 1, 2), group_of(3, 4, 5)
    by_month = {"begins": lambda begun: begun + 30 * DAY, "begun": NOON - 10 * DAY}
    made = forecast([rounds, others], later=None, levels=in_levels(one, other, **by_month))
    assert made.stage.late < NOON + 20 * DAY < made.whole.early
    assert hours(made.whole.likely) < 20 * 24 + 80
    # They wait for it after the last group has ended, too.
    made = forecast([], later=None, levels=in_levels(waiting={2: [0, 3]}, **by_month))
    assert (made.round, made.holds_up) == (None, ())
    assert made.stage == made.whole
    assert made.whole.early > NOON + 20 * DAY
    alone = in_levels(waiting={2: [0]})
    assert make_forecast(now=NOON, groups=[], later=None, levels=alone, known=even_field()) is None


@pytest.mark.parametrize("options", [{"first": 64}, {"first": 0, "above": 0.0}])
def test_nothing_is_said_of_levels_that_need_too_many_matches(options, monkeypatch):
    drawn = Counter[str]()
    really = _Scenario.play_moves

    def play_moves(scenario, *given):
        drawn["matches"] += 1
        return really(scenario, *given)

    monkeypatch.setattr(_Scenario, "play_moves", play_moves)
    group, rounds = group_of(*range(6))
    many = in_levels(group, waiting={2: list(range(10, 69))}, last=99, **options)
    made = forecast([rounds], later=None, levels=many)
    assert (made.whole, made.stage is not None) == (None, True)
    assert drawn["matches"] < MAX_DRAWS_OF_LEVELS
    waiting = in_levels(waiting={2: list(range(65))}, last=99, **options)
    assert make_forecast(now=NOON, groups=[], later=None, levels=waiting, known=even_field()) is None


def test_rounds_of_levels_follow_each_other_and_are_no_longer_than_their_days():
    group, rounds = group_of(0, 1, 2, moves=49)
    ends = []
    for options in ({}, {"at_once": False}, {"at_once": False, "length": DAY}):
        levels = in_levels(group, waiting={2: [3, 4]}, gathers=3, shape=lambda size: (6, 6), **options)
        ends.append(hours(forecast([rounds], later=None, levels=levels).whole.likely))
    assert ends[0] < ends[1] / 3
    assert ends[2] < 6 * 24 + 10 < ends[1]


def test_a_slow_player_holds_up_the_stage():
    known = even_field()
    slow = [played(6, other, 6 * HOUR) for other in range(4)]
    known = Known([*known.played, *slow], lengths=[50] * 19)
    made = forecast([[RoundAhead(1, (going_on(7, 0, 1, moves=10), going_on(8, 2, 6, moves=10)))]], known)
    assert [(each.key, each.entrant) for each in made.holds_up] == [(8, 6), (7, made.holds_up[1].entrant)]
    alone = forecast([[RoundAhead(1, (going_on(7, 0, 1, moves=10),))]], known)
    assert made.stage.likely > alone.stage.likely + 50 * HOUR


def test_a_player_who_stops_moving_is_slower_than_before():
    steady = going_on(7, 0, 1, moves=25)
    waiting = OpenMatch(7, (0, 1), 25 * HOUR + 60 * HOUR, 25)
    ends = [forecast([[RoundAhead(1, (match,))]]).stage.likely for match in (steady, waiting)]
    assert ends[1] > ends[0] + 10 * HOUR


@pytest.mark.parametrize(
    "bounded",
    [
        RoundAhead(1, (going_on(7, 0, 1, left=5 * HOUR),)),
        RoundAhead(1, (going_on(7, 0, 1),), ends_at=NOON + 5 * HOUR),
        RoundAhead(1, (), to_come=1, length=5 * HOUR),
    ],
    ids=["clocks", "the date of the round", "the days of a round"],
)
def test_nothing_takes_longer_than_clocks_and_dates_allow(bounded):
    made = forecast([[bounded]])
    assert made.stage.late <= NOON + 5 * HOUR


def test_a_match_that_is_longer_than_all_known_ones_still_has_an_end():
    made = forecast([[RoundAhead(1, (going_on(7, 0, 1, moves=70),))]])
    assert NOON < made.stage.early <= made.stage.likely <= made.stage.late < NOON + 40 * HOUR


def test_moments_are_rounded_up_more_the_further_they_are_away():
    soon = forecast([[RoundAhead(1, (going_on(7, 0, 1, moves=49),))]], even_field(timedelta(minutes=10)))
    later = forecast([[RoundAhead(1, (going_on(7, 0, 1),))]])
    assert soon.stage.early > NOON
    assert {later.stage.early.minute, later.stage.likely.minute, later.stage.late.minute} == {0}


def test_nothing_is_said_where_too_little_is_known_or_nothing_goes_on():
    groups = [[RoundAhead(1, (going_on(7, 0, 1),))]]
    few = Known([played(0, 1)], lengths=[50] * (MIN_KNOWN - 1))
    unknown_pace: Known[int] = Known((), lengths=[50] * 10)
    for known in (few, unknown_pace):
        assert make_forecast(now=NOON, groups=groups, later=(), known=known) is None
    assert make_forecast(now=NOON, groups=[[]], later=(), known=even_field()) is None
    elsewhere: Known[int] = Known((), lengths=[50] * 10, paces=[3600.0] * 10)
    assert make_forecast(now=NOON, groups=groups, later=(), known=elsewhere) is not None
