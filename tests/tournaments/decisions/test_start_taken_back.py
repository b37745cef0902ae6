"""The start of a competition taken back: it is closed as if it had not started, and can start again."""

import random
from contextlib import suppress
from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.utils import timezone

from matches.models import Match
from rules_engine.values import Side
from tests.marks import nightly
from tests.matches.locks import do_while_others_come
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.services.pauses import pause_competition
from tournaments.decisions.services.undo import starts
from tournaments.decisions.services.undo.annulments import annul_fixture, replay_fixture
from tournaments.decisions.services.undo.decisions import take_back_annulment, take_back_replay
from tournaments.decisions.services.undo.starts import take_back_start, what_follows_from_taking_back_start
from tournaments.models import (
    Competition,
    Cup,
    Entry,
    Fixture,
    Group,
    PlaceChange,
    Round,
    Seat,
    Standing,
    TableSection,
    Tie,
)
from tournaments.rounds.errors import MatchesWouldBeLost, WrongCompetitionStatus
from tournaments.running.services.start import start_due_competitions
from tournaments.running.services.verification import verify_ratings, verify_settled
from tournaments.tables.services import standings
from tournaments.tables.services.ratings import rate_waiting
from tournaments.tables.services.standings import recompute_standings
from web.errors import DomainError

pytestmark = pytest.mark.django_db

SOON = NOON + timedelta(hours=1)
LATER = NOON + timedelta(hours=2)
WHY = "It was a day early."


@pytest.fixture
def take_back(olga):
    def call(competition, *, confirm=False, now=SOON):
        taken_back = take_back_start(competition_id=competition.pk, confirm=confirm, actor=olga, reason=WHY, now=now)
        competition.refresh_from_db()
        return taken_back

    return call


def drawn(cup):
    """Return who meets whom, as drawn."""
    ties = Tie.objects.filter(round__group__stage__competition=cup).order_by("round__number", "part", "slot")
    fixtures = Fixture.objects.filter(competition=cup, round__isnull=False).order_by("round__number", "pk")
    return (
        list(Seat.objects.filter(stage__competition=cup).order_by("pk").values_list("entry", "seed", "position")),
        list(
            Round.objects.filter(group__stage__competition=cup)
            .order_by("number")
            .values_list("number", "started_at", "ends_at", "ended_at", "cut_short_at")
        ),
        list(ties.values_list("first", "second", "winner", "decided_by", "decided_at")),
        list(
            fixtures.values_list(
                "round__number", "tie__slot", "leg", "yellow", "red", "counted_at", "points_red", "is_annulled"
            )
        ),
    )


def without_rounds(facts):
    seats, _rounds, ties, fixtures = facts
    return seats, ties, fixtures


def pairs_of(cup):
    """Return the entrants of each tie, or of each fixture of a round robin."""
    _seats, _rounds, ties, fixtures = drawn(cup)
    return [tie[:2] for tie in ties] or [fixture[:5] for fixture in fixtures]


@pytest.mark.parametrize(
    "options",
    [
        {"legs": 1},
        {"legs": 2, "third_place": True, "round_days": 7},
        ROUND_ROBIN,
        {**ROUND_ROBIN, "round_days": 7, "cycles": 2},
    ],
    ids=["knock-out", "knock-out-in-rounds", "round-robin", "round-robin-in-rounds"],
)
@pytest.mark.parametrize("seed", [0, *nightly([1, 2])])
def test_start_take_back_and_start_again_equals_start_once(olga, take_back, options, seed):
    cup, _entries = verbs.start_cup(5, **options, is_rated=True, organiser=olga)
    once, pairs = drawn(cup), pairs_of(cup)
    source = random.Random(seed)
    for number in range(seed):
        if going_on := verbs.running(cup):
            verbs.end(source.choice(going_on), source.choice([*Side]), NOON + timedelta(minutes=number))
    verbs.count_all()
    played = drawn(cup)
    take_back(cup, confirm=seed > 0)
    assert (cup.status, cup.started_at, verbs.running(cup)) == ("closed", None, [])
    assert verbs.last_log(cup) == ("olga", "start-undone", "", WHY)
    assert (drawn(cup)[0], pairs_of(cup)) == (once[0], pairs)
    assert {date for _number, *dates in drawn(cup)[1] for date in dates} == {None}
    assert not Match.objects.filter(competition=cup.pk, annulled_at=None).exists()
    assert not Standing.objects.filter(group__stage__competition=cup).exists()
    assert verbs.faults_of(cup, now=SOON) == []
    rate_waiting(now=SOON)
    assert verify_ratings(family=cup.rules.family) == []
    with pytest.raises(WrongCompetitionStatus):
        take_back(cup)
    verbs.start(cup, NOON)
    # Rounds begin once more, with all of their days.
    assert without_rounds(drawn(cup)) == without_rounds(played)
    verbs.recompute_tables(competition_id=cup.pk, now=SOON)
    assert verbs.faults_of(cup, now=SOON) == []
    verbs.play_out(cup, source, now=SOON)
    verbs.recompute_tables(competition_id=cup.pk, now=LATER)
    assert cup.status == "finished"
    assert verbs.faults_of(cup, now=LATER) == []
    assert verify_settled() == []


def test_matches_in_which_somebody_moved_are_named_and_lost_only_if_that_is_confirmed(olga, take_back):
    cup, _entries = verbs.start_cup(4, legs=1, organiser=olga)
    moved, untouched = verbs.running(cup)
    verbs.move_in(moved)
    follows = what_follows_from_taking_back_start(competition_id=cup.pk, now=SOON)
    assert [each.pk for each in follows.lost] == [moved.pk]
    assert [each.pk for each in follows.withdrawn] == [untouched.pk]
    assert follows.sentences == [
        f"1 match will be annulled: {moved} (match {moved.match_id}).",
        "1 match in which nobody has moved is withdrawn.",
        "The draw is kept. You can start the cup again with it.",
    ]
    with pytest.raises(MatchesWouldBeLost, match="1 match would be annulled") as refusal:
        take_back(cup)
    assert refusal.value.matches == [moved.match_id]
    cup.refresh_from_db()
    assert (cup.status, len(verbs.running(cup))) == ("running", 2)
    take_back(cup, confirm=True)
    assert (cup.status, verbs.running(cup)) == ("closed", [])


def test_of_many_lost_matches_a_sentence_names_ten(olga, take_back):
    cup, _entries = verbs.start_cup(6, **ROUND_ROBIN, organiser=olga)
    for fixture in verbs.running(cup):
        verbs.move_in(fixture)
    lost, _more = what_follows_from_taking_back_start(competition_id=cup.pk, now=SOON).sentences
    assert lost.startswith("15 matches will be annulled: ")
    assert lost.count("(match ") == 10
    assert lost[-12:] == " and 5 more."
    with pytest.raises(MatchesWouldBeLost, match=r"^15 matches would be annulled: .* and 5 more\. Confirm") as refusal:
        take_back(cup)
    assert len(refusal.value.matches) == 15


def test_the_start_stands_once_too_many_matches_have_begun(olga, take_back, monkeypatch):
    cup, _entries = verbs.start_cup(6, **ROUND_ROBIN, organiser=olga)
    monkeypatch.setattr(starts, "MAX_MATCHES", 14)
    with pytest.raises(WrongCompetitionStatus, match="more than 14 matches have begun"):
        take_back(cup, confirm=True)
    monkeypatch.setattr(starts, "MAX_MATCHES", 15)
    take_back(cup, confirm=True)
    assert cup.status == "closed"


def test_a_paused_competition_starts_again_with_running_clocks(olga, take_back):
    cup, _entries = verbs.start_cup(2, legs=1, organiser=olga)
    pause_competition(competition_id=cup.pk, actor=olga, reason=WHY, now=NOON)
    take_back(cup)
    verbs.start(cup, SOON)
    assert cup.paused_at is None
    assert [fixture.match.paused_at for fixture in verbs.running(cup)] == [None]


@pytest.mark.parametrize("options", [{"starts_at": NOON}, {"starts_when_full": True, "max_entrants": 3}])
def test_a_cup_that_would_start_by_itself_waits_for_its_organiser(olga, take_back, options):
    cup = verbs.make_cup(legs=1, **options, organiser=olga)
    verbs.enter_all(cup, verbs.make_players(3), NOON - timedelta(hours=1))
    start_due_competitions(now=NOON)
    cup.refresh_from_db()
    assert cup.status == "running"
    take_back(cup)
    assert start_due_competitions(now=LATER) == 0


def test_a_replayed_match_is_drawn_once(olga, take_back):
    cup, _entries = verbs.start_cup(3, **ROUND_ROBIN, organiser=olga)
    once = drawn(cup)
    replay_fixture(fixture_id=verbs.running(cup)[0].pk, actor=olga, reason=WHY, now=NOON)
    take_back(cup)
    verbs.start(cup, NOON)
    assert [each for each in drawn(cup)[3] if not each[-1]] == once[3]


def test_an_entrant_who_has_withdrawn_since_the_start_stays_withdrawn(olga, take_back):
    cup, entries = verbs.start_cup(4, legs=1, organiser=olga)
    verbs.withdraw(entries[3], by=olga, reason=WHY)
    take_back(cup)
    verbs.start(cup, SOON)
    lost = Tie.objects.get(round__group__stage__competition=cup, decided_at__isnull=False)
    assert (lost.winner, lost.decided_by) == (entries[0], "withdrawal")
    assert verbs.faults_of(cup, now=SOON) == []


def test_a_player_can_leave_before_it_starts_again(olga, take_back):
    cup, entries = verbs.start_cup(3, legs=1, organiser=olga)
    take_back(cup)
    verbs.leave(entries[2], now=SOON)
    verbs.open_entry(cup, by=olga, now=SOON)
    assert set(Entry.objects.filter(competition=cup)) == set(entries[:2])
    verbs.start(cup, LATER)
    (final,) = verbs.running(cup)
    assert {final.yellow, final.red} == set(entries[:2])


def test_a_challenge_ladder_has_the_positions_from_before_its_start(olga, take_back):
    ladder, entries = verbs.start_ladder(4, format="challenge-ladder", organiser=olga)
    before = list(Seat.objects.filter(stage__competition=ladder).order_by("position").values_list("entry", flat=True))
    game = verbs.let_challenge(entries[3], entries[2])
    verbs.end(game, game.challenger, NOON + timedelta(minutes=1))
    take_back(ladder, confirm=True)
    after = list(Seat.objects.filter(stage__competition=ladder).order_by("position").values_list("entry", flat=True))
    assert after == before
    assert verbs.faults_of(ladder, now=SOON) == []
    verbs.start(ladder, SOON)
    verbs.recompute_tables(competition_id=ladder.pk, now=SOON)
    assert verbs.faults_of(ladder, now=SOON) == []


@pytest.mark.parametrize("has_begun", [False, True], ids=["not-begun", "begun-before"])
def test_leaving_a_challenge_ladder_before_its_start_leaves_nothing_in_its_history(olga, take_back, has_begun):
    ladder, (first, *others) = verbs.open_ladder(4, format="challenge-ladder", organiser=olga)
    if has_begun:
        verbs.start(ladder)
        take_back(ladder)
    verbs.leave(first, now=LATER)
    history = PlaceChange.objects.filter(seat__entry__competition=ladder).order_by("place")
    assert list(history.values_list("seat__entry", "place")) == [
        (each.pk, place) for place, each in enumerate(others, start=1)
    ]
    assert verbs.faults_of(ladder, now=LATER) == []


def test_a_points_ladder_has_no_table_and_no_history_until_it_starts_again(olga, take_back):
    ladder, _entries = verbs.start_ladder(4, organiser=olga)
    verbs.pair(ladder)
    verbs.end(verbs.running(ladder)[0], Side.RED, NOON + timedelta(minutes=1))
    verbs.recompute_tables(competition_id=ladder.pk, now=NOON)
    assert PlaceChange.objects.filter(seat__stage__competition=ladder).exists()
    take_back(ladder, confirm=True)
    assert not PlaceChange.objects.filter(seat__stage__competition=ladder).exists()
    verbs.start(ladder, SOON)
    verbs.settle_all(SOON)
    verbs.pair(ladder, now=SOON)
    verbs.recompute_tables(competition_id=ladder.pk, now=SOON)
    assert verbs.running(ladder)
    assert verbs.faults_of(ladder, now=SOON) == []


def stored_of(competition):
    """Return how much is stored of tables and of the history of their places, and how many have a place in one."""
    seats = Seat.objects.filter(stage__competition=competition)
    return (
        Standing.objects.filter(seat__in=seats).count(),
        TableSection.objects.filter(group__stage__competition=competition).count(),
        PlaceChange.objects.filter(seat__in=seats).count(),
        seats.filter(has_place=True).count(),
    )


def taking_back(competition, olga):
    about = {"confirm": True, "actor": olga, "reason": WHY, "now": SOON}
    return partial(take_back_start, competition_id=competition.pk, **about)


def ladder_with_a_result(olga):
    """Return a running ladder with a result that is not in its table yet."""
    ladder, _entries = verbs.start_ladder(4, min_matches=0, organiser=olga)
    verbs.pair(ladder)
    verbs.end(verbs.running(ladder)[0], Side.RED, NOON + timedelta(minutes=1))
    return ladder


def cup_without_results(olga):
    cup, _entries = verbs.start_cup(4, **ROUND_ROBIN, organiser=olga)
    return cup


class Stopped(Exception):
    """Raised where a test stops what it calls."""


def stop(_group):
    raise Stopped


def make_table_only(making):
    with suppress(Stopped):
        making()


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("make", [ladder_with_a_result, cup_without_results])
@pytest.mark.parametrize("is_made_first", [True, False])
def test_nothing_is_left_of_a_table_that_is_made_as_the_start_is_taken_back(olga, monkeypatch, make, is_made_first):
    competition = make(olga)
    making = partial(recompute_standings, group_id=verbs.group_of(competition).pk, now=SOON)
    if is_made_first:
        # What else is done about a table waits for its transaction.
        with monkeypatch.context() as patch:
            patch.setattr(standings, "_let_winner_follow", stop)
            assert do_while_others_come(partial(make_table_only, making), taking_back(competition, olga)) == ["ok"]
    else:
        assert do_while_others_come(taking_back(competition, olga), making) == ["ok"]
    assert stored_of(competition) == (0, 0, 0, 0)
    assert verbs.faults_of(competition, now=SOON) == []
    verbs.start(competition, LATER)
    making()
    assert stored_of(competition)[0] == 4
    assert verbs.faults_of(competition, now=LATER) == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_made_first", [True, False])
def test_no_table_is_made_of_a_group_that_is_taken_back_with_the_start(olga, is_made_first):
    cup, _entries = verbs.start_cup(6, **ROUND_ROBIN, grouping={"whenever": 3}, organiser=olga)
    last = Group.objects.filter(stage__competition=cup).order_by("number").last()
    making = partial(recompute_standings, group_id=last.pk, now=SOON)
    acts = making, taking_back(cup, olga)
    assert do_while_others_come(*(acts if is_made_first else reversed(acts))) == ["ok"]
    assert not Group.objects.filter(pk=last.pk).exists()
    assert not Standing.objects.filter(seat__stage__competition=cup).exists()


def test_taking_back_the_start_counts_as_a_change_of_results(olga, take_back):
    ladder = ladder_with_a_result(olga)
    before = verbs.group_of(ladder).results_version
    take_back(ladder, confirm=True)
    assert verbs.group_of(ladder).results_version > before


@pytest.mark.parametrize("key", ["points-ladder", "challenge-ladder"])
def test_no_table_is_stored_before_the_start_and_one_that_is_goes_away(key):
    ladder, _entries = verbs.start_ladder(4, format=key)
    assert verbs.recompute_tables(competition_id=ladder.pk, now=NOON) == 4
    Competition.objects.filter(pk=ladder.pk).update(started_at=None, status="open")
    assert "but the results give not in the table" in verbs.faults_of(ladder)[0]
    assert verbs.recompute_tables(competition_id=ladder.pk, now=NOON) == 4
    assert verbs.recompute_tables(competition_id=ladder.pk, now=NOON) == 0
    assert stored_of(ladder)[:2] == (0, 0)
    verbs.enter_all(ladder, verbs.make_players(2, prefix="later"))
    assert verbs.faults_of(ladder) == []


def test_the_page_says_what_follows_and_does_it_once_confirmed(olga, client_of):
    cup, _entries = verbs.start_cup(2, legs=1, now=timezone.now(), organiser=olga)
    client: Client = client_of(olga)
    url = f"{cup.get_absolute_url()}organise/take-back-start/"
    assert 'name="confirm"' not in client.get(url).content.decode()
    verbs.move_in(verbs.running(cup)[0], timezone.now())
    asked = client.get(url).content.decode()
    assert "1 match will be annulled" in asked
    assert 'name="confirm"' in asked
    refused = client.post(url, {"reason": WHY})
    assert (refused.status_code, "matches_would_be_lost" in refused.content.decode()) == (409, False)
    assert client.post(url, {"reason": WHY, "confirm": "on"}).status_code == 302
    assert Cup.objects.get(pk=cup.pk).status == "closed"


def test_the_api_previews_refuses_and_takes_back(olga, client_of):
    cup, _entries = verbs.start_cup(2, legs=1, now=timezone.now(), organiser=olga)
    (fixture,) = verbs.running(cup)
    verbs.move_in(fixture, timezone.now())
    client: Client = client_of(olga)
    url = f"/api/v1/competitions/{cup.slug}/take-back-start/"
    preview = client.get(f"{url}preview/").json()
    assert ([each["match"] for each in preview["lost"]], preview["withdrawn"]) == ([fixture.match_id], [])
    refused = client.post(url, {"reason": WHY}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "matches_would_be_lost")
    assert refused.json()["matches"] == [fixture.match_id]
    assert Cup.objects.get(pk=cup.pk).status == "running"
    done = client.post(url, {"reason": WHY, "confirm": True}, content_type="application/json")
    assert (done.status_code, done.json()["status"]) == (200, "closed")
    assert client.get(f"{url}preview/").status_code == 409


@pytest.mark.parametrize(
    ("act", "take_it_back"), [(annul_fixture, take_back_annulment), (replay_fixture, take_back_replay)]
)
def test_what_was_annulled_or_replayed_still_is_when_it_starts_again(olga, take_back, act, take_it_back):
    cup, _entries = verbs.start_cup(3, **ROUND_ROBIN, organiser=olga)
    before = drawn(cup)
    game = verbs.running(cup)[0]
    act(fixture_id=game.pk, actor=olga, reason=WHY, now=NOON)
    after = drawn(cup)
    take_back(cup)
    with pytest.raises(DomainError):
        take_it_back(fixture_id=game.pk, confirm=True, actor=olga, reason=WHY, now=NOON)
    verbs.start(cup, NOON)
    assert drawn(cup) == after
    game = Fixture.objects.get(match=game.match_id)
    take_it_back(fixture_id=game.pk, confirm=True, actor=olga, reason=WHY, now=NOON)
    assert [each for each in drawn(cup)[3] if not each[-1]] == before[3]
