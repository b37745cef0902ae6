"""Whole competitions played through by computers, from the first entry to the last place."""

from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command

from matches.models import Match
from matches.services.verification import verify_match
from tournaments.models import Competition, CompetitionStatus, Fixture, Standing
from tournaments.services import simulation
from tournaments.services.verification import verify_competition

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.mark.parametrize(
    ("competition", "game", "least", "most"),
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
def test_a_competition_is_played_to_its_end(
    competition: str, game: str, least: int, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("simulate", competition=competition, game=game, players=4, matches=7, seed=1)
    assert "nothing waits" in capsys.readouterr().out
    assert Competition.objects.get().status == CompetitionStatus.FINISHED
    assert least <= Fixture.objects.filter(counted_at__isnull=False).count() <= most
    assert Standing.objects.count() == 4
    assert [verify_match(match=match) for match in Match.objects.all()] == [[]] * Match.objects.count()
    call_command("recompute", "--check")


def test_what_is_not_as_it_should_be_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    really = verify_competition

    def verify_spoilt(**given: object) -> list[str]:
        Standing.objects.filter(place=1).update(points=99)
        return really(**given)  # type: ignore[arg-type]

    monkeypatch.setattr(simulation, "verify_competition", verify_spoilt)
    with pytest.raises(CommandError, match="1 things are not"):
        call_command("simulate", competition="round-robin", players=2)
    assert "points 99" in capsys.readouterr().out


def test_one_player_is_no_competition() -> None:
    with pytest.raises(CommandError, match="two players"):
        call_command("simulate", players=1)
