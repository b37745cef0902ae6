"""Conditions that change are told to all who have entered, wait or are invited; what they joined for stays."""

import re

import pytest
from django.test import Client
from django.utils import timezone
from zeal import zeal_context

from players.models import Delivery, Player
from streams.changes import read_named
from tests.pages.html import as_shown
from tests.tournaments import verbs
from tests.tournaments.making.staff_form import faults_at, fill_in
from tests.tournaments.making.test_draft_pages import keep
from tests.tournaments.running.test_news import read_mails
from tests.tournaments.teams.leagues import enter_all, make_league, make_teams, members
from tournaments.decisions.services.status import announce
from tournaments.entries.services.invitations import accept_invitation, withdraw_invitation
from tournaments.entries.services.new_invitations import invite_players
from tournaments.entries.services.waiting_list import join_waiting_list
from tournaments.models import Competition, CompetitionStatus, LineUp, LogEntry, Seat
from tournaments.running.services.notifications import send_news
from tournaments.running.services.verification import verify_competition

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


def test_who_accepts_again_has_the_old_place_lot_and_seed(client_of, olga, people):
    now = timezone.now()
    ann, ben, cat, dan = people
    (eve,) = verbs.make_players(1)
    cup = verbs.make_cup(organiser=olga, max_entrants=3, seeding="hand")
    verbs.enter_all(cup, [ann, ben, cat])
    for player in (dan, eve):
        join_waiting_list(competition_id=cup.pk, player=player, now=now)
    for seed, player in enumerate((cat, ann, ben), start=1):
        Seat.objects.filter(entry__player=player).update(seed=seed)

    def places():
        seeded = cup.entries.order_by("pk").values_list("player__username", "draw", "seats__seed")
        return [*seeded], [*cup.waiting_players.order_by("pk").values_list("player__username", flat=True)]

    before = places()
    change_clock(client_of(olga), asks_again=True)
    (fay,) = verbs.make_players(1, prefix="late")
    assert post(client_of(fay), "enter").json()["code"] == "competition_full", "the places are kept"
    assert post(client_of(fay), "waiting-list/join").status_code == 201
    assert post(client_of(dan), "invitation/accept").json()["code"] == "competition_full"
    for player in (eve, dan):
        assert post(client_of(player), "waiting-list/join").status_code == 201
    for player in (cat, ben, ann):
        assert verbs.waiting_in(cup) == ["dan", eve.username, fay.username], "those who waited before are before others"
        assert post(client_of(player), "invitation/accept").status_code == 201
    entries, waiting = places()
    assert (entries, waiting[:2]) == before


def test_a_place_that_is_given_up_goes_to_who_waits(client_of, olga, people):
    now = timezone.now()
    ann, ben, cat, dan = people
    cup = verbs.make_cup(organiser=olga, max_entrants=3)
    verbs.enter_all(cup, [ann, ben, cat])
    change_clock(client_of(olga), asks_again=True)
    (eve,) = verbs.make_players(1)
    for player in (dan, eve):
        join_waiting_list(competition_id=cup.pk, player=player, now=now)
    assert post(client_of(ann), "invitation/decline").status_code == 204
    assert (verbs.players_in(cup), verbs.waiting_in(cup)) == (["dan"], [eve.username])
    withdraw_invitation(invitation_id=cup.invitations.get(player=ben).pk, actor=olga, now=now)
    assert (verbs.players_in(cup), verbs.waiting_in(cup)) == (["dan", eve.username], [])
    assert list(verify_competition(competition=Competition.objects.get(), now=now)) == []


def test_nobody_joins_for_a_clock_that_they_have_not_read(client_of, olga, people):
    ann, ben, cat, dan = people
    cup = verbs.make_cup(organiser=olga, max_entrants=2)
    invite_players(competition=cup, players=[ben, cat], actor=olga, now=timezone.now())
    read = {player: client_of(player).get("/cups/cup/").context["competition"].options_version for player in people}
    link = verbs.link_in(told(timezone.now())[0]["cat"][1])
    seen = {"version": read[ann]}
    by_mail = Client().get(link)
    change_clock(client_of(olga))
    page = client_of(ann).post("/cups/cup/enter/", seen)
    assert page.status_code == 409
    assert "(from 10 days to 1 minute)" in page.content.decode()
    for player, path in ((ann, "enter"), (ben, "invitation/accept")):
        refused = post(client_of(player), path, seen)
        assert (refused.status_code, refused.json()["code"]) == (409, "options_changed")
    assert client_of(ben).post("/cups/cup/invitation/", seen | {"answer": "accept"}).status_code == 409
    refused = Client().post(link, {"answer": "accept", "version": by_mail.context["competition"].options_version})
    assert (refused.status_code, "Read the invitation again" in refused.content.decode()) == (409, True)
    assert verbs.players_in(cup) == []
    now_read = re.search(r'name="version" value="(\d+)"', Client().get(link).content.decode())[1]
    Client().post(link, {"answer": "accept", "version": now_read})
    described = {"description": "Warm."}
    client_of(olga).patch("/api/v1/competitions/cup/", described, content_type="application/json")
    assert post(client_of(ann), "enter", {"version": int(now_read)}).status_code == 201, "that is no condition"
    assert post(client_of(dan), "waiting-list/join", seen).json()["code"] == "options_changed"
    assert verbs.players_in(cup) == ["cat", "ann"]


def test_a_change_is_shown_however_much_has_happened_since(client_of, olga, people):
    cup = verbs.make_cup(organiser=olga)
    verbs.enter_all(cup, people[:1])
    client_of(olga).patch(
        "/api/v1/competitions/cup/", {"is_rated": False, "reason": WHY}, content_type="application/json"
    )
    for number in range(9):
        announce(competition_id=cup.pk, actor=olga, text=f"News {number}", now=timezone.now())
    page = client_of(people[0]).get("/cups/cup/")
    assert page.context["changed_conditions"].reason == WHY
    client_of(people[1]).post("/cups/cup/enter/")
    assert client_of(people[1]).get("/cups/cup/").context["changed_conditions"] is None


def test_a_team_that_is_asked_again_keeps_its_line_up_and_a_new_captain_is_mailed(client_of, olga):
    now = timezone.now()
    league = make_league(boards=2)
    league.organisers.add(olga)
    team, other = make_teams(2, 3)
    first, second, third = members(team)
    Player.objects.filter(pk=second.pk).update(email="second@example.org", email_confirmed_at=now)
    enter_all(league, [team, other])
    LineUp.objects.filter(entry__team=team).update(players=[third.pk, first.pk])
    change_clock(client_of(olga), league.slug, asks_again=True)
    Delivery.objects.all().delete()
    hand = client_of(first).post(f"/teams/{team.slug}/members/{second.username}/hand-over/")
    assert hand.status_code == 302
    subject, text = read_mails(timezone.now())[second.username]
    assert subject == f"You are the captain of {team} now"
    Client().post(verbs.link_in(text), {"answer": "accept"})
    (line_up,) = LineUp.objects.all()
    assert (line_up.entry.team, line_up.players, line_up.set_by) == (team, [third.pk, first.pk], second)


def change_clock(client, slug="cup", **more):
    """Change the clock over the API, as is allowed."""
    body = {"time_control": CLOCK, "reason": WHY} | more
    changed = client.patch(f"/api/v1/competitions/{slug}/", body, content_type="application/json")
    assert changed.status_code == 200, changed.json()


def post(client, path, body=None):
    """Post to an endpoint of the cup."""
    with zeal_context():
        return client.post(f"/api/v1/competitions/cup/{path}/", body or {}, content_type="application/json")
