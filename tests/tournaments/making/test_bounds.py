"""Options with numbers so large that nothing could be reckoned with them."""

import pytest
from django.db import IntegrityError

from formats.options import MAX_DAYS, InvalidOptions
from formats.points_ladder import MAX_GAMES_EACH
from tests.tournaments.making.staff_form import ADD_CUP, ADD_LADDER, faults_at
from tests.tournaments.verbs import NOON, make_cup, make_ladder, pair, recompute_tables, start_cup, start_ladder
from tournaments.models import Round

pytestmark = pytest.mark.both_databases

TOO_MUCH = [
    (make_ladder, {"window_days": MAX_DAYS + 1}),
    (make_ladder, {"rematch_days": MAX_DAYS + 1}),
    (make_ladder, {"inactive_days": MAX_DAYS + 1}),
    (make_ladder, {"return_days": MAX_DAYS + 1}),
    (make_ladder, {"games_each": MAX_GAMES_EACH + 1}),
    (make_ladder, {"games_each": 0}),
    (make_cup, {"round_days": MAX_DAYS + 1}),
    (make_cup, {"round_days": 0}),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("make", "options"), TOO_MUCH)
def test_no_competition_is_stored_with_them(make, options):
    with pytest.raises((InvalidOptions, IntegrityError), match=next(iter(options))):
        make(**options)


@pytest.mark.django_db
@pytest.mark.parametrize(("make", "options"), TOO_MUCH)
def test_organisers_are_told_what_can_be_reckoned_with(client_of, olga, make, options):
    url, prefix = (ADD_LADDER, "points-ladder-") if make is make_ladder else (ADD_CUP, "")
    faults = faults_at(client_of(olga), url, **{f"{prefix}{name}": str(number) for name, number in options.items()})
    assert [text[:20] for texts in faults.values() for text in texts] == ["Ensure this value is"]


@pytest.mark.django_db
def test_a_ladder_with_the_largest_of_all_is_played_and_shown(client_of):
    ladder, entries = start_ladder(3, window_days=MAX_DAYS, rematch_days=MAX_DAYS, games_each=MAX_GAMES_EACH)
    assert pair(ladder) == 3
    recompute_tables(competition_id=ladder.pk, now=NOON)
    assert client_of(entries[0].player).get("/ladders/ladder/").status_code == 200


@pytest.mark.django_db
def test_a_round_of_the_most_days_begins():
    cup, _entries = start_cup(2, round_days=MAX_DAYS)
    assert (Round.objects.get(group__stage__competition=cup).ends_at - NOON).days == MAX_DAYS
