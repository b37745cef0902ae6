"""A match's life: whatever two players, a clock and an organiser do, in any order, the match stays sound."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from matches.clock import DAY, TimeControl
from matches.errors import MatchOver, MatchPaused, NotYourTurn, StalePly, TooLate
from matches.models import ClockExtension, ExtensionKind, Match, Status
from matches.services import (
    expire_due,
    expire_match,
    give_days,
    pause_matches,
    play_move,
    resign,
    resume_matches,
    start_match,
)
from matches.services.extensions import extend_bank, take_back_bank
from matches.services.verification import verify_match
from players.errors import InvalidDates, NoVacationLeft
from players.models import Player, VacationDay
from players.services import plan_vacation
from rules_engine.values import Ending, Side
from tests.matches.conftest import NOON, SEED
from tests.matches.play import reread, stored
from web.errors import DomainError

pytestmark = pytest.mark.both_databases

CONTROL = TimeControl.of_seconds(2 * 86_400, 6 * 3600, 3 * 86_400)
ALLOWANCE = 3
LIMIT = 2
MOVE = 7
BEGIN = timedelta(hours=20)


class MatchLife(RuleBasedStateMachine):
    """Two players, a clock that never goes back, an organiser, and sweeps that come when they like."""

    begin: timedelta | None = None

    def __init__(self) -> None:
        super().__init__()
        self.outer = transaction.atomic()
        self.outer.__enter__()
        self.now = NOON
        self.players = {side: Player.objects.create(username=side.value) for side in Side}
        self.match: Match = start_match(
            game="streetsoccer-board",
            yellow=self.players[Side.YELLOW],
            red=self.players[Side.RED],
            time_control=CONTROL,
            now=NOON,
            seed=SEED,
            vacation_limit=LIMIT,
            competition=MOVE,
            begin_within=None if self.begin is None else int(self.begin.total_seconds()),
        )
        self.last: tuple[Player, int, str] | None = None

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.outer.__exit__(None, None, None)

    @property
    def deadline(self) -> datetime | None:
        return self.match.deadline

    @property
    def late(self) -> bool:
        """Return whether the stored deadline has passed."""
        return self.deadline is not None and self.match.paused_at is None and self.deadline <= self.now

    @property
    def has_begun(self) -> bool:
        """Return whether the side to act has moved before, or need not be quick with that."""
        return self.begin is None or not self.match.side or self.match.moves.filter(actor=self.match.side).exists()

    def days_had(self, side: Side) -> int:
        return ClockExtension.objects.filter(match=self.match, side=side, kind=ExtensionKind.VACATION).count()

    def fate(self) -> datetime | None:
        """Return when the overdue side loses on time, ``None`` if vacation saves it: worked out from rows alone."""
        side, deadline = Side(self.match.side), self.match.deadline
        rows = VacationDay.objects.filter(player=self.players[side])
        taken, used = rows.count(), self.days_had(side)
        had = set(
            ClockExtension.objects.filter(vacation_day__isnull=False).values_list("vacation_day__starts_at", flat=True)
        )
        resumed = [extension.granted_at for extension in ClockExtension.objects.filter(kind=ExtensionKind.PAUSE)]
        since = max([self.match.turn_started_at, *resumed])
        owed = sorted(set(rows.filter(starts_at__lte=self.now).values_list("starts_at", flat=True)) - had)
        while used < LIMIT:
            fitting = [day for day in owed if since - DAY < day <= deadline]
            if fitting:
                owed.remove(fitting[0])
            elif deadline > self.now or taken >= ALLOWANCE:
                break
            else:
                taken += 1
            deadline += DAY
            used += 1
        return None if deadline > self.now else deadline

    def refused(self, error: type[DomainError], **move: Any) -> None:
        before = stored(self.match)
        with pytest.raises(error):
            play_move(match_id=self.match.pk, now=self.now, **move)
        assert stored(self.match) == before

    @rule(hours=st.integers(0, 40))
    def time_passes(self, hours: int) -> None:
        self.now += timedelta(hours=hours)

    @precondition(lambda self: self.match.side)
    @rule(data=st.data())
    def the_side_to_act_moves(self, data: st.DataObject) -> None:
        player = self.match.player_to_act
        text = data.draw(st.sampled_from(list(self.match.state.legal_moves())))
        move: dict[str, Any] = {"player": player, "ply": self.match.ply, "text": text}
        if self.match.paused_at is not None:
            self.refused(MatchPaused, **move)
            return
        if self.late and self.fate() is not None:
            self.refused(TooLate, **move)
            return
        played = play_move(match_id=self.match.pk, now=self.now, **move)
        assert (played.move.ply, played.move.text, played.repeated) == (self.match.ply, text, False)
        assert played.match.ply > self.match.ply
        self.match, self.last = reread(self.match), (player, played.move.ply, text)

    @precondition(lambda self: self.match.side)
    @rule()
    def the_other_side_tries_to_move(self) -> None:
        player = self.players[Side(self.match.side).opponent]
        self.refused(NotYourTurn, player=player, ply=self.match.ply, text="@d1")

    @precondition(lambda self: self.last)
    @rule()
    def the_last_move_is_sent_again(self) -> None:
        player, ply, text = self.last
        again = play_move(match_id=self.match.pk, player=player, ply=ply, text=text, now=self.now)
        assert (again.repeated, again.move.ply, again.move.text) == (True, ply, text)
        assert again.match.ply == self.match.ply
        self.match = reread(self.match)

    @precondition(lambda self: self.match.side and self.match.ply)
    @rule()
    def somebody_is_behind(self) -> None:
        self.refused(StalePly, player=self.match.player_to_act, ply=self.match.ply - 1, text="h0-h1")

    @rule(many=st.booleans())
    def the_sweep_comes(self, many: bool) -> None:
        lost_at = self.fate() if self.late else None
        side, before, has_begun = self.match.side, self.deadline, self.has_begun
        if many:
            assert expire_due(now=self.now) == (lost_at is not None)
        else:
            assert expire_match(match_id=self.match.pk, now=self.now) == (lost_at is not None)
        self.match = reread(self.match)
        if lost_at is not None:
            ending = Ending.TIMEOUT if has_begun else Ending.FORFEIT
            assert (self.match.ending, self.match.finished_at) == (ending, lost_at)
            assert self.match.is_no_show == (not has_begun)
            assert self.match.winner == Side(side).opponent
        elif before is not None:
            assert self.deadline >= before
            assert not self.late

    @rule()
    def hours_of_vacation_are_given(self) -> None:
        before = self.deadline
        give_days(now=self.now)
        self.match = reread(self.match)
        assert before is None or (self.deadline is not None and self.deadline >= before)

    @rule(side=st.sampled_from(Side), ahead=st.integers(1, 3), days=st.integers(1, 2))
    def somebody_plans_vacation(self, side: Side, ahead: int, days: int) -> None:
        first = self.now.date() + ahead * DAY
        last = first + (days - 1) * DAY
        player = self.players[side]
        midnights = [datetime.combine(first + number * DAY, time(), UTC) for number in range(days)]
        known = VacationDay.objects.filter(player=player)
        new = days - known.filter(starts_at__in=midnights).count()
        if known.count() + new > ALLOWANCE:
            with pytest.raises(NoVacationLeft):
                plan_vacation(player=player, first=first, last=last, now=self.now)
        else:
            assert len(plan_vacation(player=player, first=first, last=last, now=self.now)) == days
        with pytest.raises(InvalidDates):
            plan_vacation(player=player, first=self.now.date(), last=last, now=self.now)

    @rule()
    def the_move_is_paused(self) -> None:
        self.the_sweep_comes(many=False)
        pause_matches(competition=MOVE, now=self.now)
        self.match = reread(self.match)
        assert (self.match.paused_at is not None) == (self.match.status == Status.PLAYING)

    @rule()
    def the_move_goes_on(self) -> None:
        before, paused_at = self.deadline, self.match.paused_at
        resume_matches(competition=MOVE, now=self.now)
        self.match = reread(self.match)
        assert self.match.paused_at is None
        if paused_at is not None and before is not None:
            assert self.deadline == before + (self.now - paused_at)

    @precondition(lambda self: self.match.side)
    @rule(side=st.sampled_from(Side), hours=st.integers(1, 99))
    def the_organiser_gives_time(self, side: Side, hours: int) -> None:
        before = self.deadline
        if self.late and self.fate() is not None:
            with pytest.raises(MatchOver):
                extend_bank(match_id=self.match.pk, side=side, by=timedelta(hours=hours), now=self.now)
        else:
            given_time = extend_bank(match_id=self.match.pk, side=side, by=timedelta(hours=hours), now=self.now)
            assert timedelta(0) <= given_time <= timedelta(hours=hours)
        self.match = reread(self.match)
        assert before is not None
        assert self.deadline is None or self.deadline >= before

    @precondition(lambda self: self.match.side)
    @rule()
    def the_organiser_takes_time_back(self) -> None:
        if self.late and self.fate() is not None:
            with pytest.raises(MatchOver):
                take_back_bank(match_id=self.match.pk, now=self.now)
        elif (taken := take_back_bank(match_id=self.match.pk, now=self.now)) is not None:
            row = ClockExtension.objects.filter(kind=ExtensionKind.TAKEN).last()
            given = ClockExtension.objects.filter(kind=ExtensionKind.ORGANISER, side=row.side).values_list(
                "milliseconds"
            )
            assert 0 < row.milliseconds <= max(given)[0]
            assert reread(self.match).time_left(taken.side, self.now) == taken.before - taken.time >= CONTROL.bank / 10
        self.match = reread(self.match)

    @precondition(lambda self: self.match.ply > 10)
    @rule(side=st.sampled_from(Side))
    def somebody_resigns(self, side: Side) -> None:
        player = self.players[side]
        if self.match.status == Status.FINISHED:
            if not (self.match.ending == Ending.RESIGNATION and self.match.winner == side.opponent):
                with pytest.raises(MatchOver):
                    resign(match_id=self.match.pk, player=player, now=self.now)
            return
        if self.late and self.fate() is not None:
            with pytest.raises(TooLate):
                resign(match_id=self.match.pk, player=player, now=self.now)
            return
        self.match = resign(match_id=self.match.pk, player=player, now=self.now)
        assert self.match.winner == side.opponent

    @invariant()
    def everything_stored_is_borne_out_by_the_rows(self) -> None:
        assert verify_match(match=reread(self.match)) == []

    @invariant()
    def no_bank_is_empty_or_above_the_cap_but_by_vacation(self) -> None:
        for side in Side:
            bank = self.match.banks[side]
            assert timedelta(0) < bank <= CONTROL.cap + self.days_had(side) * DAY
            assert bank <= CONTROL.cap or side == self.match.side or not self.match.side

    @invariant()
    def who_has_not_begun_has_the_time_for_it_and_what_was_given_since(self) -> None:
        assert self.match.must_begin == (not self.has_begun)
        if self.begin is None or self.has_begun:
            return
        before = self.match.moves.exclude(actor="chance").order_by("ply").last()
        rows = ClockExtension.objects.filter(match=self.match, side=self.match.side)
        given = sum(-row.milliseconds if row.kind == ExtensionKind.TAKEN else row.milliseconds for row in rows)
        began = self.match.created_at if before is None else before.played_at
        assert self.deadline == began + self.begin + timedelta(milliseconds=given)

    @invariant()
    def nobody_has_more_vacation_than_he_has(self) -> None:
        for side, player in self.players.items():
            assert VacationDay.objects.filter(player=player).count() <= ALLOWANCE
            assert self.days_had(side) <= LIMIT


class UnbegunMatchLife(MatchLife):
    """The same where each side has less time for its first move."""

    begin = BEGIN


@pytest.mark.parametrize("life", [MatchLife, UnbegunMatchLife])
@pytest.mark.django_db
def test_a_match_stays_sound_whatever_happens(life, settings):
    settings.VACATION_DAYS = ALLOWANCE
    run_state_machine_as_test(
        life,
        settings=hypothesis_settings(
            max_examples=hypothesis_settings().max_examples // 4,
            stateful_step_count=30,
            suppress_health_check=list(HealthCheck),
        ),
    )
