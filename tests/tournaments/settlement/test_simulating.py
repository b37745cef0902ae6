"""Whole events played through by computers, from the first entry to the last place."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from matches.models import Match
from matches.services.verifying import verify_match
from tournaments.models import Event, EventStatus, Fixture, Standing
from tournaments.services import simulating

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.mark.parametrize(
    ("event", "game", "least", "most"),
    [
        ("cup", "streetsoccer-board", 8, 16),
        ("round-robin", "streetsoccer-board", 6, 6),
        ("ladder", "streetsoccer-board", 7, 7),
        ("challenge-ladder", "streetsoccer-board", 7, 7),
        pytest.param("cup", "paper-soccer", 8, 16, marks=pytest.mark.once),
        pytest.param("ladder", "paper-soccer", 7, 7, marks=pytest.mark.once),
        pytest.param("round-robin", "paper-soccer-1", 6, 6, marks=pytest.mark.once),
    ],
)
def test_an_event_is_played_to_its_end(
    event: str, game: str, least: int, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("simulate", event=event, game=game, players=4, matches=7, seed=1)
    assert "nothing waits" in capsys.readouterr().out
    assert Event.objects.get().status == EventStatus.FINISHED
    assert least <= Fixture.objects.filter(counted_at__isnull=False).count() <= most
    assert Standing.objects.count() == 4
    assert [verify_match(match=match) for match in Match.objects.all()] == [[]] * Match.objects.count()
    call_command("recompute", "--check")


def test_what_is_not_as_it_should_be_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    really = simulating.verify_event

    def verify_spoilt(**given: object) -> list[str]:
        Standing.objects.filter(place=1).update(points=99)
        return really(**given)  # type: ignore[arg-type]

    monkeypatch.setattr(simulating, "verify_event", verify_spoilt)
    with pytest.raises(CommandError, match="1 things are not"):
        call_command("simulate", event="round-robin", players=2)
    assert "points 99" in capsys.readouterr().out


def test_one_player_is_no_event() -> None:
    with pytest.raises(CommandError, match="two players"):
        call_command("simulate", players=1)
