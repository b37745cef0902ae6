"""What an act cost comes back with the time that was left, dated by what happened, once the act is taken back."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from matches.models import Match
from matches.services import resign
from rules_engine.values import Side
from tests.matches.play import move_both
from tests.tournaments import verbs
from tests.tournaments.decisions.test_time_travel import pair_of, round_of
from tests.tournaments.decisions.undoing import assert_same, begin, everything, faults_of, go_on
from tests.tournaments.teams.leagues import enter, make_league, make_teams
from tests.tournaments.verbs import NOON, end, make_olga, move_in, running, undo_withdrawal, withdraw
from tournaments.decisions.errors import NothingToTakeBack
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture
from tournaments.decisions.services.round_dates import set_round_date
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture, what_follows_from_annulling
from tournaments.decisions.services.undo.corrections import take_back_correction, what_follows_from_correcting
from tournaments.decisions.services.undo.decisions import (
    take_back_annulment,
    take_back_decision,
    take_back_replay,
    what_follows_from_taking_back_replay,
)
from tournaments.decisions.services.undo.rivals import Counting
from tournaments.decisions.services.undo.round_ends import take_back_round_end
from tournaments.models import Fixture, RoundEnd

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
WHY = "Wrong button."


@pytest.fixture
def act(db):
    """Return what every act is called with."""
    return {"actor": make_olga(), "reason": WHY}


def going_on(competition):
    return {each.pk for each in running(competition)}


def meet_again(ladder, first, now):
    """Play a ladder until the two of a game have been paired again, and return that game, in which one has moved."""
    while not (again := [each for each in running(ladder) if pair_of(each) == pair_of(first)]):
        end(next(each for each in running(ladder) if pair_of(each) & pair_of(first)), Side.YELLOW, now)
        verbs.pair(ladder, now=now)
    move_in(again[0], now)
    return again[0]


def test_a_game_that_went_for_another_is_back_once_that_one_does_not_go_on(act):
    ladder = begin("points ladder", 4, organiser=act["actor"])
    first = running(ladder)[0]
    about: dict[str, Any] = {"fixture_id": first.pk, **act}
    annul_fixture(**about, now=NOON + HOUR)
    go_on(ladder, NOON + HOUR)
    second = meet_again(ladder, first, NOON + HOUR)
    before = everything(ladder)
    for again in range(2):
        take_back_annulment(**about, now=NOON + 2 * HOUR, confirm=True)
        assert {first.pk, second.pk} & going_on(ladder) == {first.pk}
        follows = what_follows_from_annulling(fixture_id=first.pk, now=NOON + 3 * HOUR).sentences
        assert any(f"goes on from where it stood: {second} (match {second.match_id})" in each for each in follows)
        if again:
            adjudicate_fixture(**about, winner=Side.RED, now=NOON + 3 * HOUR)
            go_on(ladder, NOON + 3 * HOUR, pairs=False)
        else:
            annul_fixture(**about, now=NOON + 3 * HOUR)
            assert_same(everything(ladder), before)
        assert {first.pk, second.pk} & going_on(ladder) == {second.pk}
        assert faults_of(ladder, NOON + 3 * HOUR) == []
    # It was played to its end instead: that it counts no more brings nothing back.
    take_back_decision(**about, now=NOON + 4 * HOUR, confirm=True)
    resign(match_id=first.match_id, player=first.yellow.player, now=NOON + 5 * HOUR)
    go_on(ladder, NOON + 5 * HOUR, pairs=False)
    annul_fixture(**about, now=NOON + 6 * HOUR)
    go_on(ladder, NOON + 6 * HOUR, pairs=False)
    assert not {first.pk, second.pk} & going_on(ladder)
    assert faults_of(ladder, NOON + 6 * HOUR) == []


def test_each_end_of_a_round_is_taken_back_by_itself_the_last_first_and_what_was_adjudicated_stays(act):
    cup = begin("knock-out in rounds", 6, organiser=act["actor"])
    for each in running(cup):
        move_in(each, NOON)
    one, other = running(cup)
    started = everything(cup)
    end_round(round=round_of(cup, 1), policy=RoundEnd.FORFEIT, **act, now=NOON + DAY)
    go_on(cup, NOON + DAY)
    take_back_decision(fixture_id=one.pk, confirm=True, **act, now=NOON + 2 * DAY)
    adjudicate_fixture(fixture_id=one.pk, winner=Side.RED, **act, now=NOON + 2 * DAY)
    take_back_decision(fixture_id=other.pk, confirm=True, **act, now=NOON + 3 * DAY)
    go_on(cup, NOON + 3 * DAY)
    set_round_date(round=round_of(cup, 1), ends_at=NOON + 20 * DAY, **act, now=NOON + 3 * DAY)
    between = everything(cup)
    end_round(round=round_of(cup, 1), policy=RoundEnd.FORFEIT, **act, now=NOON + 4 * DAY)
    go_on(cup, NOON + 4 * DAY)
    take_back_round_end(round=round_of(cup, 1), confirm=True, **act, now=NOON + 6 * DAY)
    go_on(cup, NOON + 6 * DAY)
    assert_same(everything(cup), between)
    assert round_of(cup, 1).ends_at == NOON + 22 * DAY
    # Of the first end nothing is left: one was adjudicated since, the other goes on.
    take_back_round_end(round=round_of(cup, 1), confirm=True, **act, now=NOON + 7 * DAY)
    take_back_decision(fixture_id=one.pk, confirm=True, **act, now=NOON + 7 * DAY)
    go_on(cup, NOON + 7 * DAY)
    assert_same(everything(cup), started)
    assert faults_of(cup, NOON + 7 * DAY) == []
    with pytest.raises(NothingToTakeBack):
        take_back_round_end(round=round_of(cup, 1), confirm=True, **act, now=NOON + 8 * DAY)


def test_a_round_that_was_ended_early_or_begins_again_has_the_time_that_was_left(act):
    cup = begin("knock-out in rounds", 6, organiser=act["actor"])
    end(running(cup)[0], Side.YELLOW, NOON)
    last = running(cup)[0]
    move_in(last, NOON)
    end_round(round=round_of(cup, 1), policy=RoundEnd.FORFEIT, **act, now=NOON + 2 * DAY)
    go_on(cup, NOON + 2 * DAY)
    assert round_of(cup, 2).ends_at == NOON + 9 * DAY
    last.refresh_from_db()
    was = Side.YELLOW if last.points.yellow > last.points.red else Side.RED
    take_back_round_end(round=round_of(cup, 1), confirm=True, **act, now=NOON + 3 * DAY)
    assert round_of(cup, 1).ends_at == NOON + 8 * DAY
    # A round in which a match is new has all of its days.
    for winner, now, left in ((was.opponent, 4, 7), (was.opponent, 6, 6), (was, 8, 6)):
        adjudicate_fixture(fixture_id=last.pk, winner=winner, **act, now=NOON + now * DAY)
        go_on(cup, NOON + now * DAY)
        assert round_of(cup, 2).ends_at == NOON + (now + left) * DAY
        take_back_decision(fixture_id=last.pk, confirm=True, **act, now=NOON + (now + 1) * DAY)
        assert round_of(cup, 2).ends_at is None


def test_who_was_leaving_a_ladder_still_leaves_under_another_name(act):
    ladder = begin("points ladder", 4, organiser=act["actor"])
    leaving, playing = running(ladder)[0].yellow, running(ladder)[0].red
    verbs.leave(leaving, NOON + HOUR)
    for entry in (leaving, playing):
        entry.player.username = f"new-{entry.player.username}"
        entry.player.save(update_fields=["username"])
        withdraw(entry, act["actor"], NOON + 2 * HOUR)
        entry.player.username = f"very-{entry.player.username}"
        entry.player.save(update_fields=["username"])
        undo_withdrawal(entry, act["actor"], NOON + 3 * HOUR)
    statuses = dict(ladder.entries.values_list("pk", "status"))
    assert (statuses[leaving.pk], statuses[playing.pk]) == ("on-hold", "active")


def test_a_board_without_a_player_is_forfeited_as_of_the_round_whenever_that_is_derived(act):
    league = make_league(boards=2, organiser=act["actor"])
    teams = [enter(league, team, count=count) for team, count in zip(make_teams(2, 2), (1, 2), strict=True)]
    verbs.start(league)
    (unmanned,) = Fixture.objects.filter(competition=league, counted_at__isnull=False)
    assert unmanned.finished_at == NOON
    withdraw(teams[1], act["actor"], NOON + HOUR)
    undo_withdrawal(teams[1], act["actor"], NOON + 2 * HOUR)
    go_on(league, NOON + 2 * HOUR)
    unmanned.refresh_from_db()
    assert (unmanned.ending, unmanned.finished_at) == ("forfeit", NOON)
    assert faults_of(league, NOON + 2 * HOUR) == []


def test_who_goes_on_from_a_bracket_is_asked_once_the_bracket_follows_from_what_counts(act):
    later: dict[str, Any] = {"advance": {"first": 2}, "later": [{"format": "round-robin"}]}
    cup, _entries = verbs.start_cup(4, legs=1, **later, organiser=act["actor"])
    one, other = running(cup)
    for each in (one, other):
        end(each, Side.YELLOW, NOON + HOUR)
    go_on(cup, NOON + HOUR)
    verbs.correct(one, Side.RED, act["actor"], NOON + 2 * HOUR)
    go_on(cup, NOON + 2 * HOUR)
    (final,) = running(cup)
    end(final, one.red, NOON + 3 * HOUR)
    go_on(cup, NOON + 3 * HOUR)
    assert {each.entry for each in cup.stages.get(number=2).seats.all()} == {one.red, other.yellow}
    withdraw(other.yellow, act["actor"], NOON + 4 * HOUR)
    go_on(cup, NOON + 4 * HOUR)
    take_back_correction(fixture_id=one.pk, confirm=True, **act, now=NOON + 5 * HOUR)
    go_on(cup, NOON + 5 * HOUR)
    assert faults_of(cup, NOON + 5 * HOUR) == []


@pytest.mark.parametrize("name", ["round robin", "knock-out", "two legs", "double elimination", "swiss"])
@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("leaves_first", [False, True])
def test_what_was_forfeited_by_leaving_stays_so_when_a_replay_is_taken_back(act, name, is_over, leaves_first):
    cup = begin(name, 4, organiser=act["actor"])
    game = running(cup)[0]
    move_in(game, NOON)
    if is_over:
        end(game, Side.YELLOW, NOON)
        go_on(cup, NOON, pairs=False)
    if not leaves_first:
        replay_fixture(fixture_id=game.pk, confirm=True, **act, now=NOON + HOUR)
    withdraw(game.yellow, act["actor"], NOON + 2 * HOUR)
    go_on(cup, NOON + 2 * HOUR, pairs=False)
    if leaves_first:
        before = everything(cup)
        replay_fixture(fixture_id=game.pk, confirm=True, **act, now=NOON + 3 * HOUR)
        go_on(cup, NOON + 3 * HOUR, pairs=False)
    take_back_replay(fixture_id=game.pk, confirm=True, **act, now=NOON + 4 * HOUR)
    go_on(cup, NOON + 4 * HOUR, pairs=False)
    if leaves_first:
        assert_same(everything(cup), before)
    else:
        kept = Fixture.objects.get(match=game.match_id)
        assert (kept.is_annulled, kept.ending != "", Match.objects.get(pk=game.match_id).side) == (False, True, "")
        assert (kept.ending == "forfeit") is not is_over
    assert faults_of(cup, NOON + 4 * HOUR) == []


def test_a_preview_names_the_final_places_and_the_ratings_that_change(act):
    cup = begin("knock-out", 4, organiser=act["actor"])
    while games := running(cup):
        move_both(games[0].match)
        end(games[0], Side.YELLOW, NOON + HOUR)
        go_on(cup, NOON + HOUR)
    final = Fixture.objects.get(tie__part="main", tie__round__number=2)
    names = ("points_yellow", "points_red", "goals_yellow", "goals_red")
    corrected: dict[str, Any] = dict.fromkeys(names) | {"winner": Side.RED, "is_rated": True}
    said = what_follows_from_correcting(fixture_id=final.pk, **corrected, now=NOON + 2 * HOUR).sentences
    assert f"Final places change: {final.red} 2 → 1, {final.yellow} 1 → 2." in said
    both = ", ".join(sorted([str(final.yellow), str(final.red)]))
    assert f"Ratings are calculated again: {both}." in said


def matches_of(competition):
    rows = Fixture.objects.filter(competition=competition).order_by("match")
    return list(rows.values_list("match", "is_annulled", "annulment", "match__ply", "match__status", "counted_at"))


@pytest.mark.parametrize("name", ["knock-out", "two legs", "round robin", "swiss", "points ladder"])
def test_where_somebody_has_moved_in_both_the_organiser_chooses_whether_the_match_or_its_replay_counts(act, name):
    competition = begin(name, 4, organiser=act["actor"])
    old = running(competition)[0]
    move_in(old, NOON)
    new = replay_fixture(fixture_id=old.pk, confirm=True, **act, now=NOON + HOUR)
    about: dict[str, Any] = {"fixture_id": old.pk, **act}
    with pytest.raises(NothingToTakeBack):
        take_back_replay(**about, confirm=False, counts=Counting.NEW, now=NOON + HOUR)
    move_in(new, NOON + HOUR)
    go_on(competition, NOON + HOUR, pairs=False)
    before = everything(competition)
    both = f"Both {old} (match {old.match_id}) and {new} (match {new.match_id}) have been played."
    said = what_follows_from_taking_back_replay(fixture_id=old.pk, now=NOON + 2 * HOUR)
    assert both in " ".join(said.sentences)
    assert new in said.lost
    kept = what_follows_from_taking_back_replay(fixture_id=old.pk, counts=Counting.NEW, now=NOON + 2 * HOUR)
    assert not kept.at_stake
    take_back_replay(**about, confirm=False, counts=Counting.NEW, now=NOON + 2 * HOUR)
    go_on(competition, NOON + 2 * HOUR, pairs=False)
    assert_same(everything(competition), before)
    old.refresh_from_db()
    assert (old.is_annulled, old.cause.action, old.cause.logged_at) == (True, "annulled", NOON + 2 * HOUR)
    # The other one, and back again: the new match goes on where it stood.
    take_back_replay(**about, confirm=True, now=NOON + 3 * HOUR)
    go_on(competition, NOON + 3 * HOUR, pairs=False)
    assert old in running(competition)
    replay_fixture(fixture_id=old.pk, confirm=True, **act, now=NOON + 4 * HOUR)
    go_on(competition, NOON + 4 * HOUR, pairs=False)
    assert new.match_id in {each.match_id for each in running(competition)}
    assert_same(everything(competition), before)
    assert faults_of(competition, NOON + 4 * HOUR) == []


@pytest.mark.parametrize("by", ["annulment", "decision"])
def test_where_the_same_two_play_again_on_a_ladder_the_organiser_chooses_which_game_counts(act, by):
    ladder = begin("points ladder", 4, organiser=act["actor"])
    first = running(ladder)[0]
    move_in(first, NOON)
    about: dict[str, Any] = {"fixture_id": first.pk, **act}
    undo = {"annulment": take_back_annulment, "decision": take_back_decision}[by]
    if by == "annulment":
        annul_fixture(**about, now=NOON + HOUR)
    else:
        adjudicate_fixture(**about, winner=Side.RED, now=NOON + HOUR)
    go_on(ladder, NOON + HOUR)
    second = meet_again(ladder, first, NOON + HOUR)
    before, stored = everything(ladder), matches_of(ladder)
    undo(**about, confirm=False, counts=Counting.NEW, now=NOON + 2 * HOUR)
    go_on(ladder, NOON + 2 * HOUR, pairs=False)
    assert {first.pk, second.pk} & going_on(ladder) == {second.pk}
    first.refresh_from_db()
    assert (first.is_annulled, first.cause.logged_at) == (True, NOON + 2 * HOUR)
    assert faults_of(ladder, NOON + 2 * HOUR) == []
    if by == "decision":
        take_back_annulment(**about, confirm=False, now=NOON + 3 * HOUR)
        go_on(ladder, NOON + 3 * HOUR, pairs=False)
    assert_same(everything(ladder), before)
    assert matches_of(ladder) == stored
    undo(**about, confirm=True, now=NOON + 4 * HOUR)
    go_on(ladder, NOON + 4 * HOUR, pairs=False)
    assert {first.pk, second.pk} & going_on(ladder) == {first.pk}
    assert faults_of(ladder, NOON + 4 * HOUR) == []


def test_the_page_and_the_api_ask_which_counts_only_where_two_have_been_played(act, time_machine):
    time_machine.move_to(NOON + HOUR, tick=False)
    cup = begin("knock-out", 4, organiser=act["actor"])
    old = running(cup)[0]
    move_in(old, NOON)
    new = replay_fixture(fixture_id=old.pk, confirm=True, **act, now=NOON)
    client = Client()
    client.force_login(act["actor"])
    path = f"{cup.get_desk_url()}fixtures/{old.pk}/take-back-replay/"
    assert 'type="radio" name="counts"' not in client.get(path).content.decode()
    move_in(new, NOON)
    page = client.get(path).content.decode()
    assert 'type="radio" name="counts" value="old"' in page
    assert f"{new} (match {new.match_id}), which began since" in page
    asked = client.post(path, {"counts": "new", "reason": WHY})
    said = f"{new} (match {new.match_id}) counts. {old} (match {old.match_id}) is annulled."
    assert said in asked.content.decode()
    assert 'name="confirm"' not in asked.content.decode()
    done = client.post(path, {"counts": "new", "reason": WHY, "seen": asked.context["seen"]}, follow=True)
    assert "The new match counts." in done.content.decode()
    assert new in running(cup)
    api = f"/api/v1/competitions/{cup.slug}/fixtures/{old.pk}/take-back-replay/"
    assert said in " ".join(client.get(f"{api}preview/?counts=new").json()["sentences"])
    answer = client.post(api, {"counts": "old", "confirm": True, "reason": WHY}, content_type="application/json")
    assert answer.status_code == 200
    assert old in running(cup)
