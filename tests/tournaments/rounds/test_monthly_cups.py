"""Monthly cups: a cup every month that overlaps with the last one, and the final of a year's winners."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from players.models import Player
from tests.pages.html import text_of
from tests.tournaments.making.test_championships import let_the_better_win
from tests.tournaments.verbs import NOON, cancel, enter_all, make_players, open_entry, running, start
from tournaments.making.errors import InvalidSeries
from tournaments.making.recipes import MONTHLY_CUP, RECIPES, make_stages
from tournaments.making.selectors.series import series_due
from tournaments.making.services.competitions import create_competition
from tournaments.making.services.seasons import announce_due_seasons, announce_if_due
from tournaments.making.services.series import edit_series, end_series, make_series
from tournaments.models import Competition, CompetitionStatus, Cup, Entry, EntryInvitation, LogEntry, Seat, Series
from tournaments.models.season_dates import Rhythm
from tournaments.models.title_names import TitleKind
from tournaments.running.services.next_rounds import pair_due_rounds
from tournaments.running.services.start import start_due_competitions
from tournaments.tables.selectors.titles import list_titles
from tournaments.tables.services.winners import store_title

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
DECEMBER = NOON.replace(month=12)
JANUARY = NOON.replace(year=2027, month=1)
NEW_YEAR = JANUARY.replace(hour=0)


@pytest.fixture
def cup(olga):
    """Return the first cup of a series, in November, before its start."""
    cup = Cup(name="Monthly cup", game="streetsoccer-board", starts_at=NOON, min_rating=100, max_entrants=9)
    (stage,) = make_stages(RECIPES[MONTHLY_CUP])
    create_competition(competition=cup, stage=stage, creator=olga, now=NOON)
    open_entry(cup)
    make_series(competition=cup, options={"rhythm": Rhythm.MONTHLY, "announce_days": 7}, actor=olga, now=NOON)
    return cup


def win(season, player, at):
    """Let a season that has started be over, and won by this player."""
    entry, _new = Entry.objects.get_or_create(
        competition=season, player=player, defaults={"entered_at": NOON, "draw": player.pk}
    )
    Competition.objects.filter(pk=season.pk).update(
        status=CompetitionStatus.FINISHED, started_at=season.starts_at, finished_at=at, winner=entry
    )


def play_november_and_december(cup, first, second, ended_at=DECEMBER + 20 * DAY):
    """Let two players win the cups of November and December; that of January is announced."""
    win(cup, first, NOON + 9 * DAY)
    announce_due_seasons(now=DECEMBER)
    win(Competition.objects.get(season=2), second, ended_at)
    announce_due_seasons(now=NEW_YEAR - timedelta(seconds=1))
    assert Competition.objects.filter(series=cup.series).count() == 3


def test_it_comes_every_month_with_a_final_unless_it_is_chosen_otherwise(cup):
    series = Series.objects.get()
    assert (series.rhythm, series.overlap, series.year_final) == (Rhythm.MONTHLY, True, True)
    assert series.carry_over == "same-entrants"


def test_the_next_cup_begins_while_the_winners_of_the_groups_still_play(cup, olga):
    players = make_players(7)
    enter_all(cup, players)
    start(cup)
    let_the_better_win(cup, [player.username for player in players])
    assert announce_due_seasons(now=DECEMBER - 7 * DAY) == 1
    second = Competition.objects.get(season=2)
    assert EntryInvitation.objects.filter(competition=second).count() == 7
    enter_all(second, players[2:6], DECEMBER - DAY)
    assert start_due_competitions(now=DECEMBER) == 1
    assert pair_due_rounds(now=DECEMBER) == 1
    cup.refresh_from_db()
    second.refresh_from_db()
    assert (cup.status, second.status) == (CompetitionStatus.RUNNING, CompetitionStatus.RUNNING)
    assert Seat.objects.filter(stage__competition=cup, stage__number=2).count() == 2
    # The third cup is announced by the dates of the second, whatever becomes of the first.
    assert announce_due_seasons(now=JANUARY - 7 * DAY) == 1
    assert Competition.objects.get(season=3).starts_at == JANUARY


def test_the_winners_of_a_year_meet_in_its_final(cup, olga, client):
    anna, piotr = make_players(2)
    play_november_and_december(cup, anna, piotr)
    assert announce_due_seasons(now=NEW_YEAR) == 1
    final = Competition.objects.get(final_of=2026)
    assert (final.name, final.series, final.season) == ("Monthly cup 2026: final", cup.series, None)
    assert (final.starts_at, final.status, final.by_invitation) == (NEW_YEAR + 7 * DAY, CompetitionStatus.OPEN, True)
    assert (final.min_rating, final.max_entrants, list(final.organisers.all())) == (None, None, [olga])
    assert list(final.entries.order_by("pk").values_list("player", flat=True)) == [anna.pk, piotr.pk]
    assert LogEntry.objects.get(competition=final, action="entered-final").concerns.count() == 2
    assert start_due_competitions(now=NEW_YEAR + 7 * DAY) >= 1
    # A double round robin.
    assert len(running(final)) == 2
    let_the_better_win(final, [piotr.username, anna.username])
    assert (final.status, final.winner.player) == (CompetitionStatus.FINISHED, piotr)
    (title,) = list_titles(kind=TitleKind.YEAR)
    assert (title.player, vars(title)["is_held"]) == (piotr, True)
    assert announce_due_seasons(now=NEW_YEAR + 8 * DAY) == 0
    text = text_of(client.get("/series/monthly-cup/"))
    assert "Yearly finals" in text
    assert "Monthly cup 2026: final" in text
    assert "Final 2026 of Monthly cup" in text_of(client.get(final.get_absolute_url()))
    api = client.get("/api/v1/series/monthly-cup/").json()
    assert api["finals"] == [{"year": 2026, "competition": final.slug, "winner": piotr.username}]
    assert (api["overlap"], api["year_final"], api["next_season"]) == (True, True, None)
    seasons = client.get("/api/v1/series/monthly-cup/seasons/").json()["results"]
    assert [each["season"] for each in seasons] == [3, 2, 1]
    with pytest.raises(IntegrityError), transaction.atomic():
        Competition.objects.filter(pk=final.pk).update(season=4)


@pytest.mark.parametrize("fault", ["hidden", "closed"])
def test_no_final_follows_what_is_hidden_or_is_for_one_open_account(cup, fault):
    anna, piotr = make_players(2)
    play_november_and_december(cup, anna, piotr)
    if fault == "hidden":
        Competition.objects.filter(season=3).update(hidden_at=NEW_YEAR)
    else:
        Player.objects.filter(pk=piotr.pk).update(is_active=False)
    assert announce_due_seasons(now=NEW_YEAR + DAY) == 0
    assert not Competition.objects.filter(final_of=2026).exists()


def test_no_season_is_announced_for_a_day_that_has_passed(olga):
    cup = Cup(name="Monthly cup", game="streetsoccer-board", starts_at=NOON)
    (stage,) = make_stages(RECIPES[MONTHLY_CUP])
    create_competition(competition=cup, stage=stage, creator=olga, now=NOON)
    open_entry(cup)
    Competition.objects.filter(pk=cup.pk).update(status=CompetitionStatus.RUNNING, started_at=NOON)
    late = NEW_YEAR + 60 * DAY
    make_series(competition=cup, options={"rhythm": Rhythm.MONTHLY, "announce_days": 7}, actor=olga, now=late)
    announce_due_seasons(now=late)
    seasons = Competition.objects.filter(season__gt=1)
    assert [each.starts_at > late for each in seasons] == [True] * seasons.count()


def test_a_final_waits_for_the_last_cup_of_its_year(cup, olga):
    anna, piotr = make_players(2)
    late = NEW_YEAR + 40 * DAY
    win(cup, anna, NOON + 9 * DAY)
    announce_due_seasons(now=DECEMBER)
    Competition.objects.filter(season=2).update(status=CompetitionStatus.RUNNING, started_at=DECEMBER)
    announce_due_seasons(now=late - DAY)
    assert not Competition.objects.filter(final_of=2026).exists()
    win(Competition.objects.get(season=2), piotr, late)
    # A worker comes late.
    announce_due_seasons(now=late + 3 * DAY)
    assert Competition.objects.get(final_of=2026).starts_at == late + 7 * DAY


def test_the_final_of_another_year_is_played_like_the_last_one(cup, olga):
    anna, piotr = make_players(2)
    play_november_and_december(cup, anna, piotr)
    announce_due_seasons(now=NEW_YEAR)
    first = Competition.objects.get(final_of=2026)
    first.stages.update(options={"cycles": 1})
    Competition.objects.filter(pk=first.pk).update(description="In the old hall.")
    Competition.objects.filter(season=3).update(status=CompetitionStatus.RUNNING, started_at=JANUARY)
    announce_due_seasons(now=JANUARY + 29 * DAY)
    for number, player in ((3, anna), (4, piotr)):
        win(Competition.objects.get(season=number), player, JANUARY + 50 * DAY)
    Series.objects.update(rhythm=Rhythm.AFTER_END, overlap=False, announce_days=60)
    announce_if_due(series_id=cup.series_id, now=NEW_YEAR.replace(year=2028))
    competition = Competition.objects.filter(season=5)
    win(competition.get(), anna, NEW_YEAR.replace(year=2027, month=12))
    announce_if_due(series_id=cup.series_id, now=NEW_YEAR.replace(year=2028))
    second = Competition.objects.get(final_of=2027)
    for final, player in ((first, anna), (second, piotr)):
        win(final, player, NEW_YEAR)
        store_title(competition=Competition.objects.get(pk=final.pk))
    held = {title.player: vars(title)["is_held"] for title in list_titles(kind=TitleKind.YEAR)}
    assert held == {anna: False, piotr: True}
    assert (second.first_stage.options["cycles"], second.description) == (1, "In the old hall.")


@pytest.mark.parametrize("case", ["one winner", "no final"])
def test_years_without_a_final(cup, olga, case):
    anna, piotr = make_players(2)
    play_november_and_december(cup, anna, anna if case == "one winner" else piotr)
    if case == "no final":
        edit_series(series_id=cup.series_id, options={"year_final": False}, actor=olga, now=NOON)
    assert announce_due_seasons(now=NEW_YEAR + 30 * DAY) == 0
    assert not Competition.objects.filter(final_of__isnull=False).exists()


def test_the_winners_of_a_year_meet_though_the_series_has_ended(cup, olga):
    anna, piotr = make_players(2)
    play_november_and_december(cup, anna, piotr)
    end_series(series_id=cup.series_id, actor=olga, now=DECEMBER + 25 * DAY)
    assert announce_due_seasons(now=NEW_YEAR + 30 * DAY) == 1
    final = Competition.objects.get(final_of=2026)
    assert [entry.player for entry in final.entries.order_by("pk")] == [anna, piotr]
    assert announce_due_seasons(now=NEW_YEAR + 60 * DAY) == 0
    assert Competition.objects.filter(season__isnull=False).count() == 3


def test_a_series_that_has_ended_long_ago_is_not_asked_for_finals(cup, olga, django_assert_num_queries):
    anna, piotr = make_players(2)
    play_november_and_december(cup, anna, piotr)
    end_series(series_id=cup.series_id, actor=olga, now=DECEMBER + 25 * DAY)
    Competition.objects.filter(season=3).update(status=CompetitionStatus.CANCELLED, finished_at=NEW_YEAR + 30 * DAY)
    assert series_due(NEW_YEAR + 30 * DAY) == [cup.series_id]
    assert announce_due_seasons(now=NEW_YEAR + 30 * DAY) == 1
    with django_assert_num_queries(3):
        assert series_due(NEW_YEAR + 60 * DAY) == []
    with django_assert_num_queries(1):
        assert series_due(NEW_YEAR + 431 * DAY) == []


def test_a_season_that_does_not_start_says_what_waits_for_it_until_it_is_cancelled(cup, olga, client):
    win(cup, make_players(1)[0], NOON + 9 * DAY)
    announce_due_seasons(now=DECEMBER)
    late = Competition.objects.get(season=2)
    Competition.objects.filter(season=2).update(starts_at=timezone.now() - 400 * DAY)
    client.force_login(olga)
    desk = late.get_desk_url()
    assert "The next season and the final of" in (text := text_of(client.get(desk)))
    assert "are waiting for this season to start. Cancel this season if too few players join." in text
    year = (timezone.now() - 400 * DAY).year
    page = text_of(client.get("/series/monthly-cup/"))
    assert f"The final of {year} will be announced when these seasons are over: {late.name}" in page
    api = client.get("/api/v1/series/monthly-cup/").json()
    assert api["awaited_final"] == {"year": year, "seasons": [late.slug]}
    end_series(series_id=cup.series_id, actor=olga, now=NOON)
    assert f"The final of {year} is waiting for this season to start." in text_of(client.get(desk))
    Series.objects.update(year_final=False)
    assert "waiting for this" not in text_of(client.get(desk))
    Series.objects.update(ended_at=None)
    assert "The next season is waiting for this one to start." in text_of(client.get(desk))
    Series.objects.update(year_final=True)
    cancel(late, olga, timezone.now())
    assert "waiting for this season" not in text_of(client.get(desk))
    assert client.get("/api/v1/series/monthly-cup/").json()["awaited_final"] is None


@pytest.mark.parametrize("by_api", [True, False])
@pytest.mark.parametrize("has_ended", [True, False])
def test_a_series_is_ended_without_the_final_by_its_organisers_alone(cup, olga, client, by_api, has_ended):
    anna, piotr = make_players(2)
    play_november_and_december(cup, anna, piotr)
    if has_ended:
        end_series(series_id=cup.series_id, actor=olga, now=DECEMBER + 25 * DAY)
    desk = f"{Competition.objects.get(season=3).get_desk_url()}series/"

    def end():
        if by_api:
            return client.post(
                "/api/v1/series/monthly-cup/end/", {"year_final": False}, content_type="application/json"
            )
        return client.post(desk, {"end": "without-final"})

    client.force_login(anna)
    assert end().status_code in {403, 404}
    assert Series.objects.get().year_final
    client.force_login(olga)
    button = "Cancel the final" if has_ended else "End it without the final"
    assert button in text_of(client.get(desk))
    assert end().status_code == (200 if by_api else 302)
    assert end().status_code == (200 if by_api else 302)
    series = Series.objects.get()
    assert (series.year_final, series.ended_at is not None) == (False, True)
    assert LogEntry.objects.filter(action="year-final-dropped", actor=olga).count() == 1
    assert announce_due_seasons(now=NEW_YEAR + 30 * DAY) == 0
    assert "final" not in text_of(client.get(desk)).casefold()


@pytest.mark.parametrize("case", ["last season hidden", "account closed"])
def test_no_final_is_promised_that_nobody_would_announce(cup, olga, client, case):
    win(cup, make_players(1)[0], NOON + 9 * DAY)
    announce_due_seasons(now=DECEMBER)
    seasons = Competition.objects.filter(season=2)
    seasons.update(starts_at=timezone.now() - 400 * DAY)
    assert client.get("/api/v1/series/monthly-cup/").json()["awaited_final"] is not None
    if case == "account closed":
        Player.objects.filter(pk=olga.pk).update(is_active=False)
    else:
        Competition.objects.filter(pk=cup.pk).update(season=3, hidden_at=NOON)
    assert client.get("/api/v1/series/monthly-cup/").json()["awaited_final"] is None


def test_a_season_that_waits_for_the_last_one_is_not_asked_to_be_cancelled(cup, olga, client):
    win(cup, make_players(1)[0], NOON + 9 * DAY)
    announce_due_seasons(now=DECEMBER)
    Competition.objects.filter(season=1).update(status=CompetitionStatus.RUNNING, finished_at=None)
    Competition.objects.filter(season=2).update(starts_at=timezone.now() - DAY)
    client.force_login(olga)
    desk = Competition.objects.get(season=2).get_desk_url()
    assert "waiting for this season" in text_of(client.get(desk))
    Series.objects.update(overlap=False)
    assert "waiting for this season" not in text_of(client.get(desk))


@pytest.mark.parametrize("options", [{"rhythm": Rhythm.AFTER_END}, {"carry_over": "promotion"}])
def test_seasons_that_follow_from_the_last_one_do_not_overlap_with_it(cup, olga, options):
    with pytest.raises(InvalidSeries) as refusal:
        edit_series(series_id=cup.series_id, options=options, actor=olga, now=NOON)
    assert list(refusal.value.fields) == ["overlap"]
