"""Corrected results: what was played stays readable, and everything else follows from what was decided."""

import pytest
from django.test import Client

from matches.services.resignation import resign
from players.models import Rating
from rules_engine.values import Ending, Side
from tests.matches.play import move_both
from tests.tournaments.decisions.undoing import assert_same, begin, everything, faults_of, go_on
from tests.tournaments.verbs import NOON, correct, end, make_olga, running, settle_all
from tournaments.decisions.errors import InvalidResult, NothingToTakeBack
from tournaments.decisions.services.undo.corrections import take_back_correction, what_follows_from_correcting
from tournaments.decisions.services.undo.decisions import take_back_decision
from tournaments.models import Competition, CompetitionStatus, Fixture, Title

pytestmark = pytest.mark.django_db

AS_USUAL = dict.fromkeys(("points_yellow", "points_red", "goals_yellow", "goals_red")) | {"is_rated": True}


@pytest.fixture
def olga(db):
    return make_olga()


@pytest.fixture
def played(olga):
    """Return a knock-out of four that Yellow of each match has won, and its final."""
    cup = begin("knock-out", 4, organiser=olga)
    while going_on := running(cup):
        for each in going_on:
            move_both(each.match)
            end(each, Side.YELLOW, NOON)
        go_on(cup, NOON)
    assert cup.status == CompetitionStatus.FINISHED
    return cup, Fixture.objects.get(competition=cup, tie__part="main", tie__round__number=2)


def take_back(fixture, olga):
    take_back_correction(fixture_id=fixture.pk, confirm=True, actor=olga, reason="No.", now=NOON)


def test_a_corrected_final_passes_the_title_on_and_comes_back(played, olga):
    cup, final = played
    before = everything(cup)
    foreseen = what_follows_from_correcting(fixture_id=final.pk, now=NOON, winner=Side.RED, **AS_USUAL)
    assert f"{final.red} wins the competition instead of {final.yellow}." in foreseen.sentences
    fixture = correct(final, Side.RED, olga)
    go_on(cup, NOON)
    assert "by decision" in Client().get(cup.get_absolute_url()).content.decode()
    assert (fixture.ending, fixture.match.winner) == (Ending.ADJUDICATION, Side.YELLOW)
    assert (cup.status, cup.winner) == (CompetitionStatus.FINISHED, final.red)
    assert Title.objects.get(competition=cup, kind="cup").player == final.red.player
    won = dict(Rating.objects.values_list("player", "wins"))
    assert won[final.red.player_id] == 2
    assert won[final.yellow.player_id] == 1
    assert faults_of(cup, NOON) == []
    take_back(final, olga)
    go_on(cup, NOON)
    assert_same(everything(cup), before)


def test_a_corrected_semi_final_lets_the_final_be_played_by_others_until_it_is_taken_back(played, olga):
    cup, _final = played
    before = everything(cup)
    semi = Fixture.objects.filter(competition=cup, tie__round__number=1).order_by("pk").first()
    correct(semi, Side.RED, olga)
    go_on(cup, NOON)
    assert cup.status == CompetitionStatus.RUNNING
    assert not Title.objects.filter(competition=cup).exists()
    assert semi.red in {entry for each in running(cup) for entry in (each.yellow, each.red)}
    take_back(semi, olga)
    go_on(cup, NOON)
    assert_same(everything(cup), before)


def test_the_last_correction_counts_and_one_that_is_not_rated_takes_the_match_out(played, olga):
    cup, final = played
    correct(final, Side.RED, olga, is_rated=False, goals_red=7)
    go_on(cup, NOON)
    final.refresh_from_db()
    assert final.goals_red == 7
    assert Rating.objects.get(player=final.red.player).games == 1
    correct(final, Side.YELLOW, olga, points_yellow=3, points_red=2)
    go_on(cup, NOON)
    assert Rating.objects.get(player=final.red.player).games == 2
    take_back(final, olga)
    take_back(final, olga)
    with pytest.raises(NothingToTakeBack):
        take_back(final, olga)
    assert Competition.objects.get(pk=cup.pk).winner == final.yellow


def play_resigned(recipe, olga):
    """Return the last match of a competition of four in which Red resigns every match."""
    cup = begin(recipe, 4, organiser=olga)
    while going_on := running(cup):
        for each in going_on:
            move_both(each.match)
            resign(match_id=each.match_id, player=each.red.player, now=NOON)
        settle_all(NOON)
        go_on(cup, NOON)
    return cup, Fixture.objects.filter(competition=cup, is_annulled=False).latest("pk")


def pages_of(cup, fixture):
    """Return every page, feed and answer that tells the result of a fixture, by its URL."""
    own, api = cup.get_absolute_url(), f"/api/v1/competitions/{cup.slug}/"
    urls = [
        fixture.match.get_absolute_url(),
        f"/players/{fixture.red.player.username}/",
        *(f"{own}{page}" for page in ("", "feed/", "export/results.csv", "export/results.json")),
        *([f"{own}embed/", f"{api}bracket/"] if fixture.tie_id else []),
        f"{api}fixtures/",
        f"/api/v1/matches/{fixture.match_id}/",
    ]
    return {url: Client().get(url) for url in urls}


MARKS = ("by decision", '"by_decision":true', '"by_decision": true', ",true,")


@pytest.mark.parametrize("recipe", ["knock-out", "round robin"])
def test_whatever_tells_a_corrected_result_says_that_it_is_by_decision(recipe, olga):
    cup, last = play_resigned(recipe, olga)

    def marked():
        found = {}
        for url, answer in pages_of(cup, last).items():
            assert (url, answer.status_code) == (url, 200)
            text = answer.getvalue().decode().replace("(*) are by decision", "").lower()
            found[url] = any(mark in text for mark in MARKS)
        return found

    assert not any(marked().values())
    correct(last, Side.RED, olga, goals_red=7)
    go_on(cup, NOON)
    assert [url for url, is_marked in marked().items() if not is_marked] == []
    assert faults_of(cup, NOON) == []
    take_back(last, olga)
    go_on(cup, NOON)
    assert not any(marked().values())


def test_the_pages_of_a_match_and_of_its_player_tell_the_result_that_counts(olga):
    _cup, last = play_resigned("knock-out", olga)
    correct(last, Side.RED, olga, goals_red=7)
    name = last.red.player.username
    page = Client().get(last.match.get_absolute_url()).content.decode()
    assert f"{name} wins" in page
    assert "0–7" in page
    assert "The match itself ended 0–0." in page
    assert '<span class="score">0–7</span>' in Client().get(f"/players/{name}/").content.decode()


def test_points_are_what_the_competition_gives_and_a_correction_is_taken_back_as_one(played, olga):
    _cup, final = played
    with pytest.raises(InvalidResult, match="5–0, 4–1, 3–2"):
        correct(final, Side.YELLOW, olga, points_yellow=5, points_red=4)
    correct(final, Side.RED, olga)
    with pytest.raises(NothingToTakeBack, match="corrected"):
        take_back_decision(fixture_id=final.pk, confirm=True, actor=olga, reason="No.", now=NOON)
