"""Players who came after the start, and whose entry is taken back: as if they had never come."""

from datetime import timedelta

import pytest
from django.test import Client

from tests.pages.html import text_of
from tests.tournaments.decisions.undoing import assert_same, begin, everything, faults_of, go_on
from tests.tournaments.verbs import NOON, admit, end, make_olga, make_players, move_in, running, withdraw
from tournaments.decisions.errors import NothingToTakeBack
from tournaments.decisions.services.undo.entries import take_back_entry
from tournaments.models import Fixture, Round

HOUR = timedelta(hours=1)
LATE = ["groups then knock-out", "mini cup", "round robin", "swiss"]
"""Recipes in which nothing is left of who came late."""

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def olga(db):
    return make_olga()


def take_back(entry, olga, now):
    take_back_entry(entry_id=entry.pk, confirm=False, actor=olga, reason="The wrong Anna.", now=now)
    go_on(entry.competition, now)


@pytest.mark.parametrize("name", LATE)
def test_nothing_is_left_of_a_latecomer_who_has_not_played(name, olga):
    competition = begin(name, 6, organiser=olga)
    end(running(competition)[0], None, NOON)
    withdraw(competition.entries.earliest("pk"), olga)
    go_on(competition, NOON)
    before = everything(competition)
    (late,) = make_players(1, "late")
    entry = admit(competition, late, olga, NOON + HOUR)
    go_on(competition, NOON + HOUR, pairs=False)
    assert everything(competition) != before
    take_back(entry, olga, NOON + 2 * HOUR)
    assert_same(everything(competition), before)
    assert faults_of(competition, NOON + 2 * HOUR) == []
    assert admit(competition, late, olga, NOON + 3 * HOUR).is_in


def test_the_last_to_come_is_in_the_round_that_they_would_have_had(olga):
    competition = begin("round robin", 4, organiser=olga)
    first, second = (admit(competition, each, olga, NOON + HOUR) for each in make_players(2, "late"))
    take_back(first, olga, NOON + 2 * HOUR)
    numbers = Round.objects.filter(group__stage__competition=competition).values_list("number", flat=True)
    assert sorted(numbers) == [1, 2, 3, 4]
    met = Fixture.objects.filter(competition=competition, round__number=4)
    assert met.count() == 4
    assert all(second in {each.yellow, each.red} for each in met.select_related("yellow", "red"))


def test_who_has_moved_or_was_there_at_the_start_is_only_withdrawn(olga):
    competition = begin("round robin", 3, organiser=olga)
    with pytest.raises(NothingToTakeBack, match="player-1 has not come after the start"):
        take_back(competition.entries.earliest("pk"), olga, NOON)
    entry = admit(competition, make_players(1, "late")[0], olga, NOON + HOUR)
    move_in(next(each for each in running(competition) if entry in {each.yellow, each.red}), NOON + HOUR)
    with pytest.raises(NothingToTakeBack, match="late-1 has played, or been drawn"):
        take_back(entry, olga, NOON + 2 * HOUR)
    assert withdraw(entry, olga, NOON + 2 * HOUR).left_at == NOON + 2 * HOUR


def test_pairings_of_a_swiss_with_a_latecomer_stand(olga):
    competition = begin("swiss", 3, organiser=olga)
    entry = admit(competition, make_players(1, "late")[0], olga, NOON + HOUR)
    for each in running(competition):
        end(each, None, NOON + 2 * HOUR)
    go_on(competition, NOON + 2 * HOUR)
    with pytest.raises(NothingToTakeBack, match="late-1 has played, or been drawn"):
        take_back(entry, olga, NOON + 3 * HOUR)


def test_the_page_offers_it_of_latecomers_and_says_what_follows(olga, time_machine):
    time_machine.move_to(NOON + 2 * HOUR, tick=False)
    competition = begin("round robin", 3, organiser=olga)
    entry = admit(competition, make_players(1, "late")[0], olga, NOON + HOUR)
    client = Client()
    client.force_login(olga)
    desk = f"/cups/{competition.slug}/organise/entries/"
    page = f"{desk}{entry.pk}/take-back-entry/"
    assert client.get(desk).content.decode().count("/take-back-entry/") == 1
    asked = text_of(client.get(page))
    assert "3 matches in which nobody has moved are withdrawn." in asked
    assert "late-1 is removed, as if they had never joined." in asked
    assert client.post(page, {"reason": "The wrong Anna."}).status_code == 302
    assert not competition.entries.filter(player__username="late-1").exists()
