"""The dice: commitment, chain, signatures and an exact share for every face."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches import dice
from matches.dice import Played
from rules_engine.protocol import Roll

SEED = bytes(range(32))
DIE = tuple(Roll(str(face), Fraction(1, 6)) for face in range(1, 7))
LOADED = (Roll("win", Fraction(1, 4)), Roll("draw", Fraction(1, 3)), Roll("loss", Fraction(5, 12)))

moves = st.lists(
    st.tuples(st.sampled_from(["yellow", "red"]), st.text("abcdefgh0123456789->@", max_size=8)).map(
        lambda pair: Played(*pair)
    ),
    max_size=6,
)


def digest_of(number: int) -> bytes:
    return number.to_bytes(32, "big")


def playthrough(seed: bytes, match_id: int, moves: list[Played]) -> list[Played]:
    """Return the moves with a roll of a die before each."""
    played: list[Played] = []
    chain = dice.first_link(match_id)
    for number, own in enumerate(moves):
        face = dice.draw(seed, match_id, number, chain, DIE).text
        for move in (Played("chance", face, DIE), own):
            chain = dice.next_link(chain, move.actor, move.text)
            played.append(move)
    return played


def test_the_commitment_is_the_sha256_of_the_seed():
    assert dice.commit(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_match_always_gives_the_rolls_of_its_seed():
    chain = dice.first_link(7)
    assert chain == "90eb73126204671168101ee4cb1472173fb1204d01bff3025ef171d58dbcd2ec"
    drawn = dice.draw(SEED, 7, 0, chain, DIE)
    assert drawn.message == f"kickabout dice v1|7|0|{chain}|0"
    assert drawn.digest == "a1108c8a03fdb7090d6f75d4616174ee2eb4a75a81e5d83f0ed22da1bcef2c5b"
    assert drawn.text == "6"
    chain = dice.next_link(chain, "chance", drawn.text)
    chain = dice.next_link(chain, "yellow", "c3-c5")
    assert chain == "3e30645e9d30d3cf8b2d1849ba6b0b968325f30ce19527e3166a6744b3ea65e8"
    assert dice.draw(SEED, 7, 1, chain, DIE).text == "2"


def test_the_numbers_are_shared_out_by_the_probabilities_in_order():
    shares = Counter(roll.text for number in range(12) if (roll := dice.pick(digest_of(number), LOADED)))
    assert shares == {"win": 3, "draw": 4, "loss": 5}
    assert dice.pick(digest_of(0), LOADED) == LOADED[0]
    assert dice.pick(digest_of(11), LOADED) == LOADED[2]


def test_digests_that_would_favour_the_first_faces_stand_for_nothing():
    assert 2**256 % 6 == 4
    assert [dice.pick(digest_of(2**256 - back), DIE) for back in (4, 3, 2, 1)] == [None] * 4
    assert dice.pick(digest_of(2**256 - 5), DIE) == DIE[5]


def test_probabilities_that_do_not_add_up_are_no_dice():
    with pytest.raises(ValueError, match="add up"):
        dice.pick(digest_of(5), DIE[:5])


def chi_square(counts: Counter[str], rolls: tuple[Roll, ...]) -> float:
    total = counts.total()
    expected = {roll.text: float(roll.probability) * total for roll in rolls}
    assert counts.keys() <= expected.keys()
    return sum((counts[text] - wanted) ** 2 / wanted for text, wanted in expected.items())


@pytest.mark.parametrize(
    ("rolls", "bound"), [pytest.param(DIE, 20.52, id="a die"), pytest.param(LOADED, 13.82, id="unequal probabilities")]
)
def test_a_hundred_thousand_rolls_are_spread_as_they_should_be(rolls, bound):
    """The bounds are the chi-square quantiles of 99.9 % for 5 and for 2 degrees of freedom."""
    source = random.Random(2026)
    seed = source.randbytes(32)
    chain = dice.first_link(1)
    counts = Counter(dice.draw(seed, 1, number, chain, rolls).text for number in range(100_000))
    assert chi_square(counts, rolls) < bound


@given(st.binary(min_size=32, max_size=32), st.integers(1, 10**12), moves)
def test_an_honest_match_passes_the_check(seed, match_id, moves):
    assert dice.check(seed, dice.commit(seed), match_id, playthrough(seed, match_id, moves)) == ()


def test_a_changed_roll_is_found():
    played = playthrough(SEED, 3, [Played("yellow", "c3-c5"), Played("red", "e7-e9")])
    other = next(face.text for face in DIE if face.text != played[2].text)
    played[2] = Played("chance", other, DIE)
    assert dice.check(SEED, dice.commit(SEED), 3, played) == (
        f"Roll 1 at ply 2 is {other!r}, which the seed does not give.",
    )


def test_another_seed_than_the_one_committed_to_is_found():
    assert dice.check(SEED, dice.commit(b"another"), 3, []) == ("The seed is not the one that was committed to.",)


@given(moves.filter(bool))
def test_a_roll_depends_on_everything_played_before(moves):
    chain = other = dice.first_link(5)
    for move in moves:
        chain = dice.next_link(chain, move.actor, move.text)
        other = dice.next_link(other, move.actor, move.text + "x")
    assert dice.draw(SEED, 5, 0, chain, DIE).digest != dice.draw(SEED, 5, 0, other, DIE).digest


def test_a_proof_without_the_seed_shows_what_will_be_signed_and_no_more():
    (proof,) = dice.prove(None, 7, [Played("chance", "4", DIE)])
    assert proof == dice.RollProof(0, 0, "4", dice.message(7, 0, dice.first_link(7)), None, None)
