"""A competition is the ladder or the cup that it is however it was read, and knows its first stage."""

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from formats.options import write_options
from formats.protocol import Flow
from formats.registry import FORMATS
from tests.tournaments.verbs import enter_all, make_cup, make_ladder, make_players
from tournaments.models import Competition, Cup, Entry, Ladder, Stage
from tournaments.office.services.locks import lock_competition
from tournaments.records.competitions import get_cup, list_competitions

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def test_a_competition_is_read_as_what_it_is():
    cup, ladder = make_cup(), make_ladder()
    enter_all(ladder, make_players(1))
    assert {type(each) for each in Competition.objects.filter(pk=cup.pk)} == {Cup}
    assert type(Entry.objects.select_related("competition").get().competition) is Ladder
    assert type(Entry.objects.get().competition) is Ladder
    assert type(lock_competition(competition_id=cup.pk)) is Cup
    assert (cup.get_absolute_url(), ladder.get_absolute_url()) == ("/cups/cup/", "/ladders/ladder/")
    assert Competition.objects.get(pk=cup.pk) == cup


def test_ladders_and_cups_are_listed_apart():
    cup, ladder = make_cup(), make_ladder()
    assert (list(Cup.objects.all()), list(Ladder.objects.all())) == ([cup], [ladder])
    assert not Ladder.objects.filter(pk=cup.pk).exists()


def test_a_competition_is_of_a_known_kind():
    cup = make_cup()
    with pytest.raises(IntegrityError, match="competition_kind_known"):
        Competition.objects.filter(pk=cup.pk).update(kind="league")


@pytest.mark.parametrize("key", FORMATS)
def test_a_stage_stores_all_options_and_the_usual_order_of_its_table(key):
    make = make_ladder if FORMATS[key].flow is Flow.CONTINUOUS else make_cup
    usual = {"challenges_by": "in-time"} if key == "challenge-ladder" else {}
    stage = make(format=key, tiebreaks=[], **usual).first_stage
    assert stage.format_spec is FORMATS[key]
    assert stage.chosen_options == FORMATS[key].options()
    assert stage.options == write_options(stage.chosen_options)
    assert stage.tiebreaks == list(FORMATS[key].tiebreaks)


def test_the_first_stage_is_read_once_and_with_a_list_not_at_all():
    cup = make_cup()
    Stage.objects.create(competition=cup, number=2, format="round-robin")
    with CaptureQueriesContext(connection) as read:
        assert [cup.first_stage.number, cup.first_stage.format] == [1, "knock-out"]
    assert len(read) == 1
    for listed in (get_cup("cup"), list_competitions()[0], Cup.objects.prefetch_related("stages").get()):
        with CaptureQueriesContext(connection) as read:
            assert listed.first_stage.format == "knock-out"
        assert len(read) == 0


def test_a_competition_that_is_read_anew_forgets_its_stage():
    cup = get_cup(make_cup().slug)
    assert cup.first_stage.round_days is None
    cup.stages.update(round_days=3)
    cup.refresh_from_db()
    assert cup.first_stage.round_days == 3
