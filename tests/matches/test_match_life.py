"""A match's life: whatever two players and a clock do, in any order, the match stays sound."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from matches.clock import TimeControl
from matches.errors import MatchOver, NotYourTurn, StalePly, TooLate
from matches.models import Match, Status
from matches.services import expire_match, play_move, resign, start_match
from matches.services.verifying import verify_match
from players.errors import DomainError
from players.models import Player
from rules_engine.values import Ending, Side
from tests.matches.conftest import NOON, SEED
from tests.matches.playing import reread, stored

CONTROL = TimeControl.of_seconds(600, 20, 700)


class MatchLife(RuleBasedStateMachine):
    """Two players, a clock that never goes back, and a sweep that comes when it likes."""

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
        )
        self.last: tuple[Player, int, str] | None = None

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.outer.__exit__(None, None, None)

    @property
    def deadline(self) -> datetime | None:
        return self.match.deadline

    def refused(self, error: type[DomainError], **move: Any) -> None:
        before = stored(self.match)
        with pytest.raises(error):
            play_move(match_id=self.match.pk, now=self.now, **move)
        assert stored(self.match) == before

    @rule(seconds=st.integers(0, 250))
    def time_passes(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)

    @precondition(lambda self: self.match.side)
    @rule(data=st.data())
    def the_side_to_act_moves(self, data: st.DataObject) -> None:
        player = self.match.player_to_act
        text = data.draw(st.sampled_from(list(self.match.state.legal_moves())))
        move: dict[str, Any] = {"player": player, "ply": self.match.ply, "text": text}
        if self.deadline is not None and self.now >= self.deadline:
            self.refused(TooLate, **move)
            return
        played = play_move(match_id=self.match.pk, now=self.now, **move)
        assert (played.move.ply, played.move.text, played.repeated) == (self.match.ply, text, False)
        assert played.match.ply > self.match.ply
        assert player is not None
        self.match, self.last = reread(self.match), (player, played.move.ply, text)

    @precondition(lambda self: self.match.side)
    @rule()
    def the_other_side_tries_to_move(self) -> None:
        player = self.players[Side(self.match.side).opponent]
        self.refused(NotYourTurn, player=player, ply=self.match.ply, text="@d1")

    @precondition(lambda self: self.last)
    @rule()
    def the_last_move_is_sent_again(self) -> None:
        assert self.last is not None
        player, ply, text = self.last
        before = stored(self.match)
        again = play_move(match_id=self.match.pk, player=player, ply=ply, text=text, now=self.now)
        assert (again.repeated, again.move.ply, again.move.text) == (True, ply, text)
        assert stored(self.match) == before

    @precondition(lambda self: self.match.side and self.match.ply)
    @rule()
    def somebody_is_behind(self) -> None:
        self.refused(StalePly, player=self.match.player_to_act, ply=self.match.ply - 1, text="h0-h1")

    @rule()
    def the_sweep_comes(self) -> None:
        due = self.deadline is not None and self.deadline <= self.now
        deadline, side = self.deadline, self.match.side
        assert expire_match(match_id=self.match.pk, now=self.now) == due
        self.match = reread(self.match)
        if due:
            assert (self.match.ending, self.match.finished_at) == (Ending.TIMEOUT, deadline)
            assert self.match.winner == Side(side).opponent

    @precondition(lambda self: self.match.ply > 10)
    @rule(side=st.sampled_from(Side))
    def somebody_resigns(self, side: Side) -> None:
        player = self.players[side]
        if self.match.status == Status.FINISHED:
            if not (self.match.ending == Ending.RESIGNATION and self.match.winner == side.opponent):
                with pytest.raises(MatchOver):
                    resign(match_id=self.match.pk, player=player, now=self.now)
            return
        if self.deadline is not None and self.now >= self.deadline:
            with pytest.raises(TooLate):
                resign(match_id=self.match.pk, player=player, now=self.now)
            return
        self.match = resign(match_id=self.match.pk, player=player, now=self.now)
        assert self.match.winner == side.opponent

    @invariant()
    def everything_stored_is_borne_out_by_the_moves(self) -> None:
        assert verify_match(match=reread(self.match)) == []

    @invariant()
    def no_bank_is_above_the_cap_or_empty(self) -> None:
        for bank in self.match.banks:
            assert timedelta(0) < bank <= CONTROL.cap


@pytest.mark.django_db
def test_a_match_stays_sound_whatever_happens() -> None:
    run_state_machine_as_test(
        MatchLife,
        settings=settings(
            max_examples=25, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
