"""The tasks that move competitions on: found by the worker, scheduled, and harmless for what is gone."""

from datetime import timedelta

import pytest
from celery import current_app
from django.conf import settings
from django.utils import timezone

from tests.tournaments.verbs import enter_all, make_cup, make_ladder, make_players, running
from tournaments import tasks
from tournaments.models import Competition, CompetitionStatus, Round, RoundEnd

pytestmark = pytest.mark.django_db


def test_every_scheduled_task_is_there():
    current_app.loader.import_default_modules()
    scheduled = {each["task"] for each in settings.CELERY_BEAT_SCHEDULE.values()}
    assert scheduled <= set(current_app.tasks)


def test_competitions_start_games_begin_and_rounds_end():
    now = timezone.now()
    players = make_players(4)
    cup = make_cup(starts_at=now - timedelta(days=9), round_days=7, at_round_end=RoundEnd.FORFEIT)
    ladder = make_ladder(starts_at=now)
    for competition in (cup, ladder):
        enter_all(competition, players)
    tasks.start_competition(cup.pk)
    tasks.start_competitions()
    for competition in (cup, ladder):
        competition.refresh_from_db()
        assert competition.status == CompetitionStatus.RUNNING
    tasks.pair_ladders()
    assert len(running(ladder)) == 4
    Round.objects.filter(number=1).update(ends_at=now)
    assert len(running(cup)) == 4
    tasks.end_rounds()
    assert running(cup) == []
    Competition.objects.filter(pk=ladder.pk).update(paused_at=now)
    tasks.pause_saved_matches()
    assert [fixture.match.paused_at is None for fixture in running(ladder)] == [False] * 4


def test_a_competition_that_is_gone_is_left_alone():
    tasks.start_competition(0)
    tasks.pair_ladder(0)
