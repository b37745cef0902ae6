"""Players who are invited to a team hear of it by mail once, as long as they have not answered."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from players.models import Delivery, MailSettings, Player
from players.services.mail_delivery import send_due
from tests.pages.html import text_of
from tests.tournaments.verbs import link_in
from tournaments.models import Team
from tournaments.teams.services.members import decline_team_invitation, invite_to_team, withdraw_team_invitation
from tournaments.teams.services.teams import found_team

pytestmark = pytest.mark.django_db
NOW = timezone.now()


@pytest.fixture
def piotr() -> Player:
    return Player.objects.create(username="piotr", email="piotr@example.org", email_confirmed_at=NOW)


@pytest.fixture
def team() -> Team:
    anna = Player.objects.create(username="anna", email="anna@example.org", email_confirmed_at=NOW)
    shirt = {"pattern": "plain", "first_colour": "red", "second_colour": "white"}
    return found_team(name="Foxes", captain=anna, now=NOW, **shirt)


def invite(team: Team, player: Player) -> None:
    invite_to_team(team_id=team.pk, player=player, actor=team.captain, now=NOW)


def test_the_player_alone_hears_of_an_invitation_once(team: Team, piotr: Player) -> None:
    for _again in range(2):
        invite(team, piotr)
    assert send_due(clock=lambda: NOW) == 1
    (sent,) = mail.outbox
    assert (sent.to, sent.subject) == (["piotr <piotr@example.org>"], "Foxes invites you")
    assert "anna, the captain of the team Foxes, has invited you" in sent.body
    assert "/mail/invitation/" in sent.body


def test_an_invitation_that_was_answered_before_is_not_mailed(team: Team, piotr: Player) -> None:
    invite(team, piotr)
    decline_team_invitation(team_id=team.pk, player=piotr, now=NOW)
    assert send_due(clock=lambda: NOW) == 0
    assert mail.outbox == []


def test_mails_of_invitations_to_teams_can_be_switched_off(team: Team, piotr: Player) -> None:
    MailSettings.objects.create(player=piotr, teams=False)
    invite(team, piotr)
    assert not Delivery.objects.exists()


def link_mailed() -> str:
    """Return the link in the only mail that is sent now."""
    mail.outbox.clear()
    send_due(clock=lambda: NOW)
    (sent,) = mail.outbox
    return link_in(str(sent.body))


@pytest.mark.parametrize(
    ("answer", "said", "status"),
    [
        ("accept", "You are now a member of Foxes.", "member"),
        ("decline", "You have declined the invitation.", "declined"),
    ],
)
def test_a_player_answers_by_the_link_without_logging_in(
    team: Team, piotr: Player, answer: str, said: str, status: str
) -> None:
    invite(team, piotr)
    link, client = link_mailed(), Client()
    assert "anna, the captain of the team Foxes, has invited you, piotr" in text_of(client.get(link))
    membership = team.memberships.get(player=piotr)
    assert membership.status == "invited"
    assert said in text_of(client.post(link, {"answer": answer}))
    membership.refresh_from_db()
    assert membership.status == status
    again = client.post(link, {"answer": "accept"})
    assert (again.status_code, '<button class="button primary"' in again.content.decode()) == (200, False)
    membership.refresh_from_db()
    assert membership.status == status


def test_a_link_answers_no_later_invitation(team: Team, piotr: Player) -> None:
    invite(team, piotr)
    link = link_mailed()
    withdraw_team_invitation(team_id=team.pk, player=piotr, actor=team.captain, now=NOW)
    invite_to_team(team_id=team.pk, player=piotr, actor=team.captain, now=NOW + timedelta(days=2))
    assert "This invitation is no longer valid" in text_of(Client().post(link, {"answer": "accept"}))
    assert team.memberships.filter(player=piotr, status="invited").exists()


def test_the_link_of_a_closed_account_is_refused(team: Team, piotr: Player) -> None:
    invite(team, piotr)
    link = link_mailed()
    Player.objects.filter(pk=piotr.pk).update(is_active=False)
    assert Client().post(link, {"answer": "accept"}).status_code == 409
