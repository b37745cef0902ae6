"""Cups in which a group starts as soon as enough players are there, and players who score enough go up a level."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from matches.services.adjudication import adjudicate_match
from players.models import Player
from rules_engine.values import Side
from tests.marks import nightly
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.conftest import in_world
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.withdrawal import what_follows_from_withdrawing
from tournaments.models import CompetitionStatus, Cup, Entry, Fixture, Group, LogEntry, Seat
from tournaments.records.competitions import open_competitions
from tournaments.records.cups import Wait, cup_waits_for
from tournaments.rounds.errors import MatchesWouldBeLost, TooFewEntrants, WrongCompetitionStatus
from tournaments.rounds.services.draws import preview_draw
from tournaments.running.errors import AlreadyEntered, EntryClosed
from tournaments.running.services.next_rounds import pair_due_rounds
from tournaments.running.services.settlement import settle_match
from tournaments.running.services.start import start_competition, start_competition_if_due, start_due_competitions
from tournaments.tables.services.standings import recompute_stale

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("stored")]

MINUTE = timedelta(minutes=1)
LEVELS: dict[str, Any] = {
    "format": "round-robin",
    "cycles": 2,
    "grouping": {"whenever": 3},
    "advance": {"first": 0, "above_percent": 50, "levels": 99},
    "late_entry": True,
    "tiebreaks": [],
}
WHY = "It has to be."


def start_levels(players: int, *, prefix: str = "player", **options: Any) -> tuple[Cup, list[Player]]:
    """Return a cup that has started, and its players in the order in which they came."""
    cup = verbs.make_cup(**LEVELS | options)
    joined = verbs.make_players(players, prefix)
    verbs.enter_all(cup, joined)
    start_due_competitions(now=NOON)
    cup.refresh_from_db()
    return cup, joined


with_two, with_three, with_four, with_nine = (in_world(start_levels, players) for players in (2, 3, 4, 9))


def enter(cup: Cup, player: Player, now: Any = NOON) -> Entry:
    return enter_competition(competition_id=cup.pk, player=player, now=now)


def groups_of(cup: Cup, level: int = 1) -> list[list[str]]:
    """Return who is in each group of a level, by name, in the order of their seeds."""
    found = []
    for group in Group.objects.filter(stage__competition=cup, stage__number=level).order_by("number"):
        seats = Seat.objects.filter(group=group).order_by("seed", "entry")
        found.append([name.removeprefix("player-") for name in seats.values_list("entry__player__username", flat=True)])
    return found


def waiting(cup: Cup, level: int = 1) -> list[str]:
    seats = Seat.objects.filter(stage__competition=cup, stage__number=level, group=None).order_by("pk")
    return [name.removeprefix("player-") for name in seats.values_list("entry__player__username", flat=True)]


def let_win(cup: Cup, group: int, *names: str, level: int = 1, now: Any = NOON, settle: bool = True) -> None:
    """Let those who are named first win all their matches of a group against those who are named later."""
    order = [f"player-{name}" for name in names]
    fixtures = Fixture.objects.filter(
        group__stage__competition=cup, group__stage__number=level, group__number=group, counted_at=None
    ).select_related("yellow__player", "red__player", "match")
    for fixture in fixtures.order_by("pk"):
        better = min(fixture.yellow, fixture.red, key=lambda entry: order.index(entry.player.username))
        winner = Side.YELLOW if better == fixture.yellow else Side.RED
        assert fixture.match_id is not None
        adjudicate_match(match_id=fixture.match_id, winner=winner, now=now)
        if settle:
            settle_match(match_id=fixture.match_id, now=now)


def work(cup: Cup, now: Any = NOON) -> None:
    """Let the workers do what there is to do, and look whether all is as the results give it."""
    pair_due_rounds(now=now)
    recompute_stale(now=now)
    cup.refresh_from_db()
    assert verbs.faults_of(cup, now) == []


@with_two
def test_the_first_group_starts_the_cup_as_soon_as_three_have_joined(world):
    cup, players = world
    assert cup.status == CompetitionStatus.OPEN
    # With each entry a task asks whether the first group can form.
    assert not start_competition_if_due(competition_id=cup.pk, now=NOON)
    third = verbs.make_players(1, prefix="third")[0]
    enter(cup, third)
    start_due_competitions(now=NOON)
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.RUNNING
    assert [entry.player for entry in Entry.objects.order_by("seats__seed")] == [*players, third]
    assert Fixture.objects.filter(competition=cup, match__isnull=False).count() == 6


def test_players_who_come_later_wait_for_the_next_group_and_play_in_the_order_of_entry():
    cup, _ = start_levels(8)
    assert (groups_of(cup), waiting(cup)) == ([["1", "2", "3"], ["4", "5", "6"]], ["7", "8"])
    enter(cup, verbs.make_players(1, prefix="player-9-")[0])
    assert groups_of(cup)[2] == ["7", "8", "9--1"]
    assert waiting(cup) == []
    work(cup)


def test_a_cup_that_has_a_date_starts_then_with_all_groups_that_can_form():
    cup, _ = start_levels(7, starts_at=NOON + MINUTE)
    assert cup.status == CompetitionStatus.OPEN
    start_due_competitions(now=NOON + MINUTE)
    assert (len(groups_of(cup)), waiting(cup)) == (2, ["7"])


@with_two
def test_two_players_are_too_few_to_start_by_hand(world):
    cup, _ = world
    with pytest.raises(TooFewEntrants):
        verbs.start(cup)


@with_two
def test_there_is_no_draw(world):
    cup, _ = world
    with pytest.raises(WrongCompetitionStatus, match="no draw"):
        preview_draw(competition=cup)


@with_nine
def test_a_player_who_scores_more_than_half_goes_up_and_the_next_group_starts_at_three(world):
    cup, _ = world
    let_win(cup, 1, "1", "2", "3", now=NOON + MINUTE)
    work(cup)
    # 5-0 twice and 0-5 twice are 10 of 20 points: exactly half of what could be had is not more.
    assert (waiting(cup, 2), groups_of(cup, 2)) == (["1"], [])
    let_win(cup, 2, "5", "4", "6", now=NOON + 2 * MINUTE)
    let_win(cup, 3, "9", "8", "7", now=NOON + 3 * MINUTE)
    work(cup)
    assert (waiting(cup, 2), groups_of(cup, 2)) == ([], [["1", "5", "9"]])
    assert Fixture.objects.filter(group__stage__number=2, match__isnull=False).count() == 6
    assert LogEntry.objects.filter(competition=cup, action="level-started", subject="2").count() == 1
    assert "Level started: 2" in text_of(Client().get("/cups/cup/log/"))


@with_three
def test_a_group_from_which_nobody_scores_enough_ends_its_branch(world):
    cup, _ = world
    verbs.end_all(cup, None)
    work(cup)
    assert cup.stages.count() == 1
    assert cup.status == CompetitionStatus.RUNNING


@with_nine
def test_players_who_go_up_wait_in_the_order_in_which_groups_ended_not_in_which_they_were_settled(world):
    cup, _ = world
    let_win(cup, 3, "7", "8", "9", now=NOON + MINUTE, settle=False)
    let_win(cup, 1, "1", "2", "3", now=NOON + 2 * MINUTE, settle=False)
    # The worker settles the later group first, and is asked for those who go on at once.
    for match_id in Fixture.objects.filter(group__number=1, competition=cup).values_list("match", flat=True):
        settle_match(match_id=match_id, now=NOON + 3 * MINUTE)
    work(cup, NOON + 3 * MINUTE)
    assert waiting(cup, 2) == ["7", "1"]


@with_four
def test_a_player_can_join_the_first_level_as_often_as_groups_start(world):
    cup, players = world
    enter(cup, players[0])
    with pytest.raises(AlreadyEntered):
        enter(cup, players[0])
    with pytest.raises(AlreadyEntered):
        enter(cup, players[3])
    assert waiting(cup) == ["4", "1"]
    enter(cup, players[1])
    assert groups_of(cup) == [["1", "2", "3"], ["4", "1", "2"]]
    work(cup)


@with_three
def test_a_player_with_a_place_at_a_level_gets_no_other_one(world):
    cup, players = world
    for each in players:
        enter(cup, each)
    let_win(cup, 1, "1", "2", "3", now=NOON + MINUTE)
    let_win(cup, 2, "1", "2", "3", now=NOON + 2 * MINUTE)
    work(cup)
    assert waiting(cup, 2) == ["1"]


@with_nine
def test_a_cup_ends_when_entry_is_closed_and_no_group_plays_and_the_best_of_the_highest_level_wins(world):
    cup, _ = world
    for number, names in enumerate((("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9")), start=1):
        let_win(cup, number, *names, now=NOON + number * MINUTE)
    work(cup)
    verbs.close_entry(cup, now=NOON + 4 * MINUTE)
    work(cup)
    assert cup.status == CompetitionStatus.RUNNING
    let_win(cup, 1, "7", "1", "4", level=2, now=NOON + 5 * MINUTE)
    work(cup, NOON + 6 * MINUTE)
    assert (cup.status, str(cup.winner), cup.finished_at) == (CompetitionStatus.FINISHED, "player-7", NOON + 5 * MINUTE)


@with_four
def test_closing_entry_when_nothing_is_played_any_more_ends_the_cup_at_once(world):
    cup, _ = world
    let_win(cup, 1, "2", "1", "3", now=NOON + MINUTE)
    work(cup)
    assert cup.status == CompetitionStatus.RUNNING
    verbs.close_entry(cup, now=NOON + 9 * MINUTE)
    work(cup)
    assert (cup.status, str(cup.winner), cup.finished_at) == (CompetitionStatus.FINISHED, "player-2", NOON + 9 * MINUTE)


@with_three
def test_entry_can_be_opened_again_while_groups_play(world):
    cup, _ = world
    verbs.close_entry(cup)
    late = verbs.make_players(1, prefix="late")[0]
    with pytest.raises(EntryClosed):
        enter(cup, late)
    verbs.open_entry(cup)
    enter(cup, late)
    assert waiting(cup) == ["late-1"]


def test_entry_is_over_and_the_cup_ends_by_itself_where_the_recipe_sets_the_last_level():
    cup, players = start_levels(9, advance={"first": 1, "levels": 2})
    for number, names in enumerate((("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9")), start=1):
        let_win(cup, number, *names, now=NOON + number * MINUTE)
    work(cup)
    with pytest.raises(EntryClosed, match="last level"):
        enter(cup, players[0])
    let_win(cup, 1, "4", "1", "7", level=2, now=NOON + 5 * MINUTE)
    work(cup, NOON + 5 * MINUTE)
    assert (cup.status, str(cup.winner), cup.stages.count()) == (CompetitionStatus.FINISHED, "player-4", 2)


def test_a_player_who_has_only_waited_leaves_as_if_they_had_not_joined():
    cup, players = start_levels(5)
    entry = Entry.objects.get(player=players[3])
    assert what_follows_from_withdrawing(entry_id=entry.pk, now=NOON).sentences == [
        "player-4 is removed from the list."
    ]
    left = verbs.leave(entry)
    assert left is None
    assert waiting(cup) == ["5"]
    enter(cup, players[3])
    assert waiting(cup) == ["5", "4"]


@with_four
def test_a_player_who_withdraws_forfeits_does_not_go_up_and_waits_no_more(world):
    cup, players = world
    enter(cup, players[2])
    verbs.withdraw(Entry.objects.get(player=players[2]), now=NOON + MINUTE)
    for player in verbs.make_players(2, prefix="player-x"):
        enter(cup, player, NOON + MINUTE)
    assert groups_of(cup) == [["1", "2", "3"], ["4", "x-1", "x-2"]]
    work(cup, NOON + MINUTE)


@with_nine
def test_a_place_from_a_group_is_kept_by_who_withdraws_later_until_that_is_taken_back(world):
    cup, players = world
    boss = Player.objects.create(username="boss", is_superuser=True)
    let_win(cup, 1, "1", "2", "3", now=NOON + MINUTE)
    work(cup)
    entry = Entry.objects.get(player=players[0])
    verbs.withdraw(entry, boss, NOON + 2 * MINUTE)
    let_win(cup, 2, "4", "5", "6", now=NOON + 3 * MINUTE)
    let_win(cup, 3, "7", "8", "9", now=NOON + 4 * MINUTE)
    work(cup, NOON + 4 * MINUTE)
    assert groups_of(cup, 2) == []
    verbs.undo_withdrawal(entry, boss, NOON + 5 * MINUTE)
    work(cup, NOON + 5 * MINUTE)
    assert groups_of(cup, 2) == [["1", "4", "7"]]


@with_nine
def test_taking_a_decision_back_takes_back_the_place_and_its_group_and_the_others_wait_again(world):
    cup, _ = world
    boss = Player.objects.create(username="boss", is_superuser=True)
    decided = next(each for each in verbs.running(cup) if {str(each.yellow), str(each.red)} == {"player-1", "player-2"})
    first = Side.YELLOW if str(decided.yellow) == "player-1" else Side.RED
    verbs.adjudicate(decided, first, boss)
    for number, names in enumerate((("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9")), start=1):
        let_win(cup, number, *names, now=NOON + number * MINUTE)
    work(cup)
    assert groups_of(cup, 2) == [["1", "4", "7"]]
    verbs.move_in(next(each for each in verbs.running(cup)), NOON + 4 * MINUTE)
    with pytest.raises(MatchesWouldBeLost):
        take_back_decision(fixture_id=decided.pk, confirm=False, actor=boss, reason=WHY, now=NOON + 5 * MINUTE)
    take_back_decision(fixture_id=decided.pk, confirm=True, actor=boss, reason=WHY, now=NOON + 5 * MINUTE)
    work(cup, NOON + 5 * MINUTE)
    assert (groups_of(cup, 2), waiting(cup, 2)) == ([], ["4", "7"])
    # Both have 15 of 20 points now; the lot says who of them comes first.
    verbs.end(Fixture.objects.select_related("yellow", "red").get(pk=decided.pk), first.opponent, NOON + 6 * MINUTE)
    work(cup, NOON + 6 * MINUTE)
    ((*first_two, third),) = groups_of(cup, 2)
    assert (first_two, {third, *waiting(cup, 2)}) == (["4", "7"], {"1", "2"})


def test_taking_back_the_start_leaves_everybody_with_one_place():
    cup, players = start_levels(7)
    boss = Player.objects.create(username="boss", is_superuser=True)
    for each in players[:2]:
        enter(cup, each)
    let_win(cup, 1, "1", "2", "3", now=NOON + MINUTE)
    work(cup)
    verbs.undo_start(cup, boss, NOON + 2 * MINUTE)
    cup.refresh_from_db()
    assert (cup.status, cup.stages.count(), Group.objects.count()) == (CompetitionStatus.CLOSED, 1, 1)
    assert groups_of(cup) == [[str(number) for number in range(1, 8)]]
    start_competition(competition_id=cup.pk, actor=boss, now=NOON + 3 * MINUTE)
    assert (len(groups_of(cup)), waiting(cup)) == (2, ["7"])
    work(cup, NOON + 3 * MINUTE)


@with_four
def test_the_cup_tells_how_many_lack_for_the_next_group_of_each_level(world):
    cup, _ = world
    let_win(cup, 1, "1", "2", "3", now=NOON + MINUTE)
    work(cup)
    lacking = [(each.level, each.players) for each in cup_waits_for(cup, NOON) if each.kind is Wait.PLAYERS]
    assert lacking == [(1, 2), (2, 2)]


@pytest.mark.parametrize("seed", [0, *nightly([1, 2])])
def test_any_results_come_to_an_end_in_which_all_is_what_they_give(seed):
    cup, players = start_levels(11)
    source = random.Random(seed)
    for each in source.sample(players, 6):
        now = NOON + source.randint(1, 9) * MINUTE
        if not Seat.objects.filter(entry__player=each, group=None).exists():
            enter(cup, each, now)
    verbs.close_entry(cup)
    while verbs.play_out(cup, source) or pair_due_rounds(now=NOON):
        pass
    work(cup)
    assert cup.status == CompetitionStatus.FINISHED
    assert cup.winner is not None


def test_a_cup_in_levels_is_listed_as_open_as_long_as_players_can_join():
    cup, _players = start_levels(9, advance=LEVELS["advance"] | {"levels": 2})
    listed = [open_competitions().filter(pk=cup.pk).exists()]
    for group in (1, 2, 3):
        let_win(cup, group, *[str(3 * (group - 1) + number) for number in (1, 2, 3)])
    work(cup)
    assert groups_of(cup, 2) == [["1", "4", "7"]]
    listed.append(open_competitions().filter(pk=cup.pk).exists())
    assert listed == [True, False]


@with_three
def test_a_cup_in_levels_is_not_listed_once_entry_is_closed(world):
    cup, _players = world
    verbs.close_entry(cup)
    assert not open_competitions().filter(pk=cup.pk).exists()
