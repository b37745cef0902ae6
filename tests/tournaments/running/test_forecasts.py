"""Forecasts of competitions: what they are made of and cost, when they are made, and where they are shown."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from matches.models import Match
from players.models import Player
from rules_engine.values import Side
from tests.matches.test_queries import queries_of
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.decisions.undoing import begin
from tests.tournaments.rounds.test_levels import start_levels
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments import tasks
from tournaments.models import Competition, CompetitionStatus, Forecast, RoundEnd
from tournaments.pages.template_tags import range_in_words
from tournaments.running.forecast_inputs import StageAhead
from tournaments.running.forecast_ranges import Range
from tournaments.running.selectors.forecasts import find_forecast, look_ahead
from tournaments.running.services.forecasts import update_forecast, update_forecasts
from tournaments.running.services.next_rounds import pair_due_rounds

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LATER = NOON + 50 * HOUR


def let_some_end(cup, number, moves=50):
    """Let so many matches be over after two days, with an hour for each move; the others have half of their moves."""
    for fixture in verbs.running(cup)[:number]:
        Match.objects.filter(pk=fixture.match_id).update(ply=moves)
        verbs.end(fixture, Side.YELLOW, NOON + moves * HOUR)
    Match.objects.filter(competition=cup.pk, finished_at=None, ply=0).update(ply=moves // 2)
    return Competition.objects.get(pk=cup.pk)


def start_another(size, **options):
    """Return a running knock-out of other players."""
    cup, _entries = verbs.start_cup(size, prefix="other", slug="other", name="Other", legs=1, **options)
    return cup


def begin_knock_out(size=8):
    cup, _entries = verbs.start_cup(size, legs=1)
    return let_some_end(cup, size // 2 - 1)


def test_a_knock_out_is_forecast_round_by_round():
    cup = begin_knock_out()
    (last,) = [fixture for fixture in verbs.running(cup) if fixture.round.number == 1]
    made = update_forecast(competition=cup, now=LATER)
    assert (made.stage_number, made.round_number) == (1, 1)
    assert LATER < made.round_early <= made.round_likely <= made.round_late < made.whole_late
    assert made.round_likely < LATER + 4 * DAY
    assert LATER + 3 * DAY < made.whole_likely < LATER + 14 * DAY
    assert (made.whole_likely, made.whole_late) == (made.stage_likely, made.stage_late)
    assert [match for match, _entry in made.holds_up] == [last.match_id]
    (of_first, of_second, of_third) = look_ahead(cup, LATER).groups[0]
    assert (len(of_first.open), of_first.to_come) == (1, 0)
    assert (len(of_second.open), of_second.to_come, of_third.to_come) == (1, 1, 1)


def test_rounds_that_are_drawn_from_results_are_still_to_come():
    cup, _entries = verbs.start_cup(4, format="swiss", rounds=3)
    (rounds,) = look_ahead(Competition.objects.get(pk=cup.pk), NOON).groups
    assert [(each.number, len(each.open), each.to_come) for each in rounds] == [(1, 2, 0), (2, 0, 2), (3, 0, 2)]


def test_rounds_end_on_their_dates_if_something_is_done_then():
    cup, _entries = verbs.start_cup(4, round_days=2, **ROUND_ROBIN)
    for policy, is_hard in ((RoundEnd.FORFEIT, True), (RoundEnd.WAIT, False)):
        cup.stages.update(at_round_end=policy)
        (first, second, _third) = look_ahead(Competition.objects.get(pk=cup.pk), NOON).groups[0]
        assert (first.ends_at is not None, second.length is not None) == (is_hard, is_hard)
        assert (len(first.open), first.to_come, len(second.open), second.to_come) == (2, 0, 0, 2)


def test_stages_to_come_are_counted_as_planned():
    cup = begin("groups then knock-out", 6)
    ahead = look_ahead(cup, NOON)
    assert len(ahead.groups) == 2
    assert ahead.later == (StageAhead(1, 2), StageAhead(1, 1))


def test_a_cup_in_levels_is_forecast_as_if_nobody_else_joined():
    cup, _players = start_levels(9)
    cup = let_some_end(cup, 4)
    ahead = look_ahead(cup, LATER)
    assert ahead.later is None
    assert [(group.level, len(group.won)) for group in ahead.levels.groups] == [(1, 3)] * 3
    assert sum(sum(group.won.values()) for group in ahead.levels.groups) == 4
    assert (ahead.levels.waiting, ahead.levels.gathers, ahead.levels.above) == ({1: []}, 3, 0.5)
    made = update_forecast(competition=cup, now=LATER)
    assert LATER < made.stage_likely < made.whole_late
    shown = find_forecast(Competition.objects.get(pk=cup.pk))
    assert (shown.gathers, shown.may_join) == (True, True)
    cup.stages.update(late_entry=False)
    shown = find_forecast(Competition.objects.get(pk=cup.pk))
    assert (shown.gathers, shown.may_join) == (True, False)


def test_groups_of_all_levels_that_play_are_forecast_with_who_waits_above():
    cup, _players = start_levels(9)
    for group in cup.first_stage.groups.order_by("number"):
        strongest = list(group.seats.order_by("pk").values_list("entry", flat=True))
        for fixture in [each for each in verbs.running(cup) if each.group_id == group.pk][
            : 5 if group.number == 3 else 6
        ]:
            better = min((fixture.yellow_id, fixture.red_id), key=strongest.index)
            verbs.end(fixture, Side.YELLOW if fixture.yellow_id == better else Side.RED, NOON + HOUR)
    pair_due_rounds(now=NOON + HOUR)
    ahead = look_ahead(Competition.objects.get(pk=cup.pk), LATER)
    assert [(group.level, sum(group.won.values())) for group in ahead.levels.groups] == [(1, 5.0)]
    assert [len(seats) for _level, seats in sorted(ahead.levels.waiting.items())] == [0, 2]
    # With the last match of the first level a third player comes, and others join the first level.
    (last,) = verbs.running(cup)
    verbs.end(last, Side.YELLOW, NOON + 2 * HOUR)
    pair_due_rounds(now=NOON + 2 * HOUR)
    verbs.enter_all(cup, verbs.make_players(3, "late"), NOON + 3 * HOUR)
    ahead = look_ahead(Competition.objects.get(pk=cup.pk), LATER)
    assert [group.level for group in ahead.levels.groups] == [1, 2]
    assert ahead.levels.placed == {2: set(ahead.levels.groups[1].won)}
    assert sum(len(each.open) for rounds in ahead.groups for each in rounds) == 12


def test_months_begin_on_their_day_in_a_forecast():
    cup, _entries = verbs.start_cup(
        6, format="round-robin", grouping={"size": 3}, advance={"first": 1, "levels": 99, "begins": "next-month"}
    )
    cup = let_some_end(cup, 4)
    month = NOON.replace(month=12)
    made = update_forecast(competition=cup, now=LATER)
    assert made.stage_likely < month < made.whole_early
    # When the groups are over, the winners wait for the day.
    verbs.end_all(cup, now=LATER)
    made = update_forecast(competition=Competition.objects.get(pk=cup.pk), now=LATER + HOUR)
    assert (made.stage_likely, made.round_likely, made.holds_up) == (made.whole_likely, None, [])
    assert month < made.whole_early


def test_forecasts_are_made_when_they_are_missing_or_due_or_a_round_has_begun():
    cup = begin_knock_out()
    Competition.objects.filter(pk=verbs.make_ladder().pk).update(status=CompetitionStatus.RUNNING)
    assert update_forecasts(now=LATER) == 1
    made = Forecast.objects.get()
    assert made.competition_id == cup.pk
    assert LATER < made.due_at <= LATER + HOUR
    assert update_forecasts(now=LATER + timedelta(seconds=59)) == 0
    assert update_forecasts(now=made.due_at) == 1
    Forecast.objects.update(made_at=LATER + HOUR, due_at=LATER + 9 * DAY)
    (last,) = [fixture for fixture in verbs.running(cup) if fixture.round.number == 1]
    verbs.end(last, Side.YELLOW, LATER + 2 * HOUR)
    cup.first_stage.groups.get().rounds.filter(number=2).update(started_at=LATER + 2 * HOUR)
    assert update_forecasts(now=LATER + 3 * HOUR) == 1


def test_nothing_is_said_of_what_is_paused_or_over_and_while_too_little_is_known():
    cup = begin_knock_out()
    update_forecast(competition=cup, now=LATER)
    assert find_forecast(Competition.objects.get(pk=cup.pk)) is not None
    for change in ({"paused_at": LATER}, {"status": CompetitionStatus.CANCELLED, "finished_at": LATER}):
        Competition.objects.filter(pk=cup.pk).update(**change)
        assert find_forecast(Competition.objects.get(pk=cup.pk)) is None
        assert update_forecasts(now=LATER + 9 * DAY) == 0
    fresh = start_another(2)
    Match.objects.exclude(competition=fresh.pk).update(game="paper-soccer")
    assert update_forecasts(now=LATER) == 1
    assert Forecast.objects.get(competition=fresh.pk).stage_likely is None
    assert find_forecast(Competition.objects.get(pk=fresh.pk)) is None


def test_one_that_fails_stops_no_others(monkeypatch):
    first = begin_knock_out()
    second = start_another(4)
    right = look_ahead

    def look(competition, now):
        if competition.pk == first.pk:
            raise ValueError
        return right(competition, now)

    monkeypatch.setattr("tournaments.running.services.forecasts.look_ahead", look)
    tasks.make_forecasts()
    failed, made = Forecast.objects.order_by("competition")
    assert (failed.competition, made.competition) == (first, second)
    # It is not the first again each time.
    assert failed.due_at - failed.made_at == timedelta(hours=1)


def test_a_forecast_costs_as_many_queries_for_a_large_field():
    costs = []
    for begun, number in ((verbs.start_cup(8, legs=1)[0], 2), (start_another(32), 8)):
        cup = let_some_end(begun, number)
        costs.append(len(queries_of(partial(update_forecast, competition=cup, now=LATER))))
    assert costs[0] == costs[1] <= 14


MADE = datetime(2026, 11, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)
API = "/api/v1/competitions/cup/"


@pytest.fixture
def cup():
    """Return a running cup with a forecast."""
    cup = begin_knock_out()
    fixture = cup.fixtures.filter(counted_at=None, round__number=1).get()
    ends = {
        f"{what}_{name}": MADE + (days + more) * DAY
        for what, days in (("round", 1), ("stage", 6), ("whole", 6))
        for name, more in (("early", 0), ("likely", 1), ("late", 3))
    }
    holds_up = [[fixture.match_id, fixture.red_id], [fixture.match_id, 0]]
    Forecast.objects.create(competition=cup, made_at=MADE, due_at=MADE, round_number=1, holds_up=holds_up, **ends)
    return cup


def test_the_page_says_when_the_round_and_the_cup_will_probably_end_and_who_takes_longest(cup, client):
    page = text_of(client.get("/cups/cup/"))
    assert "Round 1 6 Nov 2026 (between 5 Nov 2026 and 8 Nov 2026 )" in page
    assert "The whole cup 11 Nov 2026 (between 10 Nov 2026 and 13 Nov 2026 )" in page
    fixture = cup.fixtures.get(counted_at=None, round__number=1)
    assert f"Takes longest: {fixture.red.player} against {fixture.yellow.player}" in page
    assert "Stage 1" not in page


@pytest.mark.parametrize(
    ("advance", "name"), [({"first": 2}, "Stage 1"), ({"first": 0, "above_percent": 50, "levels": 4}, "Level 1")]
)
def test_a_stage_or_a_level_is_named_where_nobody_knows_the_end_of_the_whole(cup, client, advance, name):
    Forecast.objects.update(whole_early=None, whole_likely=None, whole_late=None)
    cup.stages.update(advance=advance)
    page = text_of(client.get("/cups/cup/"))
    assert f"{name} 11 Nov 2026 (between 10 Nov 2026 and 13 Nov 2026 )" in page
    assert "The whole cup" not in page


def test_a_cup_in_levels_says_what_plays_and_that_others_may_join(client):
    cup, _players = start_levels(3)
    ends = {f"stage_{name}": MADE for name in ("early", "likely", "late")}
    ends |= {f"whole_{name}": MADE + 9 * DAY for name in ("early", "likely", "late")}
    Forecast.objects.create(competition=cup, made_at=MADE, due_at=MADE, **ends)
    page = text_of(client.get(cup.get_absolute_url()))
    assert "The current groups 4 Nov 2026" in page
    assert "The whole cup, if nobody else joins 13 Nov 2026" in page
    cup.stages.update(late_entry=False)
    assert "if nobody else joins" not in text_of(client.get(cup.get_absolute_url()))


def test_organisers_see_it_on_their_desk(cup, client):
    olga = Player.objects.create(username="olga")
    cup.organisers.add(olga)
    client.force_login(olga)
    assert "The whole cup 11 Nov 2026" in text_of(client.get("/cups/cup/organise/"))


def test_the_api_has_it(cup, client):
    slower = cup.fixtures.get(counted_at=None, round__number=1)
    forecast = client.get(API).json()["forecast"]
    assert forecast == {
        "made_at": "2026-11-04T12:00:00Z",
        "stage": 1,
        "round": 1,
        "round_ends": {
            "early": "2026-11-05T12:00:00Z",
            "likely": "2026-11-06T12:00:00Z",
            "late": "2026-11-08T12:00:00Z",
        },
        "stage_ends": forecast["ends"],
        "ends": {"early": "2026-11-10T12:00:00Z", "likely": "2026-11-11T12:00:00Z", "late": "2026-11-13T12:00:00Z"},
        "holds_up": [{"match": slower.match_id, "player": slower.red.player.username}],
    }


def test_it_is_not_shown_while_the_cup_is_paused_and_before_there_is_one(cup, client):
    Competition.objects.update(paused_at=MADE)
    assert "When it will probably end" not in text_of(client.get("/cups/cup/"))
    assert client.get(API).json()["forecast"] is None
    Competition.objects.update(paused_at=None)
    Forecast.objects.all().delete()
    assert "When it will probably end" not in text_of(client.get("/cups/cup/"))
    assert client.get(API).json()["forecast"] is None


def test_a_narrow_range_is_named_by_the_hour_and_a_wide_one_by_the_day():
    narrow, wide = (Range(MADE, MADE + DAY, MADE + days * DAY) for days in (1, 2))
    assert 'data-local="moment"' in range_in_words(narrow)
    assert 'data-local="day"' in range_in_words(wide)


def test_a_range_of_one_moment_names_it_once():
    assert range_in_words(Range(MADE, MADE, MADE)).count("<time") == 1
    assert range_in_words(Range(MADE, MADE, MADE + timedelta(hours=1))).count("<time") == 3
