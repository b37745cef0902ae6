"""What runs in the background, found here by the worker."""

from tournaments.tasks.closing import finish_closing, finish_closings
from tournaments.tasks.competing import (
    end_rounds,
    pair_ladder,
    pair_ladders,
    pause_saved_matches,
    start_event,
    start_events,
)
from tournaments.tasks.settling import (
    move_windows,
    rate_family,
    rate_waiting,
    recompute_standings,
    recompute_wanted,
    settle_finished,
    settle_match,
)
from tournaments.tasks.telling import tell_news

__all__ = [
    "end_rounds",
    "finish_closing",
    "finish_closings",
    "move_windows",
    "pair_ladder",
    "pair_ladders",
    "pause_saved_matches",
    "rate_family",
    "rate_waiting",
    "recompute_standings",
    "recompute_wanted",
    "settle_finished",
    "settle_match",
    "start_event",
    "start_events",
    "tell_news",
]
