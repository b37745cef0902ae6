"""Rounds whose time is over, by each policy."""

from datetime import timedelta
from functools import partial

import pytest

from matches.models import Match
from matches.services import play_move
from rules_engine.values import Side
from tests.matches.locks import do_while_others_come
from tests.matches.play import YELLOW_SET_UP, play_to_a_goal, set_up
from tests.tournaments.verbs import NOON, ROUND_ROBIN, end, round_of, running, settle_all, start_cup, tie_of
from tournaments.decisions.services.round_expiry import end_due_rounds, end_round
from tournaments.models import CompetitionStatus, Fixture, LogEntry, RoundEnd
from tournaments.office.errors import NotAnOrganiser
from tournaments.records.cups import Wait, cup_waits_for
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.sentences import waiting_sentence

pytestmark = pytest.mark.django_db

AFTER = NOON + timedelta(days=7)


def test_nothing_ends_before_its_time():
    cup, _ = start_cup(4, round_days=7, at_round_end=RoundEnd.ADJUDICATE)
    assert end_due_rounds(now=AFTER - timedelta(seconds=1)) == 0
    assert len(running(cup)) == 4


def test_adjudicated_by_the_score_and_level_ties_go_to_the_higher_seed_without_replays():
    cup, _entries = start_cup(4, round_days=7, at_round_end=RoundEnd.ADJUDICATE)
    legs = Fixture.objects.filter(competition=cup).select_related("match").order_by("pk")
    played = play_to_a_goal(legs[0].match)
    for leg in legs[2:]:
        set_up(leg.match)
    leader = legs[0].yellow if played.state.score.yellow else legs[0].red
    assert end_due_rounds(now=AFTER) == 4
    settle_all(AFTER)
    first, second = tie_of(cup, 1, 0), tie_of(cup, 1, 1)
    assert (first.winner, first.decided_by) == (leader, "points")
    assert (second.winner, second.decided_by) == (min(second.first, second.second, key=lambda e: e.seat.seed), "seed")
    assert round_of(cup, 2).ends_at == AFTER + timedelta(days=7)
    assert len(running(cup)) == 2
    assert end_due_rounds(now=AFTER) == 0


def test_the_player_to_move_forfeits():
    cup, _entries = start_cup(2, legs=1, round_days=7, at_round_end=RoundEnd.FORFEIT)
    (leg,) = running(cup)
    to_move = leg.yellow if leg.match.side == "yellow" else leg.red
    assert end_due_rounds(now=AFTER) == 1
    settle_all(AFTER)
    tie = tie_of(cup, 1, 0)
    assert tie.winner != to_move
    assert Fixture.objects.get(competition=cup).ending == "forfeit"
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.FINISHED


def test_a_cup_that_waits_tells_that_it_is_overdue():
    cup, _ = start_cup(2, legs=1, round_days=7, at_round_end=RoundEnd.WAIT)
    assert end_due_rounds(now=AFTER) == 0
    (waiting,) = cup_waits_for(cup, AFTER)
    assert (waiting.kind, waiting.is_overdue) == (Wait.MOVE, True)
    assert waiting_sentence(waiting).startswith(f"{waiting.player} is to move")


def test_replays_that_have_begun_are_ended_too_but_no_new_ones_begin():
    cup, entries = start_cup(2, round_days=7, replays=2, at_round_end=RoundEnd.ADJUDICATE)
    for leg in running(cup):
        end(leg, None)
    assert len(running(cup)) == 2
    assert end_due_rounds(now=AFTER) == 2
    settle_all(AFTER)
    cup.refresh_from_db()
    assert (cup.status, cup.winner) == (CompetitionStatus.FINISHED, entries[0])


def test_round_robins_end_round_by_round():
    cup, _ = start_cup(4, round_days=7, at_round_end=RoundEnd.FORFEIT, **ROUND_ROBIN)
    for week in range(1, 4):
        assert end_due_rounds(now=NOON + timedelta(days=7 * week)) == 2
        settle_all(NOON + timedelta(days=7 * week))
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.FINISHED


def test_an_organiser_ends_a_round_by_hand_which_is_logged(django_user_model):
    organiser = django_user_model.objects.create(username="organiser")
    cup, entries = start_cup(2, legs=2)
    cup.organisers.add(organiser)
    round_ = round_of(cup, 1)
    for leg in running(cup):
        set_up(leg.match)
    with pytest.raises(NotAnOrganiser):
        end_round(round=round_, policy=RoundEnd.ADJUDICATE, actor=entries[0].player, now=NOON)
    with pytest.raises(WrongCompetitionStatus):
        end_round(round=round_, policy=RoundEnd.WAIT, actor=organiser, now=NOON)
    assert end_round(round=round_, policy=RoundEnd.ADJUDICATE, actor=organiser, now=NOON, reason="summer") == 2
    settle_all()
    cup.refresh_from_db()
    assert cup.winner == entries[0]
    entry = LogEntry.objects.get(competition=cup, action="round-cut-short")
    assert (entry.actor, entry.reason) == (organiser, "summer")
    with pytest.raises(WrongCompetitionStatus):
        end_round(round=round_, policy=RoundEnd.ADJUDICATE, actor=organiser, now=NOON)


def test_a_round_cut_short_by_its_rule_says_in_words_what_the_rule_was_and_ends_once():
    cup, _ = start_cup(2, round_days=7, at_round_end=RoundEnd.ADJUDICATE)
    end_due_rounds(now=AFTER)
    settle_all()
    log = LogEntry.objects.filter(competition=cup, action__startswith="round-").order_by("pk")
    assert list(log.values_list("action", "subject", "reason")) == [
        ("round-started", "1", ""),
        ("round-cut-short", "1", "adjudicate by the score"),
        ("round-ended", "1", ""),
    ]


def test_a_match_lost_on_time_before_the_end_of_the_round_is_lost_on_time():
    cup, _ = start_cup(2, legs=1, round_days=20, at_round_end=RoundEnd.ADJUDICATE)
    end_due_rounds(now=NOON + timedelta(days=20))
    settle_all(NOON + timedelta(days=20))
    fixture = Fixture.objects.get(competition=cup)
    assert (fixture.ending, fixture.finished_at) == ("timeout", NOON + timedelta(days=10))
    assert Side(fixture.match.winner)


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_player_who_moves_at_the_last_moment_does_not_forfeit():
    cup, _ = start_cup(2, legs=1)
    match = running(cup)[0].match
    move = partial(
        play_move, match_id=match.pk, player=match.player_to_act, ply=match.ply, text=YELLOW_SET_UP, now=NOON
    )
    end = partial(end_round, round=round_of(cup, 1), policy=RoundEnd.FORFEIT, actor=None, now=NOON)
    assert do_while_others_come(move, end) == ["ok"]
    match = Match.objects.get(pk=match.pk)
    assert (match.ply, match.winner, match.ending) == (1, "yellow", "forfeit")
