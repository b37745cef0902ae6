"""Unplayed rounds in tie-breaks (FIDE Handbook C.07, Article 16): by hand, and against its sentences put plainly."""

from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.scoring.points import STANDARD, STOCK_TABLES, PointTable
from formats.scoring.standings import rank
from formats.scoring.tiebreaks import Bye, Result
from rules_engine.values import BySide
from tests.formats.results import competitions

NO_GOALS = BySide(0, 0)
STRENGTHS = ("buchholz", "median-buchholz", "sonneborn-berger")


def played(round_, yellow, red, points):
    return Result(yellow, red, BySide(*points), NO_GOALS, round_)


def forfeited(round_, yellow, red, points):
    return Result(yellow, red, BySide(*points), NO_GOALS, round_, is_played=False)


def measure(entrant, key, results, rounds, table=STANDARD):
    others = {each for result in results if isinstance(result, Result) for each in (result.yellow, result.red)}
    rows = rank(sorted(others | {entrant}), results, [key], point_table=table, swiss_rounds=rounds)
    return next(row.values[key] for row in rows if row.entrant == entrant)


def test_a_free_bye_is_a_match_with_a_dummy_of_the_own_total():
    results = [Bye("A", 5, 1), played(2, "A", "B", (0, 5)), played(3, "A", "C", (0, 5))]
    assert measure("A", "buchholz", results, 3) == 5 + 5 + 5
    assert measure("A", "sonneborn-berger", results, 3) == Fraction(5 * 5, 5)


def test_a_dummy_has_no_more_than_draws_in_all_rounds_would_give():
    results = [Bye("A", 5, 1), played(2, "A", "B", (5, 0)), played(3, "A", "C", (5, 0))]
    assert measure("A", "buchholz", results, 3) == 3 * 2
    assert measure("A", "sonneborn-berger", results, 3) == 3 * 2
    # With 3-1-0 the three rounds would give 3 by draws.
    table = STOCK_TABLES["3-1-0"]
    assert measure("A", "buchholz", [Bye("A", 3, 1), *results[1:]], 3, table) == 3


def test_the_winner_by_a_forfeit_has_met_a_dummy_no_stronger_than_the_opponent():
    results = [forfeited(1, "A", "B", (5, 0)), played(2, "A", "C", (5, 0)), played(2, "B", "D", (3, 2))]
    assert measure("A", "buchholz", results, 2) == 3 + 0
    stronger = [*results[:2], played(2, "B", "D", (5, 0)), played(3, "B", "D", (5, 0)), played(4, "B", "D", (5, 0))]
    assert measure("A", "buchholz", stronger, 4) == 10 + 0


def test_byes_of_own_will_after_the_last_match_are_draws_for_opponents_and_earlier_ones_are_not():
    left = [played(1, "A", "B", (5, 0)), played(2, "B", "C", (5, 0))]
    gone = [Bye("B", 0, 3, is_voluntary=True), Bye("B", 0, 4, is_voluntary=True)]
    assert measure("A", "buchholz", [*left, *gone], 4) == 5 + 2 * 2
    back = [*left, gone[0], played(4, "B", "D", (0, 5))]
    assert measure("A", "buchholz", back, 4) == 5


def test_a_forfeit_at_the_end_stays_a_loss_and_the_byes_around_it_are_draws():
    results = [
        played(1, "A", "B", (5, 0)),
        Bye("B", 2, 2, is_voluntary=True),
        forfeited(3, "B", "C", (0, 5)),
        Bye("B", 0, 4, is_voluntary=True),
    ]
    assert measure("A", "buchholz", results, 4) == 2 + 0 + 2


def test_a_match_that_neither_played_is_a_forfeit_of_both():
    results = [played(1, "A", "B", (5, 0)), forfeited(2, "B", "C", (0, 0)), Bye("B", 0, 3, is_voluntary=True)]
    assert measure("A", "buchholz", results, 3) == 2


def test_of_rounds_cut_the_one_sat_out_by_own_will_goes_first():
    results = [
        played(1, "A", "B", (5, 0)),
        played(1, "C", "D", (5, 0)),
        played(2, "A", "C", (5, 0)),
        Bye("A", 2, 3, is_voluntary=True),
    ]
    # Met: B with 0, C with 5, and a dummy with 6 of the own 12: the dummy is cut as the lowest, C as the highest.
    assert measure("A", "buchholz", results, 3) == 0 + 5 + 6
    assert measure("A", "median-buchholz", results, 3) == 0
    free = [*results[:3], Bye("A", 2, 3)]
    assert measure("A", "median-buchholz", free, 3) == 5


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_a_median_of_fewer_than_three_rounds_is_nothing(rounds):
    results = [played(number, "A", "B", (5, 0)) for number in range(1, rounds + 1)]
    assert measure("A", "median-buchholz", results, rounds) == 0


@given(competitions(), st.integers(0, 9))
def test_a_swiss_in_which_every_round_was_played_has_the_same_table_as_elsewhere(competition, rounds):
    entrants, results = competition
    matches = [each for each in results if isinstance(each, Result)]
    keys = [*STRENGTHS, "points"]
    assert rank(entrants, matches, keys, swiss_rounds=rounds) == rank(entrants, matches, keys)


@dataclass
class Entry:
    """A round of an entrant as C.07 sees it: what kind, against whom if anybody, and the points."""

    kind: str
    opponent: int | None
    points: int


CARDS = st.sampled_from(["played"] * 6 + ["forfeit", "both", "byes"])
BYES = st.sampled_from(["free", "asked", "zero"])
POINTS = st.sampled_from([(5, 0), (4, 1), (3, 2), (2, 2), (2, 3), (1, 4), (0, 5)])


@st.composite
def swisses(draw):
    """Draw the rounds of every entrant, and the same as results and byes."""
    size = draw(st.integers(2, 7))
    rounds = draw(st.integers(1, 6))
    cards: dict[int, list[Entry]] = {entrant: [] for entrant in range(size)}
    results: list[Result[int] | Bye[int]] = []
    for number in range(1, rounds + 1):
        order = draw(st.permutations(range(size)))
        while len(order) > 1:
            yellow, red, *order = order
            kind = draw(CARDS)
            points = {"forfeit": draw(st.sampled_from([(5, 0), (0, 5)])), "both": (0, 0)}.get(kind) or draw(POINTS)
            if kind == "byes":
                order = [yellow, *order]
                _add_bye(draw, cards, results, number, red)
                continue
            is_played = kind == "played"
            results.append(Result(yellow, red, BySide(*points), NO_GOALS, number, is_played))
            for entrant, opponent, own, other in ((yellow, red, *points), (red, yellow, *points[::-1])):
                name = "played" if is_played else "forfeit win" if own > other else "forfeit loss"
                cards[entrant].append(Entry(name, opponent, own))
        for entrant in order:
            _add_bye(draw, cards, results, number, entrant)
    return cards, results, rounds


def _add_bye(draw, cards, results, number, entrant):
    kind = draw(BYES)
    points = {"free": 5, "asked": 2, "zero": 0}[kind]
    cards[entrant].append(Entry(kind, None, points))
    results.append(Bye(entrant, points, number, is_voluntary=kind != "free"))


def contributions(cards, entrant, table: PointTable):
    """Return (contribution, own points, of own will) of each round, as Article 16 says."""
    found = []
    own = sum(each.points for each in cards[entrant])
    for each in cards[entrant]:
        if each.kind == "played":
            score = adjust(cards[each.opponent], table)
        elif each.opponent is not None:
            score = min(own, adjust(cards[each.opponent], table))
        else:
            score = min(own, table.drawn * len(cards[entrant]))
        found.append((score, each.points, each.kind in {"asked", "zero", "forfeit loss"}))
    return found


def adjust(card, table):
    """Return a score for opponents: from the end back to the last round not sat out by own will, byes are draws."""
    score = 0
    at_the_end = True
    for each in reversed(card):
        at_the_end = at_the_end and each.kind in {"asked", "zero", "forfeit loss"}
        score += table.drawn if at_the_end and each.kind in {"asked", "zero"} else each.points
    return score


@given(swisses(), st.randoms(use_true_random=False))
def test_every_strength_is_the_one_of_article_16(swiss, random):
    cards, results, rounds = swiss
    random.shuffle(results)
    rows = rank(sorted(cards), results, STRENGTHS, swiss_rounds=rounds)
    for row in rows:
        met = contributions(cards, row.entrant, STANDARD)
        assert row.values["buchholz"] == sum(score for score, _, _ in met)
        assert row.values["sonneborn-berger"] == sum(Fraction(score * points, 5) for score, points, _ in met)
        willing = sorted(score for score, _, is_voluntary in met if is_voluntary)
        others = sorted(score for score, _, is_voluntary in met if not is_voluntary)
        rest = sorted((willing + others)[1:])
        assert row.values["median-buchholz"] == (sum(rest[:-1]) if len(met) > 2 else 0)


@given(swisses(), st.randoms(use_true_random=False))
def test_results_in_any_order_give_the_same_table(swiss, random):
    cards, results, rounds = swiss
    keys = ["points", *STRENGTHS]
    table = rank(sorted(cards), results, keys, swiss_rounds=rounds)
    random.shuffle(results)
    assert rank(sorted(cards), results, keys, swiss_rounds=rounds) == table
