"""A client that a generator makes of the API's description plays a match."""

import fcntl
import subprocess
import sys
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from matches.models import Match
from matches.services.verification import verify_match

pytestmark = pytest.mark.nightly

DESCRIPTION = Path(__file__).resolve().parents[2] / "docs" / "openapi.yaml"
PACKAGE = "kickabout_client"
MAX_TURNS = 500


@pytest.fixture(scope="module")
def generated() -> Path:
    """Return the folder with the package that the generator makes, once for all processes of the tests."""
    folder = Path(settings.DATA_DIR) / "client"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / PACKAGE).exists():
            generate(folder)
    return folder


def generate(folder: Path) -> None:
    """Make the package, which is there when it is whole; a warning of the generator's fails."""
    # The package is not formatted, which takes most of the time.
    (folder / "config.yaml").write_text("post_hooks: []\n")
    made = folder / "made"
    generator = Path(sys.executable).with_name("openapi-python-client")
    files = [f"--path={DESCRIPTION}", f"--config={folder / 'config.yaml'}", f"--output-path={made}"]
    done = subprocess.run(
        [generator, "generate", "--fail-on-warning", "--overwrite", "--meta=none", *files],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stdout + done.stderr
    made.rename(folder / PACKAGE)


@pytest.fixture
def kickabout(generated: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the package's clients, models and operations."""
    monkeypatch.syspath_prepend(generated)
    operations = {
        path.stem: import_module(f"{PACKAGE}.api.{path.parent.name}.{path.stem}")
        for path in generated.glob(f"{PACKAGE}/api/*/*.py")
        if path.stem != "__init__"
    }
    clients, models = import_module(f"{PACKAGE}.client"), import_module(f"{PACKAGE}.models")
    return SimpleNamespace(
        **{name: getattr(models, name) for name in models.__all__},
        **operations,
        Client=clients.Client,
        TokenClient=clients.AuthenticatedClient,
    )


def test_the_client_has_every_operation(kickabout: Any) -> None:
    names = {
        line.rpartition(" ")[2]
        for line in DESCRIPTION.read_text().splitlines()
        if line.startswith("      operationId:")
    }
    assert len(names) > 70
    assert [name for name in names if not hasattr(getattr(kickabout, name, None), "sync_detailed")] == []


def test_the_client_opens_a_match_and_plays_it_to_its_end(kickabout: Any, live_server: LiveServer) -> None:
    with ExitStack() as clients:
        visitor = clients.enter_context(kickabout.Client(base_url=live_server.url))
        guests = [kickabout.create_guest.sync(client=visitor) for _ in range(2)]
        yellow, red = (
            clients.enter_context(kickabout.TokenClient(base_url=live_server.url, token=guest.token.secret))
            for guest in guests
        )
        play_match(kickabout, visitor, yellow, red)


def play_match(kickabout: Any, visitor: Any, yellow: Any, red: Any) -> None:
    """Open a seek, take it, and play legal moves to the end of the match."""
    wanted = kickabout.NewSeekRequest(game="streetsoccer-online", colour=kickabout.Colour.YELLOW)
    seek = kickabout.open_seek.sync(client=yellow, body=wanted)
    assert [each.id for each in kickabout.list_seeks.sync(client=visitor).results] == [seek.id]
    match = kickabout.take_seek.sync(seek.id, client=red)
    names = [kickabout.get_me.sync(client=client).username for client in (yellow, red)]
    assert [match.players.yellow.username, match.players.red.username] == names

    source = Random(7)
    clients = {kickabout.Side.YELLOW: yellow, kickabout.Side.RED: red}
    for _ in range(MAX_TURNS):
        if match.outcome is not None:
            break
        client = clients[match.turn]
        match = kickabout.get_match.sync(match.id, client=client)
        move = kickabout.NewMoveRequest(ply=match.ply, text=source.choice(match.legal_moves))
        played = kickabout.play_move.sync(match.id, client=client, body=move)
        assert isinstance(played, kickabout.PlayedMove), played
        match = played.match
    assert match.status is kickabout.MatchStatus.FINISHED
    assert match.outcome.ending in set(kickabout.Ending)
    assert verify_match(match=Match.objects.get(pk=match.id)) == []

    refused = kickabout.resign_match.sync(match.id, client=yellow)
    assert refused.code is kickabout.ProblemCode.MATCH_OVER
