"""The levels of all games: legal moves always, within their budgets, the same choice in the same position."""

from random import Random

import pytest

from rules_engine.registry import GAMES, SPECS, find_strategy, get_game
from rules_engine.search import search
from rules_engine.values import Nature, Side
from tests.game_specs import LEVELS
from tests.rules_engine.playouts import playout

FAMILIES = sorted(SPECS)
games = pytest.mark.parametrize("key", GAMES)
levels = pytest.mark.parametrize("level", LEVELS)


def positions(key, wanted):
    """Return positions of a random match where a side is to act, spread over all of it."""
    states = [state for state in playout(key, 5).states if isinstance(state.turn, Side)]
    return states[:: max(1, len(states) // wanted)]


@games
@levels
def test_every_choice_is_legal_and_made_again(key, level):
    strategy = find_strategy(get_game(key), level)
    for state in positions(key, 2 if level == "strong" else 6):
        chosen = strategy(state)
        after = state.play(chosen)
        assert after != state
        if chosen not in state.legal_moves():
            firsts = [move for move in state.legal_moves() if chosen.startswith(move)]
            assert any(state.play(move).turn is state.turn for move in firsts), (
                "the first of several joined steps goes on"
            )
        assert strategy(get_game(key).read(str(state))) == chosen


@pytest.mark.parametrize("level", LEVELS)
def test_where_no_dice_are_rolled_matches_differ_by_their_seeds(level):
    """The other side plays the same each time."""
    game = get_game("paper-soccer-1")
    followed = find_strategy(game, "club")

    def played(seed):
        strategy, state = find_strategy(game, level, seed=seed), game.start().play("yellow")
        for _turn in range(2):
            state = state.play(followed(state))
            state = state.play(strategy(state))
        return str(state)

    seeds = [str(number) for number in range(5)]
    assert len({played(seed) for seed in seeds}) >= 2
    assert played(seeds[0]) == played(seeds[0])


@pytest.mark.parametrize(("key", "known"), [("streetsoccer-board", 8), ("streetsoccer-online", 4)])
def test_the_computer_sets_up_in_one_of_several_ways_by_the_seed(key, known):
    """Each way is there in a mirror, too, so that none is easier to play against than its image."""
    game = get_game(key)
    state = game.start()
    if not isinstance(state.turn, Side):
        state = state.play("4").play("3")

    def set_up(seed):
        chosen = find_strategy(game, "beginner", seed=seed)(state)
        assert state.play(chosen).turn is not state.turn
        return chosen.removeprefix("@").split(",")

    found = {tuple(set_up(str(seed))) for seed in range(60)}
    assert len(found) == known
    assert all(tuple("hgfedcba"["abcdefgh".index(at[0])] + at[1:] for at in each) in found for each in found)
    assert tuple(set_up("")) in found
    assert set_up("7") == set_up("7")


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_all_levels_and_each_may_think_more_than_the_one_before(family):
    levels = [strategy.level for strategy in SPECS[family].strategies.values()]
    assert tuple(level.key for level in levels) == LEVELS
    budgets = [(level.budget.nodes, level.budget.depth) for level in levels]
    assert budgets == sorted(budgets)


@games
def test_no_level_looks_at_more_positions_than_it_may(key):
    for level in LEVELS:
        strategy = find_strategy(get_game(key), level)
        for state in positions(key, 1):
            result = search(state, strategy.level.view, strategy.level.budget)
            assert result.nodes <= strategy.level.budget.nodes + 400


@games
@levels
def test_out_of_time_at_once_there_is_still_a_legal_choice(key, level):
    strategy = find_strategy(get_game(key), level, out_of_time=lambda: True)
    for state in positions(key, 10):
        assert state.play(strategy(state)) != state


@games
def test_there_is_no_choice_where_nobody_is_to_act(key):
    game = get_game(key)
    random = Random(1)
    rolling = game.start()
    while rolling.turn is not Nature.CHANCE:
        rolling = rolling.play(random.choice(rolling.legal_moves()))
    for state in (rolling, playout(key, 5).states[-1]):
        with pytest.raises(ValueError, match="no side is to act"):
            find_strategy(game)(state)


@pytest.mark.parametrize("key", ["streetsoccer-board", "streetsoccer-online", "paper-soccer"])
@pytest.mark.parametrize("level", ["beginner", "club"])
def test_a_level_wins_against_random_moves(key, level):
    game, random = get_game(key), Random(2)
    strategy = find_strategy(game, level)
    state = game.start()
    while state.turn is not None:
        if state.turn is Side.RED:
            state = state.play(strategy(state))
        else:
            state = state.play(random.choice(state.legal_moves() or [roll.text for roll in state.chance()]))
    assert state.outcome.winner is Side.RED


@pytest.mark.parametrize("family", FAMILIES)
@levels
def test_another_games_state_is_refused(family, level):
    own = next(game for game in GAMES.values() if game.family == family)
    other = next(key for key, game in GAMES.items() if game.family != family)
    state = next(state for state in playout(other, 1).states if isinstance(state.turn, Side))
    with pytest.raises(TypeError, match=own.title.partition(" (")[0]):
        SPECS[family].strategies[level](state)
