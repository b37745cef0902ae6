"""Do in a simulated competition what organisers do: one act at a time, by its service, unless it is refused."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from players.models import Player
from players.services import create_computer
from rules_engine.values import Side
from tournaments.decisions.services.fixture_decisions import (
    adjudicate_fixture,
    extend_clock_to_move,
    pause_fixture,
    resume_fixture,
)
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_decision, take_back_replay
from tournaments.decisions.services.undo.withdrawals import take_back_withdrawal
from tournaments.entries.services.replacement import replace_entry
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.models import Competition, Entry, EntryStatus, Fixture
from web.errors import DomainError

WHY = "simulated"

FixtureAct = Callable[[Fixture, Player, random.Random, datetime], object]
EntryAct = Callable[[Entry, Player, datetime], object]


def _adjudicate(fixture: Fixture, actor: Player, source: random.Random, now: datetime) -> object:
    winner = source.choice([Side.YELLOW, Side.RED, None])
    return adjudicate_fixture(fixture_id=fixture.pk, winner=winner, actor=actor, reason=WHY, now=now)


def _extend(fixture: Fixture, actor: Player, source: random.Random, now: datetime) -> object:
    by = timedelta(seconds=source.randint(1, 10))
    return extend_clock_to_move(fixture_id=fixture.pk, by=by, actor=actor, reason=WHY, now=now)


def _pause_for_a_moment(fixture: Fixture, actor: Player, source: random.Random, now: datetime) -> object:
    pause_fixture(fixture_id=fixture.pk, actor=actor, reason=WHY, now=now)
    return resume_fixture(fixture_id=fixture.pk, actor=actor, reason=WHY, now=now)


def _annul(fixture: Fixture, actor: Player, source: random.Random, now: datetime) -> object:
    return annul_fixture(fixture_id=fixture.pk, actor=actor, reason=WHY, now=now, confirm=True)


def _replay(fixture: Fixture, actor: Player, source: random.Random, now: datetime) -> object:
    return replay_fixture(fixture_id=fixture.pk, actor=actor, reason=WHY, now=now, confirm=True)


def _take_back(fixture: Fixture, actor: Player, source: random.Random, now: datetime) -> object:
    take_back = source.choice([take_back_decision, take_back_annulment, take_back_replay])
    return take_back(fixture_id=fixture.pk, confirm=True, actor=actor, reason=WHY, now=now)


def _replace(entry: Entry, actor: Player, now: datetime) -> object:
    substitute = create_computer(username=f"sim-{secrets.token_hex(4)}", now=now)
    return replace_entry(entry_id=entry.pk, player=substitute, actor=actor, reason=WHY, now=now)


def _withdraw(entry: Entry, actor: Player, now: datetime) -> object:
    return withdraw_entry(entry_id=entry.pk, actor=actor, reason=WHY, now=now)


def _take_back_withdrawal(entry: Entry, actor: Player, now: datetime) -> object:
    return take_back_withdrawal(entry_id=entry.pk, confirm=True, actor=actor, reason=WHY, now=now)


FIXTURE_ACTS: tuple[FixtureAct, ...] = (_adjudicate, _extend, _pause_for_a_moment, _annul, _replay, _take_back)
ENTRY_ACTS: tuple[tuple[EntryAct, EntryStatus], ...] = (
    (_replace, EntryStatus.ACTIVE),
    (_withdraw, EntryStatus.ACTIVE),
    (_take_back_withdrawal, EntryStatus.GONE),
)
"""The acts on entries, and on entries of which status."""

SHARE_OF_ENTRY_ACTS = 0.2


def act_as_organiser(competition: Competition, source: random.Random, *, now: datetime) -> None:
    """Do one act to one match or one entry of a competition; nothing where it is refused, or there is none to do it to.

    Four of five acts concern matches: a competition that loses many entrants would soon be over.
    """
    actor = competition.organisers.get()
    with suppress(DomainError):
        if source.random() < SHARE_OF_ENTRY_ACTS:
            change, status = source.choice(ENTRY_ACTS)
            entries = list(Entry.objects.filter(competition=competition.pk, status=status).order_by("pk"))
            if entries:
                change(source.choice(entries), actor, now)
            return
        fixtures = list(Fixture.objects.filter(competition=competition.pk).order_by("pk"))
        if fixtures:
            source.choice(FIXTURE_ACTS)(source.choice(fixtures), actor, source, now)
