"""The desk of a competition of teams finds, offers and says what concerns teams."""

import pytest

from players.models import Player
from tests.tournaments.conftest import ClientOf
from tests.tournaments.rounds.test_team_leagues import text_of
from tests.tournaments.teams.leagues import enter, make_league, make_teams, play_round, start_league
from tests.tournaments.verbs import NOON, make_cup
from tournaments.models import Cup, Fixture

pytestmark = pytest.mark.django_db


@pytest.fixture
def league(olga: Player) -> Cup:
    """Return a running league of four teams of two boards that olga organises."""
    league, _entries = start_league(make_teams(4, 2), boards=2)
    league.organisers.add(olga)
    return league


@pytest.mark.parametrize("state", ["", "ended"])
def test_matches_are_found_by_a_team_or_by_who_sits_at_a_board(
    league: Cup, olga: Player, client_of: ClientOf, state: str
) -> None:
    if state:
        play_round(league, at=NOON)
    client, url = client_of(olga), f"{league.get_desk_url()}fixtures/"

    def found(query: str) -> list[Fixture]:
        return list(client.get(url, {"player": query, "state": state}).context["page"])

    for query in ("TEAM-1-2", "-1-2"):
        (own,) = found(query)
        assert "team-1-2" in {own.yellow_name, own.red_name}
    of_team = found("team 2")
    assert len(of_team) == (2 if state else 6)
    assert all("Team 2" in {str(each.yellow), str(each.red)} for each in of_team)
    assert found("team-5") == []
    assert "Team or username" in text_of(client.get(url))


def test_the_same_again_of_a_competition_of_teams_offers_to_take_nobody_along(
    league: Cup, olga: Player, client_of: ClientOf
) -> None:
    client, url = client_of(olga), f"{league.get_desk_url()}copy/"
    page = text_of(client.get(url))
    assert ("With its players" in page, "Captains have to enter their teams again." in page) == (False, True)
    made = client.post(url, {"name": "Next league", "with_entrants": "on"})
    copy = Cup.objects.get(name="Next league")
    assert (made["Location"], copy.boards, copy.entries.count()) == (copy.get_desk_url(), 2, 0)
    single = make_cup(slug="single", organiser=olga)
    assert "With its players" in text_of(client.get(f"{single.get_desk_url()}copy/"))


def test_a_cup_of_one_team_is_told_how_many_teams_it_needs(olga: Player, client_of: ClientOf) -> None:
    league = make_league(boards=2)
    league.organisers.add(olga)
    enter(league, make_teams(1, 2)[0])
    desk = league.get_desk_url()
    refused = client_of(olga).get(f"{desk}draw/")
    assert "A cup needs at least two teams." in text_of(refused)
    assert refused.context["refusal"].code == "too_few_entrants"
