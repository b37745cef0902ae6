"""A competition that staff hide exists for its organisers and superusers alone, until it is shown again."""

from functools import partial

import pytest
from django.test import Client

from tests.pages.html import text_of
from tests.tournaments.verbs import NOON, ROUND_ROBIN, cancel, last_log, make_cup, make_players, open_ladder, start_cup
from tournaments.decisions.services.undo.ends import take_back_end
from tournaments.models import Competition, CompetitionStatus

pytestmark = pytest.mark.django_db


def hide(client, competition, action="hide"):
    body = {"action": action, "_selected_action": [competition.pk]}
    return client.post(f"/admin/tournaments/{competition.kind}/", body)


def statuses(client, cup):
    return {client.get(path).status_code for path in (f"/cups/{cup.slug}/", f"/api/v1/competitions/{cup.slug}/")}


def test_a_superuser_hides_a_competition_from_all_but_its_organisers(client_of, boss, olga):
    cup, entries = start_cup(4, organiser=olga)
    assert hide(client_of(boss), cup).status_code == 302
    entrant = client_of(entries[0].player)
    for client in (Client(), entrant):
        assert statuses(client, cup) == {404}
        assert ">Cup<" not in client.get("/cups/").content.decode()
        assert client.get("/api/v1/competitions/").json()["results"] == []
        assert client.get("/api/v1/players/player-1/competitions/").json()["results"] == []
        # Nor does a match that belongs to it name it.
        match = cup.fixtures.first().match_id
        assert "/cups/cup/" not in client.get(f"/matches/{match}/").content.decode()
    for client in (client_of(olga), client_of(boss)):
        assert statuses(client, cup) == {200}
    assert last_log(cup) == ("boss", "hidden", "", "")


def test_an_entrant_is_told_of_no_match_to_come_of_what_is_hidden(client_of):
    cup, entries = start_cup(4, **ROUND_ROBIN, round_days=7)
    client = client_of(entries[0].player)
    named = "/cups/cup/"
    assert named in client.get("/").content.decode()
    Competition.objects.filter(pk=cup.pk).update(hidden_at=NOON)
    assert named not in client.get("/").content.decode()


@pytest.mark.parametrize("path", ["/cups/cup/leave/", "/api/v1/competitions/cup/leave/"])
def test_an_entrant_leaves_what_is_hidden(path, client_of):
    cup, entries = start_cup(4)
    Competition.objects.filter(pk=cup.pk).update(hidden_at=NOON)
    (stranger,) = make_players(1, "stranger")
    body = {"content_type": "application/json"} if path.startswith("/api/") else {}
    assert client_of(stranger).post(path, **body).status_code == 404
    answer = client_of(entries[0].player).post(path, **body)
    assert (answer.status_code, answer.headers.get("Location")) in {(302, "/cups/"), (200, None)}
    entries[0].refresh_from_db()
    assert not entries[0].is_in


def test_its_organisers_see_that_it_is_hidden(client_of, olga):
    cup = make_cup(organiser=olga)
    pages = ("/cups/cup/", "/cups/cup/organise/", "/organise/")

    def told():
        return [" hidden" in text_of(client_of(olga).get(page)) for page in pages]

    assert told() == [False] * 3
    Competition.objects.filter(pk=cup.pk).update(hidden_at=NOON)
    assert told() == [True] * 3


def test_an_organiser_can_enter_a_hidden_competition_over_the_api_as_on_its_page(client_of, olga):
    cup = make_cup(hidden_at=NOON)
    enter = partial(client_of(olga).post, "/api/v1/competitions/cup/enter/", content_type="application/json")
    assert enter().status_code == 404
    cup.organisers.add(olga)
    assert enter().status_code == 201


def test_pages_and_the_api_show_a_hidden_competition_to_its_organisers_alone(client_of, olga):
    cup, entries = start_cup(4, organiser=olga)
    images = ("embed/", "preview.png")
    pages = [f"/cups/cup/{page}" for page in ("calendar.ics", "feed/", "log/", "export/entries.csv", *images)]
    answers = ("standings/", "bracket/", "rounds/", "fixtures/", "places/", "log/", "export/results.json")
    paths = [*pages, *(f"/api/v1/competitions/cup/{answer}" for answer in answers)]
    entrant, organiser = client_of(entries[0].player), client_of(olga)

    def read(client):
        return {path: client.get(path).status_code for path in paths}

    assert read(Client()) == dict.fromkeys(paths, 200)
    Competition.objects.filter(pk=cup.pk).update(hidden_at=NOON)
    assert read(Client()) == read(entrant) == dict.fromkeys(paths, 404)
    assert read(organiser) == dict.fromkeys(paths, 200) | {f"/cups/cup/{image}": 404 for image in images}


def test_it_is_shown_again(client_of, boss):
    ladder, _entries = open_ladder(1)
    client = client_of(boss)
    hide(client, ladder)
    assert Client().get("/ladders/ladder/").status_code == 404
    hide(client, ladder, "show")
    assert Client().get("/ladders/ladder/").status_code == 200
    assert last_log(ladder) == ("boss", "shown", "", "")


def test_staff_who_are_no_superusers_hide_nothing(client_of, olga):
    cup = make_cup(organiser=olga)
    hide(client_of(olga), cup)
    assert Client().get("/cups/cup/").status_code == 200


def test_a_draft_that_was_cancelled_is_seen_again_when_the_end_is_taken_back_and_it_is_opened(client_of, olga):
    cup = make_cup(organiser=olga)
    # As it was before it was opened.
    cup.log.all().delete()
    Competition.objects.filter(pk=cup.pk).update(status=CompetitionStatus.DRAFT)
    cancel(cup, by=olga)
    assert Client().get("/cups/cup/").status_code == 404
    take_back_end(competition_id=cup.pk, actor=olga, reason="It was a slip.", now=NOON)
    client_of(olga).post("/cups/cup/organise/open/")
    assert Client().get("/cups/cup/").status_code == 200


def test_a_cup_that_was_open_and_is_cancelled_is_still_shown():
    cup = make_cup()
    cancel(cup)
    assert Client().get("/cups/cup/").status_code == 200
