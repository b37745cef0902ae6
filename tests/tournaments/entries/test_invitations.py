"""A player whom an organiser enters is asked first, by mail, on pages and by the API; some only join by invitation."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from streams.changes import read_named
from tests.matches.test_queries import queries_of
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.entries.services.invitations import (
    accept_invitation,
    admit_or_invite,
    decline_invitation,
    replace_or_invite,
    withdraw_invitation,
)
from tournaments.making.services.copies import copy_competition
from tournaments.models import Competition, CompetitionStatus, Cup, Entry, EntryInvitation, InvitationStatus, LogEntry
from tournaments.office.errors import InvitationDeclined, InvitationNotFound, InvitationOver, TooManyEntryInvitations
from tournaments.office.selectors.invitations import open_invitations
from tournaments.running.errors import AlreadyEntered, CompetitionFull, EntryClosed, NotInvited

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def eve(db: None) -> Player:
    return Player.objects.create(username="eve", email="eve@example.org", email_confirmed_at=NOON, date_joined=NOON)


@pytest.fixture
def cup(mia: Player) -> Cup:
    """Return a cup that is open for entry and that mia organises, who is not on the staff."""
    return verbs.make_cup(legs=1, organiser=mia)


def invite(cup: Competition, player: Player, actor: Player, now: Any = NOON) -> Entry | EntryInvitation:
    return admit_or_invite(competition_id=cup.pk, player=player, actor=actor, now=now)


def ask(cup: Competition, player: Player, actor: Player) -> EntryInvitation:
    """Invite a player who has to be asked first, and return the invitation."""
    invitation = invite(cup, player, actor)
    assert isinstance(invitation, EntryInvitation)
    return invitation


def accept(cup: Competition, player: Player) -> Entry:
    return accept_invitation(competition_id=cup.pk, player=player, now=NOON)


def decline(cup: Competition, player: Player) -> EntryInvitation:
    return decline_invitation(competition_id=cup.pk, player=player, now=NOON)


def test_an_invited_player_plays_after_accepting_and_inviting_or_accepting_again_has_no_effect(cup, mia, eve):
    invitation = ask(cup, eve, mia)
    assert (invitation.status, verbs.players_in(cup)) == (InvitationStatus.WAITING, [])
    assert invite(cup, eve, mia) == invitation
    entry = accept(cup, eve)
    assert (accept(cup, eve), verbs.players_in(cup)) == (entry, ["eve"])
    invitation.refresh_from_db()
    assert (invitation.status, invitation.answered_at) == (InvitationStatus.ACCEPTED, NOON)
    with pytest.raises(AlreadyEntered):
        decline(cup, eve)


@pytest.mark.parametrize("who", ["staff", "allowed", "computer", "self"])
def test_nobody_is_asked_who_need_not_be(cup, mia, olga, eve, who):
    cup.organisers.add(olga)
    Competition.objects.filter(pk=cup.pk).update(admits_computers=True)
    if who == "allowed":
        eve.may_be_entered = True
    elif who == "computer":
        eve.is_computer, eve.level = True, "odd"
    eve.save()
    assert isinstance(invite(cup, mia if who == "self" else eve, olga if who == "staff" else mia), Entry)


def test_declining_is_final_for_organisers_and_not_for_the_player(cup, mia, eve):
    invite(cup, eve, mia)
    assert decline(cup, eve) == decline(cup, eve)
    with pytest.raises(InvitationDeclined):
        invite(cup, eve, mia)
    assert verbs.enter(cup, eve).player == eve


def test_an_invitation_is_withdrawn_until_it_is_answered_and_may_be_made_anew(cup, mia, eve):
    invitation = ask(cup, eve, mia)
    about = {"invitation_id": invitation.pk, "actor": mia, "now": NOON}
    assert withdraw_invitation(**about) == withdraw_invitation(**about)
    with pytest.raises(InvitationOver):
        accept(cup, eve)
    invite(cup, eve, mia)
    # They have been asked today.
    assert LogEntry.objects.filter(competition=cup, action="invited").count() == 1
    withdraw_invitation(**about)
    invite(cup, eve, mia, NOON + 2 * DAY)
    assert LogEntry.objects.filter(competition=cup, action="invited").count() == 2
    accept(cup, eve)
    with pytest.raises(InvitationOver):
        withdraw_invitation(**about)


def test_a_player_who_was_not_invited_accepts_and_declines_nothing(cup, eve):
    for answer in (accept, decline):
        with pytest.raises(InvitationNotFound):
            answer(cup, eve)


def test_an_invitation_takes_no_place_and_two_get_the_last_one_only_once(mia):
    cup = verbs.make_cup(max_entrants=2, legs=1, organiser=mia)
    players = verbs.make_players(3)
    for player in players:
        invite(cup, player, mia)
    accept(cup, players[0])
    accept(cup, players[1])
    with pytest.raises(CompetitionFull):
        accept(cup, players[2])
    verbs.leave(Entry.objects.get(player=players[0]))
    accept(cup, players[2])


def test_nobody_is_in_at_the_start_without_an_answer(cup, mia, eve):
    invite(cup, eve, mia)
    verbs.enter_all(cup, verbs.make_players(2))
    verbs.start(cup)
    assert "eve" not in verbs.players_in(cup)
    assert not open_invitations(player=eve).exists()
    with pytest.raises(EntryClosed):
        accept(cup, eve)


def test_on_a_ladder_an_invitation_lasts_beyond_the_start(mia, eve):
    ladder = verbs.make_ladder(organiser=mia)
    invite(ladder, eve, mia)
    verbs.start(ladder)
    assert open_invitations(player=eve).exists()
    assert accept(ladder, eve).player == eve


@pytest.mark.parametrize("options", [{"legs": 1}, {"format": "swiss", "organisers_publish": True}], ids=str)
def test_the_invited_come_in_while_entry_is_closed_but_not_after_the_draw(mia, eve, options):
    cup = verbs.make_cup(tiebreaks=[], **options, organiser=mia)
    one, two, three = verbs.make_players(3)
    verbs.enter_all(cup, [one, two])
    for player in (eve, three):
        invite(cup, player, mia)
    verbs.close_entry(cup, by=mia)
    accept(cup, eve)
    verbs.draw(cup, by=mia, seed=None, order=None)
    with pytest.raises(EntryClosed, match="has been drawn"):
        accept(cup, three)


def test_an_invitation_lets_in_past_password_and_rating(mia, eve):
    cup = verbs.make_cup(min_rating=2500, password="!hashed", organiser=mia)
    invite(cup, eve, mia)
    assert verbs.enter(cup, eve).player == eve
    assert EntryInvitation.objects.get().status == InvitationStatus.ACCEPTED


def test_by_invitation_only_the_invited_and_whom_staff_enter_come_in(mia, olga, eve):
    cup = verbs.make_cup(by_invitation=True)
    cup.organisers.add(mia, olga)
    with pytest.raises(NotInvited):
        verbs.enter(cup, eve)
    (other,) = verbs.make_players(1)
    assert isinstance(invite(cup, other, olga), Entry)
    invite(cup, eve, mia)
    accept(cup, eve)
    assert verbs.players_in(cup) == [other.username, "eve"]


def test_a_player_who_is_taken_off_the_list_does_not_come_back_by_the_invitation(mia, eve):
    cup = verbs.make_cup(by_invitation=True, organiser=mia)
    invite(cup, eve, mia)
    verbs.withdraw(accept(cup, eve), by=mia)
    with pytest.raises(NotInvited):
        verbs.enter(cup, eve)


def test_players_invited_to_a_draft_are_asked_when_it_is_opened(cup, mia, eve):
    Competition.objects.filter(pk=cup.pk).update(status=CompetitionStatus.DRAFT)
    invite(cup, eve, mia)
    assert verbs.send_mails() == {}
    with pytest.raises(InvitationNotFound):
        accept(cup, eve)
    verbs.open_entry(cup, by=mia)
    assert set(verbs.send_mails()) == {"eve"}
    verbs.open_entry(cup, by=mia)
    assert verbs.send_mails() == {}
    assert accept(cup, eve).player == eve


def test_organisers_invite_so_many_in_a_day(cup, mia, settings):
    settings.MAX_ENTRY_INVITATIONS_A_DAY = 2
    players = verbs.make_players(4)
    for player in players[:2]:
        invite(cup, player, mia)
    with pytest.raises(TooManyEntryInvitations):
        invite(cup, players[2], mia)
    invite(cup, players[0], mia)
    invite(cup, players[2], mia, NOON + DAY)


def test_a_list_enters_who_allows_it_and_invites_the_others_in_as_many_queries(cup, mia, eve):
    Player.objects.filter(pk=eve.pk).update(may_be_entered=True)
    others = verbs.make_players(6)
    done = import_entry_list(competition_id=cup.pk, text="eve\nplayer-1\n", actor=mia, now=NOON)
    assert [entry.player.username for entry in done.entries] == ["eve"]
    assert [invitation.player for invitation in done.invitations] == others[:1]
    few = queries_of(lambda: import_entry_list(competition_id=cup.pk, text="player-2\n", actor=mia, now=NOON))
    text = "player-3\nplayer-4\nplayer-5\n"
    many = queries_of(lambda: import_entry_list(competition_id=cup.pk, text=text, actor=mia, now=NOON))
    assert len(few) == len(many)
    decline(cup, others[0])
    skipped = import_entry_list(
        competition_id=cup.pk, text="player-1\nplayer-6\n", actor=mia, skips_faults=True, now=NOON
    ).skipped
    assert [each.fault for each in skipped] == ["This player has declined an invitation."]


def test_a_copy_invites_who_has_to_be_asked(cup, mia, eve):
    verbs.enter_all(cup, [eve])
    copy = copy_competition(competition=cup, name="Again", with_entrants=True, actor=mia, now=NOON)
    assert (verbs.players_in(copy), [str(each) for each in copy.invitations.all()]) == ([], ["eve"])


def test_a_substitute_takes_over_the_place_when_they_accept(cup, mia, eve):
    one, *_others = verbs.enter_all(cup, verbs.make_players(4))
    verbs.start(cup)
    verbs.withdraw(one, by=mia, reason="Ill.")
    about = {"entry_id": one.pk, "player": eve, "actor": mia, "reason": "For them.", "now": NOON}
    assert isinstance(replace_or_invite(**about), EntryInvitation)
    assert open_invitations(player=eve).exists()
    entry = accept(cup, eve)
    assert (entry.replaces, entry.player, accept(cup, eve)) == (one, eve, entry)
    assert LogEntry.objects.filter(competition=cup, action="replaced").get().actor == mia


def test_the_invited_hear_once_and_organisers_what_they_answer(cup, mia, otto, eve):
    Player.objects.filter(pk=otto.pk).update(email="otto@example.org", email_confirmed_at=NOON)
    cup.organisers.add(otto)
    invite(cup, eve, mia)
    sent = verbs.send_mails()
    assert set(sent) == {"eve"}
    assert "mia invites you to play in Cup." in sent["eve"]
    assert verbs.send_mails() == {}
    (change,) = read_named(competition=[LogEntry.objects.get(action="invited").pk])
    assert set(change.sides) == {eve.pk, mia.pk, otto.pk}
    accept(cup, eve)
    sent = verbs.send_mails()
    assert set(sent) == {"mia", "otto"}
    assert "eve has accepted the invitation, and plays in Cup." in sent["mia"]
    (other,) = verbs.make_players(1)
    invite(cup, other, mia)
    decline(cup, other)
    assert "player-1 has declined the invitation to Cup." in verbs.send_mails()["otto"]
    assert Client().get("/cups/cup/log/").content.decode().count("declined") == 0


def test_a_mail_of_an_invitation_that_was_withdrawn_is_not_sent(cup, mia, eve):
    invitation = ask(cup, eve, mia)
    withdraw_invitation(invitation_id=invitation.pk, actor=mia, now=NOON)
    assert verbs.send_mails() == {}


def test_one_click_in_the_mail_answers_and_looking_does_not(cup, mia, eve):
    invite(cup, eve, mia)
    link, client = verbs.link_in(verbs.send_mails()["eve"]), Client()
    page = client.get(link).content.decode()
    assert "mia has invited you, eve, to play." in " ".join(page.split())
    assert client.head(link).status_code == 200
    assert EntryInvitation.objects.get().status == InvitationStatus.WAITING
    assert "You have joined." in client.post(link, {"answer": "accept"}).content.decode()
    assert verbs.players_in(cup) == ["eve"]
    assert client.post(link, {"answer": "decline"}).status_code == 409
    assert client.get(f"{link[:-2]}/").status_code == 404


def test_one_click_declines(cup, mia, eve):
    invite(cup, eve, mia)
    link = verbs.link_in(verbs.send_mails()["eve"])
    assert "You have declined the invitation." in Client().post(link, {"answer": "decline"}).content.decode()
    assert (verbs.players_in(cup), EntryInvitation.objects.get().status) == ([], InvitationStatus.DECLINED)


def test_home_and_the_page_of_the_competition_ask(cup, mia, eve, client_of):
    invite(cup, eve, mia)
    client = client_of(eve)
    for path in ("/", "/cups/cup/"):
        page = client.get(path).content.decode()
        assert ("You are invited" in page, 'action="/cups/cup/invitation/"' in page) == (True, True)
    assert "You are invited" not in client_of(mia).get("/cups/cup/").content.decode()
    assert client.post("/cups/cup/invitation/", {"answer": "accept"}).status_code == 302
    assert verbs.players_in(cup) == ["eve"]
    assert "You are invited" not in client.get("/cups/cup/").content.decode()


def test_a_competition_by_invitation_is_offered_to_nobody_on_home(mia, eve, client_of):
    verbs.make_cup(name="Closed circle", by_invitation=True)
    verbs.make_cup(slug="other", name="Open to all")
    page = client_of(eve).get("/").content.decode()
    assert ("Open to all" in page, "Closed circle" in page) == (True, False)


def test_the_organiser_sees_who_has_not_answered_and_withdraws(cup, mia, eve, client_of):
    client = client_of(mia)
    asked = client.post("/cups/cup/organise/admit/", {"player": "eve", "reason": ""}, follow=True)
    assert "The player has been invited" in asked.content.decode()
    page = client.get("/cups/cup/organise/invitations/").content.decode()
    assert ("eve" in page, "not answered" in page) == (True, True)
    invitation = EntryInvitation.objects.get()
    assert client.post(f"/cups/cup/organise/invitations/{invitation.pk}/withdraw/").status_code == 302
    page = client.get("/cups/cup/organise/invitations/").content.decode()
    assert ("withdrawn" in page, f"invitations/{invitation.pk}/withdraw/" in page) == (True, False)


def test_the_api_invites_lists_and_answers(cup, mia, eve, client_of):
    organiser, player, base = client_of(mia), client_of(eve), "/api/v1/competitions/cup"
    admitted = organiser.post(f"{base}/admissions/", {"player": "eve"}, content_type="application/json")
    assert (admitted.status_code, admitted.json()["status"], admitted.json()["id"]) == (200, "invited", None)
    (listed,) = organiser.get(f"{base}/invitations/").json()["results"]
    assert (listed["player"], listed["status"], listed["invited_by"]) == ("eve", "waiting", "mia")
    (received,) = player.get("/api/v1/invitations/").json()
    assert (received["competition"]["slug"], received["invited_by"]) == ("cup", "mia")
    assert player.get(f"{base}/").json()["is_invited"] is True
    assert player.post(f"{base}/invitation/accept/", content_type="application/json").status_code == 201
    assert (player.get("/api/v1/invitations/").json(), verbs.players_in(cup)) == ([], ["eve"])


def test_players_say_whether_they_are_asked(eve, client_of):
    client = client_of(eve)
    assert client.get("/api/v1/players/me/").json()["may_be_entered"] is False
    changed = client.patch("/api/v1/players/me/", {"may_be_entered": True}, content_type="application/json")
    assert changed.json()["may_be_entered"] is True
    assert "checked" in client.get("/profile/").content.decode().partition("may-be-entered")[2][:200]
    client.post("/profile/competitions/", {})
    eve.refresh_from_db()
    assert eve.may_be_entered is False


def test_the_form_and_the_api_make_competitions_by_invitation(mia, client_of):
    client = client_of(mia)
    body = {"recipe": "knock-out", "name": "Closed", "game": "streetsoccer-board", "by_invitation": True}
    made = client.post("/api/v1/competitions/", body, content_type="application/json").json()
    assert (made["admission"], "Only invited players can join." in made["options"]) == ("invitation", True)
    both = client.post("/api/v1/competitions/", body | {"password": "x"}, content_type="application/json")
    assert (both.status_code, both.json()["code"]) == (400, "invalid")
    page = client.get(f"/cups/{made['slug']}/organise/edit/").content.decode()
    assert re.search(r'value="invitation"[^>]*checked', page)
