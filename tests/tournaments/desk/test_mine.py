"""The page of what a player organises: decisions first, and as many queries for many as for one."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import Player
from tests.matches.test_queries import queries_of
from tests.tournaments.verbs import NOON, enter_all, make_cup, make_players, open_cup, start_cup
from tournaments.models import Competition, CompetitionStatus, EntryInvitation, Round

pytestmark = pytest.mark.django_db

PATH, API = "/organise/", "/api/v1/organised/"


def names(rows):
    return [row.competition.name for row in rows]


def words(page):
    return " ".join(page.content.decode().split())


def test_every_member_has_it_in_the_header_without_a_query(client, client_of):
    link = 'href="/organise/"'
    assert link in client.get("/cups/").content.decode()
    guest = client_of(Player.objects.create(username="guest", is_guest=True))
    assert link not in guest.get("/cups/").content.decode()
    assert link not in Client().get("/cups/").content.decode()
    costs = [len(queries_of(partial(each.get, "/cups/"))) for each in (client, guest)]
    assert costs[0] == costs[1]


def test_a_player_who_organises_nothing_is_offered_to_make_a_competition(client, olga):
    sentence = "You do not organise any competitions yet."
    assert sentence in words(client.get(PATH))
    make_cup().organisers.add(olga)
    assert sentence not in words(client.get(PATH))


def test_every_competition_stands_where_it_belongs(client, olga):
    for status, name in ((CompetitionStatus.DRAFT, "Draft"), ("open", "Open"), ("cancelled", "Over")):
        make_cup(slug=name.lower(), name=name, organiser=olga, status=status)
    make_cup(slug="other", name="Other")
    context = client.get(PATH).context
    shown = [names(context[part]) for part in ("waiting", "drafts", "going_on")]
    assert shown == [[], ["Draft"], ["Open"]]
    assert [each.name for each in context["over"]] == ["Over"]


def test_enough_players_wait_for_the_start_unless_it_comes_by_itself(client, olga):
    cup = make_cup(organiser=olga)
    players = make_players(3)
    enter_all(cup, players[:1])
    assert names(client.get(PATH).context["waiting"]) == []
    enter_all(cup, players[1:])
    page = client.get(PATH)
    assert names(page.context["waiting"]) == ["Cup"]
    assert "3 players have joined, which is enough: you can start it." in words(page)
    Competition.objects.update(starts_at=timezone.now() + timedelta(days=1))
    assert names(client.get(PATH).context["waiting"]) == []


def test_a_start_that_has_come_without_enough_players_waits(client, olga):
    make_cup(starts_at=NOON).organisers.add(olga)
    page = client.get(PATH)
    assert names(page.context["waiting"]) == ["Cup"]
    assert "Its start time has passed, but 2 more players are needed." in words(page)


def test_a_number_of_players_that_makes_no_groups_waits_for_one_more(client, olga):
    pairs = {"format": "round-robin", "grouping": {"size": 2}, "advance": {"first": 1}}
    cup = make_cup(**pairs, later=[{"format": "knock-out"}], organiser=olga)
    players = make_players(6)
    told = []
    for some in (players[:4], players[4:5], players[5:]):
        enter_all(cup, some)
        told.append("you can start it" in words(client.get(PATH)))
        if len(told) == 2:
            Competition.objects.update(starts_at=NOON)
            assert "Its start time has passed, but 1 more player is needed." in words(client.get(PATH))
            Competition.objects.update(starts_at=None)
    assert told == [True, False, True]


def test_matches_past_the_end_of_their_round_and_closed_accounts_wait(client, olga):
    _cup, entries = start_cup(4, legs=1, round_days=3, now=timezone.now(), organiser=olga)
    assert names(client.get(PATH).context["going_on"]) == ["Cup"]
    Round.objects.update(ends_at=timezone.now() - timedelta(minutes=1))
    Player.objects.filter(pk=entries[0].player_id).update(is_active=False)
    page = client.get(PATH)
    assert names(page.context["waiting"]) == ["Cup"]
    assert "2 matches are still running although their rounds should have ended." in words(page)
    assert "The account of 1 player was closed: you can name a replacement." in words(page)


def test_a_competition_that_is_paused_waits(client, olga):
    _cup, _entries = start_cup(2, organiser=olga)
    Competition.objects.update(paused_at=timezone.now())
    assert "It is paused: resume it when play can continue." in words(client.get(PATH))


def decisions(client):
    """Return what the page and the API say alike, of the only competition."""
    (row,) = client.get(PATH).context["waiting"]
    (shown,) = client.get(API).json()
    assert [(each["kind"], each["number"]) for each in shown["decisions"]] == list(row.decisions.items())
    text = words(client.get(PATH))
    assert all(each["detail"] in text for each in shown["decisions"])
    return dict(row.decisions)


def test_a_full_competition_waits_for_its_start_even_before_its_time(client, olga):
    _cup, _entries = open_cup(2, max_entrants=2, starts_at=timezone.now() + timedelta(days=1), organiser=olga)
    assert decisions(client) == {"full": 2}
    Competition.objects.update(starts_when_full=True)
    assert client.get(PATH).context["waiting"] == []


@pytest.mark.parametrize(
    ("status", "changed", "shown"),
    [
        ("open", {}, 1),
        ("closed", {}, 1),
        ("open", {"status": "withdrawn"}, None),
        ("open", {"asked_at": None}, None),
        # A knock-out takes nobody after its start, but for who replaces somebody.
        ("running", {}, None),
    ],
)
def test_an_invitation_that_can_be_answered_waits_for_its_answer(client, olga, status, changed, shown):
    cup = make_cup(organiser=olga)
    (player,) = make_players(1)
    about = {"competition": cup, "player": player, "created_at": NOON, "asked_at": NOON}
    EntryInvitation.objects.create(**about | changed)
    Competition.objects.update(status=status)
    found = decisions(client).get("unanswered") if shown else client.get(PATH).context["waiting"] or None
    assert found == shown


def test_the_api_tells_a_helper_nothing_about_invitations_and_lists_what_is_over(client, client_of, olga):
    cup, hanna = make_cup(), Player.objects.create(username="hanna")
    cup.helpers.add(hanna)
    about = {"competition": cup, "created_at": NOON, "asked_at": NOON}
    EntryInvitation.objects.create(player=make_players(1)[0], **about)
    (helped,) = client_of(hanna).get(API).json()
    assert (helped["role"], helped["decisions"], helped["competition"]["slug"]) == ("helper", [], "cup")
    assert client.get(API).json() == []
    make_cup(slug="over", organiser=olga, status=CompetitionStatus.CANCELLED)
    assert [each["slug"] for each in client.get(f"{API}over/").json()["results"]] == ["over"]
    assert Client().get(API).status_code == 401


def test_matches_that_go_on_are_counted_without_reading_them(client, olga):
    cup, _players = start_cup(4, organiser=olga)
    with CaptureQueriesContext(connection) as captured:
        (shown,) = client.get(API).json()
    assert shown["matches"] == cup.fixtures.count()
    joined = [each["sql"] for each in captured if "COUNT(" in each["sql"] and "matches_match" in each["sql"]]
    # Those whose round should have ended are read, and there are few.
    assert [sql for sql in joined if '"tournaments_round"."ends_at" <=' not in sql] == []
