"""Players read in sentences how a competition of several stages goes."""

import pytest

from tests.pages.html import text_of
from tests.tournaments.making.test_stages import create
from tests.tournaments.verbs import NOON, enter_all, make_players, open_entry
from tournaments.making.recipes import RECIPES, make_stages
from tournaments.making.services.competitions import create_competition
from tournaments.models import Cup, Stage
from tournaments.office.sentences import competition_format_text, list_facts, list_sizes
from tournaments.office.stage_texts import advance_text, grouping_text
from tournaments.records.competitions import list_competitions

KNOCK_OUT = {"format": "knock-out"}


def robin(advance, **columns):
    return {"format": "round-robin", "advance": advance, **columns}


def test_a_cup_says_how_groups_and_a_knock_out_are_played(olga):
    stage, *later = make_stages(RECIPES["groups-then-knock-out"])
    later[0].round_days = 7
    cup = Cup(name="Cup", slug="cup", game="streetsoccer-board")
    create_competition(competition=cup, stage=stage, later=later, creator=olga, now=NOON)
    way, groups, knock_out = list_facts(cup)[:3]
    assert way == (
        "Groups of up to 4, each a round robin; the first two of each group go on to a knock-out, "
        "seeded crossed: A1–B2, B1–A2."
    )
    assert groups == "Stage 1: In each group, everybody plays everybody once."
    assert knock_out.startswith("Stage 2: Each tie is two matches at the same time, with sides swapped.")
    assert "A round is to end after 7 days." in knock_out


@pytest.mark.parametrize(
    ("first", "sentence"),
    [
        (
            robin({"first": 1}, grouping={"groups": 3}),
            "3 groups, each a round robin; the first of each group goes on to",
        ),
        (
            robin({"first": 1, "best": 1}, grouping={"groups": 3}),
            "3 groups, each a round robin; the first of each group and the best in 2nd place go on to",
        ),
        (
            robin({"first": 2, "best": 3}, grouping={"size": 5}),
            (
                "Groups of up to 5, each a round robin; "
                "the first two of each group and the best three in 3rd place go on to"
            ),
        ),
        (robin({"first": 8}), "A round robin; the first eight go on to"),
        (robin({"first": 16}), "A round robin; the first 16 go on to"),
        (
            robin({"first": 0, "above_percent": 50}),
            "A round robin; all with more than 50 % of the possible points go on to",
        ),
    ],
)
def test_one_sentence_says_who_goes_on(olga, first, sentence):
    cup = create(olga, first, robin({"first": 2}), KNOCK_OUT)
    assert list_facts(cup)[0].startswith(f"{sentence} a round robin, seeded")
    assert list_facts(cup)[1].startswith("A round robin; the first two go on to a knock-out, seeded by their places.")


def test_groups_that_follow_are_said_where_one_goes_on_to_them(olga):
    cup = create(
        olga, {"format": "swiss", "advance": {"first": 8}}, robin({"first": 2}, grouping={"groups": 2}), KNOCK_OUT
    )
    assert list_facts(cup)[0] == (
        "A Swiss tournament; the first eight go on to 2 groups, each a round robin, seeded by their places."
    )


@pytest.mark.parametrize(
    ("seeding", "words"),
    [
        ("crossed", "seeded crossed: A1–B2, B1–A2."),
        ("snake", "seeded in a snake through the groups."),
        ("rating", "seeded by rating."),
        ("draw", "seeded by draw."),
    ],
)
def test_the_text_says_how_players_who_go_on_are_seeded(seeding, words):
    stage = Stage(format="round-robin", grouping={"size": 4}, advance={"first": 2, "seeding": seeding})
    assert advance_text(stage) == f"The first two of each group go on to the next stage, {words}"


def test_nothing_is_crossed_when_only_the_first_of_each_group_goes_on():
    stage = Stage(format="round-robin", grouping={"size": 4}, advance={"first": 1})
    assert advance_text(stage) == "The first of each group goes on to the next stage, seeded by their places."


def test_a_stage_without_groups_has_one():
    assert [grouping_text(Stage(format="swiss", grouping=each)) for each in (None, {"groups": 1}, {"groups": 2})] == [
        "one group",
        "1 group",
        "2 groups",
    ]


def test_a_cup_is_called_by_its_first_and_its_last_stage(olga, django_assert_num_queries):
    cup = create(olga, robin({"first": 2}, grouping={"size": 4}, options={"cycles": 2}), KNOCK_OUT)
    assert competition_format_text(cup) == "Double round robin in groups of up to 4, then knock-out"
    open_entry(cup)
    with django_assert_num_queries(1):
        names = [competition_format_text(each) for each in list_competitions()]
    assert names == ["Double round robin in groups of up to 4, then knock-out"]


def test_a_cup_of_one_stage_is_said_as_before(olga):
    cup = create(olga, KNOCK_OUT)
    assert (competition_format_text(cup), list_facts(cup)[0][:8]) == ("Knock-out", "Each tie")


def test_sentences_say_how_many_matches_a_stage_comes_to(olga):
    cup = create(olga, robin({"first": 2}, grouping={"size": 4}), KNOCK_OUT)
    stages = list(cup.stages.all())
    assert list_sizes(stages, 14) == [
        "Stage 1: 4 groups, at most 18 matches in 3 rounds.",
        "Stage 2: at most 28 matches in 3 rounds.",
    ]
    assert list_sizes(stages[1:], 2) == ["At most 4 matches in 1 round."]
    assert list_sizes(stages, 1) == []


def test_an_organiser_who_draws_a_cup_sees_its_matches_and_rounds(olga, client_of):
    cup = create(olga, robin({"first": 2}, grouping={"size": 3}), KNOCK_OUT)
    open_entry(cup)
    enter_all(cup, make_players(6))
    page = text_of(client_of(olga).get("/cups/cup/organise/draw/?seed=1"))
    assert "Stage 1: 2 groups, at most 6 matches in 3 rounds. Stage 2: at most 12 matches in 2 rounds." in page
