"""``recompute`` makes ties, winners and final places what results and withdrawals give, if nobody has played on."""

from datetime import timedelta
from functools import partial
from threading import Event as Flag
from threading import Thread

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection

from matches.models import Match, Status
from matches.services import play_move
from matches.services.adjudication import adjudicate_match
from rules_engine.values import Side
from tests.tournaments.settled_competitions import make_ladder, make_players, play_ladder
from tests.tournaments.verbs import NOON, end, end_all, faults_of, running, settle_all, start_cup, tie_of, withdraw
from tournaments.models import CompetitionStatus, Cup, Entry, EntryStatus, Fixture, Standing, Tie
from tournaments.running.services.settlement import settle_finished
from tournaments.running.services.verification import waiting_in_competition
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def cup():
    """Yield four in a knock-out, an hour after its start; both first ties are won, and the final goes on."""
    cup, _ = start_cup(4, legs=1, third_place=True)
    end_all(cup)
    with time_machine.travel(LATER):
        yield cup


def send_on_the_loser(cup):
    """Store what a fault once did: of the first tie the loser has gone on."""
    tie = tie_of(cup, 1, 0)
    loser = tie.second if tie.winner == tie.first else tie.first
    final, third = tie_of(cup, 2, 0), tie_of(cup, 2, 0, third_place=True)
    for follower, wrong, right in ((final, loser, tie.winner), (third, tie.winner, loser)):
        for model, names in ((Tie, ("first", "second")), (Fixture, ("yellow", "red"))):
            rows = model.objects.filter(pk=follower.pk) if model is Tie else model.objects.filter(tie=follower)  # type: ignore[misc]
            for name in names:
                rows.filter(**{name: right}).update(**{name: wrong})
    Tie.objects.filter(pk=tie.pk).update(winner=loser, decided_by="withdrawal")
    return tie.winner, loser


def test_a_tie_that_went_to_its_loser_is_repaired_and_what_followed_is_withdrawn(cup):
    winner, loser = send_on_the_loser(cup)
    old = set(Fixture.objects.filter(tie__round__number=2).values_list("pk", flat=True))
    call_command("recompute")
    assert (tie_of(cup, 1, 0).winner, tie_of(cup, 1, 0).decided_by) == (winner, "points")
    assert tie_of(cup, 2, 0).first == winner
    assert tie_of(cup, 2, 0, third_place=True).first == loser
    assert set(Fixture.objects.filter(is_annulled=True).values_list("pk", flat=True)) == old
    assert {each.tie for each in running(cup)} == {tie_of(cup, 2, 0), tie_of(cup, 2, 0, third_place=True)}


def test_a_tie_whose_rightful_winner_has_withdrawn_since_goes_on_without_play(cup):
    winner, _ = send_on_the_loser(cup)
    Entry.objects.filter(pk=winner.pk).update(status=EntryStatus.GONE, left_at=LATER)
    call_command("recompute")
    final = tie_of(cup, 2, 0)
    assert (final.first, final.winner, final.decided_by) == (winner, final.second, "withdrawal")


def test_a_match_that_has_been_played_on_is_left_to_the_organiser(cup, capsys):
    send_on_the_loser(cup)
    final = Fixture.objects.select_related("match").get(tie=tie_of(cup, 2, 0))
    player = final.match.player_to_act
    play_move(
        match_id=final.match_id, player=player, ply=final.match.ply, text=final.match.state.legal_moves()[0], now=LATER
    )
    with pytest.raises(CommandError, match="1 differences"):
        call_command("recompute")
    assert "It has been played: an organiser has to decide." in capsys.readouterr().out
    assert Match.objects.get(pk=final.match_id).status == Status.PLAYING


def test_the_winner_and_the_places_of_a_cup_that_is_over_are_repaired(cup):
    for fixture in running(cup):
        end(fixture, fixture.tie.second, LATER)
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.FINISHED
    places = dict(Standing.objects.values_list("seat__entry", "place"))
    final = tie_of(cup, 2, 0)
    loser = final.first if final.winner == final.second else final.second
    Cup.objects.update(winner=loser)
    said = f"{cup}: entry {loser.pk} is the winner, but the results give entry {final.winner_id}."
    assert said in faults_of(cup, LATER)
    Tie.objects.filter(pk=final.pk).update(winner=loser)
    Standing.objects.update(place=1)
    assert len(faults_of(cup, LATER)) > 2
    call_command("recompute")
    assert Cup.objects.get().winner == final.winner == tie_of(cup, 2, 0).winner
    assert dict(Standing.objects.values_list("seat__entry", "place")) == places


def test_a_withdrawal_that_decided_a_tie_is_no_difference():
    cup, _ = start_cup(4, legs=2)
    (first, *_others) = running(cup)
    adjudicate_match(match_id=first.match_id, winner=Side.YELLOW, now=NOON)
    withdraw(first.yellow, first.yellow.player, LATER)
    settle_all(LATER)
    assert tie_of(cup, 1, first.tie.slot).winner == first.red
    assert faults_of(cup, LATER) == []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_comparison_on_a_live_site_finds_no_differences():
    ladder, entries = make_ladder(make_players(8))
    play_ladder(ladder, entries, 60)
    over = Flag()
    failed: list[BaseException] = []

    def work() -> None:
        try:
            while settle_finished(now=LATER + timedelta(days=9), limit=2):
                recompute_stale(now=LATER + timedelta(days=9))
        except BaseException as error:  # noqa: BLE001
            failed.append(error)
        finally:
            over.set()
            connection.close()

    thread = Thread(target=work)
    thread.start()
    check = partial(call_command, "recompute", "--check", verbosity=0)
    while not over.is_set():
        check()
    thread.join()
    assert failed == []
    assert waiting_in_competition(competition=ladder, now=LATER) == []
    check()
