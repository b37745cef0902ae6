"""Organisers change what may still change of a competition's options, on a page and over the API alike."""

from typing import Any

import pytest
from django.utils import timezone

from tests.pages.html import as_shown
from tests.tournaments.making.test_draft_pages import keep, preview
from tests.tournaments.verbs import last_log, make_cup, make_ladder, start, start_cup
from tournaments.models import Competition, CompetitionStatus, Stage

pytestmark = pytest.mark.django_db

EDIT, API = "/cups/cup/organise/edit/", "/api/v1/competitions/cup/"
WHY = "More people came."


@pytest.fixture
def cup(olga):
    cup, _entries = start_cup(4, now=timezone.now(), max_entrants=8, round_days=3)
    cup.organisers.add(olga)
    return cup


@pytest.fixture
def client(client_of, olga):
    return client_of(olga)


def stored(cup) -> tuple[Any, ...]:
    """Return what is stored of it and its stages, but for the version of its pages."""
    return Competition.objects.values().get(pk=cup.pk) | {"page_version": None}, list(Stage.objects.values())


def shown_at(client, path: str = EDIT) -> dict[str, Any]:
    """Return what the page would send if nothing were changed on it."""
    return as_shown(client.get(path).context["form"])


def words(response) -> str:
    return " ".join(response.content.decode().split())


def test_a_running_competition_shows_what_no_match_depends_on(client, cup):
    shown = set(client.get(EDIT).context["form"].fields)
    assert shown >= {"name", "description", "max_entrants", "entry", "new_password", "min_rating", "at_round_end"}
    assert not shown & {"game", "pace", "bank", "start", "starts_at", "is_rated", "round_days", "seeding"}
    assert not {name for name in shown if name.startswith("knock-out-")}


def test_a_form_that_is_sent_as_it_is_shown_changes_nothing(client, cup):
    before = stored(cup)
    response, _preview = preview(client, shown_at(client) | {"reason": WHY}, EDIT)
    assert (response.context["changes"], "Nothing yet." in words(response)) == ([], True)
    assert keep(client, shown_at(client) | {"reason": WHY}, EDIT).status_code == 302
    assert stored(cup) == before


def test_changes_are_seen_first_then_stored_and_logged_from_what_to_what_and_why(client, cup):
    sent = shown_at(client) | {"max_entrants": 16, "at_round_end": "forfeit", "reason": WHY}
    response, _preview = preview(client, sent, EDIT)
    told = [(each["what"], each["old"], each["new"]) for each in response.context["changes"]]
    assert told[1] == ("maximum number of players", "8", "16")
    assert "With 8 players" not in words(response), "a draw that was made does not depend on it"
    assert Competition.objects.get().max_entrants == 8
    assert keep(client, sent, EDIT).url == "/cups/cup/organise/"
    assert (Competition.objects.get().max_entrants, Stage.objects.get().at_round_end) == (16, "forfeit")
    who, action, _what, why = last_log(cup)
    assert (who, action, why) == ("olga", "conditions-changed", WHY)
    line = cup.log.first()
    assert [(each["what"], each["old"], each["new"]) for each in line.changes] == told


def test_once_entry_was_open_a_change_needs_a_reason(client, cup):
    response, seen = preview(client, shown_at(client) | {"name": "Autumn"}, EDIT)
    assert (response.status_code, seen, list(response.context["form"].errors)) == (400, None, ["reason"])


def test_a_competition_that_has_ended_keeps_all_but_its_name_and_description(client, cup):
    Competition.objects.update(status=CompetitionStatus.CANCELLED, finished_at=timezone.now(), by_invitation=True)
    assert set(client.get(EDIT).context["form"].fields) == {"name", "description", "version", "reason"}
    assert keep(client, shown_at(client) | {"name": "Autumn", "reason": WHY}, EDIT).status_code == 302
    stored = Competition.objects.get()
    assert (stored.name, stored.by_invitation) == ("Autumn", True)


def test_before_the_draw_everything_may_change(client, olga):
    make_cup().organisers.add(olga)
    assert {"game", "pace", "start", "round_days"} <= set(client.get(EDIT).context["form"].fields)


def test_a_ladder_keeps_its_clock_while_it_runs(client, olga):
    ladder = make_ladder()
    ladder.organisers.add(olga)
    start(ladder)
    path = "/ladders/ladder/organise/edit/"
    shown = client.get(path).context["form"].fields
    assert ("max_entrants" in shown, "pace" in shown) == (True, False)
    assert keep(client, shown_at(client, path) | {"max_entrants": 5, "reason": WHY}, path).status_code == 302
    assert Competition.objects.get(pk=ladder.pk).max_entrants == 5


def test_the_api_changes_the_same_and_names_what_it_is_too_late_for(client, cup):
    def patch(**body):
        return client.patch(API, body, content_type="application/json")

    assert patch(max_entrants=16, reason=WHY).json()["max_entrants"] == 16
    refused = patch(game="paper-soccer", is_rated=False)
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong_competition_status")
    assert "It is too late to change this: game, " in refused.json()["detail"]
    assert patch(name="Autumn", version=0).json()["code"] == "options_changed"


def test_the_desk_leads_to_the_options(client, cup):
    assert f'href="{EDIT}"' in client.get("/cups/cup/organise/").content.decode()
