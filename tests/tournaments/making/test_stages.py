"""Competitions of several stages: which go together, what is stored, and what can still be changed."""

from datetime import timedelta
from typing import Any

import pytest

from formats.advancement import AdvanceRule
from formats.options import InvalidOptions
from formats.registry import get_format
from players.models import Player
from tests.tournaments.verbs import NOON, enter_all, make_cup, make_players, open_entry
from tournaments.making.services.competitions import STAGES, change_competition, create_competition, fixed_options
from tournaments.models import Competition, CompetitionStatus, Cup, Group, Round, Stage
from tournaments.records.cups import Wait, Waiting, cup_waits_for
from tournaments.rounds.errors import InvalidStages, WrongCompetitionStatus
from tournaments.rounds.services.stage_checks import MAX_STAGES, find_faults
from tournaments.running.services.start import start_due_competitions

HOUR = timedelta(hours=1)
FIRST_TWO = {"first": 2}
GROUPS = {"format": "round-robin", "grouping": {"size": 4}, "advance": FIRST_TWO}
KNOCK_OUT: dict[str, Any] = {"format": "knock-out"}


def stages(*columns: dict[str, Any]) -> list[Stage]:
    return [Stage(number=number, **each) for number, each in enumerate(columns, start=1)]


def faults(*columns: dict[str, Any], most: int | None = None) -> dict[str, list[str]]:
    return find_faults(stages(*columns), max_entrants=most)


def create(creator: Player, *columns: dict[str, Any], **options: Any) -> Cup:
    stage, *later = stages(*columns)
    cup = Cup(name="Cup", slug="cup", game="streetsoccer-board", **options)
    create_competition(competition=cup, stage=stage, later=later, creator=creator, now=NOON)
    return cup


def change(cup: Competition, actor: Player, changed: list[str], *wanted: Stage) -> None:
    stage, *later = wanted
    about: dict[str, Any] = {"stage": stage, "later": later, "changed": changed, "reason": "Why."}
    change_competition(competition=cup, **about, actor=actor, now=NOON)


def formats(cup: Competition) -> list[tuple[int, str]]:
    return list(Stage.objects.filter(competition=cup.pk).order_by("number").values_list("number", "format"))


@pytest.mark.parametrize(
    ("columns", "most", "expected"),
    [
        ([GROUPS, KNOCK_OUT], None, {}),
        ([GROUPS | {"grouping": None}, KNOCK_OUT], 5, {}),
        ([KNOCK_OUT | {"grouping": {"groups": 1}}], None, {}),
        ([{"format": "swiss", "advance": FIRST_TWO}, GROUPS, KNOCK_OUT], None, {}),
        ([GROUPS | {"advance": {"first": 1, "levels": 99}}], None, {}),
        ([GROUPS | {"advance": {"first": 2, "levels": 98}}], None, {}),
        ([GROUPS | {"grouping": {"whenever": 4}, "advance": {"first": 2, "levels": 99}}], None, {}),
        (
            [GROUPS | {"advance": {"first": 2, "levels": 99}}],
            None,
            {
                "advance": "If two or more players go on from each group, the competition never ends. "
                "Limit the number of levels, or let only one player go on."
            },
        ),
        ([GROUPS | {"advance": None}, KNOCK_OUT], None, {"advance": "Choose who goes on to stage 2."}),
        (
            [GROUPS, KNOCK_OUT | {"advance": FIRST_TWO}],
            None,
            {"stage-2-advance": "Nobody goes on from the last stage."},
        ),
        (
            [{"format": "round-robin", "grouping": {"groups": 2}}],
            None,
            {"grouping": "The last stage must have one group, whose winner wins the competition."},
        ),
        (
            [KNOCK_OUT | {"grouping": {"groups": 2}, "advance": FIRST_TWO}, KNOCK_OUT],
            None,
            {"grouping": "Knock-out: there is one group, in which everybody can meet everybody."},
        ),
        (
            [{"format": "points-ladder", "advance": FIRST_TWO}, KNOCK_OUT],
            None,
            {"format": "A ladder never ends, so it cannot be one of several stages."},
        ),
        ([{"format": "points-ladder", "grouping": {"groups": 2}}], None, {"grouping": "A ladder has one group."}),
        ([{"format": "points-ladder", "advance": FIRST_TWO}], None, {"advance": "Nobody goes on from a ladder."}),
        (
            [KNOCK_OUT | {"advance": {"first": 0, "above_percent": 50}}, KNOCK_OUT],
            None,
            {"advance": "Knock-out: enter how many go on, because places do not depend on points."},
        ),
        (
            [GROUPS | {"grouping": None, "advance": {"first": 1, "best": 1}}, KNOCK_OUT],
            None,
            {
                "advance": "There is only one group. Let more of its players go on, "
                "instead of the best in the next place."
            },
        ),
        (
            [GROUPS | {"grouping": {"groups": 3}, "advance": {"first": 1, "best": 4}}, KNOCK_OUT],
            None,
            {"advance": "There are 3 groups, so at most that many can go on as the best in the next place."},
        ),
        (
            [GROUPS | {"advance": {"first": 4, "best": 1}}, KNOCK_OUT],
            None,
            {"advance": "More players would go on than the 4 in a group."},
        ),
        (
            [GROUPS | {"grouping": None, "advance": {"first": 1}}, KNOCK_OUT],
            None,
            {"advance": "At most one goes on to stage 2: Knock-out needs at least 2 players."},
        ),
        ([{"format": "double-elimination"}], 2, {"max_entrants": "Double elimination needs at least 3 players."}),
        (
            [GROUPS | {"grouping": {"groups": 4}}, KNOCK_OUT],
            7,
            {"grouping": "With at most 7 players: too few for these groups, which need 2 players each."},
        ),
        (
            [GROUPS, {"format": "double-elimination"}],
            4,
            {"advance": "At most 2 go on to stage 2: Double elimination needs at least 3 players."},
        ),
        (
            [GROUPS, GROUPS | {"grouping": {"groups": 4}}, KNOCK_OUT],
            12,
            {"stage-2-grouping": "At most 6 go on to stage 2: too few for these groups, which need 2 players each."},
        ),
    ],
)
def test_stages_that_do_not_go_together_are_named_with_the_reason(columns, most, expected):
    found = faults(*columns, most=most)
    assert found == {name: [sentence] for name, sentence in expected.items()}


def test_a_format_bounds_its_groups(monkeypatch):
    monkeypatch.setattr(get_format("round-robin"), "max_entrants", 40, raising=False)
    assert faults(GROUPS | {"grouping": {"size": 40}}, KNOCK_OUT) == {}
    sentence = "Round robin takes at most 40 players in a group."
    assert faults(GROUPS | {"grouping": {"size": 41}}, KNOCK_OUT) == {"grouping": [sentence]}
    assert faults({"format": "round-robin"}, most=41) == {"max_entrants": ["Round robin takes at most 40 players."]}
    sentence = "With at most 100 players, a group has 50: Round robin takes at most 40."
    assert faults(GROUPS | {"grouping": {"groups": 2}}, KNOCK_OUT, most=100) == {"grouping": [sentence]}


def test_groups_are_large_enough_for_their_format(monkeypatch):
    monkeypatch.setattr(get_format("round-robin"), "min_entrants", 4, raising=False)
    sentence = "Round robin needs at least 4 players in a group."
    assert faults(GROUPS | {"grouping": {"size": 3}}, KNOCK_OUT) == {"grouping": [sentence]}


def test_there_are_so_many_stages_and_no_more():
    swiss = {"format": "swiss", "advance": {"first": 50}}
    assert faults(*[swiss] * (MAX_STAGES - 1), KNOCK_OUT) == {}
    sentence = f"A competition has at most {MAX_STAGES} stages."
    assert faults(*[swiss] * MAX_STAGES, KNOCK_OUT) == {"stages": [sentence]}


def test_a_competition_of_three_stages_is_made(olga):
    create(olga, {"format": "swiss", "advance": {"first": 8}}, GROUPS, KNOCK_OUT)
    first, second, third = Stage.objects.all()
    assert (first.advance_rule, first.grouping) == (AdvanceRule(first=8), None)
    assert (second.number, second.tiebreaks) == (2, list(get_format("round-robin").tiebreaks))
    assert (third.options["legs"], third.advance) == (2, None)
    assert Group.objects.get().stage == first


@pytest.mark.parametrize(
    "column",
    [
        {"grouping": {"size": 1}},
        {"grouping": {"size": 4, "groups": 4}},
        {"advance": {"first": 0}},
        {"advance": {"seeding": "astrology"}},
        {"options": {"cycles": 9}},
    ],
)
def test_options_out_of_bounds_are_stored_for_no_stage(olga, column):
    with pytest.raises(InvalidOptions):
        create(olga, {"format": "swiss", "advance": {"first": 8}}, GROUPS | column, KNOCK_OUT)
    assert not Competition.objects.exists()


def test_stages_that_do_not_go_together_are_not_stored(olga):
    with pytest.raises(InvalidStages, match="Choose who goes on to stage 2") as caught:
        create(olga, KNOCK_OUT, KNOCK_OUT)
    assert (caught.value.code, list(caught.value.fields)) == ("invalid_stages", ["advance"])
    assert not Competition.objects.exists()


def test_a_change_after_which_stages_do_not_go_together_is_refused(olga):
    cup = create(olga, GROUPS, KNOCK_OUT)
    first, second = cup.stages.all()
    first.advance = None
    with pytest.raises(InvalidStages, match="Choose who goes on"):
        change(cup, olga, ["advance"], first, second)
    cup.max_entrants = 1
    with pytest.raises(InvalidStages, match="too few for these groups"):
        change(cup, olga, ["max_entrants"], first, second)
    assert Stage.objects.get(number=1).advance_rule == AdvanceRule(first=2)
    assert Cup.objects.get().max_entrants is None


def begin(cup: Cup, number: int) -> None:
    """Let the cup have come to this stage."""
    Cup.objects.filter(pk=cup.pk).update(status=CompetitionStatus.RUNNING)
    for stage in Stage.objects.filter(competition=cup, number__range=(2, number)):
        Group.objects.create(stage=stage)
    cup.refresh_from_db()


def free(cup: Cup) -> set[str]:
    """Return what of the stages can still be changed."""
    columns = "format tiebreaks grouping advance round_days at_round_end".split()
    known = [*columns, "cycles", *(f"stage-2-{name}" for name in [*columns, "legs", "third_place"]), STAGES]
    return set(known) - fixed_options(competition=cup)


def test_a_draw_fixes_what_it_was_made_of_and_no_later_stage(olga):
    cup = create(olga, GROUPS, KNOCK_OUT)
    Cup.objects.filter(pk=cup.pk).update(status=CompetitionStatus.CLOSED)
    Round.objects.create(group=Group.objects.get(stage__competition=cup), number=1)
    cup.refresh_from_db()
    assert fixed_options(competition=cup) == {"boards", "format", "seeding", "round_days", "grouping", "cycles"}


def test_the_free_options_of_a_running_cup_depend_on_how_far_a_stage_has_come(olga):
    cup = create(olga, GROUPS, KNOCK_OUT)
    begin(cup, 1)
    assert free(cup) == {"at_round_end", "stage-2-round_days", "stage-2-at_round_end"}
    begin(cup, 2)
    assert free(cup) == {"stage-2-at_round_end"}
    Cup.objects.update(status=CompetitionStatus.FINISHED)
    cup.refresh_from_db()
    assert free(cup) == set()


def test_the_days_of_a_stage_that_has_not_begun_are_changed_and_its_format_is_not(olga):
    cup = create(olga, GROUPS, KNOCK_OUT)
    begin(cup, 1)
    first, second = cup.stages.all()
    second.round_days = 5
    change(cup, olga, ["stage-2-round_days"], first, second)
    assert Stage.objects.get(number=2).round_days == 5
    second.options = second.options | {"legs": 1}
    with pytest.raises(WrongCompetitionStatus, match="too late to change this: stage 2: legs"):
        change(cup, olga, ["stage-2-legs"], first, second)
    with pytest.raises(WrongCompetitionStatus, match="too late to change this: stages"):
        change(cup, olga, [STAGES], first)


def test_a_cup_waits_for_as_many_as_its_later_stages_need_and_stops_no_other(olga):
    cup = create(olga, GROUPS, {"format": "double-elimination"}, starts_at=NOON)
    other = make_cup(slug="other", starts_at=NOON)
    players = make_players(5)
    open_entry(cup, now=NOON - HOUR)
    enter_all(cup, players[:3], NOON - HOUR)
    enter_all(other, players[:2], NOON - HOUR)
    assert Waiting(Wait.ENTRANTS, players=2) in cup_waits_for(Cup.objects.get(pk=cup.pk), NOON - HOUR)
    assert start_due_competitions(now=NOON, limit=1) == 1
    assert list(Cup.objects.order_by("pk").values_list("status", flat=True)) == ["open", "running"]
    enter_all(cup, players[3:])
    assert start_due_competitions(now=NOON, limit=1) == 1
    assert Group.objects.filter(stage__competition=cup).count() == 2
