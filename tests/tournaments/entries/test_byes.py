"""Byes on request: who asks beforehand sits out one round of a Swiss, for the points of a draw."""

import random
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Q

from formats.scoring.points import STOCK_TABLES, write_table
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.entries.errors import ByeHad, ByesNotInFormat, ByesNotOffered, EntryOver, NoByeRequest, RoundDrawn
from tournaments.entries.selectors.byes import find_bye_choice, list_bye_rounds
from tournaments.entries.services.byes import request_bye, take_back_bye
from tournaments.models import Bye, ByeRequest, Competition, CompetitionStatus, Cup, Entry, Fixture, LogEntry, Standing
from tournaments.office.errors import EntryNotFound
from tournaments.records.group_records import read_record
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.draws import preview_draw
from tournaments.running.selectors.entry_conditions import reasons_not_to_enter
from tournaments.running.services import next_rounds
from tournaments.running.services.next_rounds import pair_due_rounds, pair_round
from tournaments.running.services.verification import waiting_in_competition
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
SWISS = {"format": "swiss", "byes_on_request": True}


def open_swiss(size: int, **options) -> tuple[Cup, list[Entry]]:
    cup = verbs.make_cup(**SWISS | options)
    return cup, verbs.enter_all(cup, verbs.make_players(size))


def start_swiss(size: int, **options) -> tuple[Cup, list[Entry]]:
    """Return a running Swiss, and its entries in the order in which they came."""
    cup, entries = open_swiss(size, **options)
    verbs.start(cup)
    return cup, [fresh(entry) for entry in entries]


def fresh(entry: Entry) -> Entry:
    return Entry.objects.select_related("player", "competition").get(pk=entry.pk)


def ask(entry: Entry, number: int, now=NOON) -> Entry:
    return request_bye(entry_id=entry.pk, round_number=number, actor=entry.player, now=now)


def take_back(entry: Entry, now=NOON) -> Entry:
    return take_back_bye(entry_id=entry.pk, actor=entry.player, now=now)


def next_round(cup: Cup, now=NOON) -> None:
    """End all running matches, and draw the next round."""
    verbs.play_out(cup, random.Random(1), now=now)
    pair_due_rounds(now=now + HOUR)
    recompute_stale(now=now + HOUR)


def asked_byes(cup: Cup) -> list[tuple[int, str]]:
    byes = Bye.objects.filter(round__group__stage__competition=cup, is_asked=True).order_by("round__number", "pk")
    return list(byes.values_list("round__number", "seat__entry__player__username"))


def matches_of(entry: Entry, number: int) -> int:
    return Fixture.objects.filter(Q(yellow=entry) | Q(red=entry), round__number=number).count()


def test_a_player_who_asks_sits_out_the_round_for_the_points_of_a_draw():
    cup, _entries = start_swiss(5)
    own = verbs.running(cup)[0]
    asking = own.yellow
    ask(asking, 2)
    next_round(cup)
    assert asked_byes(cup) == [(2, asking.player.username)]
    # Of five, four are left: nobody has a bye for being left over.
    assert Bye.objects.filter(round__number=2).count() == 1
    assert (matches_of(asking, 1), matches_of(asking, 2)) == (1, 0)
    own.refresh_from_db()
    assert Standing.objects.get(seat__entry=asking).points == own.points.yellow + 2
    assert verbs.faults_of(cup, now=NOON + HOUR) == []


def test_a_bye_is_worth_what_a_draw_is_by_the_points_table():
    cup, entries = open_swiss(5, point_table=write_table(STOCK_TABLES["3-1-0"]))
    ask(entries[4], 1)
    verbs.start(cup)
    recompute_stale(now=NOON)
    assert Standing.objects.get(seat__entry=entries[4]).points == 1
    assert verbs.faults_of(cup) == []


def test_a_round_that_was_asked_for_before_the_draw_is_sat_out_too():
    cup, entries = open_swiss(5)
    ask(entries[4], 1)
    (drawn,) = preview_draw(competition=cup, seed=1).groups[0].rounds
    assert ([entry.pk for entry in drawn.asked_byes], drawn.byes) == ([entries[4].pk], ())
    verbs.draw(cup)
    assert asked_byes(cup) == [(1, "player-5")]
    with pytest.raises(RoundDrawn, match=r"Round 1 has been drawn. The next one to be drawn is round 2."):
        ask(entries[0], 1)
    verbs.start(cup)
    assert matches_of(entries[4], 1) == 0
    recompute_stale(now=NOON)
    assert Standing.objects.get(seat__entry=entries[4]).points == 2
    assert verbs.faults_of(cup) == []


def test_a_request_holds_for_its_round_alone_and_is_taken_back_until_this_is_drawn():
    cup, entries = start_swiss(6)
    ask(entries[0], 3)
    ask(entries[1], 2)
    take_back(entries[1])
    next_round(cup)
    assert asked_byes(cup) == []
    take_back(ask(entries[1], 3))
    next_round(cup, NOON + 2 * HOUR)
    assert asked_byes(cup) == [(3, "player-1")]
    with pytest.raises(RoundDrawn, match=r"Round 3 has been drawn. It was the last one."):
        take_back(entries[0])
    with pytest.raises(NoByeRequest, match="player-2 has not asked for a bye"):
        take_back(entries[1])


def test_nobody_asks_for_two():
    cup, entries = start_swiss(6)
    ask(entries[0], 2)
    ask(entries[0], 3)
    assert ByeRequest.objects.values_list("seat__entry", "round_number").get() == (entries[0].pk, 3)
    ask(entries[0], 2)
    lines = LogEntry.objects.filter(competition=cup, action="bye-requested")
    ask(entries[0], 2)
    assert list(lines.order_by("pk").values_list("subject", flat=True)) == [
        "player-1, round 2",
        "player-1, round 3",
        "player-1, round 2",
    ]
    next_round(cup)
    with pytest.raises(ByeHad, match="player-1 has had a bye on request, in round 2"):
        ask(entries[0], 3)
    assert list_bye_rounds(fresh(entries[0])) == []
    with pytest.raises(IntegrityError), transaction.atomic():
        ByeRequest.objects.create(seat=entries[0].seat, round_number=3, requested_at=NOON)


def test_before_the_draw_rounds_are_counted_for_all_who_may_come():
    _cup, (entry, *_others) = open_swiss(3)
    assert list_bye_rounds(fresh(entry)) == [1, 2]
    Competition.objects.update(max_entrants=16)
    assert list_bye_rounds(fresh(entry)) == [1, 2, 3, 4]


def test_latecomers_make_no_more_rounds_and_can_ask_too():
    cup, _entries = start_swiss(4, late_entry=True)
    late = [verbs.enter(cup, each, now=NOON + HOUR) for each in verbs.make_players(3, "late")]
    assert list_bye_rounds(fresh(late[0])) == [2]
    ask(late[0], 2)
    next_round(cup)
    assert asked_byes(cup) == [(2, "late-1")]


@pytest.mark.parametrize(
    ("options", "refusal", "sentence"),
    [
        ({"format": "swiss"}, ByesNotOffered, "Players cannot ask for byes in this competition."),
        (ROUND_ROBIN, ByesNotInFormat, "only if each round is drawn after the previous one"),
        ({"format": "knock-out"}, ByesNotInFormat, "only if each round is drawn after the previous one"),
    ],
)
def test_nobody_asks_where_there_are_no_byes_on_request(options, refusal, sentence):
    _cup, (entry, *_others) = verbs.open_cup(4, **options)
    for act in (lambda: ask(entry, 2), lambda: take_back(entry)):
        with pytest.raises(refusal, match=sentence):
            act()
    assert find_bye_choice(fresh(entry)) is None


def test_nobody_asks_on_a_ladder_or_after_leaving_or_after_the_end():
    (on_ladder,) = verbs.enter_all(verbs.make_ladder(), verbs.make_players(1, "climber"))
    with pytest.raises(ByesNotInFormat):
        ask(on_ladder, 1)
    cup, entries = start_swiss(5)
    verbs.withdraw(entries[0])
    with pytest.raises(EntryOver):
        ask(entries[0], 2)
    assert find_bye_choice(fresh(entries[0])) is None
    verbs.cancel(cup)
    with pytest.raises(WrongCompetitionStatus):
        ask(entries[1], 2)
    assert find_bye_choice(fresh(entries[1])) is None
    with pytest.raises(EntryNotFound):
        request_bye(entry_id=10**9, round_number=1, actor=entries[1].player, now=NOON)


def test_an_organiser_asks_for_anybody():
    cup, entries = start_swiss(5)
    (olga,) = verbs.make_players(1, "olga")
    cup.organisers.add(olga)
    request_bye(entry_id=entries[0].pk, round_number=2, actor=olga, reason="A wedding.", now=NOON)
    assert verbs.last_log(cup) == ("olga-1", "bye-requested", "player-1, round 2", "A wedding.")
    take_back_bye(entry_id=entries[0].pk, actor=olga, reason="No wedding.", now=NOON)
    assert verbs.last_log(cup) == ("olga-1", "bye-undone", "player-1, round 2", "No wedding.")
    assert not ByeRequest.objects.exists()


def test_if_too_few_were_left_nobody_sits_out_and_they_can_ask_again():
    cup, entries = start_swiss(3, rounds=3)
    for entry in entries[:2]:
        ask(entry, 2)
    next_round(cup)
    assert asked_byes(cup) == []
    choice = find_bye_choice(fresh(entries[0]))
    assert choice is not None
    assert (choice.refused, choice.requested, choice.granted, list(choice.rounds)) == (2, None, None, [3])
    with pytest.raises(RoundDrawn):
        take_back(entries[0])
    ask(entries[0], 3)
    next_round(cup, NOON + 2 * HOUR)
    assert asked_byes(cup) == [(3, "player-1")]


def test_a_player_who_takes_over_a_seat_takes_over_the_request():
    cup, entries = start_swiss(5)
    (olga, new) = verbs.make_players(2, "new")
    cup.organisers.add(olga)
    ask(entries[0], 2)
    taken = verbs.replace(entries[0], new, by=olga)
    choice = find_bye_choice(fresh(taken))
    assert choice is not None
    assert choice.requested == 2
    next_round(cup)
    assert asked_byes(cup) == [(2, "new-2")]
    with pytest.raises(ByeHad):
        ask(fresh(taken), 3)
    assert verbs.faults_of(cup, now=NOON + HOUR) == []


def test_taking_back_the_start_leaves_requests_for_the_rounds_that_are_drawn_again():
    cup, entries = start_swiss(6)
    (olga,) = verbs.make_players(1, "olga")
    cup.organisers.add(olga)
    ask(entries[0], 2)
    next_round(cup)
    verbs.undo_start(cup, by=olga, now=NOON + 2 * HOUR)
    assert asked_byes(cup) == []
    verbs.start(cup, NOON + 3 * HOUR)
    next_round(cup, NOON + 4 * HOUR)
    assert asked_byes(cup) == [(2, "player-1")]


@pytest.mark.parametrize("is_drawing", [False, True])
def test_a_request_that_comes_after_the_round_before_has_ended_comes_too_late(is_drawing, monkeypatch):
    cup, entries = start_swiss(5)
    ask(entries[1], 2)
    verbs.play_out(cup, random.Random(1))
    group = cup.first_stage.groups.get()
    assert list_bye_rounds(fresh(entries[0])) == [3]
    choice = find_bye_choice(fresh(entries[1]))
    assert choice is not None
    assert (choice.requested, choice.refused) == (2, None)

    def ask_and_take_back():
        with pytest.raises(RoundDrawn, match=r"Round 2 has been drawn. The next one to be drawn is round 3."):
            ask(entries[0], 2, NOON + HOUR)
        with pytest.raises(RoundDrawn, match=r"Round 2 has been drawn. The next one to be drawn is round 3."):
            take_back(entries[1], NOON + HOUR)
        ask(entries[0], 3, NOON + HOUR)

    def read_and_be_overtaken(group):
        record = read_record(group)
        monkeypatch.undo()
        ask_and_take_back()
        return record

    if is_drawing:
        monkeypatch.setattr(next_rounds, "read_record", read_and_be_overtaken)
        assert not pair_round(group_id=group.pk, now=NOON + HOUR)
    else:
        ask_and_take_back()
    # What each refused request had drawn is drawn by the one that counts.
    assert asked_byes(cup) == [(2, "player-2")]
    next_round(cup, NOON + 2 * HOUR)
    assert asked_byes(cup) == [(2, "player-2"), (3, "player-1")]


def test_a_swiss_with_byes_withdrawals_and_late_entries_at_random_ends_with_the_table_that_its_results_give():
    for seed in range(4):
        source = random.Random(seed)
        rounds = 5 if seed % 2 else None
        cup = verbs.make_cup(slug=f"cup-{seed}", name=f"Cup {seed}", **SWISS, late_entry=True, rounds=rounds)
        entries = verbs.enter_all(cup, verbs.make_players(source.choice([4, 7, 10]), f"p{seed}"))
        verbs.start(cup)
        now = NOON
        while Cup.objects.get(pk=cup.pk).status == CompetitionStatus.RUNNING:
            now += HOUR
            for entry in [fresh(each) for each in source.sample(entries, 3)]:
                if entry.is_in and (coming := list_bye_rounds(entry)):
                    ask(entry, source.choice(coming), now)
            if source.random() < 0.3:
                leaver = fresh(source.choice(entries))
                if leaver.is_in:
                    verbs.withdraw(leaver, now=now)
            if source.random() < 0.5:
                (late,) = verbs.make_players(1, f"late-{seed}-{now:%H}")
                if not reasons_not_to_enter(competition=Cup.objects.get(pk=cup.pk), player=late):
                    entries.append(verbs.enter(cup, late, now=now))
            for fixture in verbs.running(cup):
                verbs.end(fixture, source.choice([fixture.yellow, fixture.red, None]), now)
            pair_due_rounds(now=now + HOUR / 2)
            recompute_stale(now=now + HOUR / 2)
            assert verbs.faults_of(cup, now=now + HOUR / 2) == []
        cup.refresh_from_db()
        assert waiting_in_competition(competition=cup, now=now) == []
        names = [name for _round, name in asked_byes(cup)]
        assert len(names) == len(set(names))
        for number, name in asked_byes(cup):
            request = ByeRequest.objects.get(seat__entry__player__username=name)
            assert request.round_number == number
    assert Bye.objects.filter(is_asked=True).exists()
