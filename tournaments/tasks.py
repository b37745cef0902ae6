"""Background tasks. Each only calls a service, and may run twice or late; those of results in any order, too."""

from contextlib import suppress

from celery import shared_task

from database.clock import current_moment
from tournaments.decisions.services import pauses, site_pauses
from tournaments.decisions.services.round_expiry import end_due_rounds
from tournaments.entries.services import account_closures
from tournaments.making.services import seasons
from tournaments.records.errors import CompetitionNotFound
from tournaments.running.services import ladder_pairings as pairings
from tournaments.running.services import next_rounds, notifications, settlement, start
from tournaments.running.services.check_in_opening import open_due_check_ins
from tournaments.running.services.forecasts import update_forecasts
from tournaments.tables.services import ratings, standings


@shared_task(name="tournaments.tasks.settle_match")
def settle_match(match_id: int) -> None:
    """Count a finished match wherever it counts."""
    settlement.settle_match(match_id=match_id, now=current_moment())


@shared_task(name="tournaments.tasks.settle_finished")
def settle_finished() -> None:
    """Settle the finished matches that nobody has heard of."""
    settlement.settle_finished(now=current_moment())


@shared_task(name="tournaments.tasks.recompute_standings")
def recompute_standings(group_id: int) -> None:
    """Make a group's table what its results say, if anything has changed."""
    standings.recompute_if_stale(group_id=group_id, now=current_moment())


@shared_task(name="tournaments.tasks.recompute_stale")
def recompute_stale() -> None:
    """Recompute the tables that are still stale."""
    standings.recompute_stale(now=current_moment())


@shared_task(name="tournaments.tasks.move_windows")
def move_windows() -> None:
    """Let results that are out of date leave the ladders' tables."""
    standings.move_windows(now=current_moment())


@shared_task(name="tournaments.tasks.rate_family")
def rate_family(family: str) -> None:
    """Make the changes of rating that are due in a family of games."""
    ratings.rate_pending(family=family, now=current_moment())


@shared_task(name="tournaments.tasks.rate_waiting")
def rate_waiting() -> None:
    """Make the changes of rating that are still due."""
    ratings.rate_waiting(now=current_moment())


@shared_task(name="tournaments.tasks.start_competition")
def start_competition(competition_id: int) -> None:
    """Start a competition that is full, or whose time has come."""
    with suppress(CompetitionNotFound):
        start.start_competition_if_due(competition_id=competition_id, now=current_moment())


@shared_task(name="tournaments.tasks.start_competitions")
def start_competitions() -> None:
    """Open all check-ins whose time has come, and start all competitions that are full, or whose time has come."""
    try:
        open_due_check_ins(now=current_moment())
    finally:
        start.start_due_competitions(now=current_moment())


@shared_task(name="tournaments.tasks.announce_season")
def announce_season(series_id: int) -> None:
    """Announce the next season of a series, and the final of a year's winners, if they are due."""
    seasons.announce_if_due(series_id=series_id, now=current_moment())


@shared_task(name="tournaments.tasks.announce_seasons")
def announce_seasons() -> None:
    """Announce all seasons and finals that are due."""
    seasons.announce_due_seasons(now=current_moment())


@shared_task(name="tournaments.tasks.end_rounds")
def end_rounds() -> None:
    """End the matches of rounds whose time is over."""
    end_due_rounds(now=current_moment())


@shared_task(name="tournaments.tasks.pause_saved_matches")
def pause_saved_matches() -> None:
    """Stop the clocks that vacation has saved in paused competitions."""
    pauses.pause_saved_matches(now=current_moment())


@shared_task(name="tournaments.tasks.complete_site_pauses")
def complete_site_pauses() -> None:
    """Give matches and rounds the time of pauses of the site, and stop clocks while one lasts."""
    site_pauses.complete_site_pauses(now=current_moment())


@shared_task(name="tournaments.tasks.pair_ladder")
def pair_ladder(ladder_id: int) -> None:
    """Start the games that a ladder lacks, if it may lack any."""
    with suppress(CompetitionNotFound):
        pairings.pair_if_due(ladder_id=ladder_id, now=current_moment())


@shared_task(name="tournaments.tasks.pair_ladders")
def pair_ladders() -> None:
    """Start the games that all ladders lack."""
    pairings.pair_ladders(now=current_moment())


@shared_task(name="tournaments.tasks.pair_round")
def pair_round(group_id: int) -> None:
    """Draw the next round of a group, if one is due."""
    next_rounds.pair_round(group_id=group_id, now=current_moment())


@shared_task(name="tournaments.tasks.pair_rounds")
def pair_rounds() -> None:
    """Draw the rounds that are still due."""
    next_rounds.pair_due_rounds(now=current_moment())


@shared_task(name="tournaments.tasks.make_forecasts")
def make_forecasts() -> None:
    """Make the forecasts that are missing or due."""
    update_forecasts(now=current_moment())


@shared_task(name="tournaments.tasks.send_news")
def send_news() -> None:
    """Notify players of news in their competitions."""
    notifications.send_news(now=current_moment())


@shared_task(name="tournaments.tasks.finish_closing")
def finish_closing(player_id: int) -> None:
    """Do what is left to do about a closed account."""
    account_closures.finish_closing(player_id=player_id, now=current_moment())


@shared_task(name="tournaments.tasks.finish_closings")
def finish_closings() -> None:
    """Do what is left to do about all closed accounts."""
    account_closures.finish_closings(now=current_moment())
