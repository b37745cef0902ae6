"""The schedule of beat, in seconds. Each task is a sweep, which may run twice, late, or not at all."""

from typing import Any

SCHEDULE: dict[str, dict[str, Any]] = {
    "expire-turns": {"task": "matches.tasks.expire_turns", "schedule": 5.0},
    "give-vacation": {"task": "matches.tasks.give_vacation", "schedule": 10.0},
    "sweep-computers": {"task": "matches.tasks.sweep_computers", "schedule": 5.0},
    "sweep-analyses": {"task": "matches.tasks.sweep_analyses", "schedule": 10.0},
    "notify-of-ends": {"task": "matches.tasks.send_end_notifications", "schedule": 60.0},
    "notify-of-turns": {"task": "matches.tasks.send_turn_notifications", "schedule": 60.0},
    "remind": {"task": "matches.tasks.remind", "schedule": 60.0},
    "forget-clients": {"task": "matches.tasks.forget_clients", "schedule": 3600.0},
    "delete-unmoved-matches": {"task": "matches.tasks.delete_unmoved_matches", "schedule": 3600.0},
    "forget-old-responses": {"task": "matches.tasks.forget_old_responses", "schedule": 3600.0},
    "settle-finished": {"task": "tournaments.tasks.settle_finished", "schedule": 30.0},
    "rate-waiting": {"task": "tournaments.tasks.rate_waiting", "schedule": 30.0},
    "recompute-stale": {"task": "tournaments.tasks.recompute_stale", "schedule": 30.0},
    "move-windows": {"task": "tournaments.tasks.move_windows", "schedule": 3600.0},
    "start-competitions": {"task": "tournaments.tasks.start_competitions", "schedule": 10.0},
    "announce-seasons": {"task": "tournaments.tasks.announce_seasons", "schedule": 60.0},
    "end-rounds": {"task": "tournaments.tasks.end_rounds", "schedule": 60.0},
    "pause-saved-matches": {"task": "tournaments.tasks.pause_saved_matches", "schedule": 30.0},
    "complete-site-pauses": {"task": "tournaments.tasks.complete_site_pauses", "schedule": 10.0},
    "pair-ladders": {"task": "tournaments.tasks.pair_ladders", "schedule": 30.0},
    "pair-rounds": {"task": "tournaments.tasks.pair_rounds", "schedule": 30.0},
    "finish-closings": {"task": "tournaments.tasks.finish_closings", "schedule": 10.0},
    "make-forecasts": {"task": "tournaments.tasks.make_forecasts", "schedule": 60.0},
    "send-news": {"task": "tournaments.tasks.send_news", "schedule": 60.0},
    "send-due-mails": {"task": "players.tasks.send_due_mails", "schedule": 60.0},
    "clear-sessions": {"task": "players.tasks.clear_sessions", "schedule": 3600.0},
    "clear-outbox": {"task": "players.tasks.clear_outbox", "schedule": 3600.0},
    "free-names": {"task": "players.tasks.free_names", "schedule": 3600.0},
}
