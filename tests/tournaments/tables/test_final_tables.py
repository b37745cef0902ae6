"""Tables of competitions that have ended, where the ratings decide: what comes afterwards changes nothing any more."""

import pytest
from django.core.management import call_command

from matches.services.adjudication import adjudicate_match
from players.models import Player, Rating
from rules_engine.values import Side
from tests.matches.play import move_both
from tests.tournaments.settled_competitions import HOUR, NOON, begin, end, make_ladder, make_players, start_rated
from tests.tournaments.verbs import ROUND_ROBIN, running, start_cup
from tests.tournaments.verbs import end as end_and_settle
from tournaments.decisions.services.status import finish_competition
from tournaments.models import Competition, Cup, Entry, Ladder, Standing
from tournaments.running.services.settlement import settle_finished
from tournaments.tables.services.ratings import annul_rated, rate_waiting
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db

LATE = NOON + 50 * HOUR


def follow(now=LATE):
    """Do what the tasks do after results: settle, rate, make the tables."""
    settle_finished(now=now)
    rate_waiting(now=now)
    recompute_stale(now=now)


def play_rated(yellow: Player, red: Player, winner: Side, at=LATE) -> int:
    match = adjudicate_match(match_id=start_rated(yellow, red).pk, winner=winner, now=at)
    follow(at)
    return match.pk


def table_of(competition: Competition) -> list[tuple[str, int, str]]:
    rows = Standing.objects.filter(group__stage__competition=competition).order_by("place", "seat")
    return [
        (row.seat.entry.player.username, row.place, row.values["rating"])
        for row in rows.select_related("seat__entry__player")
    ]


def finished_ladder() -> tuple[Ladder, list[Entry]]:
    """Return a ladder of three with the same points, of whom one beat another in a rated match elsewhere."""
    ladder, entries = make_ladder(make_players(3), tiebreaks=["points", "rating"], window_days=0, is_rated=False)
    for one, other in ((0, 1), (1, 2), (2, 0)):
        end(begin(ladder, entries[one], entries[other]), Side.YELLOW, NOON)
    play_rated(entries[1].player, entries[2].player, Side.YELLOW, NOON + HOUR)
    finish_competition(competition_id=ladder.pk, actor=None, now=NOON + 2 * HOUR)
    follow(NOON + 2 * HOUR)
    return ladder, entries


def test_recompute_leaves_the_table_of_an_ended_competition_alone_after_further_rated_matches() -> None:
    ladder, entries = finished_ladder()
    final = [("player-1", 1, "1530"), ("player-0", 2, "1500"), ("player-2", 3, "1470")]
    assert table_of(ladder) == final
    for _ in range(3):
        play_rated(entries[2].player, entries[1].player, Side.YELLOW)
    ratings = dict(Rating.objects.values_list("player__username", "rating"))
    assert ratings["player-2"] > 1500 > ratings["player-1"]
    assert table_of(ladder) == final
    call_command("recompute", "--check")
    call_command("recompute")
    assert table_of(ladder) == final


def test_a_running_competition_goes_by_the_ratings_of_today() -> None:
    ladder, (anna, piotr) = make_ladder(make_players(2), tiebreaks=["points", "rating"], window_days=0)
    play_rated(anna.player, piotr.player, Side.RED)
    assert table_of(ladder) == [("player-1", 1, "1530"), ("player-0", 2, "1470")]
    call_command("recompute", "--check")


def test_a_match_that_ended_before_the_competition_counts_even_if_it_is_settled_after_it() -> None:
    ladder, entries = finished_ladder()
    play_rated(entries[2].player, entries[0].player, Side.YELLOW, NOON + HOUR)
    follow()
    assert [name for name, _, _ in table_of(ladder)] == ["player-1", "player-2", "player-0"]
    call_command("recompute", "--check")


def test_an_annulled_match_counts_for_no_final_table_either() -> None:
    ladder, entries = make_ladder(make_players(2), tiebreaks=["points", "rating"], window_days=0, is_rated=False)
    elsewhere = play_rated(entries[0].player, entries[1].player, Side.YELLOW, NOON)
    finish_competition(competition_id=ladder.pk, actor=None, now=NOON + HOUR)
    annul_rated(match_id=elsewhere, now=LATE)
    follow()
    assert [(place, rating) for _, place, rating in table_of(ladder)] == [(1, "1500"), (1, "1500")]
    call_command("recompute", "--check")


def finished_cup() -> tuple[Cup, list[Player]]:
    """Return a cup in which each of three has won once, the last match hours after the others were rated."""
    cup, (first, second, third) = start_cup(3, **ROUND_ROBIN)
    cup.stages.update(tiebreaks=["points", "rating", "draw"])
    wins = {frozenset({first, second}): first, frozenset({second, third}): second, frozenset({third, first}): third}
    fixtures = {frozenset({each.yellow, each.red}): each for each in running(cup)}
    for number, (pair, winner) in enumerate(wins.items()):
        at = NOON + number * number * HOUR
        move_both(fixtures[pair].match)
        end_and_settle(fixtures[pair], winner, at)
        if number < 2:
            follow(at)
    cup.refresh_from_db()
    return cup, [first.player, second.player, third.player]


def test_a_cup_has_its_final_table_at_once_by_the_ratings_before_its_last_match() -> None:
    cup, players = finished_cup()
    before = table_of(cup)
    assert [(name, place) for name, place, _ in before] == [
        (str(each), place + 1) for place, each in enumerate(players)
    ]
    assert before[0][2] == "1530"
    follow()
    assert Rating.objects.get(player=players[0]).rating < 1530
    assert table_of(cup) == before
    play_rated(players[2], players[0], Side.YELLOW)
    call_command("recompute")
    assert table_of(cup) == before


def test_the_winner_of_a_cup_follows_a_table_that_must_change() -> None:
    cup, players = finished_cup()
    follow()
    assert str(cup.winner) == str(players[0])
    # It ended before the cup's last match, and nobody has heard of it until now.
    play_rated(players[2], players[0], Side.YELLOW, NOON)
    cup.refresh_from_db()
    assert str(cup.winner) == table_of(cup)[0][0] == str(players[1])
    call_command("recompute", "--check")
