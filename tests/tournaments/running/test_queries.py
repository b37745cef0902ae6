"""Reading and moving on costs the same however large the competition is."""

from functools import partial

import pytest

from matches.models import Match
from matches.selectors.matches import running_matches_in
from matches.services.adjudication import adjudicate_match
from rules_engine.values import Side
from tests.matches.test_queries import queries_of
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.models import Fixture, Seeding
from tournaments.records.brackets import bracket_of, outline_of
from tournaments.records.challenges import challenge_preview
from tournaments.records.competitions import coming_fixtures, get_ladder
from tournaments.records.cups import cup_waits_for
from tournaments.records.groups import first_group_id
from tournaments.running.selectors.entry_conditions import reasons_not_to_enter
from tournaments.running.sentences import waiting_sentence
from tournaments.running.services.settlement import settle_match
from tournaments.running.services.start import start_competition

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

MAX_QUERIES = 40

SIZES = pytest.mark.parametrize("size", [4, 16])


def names_of_ties(rounds):
    return [
        (str(view.tie), view.points, [(leg.match.status, leg.leg) for leg in view.legs])
        for each in rounds
        for view in each.ties
    ]


@SIZES
def test_a_bracket_costs_three_queries(size):
    cup, _ = verbs.start_cup(size)
    group_id = first_group_id(competition_id=cup.pk)
    verbs.end(verbs.running(cup)[0], Side.YELLOW)
    ties = [each.pk for each in outline_of(group_id=group_id)]
    assert len(queries_of(lambda: names_of_ties(bracket_of(group_id=group_id, only=ties)))) == 3


@SIZES
def test_reading_what_a_cup_waits_for_costs_one_query(size):
    cup, _ = verbs.start_cup(size)
    assert len(queries_of(lambda: [waiting_sentence(waiting) for waiting in cup_waits_for(cup, NOON)])) == 1


@SIZES
def test_the_next_matches_of_a_player_cost_one_query(size):
    cup, entries = verbs.start_cup(size, round_days=3, format="round-robin")
    player = entries[0].player
    matches: list[Match] = []
    assert len(queries_of(lambda: matches.extend(running_matches_in(competition_id=cup.pk, player=player)))) == 1
    assert [each.fixture.round.number for each in matches] == [1]
    assert len(queries_of(lambda: [str(each) for each in coming_fixtures(player)])) == 1
    assert [each.round.number for each in coming_fixtures(player)] == list(range(2, size))[:5]


@SIZES
def test_a_preview_of_challenges_costs_three_queries_and_one_for_the_rows(size):
    ladder = verbs.make_ladder(format="challenge-ladder")
    players = verbs.make_players(size)
    verbs.enter_all(ladder, players)
    verbs.start(ladder)
    verbs.pair(ladder)
    ladder = get_ladder(ladder.slug)
    preview = queries_of(lambda: list(challenge_preview(ladder=ladder, player=players[-1], now=NOON)))
    assert len(preview) == 4


@SIZES
def test_the_reasons_not_to_enter_cost_the_same(size):
    cup = verbs.make_cup(max_entrants=30, min_rating=1600)
    players = verbs.make_players(size + 1)
    verbs.enter_all(cup, [])
    assert len(queries_of(lambda: reasons_not_to_enter(competition=cup, player=players[-1]))) == 3


def test_settling_a_result_that_decides_nothing_costs_the_same_at_any_size():
    players = verbs.make_players(16)
    costs = []
    for size in (4, 16):
        cup = verbs.make_cup(slug=f"cup-{size}", legs=2)
        verbs.enter_all(cup, players[:size])
        verbs.start(cup)
        match_id = verbs.running(cup)[0].match_id
        adjudicate_match(match_id=match_id, winner=Side.YELLOW, now=NOON)
        costs.append(queries_of(partial(settle_match, match_id=match_id, now=NOON)))
    assert costs[0] == costs[1]


@pytest.mark.postgresql
@pytest.mark.parametrize("options", [{}, {"round_days": 7}, {"seeding": Seeding.HAND}, {"seeding": Seeding.DRAW}])
def test_importing_and_starting_a_cup_take_at_most_forty_queries_however_many_enter(options):
    counts = {20: (0, 0), 80: (0, 0)}
    for size in counts:
        cup = verbs.make_cup(slug=f"cup-{size}", **options)
        names = [player.username for player in verbs.make_players(size, prefix=f"of-{size}")]
        counts[size] = (
            len(
                queries_of(
                    partial(import_entry_list, competition_id=cup.pk, text="\n".join(names), actor=None, now=NOON)
                )
            ),
            len(queries_of(partial(start_competition, competition_id=cup.pk, actor=None, now=NOON))),
        )
        started = Fixture.objects.filter(competition=cup.pk, match__isnull=False)
        assert Match.objects.filter(competition=cup.pk).count() == started.count() > 0
    assert counts[80] == counts[20]
    assert max(counts[80]) <= MAX_QUERIES


@pytest.mark.postgresql
def test_starting_a_round_robin_takes_at_most_forty_queries_however_many_enter():
    counts = {}
    for size in (4, 24):
        cup, _entries = verbs.open_cup(
            size, prefix=f"of-{size}", slug=f"cup-{size}", format="round-robin", round_days=7
        )
        counts[size] = len(queries_of(partial(start_competition, competition_id=cup.pk, actor=None, now=NOON)))
    assert counts[24] == counts[4] <= MAX_QUERIES


def test_starting_many_groups_takes_hardly_more_queries_than_starting_few():
    counts = {}
    for groups in (4, 16):
        cup = verbs.make_cup(slug=f"cup-{groups}", format="round-robin")
        cup.stages.update(grouping={"groups": groups, "size": None})
        verbs.enter_all(cup, verbs.make_players(4 * groups, prefix=f"g{groups}-"), NOON)
        counts[groups] = len(queries_of(partial(start_competition, competition_id=cup.pk, actor=None, now=NOON)))
        assert Match.objects.filter(fixture__competition=cup).count() == 6 * groups
    # Each group has three rounds with two matches each.
    assert counts[16] - counts[4] < 3 * 12


@pytest.mark.postgresql
def test_importing_latecomers_takes_as_many_queries_for_many_as_for_two():
    counts = []
    for size in (2, 20):
        cup, _entries = verbs.start_cup(4, prefix=f"first-{size}", slug=f"cup-{size}", format="round-robin")
        names = [player.username for player in verbs.make_players(size, prefix=f"late-{size}")]
        take_in = partial(import_entry_list, competition_id=cup.pk, text="\n".join(names), actor=None, now=NOON)
        counts.append(len(queries_of(take_in)))
    assert counts[1] == counts[0] <= MAX_QUERIES
