"""Every format of the registry keeps what all formats promise, played in memory."""

import json
import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from math import ceil
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formats.options import InvalidOptions, OptionFault, options_of, read_options, write_options
from formats.protocol import Flow, FromSeed, FromTie, Game, Order, Place
from formats.registry import FORMATS
from formats.scoring.tiebreaks import TIEBREAKS
from rules_engine.values import Ending
from tests.formats.play import Play, play_through

SIZES = (2, 5, 16, 37, 200)
MAX_OF_EACH_WITH_EACH = 40
"""More entrants than this are too many for a test where everybody meets everybody."""

every_format = pytest.mark.parametrize("format_", FORMATS.values(), ids=FORMATS.keys())
randoms = st.randoms(use_true_random=False)
quickly = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def sizes_to_play(format_) -> list[int]:
    """Return the sizes that every format is played with, as near as it takes them."""
    meet_all = format_.flow is Flow.ROUNDS and format_.outline(SIZES[-1], format_.options()).rounds >= SIZES[-1] - 1
    most = MAX_OF_EACH_WITH_EACH if meet_all else format_.max_entrants or SIZES[-1]
    return [min(max(size, format_.min_entrants), most) for size in SIZES]


def name(parameter) -> str:
    return parameter.key if hasattr(parameter, "key") else str(parameter)


def options_for(format_) -> st.SearchStrategy:
    """Return a strategy for the options of a format: numbers near their least."""
    values: dict[str, st.SearchStrategy] = {}
    for each in options_of(format_.options):
        value: st.SearchStrategy
        if each.choices:
            value = st.sampled_from([key for key, _label in each.choices])
        elif each.kind is bool:
            value = st.booleans()
        elif each.kind is int:
            least = each.minimum or 0
            value = st.integers(least, least + 5 if each.maximum is None else min(each.maximum, least + 5))
        else:
            value = st.text(max_size=5)
        values[each.name] = value | st.none() if each.may_be_empty else value
    return st.builds(lambda **chosen: read_options(format_.options, chosen), **values)


def sizes_of(format_) -> st.SearchStrategy[int]:
    return st.integers(max(2, format_.min_entrants), min(9, format_.max_entrants or 9))


@st.composite
def plays(draw, format_, *, disturbances=0):
    """Draw a group that has just begun, and how often it is disturbed."""
    in_rounds = draw(st.booleans()) if format_.flow is Flow.TIES else False
    return Play(
        format_,
        draw(options_for(format_)),
        draw(sizes_of(format_)),
        draw(randoms),
        in_rounds=in_rounds,
        seed=draw(st.integers(0, 99)),
    ), draw(st.integers(0, disturbances))


def is_lost_by_both(game: Game) -> bool:
    return game.ending is Ending.FORFEIT and game.forfeited_by is None


def check_places(play: Play):
    """Everybody has one row; places count from 1, who share one have the same, and who have none come last.

    A tie that neither side began takes both out, so that the places of those who go down from it stay empty.
    """
    rows = list(play.places)
    assert sorted(row.entrant for row in rows) == sorted(seat.entrant for seat in play.seats)
    places = [row.place for row in rows if row.place is not None]
    assert rows[len(places) :] == [row for row in rows if row.place is None]
    assert places == sorted(places)
    history = play.format.position_changes(play.record, play.options)
    positions = {change.entrant: change.position for change in history}
    assert positions == ({row.entrant: row.place for row in rows} if play.format.order is Order.POSITIONS else {})
    if play.is_over:
        assert len(places) == len(rows)
        ahead = [sum(other < place for other in places) for place in places]
        assert all(place > better for place, better in zip(places, ahead, strict=True))
        if play.format.order is not Order.BRACKET or not any(is_lost_by_both(game) for game in play.counted_games):
            assert places == [better + 1 for better in ahead]


def check_order_does_not_matter(play: Play):
    """Take matches and rounds in another order: they give the same."""
    record, options = play.record, play.options
    shuffled = replace(
        record,
        games=tuple(play.random.sample(record.games, len(record.games))),
        rounds=tuple(play.random.sample(record.rounds, len(record.rounds))),
    )
    assert play.format.places(shuffled, options, play.format.tiebreaks) == play.places
    assert play.format.is_over(shuffled, options) == play.is_over
    assert play.format.next_rounds(shuffled, options, play.seed) == play.format.next_rounds(record, options, play.seed)


def check_meetings(play: Play):
    """Nobody meets themselves, nor anybody sooner or more often than the format promises."""
    assert all(game.sides.yellow != game.sides.red for game in play.games.values())
    if play.format.flow is Flow.CONTINUOUS:
        check_pauses(play)
    elif play.format.flow is Flow.ROUNDS:
        check_repeats(play)


def check_repeats(play: Play):
    """Nobody meets anybody more often than everybody has to meet somebody, but where a round says that it repeats.

    An entrant who forfeited has not met the other, and where an organiser let a match be played again the round
    before it knew nothing of it.
    """
    outline = play.format.outline(len(play.seats), play.options)
    assert all(set(each.repeats) <= set(each.pairs) for each in play.drawn)
    most = max(1, ceil(outline.matches_each / (len(play.seats) - 1)))
    meetings = Counter(
        frozenset(game.sides)
        for game in play.counted_games
        if game.ending is not Ending.FORFEIT and game.number not in play.repeats
    )
    again = {frozenset(game.sides) for game in play.games.values() if game.again_at is not None}
    assert all(number <= most or pair in again for pair, number in meetings.items())


def check_pauses(play: Play):
    """Two who met do not meet again before the days of the options are over, but where an organiser has them replay."""
    pause = timedelta(days=play.options.rematch_days)
    met: dict[frozenset[str], list[Game]] = {}
    for game in play.games.values():
        met.setdefault(frozenset(game.sides), []).append(game)
    for games in met.values():
        if all(game.again_at is None for game in games):
            for before, after in pairwise(games):
                assert play.started_at[after.number] >= before.ended_at + pause


def check_within_outline(play: Play):
    """There are no more rounds and matches than outlined; latecomers may add rounds."""
    outline = play.format.outline(len(play.seats), play.options)
    if outline.rounds is None:
        return
    played = Counter(entrant for game in play.games.values() for entrant in game.sides)
    assert len(play.games) <= outline.matches
    assert max(played.values(), default=0) <= outline.matches_each
    assert play.came_late or max(play.rounds, default=0) <= outline.rounds


def check_everybody_plays_or_rests(play: Play):
    """In every round of a group whose entrants stay, each plays once or has a bye, as many in all as outlined."""
    outline = play.format.outline(len(play.seats), play.options)
    for each in play.drawn:
        busy = [entrant for pair in each.pairs for entrant in pair.sides] + [*each.byes, *each.asked_byes]
        assert sorted(busy) == sorted(seat.entrant for seat in play.seats)
        assert len(each.byes) <= 1
    byes = Counter(entrant for each in play.drawn for entrant in each.byes)
    assert byes.total() == outline.byes
    assert max(byes.values(), default=0) <= ceil(outline.byes / len(play.seats))


@every_format
@given(data=st.data())
@quickly
def test_a_group_that_is_left_alone_comes_to_its_end_as_outlined(format_, data):
    play, _ = data.draw(plays(format_))
    play_through(play)
    check_meetings(play)
    check_within_outline(play)
    check_places(play)
    check_order_does_not_matter(play)
    if format_.flow is Flow.ROUNDS:
        check_everybody_plays_or_rests(play)


@every_format
@given(data=st.data())
@settings(quickly, max_examples=40)
def test_a_group_comes_to_its_end_whatever_happens(format_, data):
    """Withdrawals, replacements, latecomers, byes asked for, forfeits, matches annulled and played again."""
    play, disturbances = data.draw(plays(format_, disturbances=12))
    play_through(play, disturbances=disturbances)
    check_meetings(play)
    check_within_outline(play)
    check_places(play)
    check_order_does_not_matter(play)


@pytest.mark.parametrize(
    ("format_", "size"), [(each, size) for each in FORMATS.values() for size in sizes_to_play(each)], ids=name
)
def test_every_size_is_played_to_the_end(format_, size):
    play = Play(format_, format_.options(), size, Random(size))
    play_through(play, calmly=True)
    check_meetings(play)
    check_within_outline(play)
    check_places(play)
    assert play.games
    if format_.flow is Flow.ROUNDS:
        check_everybody_plays_or_rests(play)


@every_format
@given(data=st.data())
@quickly
def test_the_same_seed_draws_the_same_and_plays_the_same(format_, data):
    options, size = data.draw(options_for(format_)), data.draw(sizes_of(format_))
    first, second = (Play(format_, options, size, Random(7), seed=3) for _ in range(2))
    play_through(first, disturbances=5)
    play_through(second, disturbances=5)
    assert first.record == second.record
    assert first.drawn == second.drawn
    assert format_.draw_ties(size, options) == format_.draw_ties(size, options)


@every_format
@given(data=st.data())
@quickly
def test_the_name_of_an_entrant_does_not_matter(format_, data):
    play, disturbances = data.draw(plays(format_, disturbances=5))
    play_through(play, disturbances=disturbances)
    before = play.places
    names = {seat.entrant: seat.seed for seat in play.seats}
    record = play.record
    renamed = replace(
        record,
        seats=tuple(replace(seat, entrant=names[seat.entrant]) for seat in record.seats),
        games=tuple(
            replace(
                game,
                sides=game.sides.map(names.__getitem__),
                forfeited_by=names.get(game.forfeited_by),
                challenger=names.get(game.challenger),
            )
            for game in record.games
        ),
        rounds=tuple(
            replace(held, byes=tuple(map(names.get, held.byes)), asked_byes=tuple(map(names.get, held.asked_byes)))
            for held in record.rounds
        ),
    )
    after = format_.places(renamed, play.options, format_.tiebreaks)
    assert list(after) == [Place(names[row.entrant], row.place) for row in before]


@every_format
@given(data=st.data())
@quickly
def test_ties_take_entrants_from_seeds_and_from_ties_before_them(format_, data):
    options, size = data.draw(options_for(format_)), data.draw(st.integers(max(2, format_.min_entrants), 40))
    ties = format_.draw_ties(size, options)
    if format_.flow is not Flow.TIES:
        assert ties == ()
        return
    sources = [(tie.key, source) for tie in ties for source in (tie.first, tie.second)]
    seeds = [source.seed for _key, source in sources if isinstance(source, FromSeed)]
    assert sorted(seeds) == list(range(1, size + 1))
    position = {tie.key: number for number, tie in enumerate(ties)}
    assert len(position) == len(ties)
    for key, source in sources:
        if isinstance(source, FromTie):
            assert position[source.tie] < position[key]
            assert source.tie.round < key.round
    byes = [source.seed for key, source in sources if isinstance(source, FromSeed) and key.round > 1]
    assert sorted(byes) == list(range(1, format_.outline(size, options).byes + 1))


@every_format
def test_too_few_entrants_are_refused(format_):
    options = format_.options()
    if format_.min_entrants > 0:
        with pytest.raises(ValueError, match="needs"):
            format_.outline(format_.min_entrants - 1, options)


@every_format
@given(data=st.data())
@quickly
def test_options_are_read_back_as_they_were_written(format_, data):
    options = data.draw(options_for(format_))
    assert read_options(format_.options, json.loads(json.dumps(write_options(options)))) == options


@every_format
def test_the_options_that_nobody_chose_can_be_taken(format_):
    assert read_options(format_.options, write_options(format_.options())) == format_.options()
    assert read_options(format_.options, {}) == format_.options()


@every_format
def test_wrong_options_are_refused_by_their_fault(format_):
    assert faults_of(format_, "no-such-option", 1) == OptionFault.UNKNOWN
    for each in options_of(format_.options):
        wrong_types = {bool: "yes", int: "1", str: 1}
        assert faults_of(format_, each.name, wrong_types[each.kind]) == OptionFault.WRONG_TYPE
        if not each.may_be_empty:
            assert faults_of(format_, each.name, None) == OptionFault.WRONG_TYPE
        if each.minimum is not None:
            assert faults_of(format_, each.name, each.minimum - 1) == OptionFault.TOO_SMALL
        if each.maximum is not None:
            assert faults_of(format_, each.name, each.maximum + 1) == OptionFault.TOO_LARGE
        if each.choices:
            assert faults_of(format_, each.name, "no-such-choice") == OptionFault.NOT_A_CHOICE


def faults_of(format_, name, value):
    """Return the fault for which a value of one option is refused."""
    with pytest.raises(InvalidOptions) as refused:
        read_options(format_.options, {name: value})
    assert list(refused.value.faults) == [name]
    fault, parameters = refused.value.faults[name]
    assert parameters
    return fault


@every_format
def test_every_option_has_a_label_and_bounds(format_):
    for each in options_of(format_.options):
        assert re.fullmatch(r"[a-z][\w' -]+", each.label), each.label
        assert not each.help_text or each.help_text.endswith("."), each.help_text
        if each.kind is int:
            assert each.minimum is not None
            assert each.maximum is not None


@every_format
@given(data=st.data())
@quickly
def test_each_format_is_described_in_english_with_every_parameter_filled(format_, data):
    options = data.draw(options_for(format_))
    sentences = format_.describe(options)
    assert sentences
    for template, parameters in sentences:
        named = set(re.findall(r"%\((\w+)\)[ds]", template))
        assert named == set(parameters), template
        sentence = template % parameters
        assert re.fullmatch(r"[A-Z][^%{}_]+[.]", sentence), sentence
        assert not re.search(r"\b(he|his|him|None|True|False)\b", sentence), sentence


@every_format
def test_it_says_what_it_is_called_and_what_orders_its_table(format_):
    assert FORMATS[format_.key] is format_
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", format_.key)
    assert format_.name(format_.options()) == format_.label
    assert re.fullmatch(r"[A-Z].+\.", format_.summary)
    assert set(format_.tiebreaks) <= set(TIEBREAKS)
    assert (format_.draw_ties(max(2, format_.min_entrants), format_.options()) != ()) == (format_.flow is Flow.TIES)
