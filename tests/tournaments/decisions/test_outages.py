"""Losses on time in an outage: the matches go on with the time they had, and that can be taken back."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.test import Client, override_settings

from matches.models import Match
from matches.services.verification import verify_match
from rules_engine.values import Ending, Side
from tests.marks import nightly
from tests.matches.play import act, move_both
from tests.matches.test_drawn_decisions import DECISION, GAME
from tests.tournaments.decisions.test_decision_taken_back import MATCHES, SHOWN, SIZES, play_some
from tests.tournaments.decisions.undoing import RECIPES, assert_same, begin, everything, faults_of, go_on
from tests.tournaments.verbs import (
    NOON,
    end,
    give_addresses,
    make_olga,
    move_in,
    pause,
    resume,
    running,
    send_mails,
    start_cup,
    withdraw,
)
from tournaments.decisions.errors import InvalidOutage, NothingToTakeBack
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_replay
from tournaments.decisions.services.undo.outages import (
    find_lost,
    forgive_outage,
    take_back_outage,
    what_follows_from_forgiving,
    what_follows_from_taking_back_outage,
)
from tournaments.models import Fixture, LogEntry
from tournaments.office.services.locks import lock_competition
from tournaments.rounds.errors import MatchesWouldBeLost
from tournaments.running.services.catch_up import catch_up

pytestmark = pytest.mark.django_db

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
LOST = NOON + 10 * DAY
"""When who has not moved since noon loses on time."""


@pytest.fixture(autouse=True)
def without_vacation():
    with override_settings(VACATION_DAYS=0):
        yield


@pytest.fixture
def olga(db):
    return make_olga()


@pytest.fixture
def cup(olga):
    """Return a knock-out of four, in which each has ten days for all moves."""
    return begin("knock-out", 4, organiser=olga)


def expire(competition, now):
    with transaction.atomic():
        catch_up(competition=lock_competition(competition_id=competition.pk), now=now)
    go_on(competition, now, pairs=False)


def forgive(competition, begins_at, ends_at, now, **options):
    olga = competition.organisers.get()
    forgive_outage(
        **{"competition_id": competition.pk, "begins_at": begins_at, "ends_at": ends_at, "confirm": True} | options,
        actor=olga,
        reason="The server was down.",
        now=now,
    )
    go_on(competition, now, pairs=False)


def take_back(competition, now, *, confirm=True):
    olga = competition.organisers.get()
    take_back_outage(competition_id=competition.pk, confirm=confirm, actor=olga, reason="It was not.", now=now)
    go_on(competition, now, pairs=False)


def check(competition, now):
    assert faults_of(competition, now) == []
    for match in Match.objects.all():
        assert verify_match(match=match) == []


def sides_of(fixture):
    """Return who loses on time, and who wins by that, unless somebody moves."""
    loser = Side(fixture.match.side)
    return (fixture.yellow, fixture.red) if loser is Side.YELLOW else (fixture.red, fixture.yellow)


@pytest.mark.both_databases
@pytest.mark.parametrize("name", [*SHOWN, *nightly(sorted(RECIPES.keys() - {*SHOWN}))])
def test_forgive_and_take_back_equals_nothing_and_again_equals_once(name, olga, monkeypatch):
    source = random.Random(name)
    monkeypatch.setattr("secrets.randbelow", source.randrange)
    competition = begin(name, SIZES.get(name, 5), organiser=olga)
    now = play_some(competition, source, source.randrange(1, MATCHES.get(name, 4)))
    for fixture in running(competition):
        if source.random() < 0.5:
            move_both(fixture.match)
    move_in(source.choice(running(competition)), now + MINUTE)
    lost_at = min(each.match.deadline for each in running(competition))
    span, now = (lost_at - HOUR, lost_at + MINUTE), lost_at + HOUR
    expire(competition, span[1])
    before = everything(competition)
    follows = what_follows_from_forgiving(competition_id=competition.pk, begins_at=span[0], ends_at=span[1], now=now)
    lost = find_lost(competition_id=competition.pk, begins_at=span[0], ends_at=span[1])
    assert lost
    assert all(any(str(each) in sentence for sentence in follows.sentences) for each in lost)
    assert_same(everything(competition), before)
    forgive(competition, *span, now)
    assert {each.pk for each in lost} <= {each.pk for each in running(competition)}
    acted = everything(competition)
    check(competition, now)
    take_back(competition, now + MINUTE)
    assert_same(everything(competition), before)
    check(competition, now + MINUTE)
    forgive(competition, *span, now + 2 * MINUTE)
    assert_same(everything(competition), acted)
    check(competition, now + 2 * MINUTE)


def test_a_pause_in_the_outage_counts_for_nobody(cup):
    fixture = running(cup)[0]
    pause(cup, now=NOON + 2 * DAY)
    resume(cup, now=NOON + 3 * DAY)
    now = LOST + 2 * DAY
    expire(cup, now)
    # When it began nine of ten days were left.
    forgive(cup, NOON + DAY, now, now)
    assert Match.objects.get(pk=fixture.match_id).deadline == now + 9 * DAY
    check(cup, now)


def test_whose_turn_began_in_the_outage_has_all_of_their_time_and_others_keep_their_results(cup):
    first, second = running(cup)
    match = first.match
    while match.side == first.match.side:
        match = act(match, now=NOON + DAY)
    now = NOON + 12 * DAY
    expire(cup, now)
    forgive(cup, NOON + HOUR, now, now, kept=[second.pk])
    again = Match.objects.get(pk=first.match_id)
    assert again.deadline == now + match.banks[Side(match.side)]
    assert Match.objects.get(pk=second.match_id).ending == Ending.TIMEOUT
    check(cup, now)


def test_who_did_not_begin_in_time_can_begin_after_all(olga):
    cup, _entries = start_cup(2, begin_hours=20, organiser=olga)
    now = NOON + 30 * HOUR
    expire(cup, now)
    before = everything(cup)
    forgive(cup, NOON + 5 * HOUR, now, now)
    assert running(cup)[0].match.deadline == now + 15 * HOUR
    check(cup, now)
    take_back(cup, now + HOUR)
    assert_same(everything(cup), before)
    check(cup, now + HOUR)


def test_after_too_many_late_decisions_the_next_one_has_its_time(olga):
    bank, increment, cap = DECISION.in_seconds
    clock: dict[str, Any] = {"time_bank": bank, "time_increment": increment, "time_cap": cap}
    cup, _entries = start_cup(2, game=GAME, legs=1, organiser=olga, **clock)
    now = NOON + HOUR
    expire(cup, now)
    before = everything(cup)
    assert Fixture.objects.get().ending == Ending.TIMEOUT
    forgive(cup, NOON, now, now)
    assert running(cup)[0].match.deadline == now + DECISION.bank
    check(cup, now)
    take_back(cup, now)
    assert_same(everything(cup), before)
    check(cup, now)


def test_what_was_played_on_is_decided_as_before_only_if_that_is_confirmed(cup):
    first, second = running(cup)
    (loser, winner), (other_loser, other_winner) = sides_of(first), sides_of(second)
    now = LOST + HOUR
    expire(cup, now)
    forgive(cup, NOON, now, now)
    for each in running(cup):
        move_in(each, now)
    end(second, other_loser, now + HOUR)
    go_on(cup, now + HOUR)
    now += 2 * HOUR
    follows = what_follows_from_taking_back_outage(competition_id=cup.pk, now=now)
    assert {each.pk for each in follows.overruled} == {first.pk, second.pk}
    assert f"{other_winner} wins the tie against {other_loser}." in follows.sentences
    with pytest.raises(MatchesWouldBeLost, match="2 matches in which somebody has moved"):
        take_back(cup, now, confirm=False)
    take_back(cup, now)
    final = running(cup)[0]
    assert {final.yellow, final.red} == {winner, other_winner}
    assert Fixture.objects.get(pk=first.pk).ending == Ending.FORFEIT
    assert loser.pk not in {final.yellow_id, final.red_id}
    check(cup, now)


def test_who_has_left_since_stays_out_and_what_was_forgiven_is_taken_back_once(cup):
    first, second = running(cup)
    expire(cup, LOST)
    withdraw(sides_of(first)[0], cup.organisers.get(), LOST + HOUR)
    now = LOST + 2 * HOUR
    forgive(cup, LOST - HOUR, LOST, now)
    assert [each.pk for each in running(cup)] == [second.pk]
    take_back(cup, now)
    with pytest.raises(NothingToTakeBack):
        take_back(cup, now)


@pytest.mark.parametrize("name", ["knock-out", "two legs", "round robin in rounds"])
def test_matches_that_follow_on_others_in_the_outage_go_on_too_once_these_end_as_before(name, olga):
    competition, now = begin(name, 4, organiser=olga), LOST
    while running(competition):
        expire(competition, now)
        now += 11 * DAY
    assert competition.status == "finished"
    *_earlier, last_but_one, _last = sorted(set(Fixture.objects.values_list("finished_at", flat=True)))
    span = (last_but_one - HOUR, now)
    before = everything(competition)
    lost = find_lost(competition_id=competition.pk, begins_at=span[0], ends_at=span[1])
    first = [each for each in lost if each.finished_at == lost[0].finished_at]
    later = next(each for each in lost if each not in first)
    follows = what_follows_from_forgiving(competition_id=competition.pk, begins_at=span[0], ends_at=span[1], now=now)
    (said,) = [each for each in follows.sentences if "as soon as the same two are to meet there again" in each]
    assert f"{later} (match {later.match_id})" in said
    forgive(competition, *span, now)
    assert running(competition) == first
    acted = everything(competition)
    check(competition, now)
    take_back(competition, now + MINUTE)
    assert_same(everything(competition), before)
    check(competition, now + MINUTE)
    now += 2 * MINUTE
    forgive(competition, *span, now)
    assert_same(everything(competition), acted)
    for each in first:
        end(each, Side.YELLOW if each.points.yellow else Side.RED, now + MINUTE)
    go_on(competition, now + MINUTE, pairs=False)
    again = next(each for each in running(competition) if each.match_id == later.match_id)
    assert again.match.deadline == now + MINUTE + 10 * DAY
    check(competition, now + MINUTE)


@pytest.mark.parametrize("undo", [(replay_fixture, take_back_replay), (annul_fixture, take_back_annulment)])
def test_what_was_annulled_since_is_taken_back_first(olga, undo):
    robin = begin("round robin", 4, organiser=olga)
    expire(robin, LOST)
    before, now = everything(robin), LOST + HOUR
    forgive(robin, LOST - HOUR, LOST, now)
    about: dict[str, Any] = {"fixture_id": running(robin)[0].pk, "confirm": True, "actor": olga, "reason": "Rain."}
    do, undo_it = undo
    do(**about, now=now)
    with pytest.raises(NothingToTakeBack, match="Take back first what annulled them"):
        take_back(robin, now)
    undo_it(**about, now=now)
    take_back(robin, now)
    assert_same(everything(robin), before)
    check(robin, now)


@pytest.mark.parametrize(
    ("begins_at", "ends_at", "kept", "field"),
    [
        (LOST, LOST, 0, "ends_at"),
        (LOST - HOUR, LOST + 2 * DAY, 0, "ends_at"),
        (LOST - 40 * DAY, LOST, 0, "ends_at"),
        (LOST - DAY, LOST - HOUR, 0, "begins_at"),
        (LOST - HOUR, LOST + HOUR, 2, "kept"),
        (LOST - HOUR, LOST + HOUR, 3, "kept"),
    ],
)
def test_a_span_is_over_and_short_and_something_that_goes_on_was_lost_in_it(cup, begins_at, ends_at, kept, field):
    keys = [each.pk for each in running(cup)]
    expire(cup, LOST)
    with pytest.raises(InvalidOutage) as refusal:
        forgive(cup, begins_at, ends_at, LOST + DAY, kept=[*keys, 10**6][:kept])
    assert list(refusal.value.fields) == [field]
    assert not LogEntry.objects.filter(action="outage-forgiven").exists()


def test_the_page_lists_what_was_lost_and_asks_again_and_those_concerned_get_a_mail(cup, time_machine):
    first, second = running(cup)
    time_machine.move_to(LOST + DAY, tick=False)
    expire(cup, LOST)
    give_addresses()
    client = Client()
    client.force_login(cup.organisers.get())
    path = f"{cup.get_desk_url()}forgive-outage/"
    assert path in client.get(cup.get_desk_url()).content.decode()
    span = {"begins_at": f"{LOST - 59 * MINUTE:%Y-%m-%dT%H:%M}", "ends_at": f"{LOST:%Y-%m-%dT%H:%M}", "reason": "Down."}
    assert client.get(path).status_code == 200
    shown = client.post(path, span)
    page = shown.content.decode()
    assert f'type="checkbox" name="kept" value="{first.pk}"' in page
    assert f"{second} (match {second.match_id}) goes on: {sides_of(second)[0]} has 59:00." in page
    kept = span | {"kept": [first.pk]}
    again = client.post(path, kept | {"seen": shown.context["seen"]})
    assert f"{first} (match {first.match_id}) goes on" not in again.content.decode()
    assert not {first, second} & set(running(cup))
    done = client.post(path, kept | {"seen": again.context["seen"]})
    assert done.status_code == 302
    assert second in running(cup)
    assert first not in running(cup)
    assert LogEntry.objects.get(action="outage-forgiven").subject == f"{second} (match {second.match_id})"
    mails = send_mails(LOST + DAY)
    assert {name for name, text in mails.items() if "lost on time in an outage" in text} == {
        str(second.yellow),
        str(second.red),
    }
    back = client.post(f"{cup.get_desk_url()}take-back-outage/", {"reason": "It was not."})
    assert back.status_code == 302
    assert not {first, second} & set(running(cup))
