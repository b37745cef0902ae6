"""Acts taken back in another order than the reverse: what stands decides, and nothing is left of the others."""

import random
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client, override_settings

from rules_engine.values import Ending, Side
from tests.marks import nightly, nightly_rows
from tests.tournaments import verbs
from tests.tournaments.decisions.test_decision_taken_back import HOUR, KINDS, MATCHES, SIZES, WHY, Decisions, play_some
from tests.tournaments.decisions.test_outages import LOST, expire, forgive
from tests.tournaments.decisions.test_outages import take_back as take_back_outage
from tests.tournaments.decisions.undoing import RECIPES, assert_same, begin, everything, faults_of, go_on, state_of
from tests.tournaments.verbs import NOON, correct, end, make_olga, move_in, replay, running, undo_withdrawal, withdraw
from tournaments.decisions.errors import NothingToTakeBack
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.undo.annulments import annul_fixture
from tournaments.decisions.services.undo.corrections import (
    take_back_correction,
    what_follows_from_correcting,
    what_follows_from_taking_back_correction,
)
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_decision, take_back_replay
from tournaments.decisions.services.undo.replacements import take_back_replacement
from tournaments.decisions.services.undo.round_ends import take_back_round_end
from tournaments.entries.services.replacement import replace_entry
from tournaments.models import Competition, Entry, Fixture, Group, Round, RoundEnd, Tie
from web.errors import DomainError

pytestmark = pytest.mark.django_db

MOVING = {"swiss", "points ladder", "challenge ladder"}
"""Where new pairings are made of what counts meanwhile, and stand."""


@pytest.fixture
def act(db):
    """Return what every act is called with."""
    return {"actor": make_olga(), "reason": WHY}


@pytest.fixture(autouse=True)
def without_vacation():
    with override_settings(VACATION_DAYS=0):
        yield


def moments_of(competition):
    """Return when everything in a competition began, was decided and ended."""
    groups = Group.objects.filter(stage__competition=competition)
    rounds = Round.objects.filter(group__in=groups).order_by("group__stage__number", "group__number", "number")
    ties = Tie.objects.filter(round__group__in=groups).order_by("round__number", "part", "slot")
    fixtures = Fixture.objects.filter(competition=competition, is_annulled=False).order_by("match", "yellow", "red")
    return {
        "competition": list(Competition.objects.filter(pk=competition.pk).values_list("started_at", "finished_at")),
        "groups": list(groups.order_by("stage__number", "number").values_list("started_at", "ended_at")),
        "rounds": list(rounds.values_list("started_at", "ended_at", "cut_short_at")),
        "ties": list(ties.values_list("first", "second", "winner", "decided_by", "decided_at")),
        "fixtures": list(fixtures.values_list("match", "yellow", "red", "finished_at")),
    }


def whole(competition):
    return everything(competition) | {f"moments of {name}": each for name, each in moments_of(competition).items()}


def take_back_all(undo, competition, now):
    """Take back what can be taken back, in this order, until nothing is left but what has no object any more."""
    while undo:
        for each in undo:
            now += HOUR
            try:
                with transaction.atomic():
                    each(now)
            except DomainError:
                continue
            go_on(competition, now, pairs=False)
            assert faults_of(competition, now) == []
            undo.remove(each)
            break
        else:
            return


CHAINED = [(name, 0) for name in ("knock-out", "round robin", "groups then knock-out", "mini cup")]
MORE = [(name, seed) for seed in range(30) for name in sorted(RECIPES.keys() - MOVING) if (name, seed) not in CHAINED]


@pytest.mark.parametrize("chain", [*CHAINED, *nightly(MORE)], ids=lambda chain: "-".join(map(str, chain)))
def test_acts_taken_back_in_any_order_equal_nothing(chain, act, monkeypatch):
    name, seed = chain
    monkeypatch.setattr("secrets.randbelow", random.Random(seed).randrange)
    source = random.Random(f"{name}-{seed}")
    competition = begin(name, SIZES.get(name, 5), organiser=act["actor"])
    now = play_some(competition, source, source.randrange(1, 2 + 2 * MATCHES.get(name, 6)))
    before, undo = whole(competition), []
    for _ in range(source.randrange(2, 5)):
        now += HOUR
        if running(competition):
            undo.append(getattr(Decisions(competition, source, act, now), source.choice(KINDS))())
            go_on(competition, now, pairs=False)
    source.shuffle(undo)
    take_back_all(undo, competition, now)
    assert_same(whole(competition), before)


def test_a_match_that_was_forfeited_goes_on_whenever_the_withdrawal_is_taken_back(act):
    robin = begin("round robin", 4, organiser=act["actor"])
    before, fixture = whole(robin), running(robin)[0]
    withdraw(fixture.yellow, act["actor"], NOON + HOUR)
    annul_fixture(fixture_id=fixture.pk, **act, now=NOON + 2 * HOUR)
    undo_withdrawal(fixture.yellow, act["actor"], NOON + 3 * HOUR)
    take_back_annulment(fixture_id=fixture.pk, confirm=True, **act, now=NOON + 4 * HOUR)
    go_on(robin, NOON + 4 * HOUR)
    assert_same(whole(robin), before)


def test_a_forfeit_that_was_corrected_is_not_taken_back_before_the_correction(act):
    robin = begin("round robin", 4, organiser=act["actor"])
    before, fixture = whole(robin), running(robin)[0]
    withdraw(fixture.yellow, act["actor"], NOON + HOUR)
    correct(Fixture.objects.get(pk=fixture.pk), Side.YELLOW, act["actor"], NOON + 2 * HOUR)
    with pytest.raises(NothingToTakeBack, match="Results were corrected since"):
        undo_withdrawal(fixture.yellow, act["actor"], NOON + 3 * HOUR)
    take_back_correction(fixture_id=fixture.pk, confirm=True, **act, now=NOON + 4 * HOUR)
    undo_withdrawal(fixture.yellow, act["actor"], NOON + 5 * HOUR)
    go_on(robin, NOON + 5 * HOUR)
    assert_same(whole(robin), before)


@pytest.mark.parametrize(
    ("who", "moves"), [("loser", False), ("winner", True), *nightly_rows([("loser", True), ("winner", False)])]
)
def test_a_loss_on_time_that_is_not_forgiven_any_more_holds_though_a_withdrawal_came_between(act, who, moves):
    robin = begin("round robin", 4, organiser=act["actor"])
    fixture = running(robin)[0]
    lost = Side(fixture.match.side)
    loser, winner = (fixture.yellow, fixture.red) if lost is Side.YELLOW else (fixture.red, fixture.yellow)
    expire(robin, LOST)
    before, now = whole(robin), LOST + HOUR
    forgive(robin, NOON, LOST, now)
    if moves:
        move_in(fixture, now)
    leaving = loser if who == "loser" else winner
    withdraw(leaving, act["actor"], now + HOUR)
    go_on(robin, now + HOUR)
    take_back_outage(robin, now + 2 * HOUR)
    undo_withdrawal(leaving, act["actor"], now + 3 * HOUR)
    go_on(robin, now + 3 * HOUR)
    assert faults_of(robin, now + 3 * HOUR) == []
    again = Fixture.objects.get(pk=fixture.pk)
    assert again.ending == (Ending.TIMEOUT if not moves else again.ending)
    assert (again.points.yellow > again.points.red) is (lost is Side.RED)
    if not moves:
        assert_same(whole(robin), before)


def test_a_round_that_was_ended_early_stays_so_while_a_match_of_it_is_played_again(act):
    cup: Any = begin("two legs", 4, organiser=act["actor"])
    end(running(cup)[0], Side.YELLOW, NOON)
    go_on(cup, NOON)
    before, first = whole(cup), verbs.round_of(cup, 1)
    end_round(round=first, policy=RoundEnd.FORFEIT, **act, now=NOON + HOUR)
    go_on(cup, NOON + HOUR)
    ended = whole(cup)
    played = Fixture.objects.filter(round=first).order_by("pk")[0]
    replay(played, act["actor"], NOON + 2 * HOUR, confirm=True)
    take_back_replay(fixture_id=played.pk, confirm=True, **act, now=NOON + 3 * HOUR)
    go_on(cup, NOON + 3 * HOUR)
    assert_same(whole(cup), ended)
    take_back_round_end(round=first, confirm=True, **act, now=NOON + 4 * HOUR)
    go_on(cup, NOON + 4 * HOUR)
    assert_same(whole(cup), before)


def test_a_match_that_goes_on_again_waits_with_its_round(act):
    robin = begin("round robin in rounds", 4, organiser=act["actor"])
    games = running(robin)
    before = whole(robin)
    for game in games:
        adjudicate_fixture(fixture_id=game.pk, winner=Side.YELLOW, **act, now=NOON + HOUR)
    go_on(robin, NOON + HOUR)
    later = running(robin)[0]
    adjudicate_fixture(fixture_id=later.pk, winner=Side.RED, **act, now=NOON + 2 * HOUR)
    go_on(robin, NOON + 2 * HOUR)
    for place, game in enumerate([games[0], later, games[1]]):
        take_back_decision(fixture_id=game.pk, confirm=True, **act, now=NOON + (3 + place) * HOUR)
        go_on(robin, NOON + (3 + place) * HOUR)
    assert_same(whole(robin), before)


@pytest.mark.parametrize("name", ["round robin", "knock-out"])
def test_places_that_were_taken_over_are_given_back_in_any_order(act, name):
    competition = begin(name, 4, organiser=act["actor"])
    before, game = whole(competition), running(competition)[0]
    newcomers = verbs.make_players(2, "newcomer")
    for place, entry in enumerate([game.yellow, game.red]):
        replace_entry(entry_id=entry.pk, player=newcomers[place], **act, now=NOON + (1 + place) * HOUR)
    for place, entry in enumerate([game.yellow, game.red]):
        take_back_replacement(entry_id=entry.pk, confirm=True, **act, now=NOON + (3 + place) * HOUR)
    go_on(competition, NOON + 4 * HOUR)
    assert_same(whole(competition), before)


def test_a_replay_is_one_though_a_place_was_taken_over_meanwhile(act):
    robin = begin("round robin", 4, organiser=act["actor"])
    game, (newcomer,) = running(robin)[0], verbs.make_players(1, "newcomer")
    end(game, Side.YELLOW, NOON)
    go_on(robin, NOON)
    before = whole(robin)
    replay(game, act["actor"], NOON + HOUR)
    replace_entry(entry_id=game.yellow_id, player=newcomer, **act, now=NOON + 2 * HOUR)
    take_back_replacement(entry_id=game.yellow_id, confirm=True, **act, now=NOON + 3 * HOUR)
    take_back_replay(fixture_id=game.pk, confirm=True, **act, now=NOON + 4 * HOUR)
    go_on(robin, NOON + 4 * HOUR)
    assert_same(whole(robin), before)


def test_who_has_won_in_a_place_that_was_taken_over_gives_it_back(act):
    cup = begin("knock-out", 4, organiser=act["actor"])
    first, (newcomer,) = running(cup)[0].yellow, verbs.make_players(1, "newcomer")
    before = whole(cup)["ties"]
    new = replace_entry(entry_id=first.pk, player=newcomer, **act, now=NOON)
    while game := next(iter(running(cup)), None):
        end(game, new if new in {game.yellow, game.red} else Side.YELLOW, NOON + HOUR)
        go_on(cup, NOON + HOUR)
    assert cup.winner == new
    take_back_replacement(entry_id=first.pk, confirm=True, **act, now=NOON + 3 * HOUR)
    go_on(cup, NOON + 3 * HOUR)
    assert (cup.status, cup.winner, faults_of(cup, NOON + 3 * HOUR)) == ("running", None, [])
    assert whole(cup)["ties"] != before
    assert first in {running(cup)[0].yellow, running(cup)[0].red}


def test_a_stage_that_comes_back_half_played_is_as_it_was_drawn_and_began_when_it_had(act):
    cup = begin("groups then knock-out", 6, organiser=act["actor"])
    now = NOON
    while not Tie.objects.filter(decided_at__isnull=False).exists():
        now += timedelta(minutes=1)
        end(running(cup)[0], Side.YELLOW, now)
        go_on(cup, now)
    before, drawn = whole(cup), {each.pk for each in running(cup)}
    results = Fixture.objects.filter(competition=cup, group__stage__number=1).order_by("pk")
    names = ("points_yellow", "points_red", "goals_yellow", "goals_red")
    entered: Any = dict.fromkeys(names) | {"winner": Side.RED, "is_rated": True}
    anew = "Stage 2 is taken back. It is drawn anew."
    decisive = next(
        each
        for each in results
        if anew in what_follows_from_correcting(fixture_id=each.pk, **entered, now=now + HOUR).sentences
    )
    correct(decisive, Side.RED, act["actor"], now + HOUR)
    go_on(cup, now + HOUR)
    between = [each for each in running(cup) if each.pk not in drawn]
    assert between
    about: dict[str, Any] = {"fixture_id": decisive.pk, "now": now + 2 * HOUR}
    said = what_follows_from_taking_back_correction(**about).sentences
    assert "Stage 2 is taken back. It is again as it was drawn before." in said
    take_back_correction(**about, confirm=True, **act)
    go_on(cup, now + 2 * HOUR)
    assert_same(whole(cup), before)
    # Of what was drawn between, players see nothing: nobody has moved there.
    for fixture in between:
        page = Client().get(fixture.yellow.player.get_absolute_url()).content.decode()
        assert f"/matches/{fixture.match_id}/" not in page


def test_who_left_after_the_groups_had_ended_goes_on_though_a_match_of_them_was_replayed_meanwhile(act):
    cup = begin("groups then knock-out", 6, organiser=act["actor"])
    games = list(Fixture.objects.filter(competition=cup).order_by("pk"))
    while not cup.stages.get(number=2).seats.exists():
        end(running(cup)[0], Side.YELLOW, NOON)
        go_on(cup, NOON)
    before, drawn = whole(cup), state_of(cup)["seats"]
    leaving = cup.stages.get(number=2).seats.get(seed=1).entry
    game = next(each for each in games if leaving in {each.yellow, each.red})
    withdraw(leaving, act["actor"], NOON + HOUR)
    replay(game, act["actor"], NOON + 2 * HOUR, confirm=True)
    go_on(cup, NOON + 2 * HOUR)
    assert not cup.stages.get(number=2).seats.filter(entry=leaving).exists()
    take_back_replay(fixture_id=game.pk, confirm=True, **act, now=NOON + 3 * HOUR)
    go_on(cup, NOON + 3 * HOUR)
    assert (faults_of(cup, NOON + 3 * HOUR), state_of(cup)["seats"]) == ([], drawn)
    undo_withdrawal(leaving, act["actor"], NOON + 4 * HOUR)
    go_on(cup, NOON + 4 * HOUR)
    assert_same(whole(cup), before)


def test_what_is_forfeited_without_play_is_dated_by_the_leaving_not_by_when_it_was_noted(act):
    robin = begin("round robin in rounds", 4, organiser=act["actor"])
    waiting = Fixture.objects.filter(competition=robin, round__number=3).select_related("yellow", "red")[0]
    withdraw(waiting.yellow, act["actor"], NOON + HOUR)
    withdraw(waiting.red, act["actor"], NOON + 2 * HOUR)
    undo_withdrawal(waiting.yellow, act["actor"], NOON + 9 * HOUR)
    waiting.refresh_from_db()
    assert (waiting.ending, waiting.finished_at) == (Ending.FORFEIT, NOON + 2 * HOUR)
    assert waiting.points.yellow > waiting.points.red


def test_who_was_leaving_a_ladder_still_leaves_after_a_withdrawal_was_taken_back(act):
    ladder = begin("points ladder", 4, organiser=act["actor"])
    leaving, playing = running(ladder)[0].yellow, running(ladder)[0].red
    verbs.leave(leaving, NOON + HOUR)
    for entry in (leaving, playing):
        withdraw(entry, act["actor"], NOON + 2 * HOUR)
        undo_withdrawal(entry, act["actor"], NOON + 3 * HOUR)
    statuses = dict(Entry.objects.filter(competition=ladder).values_list("pk", "status"))
    assert (statuses[leaving.pk], statuses[playing.pk]) == ("on-hold", "active")


def test_what_recomputing_withdraws_names_that(act, time_machine):
    cup: Any = begin("knock-out", 4, organiser=act["actor"])
    for game in running(cup):
        end(game, Side.YELLOW, NOON)
    go_on(cup, NOON)
    final = verbs.tie_of(cup, 2, 0).fixtures.get()
    tie = verbs.tie_of(cup, 1, 0)
    winner, loser = (tie.first, tie.second) if tie.winner == tie.first else (tie.second, tie.first)
    Tie.objects.filter(pk=tie.pk).update(winner=loser)
    for rows, sides in (
        (Tie.objects.filter(pk=final.tie_id), ("first", "second")),
        (
            Fixture.objects.filter(pk=final.pk),
            ("yellow", "red"),
        ),
    ):
        for side in sides:
            rows.filter(**{side: winner}).update(**{side: loser})
    time_machine.move_to(NOON, tick=False)
    call_command("recompute", stdout=StringIO())
    annulled = Fixture.objects.get(competition=cup, is_annulled=True)
    assert (annulled.pk, annulled.cause.action) == (final.pk, "recounted")
