"""Options of formats in the admin: their fields, what is refused, and what can still be changed."""

from __future__ import annotations

import pytest
from django.test import Client

from formats.options import InvalidOptions, options_of, write_options
from formats.registry import FORMATS
from tests.pages.html import text_of
from tests.tournaments.conftest import last_log
from tests.tournaments.making.test_admin import LADDER, filled, of_cup
from tests.tournaments.verbs import NOON, enter_all, make_cup, make_ladder, make_players, start
from tournaments.making.option_fields import field_name, field_names
from tournaments.making.recipes import kind_of
from tournaments.making.services.competitions import OPTIONS, STAGE_OPTIONS, change_competition
from tournaments.models import Competition, Cup, Ladder, Stage
from tournaments.models.competition import CompetitionKind
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.seating import store_competition

pytestmark = pytest.mark.once

CUP_URL, LADDER_URL = "/admin/tournaments/cup/add/", "/admin/tournaments/ladder/add/"
OFFERED = [(kind_of(spec), key) for key, spec in FORMATS.items()]


@pytest.fixture
def client(client_of, olga) -> Client:
    return client_of(olga)


@pytest.mark.parametrize("spec", FORMATS.values(), ids=list(FORMATS))
def test_no_option_of_a_format_is_named_like_a_column(spec):
    assert {option.name for option in options_of(spec.options)} & (OPTIONS | STAGE_OPTIONS) == set()


@pytest.mark.parametrize(("kind", "key"), OFFERED)
def test_every_offered_format_is_stored_with_all_its_options(client, kind, key):
    sent = filled(format=key) if kind == CompetitionKind.CUP else filled(**LADDER | {"format": key})
    client.post(CUP_URL if kind == CompetitionKind.CUP else LADDER_URL, sent)
    stage = Competition.objects.get().first_stage
    assert (stage.competition.kind, stage.format) == (kind, key)
    assert stage.options == write_options(FORMATS[key].options())


@pytest.mark.parametrize(("kind", "key"), OFFERED)
def test_the_form_of_a_new_competition_shows_the_options_of_every_format(client, kind, key):
    page = client.get(CUP_URL if kind == CompetitionKind.CUP else LADDER_URL).content.decode()
    spec = FORMATS[key]
    assert f'<option value="{key}"' in page
    for option in options_of(spec.options):
        assert f'name="{field_name(spec, option)}"' in page
        assert option.label.capitalize()[:20] in page


def test_a_box_that_is_not_ticked_is_no_and_an_empty_number_is_for_none(client):
    client.post(CUP_URL, filled(**{"knock-out-third_place": "on"}))
    assert Cup.objects.get().first_stage.options["third_place"] is True
    client.post(f"/admin/tournaments/cup/{Cup.objects.get().pk}/change/", filled(slug="autumn-cup", organisers="olga"))
    assert Cup.objects.get().first_stage.options["third_place"] is False
    client.post(LADDER_URL, filled(**LADDER | {"points-ladder-best_results": "5"}))
    assert Ladder.objects.get().first_stage.options["best_results"] == 5


def test_an_option_that_the_chosen_format_needs_is_asked_for(client):
    answer = client.post(CUP_URL, filled(**{"knock-out-legs": ""}))
    assert (answer.status_code, "This field is required." in text_of(answer)) == (200, True)
    assert not Cup.objects.exists()


def test_wrong_values_in_the_fields_of_another_format_are_ignored(client):
    client.post(CUP_URL, filled(format="round-robin", **{"knock-out-legs": "99", "knock-out-replays": ""}))
    assert Cup.objects.get().first_stage.options == {"cycles": 1}


def test_another_format_brings_its_own_options_and_its_own_order(client, olga):
    client.post(CUP_URL, filled(tiebreaks_0="", tiebreaks_1=""))
    cup = Cup.objects.get()
    sent = of_cup(cup, format="round-robin") | {"round-robin-cycles": "2", "tiebreaks_0": "", "tiebreaks_1": ""}
    client.post(f"/admin/tournaments/cup/{cup.pk}/change/", sent | {"tiebreaks_2": ""})
    stage = Cup.objects.get().first_stage
    assert (stage.format, stage.options) == ("round-robin", {"cycles": 2})
    assert stage.tiebreaks == list(FORMATS["round-robin"].tiebreaks)


def test_while_a_ladder_runs_its_free_options_can_be_changed_and_others_read(client, olga):
    ladder = make_ladder(format="challenge-ladder", return_days=90)
    ladder.organisers.add(olga)
    start(ladder)
    url = f"/admin/tournaments/ladder/{ladder.pk}/change/"
    page = client.get(url).content.decode()
    assert 'name="challenge-ladder-max_outgoing"' in page
    assert 'name="challenge-ladder-return_days"' not in page
    assert not any(f'name="{name}"' in page for name in field_names(FORMATS["points-ladder"]))
    shown = text_of(client.get(url))
    assert "Days for which a position is remembered: 90" in shown
    assert "Format: Challenge ladder" in shown
    sent = filled(**LADDER | {"name": ladder.name, "slug": ladder.slug, "organisers": "olga", "is_rated": "on"})
    sent |= {"challenge-ladder-max_outgoing": "4", "challenge-ladder-return_days": "1", "tiebreaks_1": "wins"}
    client.post(url, sent | {"tiebreaks_2": "draw", "format": "points-ladder"})
    stage = Ladder.objects.get().first_stage
    assert (stage.format, stage.options["max_outgoing"], stage.options["return_days"]) == ("challenge-ladder", 4, 90)
    assert last_log(ladder) == ("olga", "changed", "maximum games as challenger", "")


def test_a_change_leaves_what_somebody_else_has_changed_meanwhile(olga):
    cup = make_cup(legs=2, replays=1)
    mine, theirs = (Cup.objects.get().first_stage for _ in range(2))
    theirs.options = theirs.options | {"replays": 3}
    change_competition(competition=cup, stage=theirs, changed=["replays"], actor=olga, now=NOON)
    mine.options = mine.options | {"legs": 1}
    change_competition(competition=cup, stage=mine, changed=["legs"], actor=olga, now=NOON)
    assert Cup.objects.get().first_stage.options == {"legs": 1, "replays": 3, "third_place": False}


def test_options_that_do_not_suit_are_stored_by_no_service(olga):
    with pytest.raises(InvalidOptions, match="cycles: unknown"):
        store_competition(
            competition=Cup(name="Cup", slug="cup"), stage=Stage(format="knock-out", options={"cycles": 1})
        )
    cup = make_cup()
    stage = cup.first_stage
    stage.options = stage.options | {"legs": 3}
    with pytest.raises(InvalidOptions, match="legs: too-large"):
        change_competition(competition=cup, stage=stage, changed=["legs"], actor=olga, now=NOON)
    assert Cup.objects.get().first_stage.options["legs"] == 2


def test_the_options_of_a_running_cup_are_read_where_they_were_chosen(client, olga):
    cup = make_cup(legs=1, third_place=True, seeding="draw")
    cup.organisers.add(olga)
    enter_all(cup, make_players(4))
    start(cup)
    shown = text_of(client.get(f"/admin/tournaments/cup/{cup.pk}/change/"))
    for line in ("Format: Knock-out", "Seeds: by draw", "Days for each round: none", "Legs: 1", "Third-place tie: yes"):
        assert line in shown
    assert "Matches of each pair" not in shown


def test_an_option_that_is_fixed_is_changed_by_no_service(olga):
    cup = make_cup()
    enter_all(cup, make_players(2))
    start(cup)
    stage = cup.first_stage
    stage.options = stage.options | {"legs": 1}
    with pytest.raises(WrongCompetitionStatus, match="too late to change this: legs"):
        change_competition(competition=cup, stage=stage, changed=["legs"], actor=olga, now=NOON)
