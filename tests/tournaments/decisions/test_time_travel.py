"""What an act cost is back once it is taken back: the same matches, with their moves, results, ratings and clocks."""

import random
from collections import Counter
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps

from matches.models import Match
from players.services.account_closures import deactivate_player
from rules_engine.values import Side
from tests.marks import nightly
from tests.tournaments import verbs
from tests.tournaments.decisions.test_decision_taken_back import HOUR, WHY, play_some
from tests.tournaments.decisions.undoing import FORMATS, RECIPES, assert_same, begin, everything, faults_of, go_on
from tests.tournaments.verbs import NOON, end, make_olga, move_in, running
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.status import finish_competition
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture, what_follows_from_replaying
from tournaments.decisions.services.undo.decisions import (
    take_back_annulment,
    take_back_decision,
    take_back_replay,
    what_follows_from_taking_back_annulment,
)
from tournaments.decisions.services.undo.replacements import take_back_replacement
from tournaments.decisions.services.undo.round_ends import take_back_round_end
from tournaments.desk.acts import ENTRY, acts_on
from tournaments.entries.services.replacement import replace_entry
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.models import CompetitionStatus, Entry, Fixture, Group, Round, RoundEnd
from tournaments.models.rights import RIGHTS, Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def act(db):
    """Return what every act is called with."""
    return {"actor": make_olga(), "reason": WHY}


def round_of(cup, number):
    return Round.objects.get(group__stage__competition=cup, number=number)


def semi_final(cup):
    """Play a knock-out until its first semi-final is over, and return the first quarter-final and that."""
    quarter = verbs.tie_of(cup, 1, 0).fixtures.get()
    for fixture in running(cup):
        end(fixture, Side.YELLOW, NOON)
    go_on(cup, NOON)
    semi = verbs.tie_of(cup, 2, 0).fixtures.get()
    move_in(semi, NOON)
    end(semi, Side.RED, NOON + HOUR)
    go_on(cup, NOON + HOUR)
    return quarter, semi


def test_a_semi_final_counts_again_once_the_replay_before_it_is_taken_back(act):
    cup = begin("knock-out", 8, organiser=act["actor"])
    quarter, semi = semi_final(cup)
    before = everything(cup)
    replay_fixture(fixture_id=quarter.pk, **act, now=NOON + 2 * HOUR, confirm=True)
    go_on(cup, NOON + 2 * HOUR)
    semi.refresh_from_db()
    assert (semi.is_annulled, semi.cause.action) == (True, "replayed")
    take_back_replay(fixture_id=quarter.pk, **act, now=NOON + 3 * HOUR, confirm=True)
    go_on(cup, NOON + 3 * HOUR)
    assert_same(everything(cup), before)


def test_a_semi_final_counts_again_once_the_same_is_decided_again(act):
    cup = begin("knock-out", 8, organiser=act["actor"])
    decided = running(cup)[0]
    adjudicate_fixture(fixture_id=decided.pk, winner=Side.YELLOW, **act, now=NOON)
    _quarter, _semi = semi_final(cup)
    before = everything(cup)
    take_back_decision(fixture_id=decided.pk, **act, now=NOON + 2 * HOUR, confirm=True)
    adjudicate_fixture(fixture_id=decided.pk, winner=Side.YELLOW, **act, now=NOON + 3 * HOUR)
    go_on(cup, NOON + 3 * HOUR)
    after = everything(cup)
    assert after["fixtures"] == before["fixtures"]
    assert after["ties"] == before["ties"]


@pytest.mark.parametrize("changes", [False, True])
def test_the_stage_after_the_groups_counts_again(act, changes):
    cup = begin("groups then knock-out", 9, organiser=act["actor"])
    now = NOON
    while Fixture.objects.filter(competition=cup, group__stage__number=2, counted_at__isnull=False).count() < 3:
        now += timedelta(minutes=1)
        move_in(running(cup)[0], now)
        end(running(cup)[0], Side.YELLOW, now)
        go_on(cup, now)
    before = everything(cup)
    first = Fixture.objects.filter(competition=cup, group__stage__number=1).order_by("pk")[0]
    again = replay_fixture(fixture_id=first.pk, **act, now=now + HOUR, confirm=True)
    if changes:
        end(again, Side.YELLOW, now + HOUR)
        go_on(cup, now + HOUR)
        assert Fixture.objects.filter(competition=cup, group__stage__number=2, counted_at__isnull=False).count() == 3
    take_back_replay(fixture_id=first.pk, **act, now=now + 2 * HOUR, confirm=True)
    go_on(cup, now + 2 * HOUR)
    assert_same(everything(cup), before)


def test_a_round_that_ended_by_its_results_goes_on_with_the_time_that_was_left(act):
    cup = begin("round robin in rounds", 4, organiser=act["actor"])
    decided, last = running(cup)
    until = round_of(cup, 1).ends_at
    end(decided, Side.YELLOW, NOON + HOUR)
    adjudicate_fixture(fixture_id=last.pk, winner=Side.RED, **act, now=NOON + 2 * HOUR)
    go_on(cup, NOON + 2 * HOUR)
    take_back_decision(fixture_id=last.pk, confirm=True, **act, now=NOON + 5 * HOUR)
    assert round_of(cup, 1).ends_at == until + 3 * HOUR


@pytest.mark.parametrize("by", ["end", "adjudication"])
def test_the_next_round_waits_again(act, by):
    cup = begin("knock-out in rounds", 6, organiser=act["actor"])
    first = round_of(cup, 1)
    games = running(cup)
    now = NOON + HOUR
    if by == "adjudication":
        end(games[0], Side.YELLOW, now)
        go_on(cup, now)
    for game in running(cup):
        move_in(game, now)
    before = everything(cup)
    if by == "end":
        end_round(round=first, policy=RoundEnd.ADJUDICATE, **act, now=now)
    else:
        adjudicate_fixture(fixture_id=games[1].pk, winner=Side.YELLOW, **act, now=now)
    go_on(cup, now)
    assert round_of(cup, 2).started_at is not None
    move_in(running(cup)[0], now)
    if by == "end":
        take_back_round_end(round=first, confirm=True, **act, now=now + HOUR)
    else:
        take_back_decision(fixture_id=games[1].pk, confirm=True, **act, now=now + HOUR)
    go_on(cup, now + HOUR)
    assert_same(everything(cup), before)
    assert round_of(cup, 2).started_at is None


def test_a_match_that_waits_for_its_round_is_named_and_goes_on_with_it(act):
    cup = begin("knock-out in rounds", 6, organiser=act["actor"])
    games = running(cup)
    for game in games[:1]:
        end(game, Side.YELLOW, NOON)
    adjudicate_fixture(fixture_id=games[1].pk, winner=Side.YELLOW, **act, now=NOON)
    go_on(cup, NOON)
    known = next(each for each in running(cup) if games[1].yellow_id not in {each.yellow_id, each.red_id})
    move_in(known, NOON)
    bank = Match.objects.get(pk=known.match_id).bank_yellow
    take_back_decision(fixture_id=games[1].pk, confirm=False, **act, now=NOON + HOUR)
    go_on(cup, NOON + HOUR)
    assert known.match_id not in {each.match_id for each in running(cup)}
    adjudicate_fixture(fixture_id=games[1].pk, winner=Side.RED, **act, now=NOON + 2 * HOUR)
    go_on(cup, NOON + 2 * HOUR)
    assert known.match_id in {each.match_id for each in running(cup)}
    assert (Match.objects.get(pk=known.match_id).bank_yellow, faults_of(cup, NOON + 2 * HOUR)) == (bank, [])


def test_levels_of_a_mini_cup_come_back_with_the_same_groups(act):
    cup = begin("mini cup", 9, organiser=act["actor"])
    source, now = random.Random(1), NOON
    while Fixture.objects.filter(competition=cup, group__stage__number=2, counted_at__isnull=False).count() < 4:
        now = play_some(cup, source, 1, now)
    before = everything(cup)
    group = Group.objects.filter(stage__competition=cup, stage__number=1).order_by("number")[0]
    first = Fixture.objects.filter(group=group).order_by("pk")[0]
    follows = what_follows_from_replaying(fixture_id=first.pk, now=now + HOUR)
    replay_fixture(fixture_id=first.pk, **act, now=now + HOUR, confirm=True)
    go_on(cup, now + HOUR)
    assert follows.lost
    take_back_replay(fixture_id=first.pk, **act, now=now + 2 * HOUR, confirm=True)
    go_on(cup, now + 2 * HOUR)
    assert_same(everything(cup), before)


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_no_match_begins_again_with_a_player_who_has_been_withdrawn(act, name):
    competition = begin(name, 6, organiser=act["actor"])
    lost = running(competition)[0]
    end(lost, Side.YELLOW, NOON)
    go_on(competition, NOON, pairs=False)
    withdraw_entry(entry_id=lost.red_id, **act, now=NOON + HOUR)
    replay_fixture(fixture_id=lost.pk, confirm=True, **act, now=NOON + 2 * HOUR)
    go_on(competition, NOON + 2 * HOUR, pairs=False)
    assert lost.red_id not in {entry for each in running(competition) for entry in (each.yellow_id, each.red_id)}
    assert faults_of(competition, NOON + 2 * HOUR) == []


def test_a_withdrawal_is_not_taken_back_for_an_account_that_is_closed(act):
    cup = begin("round robin", 4, organiser=act["actor"])
    entry = Entry.objects.filter(competition=cup).select_related("player", "team")[0]
    withdraw_entry(entry_id=entry.pk, **act, now=NOON)
    offered = offered_on(entry, cup)
    deactivate_player(player_id=entry.player_id, now=NOON)
    assert "take-back-withdrawal" in offered
    assert "take-back-withdrawal" not in offered_on(entry, cup)


def offered_on(entry, competition):
    fresh = Entry.objects.select_related("player", "team").get(pk=entry.pk)
    return [each.name for each in acts_on(ENTRY, competition, fresh, RIGHTS[Role.ORGANISER])]


@pytest.mark.parametrize("moved", [False, True])
def test_nobody_meets_the_same_opponent_twice_at_once_on_a_ladder(act, moved):
    ladder = begin("points ladder", 4, organiser=act["actor"])
    first = running(ladder)[0]
    annul_fixture(fixture_id=first.pk, **act, now=NOON + HOUR)
    go_on(ladder, NOON + HOUR)
    while not (new := [each for each in running(ladder) if pair_of(each) == pair_of(first)]):
        end(next(each for each in running(ladder) if pair_of(each) & pair_of(first)), Side.YELLOW, NOON + HOUR)
        verbs.pair(ladder, now=NOON + HOUR)
    if moved:
        move_in(new[0], NOON + HOUR)
    follows = what_follows_from_taking_back_annulment(fixture_id=first.pk, now=NOON + 2 * HOUR)
    assert (new[0] in follows.lost, new[0] in follows.withdrawn) == (moved, not moved)
    take_back_annulment(fixture_id=first.pk, confirm=moved, **act, now=NOON + 2 * HOUR)
    counts = Counter(entry for each in running(ladder) for entry in pair_of(each))
    assert [each.pk for each in running(ladder) if pair_of(each) == pair_of(first)] == [first.pk]
    assert max(counts.values()) <= 2
    new[0].refresh_from_db()
    assert new[0].cause.action == "annulment-undone"


def pair_of(fixture):
    return frozenset({fixture.yellow_id, fixture.red_id})


@pytest.mark.parametrize("name", ["knock-out", "two legs", "round robin", "groups then knock-out", "swiss"])
@pytest.mark.parametrize("plays", [False, True])
def test_a_player_who_was_replaced_by_mistake_has_the_place_again(act, name, plays):
    competition = begin(name, 6, organiser=act["actor"])
    move_in(running(competition)[0], NOON)
    first = running(competition)[0]
    end(running(competition)[1], Side.YELLOW, NOON)
    go_on(competition, NOON, pairs=False)
    before = everything(competition)
    (newcomer,) = verbs.make_players(1, "newcomer")
    replace_entry(entry_id=first.yellow_id, player=newcomer, **act, now=NOON + HOUR)
    go_on(competition, NOON + HOUR, pairs=False)
    acted = everything(competition)
    if plays:
        own = next(each for each in running(competition) if newcomer in {each.yellow.player, each.red.player})
        move_in(own, NOON + HOUR)
        end(own, Side.RED, NOON + HOUR)
        go_on(competition, NOON + HOUR, pairs=False)
    take_back_replacement(entry_id=first.yellow_id, confirm=plays, **act, now=NOON + 2 * HOUR)
    go_on(competition, NOON + 2 * HOUR, pairs=False)
    assert_same(everything(competition), before)
    assert faults_of(competition, NOON + 2 * HOUR) == []
    assert not Entry.objects.filter(competition=competition, player=newcomer).exists()
    replace_entry(entry_id=first.yellow_id, player=newcomer, **act, now=NOON + 3 * HOUR)
    assert len(everything(competition)["matches"]) == len(acted["matches"])


def test_a_check_names_what_goes_on_though_it_should_not(act):
    cup = begin("knock-out in rounds", 4, organiser=act["actor"])
    game = running(cup)[0]
    Entry.objects.filter(pk=game.yellow_id).update(status="gone")
    Round.objects.filter(pk=round_of(cup, 2).pk).update(started_at=NOON)
    said = " ".join(faults_of(cup, NOON))
    assert f"match {game.match_id} goes on, but one of its entrants has left" in said
    assert "round 2 has begun, but round 1 before it has not ended" in said


def test_whatever_is_annulled_names_the_act_that_did_it(act):
    def causes(competition):
        annulled = Fixture.objects.filter(competition=competition, is_annulled=True).order_by("pk")
        return [each.cause and each.cause.action for each in annulled.select_related("cause")]

    cup = begin("round robin", 4, organiser=act["actor"])
    game = running(cup)[0]
    move_in(game, NOON)
    annul_fixture(fixture_id=game.pk, **act, now=NOON)
    assert causes(cup) == ["annulled"]
    verbs.undo_start(cup, act["actor"])
    assert set(causes(cup)) == {"annulled", "start-undone"}
    assert causes(cup).count("annulled") == 1
    assert faults_of(cup, NOON) == []
    Fixture.objects.filter(cause__action="annulled").update(cause=None)
    (fault,) = faults_of(cup, NOON)
    assert fault.endswith("is annulled, but names no cause.")
    # What was annulled before causes were kept names that.
    import_module("tournaments.migrations.0090_name_causes_of_old_annulments").name_causes(apps, None)
    assert set(causes(cup)) == {"annulled-before", "start-undone"}
    assert faults_of(cup, NOON) == []


def test_a_check_names_a_stage_that_runs_beside_the_one_before(act):
    cup = begin("groups then knock-out", 6, organiser=act["actor"])
    while running(cup):
        end(running(cup)[0], Side.YELLOW, NOON)
        go_on(cup, NOON)
        if Round.objects.filter(group__stage__competition=cup, group__stage__number=2).exists():
            break
    assert faults_of(cup, NOON) == []
    Group.objects.filter(stage__competition=cup, stage__number=1, number=2).update(ended_at=None)
    assert "stage 2 has begun, but group 2 of the stage before has not ended." in " ".join(faults_of(cup, NOON))


def test_what_ends_with_a_ladder_names_that(act):
    ladder = begin("points ladder", 4, organiser=act["actor"])
    finish_competition(competition_id=ladder.pk, **act, now=NOON)
    annulled = Fixture.objects.filter(competition=ladder, is_annulled=True)
    assert set(annulled.values_list("cause__action", flat=True)) == {"finished"}


USUAL = ("double elimination", "groups then knock-out", "mini cup")
ENDING = [*USUAL, *nightly(sorted(name for name in RECIPES if "ladder" not in name and name not in USUAL))]


@pytest.mark.parametrize("name", ENDING)
@pytest.mark.parametrize("which", [-1, *nightly([0])])
def test_a_competition_that_ended_by_play_goes_on_and_ends_the_same_once_that_is_taken_back(act, name, which):
    competition = begin(name, 6, organiser=act["actor"])
    if competition.first_stage.gathers:
        verbs.close_entry(competition, act["actor"])
    now = play_some(competition, random.Random(3), 99, NOON)
    assert competition.status == CompetitionStatus.FINISHED
    before = everything(competition)
    played = Fixture.objects.filter(competition=competition, is_annulled=False, match__isnull=False).order_by("pk")
    fixture = list(played)[which]
    replay_fixture(fixture_id=fixture.pk, confirm=True, **act, now=now + HOUR)
    go_on(competition, now + HOUR)
    assert (competition.status, competition.winner) == (CompetitionStatus.RUNNING, None)
    assert faults_of(competition, now + HOUR) == []
    take_back_replay(fixture_id=fixture.pk, confirm=True, **act, now=now + 2 * HOUR)
    go_on(competition, now + 2 * HOUR)
    assert_same(everything(competition), before)
    if fixture.tie_id is None:
        annul_fixture(fixture_id=fixture.pk, confirm=True, **act, now=now + 3 * HOUR)
        go_on(competition, now + 3 * HOUR, pairs=False)
        assert everything(competition)["fixtures"] != before["fixtures"]
        take_back_annulment(fixture_id=fixture.pk, confirm=True, **act, now=now + 4 * HOUR)
        go_on(competition, now + 4 * HOUR)
        assert_same(everything(competition), before)
    assert faults_of(competition, now + 4 * HOUR) == []
