"""Matches that ended before both sides had moved: they count in their competition, and not for the ratings."""

from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

from matches.clock import TimeControl
from matches.models import Match, Move
from matches.services.expiry import expire_match
from matches.services.resignation import resign
from players.models import Rating
from rules_engine.values import Ending, Side
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act, begin_match, set_up
from tests.pages.html import text_of
from tests.tournaments.settled_competitions import HOUR, NOON, begin, make_ladder, make_players, start_rated
from tests.tournaments.verbs import adjudicate, recompute_tables, running
from tournaments.models import RatingChange, RatingDue, Standing
from tournaments.running.services.settlement import settle_finished
from tournaments.tables.services.ratings import rate_waiting

pytestmark = pytest.mark.django_db

LATE = NOON + 2000 * HOUR


def count() -> None:
    """Do what the sweeps do after results."""
    settle_finished(now=LATE)
    rate_waiting(now=LATE)


@pytest.mark.parametrize("ending", [Ending.RESIGNATION, Ending.TIMEOUT])
@pytest.mark.parametrize("moves", [0, 1, 2])
def test_a_match_is_rated_once_both_sides_have_moved(client, moves: int, ending: Ending) -> None:
    match = begin_match(*make_players(2), is_rated=True)
    for text in (YELLOW_SET_UP, RED_SET_UP)[:moves]:
        match = act(match, text)
    if ending is Ending.RESIGNATION:
        resign(match_id=match.pk, player=match.red, now=NOON + HOUR)
    else:
        expire_match(match_id=match.pk, now=LATE)
    count()
    is_rated = moves == 2
    assert Match.objects.get().ending == ending
    assert RatingChange.objects.count() == Rating.objects.count() == (2 if is_rated else 0)
    said = "Rating rated" if is_rated else "Rating not rated: it ended before both players had moved"
    assert said in text_of(client.get(match.get_absolute_url()))
    call_command("recompute", "--check")


def test_a_move_that_was_drawn_for_a_side_is_none_of_its_own() -> None:
    control = TimeControl(HOUR, HOUR, HOUR)
    match = begin_match(*make_players(2), is_rated=True, time_control=control)
    match = set_up(match)
    Move.objects.filter(match=match, actor=Side.RED).update(is_drawn=True)
    resign(match_id=match.pk, player=match.red, now=match.last_move_at)
    count()
    assert not Rating.objects.exists()


def test_a_result_without_moves_counts_on_a_ladder_and_not_for_the_ratings(olga) -> None:
    ladder, entries = make_ladder(make_players(2))
    ladder.organisers.add(olga)
    begin(ladder, *entries)
    adjudicate(running(ladder)[0], Side.YELLOW, olga)
    count()
    recompute_tables(competition_id=ladder.pk, now=NOON)
    assert sorted(Standing.objects.values_list("points", flat=True)) == [0, 5]
    assert not Rating.objects.exists()


def test_ratings_of_before_are_made_again_without_matches_in_which_a_side_had_not_moved() -> None:
    one, two = make_players(2)
    unmoved = start_rated(one, two)
    played = start_rated(two, one)
    for match, at in ((unmoved, NOON + HOUR), (played, NOON + 2 * HOUR)):
        resign(match_id=match.pk, player=one, now=at)
    count()
    # As an older version left it, which rated this match though Yellow had not moved.
    Move.objects.filter(match=unmoved, actor=Side.YELLOW).delete()
    with pytest.raises(CommandError):
        call_command("recompute", "--check")
    import_module("tournaments.migrations.0079_rate_begun_matches_only").mark_due(apps, None)
    assert RatingDue.objects.get().match == unmoved
    rate_waiting(now=LATE)
    assert set(RatingChange.objects.values_list("match", flat=True)) == {played.pk}
    assert {row.player.username: str(row.rating) for row in Rating.objects.all()} == {
        str(one): "1470.0000",
        str(two): "1530.0000",
    }
    call_command("recompute", "--check")
