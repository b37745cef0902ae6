"""The site's settings for the fault tests: sweeps come often, a game is soon over, and a host's clock is wrong."""

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import time_machine

from config.settings import *  # noqa: F403 - these are the site's
from config.settings import CELERY_BEAT_SCHEDULE
from rules_engine.registry import GAMES
from rules_engine.streetsoccer.game import StreetSoccer
from rules_engine.streetsoccer.presets import BOARD_PRESET

# The host's clock is wrong: Python is told so before anything asks for the time.
if ahead := float(os.environ.get("HOURS_AHEAD", "0")):
    time_machine.travel(datetime.now(UTC) + timedelta(hours=ahead)).start()

SWEEP_SECONDS = 2.0
SELDOM_SECONDS = 3600.0

SHORT_GAME = StreetSoccer(
    replace(BOARD_PRESET, key="streetsoccer-short", title="StreetSoccer (short)", minutes=4, extra_minutes=2)
)
GAMES[SHORT_GAME.key] = SHORT_GAME

CELERY_BEAT_SCHEDULE = {
    name: {**entry, "schedule": min(entry["schedule"], SWEEP_SECONDS)}
    for name, entry in CELERY_BEAT_SCHEDULE.items()
    if entry["schedule"] < SELDOM_SECONDS
}
