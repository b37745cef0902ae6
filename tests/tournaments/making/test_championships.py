"""A championship: leagues that are drawn from the seasons before, and whose players go up and down."""

from datetime import timedelta

import pytest

from matches.models import Match, Status
from rules_engine.values import Ending, Side
from tests.tournaments.verbs import NOON, draw, enter_all, leave, make_players, open_entry, running, start, withdraw
from tournaments.making.recipes import CHAMPIONSHIP, KNOCK_OUT, RECIPES, make_stages
from tournaments.making.services.competitions import create_competition
from tournaments.making.services.seasons import announce_due_seasons
from tournaments.making.services.series import make_series
from tournaments.models import Competition, CompetitionStatus, Cup, Entry, Group, LogEntry, Seat
from tournaments.models.season_dates import Rhythm
from tournaments.office.services.locks import lock_competition
from tournaments.office.stage_names import name_group
from tournaments.rounds.errors import InvalidStages
from tournaments.rounds.services.stage_checks import check_stages
from tournaments.running.errors import LastSeasonRunning
from tournaments.running.services.settlement import settle_competition
from tournaments.running.services.start import start_competition
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
WON = {"status": Status.FINISHED, "ending": Ending.NORMAL_TIME, "finished_at": NOON, "deadline": None, "side": ""}


def make_championship(olga, players):
    """Return the first season of a championship with these players, before its start."""
    cup = Cup(name="Championship 1", game="streetsoccer-board", starts_at=NOON)
    (stage,) = make_stages(RECIPES[CHAMPIONSHIP])
    stage.options = {"cycles": 1}
    create_competition(competition=cup, stage=stage, creator=olga, now=NOON)
    open_entry(cup)
    # Promotion need not be chosen: it is what such a season is seeded by.
    options = {"name": "Championship", "rhythm": Rhythm.AFTER_END, "announce_days": 5}
    series = make_series(competition=cup, options=options, actor=olga, now=NOON)
    enter_all(cup, players)
    return cup, series


def let_the_better_win(competition, strength):
    """End all running matches: the player who comes first in ``strength``, which are usernames, wins."""
    rank = {name: number for number, name in enumerate(strength)}
    won: dict[str, list[int]] = {"yellow": [], "red": []}
    for fixture in running(competition):
        is_yellow = rank[fixture.yellow.player.username] < rank[fixture.red.player.username]
        won["yellow" if is_yellow else "red"].append(fixture.match_id)
    for side, (yellow, red) in {"yellow": (3, 0), "red": (0, 3)}.items():
        score = {"score_yellow": yellow, "score_red": red, "points_yellow": yellow and 5, "points_red": red and 5}
        Match.objects.filter(pk__in=won[side]).update(winner=Side(side), **score, **WON)
    settle_competition(competition=lock_competition(competition_id=competition.pk), until=NOON, now=NOON)
    recompute_stale(now=NOON)
    competition.refresh_from_db()


def leagues_of(competition):
    """Return who plays in which group, by its name."""
    groups = Group.objects.filter(stage__competition=competition).select_related("stage").order_by("number")
    return {
        name_group(group): {seat.entry.player.username for seat in group.seats.select_related("entry__player")}
        for group in groups
    }


def test_a_season_of_twenty_rolls_into_the_next_as_the_table_by_hand_says(olga):
    players = make_players(20)
    cup, series = make_championship(olga, players)
    start(cup)
    first = leagues_of(cup)
    assert [(name, len(names)) for name, names in first.items()] == [("League 1", 10), ("League 2", 10)]
    one, two = (sorted(names) for names in first.values())
    # The seventh of league 2 withdraws in mid-season: played results stand, the rest are lost.
    leaving = Entry.objects.get(competition=cup, player__username=two[6])
    withdraw(leaving, by=olga)
    let_the_better_win(cup, [*one, *two])
    assert (cup.status, cup.winner.player.username) == (CompetitionStatus.FINISHED, one[0])

    assert announce_due_seasons(now=NOON + DAY) == 1
    season = Competition.objects.get(series=series, season=2)
    entered = {entry.player.username: entry for entry in season.entries.select_related("player")}
    assert set(entered) == {player.username for player in players} - {two[6]}
    assert LogEntry.objects.get(competition=season, action="entered-again").concerns.count() == 19
    # One leaves before the season starts, and two are new.
    leave(entered[one[3]], now=NOON + DAY)
    enter_all(season, make_players(2, "new"), NOON + DAY)
    start(season, now=NOON + 5 * DAY)
    # In order: one[0] to [2], one[4], two[0], two[1]; one[5] to [9], two[2] to [4]; two[5], two[7] to [9], the new.
    expected = leagues_of(season)
    assert list(expected) == ["League 1", "League 2"]
    assert expected["League 1"] == {*one[:3], one[4], *two[:2], *one[5:9]}
    assert expected["League 2"] == {one[9], *two[2:6], *two[7:], "new-1", "new-2"}


def test_a_season_is_neither_drawn_nor_started_before_the_last_one_has_ended(olga):
    cup, series = make_championship(olga, make_players(3))
    start(cup)
    series.rhythm = Rhythm.WEEKLY
    series.save()
    announce_due_seasons(now=NOON + 6 * DAY)
    season = Competition.objects.get(series=series, season=2)
    late = NOON + 6 * DAY
    with pytest.raises(LastSeasonRunning):
        draw(season, by=olga, now=late)
    with pytest.raises(LastSeasonRunning):
        start_competition(competition_id=season.pk, actor=olga, now=late)


def test_leagues_are_the_only_stage_of_a_season():
    (leagues,) = make_stages(RECIPES[CHAMPIONSHIP])
    check_stages([leagues], max_entrants=None)
    leagues.advance = {"first": 2}
    with pytest.raises(InvalidStages, match="Leagues are the only stage"):
        check_stages([leagues, *make_stages(RECIPES[KNOCK_OUT])], max_entrants=None)


def test_a_player_who_skips_a_season_comes_back_one_league_lower(olga):
    cup, series = make_championship(olga, make_players(12))
    start(cup)
    one, two = (sorted(names) for names in leagues_of(cup).values())
    let_the_better_win(cup, [*one, *two])
    announce_due_seasons(now=NOON)
    second = Competition.objects.get(series=series, season=2)
    skipper = second.entries.get(player__username=one[0])
    leave(skipper)
    enter_all(second, make_players(1, "new"))
    start(second)
    let_the_better_win(second, [*one, *two, "new-1"])
    announce_due_seasons(now=NOON)
    third = Competition.objects.get(series=series, season=3)
    enter_all(third, [skipper.player])
    start(third)
    assert [len(names) for names in leagues_of(third).values()] == [7, 6]
    order = Seat.objects.filter(stage__competition=third).order_by("group__number", "seed")
    names = list(order.values_list("entry__player__username", flat=True))
    # Behind all who belong in league 2, and before the player who was last there.
    assert names.index(skipper.player.username) > 6
