"""A player who does nothing for long leaves a ladder, dated by the last act, and comes back near the old position."""

from datetime import timedelta
from typing import Any

import pytest

from matches.services import expire_due
from players.models import Player
from players.services import note_act
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.making.services.competitions import change_competition
from tournaments.models import Entry, EntryStatus, LogEntry, PlaceChange
from tournaments.running.services.challenges import challenge
from tournaments.running.services.ladder_pairings import pair_ladders
from tournaments.tables.services.challenge_results import replay_challenges

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
LEFT = NOON + 30 * DAY + 12 * HOUR
"""The end of the thirtieth day after an act at noon."""


@pytest.fixture
def players(db):
    players = verbs.make_players(6)
    for player in players:
        note_act(player=player, now=NOON)
    return players


def begin(players, format_="challenge-ladder", **options):
    """Return a running ladder that has no games but those of its tests, and its entries."""
    ladder = verbs.make_ladder(**{"format": format_, "inactive_days": 30, "max_outgoing": 0} | options)
    entries = verbs.enter_all(ladder, players)
    verbs.start(ladder)
    return ladder, entries


def stay(players, now):
    """Let players do something."""
    for player in players:
        note_act(player=player, now=now)


def order_of(ladder):
    on_ladder = Entry.objects.filter(competition=ladder, seats__position__isnull=False).order_by("seats__position")
    assert [entry.seat.position for entry in on_ladder] == list(range(1, len(on_ladder) + 1))
    return [int(entry.player.username.removeprefix("player-")) for entry in on_ladder.select_related("player")]


def history_of(ladder):
    changes = PlaceChange.objects.filter(seat__entry__competition=ladder).order_by("changed_at", "pk")
    return list(changes.values_list("seat__entry", "place", "match", "changed_at"))


def check(ladder, now):
    """Check that everything follows from what happened, and stays so when it is played again."""
    verbs.recompute_stale_tables(competition_id=ladder.pk, now=now)
    assert verbs.faults_of(ladder, now) == []
    before = sorted(map(str, history_of(ladder)))
    replay_challenges(ladder_id=ladder.pk)
    assert sorted(map(str, history_of(ladder))) == before


def test_a_player_inactive_for_thirty_days_leaves_then_whenever_it_is_found_out(players):
    ladder, entries = begin(players)
    stay(players[:2] + players[3:], NOON + 20 * DAY)
    verbs.pair(ladder, LEFT - timedelta(seconds=1))
    assert order_of(ladder) == [1, 2, 3, 4, 5, 6]
    pair_ladders(now=NOON + 33 * DAY)
    left = Entry.objects.get(pk=entries[2].pk)
    assert (left.status, left.left_at, left.inactive_since) == (EntryStatus.GONE, LEFT, NOON)
    assert order_of(ladder) == [1, 2, 4, 5, 6]
    assert PlaceChange.objects.get(seat__entry=left, place=None).changed_at == LEFT
    line = LogEntry.objects.get(competition=ladder, action="left")
    assert (line.actor, line.subject, line.reason, line.logged_at) == (None, "player-3", "Inactive for 30 days.", LEFT)
    check(ladder, NOON + 33 * DAY)


@pytest.mark.parametrize("options", [{"inactive_days": 0}, {"inactive_days": 31}])
def test_an_option_says_how_long_inactivity_may_last(players, options):
    ladder, _ = begin(players, **options)
    verbs.pair(ladder, NOON + 31 * DAY - HOUR)
    assert order_of(ladder) == [1, 2, 3, 4, 5, 6]


def test_of_whom_no_act_is_known_stays(players):
    ladder, _ = begin(players)
    Player.objects.filter(pk=players[0].pk).update(acted_at=None)
    verbs.pair(ladder, NOON + 40 * DAY)
    assert order_of(ladder) == [1]


def test_joining_is_an_act_and_a_ladder_that_has_not_started_waits(players):
    ladder, _ = begin(players[:5])
    verbs.enter(ladder, players[5], NOON + 29 * DAY)
    verbs.pair(ladder, NOON + 31 * DAY)
    assert order_of(ladder) == [6]
    other = verbs.make_ladder(slug="later", format="challenge-ladder")
    verbs.enter_all(other, players)
    pair_ladders(now=NOON + 90 * DAY)
    assert order_of(other) == [1, 2, 3, 4, 5, 6]


def test_on_a_points_ladder_who_does_nothing_leaves_the_table_and_gets_no_games(players):
    ladder, entries = begin(players[:3], "points-ladder", games_each=2, max_outgoing=1)
    stay(players[1:], NOON + 25 * DAY)
    assert verbs.pair(ladder, NOON + 31 * DAY) == 1
    left = Entry.objects.get(pk=entries[0].pk)
    assert (left.status, left.left_at) == (EntryStatus.GONE, LEFT)
    back = verbs.enter(ladder, players[0], NOON + 32 * DAY)
    assert (back.status, back.left_at, back.inactive_since, back.acted_at) == (
        EntryStatus.ACTIVE,
        None,
        None,
        NOON + 32 * DAY,
    )
    assert verbs.pair(ladder, NOON + 33 * DAY) == 2


@pytest.mark.parametrize("is_late", [False, True])
def test_running_games_are_finished_and_count_before_who_did_nothing_leaves(players, is_late):
    ladder, entries = begin(players, max_outgoing=2)
    stay(players, NOON + 20 * DAY)
    games = [
        challenge(ladder_id=ladder.pk, challenger=players[3], opponent=players[k], now=NOON + 45 * DAY) for k in (1, 2)
    ]
    stay(players[:3] + players[4:], NOON + 46 * DAY)
    if not is_late:
        verbs.pair(ladder, NOON + 50 * DAY + 13 * HOUR)
        leaver = Entry.objects.get(pk=entries[3].pk)
        assert (leaver.status, leaver.inactive_since) == (EntryStatus.ON_HOLD, NOON + 20 * DAY)
    # The last one is counted first.
    verbs.end(games[1], games[1].challenger, NOON + 52 * DAY)
    verbs.end(games[0], games[0].challenger, NOON + 51 * DAY)
    verbs.pair(ladder, NOON + 53 * DAY)
    left = Entry.objects.get(pk=entries[3].pk)
    assert (left.status, left.left_at, left.inactive_since) == (EntryStatus.GONE, NOON + 52 * DAY, NOON + 20 * DAY)
    assert PlaceChange.objects.filter(seat__entry=left, place=2, changed_at=NOON + 51 * DAY).exists()
    assert order_of(ladder) == [1, 2, 3, 5, 6]
    check(ladder, NOON + 53 * DAY)


def test_a_player_who_acts_again_before_anybody_has_looked_has_left_all_the_same(players):
    _ladder, entries = begin(players)
    stay(players[1:], NOON + 20 * DAY)
    stay(players[:1], NOON + 31 * DAY)
    left = Entry.objects.get(pk=entries[0].pk)
    assert (left.status, left.left_at, left.inactive_since) == (EntryStatus.GONE, LEFT, NOON)
    assert Player.objects.get(pk=players[0].pk).acted_at == NOON + 31 * DAY


def test_a_result_that_is_counted_after_somebody_left_does_not_bring_them_back(players):
    ladder, _ = begin(players, max_outgoing=2)
    stay(players[:3] + players[4:], NOON + 20 * DAY)
    game = challenge(ladder_id=ladder.pk, challenger=players[4], opponent=players[2], now=NOON + 29 * DAY)
    late = challenge(ladder_id=ladder.pk, challenger=players[5], opponent=players[3], now=NOON + 29 * DAY)
    verbs.end(game, game.challenger, NOON + 31 * DAY)
    assert order_of(ladder) == [1, 2, 5, 3, 4, 6]
    verbs.end(late, late.challenger, LEFT + HOUR)
    verbs.pair(ladder, NOON + 32 * DAY)
    left = Entry.objects.get(player=players[3])
    assert (left.status, left.left_at, left.seat.position) == (EntryStatus.GONE, LEFT + HOUR, None)
    assert order_of(ladder) == [1, 2, 5, 3, 6]
    check(ladder, NOON + 32 * DAY)


@pytest.mark.parametrize(
    ("away", "options", "order"),
    [
        (1, {}, [1, 2, 4, 3, 5, 6]),
        (180, {}, [1, 2, 4, 3, 5, 6]),
        (181, {}, [1, 2, 4, 5, 6, 3]),
        (8, {"return_days": 7}, [1, 2, 4, 5, 6, 3]),
        (1, {"return_days": 0}, [1, 2, 4, 5, 6, 3]),
    ],
)
def test_a_player_back_in_time_stands_a_tenth_of_the_ladder_below_the_old_position(players, away, options, order):
    ladder, _ = begin(players, inactive_days=30, **options)
    stay(players[:2] + players[3:], NOON + 29 * DAY)
    verbs.pair(ladder, LEFT)
    back_at = LEFT + away * DAY
    ladder.stages.update(options=ladder.first_stage.options | {"inactive_days": 0})
    entry = verbs.enter(ladder, players[2], back_at)
    assert entry.seat.position == order.index(3) + 1
    assert order_of(ladder) == order
    check(ladder, back_at)


def test_coming_back_is_played_again_with_results_that_are_counted_late(players):
    ladder, entries = begin(players, max_outgoing=2, inactive_days=0)
    game = challenge(ladder_id=ladder.pk, challenger=players[2], opponent=players[0], now=NOON)
    verbs.leave(entries[4], NOON + 2 * DAY)
    verbs.enter(ladder, players[4], NOON + 3 * DAY)
    assert order_of(ladder) == [1, 2, 3, 4, 6, 5]
    verbs.leave(entries[0], NOON + 4 * DAY)
    # Its end is known late, and it moves the player who left from where they stood then.
    verbs.end(game, game.challenger, NOON + DAY)
    verbs.pair(ladder, NOON + 5 * DAY)
    assert order_of(ladder) == [3, 2, 4, 6, 5]
    back = verbs.enter(ladder, players[0], NOON + 6 * DAY)
    assert (back.seat.position, order_of(ladder)) == (3, [3, 2, 1, 4, 6, 5])
    check(ladder, NOON + 6 * DAY)


def test_shortening_the_time_lets_nobody_leave_before_it_was_shortened(players):
    ladder, entries = begin(players, inactive_days=60)
    olga = Player.objects.create(username="olga", is_superuser=True)
    stay(players[1:], NOON + 35 * DAY)
    stage = ladder.first_stage
    stage.options = stage.options | {"inactive_days": 20}
    about: dict[str, Any] = {"changed": ["inactive_days"], "reason": "Fewer."}
    change_competition(competition=ladder, stage=stage, **about, actor=olga, now=NOON + 40 * DAY)
    left = Entry.objects.get(pk=entries[0].pk)
    assert (left.status, left.left_at, left.inactive_since) == (EntryStatus.GONE, NOON + 40 * DAY, NOON)
    assert order_of(ladder) == [2, 3, 4, 5, 6]


def test_a_player_who_lost_on_time_and_does_nothing_is_paused_and_then_leaves(players):
    ladder, _ = begin(players, max_outgoing=1)
    game = challenge(ladder_id=ladder.pk, challenger=players[2], opponent=players[1], now=NOON + HOUR)
    expire_due(now=NOON + 11 * DAY)
    verbs.settle_all(NOON + 11 * DAY)
    loser = Entry.objects.get(player=game.match.player_to_act)
    assert loser.waits_since == NOON + 10 * DAY + HOUR
    stay([players[0], *players[3:]], NOON + 12 * DAY)
    ladder.stages.update(options=ladder.first_stage.options | {"max_outgoing": 0})
    verbs.pair(ladder, NOON + 31 * DAY)
    assert order_of(ladder) == [1, 4, 5, 6]
    assert not verbs.running(ladder)
