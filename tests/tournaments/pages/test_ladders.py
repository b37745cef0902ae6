"""The page of a ladder: the table, my place in it, and whom I can challenge."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import make_password
from django.utils import timezone

from matches.services.expiry import expire_due
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.status import finish_competition
from tournaments.models import Entry, EntryStatus, Fixture, Standing
from tournaments.records.groups import first_group_id
from tournaments.tables.selectors.tables import table_page

pytestmark = pytest.mark.django_db


def names_in(response):
    return re.findall(r'class="main" href="/players/(player-\d+)/"', response.content.decode().split("<tbody>")[1])


def page_of(ladder, **options):
    return table_page(stage=ladder.first_stage, group_id=first_group_id(competition_id=ladder.pk), **options)


def test_the_table_lists_everybody_in_the_order_of_places_and_the_unplaced_last(visitor):
    _ladder, _ = verbs.points_ladder(7, results=5)
    placed = list(
        Standing.objects.filter(place__isnull=False).order_by("place").values_list("seat__entry__player__username")
    )
    names = names_in(visitor.get("/ladders/ladder/"))
    assert names[: len(placed)] == [name for (name,) in placed]
    assert len(names) == len(set(names)) == 7


def test_reasons_go_on_over_the_edge_of_a_page():
    ladder, _ = verbs.points_ladder(6, results=6)
    whole = [row.reasons for row in page_of(ladder, size=50).rows]
    parts = [
        row.reasons
        for number in (1, 2, 3)
        for row in table_page(
            stage=ladder.first_stage, group_id=first_group_id(competition_id=ladder.pk), number=number, size=2
        ).rows
    ]
    assert [bool(reasons) for reasons in parts] == [bool(reasons) for reasons in whole]
    assert parts[0] == whole[0]
    assert parts[1][-1].code == "ahead"


def test_a_page_that_does_not_exist_is_the_nearest_that_does(visitor):
    verbs.points_ladder(3, results=0)
    for page in ("0", "9", "-1", "x", "9" * 30, ""):
        assert visitor.get(f"/ladders/ladder/?page={page}").status_code == 200


def test_my_row_is_marked_and_my_place_told(client_of):
    _, players = verbs.points_ladder(4, results=4)
    standing = Standing.objects.get(seat__entry__player=players[0])
    page = client_of(players[0]).get("/ladders/ladder/")
    assert f"Your place: {standing.place}" in text_of(page)
    assert re.search(r'<td class="num place" id="me">.*?player-1', page.content.decode(), re.DOTALL)


def test_form_shows_the_last_five_results_the_latest_last(visitor):
    ladder, _entries = verbs.start_ladder(2, games_each=1, rematch_days=0)
    for day, winner in enumerate([0, 1, 1, 0, 0, 0]):
        verbs.pair(ladder, NOON + timedelta(days=day))
        fixture = verbs.running(ladder)[0]
        entries = sorted((fixture.yellow, fixture.red), key=lambda entry: entry.pk)
        verbs.end(fixture, entries[winner], NOON + timedelta(days=day, hours=1))
    verbs.count_all()
    page = visitor.get("/ladders/ladder/").content.decode()
    marks = {
        name: re.findall(r'class="mark (\w+)"', row)
        for row in page.split("<tr")[2:]
        for name in re.findall(r"/players/(player-\d)/", row)[:1]
    }
    assert marks == {
        "player-1": ["lost", "lost", "won", "won", "won"],
        "player-2": ["won", "won", "lost", "lost", "lost"],
    }


def test_the_page_lists_whom_i_can_challenge_and_what_it_would_do(client_of):
    _, players = verbs.challenge_ladder(6)
    page = text_of(client_of(players[4]).get("/ladders/ladder/"))
    assert "Players you can challenge" in page
    assert "You climb from place 5 to 2." in page
    assert "You keep place 5. You will get no new games until you use the site again." in page
    assert "From place 5 you can challenge up to 3 places above you, not 4." in page
    assert "You can only challenge players above you." in page


def test_a_player_who_lost_on_time_opens_the_places_above_and_the_page_says_why(client_of):
    _, players = verbs.challenge_ladder(6)
    Entry.objects.filter(player=players[2]).update(waits_since=NOON)
    page = text_of(client_of(players[4]).get("/ladders/ladder/"))
    assert "You climb from place 5 to 1." in page
    assert "This player is not getting new games at the moment." in page
    assert (
        "Players who are away after a loss on time get no new games, and are not counted until they use the site again."
        in page
    )


def test_a_challenge_starts_a_game_and_leads_to_it(client_of):
    _, players = verbs.challenge_ladder(4)
    response = client_of(players[3]).post("/ladders/ladder/challenge/player-2/")
    fixture = Fixture.objects.get()
    assert response.url == fixture.match.get_absolute_url()
    assert fixture.challenger.player == players[3]
    assert {fixture.yellow.player, fixture.red.player} == {players[3], players[1]}


def test_a_challenge_out_of_reach_is_refused_with_its_reason(client_of):
    _, players = verbs.challenge_ladder(6)
    response = client_of(players[5]).post("/ladders/ladder/challenge/player-1/")
    assert response.status_code == 409
    assert "up to 3 places above you, not 5." in text_of(response)
    assert client_of(players[5]).post("/ladders/ladder/challenge/nobody/").status_code == 404


def test_my_places_are_plotted_and_anybody_elses_on_request(client_of):
    _, players = verbs.challenge_ladder(3)
    browser = client_of(players[2])
    assert "Your place over time" in text_of(browser.get("/ladders/ladder/"))
    assert "Place of player-1" in text_of(browser.get("/ladders/ladder/?of=player-1"))
    assert 'class="plot"' not in browser.get("/ladders/ladder/?of=nobody%00").content.decode()


def test_joining_and_leaving(client_of, carla):
    _ladder, _ = verbs.points_ladder(3, results=0)
    browser = client_of(carla)
    assert "Join this ladder" in text_of(browser.get("/ladders/ladder/"))
    browser.post("/ladders/ladder/enter/")
    assert Entry.objects.get(player=carla).status == EntryStatus.ACTIVE
    assert "You have joined" in text_of(browser.get("/ladders/ladder/"))
    browser.post("/ladders/ladder/leave/")
    assert Entry.objects.get(player=carla).status == EntryStatus.GONE
    assert "Join again" in text_of(browser.get("/ladders/ladder/"))


def test_a_password_is_asked_for(client_of, carla):
    ladder = verbs.make_ladder()
    type(ladder).objects.update(password=make_password("street"))
    browser = client_of(carla)
    assert 'name="password"' in browser.get("/ladders/ladder/").content.decode()
    refused = browser.post("/ladders/ladder/enter/", {"password": "court"})
    assert (refused.status_code, "not the password of the competition" in refused.content.decode()) == (403, True)
    assert browser.post("/ladders/ladder/enter/", {"password": "street"}).status_code == 302


def test_a_player_paused_since_a_loss_on_time_can_ask_for_games_again(client_of):
    ladder, _ = verbs.points_ladder(3, results=0)
    expire_due(now=timezone.now())
    verbs.settle_all(timezone.now())
    entry = Entry.objects.filter(competition=ladder, waits_since__isnull=False).first()
    browser = client_of(entry.player)
    assert "Get games again" in text_of(browser.get("/ladders/ladder/"))
    assert browser.post("/ladders/ladder/enter/").status_code == 302
    assert Entry.objects.get(pk=entry.pk).waits_since is None


def test_a_player_who_left_for_doing_nothing_reads_why_and_where_they_would_re_enter(client_of):
    ladder, players = verbs.challenge_ladder(6)
    entry = Entry.objects.get(player=players[1])
    verbs.leave(entry, timezone.now())
    Entry.objects.filter(pk=entry.pk).update(inactive_since=NOON)
    page = text_of(client_of(players[1]).get("/ladders/ladder/"))
    assert "You have not used the site since 1 Nov 2026, 12:00 UTC ." in page
    assert "If you join again now, your place will be 3." in page
    assert "If you do not use this site for 30 days, you are removed from the ladder." in page
    assert "If you come back within 180 days after you left" in page
    seen = client_of(players[1]).get("/api/v1/competitions/ladder/").json()
    assert (seen["returns_at"], seen["entry"]["inactive_since"]) == (3, "2026-11-01T12:00:00Z")
    assert client_of(players[0]).get("/api/v1/competitions/ladder/").json()["returns_at"] is None
    ladder.stages.update(options=ladder.first_stage.options | {"return_days": 0})
    page = text_of(client_of(players[1]).get("/ladders/ladder/"))
    assert "If you join again now, your place will be 6." in page
    assert "If you come back within" not in page


def test_a_player_who_leaves_for_doing_nothing_reads_so_and_can_stay(client_of):
    _, players = verbs.challenge_ladder(6)
    Entry.objects.filter(player=players[1]).update(status=EntryStatus.ON_HOLD, inactive_since=NOON)
    page = text_of(client_of(players[1]).get("/ladders/ladder/"))
    assert "You have not used the site since 1 Nov 2026, 12:00 UTC , so you will leave the ladder" in page
    assert "Get games again" in page


def test_a_finished_ladder_keeps_its_table(visitor):
    ladder, _ = verbs.points_ladder(4, results=3)
    finish_competition(competition_id=ladder.pk, actor=None, now=NOON)
    assert len(names_in(visitor.get("/ladders/ladder/"))) == 4


def test_the_page_says_that_tie_breaks_use_only_the_best_results_if_the_table_does(visitor):
    ladder = verbs.make_ladder(best_results=5, tiebreaks=["points", "head-to-head", "wins", "buchholz", "draw"])
    sentence = "For points in matches between the tied and Buchholz, too, only the best results of each player count."
    page = visitor.get("/ladders/ladder/").content.decode()
    assert "Only your best 5 results count." in page
    assert sentence in page
    ladder.stages.update(tiebreaks=["points", "wins", "draw"])
    assert sentence not in visitor.get("/ladders/ladder/").content.decode()
    verbs.order_fully(ladder).stages.update(options=ladder.first_stage.options | {"best_results": None})
    assert "only the best" not in visitor.get("/ladders/ladder/").content.decode().lower()
