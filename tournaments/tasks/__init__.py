"""Background tasks, imported here so that workers find them."""

from tournaments.tasks.account_closures import finish_closing, finish_closings
from tournaments.tasks.competitions import (
    announce_season,
    announce_seasons,
    end_rounds,
    make_forecasts,
    pair_ladder,
    pair_ladders,
    pair_round,
    pair_rounds,
    pause_saved_matches,
    start_competition,
    start_competitions,
)
from tournaments.tasks.notifications import send_news
from tournaments.tasks.settlement import (
    move_windows,
    rate_family,
    rate_waiting,
    recompute_stale,
    recompute_standings,
    settle_finished,
    settle_match,
)

__all__ = [
    "announce_season",
    "announce_seasons",
    "end_rounds",
    "finish_closing",
    "finish_closings",
    "make_forecasts",
    "move_windows",
    "pair_ladder",
    "pair_ladders",
    "pair_round",
    "pair_rounds",
    "pause_saved_matches",
    "rate_family",
    "rate_waiting",
    "recompute_stale",
    "recompute_standings",
    "send_news",
    "settle_finished",
    "settle_match",
    "start_competition",
    "start_competitions",
]
