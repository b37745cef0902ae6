"""A match that neither side has begun by the end of a round is forfeited by both, and a tie of such goes to nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.management import call_command

from players.models import Player
from rules_engine.values import BySide, Side
from tests.tournaments.verbs import NOON, end, move_in, round_of, running, settle_all, start_cup, tie_of
from tests.tournaments.whole_tables import recompute_stale_tables
from tournaments.decisions.services.round_expiry import end_due_rounds, end_round
from tournaments.decisions.services.undo.annulments import replay_fixture
from tournaments.models import CompetitionStatus, Fixture, LogEntry, RoundEnd, Standing, Tie
from tournaments.running.services.verification import verify_competition

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
WEEK = 7 * DAY
ENDS = pytest.mark.parametrize("policy", [RoundEnd.ADJUDICATE, RoundEnd.FORFEIT])


def end_week(cup, number):
    """End the round that has run for a week, and count its results."""
    at = NOON + number * WEEK
    end_due_rounds(now=at)
    settle_all(at)
    cup.refresh_from_db()
    recompute_stale_tables(competition_id=cup.pk, now=at)
    assert verify_competition(competition=cup, now=at) == []


def of_round(cup, number):
    return list(
        Fixture.objects.filter(competition=cup, round__number=number, is_annulled=False)
        .select_related("match", "yellow__player", "red__player", "tie")
        .order_by("tie__slot", "leg", "pk")
    )


def stand(tie):
    return (tie.first, tie.second, tie.winner, tie.decided_by)


def places_of(cup):
    return {
        str(each.seat.entry): each.place
        for each in Standing.objects.filter(group__stage__competition=cup).select_related("seat__entry__player")
    }


@ENDS
def test_both_forfeit_what_neither_began_and_who_began_is_judged_as_the_cup_wants(policy):
    cup, _ = start_cup(
        4, format="round-robin", round_days=7, at_round_end=policy, time_bank=9 * 10**6, time_cap=9 * 10**6
    )
    begun, untouched = of_round(cup, 1)
    move_in(begun)
    end_week(cup, 1)
    begun, untouched = of_round(cup, 1)
    assert (untouched.ending, untouched.points, untouched.goals) == ("forfeit", BySide(0, 0), BySide(0, 0))
    assert sorted(begun.points) == ([2, 2] if policy == RoundEnd.ADJUDICATE else [0, 5])
    assert begun.ending == ("adjudication" if policy == RoundEnd.ADJUDICATE else "forfeit")
    assert sorted(Standing.objects.filter(group__stage__competition=cup).values_list("points", flat=True))[:2] == [0, 0]


@ENDS
def test_an_untouched_leg_is_worth_nothing_and_the_other_one_decides(policy):
    cup, entries = start_cup(2, round_days=7, at_round_end=policy)
    _first, second = of_round(cup, 1)
    end(second, Side.YELLOW)
    end_week(cup, 1)
    tie = tie_of(cup, 1, 0)
    assert (tie.winner, tie.decided_by) == (second.yellow, "points")
    assert [each.points for each in of_round(cup, 1)] == [BySide(0, 0), BySide(5, 0)]
    assert cup.winner == second.yellow == entries[1]


def test_of_two_untouched_ties_the_winners_of_others_go_on_by_byes_to_the_end():
    cup, _ = start_cup(8, legs=1, round_days=7, at_round_end=RoundEnd.ADJUDICATE, third_place=True)
    first, *others = of_round(cup, 1)
    end(first, Side.YELLOW)
    for each in others[1:2]:
        end(each, Side.RED)
    end_week(cup, 1)
    ties = [tie_of(cup, 1, slot) for slot in range(4)]
    assert [(tie.winner, tie.decided_by) for tie in ties] == [
        (first.yellow, "points"),
        (None, "neither"),
        (others[1].red, "points"),
        (None, "neither"),
    ]
    upper, lower = tie_of(cup, 2, 0), tie_of(cup, 2, 1)
    assert stand(upper) == (first.yellow, None, first.yellow, "bye")
    assert stand(lower) == (others[1].red, None, others[1].red, "bye")
    third = tie_of(cup, 2 + 1, 0, third_place=True)
    assert stand(third) == (None, None, None, "not-played")
    (final,) = running(cup)
    assert {final.yellow, final.red} == {first.yellow, others[1].red}
    end(final, Side.YELLOW, NOON + WEEK + DAY)
    cup.refresh_from_db()
    assert (cup.status, cup.winner) == (CompetitionStatus.FINISHED, final.yellow)
    places = places_of(cup)
    assert places[str(final.yellow)] == 1
    assert places[str(final.red)] == 2
    assert sorted(places.values()) == [1, 2, 5, 5, 5, 5, 5, 5]
    assert verify_competition(competition=cup, now=NOON + 2 * WEEK) == []
    lines = LogEntry.objects.filter(competition=cup, action="tie-decided").order_by("pk")
    assert sorted(lines.values_list("reason", flat=True)) == ["bye", "bye", "neither", "neither", "not-played"]


def test_a_final_that_neither_began_has_no_winner_and_both_are_second():
    cup, _ = start_cup(2, round_days=7, at_round_end=RoundEnd.FORFEIT)
    end_week(cup, 1)
    assert (cup.status, cup.winner) == (CompetitionStatus.FINISHED, None)
    assert stand(tie_of(cup, 1, 0))[2:] == (None, "neither")
    assert list(places_of(cup).values()) == [2, 2]


def test_a_cup_in_which_nobody_plays_at_all_ends_with_its_first_round():
    cup, _ = start_cup(8, round_days=7, at_round_end=RoundEnd.ADJUDICATE, third_place=True)
    end_week(cup, 1)
    assert (cup.status, cup.winner) == (CompetitionStatus.FINISHED, None)
    assert set(places_of(cup).values()) == {5}
    assert stand(tie_of(cup, 3, 0)) == (None, None, None, "not-played")


def test_the_semi_final_that_neither_began_leaves_the_third_place_to_the_loser_of_the_other():
    cup, entries = start_cup(4, legs=1, round_days=7, at_round_end=RoundEnd.ADJUDICATE, third_place=True)
    played, untouched = of_round(cup, 1)
    end(played, Side.YELLOW)
    end_week(cup, 1)
    assert cup.winner == played.yellow
    third = tie_of(cup, 2, 0, third_place=True)
    assert (third.winner, third.decided_by) == (played.red, "bye")
    assert places_of(cup) == {
        str(played.yellow): 1,
        str(played.red): 3,
        str(untouched.yellow): 4,
        str(untouched.red): 4,
    }
    assert len(entries) == 4


def test_an_organiser_who_ends_a_round_by_hand_ends_it_so_too():
    cup, entries = start_cup(4, legs=1)
    end_round(round=round_of(cup, 1), policy=RoundEnd.ADJUDICATE, actor=None, now=NOON)
    settle_all(NOON)
    cup.refresh_from_db()
    assert (cup.status, cup.winner) == (CompetitionStatus.FINISHED, None)
    assert len(entries) == 4


def test_a_match_that_is_played_again_takes_back_what_followed_from_its_forfeit():
    organiser = Player.objects.create(username="olga", is_superuser=True)
    cup, _ = start_cup(8, legs=1, round_days=7, at_round_end=RoundEnd.ADJUDICATE, third_place=True)
    first, untouched, *others = of_round(cup, 1)
    for each in (first, *others):
        end(each, Side.YELLOW)
    end_week(cup, 1)
    assert tie_of(cup, 2, 0).decided_by == "bye"
    assert tie_of(cup, 3, 0).first == first.yellow
    at = NOON + 8 * DAY
    again = replay_fixture(fixture_id=untouched.pk, actor=organiser, reason="They were on the way.", now=at)
    assert stand(tie_of(cup, 2, 0)) == (first.yellow, None, None, "")
    assert tie_of(cup, 3, 0).first is None
    assert verify_competition(competition=cup, now=at) == []
    end(again, Side.RED, at)
    semi_final = tie_of(cup, 2, 0)
    assert stand(semi_final) == (first.yellow, again.red, None, "")
    assert semi_final.fixtures.get().match is not None
    assert verify_competition(competition=cup, now=at) == []


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_recompute_makes_it_so_whatever_was_stored(order):
    cup, _ = start_cup(8, legs=1, round_days=7, at_round_end=RoundEnd.ADJUDICATE, third_place=True)
    first, _untouched, *others = of_round(cup, 1)
    for each in (first, *others):
        end(each, Side.YELLOW)
    end_week(cup, 1)
    wrong = [tie_of(cup, 1, 1), tie_of(cup, 2, 0)]
    for number in order:
        tie = wrong[number]
        Tie.objects.filter(pk=tie.pk).update(winner=None, decided_by="", decided_at=None)
    assert len(verify_competition(competition=cup, now=NOON + WEEK)) >= 2
    call_command("recompute")
    cup.refresh_from_db()
    assert [stand(tie_of(cup, *where)) for where in ((1, 1), (2, 0))] == [stand(tie) for tie in wrong]
    assert verify_competition(competition=cup, now=NOON + WEEK) == []
