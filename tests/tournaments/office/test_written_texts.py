"""Names and texts are checked alike at every door, and those that were stored before go on working."""

import pytest

from tests.tournaments.making.staff_form import ADD_CUP, change_url, faults_at, fill_in
from tests.tournaments.verbs import NOON, last_log, make_players, start_cup
from tournaments.making.services.copies import copy_competition
from tournaments.making.services.series import edit_series, make_series
from tournaments.models import Competition, Cup, LogEntry, Note, Series, Team
from tournaments.teams.services.teams import change_team, found_team

pytestmark = pytest.mark.django_db

CUP = "/api/v1/competitions/cup/"
NEW = {"recipe": "knock-out", "name": "Spring", "game": "streetsoccer-board"}
SHIRT = {"pattern": "plain", "first_colour": "red", "second_colour": "red"}
NAME, TEXT = "Cu\u200bp", "Tea\u202e at five"
UNSEEN_IN_NAME = "Character 3 of the name cannot be used: U+200B ZERO WIDTH SPACE. Type the name again without it."
UNSEEN_IN_TEXT = "Line 1 has a character that cannot be used: U+202E RIGHT-TO-LEFT OVERRIDE. Type the line again."


@pytest.fixture
def cup(olga):
    cup, _entries = start_cup(4, organiser=olga)
    return cup


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("post", "/api/v1/competitions/", NEW | {"name": NAME}, "name"),
        ("post", "/api/v1/competitions/", NEW | {"description": TEXT}, "description"),
        ("patch", CUP, {"name": NAME}, "name"),
        ("patch", CUP, {"description": TEXT}, "description"),
        ("patch", CUP, {"description": "fine", "reason": TEXT}, "reason"),
        ("post", f"{CUP}copy/", {"name": NAME}, "name"),
        ("post", "/api/v1/series/", {"competition": "cup", "rhythm": "weekly", "name": NAME}, "name"),
        ("post", "/api/v1/teams/", {"name": NAME}, "name"),
        ("post", f"{CUP}announcements/", {"text": TEXT}, "text"),
        ("post", f"{CUP}notes/", {"text": TEXT}, "text"),
        ("post", f"{CUP}pause/", {"reason": TEXT}, "reason"),
    ],
)
def test_the_api_names_the_member_at_fault_and_stores_nothing(api, cup, olga, method, path, body, field):
    before = [model.objects.count() for model in (Competition, Series, Team, Note, LogEntry)]
    refused = getattr(api(olga), method)(path, body, format="json")
    sentence = UNSEEN_IN_NAME if field == "name" else UNSEEN_IN_TEXT
    assert (refused.status_code, refused.json()["errors"]) == (400, {field: [sentence]})
    assert before == [model.objects.count() for model in (Competition, Series, Team, Note, LogEntry)]
    assert Competition.objects.get().description == ""


def test_pages_show_the_fault_beside_what_was_typed(client_of, cup, olga):
    client = client_of(olga)
    assert faults_at(client, ADD_CUP, name=NAME, description=TEXT) == {
        "name": [UNSEEN_IN_NAME],
        "description": [UNSEEN_IN_TEXT],
    }
    for path, field in (("announce", "text"), ("notes", "text"), ("pause", "reason")):
        shown = client.post(f"/cups/cup/organise/{path}/", {field: TEXT})
        assert shown.context["form"].errors == {field: [UNSEEN_IN_TEXT]}
        assert TEXT in shown.content.decode()


def test_a_name_gets_a_slug_in_latin_letters(client_of, olga):
    for name, slug in (("Łódź", "lodz"), ("Кубок Киева", "kubok-kieva"), ("ＦＣ Ｚürich", "fc-zurich")):
        fill_in(client_of(olga), ADD_CUP, name=name)
        assert Cup.objects.latest("pk").slug == slug
    assert Cup.objects.latest("pk").name == "FC Zürich"


def test_what_was_stored_before_it_was_checked_goes_on_working(client_of, cup, olga):
    Competition.objects.filter(pk=cup.pk).update(name=NAME, description=TEXT)
    cup.refresh_from_db()
    client = client_of(olga)
    assert client.get("/cups/cup/").status_code == 200
    fill_in(client, change_url(cup), description="Tea at six")
    cup.refresh_from_db()
    assert (cup.name, cup.description) == (NAME, "Tea at six")
    Competition.objects.filter(pk=cup.pk).update(description=TEXT)
    cup.refresh_from_db()
    copy = copy_competition(competition=cup, name="Another", with_entrants=False, actor=olga, now=NOON)
    assert (copy.name, copy.description) == ("Another", TEXT)
    series = make_series(competition=cup, options={"rhythm": "weekly"}, actor=olga, now=NOON)
    edited = edit_series(series_id=series.pk, options={"name": NAME, "announce_days": 2}, actor=olga, now=NOON)
    assert (edited.name, edited.announce_days) == (NAME, 2)


def test_a_team_keeps_a_name_that_no_other_could_get(client_of):
    anna, piotr = make_players(2)
    found_team(name="FC 10", captain=anna, now=NOON, **SHIRT)
    old = Team.objects.create(name="FC IO", folded_name="fc io", slug="fc-io", captain=piotr, created_at=NOON)
    shirt = SHIRT | {"first_colour": "navy"}
    assert change_team(team_id=old.pk, name="FC IO", actor=piotr, **shirt).first_colour == "navy"
    shown = client_of(piotr).post("/found-team/", {"name": "FC l0", **SHIRT})
    assert "Another team is called FC 10, which looks the same." in shown.content.decode()
    assert change_team(team_id=old.pk, name="Foxes", actor=piotr, **SHIRT).skeleton == "foxes"


def test_a_reason_is_stored_in_one_form(cup, olga, client_of):
    client_of(olga).post("/cups/cup/organise/announce/", {"text": "Tea\r\nat cafe\u0301 five"})
    assert last_log(cup) == ("olga", "announced", "", "Tea\nat café five")
