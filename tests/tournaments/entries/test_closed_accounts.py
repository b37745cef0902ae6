"""Competitions give a closed account no new match, and organisers find its entry by name."""

import pytest
from django.test import Client

from players.errors import AccountClosed
from players.models import Player
from tests.tournaments import verbs
from tournaments.running.errors import EntrantClosed

pytestmark = pytest.mark.django_db


def close(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(is_active=False)
    player.refresh_from_db()


@pytest.mark.parametrize(
    ("make", "size", "options", "games"),
    [
        (verbs.open_ladder, 3, {"games_each": 1}, 1),
        (verbs.open_ladder, 2, {"format": "challenge-ladder"}, 0),
        (verbs.open_cup, 4, {"legs": 1}, 1),
    ],
)
def test_no_match_begins_with_a_closed_account(make, size, options, games):
    competition, entries = make(size, **options)
    close(entries[0].player)
    verbs.start(competition)
    if make is verbs.open_ladder:
        verbs.pair(competition)
    begun = verbs.running(competition)
    assert len(begun) == games
    assert entries[0] not in {entry for game in begun for entry in (game.yellow, game.red)}


def test_a_closed_account_is_not_challenged():
    _ladder, (above, below) = verbs.start_ladder(2, format="challenge-ladder")
    close(above.player)
    with pytest.raises(AccountClosed):
        verbs.let_challenge(below, above)


def test_nobody_enters_or_replaces_with_a_closed_account(boss):
    cup, (entry, _other) = verbs.open_cup(2)
    (closed,) = verbs.make_players(1, "closed")
    close(closed)
    with pytest.raises(EntrantClosed):
        verbs.admit(cup, closed)
    with pytest.raises(EntrantClosed):
        verbs.replace(entry, closed, by=boss)


def test_an_organiser_finds_the_entry_and_the_matches_of_a_closed_account_by_name(boss, client_of):
    _cup, entries = verbs.start_cup(2)
    close(entries[0].player)
    client, name = client_of(boss), str(entries[0])
    shown = client.get("/cups/cup/organise/entries/", {"player": name.upper()}).context["page"].object_list
    assert [str(entry) for entry in shown] == [name]
    assert len(client.get("/cups/cup/organise/fixtures/", {"player": name}).context["page"].object_list) == 2
    assert len(client.get("/api/v1/competitions/cup/fixtures/", {"player": name}).json()["results"]) == 2


def test_an_organiser_finds_players_by_a_part_of_their_names(boss, client_of):
    cup = verbs.make_cup()
    names = ("anna-lena", "Johanna", "piotr", "carla")
    verbs.enter_all(cup, [Player.objects.create(username=name, is_active=name != "Johanna") for name in names])
    verbs.start(cup)
    verbs.enter_all(verbs.make_cup(slug="other"), [Player.objects.create(username="hannah")])
    client = client_of(boss)

    def found(path: str, part: str) -> list[str]:
        return sorted(map(str, client.get(f"/cups/cup/organise/{path}/?player={part}").context["page"].object_list))

    assert found("entries", "ANNA") == ["Johanna", "anna-lena"]
    assert found("entries", "anna-") == ["anna-lena"]
    assert found("entries", "%") == []
    both = {each for name in ("Johanna", "anna-lena") for each in found("fixtures", name)}
    assert set(found("fixtures", "anna")) == both
    assert all("anna" in each for each in both)


def test_a_closed_account_keeps_a_page_with_its_results_and_cannot_be_invited(client: Client):
    player = verbs.make_players(1)[0]
    close(player)
    page = client.get("/players/player-1/").content.decode()
    assert "This account is closed" in page
    assert "?invite=" not in page
    assert client.get("/api/v1/players/player-1/").json()["is_closed"] is True
