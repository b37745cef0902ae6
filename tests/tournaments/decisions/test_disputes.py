"""A player disputes a result, which waits for the organisers until they let it stand or another result counts."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from matches.errors import NotYourMatch
from players.models import Player
from players.services.account_closures import delete_account
from rules_engine.values import Side
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.teams.cups import start_team_cup
from tests.tournaments.teams.leagues import make_teams
from tournaments.decisions.errors import DisputeRefused, NoDispute, NothingToTakeBack
from tournaments.decisions.selectors import TIME_TO_DISPUTE, disputes_in
from tournaments.decisions.services.disputes import dismiss_disputes, dispute_result, take_back_dismissal
from tournaments.decisions.services.undo.corrections import take_back_correction
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_replay
from tournaments.models import Competition, Dispute, Fixture, LogEntry
from tournaments.models.dispute import OPEN

pytestmark = pytest.mark.django_db

NOON, HOUR = verbs.NOON, timedelta(hours=1)
TEXT = "The dice were not mine."


@pytest.fixture(name="olga")
def organiser(db):
    return verbs.make_olga()


@pytest.fixture(name="fixture")
def disputable(olga):
    """Return the first result of a round robin of three that goes on."""
    cup, _entries = verbs.start_cup(3, format="round-robin", organiser=olga, helper=verbs.make_players(1, "helper")[0])
    fixture = verbs.running(cup)[0]
    verbs.end(fixture, Side.YELLOW, NOON)
    verbs.give_addresses()
    return Fixture.objects.select_related("yellow__player", "red__player").get(pk=fixture.pk)


def dispute(fixture, player=None, now=NOON + HOUR):
    return dispute_result(fixture_id=fixture.pk, player=player or fixture.red.player, text=TEXT, now=now)


def open_in(fixture):
    return list(disputes_in(Competition(pk=fixture.competition_id)).filter(OPEN))


def test_a_player_disputes_a_result_once_and_the_organisers_hear_of_it(fixture):
    made = dispute(fixture)
    assert open_in(fixture) == [made]
    with pytest.raises(DisputeRefused, match="already"):
        dispute(fixture)
    dispute(fixture, fixture.yellow.player)
    mails = verbs.send_mails(NOON + HOUR)
    assert {"olga", "helper-1"} <= mails.keys()
    assert f"{fixture.red.player} disputes the result of {fixture} in Cup." in mails["olga"]
    assert TEXT in mails["olga"]
    assert not LogEntry.objects.filter(reason__contains=TEXT).exists()


def test_nobody_else_disputes_it(fixture, olga):
    strangers = [olga, Player.objects.get(username="helper-1")]
    strangers += Player.objects.filter(username__startswith="player").exclude(
        pk__in=[fixture.yellow.player_id, fixture.red.player_id]
    )
    for stranger in strangers:
        with pytest.raises(NotYourMatch):
            dispute(fixture, stranger)


def test_a_captain_disputes_the_result_of_every_board():
    cup, _entries = start_team_cup(make_teams(2, 3), 2)
    fixture = verbs.running(cup)[1]
    verbs.end(fixture, Side.YELLOW, NOON)
    fixture = Fixture.objects.select_related("yellow__team__captain", "red__team").get(pk=fixture.pk)
    captain = fixture.yellow.team.captain
    assert captain.pk not in fixture.player_ids
    dispute(fixture, captain)


def test_a_captain_finds_the_page_of_disputes_beside_every_board(client_of):
    cup, _entries = start_team_cup(make_teams(2, 3), 2)
    fixture = verbs.running(cup)[1]
    verbs.end(fixture, Side.YELLOW, NOON)
    fixture = Fixture.objects.select_related("yellow__team__captain", "yellow_player").get(pk=fixture.pk)
    link = f'href="{reverse("cup-dispute", args=[cup.slug, fixture.pk])}"'
    shown = {
        player: link in client_of(player).get(cup.get_absolute_url()).content.decode()
        for player in (fixture.yellow.team.captain, fixture.yellow_player, Player.objects.create(username="eve"))
    }
    # Who plays the match finds it there.
    assert list(shown.values()) == [True, False, False]
    captain = fixture.yellow.team.captain
    assert "Your dispute" not in text_of(client_of(captain).get(cup.get_absolute_url()))
    dispute(fixture, captain)
    assert "Your dispute" in text_of(client_of(captain).get(cup.get_absolute_url()))


def test_the_page_of_a_group_leads_to_the_dispute_of_a_match_that_was_never_played(client_of):
    later: dict[str, Any] = {
        "grouping": {"size": 3},
        "advance": {"first": 2},
        "later": [{"format": "knock-out", "legs": 1}],
    }
    cup, entries = verbs.start_cup(6, format="round-robin", round_days=7, **later)
    left = entries[0]
    verbs.withdraw(left, now=NOON)
    unplayed = Fixture.objects.filter(competition=cup, match=None, ending="forfeit").select_related("group", "round")
    fixture = next(each for each in unplayed if left in {each.yellow, each.red})
    page = reverse("cup-round", args=[cup.slug, 1, fixture.group.number, fixture.round.number])
    link = f'href="{reverse("cup-dispute", args=[cup.slug, fixture.pk])}"'
    for player, is_shown in ((fixture.yellow.player, True), (fixture.red.player, True), (verbs.make_olga(), False)):
        assert (link in client_of(player).get(page).content.decode()) is is_shown


SETTLING = {
    "correct": (
        lambda fixture, by: verbs.correct(fixture, Side.RED, by, NOON + 2 * HOUR),
        take_back_correction,
    ),
    "annul": (lambda fixture, by: verbs.annul(fixture, by, NOON + 2 * HOUR), take_back_annulment),
    "replay": (lambda fixture, by: verbs.replay(fixture, by, NOON + 2 * HOUR), take_back_replay),
}


@pytest.mark.parametrize("name", SETTLING)
def test_another_result_settles_it_and_taking_that_back_lets_it_wait_again(name, fixture, olga):
    settle, take_back = SETTLING[name]
    made = dispute(fixture)
    settle(fixture, olga)
    assert open_in(fixture) == []
    with pytest.raises(NoDispute):
        dismiss_disputes(fixture_id=fixture.pk, actor=olga, reason="No.", now=NOON + 3 * HOUR)
    if name == "correct":
        dispute(fixture, now=NOON + 3 * HOUR)
        assert [each.correction_number > 0 for each in open_in(fixture)] == [True]
    take_back(fixture_id=fixture.pk, confirm=True, actor=olga, reason="Wrong match.", now=NOON + 4 * HOUR)
    assert open_in(fixture) == [made]


def test_organisers_let_a_result_stand_and_take_that_back(fixture, olga):
    made = dispute(fixture)
    verbs.send_mails(NOON + HOUR)
    dismiss_disputes(fixture_id=fixture.pk, actor=olga, reason="The proof fits.", now=NOON + 2 * HOUR)
    assert open_in(fixture) == []
    with pytest.raises(DisputeRefused, match="already"):
        dispute(fixture, now=NOON + 3 * HOUR)
    mails = verbs.send_mails(NOON + 2 * HOUR)
    loser, winner = fixture.red.player.username, fixture.yellow.player.username
    assert "olga has dismissed your dispute" in mails[loser]
    assert "The proof fits." in mails[loser]
    assert winner not in mails
    take_back_dismissal(fixture_id=fixture.pk, actor=olga, reason="It does not.", now=NOON + 4 * HOUR)
    assert open_in(fixture) == [made]
    with pytest.raises(NothingToTakeBack):
        take_back_dismissal(fixture_id=fixture.pk, actor=olga, reason="Again.", now=NOON + 4 * HOUR)


@pytest.mark.parametrize(("hours", "left"), [(None, TIME_TO_DISPUTE), (5, 5 * HOUR)])
def test_after_the_end_there_is_the_protest_time_or_a_week(hours, left, olga):
    cup, _entries = verbs.start_cup(2, format="round-robin", protest_hours=hours, organiser=olga)
    verbs.end_all(cup)
    fixture = Fixture.objects.select_related("yellow__player", "red__player").get()
    with pytest.raises(DisputeRefused, match="is over"):
        dispute(fixture, now=NOON + left)
    dispute(fixture, now=NOON + left - HOUR / 60)


def test_a_deleted_account_leaves_no_dispute(fixture):
    made = dispute(fixture)
    delete_account(player_id=made.player_id, now=NOON + HOUR, by_staff=True)
    assert not Dispute.objects.exists()


def test_pages_lead_from_the_match_to_the_decision(olga, client_of):
    cup, _entries = verbs.start_cup(2, format="round-robin", organiser=olga, now=timezone.now() - HOUR)
    verbs.end_all(cup, now=timezone.now())
    fixture = Fixture.objects.select_related("red__player", "match").get()
    player, organiser = client_of(fixture.red.player), client_of(olga)
    page = f"/cups/cup/fixtures/{fixture.pk}/dispute/"
    assert f'href="{page}"' in player.get(fixture.match.get_absolute_url()).content.decode()
    assert page not in organiser.get(fixture.match.get_absolute_url()).content.decode()
    assert organiser.get(page).status_code == 403
    assert player.post(page, {"text": " "}).status_code == 400
    assert "Your dispute" not in text_of(player.get(fixture.match.get_absolute_url()))
    assert player.post(page, {"text": TEXT}, follow=True).redirect_chain[0][0] == fixture.match.get_absolute_url()
    assert "Your dispute" in text_of(player.get(fixture.match.get_absolute_url()))
    assert "The organisers have not decided yet." in text_of(player.get(page))
    (row,) = organiser.get("/api/v1/organised/").json()
    assert [(each["kind"], each["number"]) for each in row["decisions"]] == [("disputes", 1)]
    assert "1 dispute of a result is waiting for your decision." in text_of(organiser.get("/organise/"))
    desk = f"/cups/cup/organise/fixtures/{fixture.pk}/"
    overview = organiser.get("/cups/cup/organise/")
    assert TEXT in text_of(overview)
    assert f'href="{desk}"' in overview.content.decode()
    assert {"correct", "dismiss-disputes"} <= {act.name for act in organiser.get(desk).context["acts"]}
    assert organiser.post(f"{desk}dismiss-disputes/", {"reason": "It is right."}).status_code == 302
    assert organiser.get("/organise/").context["waiting"] == []
    told = text_of(player.get(page))
    assert "olga has decided that the result stands. It is right." in told


def test_the_api_takes_and_lists_disputes(olga, client_of):
    cup, _entries = verbs.start_cup(2, format="round-robin", organiser=olga, now=timezone.now() - HOUR)
    verbs.end_all(cup, now=timezone.now())
    fixture = Fixture.objects.select_related("red__player").get()
    path, listed = (f"/api/v1/competitions/cup/{part}" for part in (f"fixtures/{fixture.pk}/dispute/", "disputes/"))
    player, organiser = client_of(fixture.red.player), client_of(olga)
    answer = player.post(path, {"text": TEXT}, content_type="application/json")
    assert (answer.status_code, answer.json()["is_open"]) == (201, True)
    again = player.post(path, {"text": TEXT}, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "dispute_refused")
    assert organiser.get(listed).json()["results"] == [answer.json()]
    assert player.get(listed).status_code == 403
