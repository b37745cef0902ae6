"""Ends taken back: a competition that was cancelled or finished by hand goes on, and a cup by what decided it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from formats.protocol import Part
from matches.models import Match, Status
from rules_engine.values import Side
from tests.marks import nightly
from tests.tournaments import verbs
from tests.tournaments.decisions.test_decision_taken_back import SHOWN
from tests.tournaments.decisions.undoing import FORMATS, begin, faults_of, go_on, state_of
from tests.tournaments.verbs import NOON
from tournaments.decisions.errors import EndedByResults, NothingToTakeBack
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture
from tournaments.decisions.services.pauses import pause_competition
from tournaments.decisions.services.round_dates import set_round_date
from tournaments.decisions.services.round_expiry import end_round
from tournaments.decisions.services.status import cancel_competition, finish_competition
from tournaments.decisions.services.undo import ends
from tournaments.decisions.services.undo.decisions import take_back_decision, what_follows_from_taking_back_decision
from tournaments.decisions.services.undo.ends import take_back_end, what_follows_from_taking_back_end
from tournaments.decisions.services.undo.round_ends import take_back_round_end
from tournaments.decisions.services.undo.withdrawals import (
    take_back_withdrawal,
    what_follows_from_taking_back_withdrawal,
)
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.models import Competition, Entry, Fixture, Group, LogEntry, Round, RoundEnd, Standing, Tie
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.services.catch_up import catch_up

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
SOON, LATER = NOON + HOUR, NOON + 2 * HOUR
WHY = "Wrong button."


@pytest.fixture
def act(olga):
    return {"actor": olga, "reason": WHY}


@pytest.mark.parametrize("name", [*SHOWN, *nightly(sorted(FORMATS.keys() - {*SHOWN}))])
def test_cancel_and_take_back_equals_never_cancelled(olga, act, name):
    competition = begin(name, 6, organiser=olga)
    verbs.move_in(verbs.running(competition)[0], NOON + HOUR / 2)
    verbs.end(verbs.running(competition)[1], Side.RED, NOON + HOUR / 2)
    go_on(competition, NOON + HOUR / 2, pairs=False)
    before = state_of(competition)
    deadlines = {each.match_id: each.match.deadline for each in verbs.running(competition)}
    cancel_competition(competition_id=competition.pk, **act, now=SOON)
    go_on(competition, SOON, pairs=False)
    assert verbs.running(competition) == []
    take_back_end(competition_id=competition.pk, **act, now=LATER)
    go_on(competition, LATER, pairs=False)
    assert state_of(competition) == before
    assert {each.match_id: each.match.deadline - HOUR for each in verbs.running(competition)} == deadlines
    assert faults_of(competition, LATER) == []
    assert verbs.last_log(competition) == ("olga", "end-undone", "", WHY)


def test_a_ladder_that_was_finished_goes_on(olga, act):
    ladder = begin("points ladder", 4, organiser=olga)
    going_on = {each.pk for each in verbs.running(ladder)}
    finish_competition(competition_id=ladder.pk, **act, now=SOON)
    follows = what_follows_from_taking_back_end(competition_id=ladder.pk, now=LATER)
    assert follows.sentences[0].startswith(f"{len(going_on)} matches go on from where they stood: ")
    assert follows.sentences[1] == "The competition goes on."
    take_back_end(competition_id=ladder.pk, **act, now=LATER)
    assert {each.pk for each in verbs.running(ladder)} == going_on
    ladder.refresh_from_db()
    assert (ladder.status, ladder.finished_at) == ("running", None)


def test_nobody_leaves_a_ladder_for_the_time_in_which_it_was_over(olga, act):
    ladder = begin("points ladder", 4, organiser=olga)
    finish_competition(competition_id=ladder.pk, **act, now=SOON)
    much_later = NOON + timedelta(days=60)
    take_back_end(competition_id=ladder.pk, **act, now=much_later)
    catch_up(competition=Competition.objects.get(pk=ladder.pk), now=much_later + HOUR)
    assert set(Entry.objects.filter(competition=ladder).values_list("status", flat=True)) == {"active"}


@pytest.mark.parametrize("is_paused", [False, True])
def test_clocks_and_rounds_end_later_by_as_long_as_the_cup_was_over_or_paused_before(olga, act, is_paused):
    cup = begin("knock-out in rounds", 4, organiser=olga)
    (first,) = Round.objects.filter(group__stage__competition=cup, started_at__isnull=False)
    deadlines = {each.match_id: each.match.deadline for each in verbs.running(cup)}
    if is_paused:
        pause_competition(competition_id=cup.pk, **act, now=NOON)
    cancel_competition(competition_id=cup.pk, **act, now=SOON)
    take_back_end(competition_id=cup.pk, **act, now=LATER)
    lost = 2 * HOUR if is_paused else HOUR
    assert {each.match_id: each.match.deadline - lost for each in verbs.running(cup)} == deadlines
    again = Round.objects.get(pk=first.pk)
    assert (again.ended_at, again.ends_at) == (None, first.ends_at + lost)


def test_a_cup_that_had_not_started_is_closed_for_entry_or_a_draft_again(olga, act):
    cup = verbs.make_cup(starts_at=SOON, organiser=olga)
    verbs.enter_all(cup, verbs.make_players(3), NOON - HOUR)
    verbs.draw(cup)
    cancel_competition(competition_id=cup.pk, **act, now=NOON)
    follows = what_follows_from_taking_back_end(competition_id=cup.pk, now=LATER)
    assert follows.sentences == ["It is closed for entry. You can open entry again, or start it."]
    again = take_back_end(competition_id=cup.pk, **act, now=LATER)
    assert (again.status, again.starts_at, again.finished_at) == ("closed", None, None)
    verbs.start(cup, LATER)
    assert verbs.running(cup)
    cup.log.filter(action__in=["opened", "closed", "drawn"]).delete()
    Competition.objects.filter(pk=cup.pk).update(status="cancelled", started_at=None)
    assert take_back_end(competition_id=cup.pk, **act, now=LATER).status == "draft"


def test_an_entrant_who_has_closed_the_account_since_is_withdrawn(olga, act):
    cup = begin("round robin", 3, organiser=olga)
    cancel_competition(competition_id=cup.pk, **act, now=SOON)
    entry = Entry.objects.filter(competition=cup).select_related("player")[0]
    type(entry.player).objects.filter(pk=entry.player_id).update(is_active=False)
    take_back_end(competition_id=cup.pk, **act, now=LATER)
    entry.refresh_from_db()
    assert (entry.status, len(verbs.running(cup))) == ("gone", 1)
    go_on(cup, LATER)
    assert faults_of(cup, LATER) == []


def test_a_cup_that_ended_by_results_goes_on_only_by_the_decision_that_led_to_it(olga, act):
    cup = begin("knock-out", 3, organiser=olga)
    for _ in range(2):
        fixture = verbs.running(cup)[0]
        adjudicate_fixture(fixture_id=fixture.pk, winner=Side.YELLOW, **act, now=SOON)
        go_on(cup, SOON)
    assert (cup.status, cup.winner) == ("finished", fixture.yellow)
    with pytest.raises(EndedByResults, match="Replay a match or take back a decision"):
        take_back_end(competition_id=cup.pk, **act, now=LATER)
    follows = what_follows_from_taking_back_decision(fixture_id=fixture.pk, now=LATER)
    assert follows.sentences == [
        f"The tie of {fixture.tie.first} and {fixture.tie.second} is open again.",
        f"1 match goes on from where it stood: {fixture} (match {fixture.match_id}).",
        "The competition goes on.",
    ]
    take_back_decision(fixture_id=fixture.pk, confirm=False, **act, now=LATER)
    cup.refresh_from_db()
    assert (cup.status, cup.winner, cup.finished_at) == ("running", None, None)
    verbs.end(fixture, fixture.red, LATER + HOUR)
    go_on(cup, LATER + HOUR)
    assert (cup.status, cup.winner) == ("finished", fixture.red)
    assert faults_of(cup, LATER + HOUR) == []


@pytest.mark.parametrize("name", ["knock-out", "double elimination", "round robin", "swiss"])
def test_a_withdrawal_that_ended_a_cup_is_taken_back_after_the_end(olga, act, name):
    cup = begin(name, 3, organiser=olga)
    now = NOON
    while is_more_than_one_open(cup):
        now += HOUR
        verbs.end(verbs.running(cup)[0], Side.YELLOW, now)
        go_on(cup, now)
    fixture = verbs.running(cup)[0]
    before = state_of(cup)
    withdraw_entry(entry_id=fixture.red_id, **act, now=now + HOUR)
    go_on(cup, now + HOUR)
    assert cup.status == "finished"
    follows = what_follows_from_taking_back_withdrawal(entry_id=fixture.red_id, now=now + 2 * HOUR)
    assert "The competition goes on." in follows.sentences
    take_back_withdrawal(entry_id=fixture.red_id, confirm=False, **act, now=now + 2 * HOUR)
    go_on(cup, now + 2 * HOUR)
    assert state_of(cup) == before
    assert faults_of(cup, now + 2 * HOUR) == []


def is_more_than_one_open(cup):
    """Return whether more than one match is still to come, second finals left aside."""
    ties = Tie.objects.filter(round__group__stage__competition=cup)
    if ties.exists():
        return ties.filter(decided_at=None).exclude(part=Part.RESET).count() > 1
    rounds = Round.objects.filter(group__stage__competition=cup)
    is_last = cup.first_stage.format == "round-robin" or rounds.count() == cup.first_stage.chosen_options.rounds
    return not is_last or len(verbs.running(cup)) > 1


def test_an_end_is_taken_back_once(olga, act):
    cup = begin("round robin", 3, organiser=olga)
    with pytest.raises(NothingToTakeBack):
        take_back_end(competition_id=cup.pk, **act, now=SOON)
    cancel_competition(competition_id=cup.pk, **act, now=SOON)
    take_back_end(competition_id=cup.pk, **act, now=SOON)
    with pytest.raises(NothingToTakeBack):
        take_back_end(competition_id=cup.pk, **act, now=SOON)


def test_pages_offer_to_take_back_and_say_what_follows(olga, act, client_of):
    cup = begin("round robin", 3, timezone.now(), organiser=olga)
    fixture = verbs.running(cup)[0]
    cancel_competition(competition_id=cup.pk, **act, now=timezone.now())
    client, base = client_of(olga), f"{cup.get_absolute_url()}organise/"
    assert f"{base}take-back-end/" in client.get(base).content.decode()
    assert "3 matches go on from where they stood" in client.get(f"{base}take-back-end/").content.decode()
    assert client.post(f"{base}take-back-end/", {"reason": WHY}).status_code == 302
    adjudicate_fixture(fixture_id=fixture.pk, winner=None, **act, now=timezone.now())
    go_on(cup, timezone.now())
    listed = client.get(f"{base}fixtures/?state=ended").content.decode()
    assert f"{base}fixtures/{fixture.pk}/" in listed
    url = f"{base}fixtures/{fixture.pk}/take-back-decision/"
    assert url in client.get(f"{base}fixtures/{fixture.pk}/").content.decode()
    assert f"1 match goes on from where it stood: {fixture}" in client.get(url).content.decode()
    assert Fixture.objects.get(pk=fixture.pk).ending == "adjudication"
    assert client.post(url, {"reason": WHY}).status_code == 302
    assert Match.objects.get(pk=fixture.match_id).status == Status.PLAYING


def test_the_end_stands_where_too_many_matches_would_go_on(olga, act, monkeypatch):
    cup = begin("round robin", 4, organiser=olga)
    count = len(verbs.running(cup))
    cancel_competition(competition_id=cup.pk, **act, now=SOON)
    monkeypatch.setattr(ends, "MAX_MATCHES", count - 1)
    for call in (
        lambda: what_follows_from_taking_back_end(competition_id=cup.pk, now=LATER),
        lambda: take_back_end(competition_id=cup.pk, **act, now=LATER),
    ):
        with pytest.raises(WrongCompetitionStatus, match=f"more than {count - 1} matches would go on"):
            call()
    monkeypatch.setattr(ends, "MAX_MATCHES", count)
    take_back_end(competition_id=cup.pk, **act, now=LATER)
    assert len(verbs.running(cup)) == count


def test_the_end_of_a_round_that_is_taken_back_concerns_those_whose_matches_go_on(olga, act):
    cup = begin("groups then knock-out", 6, organiser=olga)
    group = Group.objects.get(stage__competition=cup, number=2)
    Round.objects.filter(group__stage__competition=cup).update(ends_at=SOON)
    round_ = Round.objects.filter(group=group).earliest("number")
    end_round(round=round_, policy=RoundEnd.FORFEIT, **act, now=NOON)
    take_back_round_end(round=round_, confirm=True, **act, now=SOON)
    line = LogEntry.objects.get(competition=cup, action="round-end-undone")
    games = [each for each in verbs.running(cup) if each.round_id == round_.pk]
    assert line.subject == "B1"
    assert {each.pk for each in line.concerns.all()} == {
        player for each in games for player in (each.yellow.player_id, each.red.player_id)
    }


def test_an_entrant_who_is_out_of_a_cancelled_bracket_has_a_place_until_the_end_is_taken_back(olga, act):
    cup = begin("knock-out", 6, organiser=olga)
    verbs.end(verbs.running(cup)[0], Side.RED, SOON)
    go_on(cup, SOON)
    before = state_of(cup)
    cancel_competition(competition_id=cup.pk, **act, now=SOON)
    go_on(cup, SOON)
    assert Standing.objects.filter(group__stage__competition=cup, place=5).count() == 1
    assert faults_of(cup, SOON) == []
    take_back_end(competition_id=cup.pk, **act, now=LATER)
    go_on(cup, LATER, pairs=False)
    assert state_of(cup) == before
    assert faults_of(cup, LATER) == []


def test_rounds_of_what_is_over_get_no_other_date(olga, act):
    cup = begin("knock-out in rounds", 4, organiser=olga)
    cancel_competition(competition_id=cup.pk, **act, now=SOON)
    final = Round.objects.get(group__stage__competition=cup, started_at=None)
    with pytest.raises(WrongCompetitionStatus):
        set_round_date(round=final, ends_at=LATER, **act, now=SOON)
