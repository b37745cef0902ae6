"""Asking strategies by texts, and for how long they may think."""

from __future__ import annotations

import pytest

from computers import jobs
from computers.jobs import BestMove, answer
from computers.levels import Level
from rules_engine.registry import find_strategy, get_game

GAME = get_game("streetsoccer-board")
POSITION = "play 17.1 yellow 4 d1,c3,f3,d7,b7 e10,f9,c5,f7,h6 e5 2-1 yellow"


def ask(level: str) -> str:
    return answer(BestMove(GAME.key, POSITION, level))


@pytest.mark.parametrize("level", Level)
def test_the_answer_is_what_the_strategy_plays(level):
    strategy = find_strategy(GAME, level)
    assert strategy is not None
    assert ask(level) == strategy(GAME.read(POSITION))


def test_who_has_no_time_left_plays_the_best_that_was_found_until_then(monkeypatch):
    looked: list[bool] = []

    def find(game, level, *, out_of_time):
        looked.append(out_of_time())
        return find_strategy(game, level, out_of_time=out_of_time)

    monkeypatch.setattr(jobs, "find_strategy", find)
    ask("strong")
    monkeypatch.setattr(jobs, "MAX_SECONDS", -1.0)
    hurried = ask("strong")
    assert looked == [False, True]
    assert GAME.read(POSITION).play(hurried).turn != GAME.read(POSITION).turn


def test_a_level_that_nobody_plays_is_no_answer():
    with pytest.raises(LookupError, match="grandmaster"):
        ask("grandmaster")
