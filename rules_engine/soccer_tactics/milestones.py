"""What a match of Soccer Tactics may come to, and positions from which it is not far."""

from collections.abc import Iterator

from rules_engine.game_spec import Milestone, ended_by
from rules_engine.protocol import State
from rules_engine.soccer_tactics.consequences import ROUNDS_A_MINUTE
from rules_engine.soccer_tactics.game import SoccerTactics
from rules_engine.soccer_tactics.position import OVER_TIME, SECOND_HALF, Phase
from rules_engine.soccer_tactics.state import SoccerTacticsState
from rules_engine.soccer_tactics.team import SENT_OFF
from rules_engine.values import Ending

_HELD = "d1,b4,d4,e4,g4,a6,c6,f6,h6,d8,e8 d16,b13,d13,e13,g13,a11,c11,f11,h11,d10,e10 1-1 -/- d8 - - 0 -/-"
"""Yellow's striker has the ball in the middle."""

_FREE = _HELD.replace(" d8 - - 0 ", f" d9 - - {ROUNDS_A_MINUTE - 1} ")
"""The ball is free before the strikers, for the last round of a minute."""

_FOUGHT_FOR = "d1,b4,d4,e4,g4,a6,c6,f6,h6,d9,e8 d16,b13,d13,e13,g13,a11,c11,f11,h11,d9,e10 1-1 10/10 d9 - - 0 -/-"
"""Two strikers, both with a card, are on the ball's square."""

_KEEPER_FIGHTS = "d1,b4,d4,e4,g4,a6,c6,f6,h6,d15,e8 d15,b13,d13,e13,g13,a11,c11,f11,h11,d10,e10 1-1 -/1 d15 - - 0 -/-"
"""Red's keeper, with a card, fights for the ball."""


def list_milestones(game: SoccerTactics) -> Iterator[Milestone]:
    """Yield the endings of a preset (T18), those sent off (T14), and a minute of a free ball (T8)."""
    key, preset = game.key, game.preset
    attempt = f"yellow - {_HELD}"
    regular, extra = f"{SECOND_HALF}.{preset.minutes}", f"{OVER_TIME}.{preset.extra_minutes}"
    battle = f"battle 1.{preset.minutes // 2} yellow ?"
    normal_time = f"attempt {regular} {attempt} 1-0 yellow 0-0/0"
    yield Milestone(key, "normal-time", normal_time, ended_by(Ending.NORMAL_TIME))
    yield Milestone(key, "over-time", f"attempt {extra} {attempt} 2-1 yellow 0-0/0", ended_by(Ending.OVER_TIME))
    yield Milestone(key, "shoot-out", f"attempt {extra} {attempt} 1-1 yellow 0-0/0", ended_by(Ending.PENALTIES))
    yield Milestone(key, "sent-off", f"{battle} {_FOUGHT_FOR} 0-0 yellow 0-0/0", _is_sent_off)
    yield Milestone(key, "keeper-sent-off", f"{battle} {_KEEPER_FIGHTS} 0-0 yellow 0-0/0", _is_keeper_replaced)
    yield Milestone(key, "ten-rounds", f"attempt 1.2 yellow - {_FREE} 0-0 yellow 0-0/0", _is_minute_of_free_ball)
    ten_rounds = f"attempt {regular} yellow - {_FREE} 1-0 yellow 0-0/0"
    yield Milestone(key, "ten-rounds-end", ten_rounds, ended_by(Ending.NORMAL_TIME))


def _is_sent_off(before: State, after: State) -> bool:
    return _count_off(after) > _count_off(before)


def _count_off(state: State) -> int:
    if not isinstance(state, SoccerTacticsState):
        return 0
    return (state.squares.yellow + state.squares.red).count(SENT_OFF)


def _is_keeper_replaced(before: State, after: State) -> bool:
    return (
        isinstance(before, SoccerTacticsState)
        and isinstance(after, SoccerTacticsState)
        and before.keepers != after.keepers
    )


def _is_minute_of_free_ball(before: State, after: State) -> bool:
    return (
        isinstance(before, SoccerTacticsState)
        and isinstance(after, SoccerTacticsState)
        and after.phase is Phase.FREE
        and after.minute > before.minute
    )
