"""A decision about several matches goes by how each stands when nobody can move in it any more."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from matches.models import Match
from players.models import Player
from rules_engine.values import Side
from tests.matches.locks import do_while_others_come
from tests.matches.play import YELLOW_SET_UP, act
from tests.tournaments.verbs import NOON, ROUND_ROBIN, running, start_cup
from tournaments.decisions.services.undo.outages import forgive_outage, take_back_outage
from tournaments.desk.acts import get_act
from tournaments.desk.acts.bulk import perform_on_each
from tournaments.models import Fixture, LogEntry, RoundEnd
from web.api.idempotency.steps import Steps

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

WHY = "The hall is closed."


@pytest.fixture(autouse=True)
def quiet_notifications(monkeypatch):
    """Let nobody hear: the test compares what the act itself has stored."""
    monkeypatch.setattr("tournaments.office.services.after_commit._send", lambda *_: None)
    monkeypatch.setattr("matches.services.after_commit._send_end", lambda _: None)
    monkeypatch.setattr("matches.services.after_commit._send_ends", lambda _: None)


@pytest.fixture
def fixture(db) -> Fixture:
    """Return a match in which the next move passes the turn to the other side: it is a set-up."""
    clock: dict[str, Any] = {"time_bank": 3600, "time_increment": 0, "time_cap": 7200}
    organiser = Player.objects.create(username="organiser")
    cup, _entries = start_cup(2, **ROUND_ROBIN, **clock, organiser=organiser)
    return running(cup)[0]


def perform(name: str, fixture: Fixture, **values: object) -> None:
    outcomes = perform_on_each(
        act=get_act("fixtures", name),
        competition=fixture.competition,
        numbers=[fixture.pk],
        values={"reason": WHY, **values},
        actor=Player.objects.get(username="organiser"),
        steps=Steps(0, "", "", NOON + timedelta(minutes=1)),
    )
    assert [(each.code, each.detail) for each in outcomes] == [("", "")]


def test_a_match_is_lost_by_the_player_to_move_after_a_move_that_came_first(fixture):
    before = Side(fixture.match.side)
    results = do_while_others_come(
        partial(act, fixture.match, YELLOW_SET_UP), partial(perform, "adjudicate", fixture, policy=RoundEnd.FORFEIT)
    )
    match = Match.objects.get(pk=fixture.match_id)
    assert (results, match.ply) == (["ok"], 1)
    assert match.outcome.winner is before


def test_a_match_is_decided_by_a_score_that_came_first(fixture):
    def score() -> None:
        Match.objects.filter(pk=fixture.match_id).update(position="1-0 red -", side="red")

    Match.objects.filter(pk=fixture.match_id).update(game="paper-soccer", position="0-0 yellow -", side="yellow")
    results = do_while_others_come(score, partial(perform, "adjudicate", fixture, policy=RoundEnd.ADJUDICATE))
    match = Match.objects.get(pk=fixture.match_id)
    assert (results, match.outcome.winner) == (["ok"], "yellow")


def test_time_goes_to_the_player_to_move_after_a_move_that_came_first(fixture):
    before = Side(fixture.match.side)
    results = do_while_others_come(
        partial(act, fixture.match, YELLOW_SET_UP), partial(perform, "extend", fixture, by=timedelta(minutes=10))
    )
    match = Match.objects.get(pk=fixture.match_id)
    assert (results, match.side) == (["ok"], before.opponent)
    assert LogEntry.objects.get(action="extended").subject.startswith(f"{fixture}: {match.player_to_act} ")


def test_a_match_is_not_lost_on_time_again_after_a_move_that_came_first(fixture):
    act_of: dict[str, Any] = {
        "competition_id": fixture.competition_id,
        "actor": Player.objects.get(username="organiser"),
        "reason": WHY,
    }
    now = NOON + timedelta(hours=2)
    forgive_outage(**act_of, begins_at=NOON, ends_at=now, confirm=False, now=now)
    later = now + timedelta(minutes=1)
    results = do_while_others_come(
        partial(act, fixture.match, YELLOW_SET_UP, now=later),
        partial(take_back_outage, **act_of, confirm=False, now=later),
    )
    match = Match.objects.get(pk=fixture.match_id)
    assert (results, match.ply, match.status) == (["matches_would_be_lost"], 1, "playing")
