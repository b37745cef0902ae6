"""The sweep that ends what is lost on time: in batches, dated at the deadline, stopped by nothing."""

from datetime import timedelta
from typing import Any

import pytest

from matches import tasks
from matches.clock import TimeControl
from matches.models import Match, Status
from matches.services import expire_due, expiry
from matches.services.verification import verify_match
from matches.signals import matches_finished
from matches.tasks import expire_turns
from rules_engine.values import BySide, Ending
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, act, heard, play_to_a_goal, reread
from tests.matches.test_queries import queries_of

pytestmark = pytest.mark.both_databases

BLITZ = TimeControl.of_seconds(60, 0, 60)
SECOND = timedelta(seconds=1)
LATER = NOON + timedelta(hours=1)


def break_match(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(position="nonsense")


def test_the_sweep_ends_all_that_are_due_and_no_others(begin):
    due = [begin(time_control=BLITZ) for _ in range(3)]
    running = begin()
    assert expire_due(now=LATER) == 3
    assert expire_due(now=LATER) == 0
    assert {reread(match).status for match in due} == {Status.FINISHED}
    assert reread(running).status == Status.PLAYING


def test_a_sweep_ends_so_many_and_the_next_one_the_others(begin, monkeypatch):
    monkeypatch.setattr(tasks, "MAX_EXPIRED", 2)
    matches = [begin(time_control=BLITZ, now=NOON + minutes * timedelta(minutes=1)) for minutes in (2, 0, 1)]
    expire_turns()
    assert [reread(match).status for match in matches] == [Status.PLAYING, Status.FINISHED, Status.FINISHED]
    expire_turns()
    assert reread(matches[0]).status == Status.FINISHED


def test_each_match_is_dated_at_its_own_deadline_with_its_own_score(begin):
    early = act(begin(time_control=BLITZ), YELLOW_SET_UP, now=NOON + 20 * SECOND)
    scored = play_to_a_goal(begin())
    Match.objects.filter(pk=scored.pk).update(vacation_limit=0)
    deadlines, score = [early.deadline, scored.deadline], scored.state.score
    assert expire_due(now=NOON + timedelta(days=99)) == 2
    ended = [reread(match) for match in (early, scored)]
    assert [match.finished_at for match in ended] == deadlines
    assert [match.ending for match in ended] == [Ending.TIMEOUT] * 2
    assert [match.outcome and match.outcome.score for match in ended] == [BySide(0, 0), score]
    assert ended[0].points == BySide(5, 0)
    assert [verify_match(match=match) for match in ended] == [[], []]


def test_many_matches_that_cannot_be_ended_stop_none_of_the_others(begin):
    broken = [begin(time_control=BLITZ, now=NOON + number * SECOND) for number in range(7)]
    for match in broken:
        break_match(match)
    sound = [begin(time_control=BLITZ, now=NOON + minutes * timedelta(minutes=1)) for minutes in (0, 5)]
    assert expire_due(now=LATER, batch=3) == 2
    assert [reread(match).ending for match in sound] == [Ending.TIMEOUT] * 2
    assert {reread(match).status for match in broken} == {Status.PLAYING}


def test_the_log_names_what_cannot_be_ended_once_a_sweep(begin, caplog):
    for _ in range(3):
        break_match(begin(time_control=BLITZ))
    expire_due(now=LATER, batch=2)
    assert len([record for record in caplog.records if "matches_not_expired" in record.getMessage()]) == 1


def test_the_rest_of_a_batch_still_ends_where_the_database_refuses_one_match(begin, monkeypatch):
    refused, *sound = [begin(time_control=BLITZ) for _ in range(3)]
    store = expiry._end

    def refuse(alike: dict[Any, list[int]]) -> int:
        if any(refused.pk in match_ids for match_ids in alike.values()):
            raise RuntimeError("refused")
        return store(alike)

    monkeypatch.setattr(expiry, "_end", refuse)
    assert expire_due(now=LATER) == 2
    assert {reread(match).ending for match in sound} == {Ending.TIMEOUT}
    assert reread(refused).status == Status.PLAYING


@pytest.mark.parametrize("count", [1, 12])
def test_a_batch_costs_few_statements_however_many_it_ends(begin, count):
    for _ in range(count):
        begin(time_control=BLITZ)
    assert queries_of(lambda: expire_due(now=LATER)) == ["SELECT", "SELECT", "UPDATE", "SELECT"]


def test_one_message_names_all_that_a_batch_has_ended(begin, django_capture_on_commit_callbacks):
    matches = [begin(time_control=BLITZ, now=NOON + number * SECOND) for number in range(5)]
    with heard(matches_finished, "match_ids") as announced, django_capture_on_commit_callbacks(execute=True):
        expire_due(now=LATER, batch=3)
    assert [sorted(ids) for ids in announced] == [
        [match.pk for match in matches[:3]],
        [match.pk for match in matches[3:]],
    ]
