"""A withdrawal taken back: the entrant plays on as if they had stayed."""

from datetime import timedelta

import pytest

from matches.models import Match
from players.models import Player
from tests.tournaments import verbs
from tests.tournaments.decisions.undoing import faults_of, state_of
from tests.tournaments.teams.leagues import enter, make_league, make_teams, start_league
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.errors import NotWithdrawn
from tournaments.decisions.services.undo.withdrawals import (
    take_back_withdrawal,
    what_follows_from_taking_back_withdrawal,
)
from tournaments.entries.errors import EntryOver
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.withdrawal import withdraw_entry
from tournaments.models import Entry, Fixture, LogEntry, Seat
from tournaments.office.services.log import ACTIONS
from tournaments.rounds.errors import MatchesWouldBeLost, WrongCompetitionStatus
from tournaments.running.errors import EntrantClosed
from tournaments.tables.services.ratings import rate_waiting

pytestmark = pytest.mark.django_db

SOON = NOON + timedelta(hours=1)
LATER = NOON + timedelta(hours=2)
WHY = "It was the other Ivo."


@pytest.fixture
def withdraw(olga):
    def call(entry, now=SOON):
        entry.competition.organisers.add(olga)
        withdraw_entry(entry_id=entry.pk, actor=olga, reason="ill", now=now)

    return call


@pytest.fixture
def take_back(olga):
    def call(entry, *, confirm=False, now=SOON):
        return take_back_withdrawal(entry_id=entry.pk, confirm=confirm, actor=olga, reason=WHY, now=now)

    return call


def faults(competition):
    verbs.recompute_tables(competition_id=competition.pk, now=LATER)
    rate_waiting(now=LATER)
    return faults_of(competition, LATER)


def test_it_is_logged_and_done_once(withdraw, take_back):
    cup, (entry, *_others) = verbs.start_cup(3, **ROUND_ROBIN)
    withdraw(entry)
    assert take_back(entry).status == "active"
    assert verbs.last_log(cup) == ("olga", "withdrawal-undone", str(entry), WHY)
    with pytest.raises(NotWithdrawn):
        take_back(entry)


def test_every_action_of_the_log_fits_into_its_column():
    longest = LogEntry._meta.get_field("action").max_length or 0
    assert max(map(len, ACTIONS)) <= longest


def test_a_place_that_was_taken_over_stays_taken(olga, withdraw, take_back):
    _cup, (entry, *_others) = verbs.start_cup(4, legs=1)
    withdraw(entry)
    newcomer = Player.objects.create(username="newcomer")
    verbs.replace(entry, newcomer, by=olga, now=SOON, reason=WHY)
    with pytest.raises(EntryOver, match="taken over"):
        take_back(entry)


def test_nobody_comes_back_with_a_closed_account_or_into_what_is_over(olga, withdraw, take_back):
    cup, (entry, *_others) = verbs.start_cup(4, legs=1)
    withdraw(entry)
    Player.objects.filter(pk=entry.player_id).update(is_active=False)
    with pytest.raises(EntrantClosed):
        take_back(entry)
    verbs.cancel(cup, by=olga, now=SOON, reason=WHY)
    with pytest.raises(WrongCompetitionStatus):
        take_back(entry)


def test_in_a_round_robin_a_match_that_was_forfeited_after_moves_goes_on_from_where_it_stood(withdraw, take_back):
    cup, entries = verbs.start_cup(4, **ROUND_ROBIN, round_days=7)
    mine = next(each for each in verbs.running(cup) if entries[0] in {each.yellow, each.red})
    verbs.move_in(mine, SOON)
    ply = Match.objects.get(pk=mine.match_id).ply
    withdraw(entries[0], LATER)
    follows = what_follows_from_taking_back_withdrawal(entry_id=entries[0].pk, now=LATER)
    assert f"1 match goes on from where it stood: {mine} (match {mine.match_id})." in follows.sentences
    assert any(sentence.startswith("2 matches are played after all") for sentence in follows.sentences)
    take_back(entries[0], now=LATER)
    mine.refresh_from_db()
    assert (mine.ending, mine.is_annulled) == ("", False)
    match = Match.objects.get(pk=mine.match_id)
    assert (match.status, match.ply, match.settled_at) == ("playing", ply, None)
    assert Fixture.objects.filter(competition=cup, counted_at=None).count() == 6
    assert faults(cup) == []


def test_two_who_had_left_are_back_one_after_the_other(withdraw, take_back):
    cup, entries = verbs.start_cup(4, **ROUND_ROBIN)
    assert faults(cup) == []
    before = state_of(cup)
    for entry in entries[:2]:
        withdraw(entry)
    take_back(entries[0])
    assert faults(cup) == []
    lost = Fixture.objects.get(competition=cup, is_annulled=False, yellow__in=entries[:2], red__in=entries[:2])
    assert (lost.ending, lost.points.yellow > lost.points.red) == ("forfeit", lost.yellow == entries[0])
    take_back(entries[1])
    assert faults(cup) == []
    assert state_of(cup) == before


def test_the_next_tie_in_which_nobody_has_moved_is_withdrawn(withdraw, take_back):
    cup, entries = verbs.start_cup(4, legs=1)
    lost, other = sorted(verbs.running(cup), key=lambda each: entries[0] not in {each.yellow, each.red})
    verbs.end(other, other.yellow, NOON)
    withdraw(entries[0])
    assert verbs.tie_of(cup, 2, 0).first == entries[3]
    (final,) = verbs.running(cup)
    follows = what_follows_from_taking_back_withdrawal(entry_id=entries[0].pk, now=LATER)
    assert follows.sentences == [
        "1 match in which nobody has moved is withdrawn.",
        f"The tie of {entries[0]} and {entries[3]} is open again.",
        f"{entries[3]} does not go on to meet {other.yellow} yet.",
        f"1 match goes on from where it stood: {lost} (match {lost.match_id}).",
        f"{entries[0]} is in again.",
    ]
    take_back(entries[0])
    assert Fixture.objects.get(pk=final.pk).is_annulled
    assert (verbs.tie_of(cup, 2, 0).first, verbs.tie_of(cup, 2, 0).second) == (None, other.yellow)
    (again,) = verbs.running(cup)
    verbs.end(again, entries[0], LATER)
    assert verbs.tie_of(cup, 2, 0).first == entries[0]
    assert faults(cup) == []


def test_matches_played_since_are_lost_only_if_that_is_confirmed(withdraw, take_back):
    cup, entries = verbs.start_cup(4, legs=1)
    other = next(each for each in verbs.running(cup) if entries[0] not in {each.yellow, each.red})
    verbs.end(other, other.yellow, NOON)
    withdraw(entries[0])
    (final,) = verbs.running(cup)
    verbs.move_in(final, SOON)
    with pytest.raises(MatchesWouldBeLost) as refusal:
        take_back(entries[0])
    assert refusal.value.matches == [final.match_id]
    assert Entry.objects.get(pk=entries[0].pk).status == "gone"
    take_back(entries[0], confirm=True)
    assert Fixture.objects.get(pk=final.pk).is_annulled
    assert [{each.yellow, each.red} for each in verbs.running(cup)] == [{entries[0], entries[3]}]
    assert faults(cup) == []


def test_on_a_challenge_ladder_they_are_back_where_they_stood(withdraw, take_back):
    ladder, entries = verbs.start_ladder(4, format="challenge-ladder")
    withdraw(entries[1])
    game = verbs.let_challenge(entries[3], entries[2], now=SOON)
    verbs.end(game, game.challenger, SOON + timedelta(minutes=1))
    take_back(entries[1], now=LATER)
    order = Seat.objects.filter(stage__competition=ladder).order_by("position").values_list("entry", flat=True)
    assert list(order) == [entries[each].pk for each in (0, 1, 3, 2)]
    assert faults(ladder) == []


def test_before_it_starts_again_they_are_in_the_draw_as_before(olga, withdraw, take_back):
    cup, entries = verbs.start_cup(4, legs=1)
    before = state_of(cup)
    withdraw(entries[0])
    verbs.undo_start(cup, by=olga, now=SOON)
    take_back(entries[0])
    verbs.start(cup, SOON)
    assert state_of(cup) == before
    assert faults(cup) == []


def test_the_history_of_places_keeps_what_was_forfeited_at_the_same_moment(olga):
    cup, entries = verbs.start_cup(4, late_entry=True, **ROUND_ROBIN, organiser=olga)
    for entry in entries[:2]:
        withdraw_entry(entry_id=entry.pk, actor=olga, reason="ill", now=NOON)
    verbs.recompute_tables(competition_id=cup.pk, now=NOON)
    enter_competition(competition_id=cup.pk, player=verbs.make_players(1, "late")[0], now=SOON)
    verbs.recompute_tables(competition_id=cup.pk, now=SOON)
    assert faults(cup) == []
    take_back_withdrawal(entry_id=entries[0].pk, confirm=True, actor=olga, reason=WHY, now=LATER)
    verbs.recompute_tables(competition_id=cup.pk, now=LATER)
    assert faults(cup) == []


def test_the_preview_says_that_nobody_sits_at_a_board():
    league = make_league(boards=2)
    one, _other = (enter(league, team, count=count) for team, count in zip(make_teams(2, 2), (1, 2), strict=True))
    verbs.start(league)
    withdraw_entry(entry_id=one.pk, actor=None, reason="", now=NOON)
    follows = what_follows_from_taking_back_withdrawal(entry_id=one.pk, now=SOON).sentences
    assert any(sentence.startswith("1 match is forfeited, because the board has no player: ") for sentence in follows)
    assert not any("has left" in sentence for sentence in follows)


def test_the_preview_says_that_a_team_has_left_as_well():
    _league, (one, other, _third) = start_league(make_teams(3, 2), boards=2)
    withdraw_entry(entry_id=one.pk, actor=None, reason="", now=NOON)
    withdraw_entry(entry_id=other.pk, actor=None, reason="", now=SOON)
    follows = what_follows_from_taking_back_withdrawal(entry_id=one.pk, now=LATER).sentences
    assert any(sentence.startswith("2 matches are forfeited, as teams have left: ") for sentence in follows)
    assert not any("player" in sentence or "nobody sits" in sentence for sentence in follows)
