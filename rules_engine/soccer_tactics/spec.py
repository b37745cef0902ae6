"""Soccer Tactics' registration."""

from __future__ import annotations

from typing import Final

from rules_engine.game_spec import GameSpec
from rules_engine.soccer_tactics.game import GAMES

SPEC: Final = GameSpec(key="soccer-tactics", title="Soccer Tactics", presets=GAMES)
