"""Single matches decided by the organiser: adjudicated, annulled, played again, given more time."""

from datetime import timedelta

import pytest

from matches.errors import MatchOver
from matches.models import Match, Status
from players.models import Rating
from rules_engine.values import Side
from tests.matches.play import move_both
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.errors import ClockFull, NoResult, NothingToTakeBack, ResultStands, TieNeedsResult
from tournaments.decisions.services.fixture_decisions import (
    adjudicate_fixture,
    extend_clock,
    take_back_extension,
    what_follows_from_taking_back_extension,
)
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture, what_follows_from_replaying
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.models import CompetitionStatus, Entry, Fixture, Standing
from tournaments.office.errors import FixtureNotFound
from tournaments.rounds.errors import MatchesWouldBeLost, WrongCompetitionStatus
from tournaments.tables.services.ratings import rate_pending

pytestmark = pytest.mark.django_db

SOON = NOON + timedelta(hours=1)
LATER = NOON + timedelta(hours=2)
WHY = "The board was on fire."


@pytest.fixture
def robin(olga):
    robin, _entries = verbs.start_cup(3, slug="robin", **ROUND_ROBIN, organiser=olga)
    return robin


@pytest.fixture
def knock_out(olga):
    knock_out, _entries = verbs.start_cup(4, legs=1, organiser=olga)
    return knock_out


@pytest.fixture
def decide(olga):
    def call(service, fixture, now=SOON, **options):
        return service(fixture_id=fixture.pk, actor=olga, reason=WHY, now=now, **options)

    return call


def points(cup):
    verbs.recompute_tables(competition_id=cup.pk, now=LATER)
    return {
        str(row.seat.entry): row.points
        for row in Standing.objects.filter(group__stage__competition=cup).select_related("seat__entry__player")
    }


def test_an_adjudicated_match_counts_with_its_score_and_is_logged(robin, decide):
    fixture = verbs.running(robin)[0]
    decide(adjudicate_fixture, fixture, winner=Side.RED)
    verbs.settle_all()
    fixture.refresh_from_db()
    assert (fixture.ending, fixture.points.red > fixture.points.yellow) == ("adjudication", True)
    assert Match.objects.get(pk=fixture.match_id).winner == "red"
    assert verbs.last_log(robin) == ("olga", "adjudicated", f"{fixture}: {fixture.red}", WHY)


def test_a_match_that_has_not_begun_is_decided_without_goals(olga, decide):
    cup, _entries = verbs.start_cup(3, round_days=7, **ROUND_ROBIN, organiser=olga)
    waiting = Fixture.objects.filter(competition=cup, match=None).select_related("yellow", "red")[0]
    with pytest.raises(NoResult):
        decide(replay_fixture, waiting)
    decide(adjudicate_fixture, waiting, winner=None)
    waiting.refresh_from_db()
    assert (waiting.ending, tuple(waiting.goals), tuple(waiting.points)) == ("adjudication", (0, 0), (2, 2))


def test_a_cup_goes_on_after_its_last_match_is_adjudicated_and_no_tie_does_without_one(knock_out, decide):
    with pytest.raises(TieNeedsResult):
        decide(annul_fixture, verbs.running(knock_out)[0])
    for _round in range(2):
        for fixture in verbs.running(knock_out):
            decide(adjudicate_fixture, fixture, winner=Side.YELLOW)
        verbs.settle_all()
    knock_out.refresh_from_db()
    assert knock_out.status == CompetitionStatus.FINISHED
    assert knock_out.winner is not None


def test_a_match_that_has_just_ended_is_not_adjudicated(robin, decide):
    fixture = verbs.running(robin)[0]
    Match.objects.filter(pk=fixture.match_id).update(deadline=SOON)
    with pytest.raises(ResultStands):
        decide(adjudicate_fixture, fixture, winner=Side.RED, now=SOON)
    assert verbs.last_log(robin)[1] != "adjudicated"


def test_an_annulled_result_counts_neither_in_the_table_nor_for_the_ratings(robin, decide):
    first, second, _third = verbs.running(robin)
    for fixture in (first, second):
        move_both(fixture.match)
        verbs.end(fixture, Side.YELLOW)
    rate_pending(family="streetsoccer", now=SOON)
    assert points(robin)[str(first.yellow)] >= 3
    decide(annul_fixture, first)
    rate_pending(family="streetsoccer", now=SOON)
    alone = points(robin)
    assert sum(alone.values()) == 5
    assert Rating.objects.filter(player__in=[first.yellow.player, first.red.player], games=2).count() == 0
    assert sum(Rating.objects.values_list("games", flat=True)) == 2
    assert verbs.last_log(robin) == ("olga", "annulled", str(first), WHY)


def test_a_match_that_goes_on_ends_when_it_is_annulled(robin, decide):
    fixture = verbs.running(robin)[0]
    decide(annul_fixture, fixture)
    verbs.settle_all()
    match = Match.objects.get(pk=fixture.match_id)
    assert (match.status, match.annulled_at is None, match.settled_at is None) == (Status.FINISHED, False, False)
    assert set(points(robin).values()) <= {0}


def test_a_round_robin_ends_when_its_last_open_match_is_annulled(robin, decide):
    first, second, third = verbs.running(robin)
    verbs.end(first, Side.YELLOW)
    verbs.end(second, Side.YELLOW)
    decide(annul_fixture, third)
    robin.refresh_from_db()
    assert robin.status == CompetitionStatus.FINISHED


def test_places_on_a_challenge_ladder_go_back_when_a_challenge_is_annulled(olga, decide):
    ladder, entries = verbs.start_ladder(2, format="challenge-ladder", organiser=olga)
    verbs.let_challenge(entries[1], entries[0])
    fixture = verbs.running(ladder)[0]
    verbs.end(fixture, fixture.challenger, SOON)
    assert Entry.objects.get(pk=entries[1].pk).seat.position == 1
    decide(annul_fixture, fixture, now=LATER)
    order = Entry.objects.filter(competition=ladder).order_by("seats__position")
    assert list(order.values_list("pk", flat=True)) == [entry.pk for entry in entries]


def test_a_replayed_match_begins_anew_between_the_same_two(robin, decide):
    fixture = verbs.running(robin)[0]
    verbs.end(fixture, Side.YELLOW)
    again = decide(replay_fixture, fixture)
    fixture.refresh_from_db()
    assert fixture.is_annulled
    assert again.yellow_id == fixture.yellow_id
    assert again.red_id == fixture.red_id
    assert again.match.status == Status.PLAYING
    assert again.match_id != fixture.match_id
    assert set(points(robin).values()) <= {0}
    assert verbs.last_log(robin) == ("olga", "replayed", str(fixture), WHY)


def test_a_round_that_had_ended_waits_for_the_replay(olga, decide):
    cup, _entries = verbs.start_cup(4, round_days=7, **ROUND_ROBIN, organiser=olga)
    first, second = verbs.running(cup)
    verbs.end(first, Side.YELLOW)
    verbs.end(second, Side.YELLOW)
    assert verbs.round_of(cup, 1).ended_at is not None
    again = decide(replay_fixture, first)
    round_ = verbs.round_of(cup, 1)
    assert (round_.ended_at, round_.ends_at) == (None, SOON + timedelta(days=7))
    while len(going_on := verbs.running(cup)) > 1:
        verbs.end(next(each for each in going_on if each != again), Side.RED, LATER)
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.RUNNING
    verbs.end(again, Side.RED, LATER)
    while going_on := verbs.running(cup):
        verbs.end(going_on[0], Side.RED, LATER)
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.FINISHED


def test_the_winner_comes_back_when_their_tie_is_played_again(knock_out, decide):
    fixture = verbs.running(knock_out)[0]
    verbs.end(fixture, fixture.yellow)
    assert verbs.tie_of(knock_out, 1, 0).winner == fixture.yellow
    decide(replay_fixture, fixture)
    tie, final = verbs.tie_of(knock_out, 1, 0), verbs.tie_of(knock_out, 2, 0)
    assert (tie.winner, tie.decided_by, tie.decided_at, final.first) == (None, "", None, None)


def test_a_tie_is_played_again_although_the_next_one_has_begun(knock_out, decide):
    first, second = verbs.running(knock_out)
    verbs.end(first, first.yellow)
    verbs.end(second, second.yellow)
    (final,) = verbs.running(knock_out)
    again = decide(replay_fixture, first)
    assert verbs.running(knock_out) == [again]
    assert Fixture.objects.get(pk=final.pk).is_annulled
    verbs.end(again, first.red, LATER)
    assert verbs.tie_of(knock_out, 2, 0).first == first.red


def test_a_tie_after_it_in_which_somebody_has_moved_is_lost_only_if_that_is_confirmed(knock_out, decide):
    first, second = verbs.running(knock_out)
    verbs.end(first, first.yellow)
    verbs.end(second, second.yellow)
    (final,) = verbs.running(knock_out)
    verbs.move_in(final)
    follows = what_follows_from_replaying(fixture_id=first.pk, now=SOON)
    assert follows.sentences == [
        f"1 match will be annulled: {final} (match {final.match_id}).",
        f"The tie of {verbs.tie_of(knock_out, 1, 0)} is open again.".replace(" – ", " and "),
        f"{first.yellow} does not go on to meet {second.yellow} yet.",
    ]
    with pytest.raises(MatchesWouldBeLost) as refusal:
        decide(replay_fixture, first)
    assert refusal.value.matches == [final.match_id]
    first.refresh_from_db()
    assert not first.is_annulled
    decide(replay_fixture, first, confirm=True)
    assert verbs.faults_of(knock_out, now=LATER) == []


def test_replay_pairs_fall_with_the_leg_that_they_followed_from(olga, decide):
    cup, _entries = verbs.start_cup(2, legs=2, replays=1, organiser=olga)
    for fixture in verbs.running(cup):
        verbs.end(fixture, None)
    replays = verbs.running(cup)
    assert [fixture.leg for fixture in replays] == [3, 4]
    decide(replay_fixture, Fixture.objects.get(competition=cup, leg=1))
    assert [fixture.leg for fixture in verbs.running(cup)] == [1]


def test_a_clock_gets_more_time_up_to_its_cap(robin, decide):
    fixture = verbs.running(robin)[0]
    side = Side(fixture.match.side)
    at = fixture.match.turn_started_at + timedelta(hours=30)
    given = decide(extend_clock, fixture, now=at, side=side, by=timedelta(hours=24))
    assert given == timedelta(hours=24)
    before = fixture.match.deadline
    fixture.match.refresh_from_db()
    assert fixture.match.deadline == before + timedelta(hours=24)
    entrant = fixture.yellow if side is Side.YELLOW else fixture.red
    assert verbs.last_log(robin) == ("olga", "extended", f"{fixture}: {entrant} + 24 h", WHY)


def test_the_time_that_was_given_is_taken_back_and_the_preview_says_how_much(robin, decide):
    fixture = verbs.running(robin)[0]
    side, at = Side(fixture.match.side), fixture.match.turn_started_at + timedelta(hours=30)
    decide(extend_clock, fixture, now=at, side=side, by=timedelta(hours=24))
    entrant = fixture.name_of(side)
    follows = what_follows_from_taking_back_extension(fixture_id=fixture.pk, now=at)
    assert follows.sentences == [f"{entrant} loses 1 d 00 h again, and keeps 8 d 18 h."]
    assert decide(take_back_extension, fixture, now=at) == timedelta(hours=24)
    before = fixture.match.deadline
    fixture.match.refresh_from_db()
    assert fixture.match.deadline == before
    assert verbs.last_log(robin) == ("olga", "extension-undone", f"{fixture}: {entrant} − 24 h", WHY)
    with pytest.raises(NothingToTakeBack):
        decide(take_back_extension, fixture, now=at)


def test_a_decision_that_makes_no_sense_is_refused(robin, decide):
    over, annulled, going_on = verbs.running(robin)
    verbs.end(over, Side.YELLOW)
    decide(annul_fixture, annulled)
    waiting = Side(going_on.match.side).opponent
    for service, fixture, options, refusal in (
        (adjudicate_fixture, over, {"winner": Side.RED}, ResultStands),
        (annul_fixture, annulled, {}, ResultStands),
        (extend_clock, over, {"side": Side.YELLOW, "by": timedelta(hours=1)}, MatchOver),
        # A full clock gets nothing.
        (extend_clock, going_on, {"side": waiting, "by": timedelta(hours=1)}, ClockFull),
        (take_back_decision, going_on, {"confirm": True}, NothingToTakeBack),
        (take_back_decision, annulled, {"confirm": True}, NothingToTakeBack),
    ):
        with pytest.raises(refusal):
            decide(service, fixture, **options)


@pytest.mark.parametrize(
    ("service", "options"),
    [
        (adjudicate_fixture, {"winner": Side.YELLOW}),
        (annul_fixture, {}),
        (replay_fixture, {}),
        (extend_clock, {"side": Side.YELLOW, "by": timedelta(hours=1)}),
    ],
)
def test_nothing_is_decided_that_is_not_there_or_in_a_competition_that_is_over(robin, olga, service, options):
    fixture = verbs.running(robin)[0]
    about = {"actor": olga, "reason": WHY, "now": SOON, **options}
    with pytest.raises(FixtureNotFound):
        service(fixture_id=0, **about)
    verbs.cancel(robin, by=olga, now=SOON)
    with pytest.raises(WrongCompetitionStatus):
        service(fixture_id=fixture.pk, **about)
