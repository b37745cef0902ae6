"""The same competition twice, to compare what becomes of it when workers run at once and when they run late."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from formats.protocol import Flow, Order
from matches.models import Match, Status
from matches.services.adjudication import adjudicate_match
from matches.services.expiry import expire_together
from matches.services.reopen_match import DECIDED
from players.models import Player
from rules_engine.values import Side
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, enter, leave, pair
from tournaments.decisions.services.draws import draw_cup
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture, extend_clock
from tournaments.decisions.services.pairings import draw_round_again, publish_round, swap_players
from tournaments.decisions.services.pauses import pause_competition, resume_competition
from tournaments.decisions.services.round_dates import set_round_date
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_decision, take_back_replay
from tournaments.decisions.services.undo.publications import take_back_publication
from tournaments.decisions.services.undo.round_ends import take_back_round_end
from tournaments.decisions.services.undo.withdrawals import take_back_withdrawal
from tournaments.entries.services.byes import request_bye, take_back_bye
from tournaments.entries.services.replacement import replace_entry
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.models import (
    Bye,
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    EntryStatus,
    Fixture,
    PlaceChange,
    ProposedRound,
    Round,
    RoundEnd,
    Seat,
    Standing,
    Tie,
    read_pairings,
)
from tournaments.office.services.locks import lock_competition
from tournaments.records.cups import cup_waits_for
from tournaments.records.errors import RoundNotFound
from tournaments.records.groups import groups_to_pair
from tournaments.records.qualifiers import stages_due
from tournaments.records.standings import Line
from tournaments.rounds.selectors import entries_by_seat, no_proposed_round, proposed_rounds_of
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.next_rounds import pair_due_rounds, pair_round
from tournaments.running.services.overdue import cut_due_rounds
from tournaments.running.services.settlement import settle_match
from tournaments.running.services.verification import verify_competition
from web.errors import DomainError

MINUTE = timedelta(minutes=1)
WHY = "It has to be."


class World:
    """A competition whose entrants and matches are named by what they are, so that two worlds can be compared."""

    def __init__(self, name: str, kind: type[Competition], size: int, options: dict[str, Any]) -> None:
        self.name = name
        self.organiser = Player.objects.create(username=f"{name}-organiser", is_superuser=True)
        given = {name: value for name, value in options.items() if name != "starts_at"}
        self.competition: Any = (verbs.make_cup if kind is Cup else verbs.make_ladder)(slug=name, name=name, **given)
        players = verbs.make_players(size, prefix=name)
        verbs.enter_all(self.competition, players)
        self.number_draws()
        if kind is Cup and not self.competition.first_stage.gathers:
            order = list(Entry.objects.filter(competition=self.competition).order_by("pk").values_list("pk", flat=True))
            draw_cup(cup_id=self.competition.pk, actor=None, now=NOON, seed=5, order=order)
        verbs.start(self.competition)
        # Months count from the date, whenever it has begun.
        self.competition.starts_at = options.get("starts_at")
        self.competition.save(update_fields=["starts_at"])

    def number_draws(self) -> None:
        entries = Entry.objects.filter(competition=self.competition).order_by("pk")
        for number, (key, draw, replaces) in enumerate(entries.values_list("pk", "draw", "replaces")):
            # A player who takes a place has the lot of the one who had it.
            if replaces is None and draw != number:
                Entry.objects.filter(pk=key).update(draw=number)

    def work(self, now: datetime, source: random.Random) -> None:
        """Do what the workers do for this competition, in any order of its matches, until nothing is left."""
        while True:
            with transaction.atomic():
                cut = cut_due_rounds(competition=lock_competition(competition_id=self.competition.pk), now=now)
            own = Match.objects.filter(competition=self.competition.pk)
            ended = expire_together(matches=own, now=now)
            finished = list(own.filter(status=Status.FINISHED, settled_at=None).order_by("pk"))
            for match in source.sample(finished, len(finished)):
                settle_match(match_id=match.pk, now=now)
            due = list(groups_to_pair().filter(stage__competition=self.competition.pk).values_list("pk", flat=True))
            paired = [group_id for group_id in due if pair_round(group_id=group_id, now=now)]
            if stages_due(now).filter(competition=self.competition.pk).exists():
                paired += [pair_due_rounds(now=now)]
            if not (cut or ended or finished or paired):
                break
        verbs.recompute_stale_tables(competition_id=self.competition.pk, now=now)
        self.competition.refresh_from_db()
        if isinstance(self.competition, Cup) and self.competition.status == CompetitionStatus.RUNNING:
            assert cup_waits_for(self.competition, now), "the cup waits for nothing"

    def act(self, action: Callable[[World], object]) -> str:
        """Return what became of it."""
        try:
            action(self)
        except DomainError as error:
            return error.code
        finally:
            self.number_draws()
        return "ok"

    def entries(self) -> dict[str, Entry]:
        return {
            each.player.username.removeprefix(f"{self.name}-"): each
            for each in Entry.objects.filter(competition=self.competition).select_related("player").order_by("pk")
        }

    def entry(self, name: str) -> Entry:
        return self.entries()[name]

    def fixtures(self) -> dict[tuple[Any, ...], Fixture]:
        """Return all fixtures, by where they stand and how many were there before them."""
        before: Counter[tuple[Any, ...]] = Counter()
        found = {}
        names = {entry.pk: name for name, entry in self.entries().items()}
        related = ("round", "tie", "match")
        for each in Fixture.objects.filter(competition=self.competition).select_related(*related).order_by("pk"):
            pair = (names[each.yellow_id], names[each.red_id])
            if each.tie is not None and each.round is not None:
                where: tuple[Any, ...] = (each.round.number, each.tie.slot, each.tie.part, each.leg)
            elif each.round is not None:
                where = (each.round.number, *pair)
            else:
                where = pair
            before[where] += 1
            found[(*where, before[where])] = each
        return found

    def round(self, number: int) -> Round:
        """Return a round of the first group. Raises ``RoundNotFound``."""
        rounds = Round.objects.filter(group__stage__competition=self.competition, number=number)
        found = rounds.order_by("group").first()
        if found is None:
            raise RoundNotFound(f"Round {number} has not been published.")
        return found

    def proposed(self, now: datetime) -> ProposedRound:
        """Return the round that waits for the organiser, who looks for it when it is due."""
        self._catch_up(now)
        found = proposed_rounds_of(self.competition)
        if not found:
            raise no_proposed_round(0)
        return found[0]

    def last_round(self, now: datetime) -> Round:
        """Return the last round that was published."""
        self._catch_up(now)
        found = Round.objects.filter(group__stage__competition=self.competition).order_by("number").last()
        if found is None:
            raise no_proposed_round(0)
        return found

    def _catch_up(self, now: datetime) -> None:
        with transaction.atomic():
            catch_up(competition=lock_competition(competition_id=self.competition.pk), now=now)

    def fixture(self, key: tuple[Any, ...]) -> Fixture:
        return self.fixtures()[key]

    def decide(self, service: Any, now: datetime, *, key: Any = None, name: str = "", **given: Any) -> None:
        """Let the organiser do something to a match or to an entrant, or to what is ``given``."""
        if key is not None:
            given["fixture_id"] = self.fixture(key).pk
        if name:
            given["entry_id"] = self.entry(name).pk
        service(actor=self.organiser, reason=WHY, now=now, **given)

    def outcome(self) -> dict[str, Any]:
        """Return everything that must be the same however late the workers ran."""
        names = {entry.pk: name for name, entry in self.entries().items()} | {None: None}
        keys = {each.match_id: key for key, each in self.fixtures().items() if each.match_id} | {None: None}
        self.competition.refresh_from_db()
        ties = Tie.objects.filter(round__group__stage__competition=self.competition.pk).select_related("round")
        table = Standing.objects.filter(group__stage__competition=self.competition.pk)
        lines = table.order_by("seat").values_list(*Line._fields)
        history = PlaceChange.objects.filter(seat__stage__format="challenge-ladder").select_related("seat")
        seats = {seat.pk: seat for seat in Seat.objects.filter(stage__competition=self.competition.pk).order_by("pk")}
        seat_of = {seat.entry_id: seat for seat in seats.values()}
        return {
            "entries": {
                name: (each.status, *_numbers_of(seat_of.get(each.pk)), each.left_at, each.waits_since)
                for name, each in self.entries().items()
            },
            "fixtures": {
                key: (each.is_annulled, each.ending, each.points, each.goals, each.finished_at)
                for key, each in self.fixtures().items()
            },
            "ties": {
                (tie.round.number, tie.slot, tie.part): (
                    names[tie.first_id],
                    names[tie.second_id],
                    names[tie.winner_id],
                    tie.decided_by,
                    tie.decided_at,
                )
                for tie in ties
            },
            "competition": (
                self.competition.status,
                names[self.competition.winner_id] if isinstance(self.competition, Cup) else None,
            ),
            "proposed": [
                (
                    each.number,
                    [[names[entries[seat].pk] for seat in place] for place in read_pairings(each.pairings).places],
                )
                for each in proposed_rounds_of(self.competition)
                for entries in [entries_by_seat([read_pairings(each.pairings)])]
            ],
            "byes": {
                (each.round.number, names[each.seat.entry_id], each.is_asked)
                for each in Bye.objects.filter(round__group__stage__competition=self.competition.pk).select_related(
                    "round", "seat"
                )
            },
            "table": {names[seats[line[0]].entry_id]: line[1:] for line in lines},
            "history": sorted(
                (change.changed_at, names[change.seat.entry_id], str(change.place), str(keys[change.match_id]))
                for change in history.filter(seat__entry__competition=self.competition)
            ),
        }


def _numbers_of(seat: Seat | None) -> tuple[int | None, int | None]:
    return (seat.seed, seat.position) if seat else (None, None)


class Happenings:
    """The next happenings: chosen by what the world with the late workers shows, and then done to both."""

    def __init__(self, late: World, source: random.Random) -> None:
        self.late, self.source, self.newcomers, self.chosen = late, source, 0, ""

    def next(self, now: datetime) -> Callable[[World], object] | None:
        """Return something that can be done to either world, nothing if there is nothing to do it to."""
        common = [*[self.result] * 6, *[self.time_runs_out] * 2, self.pause]
        on_matches = [self.adjudicate, self.annul, self.replay, self.extend]
        undone = [self.take_back_decision, self.take_back_annulment, self.take_back_replay, self.take_back_withdrawal]
        if isinstance(self.late.competition, Cup):
            own = [self.withdraw, self.replace, self.end_round, self.date_round, self.take_back_round_end]
            if self.late.competition.first_stage.abilities.byes_on_request:
                own += [self.join, self.request_bye, self.take_back_bye, *[self.decide_round] * 3]
            if self.late.competition.first_stage.gathers:
                own += [self.join, self.enter, *[self.decide_round] * 3]
            if self.late.competition.first_stage.goes_by_months:
                own += [self.decide_round] * 3
            if self.late.competition.first_stage.abilities.organisers_publish:
                own += [*[self.publish] * 6, self.swap, self.swap, self.draw_again, self.take_back_publication]
        else:
            own = [self.leave, self.leave, self.enter, self.withdraw, *[self.pair] * 4]
        chosen = self.source.choice([*common, *own, *on_matches, *undone])
        self.chosen = chosen.__name__
        return chosen(now)

    def result(self, now: datetime) -> Callable[[World], object] | None:
        going_on = self.running(now)
        if not going_on:
            return None
        key, winner = self.source.choice(going_on), self.source.choice([*Side, None])
        return lambda world: adjudicate_match(match_id=world.fixture(key).match_id or 0, winner=winner, now=now)

    def time_runs_out(self, now: datetime) -> Callable[[World], object] | None:
        going_on = self.running(now)
        if not going_on:
            return None
        key = self.source.choice(going_on)
        deadline = now + self.source.choice([MINUTE / 2, MINUTE * 5 / 2])
        return lambda world: Match.objects.filter(fixture=world.fixture(key)).update(deadline=deadline)

    def pause(self, now: datetime) -> Callable[[World], object]:
        def pause_and_resume(world: World) -> None:
            world.decide(pause_competition, now, competition_id=world.competition.pk)
            world.decide(resume_competition, now + MINUTE / 4, competition_id=world.competition.pk)

        return pause_and_resume

    def withdraw(self, now: datetime) -> Callable[[World], object]:
        name = self.anybody()
        return lambda world: world.decide(withdraw_entry, now, name=name)

    def leave(self, now: datetime) -> Callable[[World], object]:
        name = self.anybody()
        return lambda world: leave(world.entry(name), now)

    def enter(self, now: datetime) -> Callable[[World], object]:
        name = self.anybody()
        return lambda world: enter(world.competition, world.entry(name).player, now)

    def replace(self, now: datetime) -> Callable[[World], object]:
        name, new = self.anybody(), self.newcomer()
        return lambda world: world.decide(replace_entry, now, name=name, player=new(world))

    def join(self, now: datetime) -> Callable[[World], object]:
        new = self.newcomer()
        return lambda world: enter(world.competition, new(world), now)

    def request_bye(self, now: datetime) -> Callable[[World], object]:
        name, number = self.anybody(), self.source.choice([2, 3, 4])
        return lambda world: world.decide(request_bye, now, name=name, round_number=number)

    def take_back_bye(self, now: datetime) -> Callable[[World], object]:
        name = self.anybody()
        return lambda world: world.decide(take_back_bye, now, name=name)

    def decide_round(self, now: datetime) -> Callable[[World], object] | None:
        """Let all matches end that go on, so that the next round is due."""
        winners = {key: self.source.choice([*Side, None]) for key in self.running(now)}

        def end_matches(world: World) -> None:
            for key, winner in winners.items():
                adjudicate_match(match_id=world.fixture(key).match_id or 0, winner=winner, now=now)

        return end_matches if winners else None

    def publish(self, now: datetime) -> Callable[[World], object]:
        return lambda world: world.decide(publish_round, now, proposed=world.proposed(now))

    def swap(self, now: datetime) -> Callable[[World], object]:
        one, other = self.anybody(), self.anybody()
        return lambda world: world.decide(
            swap_players,
            now,
            proposed=world.proposed(now),
            first=world.entry(one).player,
            second=world.entry(other).player,
        )

    def draw_again(self, now: datetime) -> Callable[[World], object]:
        return lambda world: world.decide(draw_round_again, now, proposed=world.proposed(now))

    def take_back_publication(self, now: datetime) -> Callable[[World], object]:
        return lambda world: world.decide(take_back_publication, now, round=world.last_round(now), confirm=True)

    def pair(self, now: datetime) -> Callable[[World], object]:
        if self.late.competition.first_stage.format_spec.order is Order.RESULTS or self.source.random() < 0.5:
            return lambda world: pair(world.competition, now)
        one, other = self.anybody(), self.anybody()
        return lambda world: verbs.let_challenge(world.entry(one), world.entry(other), now)

    def end_round(self, now: datetime) -> Callable[[World], object] | None:
        number = 1 if self.late.competition.first_stage.format_spec.flow is Flow.TIES else self.source.choice([1, 2, 3])
        policy = self.source.choice([RoundEnd.ADJUDICATE, RoundEnd.FORFEIT])
        return lambda world: world.decide(end_round, now, round=world.round(number), policy=policy)

    def date_round(self, now: datetime) -> Callable[[World], object]:
        return lambda world: world.decide(set_round_date, now, round=world.round(1), ends_at=now + MINUTE * 5 / 2)

    def adjudicate(self, now: datetime) -> Callable[[World], object] | None:
        key, winner = self.any_match(), self.source.choice([*Side, None])
        return key and (lambda world: world.decide(adjudicate_fixture, now, key=key, winner=winner))

    def annul(self, now: datetime) -> Callable[[World], object] | None:
        key = self.any_match()
        return key and (lambda world: world.decide(annul_fixture, now, key=key))

    def replay(self, now: datetime) -> Callable[[World], object] | None:
        key = self.any_match()
        return key and (lambda world: world.decide(replay_fixture, now, key=key))

    def take_back_decision(self, now: datetime) -> Callable[[World], object] | None:
        decided = [
            key
            for key, each in self.late.fixtures().items()
            if each.match is not None and each.match.ending in DECIDED and not each.is_annulled
        ]
        return self.take_back(take_back_decision, decided, now)

    def take_back_annulment(self, now: datetime) -> Callable[[World], object] | None:
        annulled = [key for key, each in self.late.fixtures().items() if each.annulment]
        return self.take_back(take_back_annulment, annulled, now)

    def take_back_replay(self, now: datetime) -> Callable[[World], object] | None:
        replayed = [key for key, each in self.late.fixtures().items() if each.replay_id is not None]
        return self.take_back(take_back_replay, replayed, now)

    def take_back(self, service: Any, among: list[Any], now: datetime) -> Callable[[World], object] | None:
        if not among:
            return None
        key, confirm = self.source.choice(among), self.source.choice([True, False])
        return lambda world: world.decide(service, now, key=key, confirm=confirm)

    def take_back_withdrawal(self, now: datetime) -> Callable[[World], object]:
        gone = [name for name, each in self.late.entries().items() if each.status == EntryStatus.GONE]
        name, confirm = self.source.choice(gone or [self.anybody()]), self.source.choice([True, False])
        return lambda world: world.decide(take_back_withdrawal, now, name=name, confirm=confirm)

    def take_back_round_end(self, now: datetime) -> Callable[[World], object]:
        number, confirm = self.source.choice([1, 2]), self.source.choice([True, False])
        return lambda world: world.decide(take_back_round_end, now, round=world.round(number), confirm=confirm)

    def extend(self, now: datetime) -> Callable[[World], object] | None:
        key, side = self.any_match(), self.source.choice(list(Side))
        by = timedelta(hours=300)
        return key and (lambda world: world.decide(extend_clock, now, key=key, side=side, by=by))

    def newcomer(self) -> Callable[[World], Player]:
        """Return how either world gets another player."""
        self.newcomers += 1
        name = f"new-{self.newcomers}"
        return lambda world: Player.objects.create(username=f"{world.name}-{name}")

    def anybody(self) -> str:
        names = [name for name, each in self.late.entries().items() if each.status != EntryStatus.REPLACED]
        return self.source.choice(names)

    def any_match(self) -> Any:
        return self.source.choice([*self.late.fixtures()] or [None])

    def running(self, now: datetime) -> list[tuple[Any, ...]]:
        """Return the matches whose players can still play: neither their time nor their round is over."""
        return [
            key
            for key, each in self.late.fixtures().items()
            if each.match is not None and each.match.status == Status.PLAYING and not each.match.is_late(now)
            if each.round is None or each.round.ends_at is None or each.round.ends_at > now
        ]


def run_both(kind: type[Competition], size: int, options: dict[str, Any], seed: int, steps: int) -> list[str]:
    """Let the same happen to both worlds, compare them, and return what became of each step."""
    source = random.Random(seed)
    prompt, late = (World(name, kind, size, options) for name in ("prompt", "late"))
    happenings = Happenings(late, source)
    results: list[Any] = []
    now = NOON
    for _ in range(steps):
        now += MINUTE
        action = happenings.next(now)
        if action is None:
            continue
        prompt.work(now, source)
        both = prompt.act(action), late.act(action)
        prompt.work(now, source)
        assert both[0] == both[1], (results, both)
        results.append(f"{now:%H:%M} {happenings.chosen}: {both[0]}")
    now += timedelta(days=1)
    for world in (prompt, late):
        world.work(now, source)
    for world in (prompt, late):
        world.competition.refresh_from_db()
        assert verify_competition(competition=world.competition, now=now) == [], results
    expected = prompt.outcome()
    for part, found in late.outcome().items():
        assert found == expected[part], f"{results}\nlate:   {found}\nprompt: {expected[part]}"
    return results
