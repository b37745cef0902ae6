"""Before a start organisers read who would not play; after it those who had not answered learn that it is too late."""

from datetime import timedelta

import pytest

from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.teams.leagues import enter, make_league, make_teams
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.undo.starts import take_back_start
from tournaments.entries.services.admission import admit_player
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.entries.services.invitations import accept_invitation, admit_or_invite
from tournaments.entries.services.new_invitations import ask_again
from tournaments.entries.services.team_entries import admit_team
from tournaments.entries.services.waiting_list import join_waiting_list
from tournaments.models import Competition, EntryInvitation
from tournaments.office.errors import InvitationOver
from tournaments.running.errors import EntryClosed
from tournaments.running.services.before_start import what_follows_from_starting
from tournaments.running.services.start import start_competition

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def cup(mia):
    """Return a cup of mia's for three players, that four have joined, and where one waits and two are invited."""
    cup = verbs.make_cup(legs=1, organiser=mia, max_entrants=3)
    *players, added, waits, first, second = verbs.make_players(7)
    for player in players:
        verbs.enter(cup, player)
    join_waiting_list(competition_id=cup.pk, player=waits, now=NOON)
    admit_player(competition_id=cup.pk, player=added, actor=None, now=NOON)
    for player in (first, second):
        admit_or_invite(competition_id=cup.pk, player=player, actor=mia, now=NOON)
    verbs.give_addresses()
    verbs.send_mails()
    return cup


def sentences(competition: Competition) -> list[str]:
    return what_follows_from_starting(competition_id=competition.pk, now=NOON).sentences


def test_before_a_start_everybody_is_named_who_would_not_play_or_plays_beyond_the_places(cup, mia, client_of):
    expected = [
        "4 players will play.",
        "There are 3 places, and 1 more have been added. They play too, unless you withdraw them: player-4.",
        "1 player stays on the waiting list and does not play: player-5.",
        "2 invitations are not answered, and lapse with the start: player-6, player-7. You can ask again, or wait.",
    ]
    assert sentences(cup) == expected
    page = client_of(mia).get("/cups/cup/organise/start/")
    assert all(each in text_of(page) for each in expected)
    assert 'href="/cups/cup/organise/ask-again/"' in page.content.decode()


def test_of_a_long_list_the_first_are_named(mia):
    cup = verbs.make_cup(legs=1, max_entrants=3, organiser=mia)
    mia.is_staff = True
    mia.save()
    text = "\n".join(str(player) for player in verbs.make_players(40))
    import_entry_list(competition_id=cup.pk, text=text, actor=mia, now=NOON)
    first, second = sentences(cup)
    assert (first, "37 more" in second, second.count("player-"), second[-1]) == ("40 players will play.", True, 10, ".")


def test_who_has_not_answered_is_asked_again_after_a_day_and_can_accept(cup, mia):
    with pytest.raises(InvitationOver):
        ask_again(competition_id=cup.pk, actor=mia, now=NOON)
    ask_again(competition_id=cup.pk, actor=mia, now=NOON + DAY)
    assert {"player-6", "player-7"} <= set(verbs.send_mails(NOON + DAY))
    with pytest.raises(InvitationOver):
        ask_again(competition_id=cup.pk, actor=mia, now=NOON + DAY)


def test_an_invitation_lapses_with_the_start_and_comes_back_with_it(cup, mia, client_of):
    start_competition(competition_id=cup.pk, actor=mia, now=NOON)
    mails = verbs.send_mails()
    assert ("lapsed" in mails["player-6"], "lapsed" in mails["player-5"]) == (True, False)
    invitation = EntryInvitation.objects.get(player__username="player-6")
    with pytest.raises(EntryClosed):
        accept_invitation(competition_id=cup.pk, player=invitation.player, now=NOON)
    listed = client_of(mia).get("/api/v1/competitions/cup/invitations/").json()["results"]
    assert [each["status"] for each in listed] == ["lapsed", "lapsed"]
    take_back_start(competition_id=cup.pk, confirm=True, actor=mia, reason="early", now=NOON)
    listed = client_of(mia).get("/api/v1/competitions/cup/invitations/").json()["results"]
    assert [each["status"] for each in listed] == ["waiting", "waiting"]


def test_where_players_enter_late_an_invitation_stands_after_the_start(mia):
    ladder = verbs.make_ladder(organiser=mia)
    (eve,) = verbs.make_players(1)
    admit_or_invite(competition_id=ladder.pk, player=eve, actor=mia, now=NOON)
    assert "can still be accepted after the start: player-1." in sentences(ladder)[-1]
    start_competition(competition_id=ladder.pk, actor=mia, now=NOON)
    assert not EntryInvitation.objects.get().has_lapsed
    accept_invitation(competition_id=ladder.pk, player=eve, now=NOON)


def test_teams_that_lack_players_are_named_and_captains_learn_that_their_invitation_lapsed(mia):
    league = make_league(boards=2, organiser=mia)
    first, second, third = make_teams(3, 2)
    enter(league, first)
    enter(league, second, count=1)
    admit_team(competition_id=league.pk, team_id=third.pk, players=None, actor=mia, now=NOON)
    assert sentences(league) == [
        "2 teams will play.",
        "1 team lacks players, and loses the boards without one: Team 2 (1 of 2).",
        "1 invitation is not answered, and lapses with the start: Team 3. You can ask again, or wait.",
    ]
    verbs.give_addresses()
    start_competition(competition_id=league.pk, actor=mia, now=NOON)
    assert "invitation of your team" in verbs.send_mails()["team-3-1"]
