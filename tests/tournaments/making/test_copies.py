"""The same again: a draft with the options of another competition and, if wanted, those who are in it."""

from typing import Any

import pytest
from django.contrib.auth.hashers import check_password, make_password
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Player
from tests.tournaments.verbs import NOON, last_log, make_cup, make_players, open_cup, open_ladder, start, withdraw
from tournaments.making.services.competitions import OPTIONS, STAGE_OPTIONS
from tournaments.making.services.copies import OF_ITS_OWN, copy_competition, suggest_name
from tournaments.models import Competition, CompetitionStatus, Entry, EntryStatus, Seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(olga):
    stages: dict[str, Any] = {
        "format": "round-robin",
        "grouping": {"groups": 2, "size": None},
        "advance": {"first": 2, "best": 0, "seeding": "crossed"},
        "later": [{"format": "round-robin"}],
    }
    options = {"password": make_password("sesame"), "max_entrants": 8, "min_rating": 100, "starts_at": NOON}
    return make_cup(name="Spring 2026", round_days=9, legs=1, organiser=olga, **stages, **options)


def again(competition, actor, *, with_entrants=False, name="Again"):
    return copy_competition(competition=competition, name=name, with_entrants=with_entrants, actor=actor, now=NOON)


def test_a_copy_is_a_draft_with_the_same_options_stages_and_password(cup, olga):
    copy = Competition.objects.get(pk=again(cup, olga).pk)
    assert {name: getattr(copy, name) for name in OPTIONS - OF_ITS_OWN} == {
        name: getattr(cup, name) for name in OPTIONS - OF_ITS_OWN
    }
    assert (copy.name, copy.slug, copy.status, copy.starts_at) == ("Again", "again", CompetitionStatus.DRAFT, None)
    assert check_password("sesame", copy.password)
    assert list(copy.organisers.all()) == [olga]
    for old, new in zip(cup.stages.all(), copy.stages.all(), strict=True):
        assert all(getattr(old, name) == getattr(new, name) for name in (*STAGE_OPTIONS, "options"))
    assert not copy.entries.exists()
    assert last_log(copy) == ("olga", "copied", "Spring 2026", "")


def test_a_draw_is_not_copied_and_who_has_left_does_not_come_along(olga):
    cup, entries = open_cup(5, organiser=olga)
    start(cup)
    withdraw(entries[1], by=olga)
    Player.objects.filter(pk=entries[2].player_id).update(is_active=False)
    copy = again(cup, olga, with_entrants=True)
    seats = Seat.objects.filter(stage__competition=copy).order_by("entry")
    assert list(seats.values_list("entry__player__username", "entry__status", "seed", "group__number")) == [
        (f"player-{number}", EntryStatus.ACTIVE, None, 1) for number in (1, 4, 5)
    ]
    assert copy.first_stage.draw_seed is None
    assert last_log(copy) == ("olga", "imported", "3", "")


def test_a_challenge_ladder_keeps_the_order_of_its_positions(olga):
    ladder, _entries = open_ladder(3, format="challenge-ladder", organiser=olga)
    for position, name in enumerate(("player-2", "player-3", "player-1"), start=1):
        Seat.objects.filter(entry__player__username=name).update(position=position)
    copy = again(ladder, olga, with_entrants=True)
    order = Seat.objects.filter(stage__competition=copy).order_by("position")
    assert list(order.values_list("entry__player__username", "position")) == [
        ("player-2", 1),
        ("player-3", 2),
        ("player-1", 3),
    ]


def test_more_players_need_no_more_queries(olga):
    def copy_of(size, slug):
        cup = make_cup(slug=slug, name=slug, organiser=olga)
        players = make_players(size, prefix=slug)
        Entry.objects.bulk_create(Entry(competition=cup, player=each, draw=1, entered_at=NOON) for each in players)
        group = cup.first_stage.groups.get()
        Seat.objects.bulk_create(Seat(stage=cup.first_stage, group=group, entry=entry) for entry in cup.entries.all())
        return cup

    counts = []
    for size, slug in ((3, "few"), (40, "many")):
        cup = copy_of(size, slug)
        with CaptureQueriesContext(connection) as queries:
            again(cup, olga, with_entrants=True, name=f"{slug} again")
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("Spring", "Spring 2"),
        ("Spring 2026", "Spring 2027"),
        ("Cup 9", "Cup 10"),
        ("x" * 80, "x" * 79 + "2"),
        ("9" * 80, "9" * 70 + "1000000000"),
        ("Cup ²", "Cup ² 2"),
    ],
)
def test_the_next_one_has_the_next_number(name, suggested):
    assert suggest_name(name) == suggested


def test_the_page_asks_for_a_name_and_leads_to_the_draft(cup, olga, client_of):
    client = client_of(olga)
    assert 'href="/cups/cup/organise/copy/"' in client.get("/cups/cup/organise/").content.decode()
    page = client.get("/cups/cup/organise/copy/")
    assert page.context["form"]["name"].value() == "Spring 2027"
    assert client.post("/cups/cup/organise/copy/", {"name": "Autumn"}).url == "/cups/autumn/organise/"
    assert Competition.objects.filter(slug="autumn", status=CompetitionStatus.DRAFT).exists()
    assert client.post("/cups/cup/organise/copy/", {"name": ""}).status_code == 400


def test_an_organiser_who_may_not_make_a_copy_reads_why(mia, client_of, settings):
    make_cup(organiser=mia)
    settings.MAX_COMPETITIONS_A_DAY = 0
    client = client_of(mia)
    assert (
        "You can create at most 0 competitions in 24 hours." in client.get("/cups/cup/organise/copy/").content.decode()
    )
    assert client.post("/cups/cup/organise/copy/", {"name": "Autumn"}).status_code == 400
    assert Competition.objects.count() == 1


def test_the_api_answers_with_the_draft(cup, olga, client_of):
    body = {"name": "Autumn", "with_entrants": True}
    answer = client_of(olga).post("/api/v1/competitions/cup/copy/", body, content_type="application/json")
    assert answer.status_code == 201
    assert (answer.json()["slug"], answer.json()["status"], len(answer.json()["stages"])) == ("autumn", "draft", 2)
