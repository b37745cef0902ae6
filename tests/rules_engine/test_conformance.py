"""Every registered game keeps the promises of the protocol on random matches."""

import re
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from rules_engine.errors import IllegalMove, InvalidNotation
from rules_engine.protocol import MAX_SUMMARY_LENGTH
from rules_engine.record import Record
from rules_engine.record_formats import read_record, record_to_json, replay_record, write_record
from rules_engine.registry import GAMES, get_game
from rules_engine.values import BySide, ChanceDevice, Nature, Side
from tests.drawing import as_text
from tests.rules_engine.families import family_of
from tests.rules_engine.playouts import MAX_MOVES, endless, playout

MAX_SAMPLED = 60
USUAL_MATCHES = 1
"""So many matches of each preset are played each time, the others at night."""
RULE_ID = re.compile(r"[A-Z][0-9]{1,2}")

games = pytest.mark.parametrize("key", list(GAMES))
matches = pytest.mark.parametrize(
    ("key", "seed"),
    [
        pytest.param(key, seed, marks=[] if seed < USUAL_MATCHES else [pytest.mark.nightly])
        for key in GAMES
        for seed in range(family_of(key).matches)
    ],
)


def sample(key, seed):
    """Return every seventh state of a match, or of a very long one some, and its first and last ones."""
    states = playout(key, seed).states
    return [*states[:12], *states[12 : -1 : max(7, len(states) // MAX_SAMPLED)], states[-1]]


def deciding(key, seed):
    """Return those of the sample where a side is to act."""
    return [state for state in sample(key, seed) if isinstance(state.turn, Side)]


def part_of(state):
    """Return the part of the match that its stage belongs to, such as a half, or nothing."""
    return state.stage.rpartition(", ")[0]


def rolls(state):
    """Return the texts that chance may play."""
    return [roll.text for roll in state.chance()]


def clicked(state, legal, prefix=""):
    """Return every legal move in the tree of clicks, as far as single moves go, checking what each step promises."""
    found = []
    for step in state.steps(prefix):
        assert step.text.startswith(prefix)
        assert step.text != prefix
        assert bool(state.steps(step.text)) is not step.final
        assert step.space if step.label is None else step.final and not step.space
        if step.text in legal:
            found.append(step.text)
            assert step.final or state.play(step.text).turn == state.turn
        else:
            found += clicked(state, legal, step.text)
    return found


@matches
def test_chance_plays_with_nothing_but_what_the_game_says(key, seed):
    form = family_of(key).rolls
    rolled = {text for state in sample(key, seed) for text in rolls(state)}
    assert all(form.fullmatch(text) for text in rolled)
    assert bool(rolled) is (get_game(key).chance_device is not ChanceDevice.NONE)


@matches
def test_only_a_game_with_draws_ends_without_a_winner(key, seed):
    outcome = playout(key, seed).states[-1].outcome
    assert outcome.winner is not None or get_game(key).has_draws


@games
def test_the_registry_knows_a_game_by_its_key(key):
    game = get_game(key)

    assert game.key == key
    assert game.title
    assert game.family in key.replace("-", "_") or key.startswith(game.family)


def test_an_unknown_key_is_refused():
    with pytest.raises(KeyError, match="the games are"):
        get_game("polo")


@matches
def test_a_random_match_ends(key, seed):
    match = playout(key, seed)
    last = match.states[-1]

    assert len(match.record.moves) < MAX_MOVES
    assert last.turn is None
    assert last.outcome is not None
    assert last.outcome.score == last.score
    assert all(state.outcome is None for state in match.states[:-1])


@matches
def test_somebody_can_always_go_on(key, seed):
    for state in playout(key, seed).states:
        assert bool(state.chance()) is (state.turn is Nature.CHANCE)
        assert bool(state.legal_moves()) is isinstance(state.turn, Side)
        assert list(state.iter_legal_moves()) == list(state.legal_moves())


@matches
def test_the_score_never_falls(key, seed):
    states = playout(key, seed).states

    for before, after in pairwise(states):
        gained = [now - then for now, then in zip(after.score, before.score, strict=True)]
        assert sorted(gained) in ([0, 0], [0, 1])


@matches
def test_every_match_ends_5_0_4_1_3_2_or_2_2_in_match_points(key, seed):
    outcome = playout(key, seed).states[-1].outcome

    points = get_game(key).match_points(outcome)

    if outcome.winner:
        assert (points[outcome.winner], points[outcome.winner.opponent]) in {(5, 0), (4, 1), (3, 2)}
    else:
        assert points == BySide(2, 2)


@matches
def test_a_position_is_read_back_from_its_text(key, seed):
    for state in playout(key, seed).states:
        text = str(state)
        again = get_game(key).read(text)
        assert "\n" not in text
        assert again == state
        assert hash(again) == hash(state)
        assert str(again) == text


@matches
def test_a_position_is_resumed_from_its_text_and_its_summary(key, seed):
    game = get_game(key)
    for state in sample(key, seed):
        again = game.resume(str(state), state.summary)
        assert (again, hash(again), str(again)) == (state, hash(state), str(state))
        assert (again.picture(), again.in_words(), again.task) == (state.picture(), state.in_words(), state.task)
        assert (again.turn, again.outcome) == (state.turn, state.outcome)


@matches
def test_a_match_goes_on_from_a_resumed_position_as_if_nothing_had_been_stored(key, seed):
    game, match = get_game(key), playout(key, seed)
    state = match.states[0]
    for move, after in zip(match.record.moves, match.states[1:], strict=True):
        state = game.resume(str(state), state.summary).play(move.text)
        assert (state, str(state), state.summary) == (after, str(after), after.summary)


@matches
def test_a_summary_is_short_however_long_the_match(key, seed):
    assert max(len(state.summary) for state in playout(key, seed).states) <= MAX_SUMMARY_LENGTH


@matches
def test_a_summary_of_another_position_changes_nothing(key, seed):
    states = sample(key, seed)
    for state, other in zip(states, reversed(states), strict=True):
        for wrong in ("", "nonsense", other.summary, state.summary[:-1], state.summary.upper(), "é\0 x"):
            assert str(get_game(key).resume(str(state), wrong)) == str(state)
            assert get_game(key).resume(str(state), wrong) == state


@games
@pytest.mark.parametrize("text", ["", "-", "nonsense", "1-0", "1-0 yellow 9"])
def test_a_text_that_is_no_position_is_not_resumed_either(key, text):
    for summary in ("", playout(key, 0).states[9].summary):
        with pytest.raises(InvalidNotation):
            get_game(key).resume(text, summary)


@matches
def test_equal_positions_have_the_same_moves_in_the_same_order(key, seed):
    for state in sample(key, seed):
        again = get_game(key).read(str(state))
        assert list(again.legal_moves()) == list(state.legal_moves())
        assert again.chance() == state.chance()


@matches
def test_different_positions_are_unequal(key, seed):
    states = playout(key, seed).states

    assert len(set(states)) == len({str(state) for state in states})
    assert states[0] != states[-1]


@matches
def test_playing_leaves_a_position_as_it_is(key, seed):
    for state in sample(key, seed):
        before, moves = (str(state), hash(state)), list(state.legal_moves())
        for text in [*moves[:5], *rolls(state)]:
            state.play(text)
        assert (str(state), hash(state)) == before
        assert list(state.legal_moves()) == moves


@games
def test_a_position_cannot_be_changed(key):
    state = get_game(key).start()

    with pytest.raises((AttributeError, TypeError)):
        state.score = None  # type: ignore[misc]


@matches
def test_every_legal_move_plays_and_no_two_have_the_same_result(key, seed):
    game = get_game(key)
    for state in deciding(key, seed):
        moves = state.legal_moves()
        assert len(set(moves)) == len(moves)
        results = [state.play(move) for move in moves]
        # Where the board is set up anew for the next part of the match, it does not matter who stood where.
        going_on = [after for after in results if part_of(after) == part_of(state)]
        assert len(set(going_on)) == len(going_on)
        assert all(game.read_move(move) == move for move in moves)


@matches
def test_the_probabilities_of_a_roll_sum_to_one(key, seed):
    for state in playout(key, seed).states:
        if chances := state.chance():
            assert sum(roll.probability for roll in chances) == Fraction(1)
            assert all(roll.probability > 0 for roll in chances)
            assert len({roll.text for roll in chances}) == len(chances)


@matches
def test_every_roll_plays(key, seed):
    for state in sample(key, seed):
        for text in rolls(state):
            assert get_game(key).read_move(text) == text
            after = state.play(text)
            assert after.outcome is None or family_of(key).roll_may_end
            assert (after.outcome is None) is (after.turn is not None)


@matches
def test_rolling_comes_to_an_end(key, seed):
    for state in playout(key, seed).states:
        assert not endless(state)


@matches
def test_clicks_lead_to_the_legal_moves_and_to_nothing_else(key, seed):
    for state in deciding(key, seed):
        moves = state.legal_moves()
        assert sorted(clicked(state, set(moves))) == sorted(moves)


@matches
def test_clicks_go_on_until_a_text_is_complete_and_can_be_played(key, seed):
    random = Random(seed)
    for state in deciding(key, seed):
        legal, text, playable = set(state.legal_moves()), "", False
        while steps := state.steps(text):
            step = random.choice(steps)
            text, playable = step.text, playable or step.text in legal
            if playable:
                after = state.play(text)
                assert step.final or after.turn == state.turn
        assert playable
        assert step.final


@matches
def test_a_click_is_on_a_space_of_the_picture(key, seed):
    for state in deciding(key, seed):
        spaces = {space.name for space in state.picture().spaces}
        assert {step.space for step in state.steps()} <= spaces | {""}


@games
def test_clicks_that_no_move_begins_with_are_refused(key):
    with pytest.raises(InvalidNotation):
        get_game(key).start().steps("nonsense")


@matches
def test_every_legal_move_has_a_route_over_spaces_of_the_picture(key, seed):
    for state in deciding(key, seed):
        spaces = {space.name for space in state.picture().spaces}
        for move in state.legal_moves():
            route = state.route(move)
            assert {*route.walk, *route.kick} <= spaces
            assert set(route.touches) <= set(route.kick)
            assert route == state.route(move)


@matches
def test_a_played_move_leads_to_the_same_position_without_being_judged_again(key, seed):
    match = playout(key, seed)
    state = match.states[0]
    for move, after in zip(match.record.moves, match.states[1:], strict=True):
        state = state.replay(move.text)
        assert (state, str(state)) == (after, str(after))


@matches
def test_a_record_is_the_same_as_text_and_as_data(key, seed):
    record = playout(key, seed).record

    assert read_record(write_record(record)) == record
    assert record_to_json(record) == {
        "tags": record.tags,
        "moves": [{"actor": str(move.actor), "text": move.text} for move in record.moves],
    }


@matches
def test_every_beginning_of_a_record_replays(key, seed):
    match = playout(key, seed)
    moves = len(match.record.moves)
    for length in [*Random(seed).sample(range(moves), 12), moves]:
        beginning = Record(match.record.tags, match.record.moves[:length])
        assert read_record(write_record(beginning)) == beginning
        assert replay_record(beginning) == match.states[length]


@matches
def test_a_text_of_exchange_leads_to_the_same_position(key, seed):
    game, match = get_game(key), playout(key, seed)
    for interchange in game.interchange:
        text = interchange.write(game, match.record)
        again = interchange.read(game, text).record
        assert again.tags == match.record.tags
        assert str(replay_record(again)) == str(match.states[-1])
        assert interchange.write(game, again) == text
        assert interchange.key.isidentifier()
        assert interchange.title


@games
def test_a_record_out_of_turn_is_refused(key):
    match = playout(key, 0)

    with pytest.raises((InvalidNotation, IllegalMove), match="move 1"):
        replay_record(Record(match.record.tags, match.record.moves[-1:]))


@matches
def test_a_picture_is_consistent(key, seed):
    for state in playout(key, seed).states:
        picture = state.picture()
        names = [space.name for space in picture.spaces]
        standing = {figure.space for figure in picture.figures if figure.space}
        placed = [(figure.side, figure.space) for figure in picture.figures if figure.space]
        assert len(set(names)) == len(names)
        assert len({(space.x, space.y) for space in picture.spaces}) == len(names)
        assert all(0 <= space.x < picture.columns and 0 <= space.y < picture.rows for space in picture.spaces)
        assert len(set(placed)) == len(placed)
        assert len(standing) == len(placed) or family_of(key).shares_spaces
        assert {*standing, *picture.marks} <= set(names)
        assert {end for segment in picture.segments for end in (segment.start, segment.end)} <= set(names)
        assert picture.ball is None or picture.ball in names
        assert len({(figure.side, figure.number) for figure in picture.figures}) == len(picture.figures)
        assert all(
            0 <= x <= picture.columns and 0 <= y <= picture.rows for line in picture.lines for x, y in line.points
        )


@matches
def test_a_picture_is_drawn_as_text(key, seed):
    for state in sample(key, seed):
        picture = state.picture()
        drawn = as_text(picture)
        figures = set(re.findall(r"[YR][0-9]+", drawn))
        for figure in picture.figures:
            assert (f"{figure.side.value[0].upper()}{figure.number}" in figures) is (figure.space is not None)
        rows = len({space.y for space in picture.spaces})
        assert len(drawn.splitlines()) == (2 * rows - 1 if picture.segments else rows)


@matches
def test_every_position_says_its_task_and_its_stage(key, seed):
    for state in playout(key, seed).states:
        assert state.stage.strip() == state.stage != ""
        assert state.task.endswith(".")
        assert state.task[0].isupper()


@matches
def test_a_move_of_another_position_is_refused_with_a_rule_and_a_sentence(key, seed):
    states = sample(key, seed)
    texts = sorted({text for state in states for text in [*state.legal_moves()[::5], *rolls(state)]})
    random = Random(seed)
    for state in states:
        playable = {*state.legal_moves(), *rolls(state)}
        foreign = [text for text in texts if text not in playable]
        for text in random.sample(foreign, min(40, len(foreign))):
            with pytest.raises(IllegalMove) as refusal:
                state.play(text)
            assert RULE_ID.fullmatch(refusal.value.rule)
            assert len(str(refusal.value).split()) >= 3
            assert not str(refusal.value).endswith(".")


@games
@pytest.mark.parametrize("text", ["", " ", "\n", "nonsense", "１", "[]", "\0"])
def test_a_text_that_is_no_move_cannot_be_read(key, text):
    for state in (get_game(key).start(), playout(key, 0).states[-1]):
        with pytest.raises(InvalidNotation):
            state.play(text)
    with pytest.raises(InvalidNotation):
        get_game(key).read_move(text)


@matches
def test_nobody_acts_more_often_running_than_the_max_turn_actions_says(key, seed):
    states = playout(key, seed).states
    longest = running = 0
    for before, after in pairwise(states):
        goes_on = isinstance(before.turn, Side) and (before.turn, before.score) == (after.turn, after.score)
        running = running + 1 if goes_on else 0
        longest = max(longest, running + 1)

    assert 1 < longest <= get_game(key).max_turn_actions


@matches
def test_a_decision_is_rehearsed_like_one_that_comes(key, seed):
    for state in sample(key, seed):
        assert not state.decision or isinstance(state.turn, Side)
        for side in Side:
            for kind, rehearsed in state.rehearsals(side).items():
                assert (rehearsed.decision, rehearsed.turn) == (kind, side)
                assert rehearsed.picture()
                assert rehearsed.task
                for move in clicked(rehearsed, rehearsed.legal_moves())[:3]:
                    assert rehearsed.route(move)
                    assert rehearsed.play(move).decision != kind


@matches
def test_a_placing_offers_at_every_stage_just_what_is_legal_then(key, seed):
    source = Random(seed)
    plans = [(state, placing) for state in playout(key, seed).states[:24] if (placing := state.placement_plan())]
    for first, placing in plans:
        state, stage = first, 0
        while stage is not None:
            now = placing.stages[stage]
            offered = [(group, step) for group in now.then for step in placing.groups[group]]
            legal = set(state.legal_moves())
            assert now.task == state.task
            assert {step.text for _, step in offered} >= legal
            assert {step.text: step.space for _, step in offered if step.text in legal} == {
                step.text: step.space for step in state.steps()
            }
            taken = {figure.space for figure in state.picture().figures}
            assert {step.space for _, step in offered if step.text not in legal} <= taken
            group, step = source.choice([(group, step) for group, step in offered if step.text in legal])
            state = state.play(step.text)
            stage = now.then[group]
        assert state.turn != first.turn
    assert bool(plans) is bool(get_game(key).start().picture().figures)


@matches
def test_every_move_and_position_is_described_in_sentences(key, seed):
    played = playout(key, seed)
    for state, move in zip(played.states, played.record.moves, strict=False):
        sentence = state.describe(move.text)
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert not re.search(r"[@>]|[a-h]\d+-", sentence)
        assert all(line[0].isupper() and line.endswith(".") for line in state.in_words())
