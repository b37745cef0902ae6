"""The time limits of searches, and of processes that take longer, for both ways to run the site."""

MAX_SEARCH_SECONDS = 2.0
"""Seconds after which a search plays the best move that it has found."""

MAX_ANALYSIS_SECONDS = 1.0
"""Seconds after which a piece of an analysis begins no other move, because computers that are to act wait for it."""

MOVE_TIMEOUT = 10
"""Seconds after which a search is given up, by the process pool of ``manage.py serve`` and by Celery."""

MOVE_KILL_TIMEOUT = 30
"""Seconds after which Celery kills the process of a worker that has not ended its search."""

ANALYSIS_TIMEOUT = 60
"""Seconds after which the process pool of ``manage.py serve`` gives a piece of an analysis up."""

ANALYSIS_TASK_TIMEOUT = 75
ANALYSIS_KILL_TIMEOUT = 90
"""The same for Celery, whose task also reads and stores the piece."""
