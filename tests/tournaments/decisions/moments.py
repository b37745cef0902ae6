"""Competitions of all recipes at moments of their lives, from before the start until after the end."""

from contextlib import suppress
from datetime import datetime, timedelta
from random import Random

from matches.services.expiry import expire_due
from players.models import Player
from rules_engine.values import Side
from tests.tournaments.decisions.test_decision_taken_back import SIZES as USUAL
from tests.tournaments.decisions.undoing import begin, gather, go_on
from tests.tournaments.verbs import NOON, end, let_time_run_out, make_players, move_in, running
from tournaments.decisions.errors import DisputeRefused
from tournaments.decisions.services.disputes import dispute_result
from tournaments.decisions.services.pairings import publish_round
from tournaments.decisions.services.status import announce, close_competition
from tournaments.entries.services.check_ins import open_check_in
from tournaments.entries.services.waiting_list import join_waiting_list
from tournaments.models import Competition, EntryInvitation, Fixture
from tournaments.rounds.selectors import proposed_rounds_of
from tournaments.running.services.notifications import send_news

MINUTE = timedelta(minutes=1)
NOTIFIED, MOVED, LOST_ON_TIME, DISPUTED, CHECKED_IN, CLOSED = 0.5, 0.5, 0.15, 0.3, 0.6, 0.3
"""The chances of what happens before an act."""

SIZES = USUAL | {"league of teams": 4, "knock-out of teams": 4}
MOMENTS = {
    "before the start": range(1),
    "begun": range(2),
    "going on": range(2, 6),
    "further on": range(6, 14),
    "to the end": range(400, 401),
}
"""How many results there are by then, at most."""


def bring_to(name: str, moment: str, source: Random, organiser: Player) -> tuple[Competition, datetime]:
    """Return a competition of a recipe at a moment of its life, and the time: some of it is random."""
    size = SIZES.get(name, 5)
    if moment == "before the start":
        competition = gather(name, size, organiser=organiser)
        _crowd(competition, source)
        return competition, NOON
    competition = begin(name, size, organiser=organiser)
    announce(competition_id=competition.pk, actor=organiser, text="Hello!", now=NOON)
    now = NOON
    for _ in range(source.choice(MOMENTS[moment])):
        now += MINUTE
        _publish(competition, now)
        going_on = running(competition)
        if not going_on:
            break
        _end_somehow(source.choice(going_on), source, now)
        go_on(competition, now)
    if source.random() < NOTIFIED:
        send_news(now=now)
    return competition, now


def _end_somehow(fixture: Fixture, source: Random, now: datetime) -> None:
    """End a match by a result, which may be disputed, or on time."""
    if source.random() < MOVED:
        move_in(fixture, now)
    if source.random() < LOST_ON_TIME:
        let_time_run_out(fixture.match_id or 0, now)
        expire_due(now=now)
        return
    end(fixture, source.choice([*Side, None]), now)
    if source.random() < DISPUTED:
        player = source.choice(fixture.seated)
        with suppress(DisputeRefused):
            dispute_result(fixture_id=fixture.pk, player=player, text="The dice were not mine.", now=now)


def _publish(competition: Competition, now: datetime) -> None:
    """Let the organiser publish the rounds that wait, once nothing else is played."""
    if not running(competition):
        for each in proposed_rounds_of(competition):
            publish_round(proposed=each, actor=None, now=now)
        go_on(competition, now)


def _crowd(competition: Competition, source: Random) -> None:
    """Let a competition that has not started be announced and full, somebody wait, and somebody be invited."""
    organiser = competition.organisers.get()
    competition.organisers.add(Player.objects.create(username="otto", date_joined=NOON))
    announce(competition_id=competition.pk, actor=organiser, text="Hello!", now=NOON)
    if competition.boards is None and not competition.first_stage.gathers:
        waits, invited = make_players(2, "late")
        Competition.objects.filter(pk=competition.pk).update(max_entrants=competition.entries.count())
        join_waiting_list(competition_id=competition.pk, player=waits, now=NOON)
        asked = {"invited_by": organiser, "created_at": NOON, "asked_at": NOON}
        EntryInvitation.objects.create(competition=competition, player=invited, **asked)
        if not competition.is_endless and source.random() < CHECKED_IN:
            open_check_in(competition_id=competition.pk, actor=organiser, reason="", now=NOON)
    if source.random() < CLOSED:
        close_competition(competition_id=competition.pk, actor=organiser, reason="", now=NOON)
    competition.refresh_from_db()
