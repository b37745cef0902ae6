"""Decisions taken back: the competition is as if they had never been made."""

import copy
import random
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import override_settings

from matches.models import Match, Status
from matches.services.verification import verify_match
from rules_engine.values import Side
from tests.tournaments.decisions.undoing import FORMATS, begin, faults_of, go_on
from tests.tournaments.verbs import NOON, correct, end, make_olga, move_in, running
from tournaments.decisions.errors import NotDisqualified, NothingToTakeBack, NotWithdrawn
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture, what_follows_from_annulling
from tournaments.decisions.services.undo.changes import RELATED
from tournaments.decisions.services.undo.corrections import take_back_correction
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_decision, take_back_replay
from tournaments.decisions.services.undo.disqualifications import disqualify_entry, take_back_disqualification
from tournaments.decisions.services.undo.round_ends import take_back_round_end
from tournaments.decisions.services.undo.withdrawals import take_back_withdrawal
from tournaments.desk.acts import COMPETITION, ENTRY, FIXTURE, ROUND, acts_on
from tournaments.entries.errors import EntryOver
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.models import (
    Competition,
    Disqualification,
    Entry,
    Fixture,
    Group,
    LogEntry,
    PlaceChange,
    RatingDue,
    Round,
    RoundEnd,
    Seat,
    Standing,
    Tie,
)
from tournaments.models.rights import RIGHTS, Role
from tournaments.office.services.locks import lock_competition
from tournaments.rounds.errors import MatchesWouldBeLost
from tournaments.running.services.catch_up import catch_up

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
WHY = "It was the other board."
SIZES = {
    "groups then knock-out": 6,
    "double elimination": 5,
    "mini cup": 9,
    "leagues": 14,
    "leagues with play-offs": 12,
}
MATCHES = {"knock-out": 5, "knock-out in rounds": 4}
"""The numbers of matches of the competitions that have fewer than six."""


def play_some(competition, source, steps, now=NOON):
    """End so many matches, one after the other, and return the moment of the last one."""
    for _ in range(steps):
        go_on(competition, now)
        going_on = running(competition)
        if not going_on:
            break
        now += MINUTE
        fixture = source.choice(going_on)
        if source.random() < 0.5:
            move_in(fixture, now)
        end(fixture, source.choice([*Side, None]), now)
    go_on(competition, now)
    return now


class Decisions:
    """Decisions at random, each with the act that takes it back."""

    def __init__(self, competition, source, act, now):
        self.competition, self.source, self.act, self.now = competition, source, act, now

    def adjudicate(self):
        fixture = self.source.choice(running(self.competition))
        adjudicate_fixture(fixture_id=fixture.pk, winner=self.source.choice([*Side, None]), **self.act, now=self.now)
        return lambda now: take_back_decision(fixture_id=fixture.pk, confirm=True, **self.act, now=now)

    def correct(self):
        fixtures = Fixture.objects.filter(competition=self.competition, is_annulled=False, counted_at__isnull=False)
        fixture = self.source.choice(list(fixtures.order_by("pk")) or [None])
        if fixture is None:
            return self.adjudicate()
        for _ in range(self.source.randrange(1, 3)):
            winner, is_rated = self.source.choice([*Side, None]), self.source.random() < 0.8
            correct(fixture, winner, self.act["actor"], self.now, is_rated=is_rated)

        def take_back(now):
            while Fixture.objects.get(pk=fixture.pk).correction:
                take_back_correction(fixture_id=fixture.pk, confirm=True, **self.act, now=now)

        return take_back

    def annul(self):
        fixtures = Fixture.objects.filter(competition=self.competition, is_annulled=False, tie=None)
        fixture = self.source.choice(list(fixtures.order_by("pk")) or [None])
        if fixture is None:
            return self.adjudicate()
        annul_fixture(fixture_id=fixture.pk, **self.act, now=self.now, confirm=True)
        return lambda now: take_back_annulment(fixture_id=fixture.pk, confirm=True, **self.act, now=now)

    def replay(self):
        fixtures = Fixture.objects.filter(competition=self.competition, is_annulled=False, match__isnull=False)
        fixture = self.source.choice(list(fixtures.order_by("pk")))
        replay_fixture(fixture_id=fixture.pk, **self.act, now=self.now, confirm=True)
        return lambda now: take_back_replay(fixture_id=fixture.pk, confirm=True, **self.act, now=now)

    def choose_entry(self):
        return self.source.choice([each for each in self.competition.entries.order_by("pk") if each.is_in])

    def withdraw(self):
        entry = self.choose_entry()
        withdraw_entry(entry_id=entry.pk, **self.act, now=self.now)
        return lambda now: take_back_withdrawal(entry_id=entry.pk, confirm=True, **self.act, now=now)

    def disqualify(self):
        entry = self.choose_entry()
        rule = self.source.choice([*Disqualification])
        disqualify_entry(entry_id=entry.pk, rule=rule, confirm=True, **self.act, now=self.now)
        return lambda now: take_back_disqualification(entry_id=entry.pk, confirm=True, **self.act, now=now)

    def end_round(self):
        rounds = Round.objects.filter(
            group__stage__competition=self.competition, started_at__isnull=False, ended_at=None
        )
        round_ = self.source.choice(list(rounds.order_by("pk")) or [None])
        if round_ is None:
            return self.adjudicate()
        policy = self.source.choice([RoundEnd.ADJUDICATE, RoundEnd.FORFEIT])
        end_round(round=round_, policy=policy, **self.act, now=self.now)
        return lambda now: take_back_round_end(round=round_, confirm=True, **self.act, now=now)


KINDS = ["adjudicate", "correct", "annul", "replay", "withdraw", "disqualify", "end_round"]
NIGHTLY = pytest.mark.nightly
SHOWN = ["knock-out", "round robin", "groups then knock-out", "challenge ladder"]
"""A bracket, a table, one after the other, and no end."""

WORLDS = [
    pytest.param((name, seed), id=f"{name}-{seed}", marks=[NIGHTLY] if seed or name not in SHOWN else [])
    for seed in range(4)
    for name in FORMATS
]
"""The formats with what was played there, seed by seed."""


@pytest.fixture(scope="module")
def played(request, django_db_setup, django_db_blocker):
    """Yield a competition that has been played for a while, stored once for the tests of it, which follow each other.

    With it come who organises it, a source of randomness, and the moment of the last result.
    """
    name, seed = request.param
    with django_db_blocker.unblock(), transaction.atomic(), override_settings(VACATION_DAYS=0):
        olga = make_olga()
        source = random.Random(seed)
        competition = begin(name, SIZES.get(name, 5), organiser=olga)
        now = play_some(competition, source, source.randrange(MATCHES.get(name, 6)))
        yield competition, olga, source, now
        transaction.set_rollback(True)


@pytest.fixture
def act(played, db):
    """Return what every act is called with."""
    _competition, olga, _source, _now = played
    return {"actor": olga, "reason": WHY}


@pytest.fixture
def world(played, db):
    """Return the competition as it was stored, and the source as it was then: no test sees what another did."""
    competition, _olga, source, now = played
    return type(competition).objects.get(pk=competition.pk), copy.copy(source), now


@pytest.mark.parametrize("played", WORLDS, indirect=True)
def test_everything_follows_from_results_that_count_after_taking_back_whatever_was_played_since(act, world):
    competition, source, now = world
    undo = []
    for _ in range(4):
        if running(competition):
            now += HOUR
            undo.append(getattr(Decisions(competition, source, act, now), source.choice(KINDS))())
        now = play_some(competition, source, source.randrange(5), now)
    source.shuffle(undo)
    taken_back = 0
    for take_back in undo:
        now += HOUR
        catch_up_with(competition, now)
        taken_back += is_taken_back(take_back, now)
        go_on(competition, now)
        assert faults_of(competition, now) == []
    assert taken_back
    for match in Match.objects.filter(status=Status.PLAYING):
        assert verify_match(match=match) == []
    for _ in range(60):
        if not running(competition) or competition.is_endless:
            break
        now = play_some(competition, source, 1, now)
    assert faults_of(competition, now) == []
    if not competition.is_endless:
        assert competition.status == "finished"
        assert LogEntry.objects.filter(competition=competition, action="finished").exists()


PREVIEWED = [
    pytest.param(
        (name, 3),
        kind,
        id=f"{name}-{kind}",
        marks=[] if number == format_number else [NIGHTLY],
    )
    for format_number, name in enumerate(SHOWN)
    for number, kind in enumerate(KINDS)
]
"""The previews of every act after each kind of decision: each time, one kind in each format."""


def count_rounds(competition):
    return Round.objects.filter(group__stage__competition=competition).count()


def catch_up_with(competition, now):
    with transaction.atomic():
        catch_up(competition=lock_competition(competition_id=competition.pk), now=now)


def is_taken_back(take_back, now):
    """Take something back, and say whether nothing decided or taken back since was in the way: if so, all stays."""
    stored = snapshot()
    try:
        take_back(now)
    except (NothingToTakeBack, EntryOver, NotDisqualified, NotWithdrawn):
        assert snapshot() == stored
        return False
    assert snapshot() != stored
    return True


@pytest.mark.parametrize(("played", "kind"), PREVIEWED, indirect=["played"])
def test_a_preview_stores_nothing(act, world, kind, django_capture_on_commit_callbacks):
    competition, source, now = world
    getattr(Decisions(competition, source, act, now + HOUR), kind)()
    go_on(competition, now + HOUR)
    stored = snapshot()
    with django_capture_on_commit_callbacks() as callbacks:
        follows = [each for each in preview_all(competition, now + 2 * HOUR) if each is not None]
    assert follows
    assert all(each.sentences for each in follows)
    assert callbacks == []
    assert snapshot() == stored


def snapshot():
    """Return all rows that acts on a competition change."""
    models = (Competition, Group, Round, Tie, Seat, Entry, Fixture, Standing, PlaceChange, LogEntry, Match, RatingDue)
    return [sorted(map(str, model.objects.values_list())) for model in models]


def preview_all(competition, now):
    """Yield what follows from every act on the competition that has a preview and makes sense."""
    subjects = [
        (COMPETITION, [competition]),
        (ENTRY, Entry.objects.filter(competition=competition).select_related("player")),
        (FIXTURE, Fixture.objects.filter(competition=competition).select_related(*RELATED)),
        (ROUND, Round.objects.filter(group__stage__competition=competition).select_related("group__stage")),
    ]
    for kind, rows in subjects:
        for subject in rows:
            for each in acts_on(kind, competition, subject, RIGHTS[Role.ORGANISER]):
                try:
                    yield each.foresee(subject, now)
                except EntryOver:
                    assert not (subject.yellow.is_in and subject.red.is_in)


@pytest.mark.parametrize("played", [("groups then knock-out", 0)], ids=str, indirect=True)
def test_of_a_group_whose_table_lets_others_go_on_the_next_stage_is_drawn_anew(act, world):
    competition, _source, now = world
    while not Tie.objects.filter(round__group__stage__number=2).exists():
        now += MINUTE
        end(running(competition)[0], Side.YELLOW, now)
        go_on(competition, now)
    played = running(competition)[0]
    move_in(played, now)
    results = Fixture.objects.filter(group__stage__number=1, is_annulled=False).order_by("pk")
    for fixture in results:
        follows = what_follows_from_annulling(fixture_id=fixture.pk, now=now)
        if follows.lost:
            break
    assert list(follows.lost) == [played]
    assert "Stage 2 is taken back. It is drawn anew." in follows.sentences
    with pytest.raises(MatchesWouldBeLost):
        annul_fixture(fixture_id=fixture.pk, **act, now=now)
    annul_fixture(fixture_id=fixture.pk, **act, now=now, confirm=True)
    go_on(competition, now)
    assert faults_of(competition, now) == []
    assert len(running(competition)) > 0
    play_some(competition, random.Random(1), 30, now)
    assert competition.status == "finished"
    assert faults_of(competition, now + HOUR) == []
