"""Tasks that move competitions on. Each only calls a service, and may run twice or late."""

from contextlib import suppress

from celery import shared_task
from django.utils import timezone

from tournaments.decisions.services import pauses
from tournaments.decisions.services.round_expiry import end_due_rounds
from tournaments.making.services import seasons
from tournaments.records.errors import CompetitionNotFound
from tournaments.running.services import ladder_pairings as pairings
from tournaments.running.services import next_rounds, start
from tournaments.running.services.check_in_opening import open_due_check_ins
from tournaments.running.services.forecasts import update_forecasts


@shared_task(name="tournaments.tasks.start_competition")
def start_competition(competition_id: int) -> None:
    """Start a competition that is full, or whose time has come."""
    with suppress(CompetitionNotFound):
        start.start_competition_if_due(competition_id=competition_id, now=timezone.now())


@shared_task(name="tournaments.tasks.start_competitions")
def start_competitions() -> None:
    """Open all check-ins whose time has come, and start all competitions that are full, or whose time has come."""
    open_due_check_ins(now=timezone.now())
    start.start_due_competitions(now=timezone.now())


@shared_task(name="tournaments.tasks.announce_season")
def announce_season(series_id: int) -> None:
    """Announce the next season of a series, and the final of a year's winners, if they are due."""
    seasons.announce_if_due(series_id=series_id, now=timezone.now())


@shared_task(name="tournaments.tasks.announce_seasons")
def announce_seasons() -> None:
    """Announce all seasons and finals that are due."""
    seasons.announce_due_seasons(now=timezone.now())


@shared_task(name="tournaments.tasks.end_rounds")
def end_rounds() -> None:
    """End the matches of rounds whose time is over."""
    end_due_rounds(now=timezone.now())


@shared_task(name="tournaments.tasks.pause_saved_matches")
def pause_saved_matches() -> None:
    """Stop the clocks that vacation has saved in paused competitions."""
    pauses.pause_saved_matches(now=timezone.now())


@shared_task(name="tournaments.tasks.pair_ladder")
def pair_ladder(ladder_id: int) -> None:
    """Start the games that a ladder lacks, if it may lack any."""
    with suppress(CompetitionNotFound):
        pairings.pair_if_due(ladder_id=ladder_id, now=timezone.now())


@shared_task(name="tournaments.tasks.pair_ladders")
def pair_ladders() -> None:
    """Start the games that all ladders lack."""
    pairings.pair_ladders(now=timezone.now())


@shared_task(name="tournaments.tasks.pair_round")
def pair_round(group_id: int) -> None:
    """Draw the next round of a group, if one is due."""
    next_rounds.pair_round(group_id=group_id, now=timezone.now())


@shared_task(name="tournaments.tasks.pair_rounds")
def pair_rounds() -> None:
    """Draw the rounds that are still due."""
    next_rounds.pair_due_rounds(now=timezone.now())


@shared_task(name="tournaments.tasks.make_forecasts")
def make_forecasts() -> None:
    """Make the forecasts that are missing or due."""
    update_forecasts(now=timezone.now())
