"""Cups of several groups and stages over the API, and as exports."""

import csv
import io
import json

import pytest

from formats.options import write_options
from formats.registry import FORMATS
from tests.tournaments.pages.parts import begin_groups, begin_knock_out, decide_ties, make_stages, play_rounds
from tests.tournaments.pages.test_queries import cost
from tests.tournaments.verbs import ROUND_ROBIN, start_cup
from tests.web.answers.description import complaints, read_description
from tournaments.models import Bye, Fixture, Group, Round, Seat, Standing
from tournaments.pages.selectors.exports import Export, ExportFormat, export_competition
from tournaments.records.competitions import get_cup

pytestmark = pytest.mark.django_db

CUP = "/api/v1/competitions/cup/"


@pytest.fixture
def groups(db):
    """Make a cup of which two groups of four have played two rounds."""
    cup = make_stages(8, grouping={"groups": 2, "size": None}, round_days=7)
    begun = begin_groups(cup)
    play_rounds(cup, 2)
    return begun


@pytest.fixture
def knock_out(groups):
    """Let two of each group go on, and decide the semi-finals."""
    cup = groups[0].stage.competition
    play_rounds(cup, 6)
    bracket = begin_knock_out(cup)
    decide_ties(cup)
    return bracket


def names_of(group):
    return set(Seat.objects.filter(group=group).values_list("entry__player__username", flat=True))


def test_a_competition_tells_its_stages(api, groups):
    first, second = api().get(CUP).json()["stages"]
    assert (first["number"], first["name"], first["format"]) == (1, "Group stage", "round-robin")
    of_leagues = {"league_size": None, "last_promoted": None, "last_to_stay": None}
    assert first["grouping"] == {"groups": 2, "size": None, "whenever": None, **of_leagues}
    assert first["advance"] == {
        "first": 2,
        "best": 0,
        "above_percent": None,
        "seeding": "crossed",
        "levels": None,
        "begins": "at-once",
        "play_offs": None,
    }
    assert first["groups"] == [
        {
            "number": number,
            "letter": letter,
            "league": None,
            "entrants": 4,
            "started_at": "2026-11-01T12:00:00Z",
            "ended_at": None,
        }
        for number, letter in ((1, "A"), (2, "B"))
    ]
    assert (second["name"], second["grouping"], second["advance"], second["groups"]) == ("Knock-out", None, None, [])


def test_tables_are_read_group_by_group(api, groups):
    path = f"{CUP}standings/"
    for query, group in {"": 0, "?group=2": 1, "?stage=1&group=2": 1, "?stage=1": 0}.items():
        rows = api().get(path + query).json()["results"]
        assert {row["player"]["username"] for row in rows} == names_of(groups[group]), query
        assert [row["place"] for row in rows] == [1, 2, 3, 4]


def test_without_a_stage_the_latest_that_has_begun_is_meant(api, knock_out):
    assert {row["player"]["username"] for row in api().get(f"{CUP}standings/").json()["results"]} == names_of(knock_out)
    rounds = api().get(f"{CUP}bracket/").json()["results"]
    assert [each["name"] for each in rounds] == ["Semi-finals", "Final"]
    assert rounds == api().get(f"{CUP}bracket/?stage=2&group=1").json()["results"]
    assert rounds[0]["ties"][0]["first"]["seed"] == 1
    assert [each["number"] for each in api().get(f"{CUP}rounds/").json()] == [1, 2]
    assert [each["number"] for each in api().get(CUP).json()["rounds"]] == [1, 2]


def test_rounds_are_read_group_by_group(api, groups):
    bye = Seat.objects.filter(group=groups[1]).select_related("entry__player")[0]
    Bye.objects.create(round=Round.objects.get(group=groups[1], number=3), seat=bye)
    rounds = api().get(f"{CUP}rounds/?group=2").json()
    assert [each["number"] for each in rounds] == list(range(1, 7))
    assert [each["byes"] for each in rounds if each["byes"]] == [[bye.entry.player.username]]
    assert [each["ended_at"] is None for each in rounds] == [False, False, *[True] * 4]
    assert not any(each["byes"] for each in api().get(f"{CUP}rounds/").json())


def test_matches_name_their_stage_and_group_and_are_found_by_them(api, knock_out):
    path = f"{CUP}fixtures/"

    def parts(query):
        return [(each["stage"], each["group"], each["round"]) for each in api().get(path + query).json()["results"]]

    assert len(parts("")) == 2 * 12 + 3
    assert parts("?stage=2") == [(2, 1, 2), *[(2, 1, 1)] * 2]
    assert set(parts("?stage=1&group=2&round=3")) == {(1, 2, 3)}
    assert len(parts("?stage=1&group=2&round=3")) == 2
    assert {(stage, group) for stage, group, _round in parts("?group=1")} == {(1, 1), (2, 1)}


def test_changes_of_places_name_the_table(api):
    start_cup(2, **ROUND_ROBIN)
    assert api().get(f"{CUP}places/").json()["results"] == []


@pytest.mark.parametrize("part", ["standings/", "bracket/", "rounds/", "fixtures/"])
@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("stage=3", 404, "This competition has no stage 3."),
        ("stage=1&group=3", 404, "Stage 1 of this competition has no group 3."),
        ("stage=x", 400, "stage"),
        ("group=0", 400, "group"),
        ("group=99999999999", 400, "group"),
        ("groups=1", 400, "groups"),
    ],
)
def test_missing_stages_and_groups_and_bad_queries_are_refused(api, groups, part, query, status, said):
    response = api().get(f"{CUP}{part}?{query}")
    assert response.status_code == status
    if status == 404:
        assert (response.json()["code"], response.json()["detail"]) == ("not_found", said)
    else:
        assert list(response.json()["errors"]) == [said]


def test_a_group_that_is_played_without_a_bracket_has_none(api, groups):
    response = api().get(f"{CUP}bracket/?stage=1")
    assert (response.status_code, response.json()["detail"]) == (404, "Stage 1 of this competition has no bracket.")


def test_a_stage_that_has_not_begun_has_no_groups(api, groups):
    response = api().get(f"{CUP}standings/?stage=2")
    assert (response.status_code, response.json()["detail"]) == (404, "Stage 2 of this competition has no group 1.")
    assert api().get(f"{CUP}fixtures/?stage=2").json()["results"] == []


@pytest.mark.parametrize("size", [(8, 2), (96, 24)])
def test_the_parts_of_a_competition_cost_few_queries_however_many_they_are(visitor, size):
    players, count = size
    cup = make_stages(players, grouping={"groups": count, "size": None})
    begin_groups(cup)
    play_rounds(cup, 6)
    begin_knock_out(cup)
    for part, most in {"": 11, "standings/?stage=1": 6, "bracket/": 7, "rounds/": 5, "fixtures/?stage=1": 4}.items():
        assert cost(visitor, CUP + part) <= most, part


def test_a_round_of_another_group_is_ended_and_dated(api, carla, groups):
    cup = groups[0].stage.competition
    cup.organisers.add(carla)
    dated = api(carla).put(f"{CUP}rounds/3/date/?stage=1&group=2", {"ends_at": None}, format="json")
    assert (dated.status_code, dated.json()["ends_at"]) == (200, None)
    assert [Round.objects.get(group=group, number=3).ends_at is None for group in Group.objects.order_by("number")] == [
        False,
        True,
    ]
    unknown = api(carla).put(f"{CUP}rounds/3/date/?stage=1&group=3", {"ends_at": None}, format="json")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")


def test_organisers_find_the_rounds_of_every_group(client_of, carla, groups):
    cup = groups[0].stage.competition
    cup.organisers.add(carla)
    page = client_of(carla).get("/cups/cup/organise/?stage=1&group=2").content.decode()
    assert "/cups/cup/organise/stages/1/groups/2/rounds/3/end/" in page
    assert "?stage=1&amp;group=1#rounds" in page
    asked = client_of(carla).get("/cups/cup/organise/stages/1/groups/2/rounds/3/end/")
    assert "Group stage, Group B: Round 3" in asked.content.decode()
    assert "/cups/cup/organise/?stage=1&amp;group=2#rounds" in asked.content.decode()
    assert client_of(carla).get("/cups/cup/organise/stages/1/groups/5/rounds/3/end/").status_code == 404
    assert client_of(carla).get("/cups/cup/organise/?stage=9").status_code == 200


def test_organisers_read_of_a_match_in_which_group_it_is(client_of, carla, groups):
    groups[0].stage.competition.organisers.add(carla)
    page = client_of(carla).get("/cups/cup/organise/fixtures/?state=ended").content.decode()
    assert "Group stage, Group B" in page


def rows_of(what, **part):
    text = "".join(export_competition(competition=get_cup("cup"), what=what, form=ExportFormat.CSV, **part))
    return list(csv.DictReader(io.StringIO(text)))


def test_exports_name_stages_and_groups_where_there_are_several(knock_out):
    results = rows_of(Export.RESULTS)
    assert list(results[0])[:3] == ["stage", "group", "round"]
    assert {(row["stage"], row["group"]) for row in results} == {("1", "1"), ("1", "2"), ("2", "1")}
    standings = rows_of(Export.STANDINGS)
    assert [(row["stage"], row["group"], row["place"]) for row in standings][:5] == [
        *(("1", "1", str(place)) for place in range(1, 5)),
        ("1", "2", "1"),
    ]
    entries = rows_of(Export.ENTRIES)
    assert len(entries) == 8
    assert sorted((row["stage"], row["seed"]) for row in entries if row["stage"] == "2") == [
        ("2", str(seed)) for seed in range(1, 5)
    ]


@pytest.mark.parametrize(("what", "rows"), [(Export.ENTRIES, 4), (Export.RESULTS, 12), (Export.STANDINGS, 4)])
def test_one_group_is_exported_alone(knock_out, what, rows):
    found = rows_of(what, stage=1, group=2)
    assert len(found) == rows
    assert {(row["stage"], row["group"]) for row in found} == {("1", "2")}


def test_exports_of_a_cup_with_one_group_are_as_ever(db):
    start_cup(3, **ROUND_ROBIN)
    assert list(rows_of(Export.ENTRIES)[0]) == [
        "username",
        "status",
        "seed",
        "position",
        "entered_at",
        "left_at",
        "disqualified_at",
    ]


def test_a_part_is_exported_over_the_api_and_by_the_page(api, client_of, carla, knock_out):
    rows = json.loads(b"".join(api(carla).get(f"{CUP}export/standings.json?stage=1&group=2").streaming_content))
    assert [row["group"] for row in rows] == [2] * 4
    assert api(carla).get(f"{CUP}export/standings.json?stage=3").status_code == 404
    page = client_of(carla).get("/cups/cup/export/results.csv?stage=2")
    assert len(b"".join(page.streaming_content).decode().strip().splitlines()) == 1 + 2


def test_the_page_of_a_match_names_its_group(visitor, groups):
    cup = groups[0].stage.competition
    play_rounds(cup, 2, matches=True)
    fixture = Fixture.objects.filter(group=groups[1], match__isnull=False)[0]
    assert "Group stage, Group B" in visitor.get(f"/matches/{fixture.match_id}/").content.decode()
    assert Standing.objects.exists()


@pytest.mark.parametrize("key", FORMATS)
def test_the_options_of_every_format_are_described_as_one_of_the_components(key):
    options = write_options(FORMATS[key].options())
    named = {"$ref": f"#/components/schemas/{FORMATS[key].options.__name__}"}
    assert complaints(named, options) == []
    member = read_description()["components"]["schemas"]["Stage"]["properties"]["options"]
    assert complaints({"oneOf": member["oneOf"]}, options) == []
    first = next(iter(options))
    assert complaints({"oneOf": member["oneOf"]}, {name: options[name] for name in options if name != first}) != []
