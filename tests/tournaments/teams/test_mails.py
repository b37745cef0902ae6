"""Whoever is invited to a team hears of it by mail once, as long as they have not answered."""

from __future__ import annotations

import pytest
from django.core import mail
from django.utils import timezone

from players.models import Delivery, MailSettings, Player
from players.services.mail_delivery import send_due
from tournaments.models import Team
from tournaments.services.teams.members import decline_team_invitation, invite_to_team
from tournaments.services.teams.teams import found_team

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
    assert "anna, the captain of the team Foxes, invites you" in sent.body
    assert "/teams/foxes/" in sent.body


def test_an_invitation_that_was_answered_before_is_not_mailed(team: Team, piotr: Player) -> None:
    invite(team, piotr)
    decline_team_invitation(team_id=team.pk, player=piotr, now=NOW)
    assert send_due(clock=lambda: NOW) == 0
    assert mail.outbox == []


def test_mails_of_invitations_to_teams_can_be_switched_off(team: Team, piotr: Player) -> None:
    MailSettings.objects.create(player=piotr, teams=False)
    invite(team, piotr)
    assert not Delivery.objects.exists()
