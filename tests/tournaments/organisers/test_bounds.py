"""Options with numbers so large that nothing could be reckoned with them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import IntegrityError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import StateApps

from tests.pages.html import text_of
from tests.tournaments.competitions.running import NOON, enter_all, make_cup, make_ladder, make_players, start
from tests.tournaments.organisers.test_admin import LADDER, filled
from tournaments.models import Cup, Ladder, Round
from tournaments.models.competition import MAX_DAYS
from tournaments.models.ladder import MAX_GAMES_EACH
from tournaments.services.ladders.new_games import pair_ladder
from tournaments.services.standings import recompute_standings

TOO_MUCH = [
    (make_ladder, {"window_days": MAX_DAYS + 1}),
    (make_ladder, {"rematch_days": MAX_DAYS + 1}),
    (make_ladder, {"games_each": MAX_GAMES_EACH + 1}),
    (make_ladder, {"games_each": 0}),
    (make_cup, {"round_days": MAX_DAYS + 1}),
    (make_cup, {"round_days": 0}),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("make", "options"), TOO_MUCH)
def test_no_competition_is_stored_with_them(make, options):
    with pytest.raises(IntegrityError, match="_bounded"):
        make(**options)


@pytest.mark.django_db
@pytest.mark.parametrize(("make", "options"), TOO_MUCH)
def test_organisers_are_told_what_can_be_reckoned_with(client_of, olga, make, options):
    kind = "ladder" if make is make_ladder else "cup"
    texts = {name: str(number) for name, number in options.items()}
    sent = filled(**(LADDER if make is make_ladder else {}) | texts)
    answer = client_of(olga).post(f"/admin/tournaments/{kind}/add/", sent)
    assert answer.status_code == 200
    assert "Ensure this value is" in text_of(answer)


@pytest.mark.django_db
def test_a_ladder_with_the_largest_of_all_is_played_and_shown(client_of):
    ladder = make_ladder(window_days=MAX_DAYS, rematch_days=MAX_DAYS, games_each=MAX_GAMES_EACH)
    players = make_players(3)
    enter_all(ladder, players)
    start(ladder)
    assert pair_ladder(ladder_id=ladder.pk, now=NOON) == 3
    recompute_standings(competition_id=ladder.pk, now=NOON)
    assert client_of(players[0]).get("/ladders/ladder/").status_code == 200


@pytest.mark.django_db
def test_a_round_of_the_most_days_begins():
    cup = make_cup(round_days=MAX_DAYS)
    enter_all(cup, make_players(2))
    start(cup)
    assert (Round.objects.get(cup=cup).ends_at - NOON).days == MAX_DAYS


def migrate(name: str) -> StateApps:
    """Bring the tournaments' tables to this migration, and return the models of then."""
    executor = MigrationExecutor(connection)
    return executor.migrate([("tournaments", name)]).apps


@pytest.fixture
def earlier(transactional_db: None) -> Iterator[StateApps]:
    """Yield the models as they were before there were bounds; afterwards the tables are as they were."""
    yield migrate("0007_free_places_from_their_index")
    executor = MigrationExecutor(connection)
    executor.migrate([node for node in executor.loader.graph.leaf_nodes() if node[0] == "tournaments"])


def test_competitions_that_had_them_have_the_largest_that_works(earlier):
    shared = {"game": "streetsoccer-board", "created_at": NOON}
    ladders, cups = earlier.get_model("tournaments", "Ladder"), earlier.get_model("tournaments", "Cup")
    ladders.objects.create(slug="much", window_days=999_999, rematch_days=2_000_000_000, games_each=1_000_000, **shared)
    ladders.objects.create(slug="usual", window_days=0, rematch_days=0, games_each=0, **shared)
    cups.objects.create(slug="long", round_days=999_999_999, **shared)
    cups.objects.create(slug="free", round_days=None, **shared)
    migrate("0009_bound_options")
    numbers = ("window_days", "rematch_days", "games_each")
    assert list(Ladder.objects.order_by("pk").values_list(*numbers)) == [
        (MAX_DAYS, MAX_DAYS, MAX_GAMES_EACH),
        (0, 0, 1),
    ]
    assert list(Cup.objects.order_by("pk").values_list("round_days", flat=True)) == [MAX_DAYS, None]
