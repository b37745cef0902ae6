"""Background tasks: each only calls a service, and may run twice or late."""

from celery import shared_task

from computers.time_limits import ANALYSIS_KILL_TIMEOUT, ANALYSIS_TASK_TIMEOUT, MOVE_KILL_TIMEOUT, MOVE_TIMEOUT
from database.clock import current_moment, read_clock
from matches.clock import MAX_ALLOWANCE
from matches.selectors.computers import guests_against_computers
from matches.services import analyses, computer_moves, guest_matches, notifications
from matches.services.expiry import expire_due
from matches.services.notifications import remind_players
from matches.services.vacation_hours import give_days
from players import services as players
from web.api.idempotency.responses import forget_responses

MAX_EXPIRED = 10_000
"""The most matches that a sweep ends or saves, the longest overdue first; the next one goes on with the others."""


@shared_task(name="matches.tasks.expire_turns")
def expire_turns() -> None:
    """End the matches whose deadline has passed, and for whose moves nothing on their way can make up."""
    expire_due(now=current_moment() - MAX_ALLOWANCE, limit=MAX_EXPIRED)


@shared_task(name="matches.tasks.give_vacation")
def give_vacation() -> None:
    """Credit the vacation hours of the days that have begun."""
    give_days(now=current_moment())


@shared_task(name="matches.tasks.send_turn_notifications")
def send_turn_notifications() -> None:
    """Notify players that it has been their turn for some minutes."""
    notifications.send_turn_notifications(now=current_moment())


@shared_task(name="matches.tasks.send_daily_notifications")
def send_daily_notifications() -> None:
    """Notify players once a day of all their turns."""
    notifications.send_daily_notifications(now=current_moment())


@shared_task(name="matches.tasks.send_end_notifications")
def send_end_notifications() -> None:
    """Notify players that their matches are over."""
    notifications.send_end_notifications(now=current_moment())


@shared_task(name="matches.tasks.remind")
def remind() -> None:
    """Remind players of deadlines that are near."""
    remind_players(now=current_moment())


@shared_task(name="matches.tasks.forget_clients")
def forget_clients() -> None:
    """Forget the client networks of guests who no longer play against a computer."""
    players.forget_clients(needed_for=guests_against_computers(), now=current_moment())


@shared_task(name="matches.tasks.delete_unmoved_matches")
def delete_unmoved_matches() -> None:
    """Delete the matches that guests began a day ago or earlier and never moved in."""
    guest_matches.delete_unmoved_matches(now=current_moment())


@shared_task(name="matches.tasks.forget_old_responses")
def forget_old_responses() -> None:
    """Delete the stored responses of idempotent requests that have expired."""
    forget_responses(now=current_moment())


@shared_task(name="matches.tasks.move_computer", soft_time_limit=MOVE_TIMEOUT, time_limit=MOVE_KILL_TIMEOUT)
def move_computer() -> None:
    """Play the next turn of a computer, if one is to act: its clock runs until it has moved.

    If a level is stopped at the soft limit, a weaker one moves before the hard limit.
    """
    _play_next_turn()


@shared_task(name="matches.tasks.sweep_computers")
def sweep_computers() -> None:
    """Call computers whose turn has waited for some seconds, and let them take seeks that admit them."""
    now = current_moment()
    try:
        computer_moves.call_waiting_computers(now=now)
    finally:
        computer_moves.take_waiting_seeks(now=now)


@shared_task(
    name="matches.tasks.analyse_match", soft_time_limit=ANALYSIS_TASK_TIMEOUT, time_limit=ANALYSIS_KILL_TIMEOUT
)
def analyse_match() -> None:
    """Judge some more moves of the next analysis, and call for the rest.

    Computers that are to act go first: then this task plays a turn, and queues itself again.
    """
    if _play_next_turn():
        analyses.call_for_piece()
        return
    piece = analyses.claim_piece(now=current_moment())
    if piece is not None:
        analyses.complete_piece(piece, analyses.judge(piece), now=read_clock())


@shared_task(name="matches.tasks.sweep_analyses")
def sweep_analyses() -> None:
    """Queue calls for the analyses that no worker holds."""
    analyses.call_waiting_analyses(now=current_moment())


def _play_next_turn() -> bool:
    """Play the next turn of a computer; return whether one was to act."""
    match_id = computer_moves.claim_turn(now=current_moment())
    if match_id is None:
        return False
    choice = computer_moves.choose_move(match_id=match_id)
    if choice is not None:
        computer_moves.play_choice(choice, now=read_clock())
    return True
