"""The knock-out: its draw is the standard bracket, and its places those of the rounds in which entrants went out."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formats.knock_out import KnockOut, KnockOutOptions
from formats.options import options_of
from formats.pairing.elimination import count_rounds, seed_lines
from formats.protocol import Abilities, DrawnTie, FromSeed, FromTie, Outcome, Outline, Part, Place, TieKey
from rules_engine.values import BySide
from tests.formats.brackets import make_record, play, play_on, resolve, walk

FORMAT = KnockOut()
PLAIN, WITH_THIRD = KnockOutOptions(), KnockOutOptions(third_place=True)
SIZES = st.integers(2, 130)


def main(round_: int, slot: int) -> TieKey:
    return TieKey(round_, Part.MAIN, slot)


def test_the_draw_of_five_with_a_tie_for_third_place():
    assert FORMAT.draw_ties(5, WITH_THIRD) == (
        DrawnTie(main(1, 1), FromSeed(5), FromSeed(4)),
        DrawnTie(main(2, 0), FromSeed(1), FromTie(main(1, 1), Outcome.WINNER)),
        DrawnTie(main(2, 1), FromSeed(3), FromSeed(2)),
        DrawnTie(main(3, 0), FromTie(main(2, 0), Outcome.WINNER), FromTie(main(2, 1), Outcome.WINNER)),
        DrawnTie(
            TieKey(3, Part.THIRD_PLACE, 0), FromTie(main(2, 0), Outcome.LOSER), FromTie(main(2, 1), Outcome.LOSER)
        ),
    )


@pytest.mark.parametrize(("rounds", "lines"), [(0, [1]), (1, [1, 2]), (2, [1, 4, 3, 2]), (3, [1, 8, 5, 4, 3, 6, 7, 2])])
def test_the_standard_order_of_lines(rounds, lines):
    assert seed_lines(rounds) == lines


@given(SIZES)
@example(1024)
def test_a_cup_has_one_tie_less_than_entrants_and_from_four_on_its_third_place_tie(size):
    ties, with_third = FORMAT.draw_ties(size, PLAIN), FORMAT.draw_ties(size, WITH_THIRD)
    assert len(ties) == len({tie.key for tie in ties}) == size - 1
    assert [tie for tie in with_third if tie.key.part is Part.MAIN] == list(ties)
    assert len(with_third) - len(ties) == (size >= 4)


@given(SIZES)
@example(1024)
def test_only_the_top_seeds_have_byes_and_never_against_each_other(size):
    byes = 2 ** count_rounds(size) - size
    starts = [
        (source.seed, tie.key.round)
        for tie in FORMAT.draw_ties(size, PLAIN)
        for source in (tie.first, tie.second)
        if isinstance(source, FromSeed)
    ]
    assert sorted(starts) == [(seed, 2 if seed <= byes else 1) for seed in range(1, size + 1)]
    lines = seed_lines(count_rounds(size))
    assert not any(one > size and other > size for one, other in zip(lines[::2], lines[1::2], strict=True))


@given(SIZES)
@example(1024)
def test_the_winners_of_two_neighbouring_slots_meet_in_the_slot_between_them(size):
    for tie in FORMAT.draw_ties(size, PLAIN):
        for place, source in enumerate((tie.first, tie.second)):
            if isinstance(source, FromTie):
                assert source == FromTie(main(tie.key.round - 1, 2 * tie.key.slot + place), Outcome.WINNER)


@given(SIZES)
@example(1024)
def test_while_no_lower_seed_wins_each_round_keeps_the_top_seeds(size):
    for key, pair in walk(FORMAT.draw_ties(size, PLAIN), min).items():
        assert sum(pair) == 2 ** (count_rounds(size) - key.round + 1) + 1


def test_one_entrant_is_too_few():
    with pytest.raises(ValueError, match="2 entrants"):
        FORMAT.draw_ties(1, PLAIN)


@given(st.integers(2, 70), st.booleans(), st.integers(1, 2), st.randoms(use_true_random=False))
def test_a_place_is_one_more_than_the_number_of_those_who_got_further(size, third_place, legs, random):
    options = KnockOutOptions(legs=legs, third_place=third_place)
    record = play(FORMAT, options, size, lambda *pair: random.choice(pair))
    reached = dict.fromkeys(range(1, size + 1), 0.0)
    for key, tie in resolve(FORMAT, options, record).items():
        pair = {tie.first, tie.second}
        assert pair != {1, 2} or key.round == count_rounds(size)
        for entrant in pair:
            worth = key.round - (key.part is Part.THIRD_PLACE) + 0.5 * (tie.winner == entrant)
            reached[entrant] = max(reached[entrant], worth)
    places = FORMAT.places(record, options, ())
    assert {each.entrant: each.place for each in places} == {
        entrant: 1 + sum(other > own for other in reached.values()) for entrant, own in reached.items()
    }
    assert [each.place for each in places] == sorted(each.place or 0 for each in places)


def test_an_entrant_who_is_still_in_has_no_place_and_comes_last():
    record = play_on(FORMAT, WITH_THIRD, make_record(6), min)
    out = [Place(5, 5), Place(6, 5)]
    assert FORMAT.places(record, WITH_THIRD, ()) == [*out, *[Place(seed, None) for seed in (1, 2, 3, 4)]]
    assert not FORMAT.is_over(record, WITH_THIRD)
    semi_finals = play_on(FORMAT, WITH_THIRD, record, min)
    assert [each.place for each in FORMAT.places(semi_finals, WITH_THIRD, ())] == [5, 5, None, None, None, None]
    over = play_on(FORMAT, WITH_THIRD, semi_finals, min)
    assert FORMAT.places(over, WITH_THIRD, ()) == [*[Place(seed, seed) for seed in (1, 2, 3, 4)], *out]


@pytest.mark.parametrize(
    ("size", "options", "outline"),
    [
        (2, KnockOutOptions(legs=1, replays=0), Outline(1, 1, 1)),
        (5, KnockOutOptions(), Outline(3, 16, 12, byes=3)),
        (8, KnockOutOptions(third_place=True, replays=0), Outline(3, 16, 6)),
    ],
)
def test_the_outline_counts_rounds_matches_and_byes(size, options, outline):
    assert FORMAT.outline(size, options) == outline


def test_its_options_are_those_of_cups():
    described = {
        each.name: (each.label, each.default, each.minimum, each.maximum) for each in options_of(KnockOutOptions)
    }
    assert described == {
        "legs": ("legs", 2, 1, 2),
        "replays": ("replay pairs", 1, 0, 5),
        "third_place": ("third-place tie", False, None, None),
    }
    assert FORMAT.abilities(PLAIN) == Abilities(replacement=True, replays=True, teams=True)


@pytest.mark.parametrize(
    ("options", "sentences"),
    [
        (
            PLAIN,
            [
                "Each tie is two matches at the same time, with sides swapped. Match points count, then goals.",
                "A level tie is replayed. If it is still level, the higher seed goes on.",
            ],
        ),
        (
            KnockOutOptions(legs=1, replays=0, third_place=True),
            [
                "Each tie is one match.",
                "If a tie is level, the higher seed goes on.",
                "The losers of the semi-finals play for third place.",
            ],
        ),
    ],
)
def test_sentences_say_how_a_cup_is_played(options, sentences):
    assert [sentence % parameters for sentence, parameters in FORMAT.describe(options)] == sentences


def test_in_ties_of_one_match_the_entrant_who_has_been_yellow_less_often_is_yellow():
    options = KnockOutOptions(legs=1)
    record = play_on(FORMAT, options, make_record(8), min)
    # Lots follow seeds: 1 to 4 were Yellow and won, so now the smaller lot decides again, and then 2 plays 1.
    assert {game.sides.yellow for game in record.games} == {1, 2, 3, 4}
    record = play_on(FORMAT, options, record, max)
    assert {game.sides for game in record.games[4:]} == {BySide(1, 4), BySide(2, 3)}
    (final,) = [tie for tie in resolve(FORMAT, options, record).values() if tie.legs_due]
    assert (final.legs_due[0].sides, len(final.legs_due)) == (BySide(3, 4), 1)
