"""Whatever happens to a cup, some rule moves it on: random runs of everything that can happen at all."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

import pytest

from matches.services import expire_due
from players.models import Player
from rules_engine.values import Side
from tests.marks import nightly
from tests.tournaments.verbs import NOON, end, running, settle_all, start_cup
from tournaments.decisions.services.round_expiry import end_due_rounds, end_round
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture
from tournaments.entries.services.replacement import replace_entry
from tournaments.entries.services.withdrawal import leave_competition, withdraw_entry
from tournaments.models import CompetitionStatus, Cup, Entry, EntryStatus, Fixture, Round, RoundEnd, Tie
from tournaments.records.cups import cup_waits_for
from web.errors import DomainError

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


class Chaos:
    """A cup, and everything that can happen to it next."""

    def __init__(self, cup: Cup, source: random.Random) -> None:
        self.cup, self.source = cup, source
        self.organiser = Player.objects.create(username="organiser", is_superuser=True)
        self.now = NOON
        self.happenings: list[Callable[[], object]] = [
            *[self.play] * 6,
            self.withdraw,
            self.leave,
            self.replace,
            self.annul,
            self.replay,
            self.end_round,
            self.lose_on_time,
        ]

    def step(self) -> None:
        self.now += timedelta(hours=self.source.choice([1, 30]))
        # What makes no sense at the moment is refused, and changes nothing.
        with suppress(DomainError):
            self.source.choice(self.happenings)()
        if self.source.random() < 0.7:
            settle_all(self.now)
        if self.source.random() < 0.2:
            end_due_rounds(now=self.now)
        self.cup.refresh_from_db()

    def play(self) -> None:
        if going_on := running(self.cup):
            end(self.source.choice(going_on), self.source.choice([*Side, None, None]), self.now)

    def withdraw(self) -> None:
        withdraw_entry(entry_id=self.entry().pk, actor=self.organiser, reason="", now=self.now)

    def leave(self) -> None:
        leave_competition(entry_id=self.entry().pk, now=self.now)

    def replace(self) -> None:
        player = Player.objects.create(username=f"new-{Player.objects.count()}")
        replace_entry(entry_id=self.entry().pk, player=player, actor=self.organiser, reason="", now=self.now)

    def annul(self) -> None:
        annul_fixture(fixture_id=self.fixture().pk, actor=self.organiser, reason="", now=self.now)

    def replay(self) -> None:
        replay_fixture(fixture_id=self.fixture().pk, actor=self.organiser, reason="", now=self.now)

    def end_round(self) -> None:
        begun = Round.objects.filter(group__stage__competition=self.cup, started_at__isnull=False, ended_at=None)
        policy = self.source.choice([RoundEnd.ADJUDICATE, RoundEnd.FORFEIT])
        end_round(round=self.source.choice(list(begun)), policy=policy, actor=self.organiser, now=self.now)

    def lose_on_time(self) -> None:
        expire_due(now=self.now)

    def entry(self) -> Entry:
        return self.source.choice(list(Entry.objects.filter(competition=self.cup).exclude(status=EntryStatus.REPLACED)))

    def fixture(self) -> Fixture:
        return self.source.choice(list(Fixture.objects.filter(competition=self.cup)))


def check_that_it_goes_on(cup: Cup, now: datetime) -> None:
    """Assert that a running cup waits for a move, or for a result to be counted: something always moves it on."""
    if cup.status == CompetitionStatus.RUNNING:
        assert cup_waits_for(cup, now), "the cup waits for nothing"


@pytest.mark.parametrize("seed", [*range(4), *nightly(range(4, 24))])
def test_a_cup_comes_to_its_end_whatever_happens(seed):
    source = random.Random(seed)
    cup, _entries = start_cup(
        source.randint(2, 7),
        format=source.choice(["knock-out", "round-robin"]),
        legs=source.choice([1, 2]),
        replays=source.choice([0, 1, 2]),
        cycles=source.choice([1, 2]),
        third_place=source.choice([True, False]),
        round_days=source.choice([None, 3]),
        at_round_end=source.choice(list(RoundEnd)),
    )
    chaos = Chaos(cup, source)
    for _ in range(60):
        chaos.step()
        check_that_it_goes_on(cup, chaos.now)
        if cup.status == CompetitionStatus.FINISHED:
            break
    for _ in range(100):
        settle_all(chaos.now)
        if not running(cup):
            break
        chaos.now += timedelta(days=11)
        expire_due(now=chaos.now)
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.FINISHED
    nobody = Tie.objects.filter(
        round__group__stage__competition=cup, winner=None, decided_by__in=["neither", "not-played"]
    )
    assert cup.winner is not None or nobody.exists()
    assert not Tie.objects.filter(round__group__stage__competition=cup, decided_at=None).exists()
    assert not Round.objects.filter(group__stage__competition=cup, ended_at=None).exists()
    assert not Fixture.objects.filter(competition=cup, is_annulled=False, counted_at=None).exists()
