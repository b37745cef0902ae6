"""The demo season."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from matches.models import Match, Status
from matches.services.verification import verify_match
from players.models import Player
from tests.tournaments.competitions.running import NOON, make_cup, make_players
from tests.tournaments.settlement.competitions import start_rated
from tournaments.selectors.making_conditions import reasons_not_to_make
from tournaments.services.demo import season as demo
from tournaments.services.demo.matches import chooser, play_on
from tournaments.services.demo.plans import plan_competitions
from tournaments.stage_plans import fewest_entrants

pytestmark = [pytest.mark.once, pytest.mark.django_db]


def test_a_match_is_played_to_its_end_within_the_rules():
    one, two = make_players(2)
    match = start_rated(one, two)
    rnd = random.Random(1)
    played = play_on(match_id=match.pk, choose=chooser(match, {}, rnd), until=NOON + timedelta(days=60), rnd=rnd)
    assert played.status == Status.FINISHED
    assert verify_match(match=Match.objects.get(pk=match.pk)) == []


def test_a_match_goes_no_further_than_now():
    one, two = make_players(2)
    match = start_rated(one, two)
    rnd = random.Random(1)
    until = NOON + timedelta(hours=20)
    played = play_on(match_id=match.pk, choose=chooser(match, {}, rnd), until=until, rnd=rnd)
    assert played.status == Status.PLAYING
    assert played.ply > 0
    assert played.last_move_at <= until < played.deadline


def test_a_site_that_has_competitions_gets_no_demo_unless_it_is_wanted():
    make_cup()
    with pytest.raises(CommandError, match="has competitions already"):
        call_command("seed_demo")
    assert not Player.objects.filter(is_computer=False).exists()


def test_a_short_season_leaves_competitions_of_every_state_and_nothing_unsettled(monkeypatch):
    monkeypatch.setattr(demo, "LENGTH", timedelta(days=6))
    shortened = [
        replace(plan, day=min(plan.day, index), entrants=max(5, fewest_entrants(plan.make_stages()) or 0))
        for index, plan in enumerate(plan_competitions())
    ]
    monkeypatch.setattr(demo, "plan_competitions", lambda: shortened)
    out = StringIO()
    call_command("seed_demo", stdout=out, password="x")
    assert "Street Ladder, running" in out.getvalue()
    assert "New Year Cup, open for entry" in out.getvalue()
    assert not Match.objects.filter(status=Status.FINISHED, settled_at=None).exists()
    assert not Match.objects.filter(status=Status.PLAYING, deadline__lte=timezone.now()).exists()
    assert all(player.check_password("x") for player in Player.objects.filter(is_computer=False))
    (organiser,) = Player.objects.filter(is_staff=True)
    assert reasons_not_to_make(player=organiser, now=timezone.now()) == []


def test_without_a_password_nobody_can_log_in_to_the_demo(monkeypatch):
    monkeypatch.setattr(demo, "plan_competitions", list)
    call_command("seed_demo", stdout=StringIO())
    assert Player.objects.exists()
    assert not any(player.has_usable_password() for player in Player.objects.all())


def test_the_demo_brings_the_database_up_to_date_first(untouched_site, tmp_path):
    data = shutil.copytree(untouched_site, tmp_path / "data")
    database = data / "kickabout.sqlite3"
    with closing(sqlite3.connect(database)) as older, older:
        # As older code has left it: one migration is enough, and all would take five times as long.
        older.execute("DROP TABLE web_idempotentresponse")
        older.execute("DELETE FROM django_migrations WHERE app = 'web'")
    environment = os.environ | {"DATA_DIR": str(data), "DATABASE_URL": f"sqlite:///{database}"}
    script = (
        "import django; django.setup();"
        "from tournaments.services.demo import season; season.plan_competitions = list;"
        "from django.core.management import call_command; call_command('seed_demo')"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "0 matches of 26 players" in done.stdout
    with closing(sqlite3.connect(database)) as migrated:
        assert migrated.execute("SELECT COUNT(*) FROM web_idempotentresponse").fetchone() == (0,)
