"""What a match of StreetSoccer may come to, and positions from which it is not far."""

from collections.abc import Iterator

from rules_engine.game_spec import Milestone, ended_by
from rules_engine.protocol import State
from rules_engine.streetsoccer.game import StreetSoccer
from rules_engine.streetsoccer.position import Phase
from rules_engine.streetsoccer.state import StreetSoccerState
from rules_engine.values import Ending

_TEAMS = "d1,c3,d5,f7,d9 e10,c8,e6,c4,f9"


def list_milestones(game: StreetSoccer) -> Iterator[Milestone]:
    """Yield the endings of a preset (S2, S3), and a goal (S18)."""
    key, last, very_last = game.key, game.preset.minutes, game.preset.minutes + game.preset.extra_minutes
    before_a_goal = f"yellow ? {_TEAMS} d10 1-1 yellow"
    yield Milestone(key, "goal", f"play 3.1 {before_a_goal}", _is_goal)
    yield Milestone(key, "normal-time", f"play {last}.2 red ? {_TEAMS} d6 1-0 yellow", ended_by(Ending.NORMAL_TIME))
    yield Milestone(key, "sudden-death", f"play {last + 1}.1 {before_a_goal}", ended_by(Ending.SUDDEN_DEATH))
    yield Milestone(key, "last-goal", f"play {very_last}.2 red ? {_TEAMS} d6 1-1 yellow", ended_by(Ending.LAST_GOAL))
    yield Milestone(key, "goalless", f"play {very_last}.2 red ? {_TEAMS} d6 0-0 -", ended_by(Ending.GOALLESS))


def _is_goal(_before: State, after: State) -> bool:
    return isinstance(after, StreetSoccerState) and after.phase is Phase.RESTART
