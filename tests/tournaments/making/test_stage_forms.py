"""Competitions of several stages in the admin: made from a recipe, changed, and refused in sentences."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from formats.advancement import AdvanceRule
from formats.grouping import GroupingOptions
from formats.registry import get_format
from formats.team_meetings import TEAM_ORDER
from tests.pages.html import text_of
from tests.tournaments.conftest import last_log
from tests.tournaments.making.test_admin import LADDER, filled
from tournaments.making.recipes import RECIPES, recipes_of
from tournaments.models import Competition, CompetitionStatus, Cup, Group, Round, Stage
from tournaments.rounds.services.stage_checks import MAX_STAGES

pytestmark = pytest.mark.once

ADD = "/admin/tournaments/cup/add/"
GROUPS = {
    "format": "round-robin",
    "grouping_size": "4",
    "advance_first": "2",
    "advance_best": "",
    "advance_above_percent": "",
    "advance_seeding": "crossed",
    "tiebreaks_0": "",
    "tiebreaks_1": "",
}


def stage(number: int, key: str = "knock-out", **fields: str) -> dict[str, str]:
    """Return what is sent for a later stage."""
    sent = {
        "format": key,
        "round_days": "",
        "at_round_end": "wait",
        "grouping_groups": "",
        "grouping_size": "",
        "advance_first": "",
        "advance_best": "",
        "advance_above_percent": "",
        "advance_seeding": "crossed",
        "knock-out-legs": "2",
        "knock-out-replays": "1",
        "double-elimination-legs": "2",
        "double-elimination-replays": "1",
        "double-elimination-reset": "on",
        "round-robin-cycles": "1",
    }
    return {f"stage-{number}-{name}": value for name, value in {**sent, **fields}.items()}


def groups_cup(**fields: str) -> dict[str, str]:
    return filled(**{**GROUPS, "slug": "autumn-cup", "organisers": "olga", **stage(2), **stage(3, ""), **fields})


@pytest.fixture
def client(client_of, olga) -> Client:
    return client_of(olga)


@pytest.fixture
def cup(client, olga) -> Cup:
    """Return groups with a knock-out after them, as the form makes them."""
    client.post(ADD, groups_cup(slug=""))
    return Cup.objects.get()


def change(client: Client, cup: Cup, **fields: str) -> Any:
    return client.post(f"/admin/tournaments/cup/{cup.pk}/change/", groups_cup(**fields))


def shown(client: Client, cup: Cup) -> str:
    return client.get(f"/admin/tournaments/cup/{cup.pk}/change/").content.decode()


def formats() -> list[tuple[int, str]]:
    return list(Stage.objects.order_by("number").values_list("number", "format"))


def begin(cup: Cup, number: int = 1) -> None:
    Cup.objects.filter(pk=cup.pk).update(status=CompetitionStatus.RUNNING)
    for each in Stage.objects.filter(number__range=(2, number)):
        Group.objects.create(stage=each)


# Starting from a recipe


@pytest.mark.parametrize(("path", "kind"), [("cup", "cup"), ("ladder", "ladder")])
def test_a_new_competition_starts_from_a_recipe_of_its_kind(client, path, kind):
    page = client.get(f"/admin/tournaments/{path}/add/").content.decode()
    names = [recipe.name for recipe in recipes_of(kind)]
    assert re.findall(r'href="\?recipe=([^"]+)"', page) == names
    assert f'href="?recipe={names[0]}" aria-current="page"' in page


def test_a_recipe_fills_in_all_stages_and_leaves_one_to_be_added(client):
    form = client.get(f"{ADD}?recipe=groups-then-knock-out").context["adminform"].form
    assert [form[name].value() for name in ("format", "stage-2-format", "stage-3-format")] == [
        "round-robin",
        "knock-out",
        None,
    ]
    assert (form["grouping"].value(), form["advance"].value()) == ({"size": 4}, {"first": 2, "seeding": "crossed"})
    assert "stage-4-format" not in form.fields


def test_a_recipe_of_another_kind_and_one_that_there_is_not_are_left(client):
    for name in ("points-ladder", "chess", ""):
        form = client.get(f"{ADD}?recipe={name}").context["adminform"].form
        assert form["format"].value() == "knock-out"


@pytest.mark.parametrize("name", [recipe.name for recipe in RECIPES.values() if recipe.kind == "cup"])
def test_the_values_that_a_recipe_fills_in_are_stored_as_they_are(client, name):
    form = client.get(f"{ADD}?recipe={name}").context["adminform"].form
    sent: dict[str, Any] = {}
    for field in form:
        value = field.value()
        parts = getattr(field.field.widget, "widgets_names", None)
        if parts is not None:
            values = field.field.widget.decompress(value)
            sent |= {f"{field.html_name}{part}": each for part, each in zip(parts, values, strict=True)}
        else:
            sent[field.html_name] = value
    sent |= {"name": "Cup", "game": "streetsoccer-board"}
    # A number that is 0 is sent, unlike what is empty or not ticked.
    client.post(ADD, {key: value for key, value in sent.items() if value is not None and value is not False})
    cup = Cup.objects.get()
    stages = list(cup.stages.all())
    assert cup.boards == RECIPES[name].boards
    assert [each.format for each in stages] == [each.format for each in RECIPES[name].stages]
    assert [each.tiebreaks for each in stages] == [
        list(each.tiebreaks or get_format(each.format).tiebreaks) for each in RECIPES[name].stages
    ]
    assert [each.grouping is None for each in stages] == [each.grouping is None for each in RECIPES[name].stages]


# Making and changing stages


def test_groups_and_a_knock_out_are_made(cup):
    first, second = cup.stages.all()
    assert (first.format, first.grouping_options) == ("round-robin", GroupingOptions(size=4))
    assert first.advance_rule == AdvanceRule(first=2)
    assert (second.format, second.options["legs"]) == ("knock-out", 2)
    assert (second.grouping, second.advance) == (None, None)


def test_a_later_stage_has_all_that_the_first_has(client):
    sent = stage(
        2,
        "round-robin",
        **{"round_days": "7", "at_round_end": "forfeit", "grouping_groups": "2", "round-robin-cycles": "2"},
        advance_above_percent="50",
        advance_seeding="draw",
        tiebreaks_0="wins",
    )
    client.post(ADD, groups_cup(**sent, **stage(3, "double-elimination", **{"double-elimination-reset": ""})))
    second, third = Stage.objects.filter(number__gt=1)
    assert (second.round_days, second.at_round_end, second.options) == (7, "forfeit", {"cycles": 2})
    assert (second.grouping_options, second.tiebreaks) == (GroupingOptions(groups=2), ["wins", "draw"])
    assert second.advance_rule == AdvanceRule(first=0, above_percent=50, seeding="draw")
    assert third.options["reset"] is False


def test_fields_that_were_not_changed_are_not_logged(client, cup):
    change(client, cup)
    assert not cup.log.filter(action="changed").exists()


def test_an_option_of_a_later_stage_is_changed_and_logged(client, cup):
    change(client, cup, **{"stage-2-knock-out-legs": "1", "stage-2-round_days": "5"})
    second = Stage.objects.get(number=2)
    assert (second.options["legs"], second.round_days) == (1, 5)
    assert last_log(cup)[1:3] == ("changed", "stage 2: legs, stage 2: days for each round")


def test_a_stage_is_added_behind_the_others(client, cup):
    assert "Add stage 3" in shown(client, cup)
    change(client, cup, **stage(2, "swiss", advance_first="4"), **stage(3, "knock-out"))
    assert formats() == [(1, "round-robin"), (2, "swiss"), (3, "knock-out")]
    assert last_log(cup)[1:3] == ("changed", "stages")
    assert "Stage 3: Knock-out" in shown(client, cup)


def test_a_stage_is_taken_away_and_the_next_moves_up(client, cup):
    change(client, cup, **stage(2, "swiss", advance_first="4"), **stage(3, "knock-out"))
    change(client, cup, **stage(2, ""), **stage(3, "knock-out"))
    assert formats() == [(1, "round-robin"), (2, "knock-out")]


def test_wrong_values_in_a_stage_that_is_not_chosen_are_ignored(client):
    wrong = {"grouping_size": "x", "round_days": "-1", "knock-out-legs": "99", "advance_first": "999"}
    client.post(ADD, groups_cup(**stage(3, "", **wrong), **{"stage-2-double-elimination-legs": "99"}))
    assert formats() == [(1, "round-robin"), (2, "knock-out")]


def test_no_more_stages_can_be_added_than_there_can_be(client):
    swiss = {"format": "swiss", "advance_first": "60"}
    later = {
        name: value
        for number in range(2, MAX_STAGES)
        for name, value in stage(number, "swiss", advance_first="60").items()
    }
    client.post(ADD, filled(**swiss, **later, **stage(MAX_STAGES)))
    cup = Cup.objects.get()
    assert cup.stages.count() == MAX_STAGES
    page = shown(client, cup)
    assert (f"Stage {MAX_STAGES}: Knock-out" in page, "Add stage" in page) == (True, False)


def test_fields_sent_for_a_stage_beyond_the_last_are_ignored(client):
    client.post(ADD, groups_cup(**stage(MAX_STAGES + 1)))
    assert formats() == [(1, "round-robin"), (2, "knock-out")]


# Refusals


@pytest.mark.parametrize(
    ("fields", "name", "fault"),
    [
        ({"advance_first": ""}, "advance", "Choose who goes on to stage 2."),
        ({"stage-2-advance_first": "2"}, "stage-2-advance", "Nobody goes on from the last stage."),
        (
            {"grouping_groups": "3"},
            "grouping",
            "Enter the number of groups, the group size, or the group size for leagues. Enter only one of them.",
        ),
        ({"grouping_size": "1"}, "grouping", "Players in a group: at least 2."),
        ({"grouping_size": "9999"}, "grouping", "Players in a group: at most 1024."),
        ({"grouping_size": "four"}, "grouping", "Enter a whole number."),
        (
            {"advance_above_percent": "50"},
            "advance",
            "Enter either how many go on, or the percentage of the points, not both.",
        ),
        ({"advance_first": "65"}, "advance", "Go on from each group: at most 64."),
        (
            {"advance_first": "", "advance_above_percent": "100"},
            "advance",
            "Or everybody with more than this percentage of the possible points: at most 99.",
        ),
        ({"advance_first": "", "advance_best": "2"}, "advance", "Go on from each group: at least 1."),
        ({"stage-2-grouping_groups": "2"}, "stage-2-grouping", "Knock-out: there is one group"),
        ({"stage-2-format": "chess"}, "stage-2-format", "Select a valid choice."),
        ({"stage-2-knock-out-legs": "3"}, "stage-2-knock-out-legs", "less than or equal to 2"),
        ({"stage-2-knock-out-legs": ""}, "stage-2-knock-out-legs", "This field is required."),
        ({"stage-2-round_days": "4000"}, "stage-2-round_days", "less than or equal to 3650"),
        (
            {"max_entrants": "4", "stage-2-format": "double-elimination"},
            "advance",
            "At most 2 go on to stage 2: Double elimination needs at least 3 players.",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused_beside_the_field(client, fields, name, fault):
    answer = client.post(ADD, groups_cup(**fields))
    errors = answer.context["adminform"].form.errors
    assert (list(errors), fault in str(errors[name])) == ([name], True)
    assert fault in text_of(answer)
    assert not Competition.objects.exists()


def test_the_fault_of_a_stage_that_moves_up_stands_where_it_was_typed(client):
    sent = {**stage(2, ""), **stage(3, "round-robin", grouping_groups="2")}
    errors = client.post(ADD, groups_cup(**sent)).context["adminform"].form.errors
    assert list(errors) == ["stage-3-grouping"]


def test_values_that_were_typed_stay_when_the_form_is_refused(client):
    page = client.post(ADD, groups_cup(grouping_groups="3", **{"stage-2-round_days": "9"})).content.decode()
    assert 'name="grouping_groups" value="3"' in page
    assert 'name="stage-2-round_days" value="9"' in page


# What has become fixed


def test_while_the_first_stage_runs_the_days_of_the_next_can_be_changed_and_the_rest_be_read(client, cup):
    begin(cup)
    page = client.get(f"/admin/tournaments/cup/{cup.pk}/change/")
    fields = set(page.context["adminform"].form.fields)
    assert fields & {"grouping", "advance", "stage-2-format", "stage-2-knock-out-legs", "stage-2-advance"} == set()
    assert {"at_round_end", "stage-2-round_days", "stage-2-at_round_end"} <= fields
    text = text_of(page)
    assert "Groups: groups of 4" in text
    assert "Who goes on: The first two of each group go on to the next stage, seeded crossed: A1–B2, B1–A2." in text
    assert "Who goes on: Nobody: it is the last stage." in text
    assert ("Stage 2: Knock-out" in text, "Add stage" in text, "Double elimination" in text) == (True, False, False)
    change(client, cup, **{"stage-2-round_days": "3", "stage-2-knock-out-legs": "1", "stage-3-format": "swiss"})
    second = Stage.objects.get(number=2)
    assert (second.round_days, second.options["legs"], Stage.objects.count()) == (3, 2, 2)


def test_a_stage_that_has_begun_keeps_its_days(client, cup):
    begin(cup, 2)
    change(client, cup, **{"stage-2-round_days": "3", "stage-2-at_round_end": "forfeit", "at_round_end": "forfeit"})
    first, second = Stage.objects.order_by("number")
    assert (first.at_round_end, second.at_round_end, second.round_days) == ("wait", "forfeit", None)


def test_the_draw_fixes_the_groups_of_the_first_stage_only(client, cup):
    Round.objects.create(group=Group.objects.get(), number=1)
    change(client, cup, grouping_size="5", advance_first="1", **{"stage-2-knock-out-legs": "1"})
    first, second = Stage.objects.order_by("number")
    assert (first.grouping_options, first.advance_rule) == (GroupingOptions(size=4), AdvanceRule(first=1))
    assert second.options["legs"] == 1


def test_a_ladder_has_no_fields_for_stages(client):
    form = client.get("/admin/tournaments/ladder/add/").context["adminform"].form
    assert [name for name in form.fields if name.startswith(("stage-", "grouping", "advance"))] == []
    client.post("/admin/tournaments/ladder/add/", filled(**LADDER, **stage(2)))
    assert Stage.objects.count() == 1


# Teams


def league(**fields: str) -> dict[str, str]:
    """Return what the form sends for a league of teams, which have no order of their own."""
    return filled(
        **{
            "format": "round-robin",
            "round_days": "7",
            "boards": "4",
            "slug": "autumn-cup",
            "organisers": "olga",
            "tiebreaks_0": "",
            "tiebreaks_1": "",
            **fields,
        }
    )


def test_a_league_of_teams_has_the_order_of_teams_where_none_is_chosen(client):
    client.post(ADD, league(slug=""))
    cup = Cup.objects.get()
    assert (cup.boards, cup.first_stage.tiebreaks) == (4, list(TEAM_ORDER))


def test_a_form_that_is_sent_as_it_is_shown_keeps_the_order_of_teams(client):
    client.post(ADD, league(slug=""))
    cup = Cup.objects.get()
    url = f"/admin/tournaments/cup/{cup.pk}/change/"
    selects = re.findall(r'<select name="(tiebreaks_\d+)"(.*?)</select>', shown(client, cup), re.DOTALL)
    found = {name: re.findall(r'value="([^"]+)" selected', options) for name, options in selects}
    chosen = {name: values[0] for name, values in found.items() if values}
    assert [*chosen.values()] == list(TEAM_ORDER)
    client.post(url, league(**chosen, boards="3"))
    cup.refresh_from_db()
    assert (cup.boards, cup.first_stage.tiebreaks, last_log(cup)[1:3]) == (
        3,
        list(TEAM_ORDER),
        ("changed", "boards of a team"),
    )


def test_single_players_never_become_teams_in_the_admin_and_teams_never_single_players(client):
    client.post(ADD, league(slug=""))
    cup = Cup.objects.get()
    answer = client.post(f"/admin/tournaments/cup/{cup.pk}/change/", league(boards=""))
    assert answer.context["adminform"].form.errors == {"boards": ["This field is required."]}
    Cup.objects.all().delete()
    client.post(ADD, groups_cup(slug=""))
    cup = Cup.objects.get()
    assert "boards" not in client.get(f"/admin/tournaments/cup/{cup.pk}/change/").context["adminform"].form.fields
    change(client, cup, boards="4")
    cup.refresh_from_db()
    assert cup.boards is None


@pytest.mark.parametrize(
    ("fields", "name", "fault"),
    [
        ({"min_rating": "0"}, "min_rating", "Teams have no rating: leave the limit empty."),
        ({"max_rating": "1700"}, "max_rating", "Teams have no rating: leave the limit empty."),
        ({"check_in_minutes": "10"}, "check_in_minutes", "Teams do not check in: their captains choose who plays."),
        ({"boards": "7"}, "boards", "Ensure this value is less than or equal to 6."),
        ({"round_days": ""}, "round_days", "Teams play round by round: choose the days for each round."),
    ],
)
def test_an_option_that_no_team_has_is_refused_beside_its_field(client, fields, name, fault):
    form = client.post(ADD, league(slug="", **fields)).context["adminform"].form
    assert form.errors == {name: [fault]}
    assert not Cup.objects.exists()


def test_the_form_of_a_league_asks_for_nothing_that_teams_have_not(client):
    client.post(ADD, league(slug=""))
    fields = {*client.get(f"/admin/tournaments/cup/{Cup.objects.get().pk}/change/").context["adminform"].form.fields}
    not_of_teams = {"min_rating", "max_rating", "check_in_minutes", "admits_computers"}
    assert fields & (not_of_teams | {"boards", "by_invitation"}) == {"boards", "by_invitation"}
