"""Conditions that change are told to all who have entered, wait or are invited; what they joined for stays."""

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Delivery, Player
from streams.changes import read_named
from tests.pages.html import as_shown
from tests.tournaments import verbs
from tests.tournaments.making.staff_form import faults_at, fill_in
from tests.tournaments.making.test_draft_pages import keep
from tests.tournaments.running.test_news import read_mails
from tests.tournaments.teams.leagues import enter_all, make_league, make_teams
from tournaments.entries.services.invitations import accept_invitation
from tournaments.entries.services.new_invitations import invite_players
from tournaments.entries.services.waiting_list import join_waiting_list
from tournaments.models import Competition, CompetitionStatus, LogEntry
from tournaments.running.services.notifications import send_news

pytestmark = pytest.mark.django_db

WHY = "We have one evening."
CLOCK = {"bank": 60, "increment": 0, "cap": 60}


@pytest.fixture
def people():
    now = timezone.now()
    return [
        Player.objects.create(username=name, date_joined=now, email=f"{name}@example.org", email_confirmed_at=now)
        for name in ("ann", "ben", "cat", "dan")
    ]


def told(now) -> tuple[dict[str, tuple[str, str]], set[str]]:
    """Return the mails about the last line of a log, and who hears of it on their streams."""
    send_news(now=now)
    (change,) = read_named(competition=[LogEntry.objects.latest("pk").pk])
    heard = set(Player.objects.filter(pk__in=change.sides).values_list("username", flat=True))
    return read_mails(now), heard


def test_changed_conditions_are_told_to_who_is_in_who_waits_and_who_is_invited(client_of, olga, people):
    now = timezone.now()
    ann, ben, cat, dan = people
    cup = verbs.make_cup(organiser=olga, max_entrants=2, round_days=7)
    verbs.enter_all(cup, [ann, ben])
    join_waiting_list(competition_id=cup.pk, player=cat, password="", client_ip="", now=now)
    invite_players(competition=cup, players=[dan], actor=olga, now=now)
    told(now)
    Delivery.objects.all().delete()
    path, client = "/cups/cup/organise/edit/", client_of(olga)
    options = as_shown(client.get(path).context["form"]) | {"round_days": 3, "is_rated": "", "reason": WHY}
    assert keep(client, options, path).status_code == 302
    assert verbs.last_log(cup)[:3] == ("olga", "conditions-changed", "counts for the ratings, days for each round")
    mails, heard = told(now)
    assert (set(mails), heard) == ({"ann", "ben", "cat", "dan"}, {"ann", "ben", "cat", "dan", "olga"})
    subject, text = mails["ann"]
    assert subject == "its conditions have changed"
    for said in (
        "Counts for the ratings: from “yes” to “no”.",
        "from “7” to “3”.",
        WHY,
        "You lose nothing.",
        "/cups/cup/",
    ):
        assert said in text
    for player in people:
        page = client_of(player).get("/cups/cup/")
        assert page.context["changed_conditions"].reason == WHY
        assert "The conditions have changed" in page.content.decode()
    client_of(ann).post("/cups/cup/leave/")
    assert not cup.entries.filter(player=ann).exists()
    assert client_of(ann).get("/cups/cup/").context["changed_conditions"] is None


def test_what_only_newcomers_meet_is_told_to_nobody(client_of, olga, people):
    cup = verbs.make_cup(organiser=olga)
    verbs.enter_all(cup, people)
    body = {"description": "Warm.", "min_rating": 1200, "password": "secret", "reason": WHY}
    client_of(olga).patch("/api/v1/competitions/cup/", body, content_type="application/json")
    assert verbs.last_log(cup)[1] == "changed"
    assert told(timezone.now()) == ({}, {"olga"})


@pytest.mark.parametrize("status", [CompetitionStatus.OPEN, CompetitionStatus.CLOSED])
def test_another_clock_asks_all_who_have_joined_again(client_of, olga, people, status):
    now = timezone.now()
    cup = verbs.make_cup(organiser=olga, max_entrants=4)
    client, url, path = client_of(olga), "/api/v1/competitions/cup/", "/cups/cup/organise/edit/"

    def change(**more):
        return client.patch(url, {"time_control": CLOCK, "reason": WHY} | more, content_type="application/json")

    verbs.enter_all(cup, [olga])
    assert change().json()["time_control"]["bank"] == 60, "nobody else has agreed to another"
    verbs.enter_all(cup, people[:3])
    join_waiting_list(competition_id=cup.pk, player=people[3], now=now)
    Competition.objects.update(time_bank=864000, time_cap=864000, status=status)
    told(now)
    Delivery.objects.all().delete()
    refused = change()
    assert (refused.status_code, refused.json()["code"]) == (409, "entrants_not_asked")
    shown = as_shown(client.get(path).context["form"]) | {"pace": "live", "reason": WHY}
    assert list(client.post(path, shown).context["form"].errors) == ["asks_again"]
    admin = f"/admin/tournaments/cup/{cup.pk}/change/"
    assert list(faults_at(client, admin, pace="live")) == ["asks_again"]
    assert verbs.players_in(cup) == ["olga", "ann", "ben", "cat"]
    assert keep(client, shown | {"asks_again": "on"}, path).status_code == 302
    assert (verbs.players_in(cup), verbs.waiting_in(cup)) == (["olga"], [])
    assert set(cup.invitations.values_list("player__username", "status")) == {
        (each.username, "waiting") for each in people
    }
    mails, heard = told(now)
    assert (set(mails), heard) == ({"ann", "ben", "cat", "dan"}, {"ann", "ben", "cat", "dan", "olga"})
    text = mails["ann"][1]
    assert "Time to start with: from “10 days” to “10 minutes”." in text
    assert "You are invited" in client_of(people[0]).get("/cups/cup/").content.decode()
    Client().post(verbs.link_in(text), {"answer": "accept"})
    verbs.start(cup, now)
    assert verbs.players_in(cup) == ["olga", "ann"]


def test_teams_that_have_joined_are_asked_again_by_their_captains(client_of, olga):
    league = make_league(boards=2)
    league.organisers.add(olga)
    enter_all(league, make_teams(2, 2))
    body = {"time_control": CLOCK, "reason": WHY, "asks_again": True}
    assert (
        client_of(olga).patch(f"/api/v1/competitions/{league.slug}/", body, content_type="application/json").status_code
        == 200
    )
    assert not league.entries.exists()
    for invitation in league.invitations.select_related("team__captain"):
        accept_invitation(competition_id=league.pk, player=invitation.team.captain, now=timezone.now())
    assert league.entries.count() == 2


def test_conditions_of_a_running_ladder_change_only_with_a_reason(client_of, olga, people):
    ladder = verbs.make_ladder(organiser=olga)
    verbs.enter_all(ladder, people)
    verbs.start(ladder)
    client, url = client_of(olga), "/api/v1/competitions/ladder/"
    body = {"stages": [{"number": 1, "options": {"window_days": 30, "inactive_days": 10}}]}
    refused = client.patch(url, body, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "reason_missing")
    sent = {"points-ladder-window_days": "30"}
    page = fill_in(client, f"/admin/tournaments/ladder/{ladder.pk}/change/", **sent)
    assert list(page.context["adminform"].form.errors) == ["reason"]
    assert client.patch(url, body | {"reason": WHY}, content_type="application/json").status_code == 200
    mails, heard = told(timezone.now())
    assert (set(mails), heard) == ({each.username for each in people}, {"olga", *(each.username for each in people)})
    assert "from “90” to “30”." in mails["ann"][1]
    assert "Your running games are played to the end." in mails["ann"][1]


def test_those_whom_a_draft_has_hear_of_it_when_it_opens(client_of, olga, people):
    cup = verbs.make_cup(organiser=olga, status=CompetitionStatus.DRAFT)
    for player in people[:2]:
        verbs.admit(cup, player, by=olga)
    told(timezone.now())
    for act, hear in (("open", {"ann", "ben"}), ("close", set()), ("open", set())):
        client_of(olga).post(f"/cups/cup/organise/{act}/", {"reason": ""})
        mails, heard = told(timezone.now())
        assert (set(mails), heard) == (hear, {"ann", "ben", "olga"})
        assert all("you are in it already" in text for _subject, text in mails.values())


def test_players_of_a_tie_hear_that_it_was_decided_without_another_match(olga, people):
    cup = verbs.make_cup(legs=1, replays=0, organiser=olga)
    verbs.enter_all(cup, people)
    verbs.start(cup)
    first, _second = verbs.running(cup)
    send_news(now=verbs.NOON)
    Delivery.objects.all().delete()
    verbs.end(first, None)
    send_news(now=verbs.NOON)
    mails = read_mails(verbs.NOON)
    for entry in (first.yellow, first.red):
        assert "Your tie in Cup was decided without another match: " in mails[str(entry)][1]
        assert "Level on points and goals: the higher seed goes on" in mails[str(entry)][1]
