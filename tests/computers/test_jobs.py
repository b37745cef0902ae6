"""Engine jobs, and how long their strategies may search."""

import pytest

from computers import jobs
from computers.jobs import BestMove, run_in_thread
from computers.levels import Level
from rules_engine.registry import find_strategy, get_game

GAME = get_game("streetsoccer-board")
POSITION = "play 17.1 yellow 4 d1,c3,f3,d7,b7 e10,f9,c5,f7,h6 e5 2-1 yellow"


def best_move(level: str) -> str:
    return run_in_thread(BestMove(GAME.key, POSITION, level))


@pytest.mark.parametrize("level", Level)
def test_the_result_is_what_the_strategy_plays(level):
    strategy = find_strategy(GAME, level)
    assert strategy is not None
    assert best_move(level) == strategy(GAME.read(POSITION))


def test_a_strategy_without_time_plays_the_best_move_found_so_far(monkeypatch):
    checked: list[bool] = []

    def find(game, level, *, seed, out_of_time):
        checked.append(out_of_time())
        return find_strategy(game, level, seed=seed, out_of_time=out_of_time)

    monkeypatch.setattr(jobs, "find_strategy", find)
    best_move("strong")
    monkeypatch.setattr(jobs, "MAX_SEARCH_SECONDS", -1.0)
    hurried = best_move("strong")
    assert checked == [False, True]
    assert GAME.read(POSITION).play(hurried).turn != GAME.read(POSITION).turn


def test_a_level_without_a_strategy_is_an_error():
    with pytest.raises(LookupError, match="grandmaster"):
        best_move("grandmaster")
