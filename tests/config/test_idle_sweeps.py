"""The periodic tasks ask little of a database in which nothing is to be done."""

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.celery import app
from matches.models import ReminderMark
from tests.tournaments.verbs import ROUND_ROBIN, enter_all, make_cup, make_ladder, make_players, start

pytestmark = pytest.mark.django_db

MAX_QUERIES = 3

NO_QUERIES = ("SAVEPOINT", "RELEASE")


@pytest.fixture
def site():
    """Have cups and ladders that wait for their start or are running; no results of these go out of date."""
    ReminderMark.objects.create(pk=ReminderMark.ONLY, until=timezone.now())
    players = make_players(4)
    for number in range(2):
        for kind, options in ((make_cup, {}), (make_cup, ROUND_ROBIN)):
            slug = f"{number}-{len(options)}"
            enter_all(kind(slug=f"waits-{slug}", **options), players[:1], timezone.now())
            runs = kind(slug=f"runs-{slug}", **options)
            enter_all(runs, players, timezone.now())
            start(runs, timezone.now())
        for format_ in ("points-ladder", "challenge-ladder"):
            enter_all(make_ladder(slug=f"{format_}-waits-{number}", format=format_), players[:1], timezone.now())
            ladder = make_ladder(slug=f"{format_}-runs-{number}", format=format_, window_days=0)
            enter_all(ladder, players, timezone.now())
            start(ladder, timezone.now())


@pytest.mark.usefixtures("site")
def test_a_sweep_that_finds_nothing_to_do_asks_three_times_at_most():
    app.loader.import_default_modules()
    tasks = sorted(entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values())
    # The first time they send what was put off: news, and mails.
    for task in 2 * tasks:
        app.tasks[task].apply(throw=True)
    asked = {}
    for task in tasks:
        with CaptureQueriesContext(connection) as queries:
            app.tasks[task].apply(throw=True)
        asked[task] = sum(not query["sql"].startswith(NO_QUERIES) for query in queries)
    assert {task: number for task, number in asked.items() if number > MAX_QUERIES} == {}
