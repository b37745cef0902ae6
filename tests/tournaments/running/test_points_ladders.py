"""The games that a points ladder starts by itself, and who gets none."""

import random
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from matches.clock import CORRESPONDENCE
from matches.services import expire_due, play_move, start_match
from players.models import Player
from players.services import note_act
from tests.marks import nightly_rows
from tests.matches.test_queries import queries_of
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.models import Entry, EntryStatus, Fixture
from tournaments.running.services import ladder_pairings as pairings
from tournaments.running.services.ladder_pairings import pair_ladder, pair_ladders

pytestmark = pytest.mark.django_db


def start_ladder(size, **options):
    ladder = verbs.make_ladder(**options)
    entries = verbs.enter_all(ladder, verbs.make_players(size))
    verbs.start(ladder)
    return ladder, entries


def games_of(ladder):
    return Counter(entry for fixture in verbs.running(ladder) for entry in (fixture.yellow, fixture.red))


@pytest.mark.parametrize(("size", "games_each", "games"), [(1, 2, 0), (2, 2, 1), (3, 2, 3), (8, 2, 8), (9, 3, 13)])
def test_everybody_is_kept_at_so_many_games(size, games_each, games):
    ladder, _ = start_ladder(size, games_each=games_each)
    assert verbs.pair(ladder) == games
    assert verbs.pair(ladder) == 0


@pytest.mark.parametrize(("seed", "rounds"), [(0, 32), *nightly_rows((seed, 60) for seed in range(3))])
def test_limits_hold_whatever_happens(seed, rounds):
    source = random.Random(seed)
    ladder, _entries = start_ladder(9)
    met: dict[Any, Any] = {}
    # A pair may meet again after 28 rounds.
    for hour in range(rounds):
        now = NOON + timedelta(hours=12 * hour)
        verbs.pair(ladder, now)
        assert max(games_of(ladder).values(), default=0) <= 2
        pairs = [frozenset((each.yellow, each.red)) for each in verbs.running(ladder)]
        assert len(set(pairs)) == len(pairs)
        for fixture in verbs.running(ladder):
            if fixture.created_at == now:
                last = met.get(frozenset((fixture.yellow, fixture.red)))
                assert last is None or now - last >= timedelta(days=14)
        for fixture in source.sample(verbs.running(ladder), min(2, len(pairs))):
            verbs.end(fixture, source.choice([fixture.yellow, fixture.red, None]), now)
            met[frozenset((fixture.yellow, fixture.red))] = now
    assert Fixture.objects.filter(competition=ladder, counted_at__isnull=False).count() > rounds


def test_a_pair_meets_again_after_the_pause_with_sides_swapped():
    ladder, _ = start_ladder(2, games_each=1)
    verbs.pair(ladder)
    (first,) = verbs.running(ladder)
    verbs.end(first, None)
    assert verbs.pair(ladder, NOON + timedelta(days=14, seconds=-1)) == 0
    verbs.recompute_tables(competition_id=ladder.pk, now=NOON)
    assert verbs.pair(ladder, NOON + timedelta(days=14)) == 1
    (second,) = verbs.running(ladder)
    assert (second.yellow, second.red) == (first.red, first.yellow)


def test_a_batch_is_limited_and_asks_for_the_next(monkeypatch, django_capture_on_commit_callbacks):
    ladder, _ = start_ladder(8)
    queued = []
    monkeypatch.setattr(
        "tournaments.office.services.after_commit._send",
        lambda task, competition_id: queued.append((task, competition_id)),
    )
    with django_capture_on_commit_callbacks(execute=True):
        assert pair_ladder(ladder_id=ladder.pk, now=NOON, limit=3) == 3
    assert ("tournaments.tasks.pair_ladder", ladder.pk) in queued
    assert verbs.pair(ladder) == 5


@pytest.mark.parametrize("window", [2, 500])
def test_nobody_is_left_without_a_game_for_being_far_down(monkeypatch, window):
    monkeypatch.setattr(pairings, "WINDOW", window)
    ladder, _ = start_ladder(8)
    assert [pair_ladder(ladder_id=ladder.pk, now=NOON, limit=3) for _ in range(4)] == [3, 3, 2, 0]
    games = Counter(entry for fixture in verbs.running(ladder) for entry in (fixture.yellow_id, fixture.red_id))
    assert set(games.values()) == {2}
    assert len(games) == 8


def test_more_games_are_started_by_as_many_queries():
    ladder, _ = start_ladder(12)
    verbs.recompute_tables(competition_id=ladder.pk, now=NOON)
    # The very first match of a database adds a row to SQLite's counters of ids: one query more.
    pair_ladder(ladder_id=ladder.pk, now=NOON, limit=1)
    few = queries_of(lambda: pair_ladder(ladder_id=ladder.pk, now=NOON, limit=2))
    many = queries_of(lambda: pair_ladder(ladder_id=ladder.pk, now=NOON, limit=9))
    assert Fixture.objects.count() == 12
    assert len(few) == len(many)


def lose_on_time(ladder):
    """Let the first game be lost on time; return the loser's entry and the moment."""
    at = NOON + timedelta(days=10)
    loser_of = {
        fixture.pk: (fixture.yellow if fixture.match.side == "yellow" else fixture.red)
        for fixture in verbs.running(ladder)
    }
    expire_due(now=at)
    verbs.settle_all(at)
    losers = {Entry.objects.get(pk=entry.pk) for entry in loser_of.values()}
    return losers, at


@pytest.mark.parametrize("way", ["move", "act", "enter"])
def test_a_player_who_lost_on_time_gets_games_again_once_they_do_anything(way):
    ladder, _ = start_ladder(2, games_each=1, rematch_days=0, inactive_days=0)
    assert pair_ladders(now=NOON) == 1
    (loser,), at = lose_on_time(ladder)
    assert loser.waits_since == at
    stranger = Player.objects.create(username="stranger")
    match = start_match(
        game="streetsoccer-board", yellow=loser.player, red=stranger, time_control=CORRESPONDENCE, now=at
    )
    note_act(player=loser.player, now=at - timedelta(seconds=1))
    assert [pair_ladders(now=at) for _ in range(2)] == [0, 0]
    later = at + timedelta(minutes=1)
    if way == "move":
        play_move(match_id=match.pk, player=loser.player, ply=0, text=match.state.legal_moves()[0], now=later)
    elif way == "act":
        note_act(player=loser.player, now=later)
    else:
        assert verbs.enter(ladder, loser.player, later).waits_since is None
    assert pair_ladders(now=later) == 1
    loser.refresh_from_db()
    assert loser.waits_since is None
    # They ask for games that they have got for coming back.
    assert way == "move" or verbs.enter(ladder, loser.player, later) == loser


def test_after_a_backlog_a_player_who_lost_on_time_gets_no_more_games():
    ladder, _ = start_ladder(3, games_each=1, rematch_days=0)
    verbs.pair(ladder)
    (game,) = verbs.running(ladder)
    loser = game.yellow if game.match.side == "yellow" else game.red
    late = NOON + timedelta(days=20)
    assert verbs.pair(ladder, late) == 1
    assert loser not in {player for each in verbs.running(ladder) for player in (each.yellow, each.red)}
    verbs.end_all(ladder, None, late)
    # The matches decide, and not what has been noted of them.
    Entry.objects.update(waits_since=None)
    assert verbs.pair(ladder, late) == 1
    assert loser not in {player for each in verbs.running(ladder) for player in (each.yellow, each.red)}
    loser.refresh_from_db()
    assert loser.waits_since == NOON + timedelta(days=10)


def test_a_player_who_waits_because_of_a_loss_waits_no_more_once_it_is_annulled():
    ladder, _ = start_ladder(2, games_each=1, rematch_days=0)
    verbs.pair(ladder)
    (loser,), at = lose_on_time(ladder)
    Fixture.objects.update(is_annulled=True)
    assert verbs.pair(ladder, at) == 1
    loser.refresh_from_db()
    assert loser.waits_since is None


def test_a_leaver_finishes_their_games_gets_no_more_and_is_gone():
    ladder, entries = start_ladder(3)
    verbs.pair(ladder)
    leaver = verbs.leave(entries[0])
    assert leaver.status == EntryStatus.ON_HOLD
    own = [each for each in verbs.running(ladder) if leaver in {each.yellow, each.red}]
    verbs.end(own[0], leaver)
    verbs.pair(ladder)
    leaver.refresh_from_db()
    assert leaver.status == EntryStatus.ON_HOLD
    verbs.end(own[1], leaver)
    verbs.pair(ladder)
    leaver.refresh_from_db()
    assert (leaver.status, leaver.left_at) == (EntryStatus.GONE, NOON)
    assert Fixture.objects.filter(competition=ladder, counted_at__isnull=False).count() == 2
    assert verbs.enter(ladder, leaver.player) == leaver
    leaver.refresh_from_db()
    assert (leaver.status, leaver.left_at) == (EntryStatus.ACTIVE, None)


def test_a_leaver_with_no_game_running_is_gone_at_once():
    _, entries = start_ladder(1)
    assert verbs.leave(entries[0]).status == EntryStatus.GONE


def test_a_player_who_is_withdrawn_forfeits_their_games():
    ladder, entries = start_ladder(3)
    verbs.pair(ladder)
    organiser = Player.objects.create(username="organiser", is_superuser=True)
    assert verbs.withdraw(entries[0], organiser).status == EntryStatus.GONE
    verbs.settle_all()
    assert Fixture.objects.filter(competition=ladder, ending="forfeit").count() == 2
    assert games_of(ladder) == {entries[1]: 1, entries[2]: 1}


def test_all_ladders_are_paired_and_ended_ones_are_not():
    first, _ = start_ladder(2, slug="first")
    second = verbs.make_ladder(slug="second")
    verbs.enter_all(second, [entry.player for entry in Entry.objects.filter(competition=first)])
    assert pair_ladders(now=NOON) == 1
    verbs.start(second)
    assert pair_ladders(now=NOON) == 1
