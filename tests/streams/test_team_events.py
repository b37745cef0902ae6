"""Streams tell players of invitations to teams, and captains of the answers."""

import pytest

from matches.signals import rows_changed
from players.models import Player
from streams.changes import read_named
from streams.subscriptions import PlayerSubscription, read_missed
from tests.matches.conftest import NOON
from tests.matches.play import heard
from tests.streams.test_subscriptions import LONG_AGO, read
from tournaments.models import TeamMembership
from tournaments.teams.services.members import accept_team_invitation, decline_team_invitation, invite_to_team
from tournaments.teams.services.teams import change_team, found_team, hand_over_team

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

SHIRT = {"pattern": "plain", "first_colour": "red", "second_colour": "white"}


def team_events(player: Player) -> list[tuple[str, str, bool]]:
    events = read(read_missed([PlayerSubscription(player.pk, LONG_AGO)])[0].events)
    return [
        (event.data["player"], event.data["status"], event.data["leads"]) for event in events if event.name == "team"
    ]


def test_an_invitation_is_told_to_the_player_and_its_answer_to_the_captain(
    anna, piotr, carla, django_capture_on_commit_callbacks
):
    team = found_team(name="Owls", **SHIRT, captain=anna, now=NOON)
    with heard(rows_changed, "ids") as told, django_capture_on_commit_callbacks(execute=True):
        invitation = invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=NOON)
    assert list(told) == [[invitation.pk]]
    (change,) = read_named(team=[invitation.pk])
    facts = {"team": "owls", "name": "Owls", "captain": "anna", "player": "piotr", "status": "invited"}
    assert change.facts == facts
    assert team_events(piotr) == [("piotr", "invited", False)]
    decline_team_invitation(team_id=team.pk, player=piotr, now=NOON)
    invite_to_team(team_id=team.pk, player=carla, actor=anna, now=NOON)
    accept_team_invitation(team_id=team.pk, player=carla, now=NOON)
    assert team_events(anna) == [("anna", "member", True), ("piotr", "declined", True), ("carla", "member", True)]
    assert team_events(carla) == [("carla", "member", False)]


def test_members_hear_of_another_name_and_another_captain(anna, piotr, carla, django_capture_on_commit_callbacks):
    team = found_team(name="Owls", **SHIRT, captain=anna, now=NOON)
    for player in (piotr, carla):
        invite_to_team(team_id=team.pk, player=player, actor=anna, now=NOON)
        accept_team_invitation(team_id=team.pk, player=player, now=NOON)
    own = set(TeamMembership.objects.values_list("pk", flat=True))
    with heard(rows_changed, "ids") as told, django_capture_on_commit_callbacks(execute=True):
        change_team(team_id=team.pk, name="Owls", **SHIRT | {"first_colour": "blue"}, actor=anna)
        change_team(team_id=team.pk, name="Night Owls", **SHIRT, actor=anna)
        hand_over_team(team_id=team.pk, player=piotr, actor=anna, now=NOON)
    assert [set(ids) for ids in told] == [own, own]
    (change,) = read_named(team=[TeamMembership.objects.get(player=carla).pk])
    assert (change.facts["name"], change.facts["captain"]) == ("Night Owls", "piotr")
    assert (set(change.sides), change.version) == ({carla.pk, piotr.pk}, f"member {piotr.pk} Night Owls")
    assert team_events(piotr)[-3:] == [("anna", "member", True), ("piotr", "member", True), ("carla", "member", True)]
    assert team_events(anna) == [("anna", "member", False)]
