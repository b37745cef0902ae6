"""The challenge ladder: positions follow from everything that happened, in the order of time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from formats.challenge_ladder import ChallengeLadder, ChallengeLadderOptions
from formats.protocol import Absence, Game, Place, PositionChange, Record, Seat
from rules_engine.values import BySide

LADDER = ChallengeLadder()
OPTIONS = ChallengeLadderOptions()
START = datetime(2026, 1, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def make_seats(names):
    return tuple(Seat(name, seed) for seed, name in enumerate(names, start=1))


def challenge(challenger: Any, opponent: Any, day: float, points=(5, 0), number=0) -> Game[Any]:
    """Return a finished match, which the challenger played as Yellow, with these points for the challenger."""
    sides, worth = BySide(challenger, opponent), BySide(*points)
    return Game(
        0, sides, points=worth, goals=BySide(0, 0), ended_at=START + day * DAY, challenger=challenger, number=number
    )


def order_of(record: Record[Any], options=OPTIONS) -> str:
    return "".join(row.entrant for row in LADDER.places(record, options, ()) if row.place is not None)


def test_newcomers_stand_in_the_order_in_which_they_came():
    *first, last = make_seats("ABC")
    late = replace(last, seed=1, entered_at=START)
    assert LADDER.places(Record((*first, late)), OPTIONS, ()) == [Place("A", 1), Place("B", 2), Place("C", 3)]


def test_a_challenger_who_plays_as_red_moves_up_too():
    game = Game(0, BySide("B", "D"), points=BySide(1, 4), goals=BySide(0, 0), ended_at=START, challenger="D")
    assert order_of(Record(make_seats("ABCDE"), (game,))) == "ADBCE"


def test_nothing_else_moves_anybody():
    games = [
        challenge("D", "B", 1, (2, 2)),
        challenge("D", "B", 2, (0, 5)),
        challenge("A", "C", 3),
        replace(challenge("E", "C", 4), challenger=None),
        replace(challenge("E", "C", 5), points=None, goals=None),
    ]
    assert order_of(Record(make_seats("ABCDE"), tuple(games))) == "ABCDE"


def test_results_count_in_the_order_of_their_ends_and_then_of_their_numbers():
    early, late = challenge("C", "A", 1), challenge("D", "C", 2)
    assert order_of(Record(make_seats("ABCD"), (late, early))) == "DCAB"
    first, second = challenge("C", "A", 1, number=1), challenge("B", "A", 1, number=2)
    assert order_of(Record(make_seats("ABC"), (second, first))) == "CBA"
    first, second = replace(first, number=2), replace(second, number=1)
    assert order_of(Record(make_seats("ABC"), (second, first))) == "BCA"


def leave_and_return(*absences, name="B", names="ABCDEFGHIJKL", games=()):
    seats = tuple(
        replace(seat, absences=tuple(absences)) if seat.entrant == name else seat for seat in make_seats(names)
    )
    return Record(seats, tuple(games))


def test_a_player_who_comes_back_in_time_stands_a_tenth_of_the_ladder_below_the_old_position():
    assert order_of(leave_and_return(Absence(START, START + 180 * DAY))) == "ACDBEFGHIJKL"


def test_a_player_who_comes_back_too_late_stands_at_the_bottom():
    assert order_of(leave_and_return(Absence(START, START + 181 * DAY))) == "ACDEFGHIJKLB"
    assert order_of(leave_and_return(Absence(START, START + DAY)), replace(OPTIONS, return_days=0))[-1] == "B"


def test_a_player_who_returns_and_leaves_again_at_one_moment_is_gone():
    assert order_of(leave_and_return(Absence(START, START + DAY), Absence(START + DAY), names="ABC")) == "AC"


def test_players_who_leave_at_one_moment_come_back_from_where_they_all_stood():
    names = "ABCDEFGHIJKL"
    back = {"B": START + DAY, "C": START + 2 * DAY}
    seats = tuple(
        replace(seat, absences=(Absence(START, back[seat.entrant]),)) if seat.entrant in back else seat
        for seat in make_seats(names)
    )
    # B comes back from 2nd to 3rd, C from 3rd to 5th.
    assert order_of(Record(seats)) == "ADBECFGHIJKL"


def test_players_who_leave_at_one_moment_leave_together_however_often_they_have_left_before():
    names = "ABCDEFGHIJKL"
    gone = START + 10 * DAY
    absences = {"B": (Absence(START, START + DAY), Absence(gone, gone + DAY)), "C": (Absence(gone, gone + 2 * DAY),)}
    seats = tuple(replace(seat, absences=absences.get(seat.entrant, ())) for seat in make_seats(names))
    # B comes back to 4th, below C and D. Then both leave, B from 4th and C from 2nd, and come back to 5th and 4th.
    assert order_of(Record(seats)) == "ADECFBGHIJKL"
    changes = [each for each in LADDER.position_changes(Record(seats), OPTIONS) if each.at == gone]
    assert [(each.entrant, each.position) for each in changes] == [
        ("B", None), ("C", None), *[(name, place) for place, name in enumerate("DEFGHIJKL", start=2)],
    ]  # fmt: skip


def test_every_change_of_a_position_is_told_with_the_match_that_made_it():
    record = leave_and_return(Absence(START + DAY), names="ABCD", games=[challenge("D", "B", 0, number=7)])
    beginning = LADDER.position_changes(Record(make_seats("ABCD")), OPTIONS)
    came = [(each.entrant, each.position, each.game) for each in beginning]
    assert came == [("A", 1, None), ("B", 2, None), ("C", 3, None), ("D", 4, None)]
    assert list(LADDER.position_changes(record, OPTIONS))[4:] == [
        PositionChange("D", 2, START, 7),
        PositionChange("B", 3, START, 7),
        PositionChange("C", 4, START, 7),
        PositionChange("B", None, START + DAY),
        PositionChange("C", 3, START + DAY),
    ]


HAPPENINGS = st.lists(
    st.tuples(st.sampled_from(["win", "draw", "lose", "leave", "return"]), st.permutations("ABCDEFGHIJKLM")),
    max_size=30,
)


@given(HAPPENINGS, st.randoms(use_true_random=False))
def test_positions_are_those_that_one_would_have_written_down_day_by_day(drawn, random):
    """Keep the order as a list, day by day, by the sentences of the rules alone."""
    names = sorted(drawn[0][1]) if drawn else list("ABC")
    order, left = list(names), {}
    history = [(name, place) for place, name in enumerate(names, start=1)]
    games: list[Game[Any]] = []
    absences: dict[str, list[Absence]] = {name: [] for name in names}
    for day, (what, (one, other, *_others)) in enumerate(drawn, start=1):
        now = START + day * DAY
        before = list(order)
        if what == "leave" and one in order:
            left[one] = order.index(one)
            order.remove(one)
            absences[one].append(Absence(now))
        elif what == "return" and one in left:
            index = min(left.pop(one) + ceil(len(order) / 10), len(order))
            order.insert(index, one)
            absences[one][-1] = replace(absences[one][-1], until=now)
        elif what in {"win", "draw", "lose"}:
            points = {"win": (3, 2), "draw": (2, 2), "lose": (1, 4)}[what]
            games.append(challenge(one, other, day, points))
            if what == "win" and one in order and other in order and order.index(one) > order.index(other):
                order.remove(one)
                order.insert(order.index(other), one)
        history += [(name, None) for name in before if name not in order]
        history += [(name, place) for place, name in enumerate(order, start=1) if before[place - 1 : place] != [name]]
    random.shuffle(games)
    seats = tuple(replace(seat, absences=tuple(absences[seat.entrant])) for seat in make_seats(names))
    record = Record(seats, tuple(games))
    assert order_of(record) == "".join(order)
    assert [(each.entrant, each.position) for each in LADDER.position_changes(record, OPTIONS)] == history


def test_it_tells_whom_one_can_challenge_and_how_often():
    sentences = [template % parameters for template, parameters in LADDER.describe(OPTIONS)]
    assert sentences == [
        "Challenge a player above you. If you win, you move to the place directly above that player.",
        (
            "From 3rd or 4th you can challenge up to 2 places above you, from 5th to 9th up to 3, from 10th to 16th up "
            "to 4, and so on."
        ),
        (
            "If you have not challenged anybody within a tenth of the starting time, counted from the start, from when "
            "you joined or returned, or from the end of your last challenge, the ladder starts a game for you, against "
            "the highest player whom you can challenge."
        ),
        (
            "Players who are away after a loss on time get no new games, "
            "and are not counted until they use the site again."
        ),
        "The same two players can meet again after 14 days.",
        "At the same time you can play at most 1 of your own challenges and 2 challenges by others.",
        "If you do not use this site for 30 days, you are removed from the ladder.",
        "If you come back within 180 days after you left, you lose at most a tenth of the ladder's places.",
    ]
    for_ever = replace(OPTIONS, inactive_days=0, return_days=0)
    assert [template % parameters for template, parameters in LADDER.describe(for_ever)] == sentences[:6]
