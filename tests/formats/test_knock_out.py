"""The knock-out: its draw is the standard bracket, and its places those of the rounds in which entrants went out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.knock_out import KnockOut, KnockOutOptions
from formats.options import options_of
from formats.protocol import (
    Abilities,
    DrawnTie,
    FromSeed,
    FromTie,
    Outcome,
    Outline,
    Part,
    Place,
    TieKey,
)
from rules_engine.values import BySide
from tests.formats.brackets import make_record, play, play_on, resolve
from tests.formats.seeded_brackets import final_places

FORMAT = KnockOut()
PLAIN, WITH_THIRD = KnockOutOptions(), KnockOutOptions(third_place=True)


def main(round_: int, slot: int) -> TieKey:
    return TieKey(round_, Part.MAIN, slot)


def test_the_draw_of_five_with_a_tie_for_third_place():
    assert FORMAT.draw_ties(5, WITH_THIRD) == (
        DrawnTie(main(1, 1), FromSeed(5), FromSeed(4)),
        DrawnTie(main(2, 0), FromSeed(1), FromTie(main(1, 1), Outcome.WINNER)),
        DrawnTie(main(2, 1), FromSeed(3), FromSeed(2)),
        DrawnTie(main(3, 0), FromTie(main(2, 0), Outcome.WINNER), FromTie(main(2, 1), Outcome.WINNER)),
        DrawnTie(
            TieKey(3, Part.THIRD_PLACE, 0),
            FromTie(main(2, 0), Outcome.LOSER),
            FromTie(main(2, 1), Outcome.LOSER),
        ),
    )


def test_three_play_for_no_third_place_as_there_is_one_semi_final():
    assert FORMAT.draw_ties(3, WITH_THIRD) == FORMAT.draw_ties(3, PLAIN)


def test_one_entrant_is_too_few():
    with pytest.raises(ValueError, match="2 entrants"):
        FORMAT.draw_ties(1, PLAIN)


@given(st.integers(2, 70), st.booleans(), st.integers(1, 2), st.randoms(use_true_random=False))
def test_places_are_those_of_the_bracket(size, third_place, legs, random):
    options = KnockOutOptions(legs=legs, third_place=third_place)
    record = play(FORMAT, options, size, lambda *pair: random.choice(pair))
    resolved = resolve(FORMAT, options, record)
    bracket = FORMAT.draw_ties(size, options)
    winners = {tie: resolved[tie.key].winner for tie in bracket}
    places = FORMAT.places(record, options, ())
    assert {each.entrant: each.place for each in places} == final_places(bracket, range(1, size + 1), winners)
    assert [each.place for each in places] == sorted(each.place or 0 for each in places)


def test_an_entrant_who_is_still_in_has_no_place_and_comes_last():
    record = play_on(FORMAT, WITH_THIRD, make_record(6), min)
    assert FORMAT.places(record, WITH_THIRD, ()) == [
        Place(5, 5),
        Place(6, 5),
        *[Place(seed, None) for seed in (1, 2, 3, 4)],
    ]
    assert not FORMAT.is_over(record, WITH_THIRD)
    semi_finals = play_on(FORMAT, WITH_THIRD, record, min)
    assert [each.place for each in FORMAT.places(semi_finals, WITH_THIRD, ())] == [5, 5, None, None, None, None]
    over = play_on(FORMAT, WITH_THIRD, semi_finals, min)
    assert FORMAT.places(over, WITH_THIRD, ()) == [
        Place(1, 1),
        Place(2, 2),
        Place(3, 3),
        Place(4, 4),
        Place(5, 5),
        Place(6, 5),
    ]


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
