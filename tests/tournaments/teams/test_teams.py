"""Teams: founded, joined, led, left and closed."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from players.models import Player
from players.services.account_closures import deactivate_player
from tests.tournaments.verbs import NOON, make_players
from tournaments.entries.services.account_closures import finish_closing
from tournaments.models import MembershipStatus, Team, TeamMembership
from tournaments.office.errors import InvitationDeclined, InvitationNotFound
from tournaments.teams.errors import (
    AlreadyMember,
    CaptainStays,
    InvalidTeam,
    NotAMember,
    NotTheCaptain,
    TeamClosed,
    TeamFull,
    TeamNameTaken,
    TeamNotFound,
    TeamPlayerRefused,
    TooManyTeamInvitations,
    TooManyTeams,
)
from tournaments.teams.selectors.teams import (
    find_membership,
    find_team,
    former_members_of,
    invitations_of_team,
    invitations_to_teams,
    list_teams,
    members_of,
    teams_of,
)
from tournaments.teams.services import members as team_members
from tournaments.teams.services.members import (
    accept_team_invitation,
    decline_team_invitation,
    invite_to_team,
    leave_team,
    remove_member,
    withdraw_team_invitation,
)
from tournaments.teams.services.teams import MAX_TEAMS_OF_CAPTAIN, change_team, close_team, found_team, hand_over_team

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

LATER = NOON + timedelta(hours=1)
SHIRT = {"pattern": "hoops", "first_colour": "red", "second_colour": "white"}


def found(captain: Player, name: str = "Foxes", **shirt: str) -> Team:
    return found_team(name=name, captain=captain, now=NOON, **(SHIRT | shirt))


def join(team: Team, *players: Player) -> None:
    for minutes, player in enumerate(players, start=1):
        invite_to_team(team_id=team.pk, player=player, actor=team.captain, now=NOON)
        accept_team_invitation(team_id=team.pk, player=player, now=NOON + timedelta(minutes=minutes))


def names(rows: Any) -> list[str]:
    return [each.player.username for each in rows]


def test_the_founder_of_a_team_is_its_captain_and_only_member():
    anna = make_players(1)[0]
    team = found(anna, "  Red   Foxes ")
    assert (team.name, team.slug, team.captain, str(team)) == ("Red Foxes", "red-foxes", anna, "Red Foxes")
    assert names(members_of(find_team(slug="red-foxes"))) == ["player-1"]
    assert [each.team for each in teams_of(anna)] == [team]


@pytest.mark.parametrize("name", ["FOXES", "foxes", "Ärzte", "ÄRZTE", "A\u0308rzte", "Strasse", "Foxes F.C."])
def test_a_name_is_unique_in_any_case_of_any_letters(name: str):
    anna, piotr = make_players(2)
    for other in ("Foxes", "ärzte", "straße"):
        found(anna, other)
    if name == "Foxes F.C.":
        assert found(piotr, name).slug == "foxes-fc"
    else:
        with pytest.raises(TeamNameTaken):
            found(piotr, name)


def test_a_team_keeps_its_name_when_only_its_letters_change():
    team = found(make_players(1)[0])
    changed = change_team(team_id=team.pk, name="FOXES", actor=team.captain, **SHIRT)
    assert (changed.name, changed.slug, changed.get_absolute_url()) == ("FOXES", "foxes", "/teams/foxes/")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "---"}, "name"),
        ({"name": "x" * 41}, "name"),
        ({"name": "Fo\x00xes"}, "name"),
        ({"name": "Fo\u200bxes"}, "name"),
        ({"pattern": "dots"}, "pattern"),
        ({"first_colour": "pink"}, "first_colour"),
        ({"second_colour": "red"}, "second_colour"),
    ],
)
def test_a_name_or_a_shirt_that_cannot_be_is_refused_by_its_field(wrong: dict[str, str], field: str):
    with pytest.raises(InvalidTeam) as refused:
        found(make_players(1)[0], **wrong)
    assert set(refused.value.fields) == {field}


def test_a_plain_shirt_may_have_one_colour():
    assert found(make_players(1)[0], pattern="plain", second_colour="red").second_colour == "red"


@pytest.mark.parametrize("state", [{"is_guest": True}, {"is_computer": True}, {"is_active": False}])
def test_guests_computers_and_closed_accounts_are_in_no_team(state: dict[str, bool]):
    anna, other = make_players(2)
    team = found(anna)
    invite_to_team(team_id=team.pk, player=other, actor=anna, now=NOON)
    Player.objects.filter(pk=other.pk).update(**state)
    other.refresh_from_db()
    with pytest.raises(TeamPlayerRefused):
        found(other, "Wolves")
    with pytest.raises(TeamPlayerRefused):
        accept_team_invitation(team_id=team.pk, player=other, now=LATER)
    with pytest.raises(TeamPlayerRefused):
        invite_to_team(team_id=team.pk, player=other, actor=anna, now=LATER)


def test_nobody_leads_more_teams_than_anybody_may():
    anna, piotr = make_players(2)
    for number in range(MAX_TEAMS_OF_CAPTAIN):
        team = found(anna, f"Foxes {number}")
    with pytest.raises(TooManyTeams):
        found(anna, "Wolves")
    other = found(piotr, "Wolves")
    join(other, anna)
    with pytest.raises(TooManyTeams):
        hand_over_team(team_id=other.pk, player=anna, actor=piotr, now=NOON)
    close_team(team_id=team.pk, actor=anna, now=LATER)
    assert hand_over_team(team_id=other.pk, player=anna, actor=piotr, now=NOON).captain == anna


def test_an_invited_player_is_a_member_only_after_accepting():
    anna, piotr = make_players(2)
    team = found(anna)
    invited = invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=NOON)
    assert invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=LATER) == invited
    assert names(invitations_of_team(team)) == ["player-2"]
    assert [each.team for each in invitations_to_teams(piotr)] == [team]
    assert names(members_of(team)) == ["player-1"]
    accept_team_invitation(team_id=team.pk, player=piotr, now=LATER)
    assert accept_team_invitation(team_id=team.pk, player=piotr, now=LATER).joined_at == LATER
    assert names(members_of(team)) == ["player-1", "player-2"]
    assert (list(invitations_of_team(team)), list(invitations_to_teams(piotr))) == ([], [])
    with pytest.raises(AlreadyMember):
        invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=LATER)
    assert [vars(each)["members"] for each in list_teams()] == [2]


def test_a_player_who_declines_is_not_asked_again_for_a_month():
    anna, piotr = make_players(2)
    team = found(anna)
    invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=NOON)
    decline_team_invitation(team_id=team.pk, player=piotr, now=NOON)
    with pytest.raises(InvitationNotFound):
        accept_team_invitation(team_id=team.pk, player=piotr, now=LATER)
    with pytest.raises(InvitationDeclined):
        invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=NOON + timedelta(days=29))
    again = invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=NOON + timedelta(days=31))
    assert again.status == MembershipStatus.INVITED


def test_a_withdrawn_invitation_is_not_accepted_and_an_accepted_one_not_withdrawn():
    anna, piotr, carla = make_players(3)
    team = found(anna)
    join(team, carla)
    invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=NOON)
    withdraw_team_invitation(team_id=team.pk, player=piotr, actor=anna, now=NOON)
    with pytest.raises(InvitationNotFound):
        accept_team_invitation(team_id=team.pk, player=piotr, now=LATER)
    with pytest.raises(InvitationNotFound):
        withdraw_team_invitation(team_id=team.pk, player=piotr, actor=anna, now=LATER)
    with pytest.raises(AlreadyMember):
        withdraw_team_invitation(team_id=team.pk, player=carla, actor=anna, now=LATER)
    with pytest.raises(AlreadyMember):
        decline_team_invitation(team_id=team.pk, player=carla, now=LATER)
    with pytest.raises(InvitationNotFound):
        decline_team_invitation(team_id=team.pk, player=piotr, now=LATER)


def test_a_team_has_a_bound_of_members(monkeypatch: pytest.MonkeyPatch):
    anna, *others = make_players(3)
    team = found(anna)
    monkeypatch.setattr(team_members, "MAX_TEAM_MEMBERS", 2)
    invite_to_team(team_id=team.pk, player=others[0], actor=anna, now=NOON)
    with pytest.raises(TeamFull):
        invite_to_team(team_id=team.pk, player=others[1], actor=anna, now=NOON)
    withdraw_team_invitation(team_id=team.pk, player=others[0], actor=anna, now=NOON)
    invite_to_team(team_id=team.pk, player=others[1], actor=anna, now=NOON)


def test_a_player_whose_invitation_was_withdrawn_is_invited_again_only_a_day_later():
    anna, piotr = make_players(2)
    team = found(anna)
    invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=NOON)
    withdraw_team_invitation(team_id=team.pk, player=piotr, actor=anna, now=NOON)
    with pytest.raises(TooManyTeamInvitations, match="withdrawn"):
        invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=LATER)
    tomorrow = NOON + timedelta(days=1)
    assert invite_to_team(team_id=team.pk, player=piotr, actor=anna, now=tomorrow).status == MembershipStatus.INVITED


def test_only_the_captain_changes_a_team():
    anna, piotr = make_players(2)
    team = found(anna)
    join(team, piotr)
    with pytest.raises(NotTheCaptain):
        change_team(team_id=team.pk, name="Wolves", actor=piotr, **SHIRT)
    with pytest.raises(NotTheCaptain):
        invite_to_team(team_id=team.pk, player=anna, actor=piotr, now=LATER)
    with pytest.raises(NotTheCaptain):
        remove_member(team_id=team.pk, player=anna, actor=piotr, now=LATER)
    with pytest.raises(NotTheCaptain):
        close_team(team_id=team.pk, actor=piotr, now=LATER)
    with pytest.raises(TeamNotFound):
        close_team(team_id=team.pk + 1, actor=piotr, now=LATER)


def test_members_leave_and_come_back_and_the_captain_hands_over_first():
    anna, piotr, carla = make_players(3)
    team = found(anna)
    join(team, piotr, carla)
    with pytest.raises(CaptainStays):
        leave_team(team_id=team.pk, player=anna, now=LATER)
    with pytest.raises(CaptainStays):
        remove_member(team_id=team.pk, player=anna, actor=anna, now=LATER)
    leave_team(team_id=team.pk, player=piotr, now=LATER)
    with pytest.raises(NotAMember):
        leave_team(team_id=team.pk, player=piotr, now=LATER)
    with pytest.raises(NotAMember):
        hand_over_team(team_id=team.pk, player=piotr, actor=anna, now=NOON)
    remove_member(team_id=team.pk, player=carla, actor=anna, now=LATER)
    assert sorted(names(former_members_of(team))) == ["player-2", "player-3"]
    assert find_membership(team=team, player=piotr) is None
    join(team, piotr)
    assert hand_over_team(team_id=team.pk, player=piotr, actor=anna, now=NOON).captain == piotr
    leave_team(team_id=team.pk, player=anna, now=LATER)
    assert names(members_of(team)) == ["player-2"]


def test_a_closed_team_has_no_members_and_takes_none_but_keeps_its_name():
    anna, piotr, carla = make_players(3)
    team = found(anna)
    join(team, piotr)
    invite_to_team(team_id=team.pk, player=carla, actor=anna, now=NOON)
    close_team(team_id=team.pk, actor=anna, now=LATER)
    assert (list(members_of(team)), list(invitations_to_teams(carla)), list(list_teams())) == ([], [], [])
    assert find_team(slug="foxes").closed_at == LATER
    with pytest.raises(TeamClosed):
        accept_team_invitation(team_id=team.pk, player=carla, now=LATER)
    with pytest.raises(TeamClosed):
        invite_to_team(team_id=team.pk, player=carla, actor=anna, now=LATER)
    with pytest.raises(TeamNameTaken):
        found(piotr)


def test_a_closed_account_leaves_its_teams_and_the_longest_member_leads():
    anna, piotr, carla = make_players(3)
    team, other = found(anna), found(carla, "Wolves")
    found(anna, "Lone Foxes")
    join(team, piotr, carla)
    join(other, anna)
    invite_to_team(team_id=found(piotr, "Bears").pk, player=anna, actor=piotr, now=NOON)
    deactivate_player(player_id=anna.pk, now=LATER)
    finish_closing(player_id=anna.pk, now=LATER)
    assert names(members_of(team)) == ["player-2", "player-3"]
    assert find_team(slug="foxes").captain == piotr
    assert find_team(slug="lone-foxes").closed_at == LATER
    assert names(members_of(other)) == ["player-3"]
    assert not TeamMembership.objects.filter(player=anna, ended_at=None).exists()


def test_a_player_has_one_membership_of_a_team_at_a_time():
    team = found(make_players(1)[0])
    with pytest.raises(IntegrityError), transaction.atomic():
        TeamMembership.objects.create(team=team, player=team.captain, invited_at=LATER)
