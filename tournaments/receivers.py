"""Receivers that let follow what follows when a match is over, an account closed or reopened, or a player back."""

from datetime import datetime
from typing import Any

from celery import current_app
from django.dispatch import receiver

from matches.signals import match_finished, matches_finished
from players.signals import account_closed, account_erased, account_switched, player_returned
from tournaments.entries.services import deletion_consequences  # noqa: F401 - is asked before an account is deleted
from tournaments.entries.services.account_closures import forget_player, let_ladders_be_paired
from tournaments.running.services.catch_up import catch_up_for
from tournaments.tables.services.rating_counts import list_ratings

SETTLE_MATCH = "tournaments.tasks.settle_match"
SETTLE_FINISHED = "tournaments.tasks.settle_finished"
FINISH_CLOSING = "tournaments.tasks.finish_closing"


@receiver(match_finished, dispatch_uid="tournaments.settle_match")
def queue_settlement(*, match_id: int, **kwargs: Any) -> None:
    """Queue the settlement of the match; the sweep does it where this is lost."""
    current_app.send_task(SETTLE_MATCH, args=[match_id], retry=False)


@receiver(matches_finished, dispatch_uid="tournaments.settle_matches")
def queue_settlements(**kwargs: Any) -> None:
    """Queue the sweep: it settles many in one task, in the order of their ends."""
    current_app.send_task(SETTLE_FINISHED, args=[], retry=False)


@receiver(account_closed, dispatch_uid="tournaments.finish_closing")
def queue_closing(*, player_id: int, **kwargs: Any) -> None:
    """Queue what follows when an account is closed; the sweep does it where this is lost."""
    current_app.send_task(FINISH_CLOSING, args=[player_id], retry=False)


@receiver(account_switched, dispatch_uid="tournaments.follow_switch")
def follow_switch(*, player_id: int, is_open: bool, **kwargs: Any) -> None:
    """Let the player's ladders be looked at again: others may be within reach there by it; and list the ratings or not.

    Ladders are locked before ratings, as the rating of matches locks them.
    """
    let_ladders_be_paired(player_id=player_id)
    list_ratings(player_id=player_id, is_open=is_open)


@receiver(player_returned, dispatch_uid="tournaments.catch_up_for")
def catch_up_for_returned(*, player_id: int, now: datetime, **kwargs: Any) -> None:
    """Let a player who acts again have left the ladders where that was due, while it can be told."""
    catch_up_for(player_id=player_id, now=now)


@receiver(account_erased, dispatch_uid="tournaments.forget_player")
def forget_erased(*, player_id: int, old_name: str, new_name: str, **kwargs: Any) -> None:
    """Forget the name of a deleted account where it is kept as text."""
    forget_player(player_id=player_id, old_name=old_name, new_name=new_name)
