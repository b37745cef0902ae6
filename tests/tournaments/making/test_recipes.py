"""Stock recipes: data from which the stages of a competition are made."""

from formats.advancement import AdvanceRule
from formats.grouping import GroupingOptions
from formats.registry import FORMATS
from formats.stage_plans import fewest_entrants, plan_stages
from tournaments.making.recipes import RECIPES, formats_of, make_stages, recipes_of
from tournaments.models import CompetitionKind

FEWEST = {
    "points-ladder": 2,
    "challenge-ladder": 2,
    "knock-out": 2,
    "double-elimination": 3,
    "round-robin": 2,
    "swiss": 2,
    "groups-then-knock-out": 2,
    "championship": 2,
    "mini-cup": 3,
    "monthly-cup": 2,
    "team-league": 2,
    "team-cup": 2,
}
NAMES = list(FEWEST)


def test_every_stock_recipe_is_found_by_its_name_and_played_by_as_few_as_its_formats_need():
    assert [recipe.name for recipe in RECIPES.values()] == list(RECIPES) == NAMES
    assert {name: fewest_entrants(make_stages(recipe)) for name, recipe in RECIPES.items()} == FEWEST
    assert {stage.format for recipe in RECIPES.values() for stage in recipe.stages} == set(FORMATS)


def test_teams_play_by_recipes_of_their_own_and_ladders_have_no_end():
    assert [recipe.name for recipe in RECIPES.values() if recipe.boards is not None] == ["team-league", "team-cup"]
    assert [spec.key for spec in formats_of(CompetitionKind.LADDER)] == ["points-ladder", "challenge-ladder"]
    assert [recipe.name for recipe in recipes_of(CompetitionKind.CUP)] == NAMES[2:]


def test_groups_then_a_knock_out():
    groups, knock_out = make_stages(RECIPES["groups-then-knock-out"])
    assert (groups.number, groups.format, groups.grouping_options) == (1, "round-robin", GroupingOptions(size=4))
    assert groups.advance_rule == AdvanceRule(first=2, seeding="crossed")
    assert (knock_out.number, knock_out.format, knock_out.grouping, knock_out.advance) == (2, "knock-out", None, None)
    assert [plan.going_on for plan in plan_stages([groups, knock_out], 37)] == [20, 0]


def test_a_championship_is_leagues_that_the_seasons_before_seed():
    (leagues,) = make_stages(RECIPES["championship"])
    assert (leagues.format, leagues.options, leagues.seeding) == ("round-robin", {"cycles": 2}, "season")
    assert (leagues.grouping_options, leagues.advance) == (GroupingOptions(league_size=9), None)
    assert leagues.has_leagues
    assert [plan.sizes for plan in plan_stages([leagues], 37)] == [(10, 9, 9, 9)]


def test_stages_made_twice_from_a_recipe_share_nothing():
    first, second = (make_stages(RECIPES["groups-then-knock-out"])[0] for _ in range(2))
    assert first.grouping is not None
    first.grouping["size"] = 5
    assert second.grouping == {"size": 4}
