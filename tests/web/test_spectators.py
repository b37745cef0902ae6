"""Pages of visitors are read from a replica; those of players, and everything while it is away, from the primary."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import InterfaceError, OperationalError, ProgrammingError, connection, connections
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext

from database import replica
from database.replica import REPLICA, read_alias, reading_replica
from matches.models import Match
from players.models import Player
from tests.matches.conftest import StartMatch, anna, begin, piotr
from tests.matches.play import YELLOW_SET_UP, act
from tests.tournaments.verbs import make_ladder
from tournaments.models import Competition
from web.pages.spectators import for_spectators

__all__ = ["anna", "begin", "piotr"]

pytestmark = pytest.mark.django_db(transaction=True)

MakeReplica = Callable[[], None]
READ_HERE = ["/ladders/", "/ladders/large/", "/cups/", "/hall-of-fame/", "/players/", "/series/"]


@pytest.fixture
def make_replica(settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeReplica]:
    """Give a function that makes a replica of the database as it is, which then falls behind."""
    monkeypatch.setattr(replica._Outage, "until", 0.0)
    path = tmp_path / "replica.sqlite3"

    def make() -> None:
        with sqlite3.connect(path) as copy:
            connection.ensure_connection()
            connection.connection.backup(copy)
        made = {**connections.databases["default"], "NAME": str(path)}
        connections.databases[REPLICA] = made
        # The tests' guard forbids connections to databases that the settings do not have.
        connections[REPLICA].connect()
        settings.DATABASE_ROUTERS = ["database.replica.ReplicaRouter"]

    yield make
    if REPLICA in connections.databases:
        connections[REPLICA].close()
        del connections[REPLICA]
        del connections.databases[REPLICA]


def asks(client: Client, url: str) -> tuple[int, int]:
    """Return how many queries a page sends to the replica and to the primary."""
    with CaptureQueriesContext(connections[REPLICA]) as behind, CaptureQueriesContext(connection) as primary:
        assert client.get(url).status_code == 200
    return len(behind), len(primary)


@pytest.fixture
def ladder() -> Competition:
    return make_ladder(slug="large", name="Large")


def test_a_visitor_sees_the_replica_and_a_player_the_primary(
    make_replica: MakeReplica, begin: StartMatch, anna: Player
) -> None:
    match = begin()
    make_replica()
    act(match, YELLOW_SET_UP)
    page = match.get_absolute_url()
    visitor, player = Client(), Client()
    player.force_login(anna)
    assert visitor.get(page).context["match"].ply == 0
    assert player.get(page).context["match"].ply == 1
    behind, primary = asks(visitor, page)
    assert behind > 0
    assert primary == 0
    assert asks(player, page)[0] == 0
    # What a page asks for when it hears of a move is as new as the move.
    assert asks(visitor, f"{page}updates/")[0] == 0


@pytest.mark.parametrize("url", READ_HERE)
def test_pages_that_visitors_look_at_ask_the_replica_alone(
    url: str, make_replica: MakeReplica, ladder: Competition
) -> None:
    make_replica()
    assert asks(Client(), url)[1] == 0


def test_a_request_with_a_session_or_a_token_reads_from_the_primary(make_replica: MakeReplica, settings) -> None:
    make_replica()
    with_session = Client()
    with_session.cookies[settings.SESSION_COOKIE_NAME] = "x"
    for client in (Client(headers={"Authorization": "Bearer x"}), with_session):
        assert asks(client, "/players/")[0] == 0


def test_a_match_that_the_replica_does_not_have_yet_is_read_from_the_primary(
    make_replica: MakeReplica, begin: StartMatch
) -> None:
    make_replica()
    assert Client().get(begin().get_absolute_url()).status_code == 200
    assert Client().get("/matches/99999/").status_code == 404


def test_while_the_replica_is_away_everything_is_read_from_the_primary(
    make_replica: MakeReplica, begin: StartMatch, caplog: pytest.LogCaptureFixture
) -> None:
    make_replica()
    match = begin()
    with connections[REPLICA].cursor() as cursor:
        cursor.execute("DROP TABLE matches_match")
    for _ in range(2):
        assert Client().get(match.get_absolute_url()).status_code == 200
    assert caplog.text.count("replica_away") == 1


def test_writes_go_to_the_primary_while_reads_go_to_the_replica(make_replica: MakeReplica, begin: StartMatch) -> None:
    match = begin()
    make_replica()
    with reading_replica():
        assert read_alias() == REPLICA
        Match.objects.filter(pk=match.pk).update(extensions=3)
        found = Match.objects.get(pk=match.pk)
        assert found.extensions == 0
        Player.objects.create(username="carla")
    assert Match.objects.get(pk=match.pk).extensions == 3
    assert Player.objects.filter(username="carla").exists()


@pytest.mark.parametrize("error", [OperationalError, InterfaceError, ProgrammingError])
def test_the_primary_does_what_the_replica_cannot_and_a_fault_of_ours_stays_one(
    error: type[Exception], make_replica: MakeReplica
) -> None:
    make_replica()

    @for_spectators
    def lagging(request: HttpRequest) -> HttpResponse:
        if read_alias() == REPLICA:
            raise error("column does not exist")
        return HttpResponse("from the primary")

    @for_spectators
    def faulty(request: HttpRequest) -> HttpResponse:
        raise error("column does not exist")

    answered = lagging(RequestFactory().get("/"))
    assert isinstance(answered, HttpResponse)
    assert answered.content == b"from the primary"
    replica._Outage.until = 0.0
    with pytest.raises(error):
        faulty(RequestFactory().get("/"))
