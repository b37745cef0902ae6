"""Titles follow from winners, no matter who changes these, and `recompute` compares and mends them."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from players.models import Player
from rules_engine.values import Side
from tests.tournaments import verbs
from tests.tournaments.making.test_championships import let_the_better_win, make_championship
from tests.tournaments.rounds.test_levels import let_win, start_levels, work
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.models import Competition, CompetitionStatus, Title
from tournaments.models.title_names import TitleKind
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
WHY = "It was the other board."


@pytest.fixture
def olga():
    return Player.objects.create(username="olga", is_superuser=True)


def titles():
    return list(Title.objects.order_by("pk").values_list("player__username", "kind", "family", "won_at"))


def decide_final(olga, **options):
    """Return a cup of two that an organiser has decided, and its only match."""
    cup, _entries = verbs.start_cup(2, **options)
    (fixture,) = verbs.running(cup)
    decided = {"winner": Side.YELLOW, "actor": olga, "reason": WHY, "now": NOON + HOUR}
    adjudicate_fixture(fixture_id=fixture.pk, **decided)
    verbs.settle_all(NOON + HOUR)
    recompute_stale(now=NOON + HOUR)
    return Competition.objects.get(pk=cup.pk), fixture


@pytest.mark.parametrize("options", [{"legs": 1}, ROUND_ROBIN], ids=["bracket", "table"])
def test_a_title_comes_with_the_end_and_goes_when_the_decision_is_taken_back(olga, options):
    cup, fixture = decide_final(olga, **options)
    assert titles() == [(fixture.yellow.player.username, TitleKind.CUP, "streetsoccer", NOON + HOUR)]
    take_back_decision(fixture_id=fixture.pk, confirm=False, actor=olga, reason=WHY, now=NOON + 2 * HOUR)
    cup.refresh_from_db()
    assert (cup.status, titles()) == (CompetitionStatus.RUNNING, [])
    (again,) = verbs.running(cup)
    verbs.end(again, Side.RED, NOON + 3 * HOUR)
    recompute_stale(now=NOON + 3 * HOUR)
    assert titles() == [(again.red.player.username, TitleKind.CUP, "streetsoccer", NOON + 3 * HOUR)]
    call_command("recompute", "--check")


@pytest.mark.parametrize("options", [{"legs": 1}, ROUND_ROBIN], ids=["bracket", "table"])
@pytest.mark.parametrize("is_gone", [True, False], ids=["gone", "of another"])
def test_recompute_tells_of_a_wrong_title_and_mends_it(olga, options, is_gone, capsys):
    _cup, fixture = decide_final(olga, **options)
    right = titles()
    if is_gone:
        Title.objects.all().delete()
    else:
        Title.objects.update(player=fixture.red.player)
    with pytest.raises(CommandError):
        call_command("recompute", "--check")
    assert "the title is " in capsys.readouterr().out
    call_command("recompute")
    assert titles() == right


def test_the_winner_of_the_first_league_is_champion(olga):
    players = verbs.make_players(12)
    cup, _series = make_championship(olga, players)
    verbs.start(cup)
    let_the_better_win(cup, [player.username for player in players])
    assert cup.winner is not None
    assert titles() == [(cup.winner.player.username, TitleKind.CHAMPION, "streetsoccer", cup.finished_at)]
    call_command("recompute", "--check")


def test_the_player_in_first_place_at_the_highest_level_wins_the_mini_cup():
    cup, _players = start_levels(3)
    let_win(cup, 1, "1", "2", "3")
    work(cup)
    verbs.close_entry(cup)
    assert [each[:2] for each in titles()] == [("player-1", TitleKind.MINI_CUP)]


def test_a_cup_without_a_winner_gives_no_title():
    cup = verbs.make_cup()
    Competition.objects.filter(pk=cup.pk).update(status=CompetitionStatus.CANCELLED, finished_at=NOON)
    assert titles() == []
    call_command("recompute", "--check")
