"""Options of formats in the admin: their fields, what is refused, and what can still be changed."""

import pytest
from django.test import Client

from formats.options import InvalidOptions, options_of, write_options
from formats.registry import FORMATS
from tests.pages.html import as_shown, text_of
from tests.tournaments.making.staff_form import ADD_CUP, ADD_LADDER, change_url, fill_in, form_at
from tests.tournaments.verbs import NOON, enter_all, last_log, make_cup, make_ladder, make_players, start
from tournaments.making.recipes import kind_of
from tournaments.making.services.competitions import OPTIONS, STAGE_OPTIONS, change_competition
from tournaments.making.stage_fields import field_name
from tournaments.models import Competition, Cup, Ladder, Stage
from tournaments.models.competition import CompetitionKind
from tournaments.rounds.services.seating import store_competition


@pytest.fixture
def client(client_of, olga) -> Client:
    return client_of(olga)


@pytest.mark.parametrize("spec", FORMATS.values(), ids=list(FORMATS))
def test_no_option_of_a_format_is_named_like_a_column(spec):
    assert {option.name for option in options_of(spec.options)} & (OPTIONS | STAGE_OPTIONS) == set()


@pytest.mark.parametrize("key", FORMATS)
def test_every_format_is_offered_and_stored_with_all_its_options(client, key):
    spec = FORMATS[key]
    url = f"{ADD_CUP if kind_of(spec) == CompetitionKind.CUP else ADD_LADDER}?format={key}"
    page = client.get(url).content.decode()
    assert f'<option value="{key}" selected' in page
    for option in options_of(spec.options):
        assert f'name="{field_name(spec, option)}"' in page
        assert option.label.capitalize()[:20] in page
    fill_in(client, url)
    stage = Competition.objects.get().first_stage
    assert (stage.competition.kind, stage.format) == (kind_of(spec), key)
    assert stage.options == write_options(spec.options())


def test_a_box_that_is_not_ticked_is_no_and_an_empty_number_is_the_usual_or_none(client):
    fill_in(client, ADD_CUP, **{"knock-out-third_place": "on", "knock-out-legs": "1"})
    cup = Cup.objects.get()
    assert cup.first_stage.options == {"legs": 1, "replays": 1, "third_place": True}
    sent = as_shown(form_at(client, change_url(cup))) | {"knock-out-legs": ""}
    del sent["knock-out-third_place"]
    client.post(change_url(cup), sent)
    assert Cup.objects.get().first_stage.options == {"legs": 2, "replays": 1, "third_place": False}
    fill_in(client, ADD_LADDER, **{"points-ladder-best_results": "5"})
    ladder = Ladder.objects.get()
    fill_in(client, change_url(ladder), **{"points-ladder-best_results": ""})
    assert Ladder.objects.get().first_stage.options["best_results"] is None


def test_while_a_ladder_runs_its_free_options_can_be_changed_and_others_read(client, olga):
    ladder = make_ladder(format="challenge-ladder", return_days=90)
    ladder.organisers.add(olga)
    start(ladder)
    page = client.get(change_url(ladder))
    fields = page.context["adminform"].form.fields
    assert ("challenge-ladder-max_outgoing" in fields, "challenge-ladder-return_days" in fields) == (True, False)
    assert "Days for which a position is remembered: 90" in text_of(page)
    assert "Format: Challenge ladder" in text_of(page)
    sent = {"challenge-ladder-max_outgoing": "4", "challenge-ladder-return_days": "1", "reason": "More."}
    fill_in(client, f"{change_url(ladder)}?format=points-ladder", **sent)
    stage = Ladder.objects.get().first_stage
    assert (stage.format, stage.options["max_outgoing"], stage.options["return_days"]) == ("challenge-ladder", 4, 90)
    assert last_log(ladder) == ("olga", "conditions-changed", "maximum games as challenger", "More.")


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
    shown = text_of(client.get(change_url(cup)))
    for line in ("Format: Knock-out", "Seeds: by draw", "Days for each round: none", "Legs: 1", "Third-place tie: yes"):
        assert line in shown
    assert "Matches of each pair" not in shown
