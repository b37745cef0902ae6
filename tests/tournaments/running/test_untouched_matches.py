"""A match that neither side has begun by the end of a round is forfeited by both, and a tie of such goes to nobody."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from players.models import Player
from rules_engine.values import BySide, Side
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.round_expiry import end_due_rounds
from tournaments.models import CompetitionStatus, Fixture, LogEntry, RoundEnd, Standing, Tie

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
WEEK = 7 * DAY
ENDS = pytest.mark.parametrize("policy", [RoundEnd.ADJUDICATE, RoundEnd.FORFEIT])


def end_week(cup, number):
    """End the round that has run for a week, and count its results."""
    at = NOON + number * WEEK
    end_due_rounds(now=at)
    verbs.settle_all(at)
    cup.refresh_from_db()
    verbs.recompute_stale_tables(competition_id=cup.pk, now=at)
    assert verbs.faults_of(cup, at) == []


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
    cup, _ = verbs.start_cup(
        4, format="round-robin", round_days=7, at_round_end=policy, time_bank=9 * 10**6, time_cap=9 * 10**6
    )
    begun, untouched = of_round(cup, 1)
    verbs.move_in(begun)
    end_week(cup, 1)
    begun, untouched = of_round(cup, 1)
    assert (untouched.ending, untouched.points, untouched.goals) == ("forfeit", BySide(0, 0), BySide(0, 0))
    assert sorted(begun.points) == ([2, 2] if policy == RoundEnd.ADJUDICATE else [0, 5])
    assert begun.ending == ("adjudication" if policy == RoundEnd.ADJUDICATE else "forfeit")
    assert sorted(Standing.objects.filter(group__stage__competition=cup).values_list("points", flat=True))[:2] == [0, 0]


def test_of_two_untouched_ties_the_winners_of_others_go_on_by_byes_to_the_end():
    cup, _ = verbs.start_cup(8, legs=1, round_days=7, at_round_end=RoundEnd.ADJUDICATE, third_place=True)
    first, *others = of_round(cup, 1)
    verbs.end(first, Side.YELLOW)
    for each in others[1:2]:
        verbs.end(each, Side.RED)
    end_week(cup, 1)
    ties = [verbs.tie_of(cup, 1, slot) for slot in range(4)]
    assert [(tie.winner, tie.decided_by) for tie in ties] == [
        (first.yellow, "points"),
        (None, "neither"),
        (others[1].red, "points"),
        (None, "neither"),
    ]
    upper, lower = verbs.tie_of(cup, 2, 0), verbs.tie_of(cup, 2, 1)
    assert stand(upper) == (first.yellow, None, first.yellow, "bye")
    assert stand(lower) == (others[1].red, None, others[1].red, "bye")
    third = verbs.tie_of(cup, 2 + 1, 0, third_place=True)
    assert stand(third) == (None, None, None, "not-played")
    (final,) = verbs.running(cup)
    assert {final.yellow, final.red} == {first.yellow, others[1].red}
    verbs.end(final, Side.YELLOW, NOON + WEEK + DAY)
    cup.refresh_from_db()
    assert (cup.status, cup.winner) == (CompetitionStatus.FINISHED, final.yellow)
    places = places_of(cup)
    assert places[str(final.yellow)] == 1
    assert places[str(final.red)] == 2
    assert sorted(places.values()) == [1, 2, 5, 5, 5, 5, 5, 5]
    assert verbs.faults_of(cup, NOON + 2 * WEEK) == []
    lines = LogEntry.objects.filter(competition=cup, action="tie-decided").order_by("pk")
    assert sorted(lines.values_list("reason", flat=True)) == ["bye", "bye", "neither", "neither", "not-played"]


def test_a_match_that_is_played_again_takes_back_what_followed_from_its_forfeit():
    organiser = Player.objects.create(username="olga", is_superuser=True)
    cup, _ = verbs.start_cup(8, legs=1, round_days=7, at_round_end=RoundEnd.ADJUDICATE, third_place=True)
    first, untouched, *others = of_round(cup, 1)
    for each in (first, *others):
        verbs.end(each, Side.YELLOW)
    end_week(cup, 1)
    assert verbs.tie_of(cup, 2, 0).decided_by == "bye"
    assert verbs.tie_of(cup, 3, 0).first == first.yellow
    at = NOON + 8 * DAY
    again = verbs.replay(untouched, organiser, at, reason="They were on the way.")
    assert stand(verbs.tie_of(cup, 2, 0)) == (first.yellow, None, None, "")
    assert verbs.tie_of(cup, 3, 0).first is None
    assert verbs.faults_of(cup, at) == []
    verbs.end(again, Side.RED, at)
    semi_final = verbs.tie_of(cup, 2, 0)
    assert stand(semi_final) == (first.yellow, again.red, None, "")
    assert semi_final.fixtures.get().match is not None
    assert verbs.faults_of(cup, at) == []


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_recompute_makes_it_so_whatever_was_stored(order):
    cup, _ = verbs.start_cup(8, legs=1, round_days=7, at_round_end=RoundEnd.ADJUDICATE, third_place=True)
    first, _untouched, *others = of_round(cup, 1)
    for each in (first, *others):
        verbs.end(each, Side.YELLOW)
    end_week(cup, 1)
    wrong = [verbs.tie_of(cup, 1, 1), verbs.tie_of(cup, 2, 0)]
    for number in order:
        tie = wrong[number]
        Tie.objects.filter(pk=tie.pk).update(winner=None, decided_by="", decided_at=None)
    assert len(verbs.faults_of(cup, NOON + WEEK)) >= 2
    call_command("recompute")
    cup.refresh_from_db()
    assert [stand(verbs.tie_of(cup, *where)) for where in ((1, 1), (2, 0))] == [stand(tie) for tie in wrong]
    assert verbs.faults_of(cup, NOON + WEEK) == []
