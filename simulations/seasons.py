"""The competitions of a simulation: one alone, or the seasons of a series and the finals of their years.

They come, start and follow each other by their dates, as any others. Here are the acts of people: players skip a
season, are new, withdraw and come again, and organisers end the series after the last season.
"""

import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Min, Q, QuerySet

from matches.models import Match
from matches.models.match import RUNNING
from players.models import Player
from players.services import create_computer
from rules_engine.values import Side
from simulations.teams import enter_teams_again, line_up_teams
from tournaments.decisions.services.fixture_decisions import (
    adjudicate_fixture,
    extend_clock_to_move,
    pause_fixture,
    resume_fixture,
)
from tournaments.decisions.services.status import close_competition, finish_competition
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_decision, take_back_replay
from tournaments.decisions.services.undo.withdrawals import take_back_withdrawal
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.replacement import replace_entry
from tournaments.entries.services.withdrawal import leave_competition, withdraw_entry
from tournaments.making.selectors.series import final_due, last_season_of, next_season_of, usual_options
from tournaments.making.services.series import end_series, make_series
from tournaments.models import (
    ENDED,
    NOT_STARTED,
    Competition,
    CompetitionStatus,
    Entry,
    EntryStatus,
    Fixture,
    Round,
    Stage,
)
from tournaments.models.season_dates import Rhythm
from tournaments.records.competitions import competitions_due
from tournaments.records.cups import rounds_due
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


MIN_TO_LOSE_SOME = 4
"""Of fewer players nobody leaves or withdraws."""

SHARE_OF_LEAVERS = 10
SHARE_OF_RETURNERS = 10
"""One of so many players takes another place where groups form one by one."""

COMPUTER_ACTS = RUNNING & (Q(side=Side.YELLOW, yellow__is_computer=True) | Q(side=Side.RED, red__is_computer=True))


@dataclass(slots=True)
class Seasons:
    """The competitions that began with the ``first``: so many seasons, each of so many ``players``.

    Organisers do so many ``acts`` in each of them.
    """

    first: Competition
    number: int
    players: int
    acts: int
    source: random.Random
    filled: set[int] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)
    acts_done: dict[int, int] = field(default_factory=dict)

    def all(self) -> list[Competition]:
        """Return all that there are by now, as they are now, in the order in which they were made."""
        own = Q(pk=self.first.pk) if self.first.series_id is None else Q(series=self.first.series_id)
        return list(Competition.objects.filter(own).select_related("series").order_by("pk"))

    def ids(self) -> list[int]:
        """Return the ids of all that there are by now, in the order in which they were made."""
        if self.first.series_id is None:
            return [self.first.pk]
        seasons = Competition.objects.filter(series=self.first.series_id)
        return list(seasons.order_by("pk").values_list("pk", flat=True))

    def go_on(self, *, now: datetime) -> bool:
        """Let players do what they do in seasons that are new or have begun; return whether there was any."""
        done = False
        for competition in self.all():
            if competition.status == CompetitionStatus.OPEN and competition.pk not in self.filled:
                self.filled.add(competition.pk)
                self._fill(competition, now)
                done = True
            elif competition.status == CompetitionStatus.RUNNING and competition.pk not in self.begun:
                self.begun.add(competition.pk)
                self._change_field(competition, now)
                done = True
        return done

    def act(self, *, now: datetime) -> None:
        """Let organisers do one act in one of the competitions that run and in which they have acts left."""
        open_to_acts = [each for each in self._running() if self.acts_done.get(each.pk, 0) < self.acts]
        if open_to_acts:
            competition = self.source.choice(open_to_acts)
            self.acts_done[competition.pk] = self.acts_done.get(competition.pk, 0) + 1
            act_as_organiser(competition, self.source, now=now)

    def calls_computers(self) -> bool:
        """Return whether a computer is to act in any of them: whatever calls it must come by itself."""
        return Match.objects.filter(COMPUTER_ACTS, competition__in=self._not_ended()).exists()

    def next_moment(self, *, now: datetime) -> datetime | None:
        """Return when something is due by itself, ``now`` or earlier if it waits to be done; ``None`` if nothing is."""
        keys = self._not_ended()
        is_new = Competition.objects.filter(pk__in=keys, status=CompetitionStatus.OPEN).exclude(pk__in=self.filled)
        rounds = Q(group__stage__competition__in=keys)
        starts, ends = competitions_due(now).filter(pk__in=keys), rounds_due(now).filter(rounds)
        if is_new.exists() or starts.exists() or ends.exists():
            return now
        open_rounds = Round.objects.filter(rounds, started_at__isnull=False, ended_at=None, ends_at__gt=now)
        to_start = Competition.objects.filter(pk__in=keys, status__in=NOT_STARTED, starts_at__gt=now)
        moments = [
            Match.objects.filter(RUNNING, competition__in=keys).aggregate(at=Min("deadline"))["at"],
            Stage.objects.filter(competition__in=keys).aggregate(at=Min("next_begins_at"))["at"],
            open_rounds.aggregate(at=Min("ends_at"))["at"],
            to_start.aggregate(at=Min("starts_at"))["at"],
            *self._announcements(),
        ]
        return min((each for each in moments if each is not None), default=None)

    def close_entry(self, *, now: datetime) -> bool:
        """Close the entry of those that wait for more players while they run; return whether there was any."""
        waiting = [each for each in self._running() if each.first_stage.gathers and each.first_stage.late_entry]
        for competition in waiting:
            close_competition(competition_id=competition.pk, actor=None, now=now)
        return bool(waiting)

    def finish_endless(self, *, now: datetime) -> bool:
        """Finish those that have no end by themselves; return whether there was any."""
        endless = [each for each in self._running() if each.is_endless]
        for competition in endless:
            finish_competition(competition_id=competition.pk, actor=None, now=now)
        return bool(endless)

    def are_over(self) -> bool:
        """Return whether all of them have ended and none is still to come."""
        # In this order: what is announced meanwhile is among those that there are.
        return not self._announcements() and all(each.status in ENDED for each in self.all())

    def _not_ended(self) -> list[int]:
        return [each.pk for each in self.all() if each.status not in ENDED]

    def _running(self) -> list[Competition]:
        return [each for each in self.all() if each.status == CompetitionStatus.RUNNING]

    def _announcements(self) -> list[datetime]:
        """Return when the next season and the next final are announced, as far as they are known to come."""
        series = self.first.series
        last = None if series is None else last_season_of(series)
        if series is None or last is None:
            return []
        series.refresh_from_db()
        coming = (next_season_of(series, last), final_due(series))
        return [each.announced_at for each in coming if each is not None]

    def _fill(self, season: Competition, now: datetime) -> None:
        """Let players enter a season that was announced, others skip it, and none follow if it is the last.

        A tenth of the players skip it, and as many are new as there is room for; of teams those come again that have
        not withdrawn. The players of a final are known.
        """
        if season.season is None or season.season == 1:
            return
        if season.season >= self.number:
            end_series(series_id=season.series_id or 0, actor=season.organisers.get(), now=now)
        last = Competition.objects.get(series=season.series_id, season=season.season - 1)
        if season.boards is not None:
            enter_teams_again(season, last, now=now)
            return
        entered = list(season.entries.order_by("pk"))
        if not entered:
            playing = last.entries.filter(status=EntryStatus.ACTIVE).order_by("pk").select_related("player")
            entered = [enter_competition(competition_id=season.pk, player=each.player, now=now) for each in playing]
        leavers = -(-len(entered) // SHARE_OF_LEAVERS) if len(entered) >= MIN_TO_LOSE_SOME else 0
        for entry in self.source.sample(entered, leavers):
            leave_competition(entry_id=entry.pk, now=now)
        token = secrets.token_hex(3)
        for number in range(1, self.players - len(entered) + leavers + 1):
            computer = create_computer(username=f"sim-{token}-{number}", now=now)
            enter_competition(competition_id=season.pk, player=computer, now=now)

    def _change_field(self, competition: Competition, now: datetime) -> None:
        """Let captains of teams name line-ups, and somebody withdraw from a season or from a competition of teams.

        Where groups form one by one, some join once more.
        """
        if competition.boards is not None:
            line_up_teams(competition, self.source, now=now)
        if self.number == 1 and competition.boards is None:
            return
        if competition.first_stage.gathers:
            self._come_again(competition, now)
        self._withdraw_somebody(competition, now)

    def _come_again(self, competition: Competition, now: datetime) -> None:
        entries = list(_active_entries(competition).select_related("player"))
        for entry in self.source.sample(entries, len(entries) // SHARE_OF_RETURNERS):
            # Somebody may still wait for the first group.
            with suppress(DomainError):
                enter_competition(competition_id=competition.pk, player=entry.player, now=now)

    def _withdraw_somebody(self, competition: Competition, now: datetime) -> None:
        entries = list(_active_entries(competition))
        if len(entries) >= MIN_TO_LOSE_SOME:
            withdraw_entry(entry_id=self.source.choice(entries).pk, actor=None, reason="", now=now)


def let_come_again(competition: Competition, *, now: datetime) -> None:
    """Make a competition that is open season 1 of a series, as such competitions usually come again.

    Where they have no dates of their own, the next season comes when the last one has ended.
    """
    maker = competition.organisers.get()
    options = {"rhythm": Rhythm.AFTER_END, **usual_options(competition)}
    make_series(competition=competition, options=options, actor=maker, now=now)


def _active_entries(competition: Competition) -> QuerySet[Entry]:
    return Entry.objects.filter(competition=competition.pk, status=EntryStatus.ACTIVE).order_by("pk")
