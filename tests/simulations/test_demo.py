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
from django.db.models import Q
from django.utils import timezone

from formats.stage_plans import fewest_entrants
from matches.models import Match, Status
from matches.services.verification import verify_match
from players.models import Player
from simulations.demo import season as demo
from simulations.demo.matches import chooser, play_on
from simulations.demo.plans import plan_competitions, plan_seasons
from tests.tournaments.settled_competitions import start_rated
from tests.tournaments.verbs import NOON, make_cup, make_players
from tournaments.making.selectors.making_conditions import reasons_not_to_make
from tournaments.models import Competition, Fixture, Group, LineUp, Round, Title, TitleName
from tournaments.running.services.verification import (
    verify_competition,
    verify_ratings,
    verify_settled,
    waiting_in_competition,
)
from tournaments.tables.selectors.group_tables import LeagueMove, league_moves

pytestmark = pytest.mark.django_db


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


def check_championship(names: dict[str, Competition]) -> None:
    """Assert that one season is over, of which most play in the next one, and some went up and down."""
    first, second = names["Street Championship"], names["Street Championship 2"]
    assert (first.status, second.status) == ("finished", "running")
    assert set(league_moves(second.first_stage).values()) == {LeagueMove.UP, LeagueMove.DOWN}
    players, again = ({entry.player for entry in each.entries.select_related("player")} for each in (first, second))
    assert (len(players), len(again), len(players & again)) == (18, 18, 16)
    assert first.winner is not None
    assert first.winner.player in again


def check_months(names: dict[str, Competition]) -> None:
    """Assert that the cup of a month is over, and that of another one goes on."""
    assert (names["Cup of the Month"].status, names["Cup of the Month 3"].status) == ("finished", "running")


def check_levels(names: dict[str, Competition]) -> None:
    """Assert that one mini cup is over, and another one has come to its second level."""
    assert [names[name].status for name in ("First Mini Cup", "Mini Cup")] == ["finished", "running"]
    assert Group.objects.filter(stage__competition=names["Mini Cup"], stage__number=2).exists()


def check_weeks(names: dict[str, Competition]) -> None:
    """Assert that the cup of a week is over, and another one can be entered."""
    assert (names["Weekly Cup"].status, names["Weekly Cup 5"].status) == ("finished", "open")


def check_clubs(names: dict[str, Competition]) -> None:
    """Assert that some rounds of a league of clubs are over, with a substitute and an empty board, and others come."""
    league = names["Team League"]
    assert league.status == "running"
    rounds = Round.objects.filter(group__stage__competition=league)
    assert rounds.filter(ended_at__isnull=False).exists()
    assert rounds.filter(started_at=None).exists()
    boards = Fixture.objects.filter(competition=league, round__started_at__isnull=False)
    assert boards.filter(Q(yellow_player=None) | Q(red_player=None)).exists()
    seated = {each.pk for fixture in boards.select_related("yellow_player", "red_player") for each in fixture.seated}
    entered = LineUp.objects.filter(entry__competition=league, round_number=0)
    assert seated - {pk for line_up in entered for pk in line_up.players}


CHECKS = {
    "Street Championship": (check_championship, TitleName.CHAMPION),
    "Cup of the Month": (check_months, TitleName.MONTH),
    "Mini Cup": (check_levels, TitleName.MINI_CUP),
    "Weekly Cup": (check_weeks, TitleName.CUP),
    "Team League": (check_clubs, None),
}
"""The check of each plan of a full season, and the title that was won in it."""


@pytest.mark.parametrize("part", ["Team League", pytest.param("", id="all", marks=pytest.mark.nightly)])
def test_a_full_season_has_what_comes_again_levels_and_clubs_in_the_middle(part, monkeypatch):
    def plan_part(*given):
        return [plan for plan in plan_seasons(*given) if plan.competition.name.endswith(part)]

    monkeypatch.setattr(demo, "plan_competitions", list)
    monkeypatch.setattr(demo, "plan_seasons", plan_part)
    season = demo.seed_demo(now=NOON, full=True)
    names = {competition.name: Competition.objects.get(pk=competition.pk) for competition in season.competitions}
    kinds = set()
    for check, kind in (CHECKS[name] for name in CHECKS if name.endswith(part)):
        check(names)
        kinds.add(kind)
    assert set(Title.objects.values_list("kind", flat=True)) == kinds - {None}
    for competition in names.values():
        waiting = waiting_in_competition(competition=competition, now=NOON)
        assert waiting + verify_competition(competition=competition, now=NOON) == []
    assert verify_settled() + verify_ratings(family="paper-soccer") == []


def test_without_a_password_nobody_can_log_in_to_the_demo(monkeypatch):
    monkeypatch.setattr(demo, "LENGTH", timedelta(days=1))
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
        "from simulations.demo import season; season.LENGTH = season.DAY; season.plan_competitions = list;"
        "from django.core.management import call_command; call_command('seed_demo')"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "0 matches of 26 players" in done.stdout
    with closing(sqlite3.connect(database)) as migrated:
        assert migrated.execute("SELECT COUNT(*) FROM web_idempotentresponse").fetchone() == (0,)
