"""A competition comes again: its seasons are announced ahead, made once, filled, and start one after the other."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from players.models import Player
from tests.tournaments import verbs
from tests.tournaments.rounds.test_levels import let_win, start_levels, waiting, work
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.status import open_competition
from tournaments.making.errors import InvalidSeries, SeriesRefused
from tournaments.making.selectors.season_history import seasons_of_player
from tournaments.making.selectors.series import next_season_of
from tournaments.making.services.seasons import announce_due_seasons, announce_season_if_due
from tournaments.making.services.series import edit_series, end_series, make_series
from tournaments.models import Competition, CompetitionStatus, EntryInvitation, LogEntry, Series
from tournaments.models.season_dates import Rhythm
from tournaments.office.errors import NotAnOrganiser
from tournaments.records.seasons import places_in
from tournaments.running.errors import LastSeasonRunning
from tournaments.running.services.start import start_competition, start_due_competitions

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

DAY = timedelta(days=1)
WEEK = 7 * DAY
OF_WEEKS = {"name": "Thursday cup", "rhythm": Rhythm.WEEKLY, "announce_days": 3}


@pytest.fixture
def olga():
    return Player.objects.create(username="olga")


@pytest.fixture
def cup(olga):
    clock = {"time_bank": 60 * 24 * 3600, "time_cap": 60 * 24 * 3600}
    return verbs.make_cup(legs=1, starts_at=NOON, max_entrants=8, name="Spring", **clock, organiser=olga)


def begin(cup, olga, players=2, **options):
    """Start the first season of a series, and return the series and the entries."""
    series = make_series(competition=cup, options=OF_WEEKS | options, actor=olga, now=NOON)
    entries = verbs.enter_all(cup, verbs.make_players(players))
    verbs.start(cup)
    return series, entries


def play_to_the_end(competition, now):
    while open_matches := verbs.running(competition):
        verbs.end(open_matches[0], open_matches[0].yellow, now)
    competition.refresh_from_db()
    assert competition.status == CompetitionStatus.FINISHED


def test_a_season_is_announced_ahead_with_the_same_options_and_people(cup, olga):
    series, _entries = begin(cup, olga)
    hanna = Player.objects.create(username="hanna")
    cup.helpers.add(hanna)
    assert announce_due_seasons(now=NOON + 4 * DAY - timedelta(seconds=1)) == 0
    assert announce_due_seasons(now=NOON + 4 * DAY) == 1
    season = Competition.objects.get(series=series, season=2)
    assert (season.name, season.slug, season.status) == ("Thursday cup 2", "thursday-cup-2", CompetitionStatus.OPEN)
    assert (season.starts_at, season.max_entrants, season.game) == (NOON + WEEK, 8, cup.game)
    assert season.first_stage.options == cup.first_stage.options
    assert (list(season.organisers.all()), list(season.helpers.all()), season.creator) == ([olga], [hanna], olga)
    assert not season.entries.exists()
    assert not season.invitations.exists()


def test_a_task_that_runs_twice_or_late_makes_one_season(cup, olga):
    series, _entries = begin(cup, olga)
    late = NOON + 40 * DAY
    assert announce_season_if_due(series_id=series.pk, now=late) is not None
    assert announce_season_if_due(series_id=series.pk, now=late) is None
    assert announce_due_seasons(now=late) == 0
    assert Competition.objects.get(series=series, season=2).starts_at == NOON + WEEK
    with pytest.raises(IntegrityError), transaction.atomic():
        Competition.objects.filter(pk=cup.pk).update(season=2)


def test_a_season_starts_when_it_is_due_and_the_last_one_has_ended(cup, olga):
    series, _entries = begin(cup, olga)
    announce_due_seasons(now=NOON + 4 * DAY)
    season = Competition.objects.get(series=series, season=2)
    verbs.enter_all(season, verbs.make_players(2, "late"), NOON + 4 * DAY)
    late = NOON + 2 * WEEK
    assert start_due_competitions(now=late) == 0
    with pytest.raises(LastSeasonRunning):
        start_competition(competition_id=season.pk, actor=olga, now=late)
    play_to_the_end(cup, late)
    assert start_due_competitions(now=late) == 1
    announce_due_seasons(now=late + 5 * DAY)
    # The second one has waited until the third date.
    assert Competition.objects.get(series=series, season=3).starts_at == NOON + 3 * WEEK


def test_a_season_waits_until_the_result_of_the_last_one_is_final(cup, olga):
    Competition.objects.filter(pk=cup.pk).update(protest_hours=24)
    cup.refresh_from_db()
    series, _entries = begin(cup, olga)
    announce_due_seasons(now=NOON + 4 * DAY)
    season = Competition.objects.get(series=series, season=2)
    verbs.enter_all(season, verbs.make_players(2, "late"), NOON + 4 * DAY)
    play_to_the_end(cup, NOON + WEEK - DAY / 2)
    is_final = NOON + WEEK + DAY / 2
    assert start_due_competitions(now=is_final - timedelta(seconds=1)) == 0
    with pytest.raises(LastSeasonRunning, match="provisional"):
        start_competition(competition_id=season.pk, actor=olga, now=is_final - timedelta(seconds=1))
    assert start_due_competitions(now=is_final) == 1


def test_when_the_last_one_has_ended_the_next_is_announced_as_of_its_end(cup, olga):
    series, _entries = begin(cup, olga, rhythm=Rhythm.AFTER_END)
    assert announce_due_seasons(now=NOON + WEEK) == 0
    play_to_the_end(cup, NOON + WEEK)
    # A worker comes late.
    assert announce_due_seasons(now=NOON + 2 * WEEK) == 1
    assert Competition.objects.get(series=series, season=2).starts_at == NOON + WEEK + 3 * DAY


def test_the_same_players_are_asked_again_as_they_were_at_the_announcement(cup, olga):
    series, entries = begin(cup, olga, players=4, carry_over="same-entrants")
    due = NOON + 4 * DAY
    verbs.withdraw(entries[0], by=olga, now=due - DAY)
    verbs.withdraw(entries[1], by=olga, now=due + DAY)
    Player.objects.filter(pk=entries[2].player_id).update(is_active=False)
    announce_due_seasons(now=due + 2 * DAY)
    invitations = EntryInvitation.objects.filter(competition__series=series, competition__season=2)
    asked = invitations.values_list("player__username", "invited_by__username").order_by("player")
    assert list(asked) == [("player-2", "olga"), ("player-4", "olga")]


@pytest.mark.parametrize("carry_over", ["same-entrants", "promotion"])
def test_a_player_with_two_places_at_the_first_level_comes_along_once(olga, carry_over):
    cup, players = start_levels(3)
    cup.organisers.add(olga)
    series = make_series(competition=cup, options=OF_WEEKS | {"carry_over": carry_over}, actor=olga, now=NOON)
    verbs.enter(cup, players[0], now=NOON + DAY)
    assert announce_due_seasons(now=NOON + 4 * DAY) == 1
    season = Competition.objects.get(series=series, season=2)
    come = season.invitations if carry_over == "same-entrants" else season.entries
    assert sorted(come.values_list("player__username", flat=True)) == ["player-1", "player-2", "player-3"]


def test_the_place_of_who_waits_at_a_higher_level_is_that_in_their_last_group(olga):
    cup, players = start_levels(3)
    cup.organisers.add(olga)
    series = make_series(competition=cup, options=OF_WEEKS, actor=olga, now=NOON)
    (late,) = verbs.make_players(1, "late")
    verbs.enter(cup, late)
    let_win(cup, 1, "1", "2", "3")
    work(cup)
    assert (waiting(cup, 1), waiting(cup, 2)) == (["late-1"], ["1"])
    assert [(place.entrant, place.group, place.place) for place in places_in(cup, at=NOON)] == [
        *((player.pk, 1, number) for number, player in enumerate(players, start=1)),
        (late.pk, 1, None),
    ]
    verbs.close_entry(cup, by=olga)
    cup.refresh_from_db()
    assert (cup.status, cup.winner.player) == (CompetitionStatus.FINISHED, players[0])
    assert [past.place for past in seasons_of_player(series, players[0])] == [1]
    assert seasons_of_player(series, late) == []


def test_more_players_are_asked_than_an_organiser_may_ask(cup, olga, settings):
    settings.MAX_ENTRY_INVITATIONS_A_DAY = 1
    series, _entries = begin(cup, olga, players=3, carry_over="same-entrants")
    announce_due_seasons(now=NOON + 4 * DAY)
    assert EntryInvitation.objects.filter(competition__series=series).count() == 3


def test_nothing_comes_after_a_series_was_ended_or_its_season_hidden_or_its_organisers_closed(cup, olga):
    series, _entries = begin(cup, olga)
    due = NOON + 5 * DAY
    Competition.objects.filter(pk=cup.pk).update(hidden_at=NOON)
    assert announce_due_seasons(now=due) == 0
    Competition.objects.filter(pk=cup.pk).update(hidden_at=None)
    Player.objects.filter(pk=olga.pk).update(is_active=False)
    assert announce_due_seasons(now=due) == 0
    Player.objects.filter(pk=olga.pk).update(is_active=True)
    olga.refresh_from_db()
    end_series(series_id=series.pk, actor=olga, now=NOON)
    assert announce_due_seasons(now=due) == 0
    with pytest.raises(SeriesRefused):
        edit_series(series_id=series.pk, options={"announce_days": 1}, actor=olga, now=NOON)


def test_after_a_season_that_was_cancelled_another_one_comes(cup, olga):
    series, _entries = begin(cup, olga)
    announce_due_seasons(now=NOON + 4 * DAY)
    season = Competition.objects.get(series=series, season=2)
    verbs.cancel(season, by=olga, now=NOON + 5 * DAY)
    assert announce_due_seasons(now=NOON + 5 * DAY) == 0
    assert announce_due_seasons(now=NOON + 11 * DAY) == 1
    assert Competition.objects.get(series=series, season=3).starts_at == NOON + 2 * WEEK


def test_only_organisers_change_and_end_a_series_and_it_is_logged(cup, olga, otto):
    series = make_series(competition=cup, options=OF_WEEKS, actor=olga, now=NOON)
    with pytest.raises(SeriesRefused):
        make_series(competition=cup, options=OF_WEEKS, actor=olga, now=NOON)
    with pytest.raises(NotAnOrganiser):
        edit_series(series_id=series.pk, options={"announce_days": 1}, actor=otto, now=NOON)
    with pytest.raises(NotAnOrganiser):
        end_series(series_id=series.pk, actor=otto, now=NOON)
    edit_series(series_id=series.pk, options={"announce_days": 1}, actor=olga, now=NOON)
    end_series(series_id=series.pk, actor=olga, now=NOON)
    end_series(series_id=series.pk, actor=olga, now=NOON)
    series = Series.objects.get()
    assert (series.name, series.announce_days, series.ended_at, series.anchor) == ("Thursday cup", 1, NOON, NOON)
    logged = LogEntry.objects.filter(competition=cup, action__startswith="series").order_by("pk")
    assert list(logged.values_list("action", "actor__username")) == [
        ("series-made", "olga"),
        ("series-changed", "olga"),
        ("series-ended", "olga"),
    ]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"rhythm": Rhythm.DATES}, "days"),
        ({"rhythm": Rhythm.DATES, "days": ["05-32"]}, "days"),
        ({"rhythm": Rhythm.DATES, "days": "05-01"}, "days"),
        ({"rhythm": Rhythm.DATES, "days": [5]}, "days"),
        ({"rhythm": "daily"}, "rhythm"),
        ({"announce_days": 61}, "announce_days"),
        ({"carry_over": "everything"}, "carry_over"),
        ({"name": ""}, "name"),
    ],
)
def test_an_option_that_a_series_cannot_have_is_refused_by_name(cup, olga, options, field):
    with pytest.raises(InvalidSeries) as refusal:
        make_series(competition=cup, options=OF_WEEKS | options, actor=olga, now=NOON)
    assert list(refusal.value.fields) == [field]


def test_a_ladder_does_not_come_again(olga):
    with pytest.raises(SeriesRefused, match="never ends"):
        make_series(competition=verbs.make_ladder(organiser=olga), options=OF_WEEKS, actor=olga, now=NOON)


def test_of_a_draft_nothing_comes_before_it_is_opened(olga):
    draft = verbs.make_cup(starts_at=NOON, organiser=olga, status=CompetitionStatus.DRAFT)
    series = make_series(competition=draft, options=OF_WEEKS, actor=olga, now=NOON)
    assert announce_due_seasons(now=NOON + 3 * WEEK) == 0
    assert next_season_of(series, draft) is None
    open_competition(competition_id=draft.pk, actor=olga, now=NOON)
    verbs.enter_all(draft, verbs.make_players(2))
    verbs.start(draft)
    assert announce_due_seasons(now=NOON + 4 * DAY) == 1


def test_series_of_long_and_equal_names_have_slugs_that_fit(olga):
    slugs = []
    for number in range(2):
        cup = verbs.make_cup(slug=f"cup-{number}", starts_at=NOON, organiser=olga)
        # Each letter is written as four.
        options = OF_WEEKS | {"name": 64 * "щ"}
        slugs.append(make_series(competition=cup, options=options, actor=olga, now=NOON).slug)
    assert slugs == [20 * "shch", f"{19 * 'shch'}sh-2"]


def test_the_first_date_is_that_of_the_next_season_even_if_it_is_weeks_away(cup, olga):
    series, _entries = begin(cup, olga)
    first = NOON + timedelta(days=24)
    edit_series(series_id=series.pk, options={"anchor": first}, actor=olga, now=NOON)
    assert announce_due_seasons(now=first - 3 * DAY - timedelta(seconds=1)) == 0
    assert announce_due_seasons(now=first - 3 * DAY) == 1
    assert Competition.objects.get(series=series, season=2).starts_at == first


def test_the_sweep_locks_no_series_of_which_no_season_is_due(olga, django_assert_num_queries):
    for number in range(3):
        cup = verbs.make_cup(slug=f"cup-{number}", starts_at=NOON, organiser=olga)
        make_series(competition=cup, options=OF_WEEKS, actor=olga, now=NOON)
    Competition.objects.update(status=CompetitionStatus.RUNNING, started_at=NOON)
    with django_assert_num_queries(1):
        assert announce_due_seasons(now=NOON + 4 * DAY - timedelta(seconds=1)) == 0
    assert announce_due_seasons(now=NOON + 4 * DAY) == 3
