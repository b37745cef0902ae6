"""Nobody runs a competition without having agreed: organisers ask, players answer by page, API or mail."""

import re

import pytest
from django.core import mail

from players.models import Player
from players.services.account_closures import delete_account
from players.services.mail_delivery import send_due
from tests.tournaments.verbs import NOON, make_cup, make_players
from tournaments.models import CompetitionStatus, InvitationStatus, LogEntry, RoleInvitation
from tournaments.models.rights import Role
from tournaments.office.errors import InvitationDeclined, TooManyEntryInvitations, TooManyOrganisers
from tournaments.office.selectors.organisers import people_of
from tournaments.office.services.role_invitations import appoint_or_invite, decline_role
from tournaments.running.services.notifications import send_news

pytestmark = pytest.mark.django_db

PEOPLE = "/cups/cup/organise/organisers/"


@pytest.fixture
def cup(mia):
    return make_cup(organiser=mia)


@pytest.fixture
def nina(db):
    return Player.objects.create(username="nina", email="nina@example.org", email_confirmed_at=NOON, date_joined=NOON)


def ask(cup, player, actor, role=Role.ORGANISER, now=NOON):
    return appoint_or_invite(competition_id=cup.pk, player=player, role=role, actor=actor, now=now)


def read_mails():
    mail.outbox.clear()
    send_news(now=NOON)
    send_due(clock=lambda: NOON)
    return {each.to[0].partition(" ")[0]: (each.subject, str(each.body)) for each in mail.outbox}


def roles(cup):
    return {player.username: role for player, role in people_of(cup)}


@pytest.mark.parametrize("status", [CompetitionStatus.DRAFT, CompetitionStatus.OPEN])
def test_somebody_who_is_asked_has_no_rights_before_they_accept(cup, mia, nina, client_of, status):
    cup.status = status
    cup.save(update_fields=["status"])
    asking, asked = client_of(mia), client_of(nina)
    assert asking.post(PEOPLE, {"player": "nina", "role": "organiser"}).status_code == 302
    assert "has not answered" in asking.get(PEOPLE).content.decode()
    assert (roles(cup), asked.get("/cups/cup/organise/").status_code) == (
        {"mia": Role.ORGANISER},
        404 if status == CompetitionStatus.DRAFT else 403,
    )
    for page in ("/", "/organise/"):
        assert 'action="/cups/cup/role/"' in asked.get(page).content.decode()
    assert "/cups/cup/organise/" not in asked.get("/organise/").content.decode()
    accepted = asked.post("/cups/cup/role/", {"answer": "accept"})
    assert (accepted.status_code, accepted.headers["Location"]) == (302, "/cups/cup/organise/")
    assert roles(cup) == {"mia": Role.ORGANISER, "nina": Role.ORGANISER}
    assert asked.get("/cups/cup/organise/").status_code == 200
    assert [line.actor.username for line in LogEntry.objects.filter(action="organiser-named")] == ["nina"]


def test_the_mail_leads_to_a_page_that_takes_the_answer(cup, mia, nina, visitor):
    ask(cup, nina, mia, Role.HELPER)
    subject, text = read_mails()["nina"]
    assert subject == "Cup: you are asked to help"
    link = re.search(r"http\S+(/mail/invitation/\S+)", text)[1]
    assert "mia asks you, nina, to be a helper" in " ".join(visitor.get(link).content.decode().split())
    assert roles(cup) == {"mia": Role.ORGANISER}
    assert "You are now a helper of Cup." in visitor.post(link, {"answer": "accept"}).content.decode()
    assert roles(cup) == {"mia": Role.ORGANISER, "nina": Role.HELPER}
    assert read_mails() == {"mia": ("Cup: nina runs it with you", mail.outbox[0].body)}
    assert "You have answered this invitation." in visitor.get(link).content.decode()


def test_programs_ask_and_answer(cup, mia, nina, api):
    named = "/api/v1/competitions/cup/organisers/nina/"
    put = api(mia).put(named, {"role": "helper"}).json()
    assert put == {"player": "nina", "role": "helper", "rights": [], "is_invited": True}
    listed = "/api/v1/competitions/cup/organisers/"
    assert [[each["player"] for each in api(who).get(listed).json()] for who in (mia, nina)] == [
        ["mia", "nina"],
        ["mia"],
    ]
    (offered,) = api(nina).get("/api/v1/role-invitations/").json()
    assert (offered["slug"], offered["role"], offered["invited_by"]) == ("cup", "helper", "mia")
    for _again in range(2):
        accepted = api(nina).post("/api/v1/competitions/cup/role/accept/")
        assert (accepted.status_code, accepted.json()["rights"]) == (200, ["decide"])
    assert api(mia).put(named, {"role": "organiser"}).json()["is_invited"] is True
    assert roles(cup)["nina"] is Role.HELPER
    assert api(mia).delete(named).status_code == 204
    assert api(nina).post("/api/v1/competitions/cup/role/accept/").json()["code"] == "invitation_over"
    assert roles(cup) == {"mia": Role.ORGANISER}


def test_who_has_declined_is_not_asked_again_and_who_asked_hears_of_it(cup, mia, nina):
    invitation = ask(cup, nina, mia)
    for _again in range(2):
        decline_role(invitation=invitation, now=NOON)
    assert read_mails() == {"mia": ("Cup: nina has declined", mail.outbox[0].body)}
    with pytest.raises(InvitationDeclined, match="nina has declined"):
        ask(cup, nina, mia)


def test_a_question_that_is_withdrawn_and_asked_again_makes_no_second_mail(cup, mia, nina, client_of):
    for _again in range(3):
        ask(cup, nina, mia)
        assert client_of(mia).post(PEOPLE, {"dismiss": "nina"}).status_code == 302
    assert RoleInvitation.objects.get().status == InvitationStatus.WITHDRAWN
    assert LogEntry.objects.filter(action="organiser-invited").count() == 1
    assert read_mails() == {}


def test_those_who_are_asked_take_room_and_count_for_the_day(cup, mia, settings):
    first, second, third = make_players(3, "asked")
    settings.MAX_ORGANISERS = 2
    ask(cup, first, mia)
    with pytest.raises(TooManyOrganisers):
        ask(cup, second, mia)
    settings.MAX_ORGANISERS, settings.MAX_ENTRY_INVITATIONS_A_DAY = 10, 2
    ask(cup, second, mia)
    with pytest.raises(TooManyEntryInvitations):
        ask(cup, third, mia)


def test_staff_name_without_asking_and_a_closed_account_is_asked_no_more(cup, boss, nina, mia, client_of):
    make_players(1, "other")
    named = client_of(boss).post(PEOPLE, {"player": "other-1", "role": "organiser"}, follow=True).content.decode()
    assert "other-1 has been added" in named
    assert roles(cup)["other-1"] is Role.ORGANISER
    assert ("they are not asked" in named, "asked first" in named) == (True, False)
    assert "They are asked first" in client_of(mia).get(PEOPLE).content.decode()
    ask(cup, nina, mia)
    delete_account(player_id=nina.pk, now=NOON)
    assert not RoleInvitation.objects.filter(status=InvitationStatus.WAITING).exists()
