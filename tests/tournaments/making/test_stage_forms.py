"""Competitions of several stages in the admin: made from a recipe, changed, and refused in sentences."""

import re
from typing import Any

import pytest
from django.test import Client

from formats.advancement import AdvanceRule
from formats.grouping import GroupingOptions
from formats.registry import get_format
from formats.team_meetings import TEAM_ORDER
from tests.pages.html import as_shown, text_of
from tests.tournaments.making.staff_form import ADD_CUP, ADD_LADDER, change_url, faults_at, fill_in, form_at
from tests.tournaments.verbs import last_log
from tournaments.making.recipes import RECIPES, recipes_of
from tournaments.models import Competition, CompetitionStatus, Cup, Group, Round, Stage
from tournaments.rounds.services.stage_checks import MAX_STAGES, option_name

GROUPS = f"{ADD_CUP}?recipe=groups-then-knock-out"


def with_formats(url: str, *formats: str) -> str:
    """Return the URL at which the form asks for stages in these formats."""
    chosen = [f"{option_name(number, 'format')}={key}" for number, key in enumerate(formats, start=1)]
    return f"{url}{'&' if '?' in url else '?'}{'&'.join(chosen)}"


@pytest.fixture
def client(client_of, olga) -> Client:
    return client_of(olga)


@pytest.fixture
def cup(client, olga) -> Cup:
    """Return groups with a knock-out after them, as the form makes them."""
    fill_in(client, GROUPS)
    return Cup.objects.get()


def change(client: Client, cup: Cup, *formats: str, **fields: str) -> Any:
    return fill_in(client, with_formats(change_url(cup), *formats), **fields)


def formats() -> list[tuple[int, str]]:
    return list(Stage.objects.order_by("number").values_list("number", "format"))


def begin(cup: Cup, number: int = 1) -> None:
    Cup.objects.filter(pk=cup.pk).update(status=CompetitionStatus.RUNNING)
    for each in Stage.objects.filter(number__range=(2, number)):
        Group.objects.create(stage=each)


# Starting from a recipe


@pytest.mark.parametrize(("url", "kind"), [(ADD_CUP, "cup"), (ADD_LADDER, "ladder")])
def test_a_new_competition_starts_from_a_recipe_of_its_kind(client, url, kind):
    page = client.get(url).content.decode()
    names = [recipe.name for recipe in recipes_of(kind)]
    assert re.findall(r'href="\?recipe=([^"]+)"', page) == names
    assert f'href="?recipe={names[0]}" aria-current="page"' in page


def test_a_recipe_fills_in_all_stages_and_leaves_one_to_be_added(client):
    context = client.get(GROUPS).context
    shown = [field.value() for field in context["formats"]]
    assert shown == ["round-robin", "knock-out", ""]
    form = context["adminform"].form
    values = [form[name].value() for name in ("grouping-size", "advance-first", "advance-seeding")]
    assert values == [4, 2, "crossed"]


def test_a_recipe_of_another_kind_and_one_that_there_is_not_are_left(client):
    for name in ("points-ladder", "chess", ""):
        assert "knock-out-legs" in form_at(client, f"{ADD_CUP}?recipe={name}").fields


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=list(RECIPES))
def test_the_values_that_a_recipe_fills_in_are_stored_as_they_are(client, recipe):
    fill_in(client, f"{ADD_CUP if recipe.kind == 'cup' else ADD_LADDER}?recipe={recipe.name}")
    made = Competition.objects.get()
    assert made.boards == recipe.boards
    for stage, wanted in zip(made.stages.all(), recipe.stages, strict=True):
        spec = get_format(wanted.format)
        assert (stage.format, stage.chosen_options) == (wanted.format, spec.options(**wanted.options))
        assert (stage.seeding, stage.tiebreaks) == (wanted.seeding, list(wanted.tiebreaks or spec.tiebreaks))
        assert stage.grouping_options == (wanted.grouping and GroupingOptions(**wanted.grouping))
        assert stage.advance_rule == (wanted.advance and AdvanceRule(**wanted.advance))
    fill_in(client, change_url(made))
    assert not made.log.filter(action="changed").exists()


# Making and changing stages


def test_a_later_stage_has_all_that_the_first_has(client):
    sent = {
        "stage-2-round_days": "7",
        "stage-2-at_round_end": "forfeit",
        "stage-2-grouping-groups": "2",
        "stage-2-round-robin-cycles": "2",
        "stage-2-advance-first": "",
        "stage-2-advance-best": "",
        "stage-2-advance-above_percent": "50",
        "stage-2-advance-seeding": "draw",
        "stage-2-tiebreaks_0": "wins",
    }
    fill_in(client, with_formats(GROUPS, "round-robin", "round-robin", "double-elimination"), **sent)
    second, third = Stage.objects.filter(number__gt=1)
    assert (second.round_days, second.at_round_end, second.options) == (7, "forfeit", {"cycles": 2})
    assert (second.grouping_options, second.tiebreaks) == (GroupingOptions(groups=2), ["wins", "draw"])
    assert second.advance_rule == AdvanceRule(first=0, above_percent=50, seeding="draw")
    assert (third.options["reset"], third.advance) == (True, None)


def test_an_option_of_a_later_stage_is_changed_and_logged(client, cup):
    change(client, cup, **{"stage-2-knock-out-legs": "1", "stage-2-round_days": "5"})
    second = Stage.objects.get(number=2)
    assert (second.options["legs"], second.round_days) == (1, 5)
    assert last_log(cup)[1:3] == ("changed", "stage 2: legs, stage 2: days for each round")


def test_another_format_brings_its_own_options_and_order_and_no_groups_where_it_has_none(client, cup):
    change(client, cup, **{"stage-2-knock-out-legs": "1"})
    change(client, cup, "swiss", "double-elimination", **{"advance-first": "4"})
    first, second = Stage.objects.order_by("number")
    assert (first.format, first.tiebreaks, second.options["legs"]) == ("swiss", list(get_format("swiss").tiebreaks), 2)
    change(client, cup, "knock-out", **{"advance-first": "4"})
    assert Stage.objects.get(number=1).grouping is None


def test_a_stage_is_added_behind_the_others(client, cup):
    change(client, cup, "round-robin", "swiss", "knock-out", **{"stage-2-advance-first": "4"})
    assert formats() == [(1, "round-robin"), (2, "swiss"), (3, "knock-out")]
    assert last_log(cup)[1:3] == ("changed", "stages")
    assert "Stage 3: Knock-out" in text_of(client.get(change_url(cup)))


def test_a_stage_is_taken_away_and_the_next_moves_up_as_it_is(client, cup):
    change(client, cup, "round-robin", "swiss", "knock-out", **{"stage-3-knock-out-legs": "1"})
    change(client, cup, "round-robin", "")
    assert formats() == [(1, "round-robin"), (2, "knock-out")]
    assert Stage.objects.get(number=2).options["legs"] == 1
    change(client, cup, "round-robin", "", **{"grouping-size": ""})
    assert (formats(), Stage.objects.get().advance) == ([(1, "round-robin")], None)


def test_no_more_stages_can_be_added_than_there_can_be(client):
    later = {option_name(number, "advance-first"): "60" for number in range(1, MAX_STAGES)}
    fill_in(client, with_formats(ADD_CUP, *["swiss"] * (MAX_STAGES - 1), "knock-out", "knock-out"), **later)
    cup = Cup.objects.get()
    assert cup.stages.count() == MAX_STAGES
    assert len(client.get(change_url(cup)).context["formats"].fields) == MAX_STAGES


def test_a_format_that_there_is_not_leaves_the_stage_as_it_is(client):
    fill_in(client, with_formats(GROUPS, "", "chess", "chess"))
    assert formats() == [(1, "round-robin"), (2, "knock-out")]


# Refusals


@pytest.mark.parametrize(
    ("fields", "name", "fault"),
    [
        ({"advance-first": "", "advance-best": ""}, "advance-first", "Choose who goes on to stage 2."),
        ({"stage-2-advance-first": "2"}, "stage-2-advance-first", "Nobody goes on from the last stage."),
        (
            {"grouping-groups": "3"},
            "grouping-size",
            "Enter the number of groups, the group size, or the group size for leagues. Enter only one of them.",
        ),
        ({"grouping-size": "1"}, "grouping-size", "Ensure this value is greater than or equal to 2."),
        (
            {"advance-above_percent": "50"},
            "advance-first",
            "Enter how many go on, the percentage of the points, or play-offs of leagues. Enter only one of them.",
        ),
        ({"advance-first": "", "advance-best": "2"}, "advance-first", "Go on from each group: at least 1."),
        (
            {"stage-2-round_days": "4000"},
            "stage-2-round_days",
            "Ensure this value is less than or equal to 3650.",
        ),
    ],
)
def test_options_that_do_not_go_together_are_refused_beside_the_field(client, fields, name, fault):
    answer = fill_in(client, GROUPS, **fields)
    assert answer.context["adminform"].form.errors == {name: [fault]}
    assert fault in text_of(answer)
    assert not Competition.objects.exists()


def test_values_that_were_typed_stay_when_the_form_is_refused(client):
    sent = {"grouping-groups": "3", "stage-2-round_days": "9"}
    context = fill_in(client, GROUPS, **sent).context
    form = context["adminform"].form
    assert {name: form[name].value() for name in sent} == sent
    assert not context["recipes"], "a link to another one would lose what was typed"


# What has become fixed


def test_while_the_first_stage_runs_the_days_of_the_next_can_be_changed_and_the_rest_be_read(client, cup):
    begin(cup)
    page = client.get(change_url(cup))
    fields = set(page.context["adminform"].form.fields)
    gone = {"grouping-size", "advance-first", "stage-2-knock-out-legs", "stage-2-advance-first", "stage-2-tiebreaks"}
    assert fields & gone == set()
    assert {"at_round_end", "stage-2-round_days", "stage-2-at_round_end"} <= fields
    assert not page.context["formats"].fields
    text = text_of(page)
    assert "Groups: groups of up to 4" in text
    assert "Who goes on: The first two of each group go on to the next stage, seeded crossed: A1–B2, B1–A2." in text
    assert "Stage 2: who goes on: Nobody: it is the last stage." in text
    change(client, cup, "", "", "swiss", **{"stage-2-round_days": "3", "stage-2-knock-out-legs": "1", "reason": "Why."})
    second = Stage.objects.get(number=2)
    assert (second.round_days, second.options["legs"], Stage.objects.count()) == (3, 2, 2)


def test_a_stage_that_has_begun_keeps_its_days(client, cup):
    begin(cup, 2)
    days = {"stage-2-round_days": "3", "stage-2-at_round_end": "forfeit", "at_round_end": "forfeit"}
    change(client, cup, **days, reason="Why.")
    first, second = Stage.objects.order_by("number")
    assert (first.at_round_end, second.at_round_end, second.round_days) == ("wait", "forfeit", None)


def test_the_draw_fixes_the_groups_of_the_first_stage_only(client, cup):
    Round.objects.create(group=Group.objects.get(), number=1)
    change(client, cup, "swiss", **{"grouping-size": "5", "advance-first": "1", "stage-2-knock-out-legs": "1"})
    first, second = Stage.objects.order_by("number")
    assert (first.grouping_options, first.advance_rule) == (GroupingOptions(size=4), AdvanceRule(first=1))
    assert (first.format, second.options["legs"]) == ("round-robin", 1)


def test_a_ladder_has_one_stage_without_groups(client):
    url = with_formats(ADD_LADDER, "challenge-ladder", "challenge-ladder")
    fields = form_at(client, url).fields
    assert [name for name in fields if name.startswith(("stage-", "grouping", "advance"))] == []
    fill_in(client, url)
    assert formats() == [(1, "challenge-ladder")]


# Teams


@pytest.fixture
def league(client, olga) -> Cup:
    fill_in(client, f"{ADD_CUP}?recipe=team-league")
    return Cup.objects.get()


def test_a_form_that_is_sent_as_it_is_shown_keeps_the_order_of_teams(client, league):
    assert (league.boards, league.first_stage.tiebreaks) == (4, list(TEAM_ORDER))
    fill_in(client, change_url(league), boards="3")
    league.refresh_from_db()
    assert (league.boards, league.first_stage.tiebreaks, last_log(league)[1:3]) == (
        3,
        list(TEAM_ORDER),
        ("changed", "boards of a team"),
    )


def test_single_players_never_become_teams_in_the_admin_and_teams_never_single_players(client, league, cup_of_one):
    assert faults_at(client, change_url(league), boards="") == {"boards": ["This field is required."]}
    assert "boards" not in form_at(client, change_url(cup_of_one)).fields


@pytest.fixture
def cup_of_one(client, olga) -> Cup:
    fill_in(client, ADD_CUP, slug="single")
    return Cup.objects.get(slug="single")


@pytest.mark.parametrize(
    ("fields", "name", "fault"),
    [
        ({"boards": "7"}, "boards", "Ensure this value is less than or equal to 6."),
        ({"round_days": ""}, "round_days", "Teams play round by round: choose the days for each round."),
    ],
)
def test_an_option_that_no_team_has_is_refused_beside_its_field(client, fields, name, fault):
    assert faults_at(client, f"{ADD_CUP}?recipe=team-league", **fields) == {name: [fault]}
    assert not Cup.objects.exists()


def test_a_league_of_teams_becomes_a_knock_out_without_replays(client, league):
    url = with_formats(change_url(league), "knock-out")
    assert list(faults_at(client, url)) == ["knock-out-replays"]
    fill_in(client, url, **{"knock-out-replays": "0"})
    assert Stage.objects.get().chosen_options.replays == 0


def test_the_form_of_a_league_asks_for_nothing_that_teams_have_not(client, league):
    fields = as_shown(form_at(client, change_url(league))).keys()
    not_of_teams = {"min_rating", "max_rating", "check_in_minutes", "admits_computers"}
    assert fields & (not_of_teams | {"boards", "entry"}) == {"boards", "entry"}
