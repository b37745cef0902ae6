"""The queues in which tasks wait. A worker takes from all of them unless ``--queues`` names some."""

import os

USUAL = "celery"
COMPUTERS = "computers"
"""The queue of engine jobs, which take long and must not hold up other tasks."""

CLOCKS = "clocks"
RESULTS = "results"
MAILS = "mails"
"""Queues of their own for parts of the usual work, on sites that ask for them."""

QUEUES: dict[str, dict[str, str]] = {name: {} for name in (USUAL, COMPUTERS, CLOCKS, RESULTS, MAILS)}

TASKS_OF_COMPUTERS = ("matches.tasks.move_computer", "matches.tasks.analyse_match")
TASKS_BY_KIND = {
    CLOCKS: (
        "matches.tasks.expire_turns",
        "matches.tasks.give_vacation",
        "tournaments.tasks.complete_site_pauses",
        "tournaments.tasks.pause_saved_matches",
    ),
    RESULTS: (
        "tournaments.tasks.settle_match",
        "tournaments.tasks.settle_finished",
        "tournaments.tasks.recompute_standings",
        "tournaments.tasks.recompute_stale",
        "tournaments.tasks.rate_family",
        "tournaments.tasks.rate_waiting",
    ),
    MAILS: (
        "matches.tasks.send_daily_notifications",
        "matches.tasks.send_end_notifications",
        "matches.tasks.send_turn_notifications",
        "matches.tasks.remind",
        "tournaments.tasks.send_news",
        "players.tasks.send_due_mails",
        "push.tasks.post_pushes",
        "push.tasks.send_due_pushes",
    ),
}


def routes(*, by_kind: bool) -> dict[str, dict[str, str]]:
    """Return in which queue tasks wait that do not wait in the usual one; ``by_kind`` splits this, too."""
    queues = {COMPUTERS: TASKS_OF_COMPUTERS, **(TASKS_BY_KIND if by_kind else {})}
    return {task: {"queue": queue} for queue, tasks in queues.items() for task in tasks}


MAX_COMPUTER_PROCESSES = 3


def count_computer_processes() -> int:
    """Return how many processes run engine jobs by default: one processor is left to the pages."""
    return max(1, min((os.cpu_count() or 1) - 1, MAX_COMPUTER_PROCESSES))
