"""The sweep that pairs ladders asks only for those of which something has changed, and misses none of them."""

import random
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from matches.clock import CORRESPONDENCE
from matches.services import expire_due, play_move, start_match
from matches.services.reopen_match import DECIDED
from players.models import Player
from players.services import deactivate_player, note_act, reactivate_player
from rules_engine.values import Side
from tests.marks import nightly_rows
from tests.matches.test_queries import queries_of
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, adjudicate, annul, enter, leave, running, withdraw
from tests.tournaments.whole_ladder import assert_that_a_part_says_the_same
from tournaments.decisions.services.pauses import pause_competition, resume_competition
from tournaments.decisions.services.status import finish_competition
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_decision
from tournaments.decisions.services.undo.ends import take_back_end
from tournaments.decisions.services.undo.withdrawals import take_back_withdrawal
from tournaments.entries.services.account_closures import finish_closing
from tournaments.making.services.competitions import change_competition
from tournaments.models import Annulment, CompetitionStatus, Entry, EntryStatus, Fixture, Ladder
from tournaments.records.challenges import CHOOSING
from tournaments.records.ladders import has_lost_on_time, ladders_to_pair, players_lacking_games, running_ladders
from tournaments.running.services import ladder_pairings as pairings
from tournaments.running.services.challenges import challenge
from tournaments.running.services.departure import note_waiting
from tournaments.running.services.ladder_pairings import pair_if_due, pair_ladder, pair_ladders
from tournaments.running.services.recount import recount_competition
from tournaments.tables.selectors.tables import is_challenge
from tournaments.tables.services import known_games
from tournaments.tables.services.standings import mark_standings_stale
from web.errors import DomainError

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STEPS = (timedelta(0), timedelta(seconds=30), HOUR, 5 * HOUR, DAY, 4 * DAY)
WHY = "So that it goes on."
FORMATS: dict[str, dict[str, Any]] = {
    "points": {"games_each": 2, "rematch_days": 2},
    "challenges": {"format": "challenge-ladder", "rematch_days": 3},
    "never inactive": {"format": "challenge-ladder", "inactive_days": 0, "max_outgoing": 2},
}


class Site:
    """Ladders on which anything happens, as one source of random numbers says."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)
        self.now = NOON
        self.organiser = Player.objects.create(username="organiser", is_superuser=True)
        self.players = verbs.make_players(7)
        self.ladders = [verbs.make_ladder(slug=f"ladder-{n}", **options) for n, options in enumerate(FORMATS.values())]
        for ladder in self.ladders:
            verbs.enter_all(ladder, self.source.sample(self.players, 4))
            verbs.start(ladder)

    def act(self) -> str:
        """Let something happen, unless it is refused, after some time; return what."""
        self.now += self.source.choice(STEPS)
        acts: list[Callable[[Ladder], object]] = [
            self.end_game,
            self.end_game,
            self.end_game,
            self.lose_on_time,
            self.enter,
            self.enter,
            self.leave,
            self.withdraw,
            self.return_by_act,
            self.return_by_act,
            self.return_by_move,
            self.return_by_move,
            self.pause_or_resume,
            self.change_options,
            self.close_account,
            self.close_or_reopen_account,
            self.close_or_reopen_account,
            self.challenge,
            self.adjudicate,
            self.take_back_decision,
            self.annul,
            self.take_back_annulment,
            self.take_back_withdrawal,
            self.end_and_take_back,
            self.wait,
        ]
        act = self.source.choice(acts)
        with suppress(DomainError):
            act(self.source.choice(self.ladders))
        return act.__name__

    def end_game(self, ladder: Ladder) -> None:
        if games := running(ladder):
            verbs.end(self.source.choice(games), self.source.choice([*Side, None]), self.now)

    def lose_on_time(self, ladder: Ladder) -> None:
        self.now += 10 * DAY
        expire_due(now=self.now)
        verbs.settle_all(self.now)

    def enter(self, ladder: Ladder) -> None:
        enter(ladder, self.source.choice(self.players), self.now)

    def leave(self, ladder: Ladder) -> None:
        leave(self.entry(ladder), self.now)

    def withdraw(self, ladder: Ladder) -> None:
        withdraw(self.entry(ladder), self.organiser, self.now)

    def return_by_act(self, ladder: Ladder) -> None:
        note_act(player=self.waiting(), now=self.now)

    def return_by_move(self, ladder: Ladder) -> None:
        player = self.waiting()
        stranger = Player.objects.create(username=f"stranger-{Player.objects.count()}")
        match = start_match(
            game="streetsoccer-board", yellow=player, red=stranger, time_control=CORRESPONDENCE, now=self.now
        )
        self.now += HOUR
        play_move(match_id=match.pk, player=player, ply=0, text=match.state.legal_moves()[0], now=self.now)

    def pause_or_resume(self, ladder: Ladder) -> None:
        ladder.refresh_from_db()
        change = pause_competition if ladder.paused_at is None else resume_competition
        change(competition_id=ladder.pk, actor=self.organiser, reason=WHY, now=self.now)

    def change_options(self, ladder: Ladder) -> None:
        ladder.refresh_from_db()
        name = self.source.choice([key for key, value in ladder.first_stage.options.items() if type(value) is int])
        if name == "format":
            return
        stage = ladder.first_stage
        stage.options = {**stage.options, name: self.source.randint(1, 3)}
        about: dict[str, Any] = {"changed": {name}, "reason": "More."}
        change_competition(competition=ladder, stage=stage, **about, actor=self.organiser, now=self.now)

    def close_account(self, ladder: Ladder) -> None:
        if len(self.players) > 6:
            player = self.players.pop(self.source.randrange(len(self.players)))
            deactivate_player(player_id=player.pk, now=self.now)
            finish_closing(player_id=player.pk, now=self.now)
            self.players += verbs.make_players(1, prefix=f"late-{player.pk}")

    def close_or_reopen_account(self, ladder: Ladder) -> None:
        """Close an account and leave what follows undone, or open one again of which it was."""
        player = self.entry(ladder).player
        if player.is_active:
            deactivate_player(player_id=player.pk, now=self.now)
        else:
            reactivate_player(player_id=player.pk)

    def challenge(self, ladder: Ladder) -> None:
        one, other = self.source.sample(self.players, 2)
        challenge(ladder_id=ladder.pk, challenger=one, opponent=other, now=self.now)

    def annul(self, ladder: Ladder) -> None:
        if games := running(ladder):
            game = self.source.choice(games)
            annul(game, self.organiser, self.now)

    def adjudicate(self, ladder: Ladder) -> None:
        if games := running(ladder):
            game, winner = self.source.choice(games), self.source.choice([*Side, None])
            adjudicate(game, winner, self.organiser, self.now)

    def take_back_decision(self, ladder: Ladder) -> None:
        if (decided := self.fixture(ladder, ending__in=DECIDED, is_annulled=False)) is not None:
            take_back_decision(fixture_id=decided.pk, **self.taking_back())

    def take_back_annulment(self, ladder: Ladder) -> None:
        if (annulled := self.fixture(ladder, annulment=Annulment.DECIDED)) is not None:
            take_back_annulment(fixture_id=annulled.pk, **self.taking_back())

    def take_back_withdrawal(self, ladder: Ladder) -> None:
        gone = Entry.objects.filter(competition=ladder, status=EntryStatus.GONE).order_by("pk")
        if gone:
            take_back_withdrawal(entry_id=self.source.choice(gone).pk, **self.taking_back())

    def end_and_take_back(self, ladder: Ladder) -> None:
        finish_competition(competition_id=ladder.pk, actor=self.organiser, reason=WHY, now=self.now)
        self.now += self.source.choice(STEPS)
        take_back_end(competition_id=ladder.pk, actor=self.organiser, reason=WHY, now=self.now)

    def wait(self, ladder: Ladder) -> None:
        self.now += 20 * DAY

    def entry(self, ladder: Ladder) -> Entry:
        return self.source.choice([*Entry.objects.filter(competition=ladder).order_by("pk")])

    def fixture(self, ladder: Ladder, **fields: Any) -> Fixture | None:
        """Return one of the ladder's fixtures with these values, if there is any."""
        fixtures = [*Fixture.objects.filter(competition=ladder, **fields).order_by("pk")]
        return self.source.choice(fixtures) if fixtures else None

    def taking_back(self) -> dict[str, Any]:
        return {"confirm": True, "actor": self.organiser, "reason": WHY, "now": self.now}

    def waiting(self) -> Player:
        """Return somebody who waits since a loss on time, if there is anybody."""
        entries = Entry.objects.filter(waits_since__isnull=False, player__is_active=True).select_related("player")
        waiting = [entry.player for entry in entries.order_by("pk")]
        return self.source.choice(waiting or self.players)


def pair_all(now: datetime) -> int:
    """Pair as a sweep would that knows nothing of marks."""
    return sum(verbs.pair(ladder, now) for ladder in running_ladders())


def check_what_is_known_of_entries(now: datetime) -> None:
    """Ask whether no more games are known than run, and whether who waits since a loss on time is noted."""
    games = Fixture.objects.filter(counted_at=None, is_annulled=False)
    running = Counter(key for sides in games.values_list("yellow", "red") for key in sides)
    as_challenger = Counter(games.values_list("challenger", flat=True))
    for ladder in running_ladders().filter(paused_at=None):
        if is_challenge(ladder):
            assert_that_a_part_says_the_same(ladder, now)
        for entry in Entry.objects.filter(competition=ladder):
            assert entry.known_games <= (as_challenger if is_challenge(ladder) else running)[entry.pk]
        before = state_of_entries()
        note_waiting(ladder=ladder)
        assert state_of_entries() == before


def state_of_entries() -> list[tuple[Any, ...]]:
    return list(Entry.objects.order_by("pk").values_list("pk", "status", "waits_since", "left_at"))


@pytest.mark.parametrize(("seed", "count"), [(0, 12), *nightly_rows((seed, 30) for seed in range(12))])
def test_a_ladder_that_no_sweep_asks_for_has_no_game_to_start_and_lets_nobody_leave(seed, count):
    site = Site(seed)
    acts, started = [], 0
    for _ in range(count):
        acts.append(site.act())
        # Clocks that have run out meanwhile are other sweeps', which have been before.
        if expire_due(now=site.now):
            verbs.settle_all(site.now)
        started += pair_ladders(now=site.now)
        before = state_of_entries()
        with transaction.atomic():
            assert pair_all(site.now) == 0, acts
            assert state_of_entries() == before, acts
            check_what_is_known_of_entries(site.now)
            transaction.set_rollback(True)
    assert started > count // 3


def idle_ladders(count: int) -> list[Ladder]:
    ladders = []
    players = verbs.make_players(3)
    for number in range(count):
        ladders.append(verbs.make_ladder(slug=f"ladder-{number}", **list(FORMATS.values())[number % len(FORMATS)]))
        verbs.enter_all(ladders[-1], players)
        verbs.start(ladders[-1])
    pair_ladders(now=NOON)
    return ladders


def test_a_sweep_of_idle_ladders_asks_twice_however_many_they_are():
    idle_ladders(5)
    assert len(queries_of(lambda: pair_ladders(now=NOON))) == 2


def test_a_task_that_comes_for_an_idle_ladder_asks_once():
    (ladder,) = idle_ladders(1)
    assert len(queries_of(lambda: pair_if_due(ladder_id=ladder.pk, now=NOON))) == 1
    verbs.end(running(ladder)[0], None)
    assert len(queries_of(lambda: pair_if_due(ladder_id=ladder.pk, now=NOON))) > 1


def test_a_result_that_makes_a_game_possible_and_is_rolled_back_leaves_the_ladder_idle():
    (ladder,) = idle_ladders(1)
    with transaction.atomic():
        verbs.end(running(ladder)[0], None)
        transaction.set_rollback(True)
    ladder.refresh_from_db()
    assert ladder.pairing_due_at is not None


def test_a_ladder_stays_due_until_all_games_have_started():
    ladder, _entries = verbs.start_ladder(4, games_each=1)
    for limit, games in ((1, 1), (100, 1)):
        assert ladders_to_pair(NOON) == [ladder.pk]
        assert pair_ladder(ladder_id=ladder.pk, now=NOON, limit=limit) == games
    ladder.refresh_from_db()
    assert (ladder.pairing_due_at, ladder.status) == (NOON + DAY / 2, CompetitionStatus.RUNNING)


def test_a_change_while_games_are_chosen_counts(monkeypatch):
    ladder, (leaver, *others) = verbs.start_ladder(3, games_each=1)

    def read_before_one_leaves(*about, **named):
        found = players_lacking_games(*about, **named)
        monkeypatch.undo()
        leave(leaver)
        return found

    monkeypatch.setattr(pairings, "players_lacking_games", read_before_one_leaves)
    assert verbs.pair(ladder) == 1
    assert [{game.yellow, game.red} for game in running(ladder)] == [set(others)]


def test_a_player_who_closes_the_account_while_games_are_chosen_gets_none_and_the_ladder_stays_due(monkeypatch):
    ladder, entries = verbs.start_ladder(4, games_each=1)

    def read_before_one_closes(*about, **named):
        found = players_lacking_games(*about, **named)
        monkeypatch.undo()
        # In a way that says nothing of it to anybody.
        Player.objects.filter(pk=entries[0].player_id).update(is_active=False)
        return found

    monkeypatch.setattr(pairings, "players_lacking_games", read_before_one_closes)
    assert verbs.pair(ladder) == 1
    assert entries[0] not in {entry for game in running(ladder) for entry in (game.yellow, game.red)}
    assert not Fixture.objects.filter(match=None).exists()
    assert ladders_to_pair(NOON) == [ladder.pk]
    assert [verbs.pair(ladder), ladders_to_pair(NOON)] == [0, []]


@pytest.mark.parametrize("is_reopened", [True, False])
def test_closing_and_reopening_an_account_makes_the_ladders_due_on_which_its_player_is(is_reopened):
    ladder, other = verbs.make_ladder(games_each=1), verbs.make_ladder(slug="other")
    players = verbs.make_players(4)
    verbs.enter_all(ladder, players[:2])
    verbs.enter_all(other, players[2:])
    for each in (ladder, other):
        verbs.start(each)
    if is_reopened:
        deactivate_player(player_id=players[0].pk, now=NOON)
    assert pair_ladders(now=NOON) == (1 if is_reopened else 2)
    assert ladders_to_pair(NOON) == []
    if is_reopened:
        reactivate_player(player_id=players[0].pk)
    else:
        deactivate_player(player_id=players[0].pk, now=NOON)
    assert ladders_to_pair(NOON) == [ladder.pk]
    assert pair_ladders(now=NOON) == (1 if is_reopened else 0)


@pytest.mark.django_db(transaction=True)
def test_a_pairing_that_makes_the_table_first_queues_no_other(monkeypatch):
    ladder, _entries = verbs.start_ladder(2, games_each=1)
    mark_standings_stale(group_id=verbs.group_of(ladder).pk, now=NOON)
    sent: list[str] = []
    monkeypatch.setattr(
        "tournaments.office.services.after_commit.current_app.send_task", lambda task, **about: sent.append(task)
    )
    assert verbs.pair(ladder) == 1
    assert verbs.group_of(ladder).standings_stale_since is None
    assert sent == []


@pytest.mark.postgresql
def test_losses_on_time_are_found_by_the_index():
    (ladder,) = idle_ladders(1)
    played = running(ladder)[0]
    result = {"counted_at": NOON, "finished_at": NOON, "ending": "goals"}
    result |= dict.fromkeys(("points_yellow", "points_red", "goals_yellow", "goals_red"), 3)
    copied = {"competition": ladder, "group": played.group, "yellow": played.yellow, "red": played.red}
    Fixture.objects.bulk_create(Fixture(**copied, **result, created_at=NOON) for _ in range(2000))
    with connection.cursor() as cursor:
        # Plans of small tables, and of those about which nothing is known, depend on chance.
        cursor.execute("ANALYZE tournaments_fixture, tournaments_entry")
        with CaptureQueriesContext(connection) as captured:
            note_waiting(ladder=ladder)
            has_lost_on_time(Entry.objects.filter(competition=ladder)[0])
        queries = [query["sql"] for query in captured if "points_yellow" in query["sql"]]
        plans = []
        for query in queries:
            cursor.execute(f"EXPLAIN {query}")
            plans.append(str(cursor.fetchall()))
    by_group = re.compile(r"fixture_lost_on_time.*Index Cond: \(group_id = ")
    assert [by_group.search(plan) is not None for plan in plans] == [True, True], plans


def test_many_games_start_under_several_locks(monkeypatch):
    monkeypatch.setattr(pairings, "BATCH", 2)
    ladder, _entries = verbs.start_ladder(5, games_each=2)
    assert verbs.pair(ladder) == 5
    assert ladders_to_pair(NOON) == []


@pytest.mark.parametrize(
    ("options", "pause"),
    [
        ({"format": "challenge-ladder", "rematch_days": 0, "challenges_by": "in-time"}, CORRESPONDENCE.bank / CHOOSING),
        ({"games_each": 1, "rematch_days": 2}, 2 * DAY),
    ],
)
def test_a_ladder_is_due_when_two_who_have_played_get_a_game_again_and_not_before(options, pause):
    ladder, _entries = verbs.start_ladder(2, inactive_days=0, **options)
    assert pair_ladders(now=NOON + pause) == 1
    at = NOON + pause + 6 * HOUR
    verbs.end(running(ladder)[0], None, at)
    assert [pair_ladders(now=at) for _ in range(2)] == [0, 0]
    assert pair_ladders(now=at + pause - timedelta(seconds=1)) == 0
    assert pair_ladders(now=at + pause) == 1


def test_a_pairing_counts_the_games_of_those_alone_who_may_lack_some():
    ladder, entries = verbs.start_ladder(6, games_each=2)
    assert verbs.pair(ladder) == 6
    assert set(Entry.objects.values_list("known_games", flat=True)) == {2}
    (game, *_) = running(ladder)
    verbs.end(game, Side.RED)
    known = dict(Entry.objects.values_list("pk", "known_games"))
    assert known == {entry.pk: 0 if entry in (game.yellow, game.red) else 2 for entry in entries}
    assert {each.entry_id for each in players_lacking_games(ladder)} == {game.yellow_id, game.red_id}


def test_players_with_enough_games_are_noted_under_several_locks(monkeypatch):
    monkeypatch.setattr(known_games, "MAX_NOTED", 2)
    ladder, _entries = verbs.start_ladder(6, games_each=1)
    assert verbs.pair(ladder) == 3
    assert set(Entry.objects.values_list("known_games", flat=True)) == {1}


def test_players_get_more_games_once_they_may_play_more_than_are_known():
    ladder, _entries = verbs.start_ladder(4, games_each=1)
    organiser = Player.objects.create(username="organiser", is_superuser=True)
    assert verbs.pair(ladder) == 2
    stage = ladder.first_stage
    stage.options = {**stage.options, "games_each": 2}
    about: dict[str, Any] = {"changed": {"games_each"}, "reason": "More."}
    change_competition(competition=ladder, stage=stage, **about, actor=organiser, now=NOON)
    assert verbs.pair(ladder) == 2


def test_games_that_are_known_and_do_not_run_are_a_fault_that_recompute_mends():
    ladder, (entry, *_) = verbs.start_ladder(3, games_each=1)
    assert verbs.pair(ladder) == 1
    assert verbs.faults_of(ladder) == []
    Entry.objects.filter(pk=entry.pk).update(known_games=2)
    assert verbs.faults_of(ladder) == [f"{ladder}: entry {entry.pk} has 1 running games, but 2 are known."]
    recount_competition(competition=ladder, now=NOON)
    assert set(Entry.objects.values_list("known_games", flat=True)) == {0}
