"""What runs in the background, found here by the worker."""

from tournaments.tasks.competing import end_rounds, pair_ladder, pair_ladders, start_event, start_events

__all__ = ["end_rounds", "pair_ladder", "pair_ladders", "start_event", "start_events"]
