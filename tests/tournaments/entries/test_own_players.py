"""Players find others by any part of a username, organisers their own players first."""

import pytest

from players.models import Player
from tests.matches.test_queries import queries_of
from tests.tournaments.verbs import enter_all, make_cup
from tournaments.entries.api.usernames import MAX_OWN_COMPETITIONS, find_usernames_for

URL = "/api/v1/usernames/"


def make(*names: str, **about: object) -> list[Player]:
    return Player.objects.bulk_create([Player(username=name, **about) for name in names])


def enter(organiser: Player, slug: str, players: list[Player]) -> None:
    cup = make_cup(slug=slug, organiser=organiser)
    enter_all(cup, players)


def test_own_players_are_found_by_any_part_and_come_first(mia):
    enter(mia, "own", make("Johanna", "susanne", "peter"))
    enter(Player.objects.create(username="another"), "foreign", make("rosanna"))
    make("annabel")
    assert find_usernames_for(player=mia, known="aNn") == ["Johanna", "susanne", "annabel", "rosanna"]
    assert find_usernames_for(player=mia, known="an") == ["Johanna", "susanne", "annabel", "another"]
    assert find_usernames_for(player=mia, known="susan") == ["susanne"]


def test_an_equal_name_comes_before_all_others(mia):
    enter(mia, "own", make("Johanna", "joanna-b"))
    make("Anna", "annabel")
    assert find_usernames_for(player=mia, known="aNNa") == ["Anna", "Johanna", "joanna-b", "annabel"]


def test_own_players_whose_accounts_are_closed_are_not_found(mia):
    players = make("johanna", "susanne")
    enter(mia, "own", players)
    Player.objects.filter(pk=players[0].pk).update(is_active=False)
    assert find_usernames_for(player=mia, known="ann") == ["susanne"]


def test_at_most_ten_are_found_of_the_latest_competitions_in_four_queries(mia):
    enter(mia, "oldest", make("first-of-all"))
    for number in range(MAX_OWN_COMPETITIONS):
        enter(mia, f"cup-{number}", make(f"one-of-all-{number:02}"))
    assert find_usernames_for(player=mia, known="of-all") == [f"one-of-all-{number:02}" for number in range(10)]
    assert find_usernames_for(player=mia, known="st-of") == ["first-of-all"]
    assert len(queries_of(lambda: find_usernames_for(player=mia, known="of-all"))) == 4


@pytest.mark.parametrize("known", ["", "a", "%", "a_%", "ann\0"])
def test_nothing_is_looked_up_that_no_username_has(mia, known):
    enter(mia, "own", make("johanna", "a-b"))
    assert find_usernames_for(player=mia, known=known) == []


def test_guests_and_computers_look_up_nobody(mia, client_of):
    make("annabel")
    for about in ({"is_guest": True}, {"is_computer": True}):
        client = client_of(Player.objects.create(username=f"looks-{next(iter(about))}"[:20], **about))
        refused = client.get(URL, {"beginning": "an"})
        assert (refused.status_code, refused.json()["code"]) == (403, "lookup_refused")
    assert client_of(mia).get(URL, {"beginning": "AN"}).json() == ["annabel"]
