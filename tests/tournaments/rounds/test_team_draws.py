"""Teams are seeded by hand and swapped on the page of the draw, by their names."""

from __future__ import annotations

import pytest

from players.models import Player
from tests.tournaments.conftest import ClientOf
from tests.tournaments.rounds.test_team_leagues import text_of
from tests.tournaments.teams.cups import make_team_cup
from tests.tournaments.teams.leagues import enter, make_teams
from tournaments.models import Cup, Entry

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn_by_mia(mia: Player) -> Cup:
    """Return a knock-out of two teams that mia organises, one called as the captain of the other, one with a comma."""
    cup = make_team_cup()
    cup.organisers.add(mia)
    one, other = make_teams(2, 2)
    for team, name in ((one, "team-2-1"), (other, "Reds, Whites and Blues of Ærø Island")):
        team.name, team.folded_name = name, name.casefold()
        team.save()
    enter(cup, one)
    enter(cup, other)
    return cup


def test_teams_are_swapped_in_a_draw_by_their_names(drawn_by_mia: Cup, mia: Player, client_of: ClientOf) -> None:
    client, url = client_of(mia), f"{drawn_by_mia.get_desk_url()}draw/"
    first = client.get(url, {"seed": 7}).context["draw"].entries
    shown = client.get(url, {"seed": "7", "first": str(first[0]), "second": str(first[1])})
    assert shown.context["draw"].entries == (first[1], first[0])
    client.post(url, {"seed": 7, "order": shown.context["form"]["order"].value()})
    assert list(Entry.objects.order_by("seats__seed")) == [first[1], first[0]]


@pytest.mark.parametrize("is_first", [True, False])
def test_teams_are_seeded_by_their_names(drawn_by_mia: Cup, mia: Player, client_of: ClientOf, is_first: bool) -> None:
    client, url = client_of(mia), f"{drawn_by_mia.get_desk_url()}draw/"
    lines = ["TEAM-2-1", "", " reds,  whites and blues of ærø island "]
    answer = client.get(url, {"order": "\r\n".join(lines if is_first else reversed(lines))})
    assert [entry.name for entry in answer.context["draw"].entries][0 if is_first else 1] == "team-2-1"
    page = text_of(answer)
    assert ("Team names, first seed first" in page, "Usernames" in page) == (True, False)
    assert "Teams that are not named are drawn after them." in page


def test_the_page_of_the_draw_says_what_it_cannot_read(drawn_by_mia: Cup, mia: Player, client_of: ClientOf) -> None:
    client, url = client_of(mia), f"{drawn_by_mia.get_desk_url()}draw/"
    cases: list[tuple[dict[str, str], str]] = [
        ({"order": "Nobody of all"}, "Not in this competition: Nobody of all."),
        ({"first": "team-2-1", "second": "team-1-1"}, "Not in this competition: team-1-1."),
        ({"first": "x" * 41, "second": "team-2-1"}, "Team: Ensure this value has at most 40 characters"),
        ({"seed": "seven"}, "Draw seed: Enter a whole number."),
    ]
    for data, said in cases:
        answer = client.get(url, data)
        assert (answer.status_code, said in text_of(answer)) == (400, True)
