"""Whole competitions played through by computers, from the first entry to the last place."""

from collections import Counter
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from matches.models import Match
from matches.services.verification import verify_match
from players.models import Player
from simulations import simulation
from tests.marks import nightly_rows
from tournaments.models import Competition, CompetitionStatus, Fixture, LogEntry, Standing
from tournaments.running.services.verification import verify_competition

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("recipe", "game", "least", "most"),
    [
        pytest.param("knock-out", "streetsoccer-board", 8, 16, marks=pytest.mark.nightly),
        pytest.param("double-elimination", "streetsoccer-board", 12, 28, marks=pytest.mark.nightly),
        pytest.param("round-robin", "streetsoccer-board", 6, 6, marks=pytest.mark.nightly),
        ("mini-cup", "paper-soccer", 6, 6),
        pytest.param("monthly-cup", "paper-soccer", 6, 6, marks=pytest.mark.nightly),
        ("points-ladder", "streetsoccer-board", 7, 7),
        pytest.param("challenge-ladder", "streetsoccer-board", 7, 7, marks=pytest.mark.nightly),
        pytest.param("knock-out", "paper-soccer", 8, 16, marks=pytest.mark.nightly),
        pytest.param("points-ladder", "paper-soccer", 7, 7, marks=pytest.mark.nightly),
        pytest.param("round-robin", "paper-soccer-1", 6, 6, marks=pytest.mark.nightly),
    ],
)
def test_a_competition_is_played_to_its_end(
    recipe: str, game: str, least: int, most: int, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("simulate", recipe=recipe, game=game, players=4, matches=7, seed=1)
    assert "nothing waits" in capsys.readouterr().out
    assert Competition.objects.get().status == CompetitionStatus.FINISHED
    assert least <= Fixture.objects.filter(counted_at__isnull=False).count() <= most
    # A player who comes to a mini cup when a group of three has begun waits for two more.
    assert Standing.objects.count() == (3 if recipe == "mini-cup" else 4)
    assert [verify_match(match=match) for match in Match.objects.all()] == [[]] * Match.objects.count()
    call_command("recompute", "--check")


def test_a_league_of_teams_is_played_for_two_seasons_with_substitutes_and_withdrawals() -> None:
    call_command("simulate", recipe="team-league", game="paper-soccer", players=25, moves=2, seasons=2)
    leagues = list(Competition.objects.order_by("season"))
    # A team of six is four at the boards and two substitutes; one of 25 players is left over, and one team withdraws.
    assert [(each.boards, each.entries.count()) for each in leagues] == [(4, 4), (4, 3)]
    assert [Fixture.objects.filter(competition=each).count() for each in leagues] == [6 * 4, 3 * 4]
    assert {each.status for each in leagues} == {CompetitionStatus.FINISHED}
    first = Fixture.objects.filter(competition=leagues[0])
    substitutes = set(first.filter(round__number__gt=1).values_list("yellow_player", flat=True)) - {None}
    assert substitutes - set(first.filter(round__number=1).values_list("yellow_player", flat=True))
    assert not Match.objects.filter(fixture=None).exists()
    call_command("recompute", "--check")


def test_a_cup_of_teams_is_played_with_players_who_never_move_and_acts_of_organisers() -> None:
    call_command("simulate", recipe="team-cup", game="paper-soccer", players=24, moves=2, absent=3, bank=600, acts=10)
    cup = Competition.objects.get()
    assert (cup.status, cup.boards, cup.entries.count()) == (CompetitionStatus.FINISHED, 4, 4)
    counting = Fixture.objects.filter(competition=cup, is_annulled=False)
    by_tie = Counter(counting.values_list("tie", flat=True))
    # A team that withdraws without having played leaves a tie without boards.
    assert len(by_tie) in {2, 3}
    assert set(by_tie.values()) == {4}
    call_command("recompute", "--check")


@pytest.mark.parametrize("username", ["anna", "sim-anna", "computer-of-anna"])
def test_a_site_on_which_somebody_has_an_account_is_left_as_it_is(username: str) -> None:
    make_computers()
    Player.objects.create(username=username, is_computer=username == "computer-of-anna", date_joined=timezone.now())
    players = Player.objects.count()
    with pytest.raises(CommandError, match=f"in use: {username} has an account"):
        call_command("simulate", recipe="knock-out", players=2)
    assert (Player.objects.count(), Competition.objects.count(), Match.objects.count()) == (players, 0, 0)


def test_a_site_of_simulations_takes_another_one() -> None:
    make_computers()
    for seed in (1, 2):
        call_command("simulate", recipe="knock-out", game="paper-soccer", players=2, moves=1, seed=seed)
    assert Competition.objects.count() == 2


def make_computers() -> None:
    for level in ("novice", "club"):
        username = f"computer-{level}"
        Player.objects.get_or_create(
            username=username, defaults={"is_computer": True, "level": level, "date_joined": timezone.now()}
        )


def test_matches_are_resigned_before_they_get_long() -> None:
    # The side that resigns depends on the id of the match: in 21 matches both sides do.
    call_command("simulate", recipe="round-robin", game="paper-soccer", players=7, moves=2)
    assert set(Match.objects.values_list("ending", flat=True)) == {"resignation"}
    assert {match.ply for match in Match.objects.all()} == {1, 2}
    assert {match.winner for match in Match.objects.all()} == {"yellow", "red"}


def test_a_simulation_tells_what_is_not_as_it_should_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    really = verify_competition

    def verify_spoilt(**given: object) -> list[str]:
        Standing.objects.filter(place=1).update(points=99)
        return really(**given)  # type: ignore[arg-type]

    monkeypatch.setattr(simulation, "verify_competition", verify_spoilt)
    with pytest.raises(CommandError, match="1 things are not"):
        call_command("simulate", recipe="round-robin", players=2)
    assert "points 99" in capsys.readouterr().out


@pytest.mark.nightly
def test_seasons_of_a_championship_follow_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("simulate", recipe="championship", game="paper-soccer", players=12, moves=1, seasons=2, seed=3)
    assert "nothing waits" in capsys.readouterr().out
    first, second = Competition.objects.order_by("season")
    assert (first.status, second.status) == (CompetitionStatus.FINISHED, CompetitionStatus.FINISHED)
    # One has withdrawn, two skip the second season, and three are new, so that all places are taken.
    players = [set(each.entries.values_list("player", flat=True)) for each in (first, second)]
    gone = set(first.entries.filter(status="gone").values_list("player", flat=True))
    assert (len(players[1]), len(players[0] & players[1]), len(gone & players[1])) == (12, 9, 0)
    call_command("recompute", "--check")


@pytest.mark.nightly
def test_months_of_a_monthly_cup_follow_each_other_to_the_final_of_the_year() -> None:
    call_command("simulate", recipe="monthly-cup", game="paper-soccer", players=12, moves=1, seasons=2, seed=3)
    first, second = Competition.objects.filter(season__isnull=False).order_by("season")
    assert {first.status, second.status} == {CompetitionStatus.FINISHED}
    assert [each.stages.count() for each in (first, second)] == [2, 2]
    # The winners of the groups of January play on in February, when the next cup begins.
    assert first.started_at is not None
    assert second.started_at is not None
    assert first.finished_at is not None
    year = first.started_at.year
    assert [(each.month, each.day) for each in (first.started_at, second.started_at)] == [(1, 1), (2, 1)]
    assert first.finished_at > second.started_at
    winners = {each.winner.player for each in (first, second) if each.winner is not None}
    final = Competition.objects.filter(final_of=year).first()
    assert (final is not None) == (len(winners) > 1)
    if final is not None:
        assert (final.status, final.entries.count()) == (CompetitionStatus.FINISHED, 2)


@pytest.mark.nightly
def test_some_players_lose_on_time() -> None:
    # A player who never moves is out after some losses on time. With which colours depends on the draw: in one
    # of forty leagues all have the same.
    for seed in (5, 6, 7, 8):
        options = {"players": 5, "moves": 1, "absent": 2, "seed": seed}
        call_command("simulate", recipe="championship", game="paper-soccer", **options)
    ended = Match.objects.filter(ending="timeout").values_list("yellow__is_computer", "red__is_computer")
    assert set(ended) >= {(True, False), (False, True)}
    assert (True, True) not in set(ended)
    call_command("recompute", "--check")


@pytest.mark.parametrize(("acts", "seasons"), nightly_rows([(15, 1), (30, 2)]))
def test_organisers_act_while_some_players_are_absent(acts: int, seasons: int) -> None:
    options = {"players": 9, "moves": 1, "absent": 3, "acts": acts, "seasons": seasons}
    call_command("simulate", recipe="championship", game="paper-soccer", seed=5, **options)
    acted = set(LogEntry.objects.exclude(actor=None).filter(reason="simulated").values_list("action", flat=True))
    assert len(acted) >= 3
    call_command("recompute", "--check")


@pytest.mark.parametrize(
    ("recipe", "players"),
    [
        ("double-elimination", 5),
        ("groups-then-knock-out", 5),
        *nightly_rows([("double-elimination", 3), ("double-elimination", 16), ("groups-then-knock-out", 2)]),
    ],
)
def test_brackets_of_any_size_are_played_to_their_end(recipe: str, players: int) -> None:
    # Whole matches are played above: how a match has ended is nothing to a bracket of another size.
    call_command("simulate", recipe=recipe, game="paper-soccer", players=players, seed=players, moves=4)
    call_command("recompute", "--check")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"recipe": "knock-out", "players": 1}, "at least 2 players"),
        ({"recipe": "points-ladder", "players": 1}, "at least 2 players"),
        ({"recipe": "double-elimination", "players": 2}, "at least 3 players"),
        ({"recipe": "team-league", "players": 11}, "at least 12 players"),
        ({"recipe": "knock-out", "players": 4, "absent": 5}, "all of the 4 players are absent"),
        ({"recipe": "championship", "players": 4, "seasons": 0}, "at least one"),
        ({"recipe": "points-ladder", "players": 4, "seasons": 2}, "A ladder has no end"),
    ],
)
def test_what_cannot_be_simulated_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("simulate", **options)
