"""Organisers invite teams to competitions: the captain is asked, on pages, by mail and over the API, and answers."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client

from players.models import Player
from players.services.account_closures import deactivate_player
from tests.pages.html import text_of
from tests.tournaments.teams.leagues import make_league, make_teams, members, reach
from tests.tournaments.verbs import NOON, link_in, make_players, open_entry, send_mails, withdraw
from tournaments.entries.services.account_closures import finish_closing
from tournaments.entries.services.invitations import accept_invitation, decline_invitation, withdraw_invitation
from tournaments.entries.services.team_entries import admit_team, enter_team
from tournaments.models import (
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    EntryInvitation,
    InvitationStatus,
    LogEntry,
    Team,
)
from tournaments.office.errors import InvitationDeclined, InvitationNotFound, InvitationOver, TooManyEntryInvitations
from tournaments.office.selectors.invitations import open_invitations
from tournaments.office.services.invitation_links import read_invitation_link
from tournaments.running.errors import AlreadyEntered, NotInvited
from tournaments.running.services.news_texts import write_line
from tournaments.teams.errors import InvalidLineUp, TeamClosed
from tournaments.teams.services.teams import change_team, close_team, found_team, hand_over_team

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
SHIRT = {"pattern": "plain", "first_colour": "red", "second_colour": "white"}
PAGE, ANSWER, API = "/cups/league/", "/cups/league/invitation/", "/api/v1/competitions/league/"


@pytest.fixture
def mia(db: None) -> Player:
    return Player.objects.create(username="mia", date_joined=NOON)


@pytest.fixture
def league(mia: Player) -> Cup:
    """Return a league of two boards that mia organises, who is not on the staff, for those who know a password."""
    league = make_league(boards=2, password="md5$hash")
    league.organisers.add(mia)
    return league


@pytest.fixture
def team() -> Team:
    return make_teams(1, 3)[0]


def ask(league: Competition, team: Team, actor: Player, now: Any = NOON) -> EntryInvitation:
    done = admit_team(competition_id=league.pk, team_id=team.pk, players=None, actor=actor, now=now)
    assert isinstance(done, EntryInvitation)
    return done


def accept(league: Competition, player: Player, team: Team | None = None) -> Entry:
    return accept_invitation(competition_id=league.pk, player=player, team=team, now=NOON)


def decline(league: Competition, player: Player, team: Team | None = None) -> EntryInvitation:
    return decline_invitation(competition_id=league.pk, player=player, team=team, now=NOON)


def second_team_of(captain: Player) -> Team:
    return found_team(name="Wolves", captain=captain, now=NOON, **SHIRT)


def test_a_captain_who_has_to_be_asked_is_invited_and_the_longest_members_sit_at_the_boards(league, mia, team):
    invitation = ask(league, team, mia)
    assert (str(invitation), invitation.player, Entry.objects.count()) == ("Team 1", team.captain, 0)
    assert ask(league, team, mia) == invitation
    entry = accept(league, team.captain)
    assert (entry.team, entry.line_ups.get().players) == (team, [each.pk for each in members(team)[:2]])
    assert accept(league, team.captain) == entry
    invitation.refresh_from_db()
    assert (invitation.status, invitation.answered_at) == (InvitationStatus.ACCEPTED, NOON)
    with pytest.raises(AlreadyEntered, match="Team 1 has already joined"):
        decline(league, team.captain)
    with pytest.raises(AlreadyEntered):
        ask(league, team, mia)


def test_nobody_but_the_captain_answers(league, mia, team):
    ask(league, team, mia)
    for player in (mia, members(team)[1]):
        with pytest.raises(InvitationNotFound):
            accept(league, player)
        with pytest.raises(InvitationNotFound):
            decline(league, player, team)


def test_a_captain_who_need_not_be_asked_hears_that_the_team_plays(league, mia, team):
    Player.objects.filter(pk=team.captain_id).update(may_be_entered=True)
    entry = admit_team(competition_id=league.pk, team_id=team.pk, players=None, actor=mia, now=NOON)
    assert isinstance(entry, Entry)
    assert entry.line_ups.get().players == [each.pk for each in members(team)[:2]]


def test_a_captain_who_enters_a_team_that_is_invited_accepts_and_needs_no_password(league, mia, team):
    invitation = ask(league, team, mia)
    Competition.objects.update(status=CompetitionStatus.CLOSED)
    players = [members(team)[2].pk]
    enter_team(competition_id=league.pk, team_id=team.pk, players=players, actor=team.captain, now=NOON)
    invitation.refresh_from_db()
    assert (invitation.status, Entry.objects.get().line_ups.get().players) == (InvitationStatus.ACCEPTED, players)


def test_a_captain_who_declined_is_not_asked_again_and_can_still_enter_the_team(league, mia, team):
    Competition.objects.update(by_invitation=True, password="")
    with pytest.raises(NotInvited):
        enter_team(competition_id=league.pk, team_id=team.pk, players=None, actor=team.captain, now=NOON)
    ask(league, team, mia)
    declined = decline(league, team.captain)
    assert decline(league, team.captain) == declined
    with pytest.raises(InvitationDeclined, match="The captain of Team 1 has declined"):
        ask(league, team, mia)
    assert accept(league, team.captain).team == team


def test_a_withdrawn_invitation_is_over_and_is_not_mailed_again_within_a_day(league, mia, team):
    reach(team.captain)
    invitation = ask(league, team, mia)
    assert list(send_mails()) == ["team-1-1"]
    withdraw_invitation(invitation_id=invitation.pk, actor=mia, now=NOON)
    with pytest.raises(InvitationOver):
        accept(league, team.captain)
    assert list(open_invitations(player=team.captain)) == []
    assert ask(league, team, mia) == invitation
    assert send_mails() == {}
    withdraw_invitation(invitation_id=invitation.pk, actor=mia, now=NOON)
    ask(league, team, mia, NOON + 2 * DAY)
    assert list(send_mails(NOON + 2 * DAY)) == ["team-1-1"]


def test_an_organiser_invites_so_many_players_and_teams_a_day(league, mia, settings):
    settings.MAX_ENTRY_INVITATIONS_A_DAY = 1
    one, other = make_teams(2, 2)
    ask(league, one, mia)
    with pytest.raises(TooManyEntryInvitations):
        ask(league, other, mia)
    ask(league, other, mia, NOON + 2 * DAY)


def test_a_captain_of_two_invited_teams_says_which_one_answers(league, mia, team):
    wolves = second_team_of(team.captain)
    first, second = ask(league, team, mia), ask(league, wolves, mia)
    assert set(open_invitations(player=team.captain)) == {first, second}
    decline(league, team.captain, wolves)
    second.refresh_from_db()
    assert second.status == InvitationStatus.DECLINED
    assert accept(league, team.captain).team == team
    with pytest.raises(AlreadyEntered, match="has already entered a team here"):
        accept(league, team.captain, wolves)


def test_the_next_captain_answers_and_the_link_of_the_last_one_is_worth_nothing(league, mia, team):
    reach(team.captain)
    invitation = ask(league, team, mia)
    link = link_in(send_mails()["team-1-1"])
    assert "has invited your team Team 1" in text_of(Client().get(link))
    heir = members(team)[1]
    hand_over_team(team_id=team.pk, player=heir, actor=team.captain, now=NOON)
    assert Client().post(link, {"answer": "accept"}).status_code == 404
    with pytest.raises(InvitationNotFound):
        accept(league, team.captain)
    assert list(open_invitations(player=heir)) == [invitation]
    deactivate_player(player_id=heir.pk, now=NOON)
    finish_closing(player_id=heir.pk, now=NOON)
    team.refresh_from_db()
    assert accept(league, team.captain).team == team


def test_a_team_that_is_renamed_before_the_mail_goes_is_mailed_with_its_new_name(league, mia, team):
    reach(team.captain)
    wolves = second_team_of(team.captain)
    invitations = ask(league, team, mia), ask(league, wolves, mia)
    for changed, name in ((team, "Lions"), (wolves, "Team 1")):
        change_team(team_id=changed.pk, name=name, actor=team.captain, **SHIRT)
    lines = LogEntry.objects.filter(action="invited").order_by("pk")
    told = [write_line(line, player_id=team.captain_id, organises=False) for line in lines]
    assert [news.sentence.partition(" to play")[0] for news in told] == [
        "mia has invited your team Lions",
        "mia has invited your team Team 1",
    ]
    assert [read_invitation_link(news.link.rstrip("/").rpartition("/")[2]) for news in told] == [*invitations]
    assert "your team Lions" in send_mails()["team-1-1"]


def test_a_closed_team_has_no_invitations(league, mia, team):
    invitation = ask(league, team, mia)
    close_team(team_id=team.pk, actor=team.captain, now=NOON)
    invitation.refresh_from_db()
    assert invitation.status == InvitationStatus.WITHDRAWN
    assert list(open_invitations(player=team.captain)) == []
    with pytest.raises(InvitationOver):
        accept(league, team.captain)
    with pytest.raises(TeamClosed):
        ask(league, team, mia)


def test_members_who_play_for_another_team_are_left_out_of_the_usual_line_up(league, mia, team):
    ask(league, team, mia)
    wolves = make_teams_of(members(team)[1:])
    Player.objects.filter(pk=wolves.captain_id).update(may_be_entered=True)
    players = [each.pk for each in members(team)[1:]]
    admit_team(competition_id=league.pk, team_id=wolves.pk, players=players, actor=mia, now=NOON)
    assert accept(league, team.captain).line_ups.get().players == [team.captain_id]


def make_teams_of(players: list[Player]) -> Team:
    """Return another team of these players."""
    team = second_team_of(players[0])
    for player in players[1:]:
        team.memberships.create(player=player, status="member", invited_at=NOON, joined_at=NOON)
    return team


def test_a_team_whose_members_all_play_for_others_is_refused(league, mia, team):
    ask(league, team, mia)
    (captain,) = make_players(1, "other")
    other = make_teams_of([captain, team.captain])
    Player.objects.filter(pk=captain.pk).update(may_be_entered=True)
    team.memberships.exclude(player=team.captain).update(status="left", ended_at=NOON)
    admit_team(competition_id=league.pk, team_id=other.pk, players=[team.captain_id], actor=mia, now=NOON)
    with pytest.raises(InvalidLineUp, match="All members of Team 1 play for another team"):
        accept(league, team.captain)


def test_teams_that_a_draft_invites_are_asked_when_it_opens(league, mia, team):
    reach(team.captain)
    Competition.objects.update(status=CompetitionStatus.DRAFT)
    invitation = ask(league, team, mia)
    assert (invitation.asked_at, send_mails()) == (None, {})
    open_entry(league, mia)
    sent = send_mails()
    assert list(sent) == ["team-1-1"]
    assert "has invited your team Team 1 to play in League" in " ".join(sent["team-1-1"].split())
    assert accept(league, team.captain).team == team


def test_a_team_that_an_organiser_takes_off_the_list_does_not_come_back_by_the_invitation(league, mia, team):
    wolves = second_team_of(team.captain)
    others = ask(league, wolves, mia)
    ask(league, team, mia)
    entry = accept(league, team.captain, team)
    withdraw(entry, mia, reason="Too late.")
    with pytest.raises(InvitationOver):
        accept(league, team.captain, team)
    others.refresh_from_db()
    assert others.status == InvitationStatus.WAITING


def test_a_team_has_one_invitation_to_a_competition(league, mia, team):
    ask(league, team, mia)
    with pytest.raises(IntegrityError), transaction.atomic():
        EntryInvitation.objects.create(competition=league, team=team, player=mia, created_at=NOON)


def test_the_captain_accepts_on_the_page_and_is_led_to_the_line_up(league, mia, team, client_of):
    desk = client_of(mia)
    added = desk.post(f"{PAGE}organise/admit-team/", {"team_id": "Team 1", "players": "", "reason": ""}, follow=True)
    assert "The team has been invited" in text_of(added)
    invited = text_of(desk.get(f"{PAGE}organise/invitations/"))
    assert ("Team 1 not answered" in invited, "Add a team" in invited) == (True, True)
    captain = client_of(team.captain)
    assert "your team Team 1, by mia" in text_of(captain.get("/"))
    page = text_of(captain.get(PAGE))
    assert "mia has invited your team Team 1 to play here, on 2 boards." in page
    assert "Play here with your team" not in page
    other = captain.get(f"{PAGE}team/?team=team-1")
    assert (other.status_code, "password" in other.context["form"].fields) == (200, False)
    done = captain.post(ANSWER, {"answer": "accept", "team": "team-1"}, follow=True)
    assert done.redirect_chain[-1][0] == f"{PAGE}line-up/?team=team-1"
    assert "Team 1 has joined. You can change its line-up" in text_of(done)
    assert "Your team has joined" in text_of(captain.get(PAGE))


def test_a_captain_declines_by_the_link_in_the_mail(league, mia, team):
    reach(team.captain)
    ask(league, team, mia)
    link = link_in(send_mails()["team-1-1"])
    assert [sent.subject for sent in mail.outbox] == ["League: your team is invited"]
    assert "You have declined the invitation." in text_of(Client().post(link, {"answer": "decline"}))
    assert EntryInvitation.objects.get().status == InvitationStatus.DECLINED


def test_teams_are_invited_and_answer_over_the_api(league, mia, team, client_of):
    organiser, captain = client_of(mia), client_of(team.captain)
    status, entry = send(organiser, "team-admissions/", {"team": "team-1"})
    assert (status, entry["status"], entry["team"]["slug"], entry["id"]) == (200, "invited", "team-1", None)
    (invited,) = organiser.get(f"{API}invitations/").json()["results"]
    assert (invited["team"]["name"], invited["player"], invited["status"]) == ("Team 1", "team-1-1", "waiting")
    (received,) = captain.get("/api/v1/invitations/").json()
    assert (received["team"]["slug"], received["competition"]["slug"]) == ("team-1", "league")
    assert captain.get(API).json()["is_invited"] is True
    assert send(captain, "invitation/accept/", {"team": "nobody"})[0] == 404
    assert send(captain, "invitation/accept/", {"team": "team-1"})[0] == 201
    status, refused = send(captain, "invitation/decline/", {})
    assert (status, refused["code"]) == (409, "already_entered")


def send(client: Client, path: str, body: dict[str, Any]) -> tuple[int, Any]:
    response = client.post(f"{API}{path}", body, content_type="application/json")
    return response.status_code, response.json()


def test_a_league_by_invitation_lets_only_invited_teams_in(league, mia, team, client_of):
    Competition.objects.update(by_invitation=True, password="")
    captain = client_of(team.captain)
    page = text_of(captain.get(PAGE))
    assert ("Only invited teams can join." in page, "Enter your team" in page) == (True, False)
    assert captain.get(f"{PAGE}team/").status_code == 404
    ask(league, team, mia)
    assert captain.get(f"{PAGE}team/").status_code == 200
    decline(league, team.captain)
    assert "Enter your team" in text_of(captain.get(PAGE))
