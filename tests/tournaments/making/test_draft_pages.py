"""The pages on which players make competitions: recipes, options, a preview first, then a draft to edit or delete."""

from datetime import timedelta

import pytest
from django.contrib.auth.hashers import check_password
from django.test import Client
from django.utils import timezone

from matches.clock import TimeControl
from matches.models import Match
from tests.pages.html import as_shown
from tests.tournaments.verbs import NOON, last_log, make_cup
from tournaments.decisions.services.status import open_competition
from tournaments.making.draft_forms import PACES
from tournaments.making.recipes import RECIPES, recipes_of
from tournaments.models import Competition, CompetitionKind, CompetitionStatus, Series

pytestmark = pytest.mark.django_db

CUP = {
    "name": "Spring",
    "game": "streetsoccer-board",
    "pace": "normal",
    "entry": "open",
    "start": "hand",
    "is_rated": "on",
    "seeding": "rating",
    "knock-out-legs": 2,
    "knock-out-replays": 1,
}
PATH = "/make/knock-out/"


@pytest.fixture
def client(mia, client_of):
    return client_of(mia)


def preview(client, options, path=PATH):
    response = client.post(path, options)
    return response, response.context["preview"]


def keep(client, options, path=PATH):
    """Send the options again as the preview's button does, once they have been seen."""
    response, seen = preview(client, options, path)
    assert seen is not None, response.context["form"].errors
    return client.post(path, {**options, "keep": "1", "seen": response.context["seen"]})


def faults(client, options, path=PATH):
    response, seen = preview(client, options, path)
    assert (response.status_code, seen) == (400, None)
    return dict(response.context["form"].errors)


def test_the_lists_lead_logged_in_players_to_the_recipes(client, mia):
    for path in ("/ladders/", "/cups/"):
        assert 'href="/make/"' in client.get(path).content.decode()
        client.logout()
        assert 'href="/make/"' not in client.get(path).content.decode()
        client.force_login(mia)
    page = client.get("/make/").content.decode()
    for recipe in RECIPES.values():
        assert f'href="/make/{recipe.name}/"' in page
        assert recipe.label in page


def test_a_player_who_may_not_make_a_competition_reads_why_in_place_of_the_recipes(client):
    Match.objects.all().delete()
    page = client.get("/make/").content.decode()
    assert "Finish a match first." in page
    assert "/make/knock-out/" not in page
    assert client.get(PATH).url == "/make/"


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_form_of_a_recipe_can_be_sent_as_it_is_shown(client, recipe):
    """With a name alone: every other field has a value that is good."""
    path = f"/make/{recipe}/"
    options = as_shown(client.get(path).context["form"])
    made = keep(client, options | {"name": "Spring", "game": "streetsoccer-board"}, path)
    competition = Competition.objects.get()
    assert made.url == f"{competition.get_absolute_url()}organise/"
    assert competition.status == CompetitionStatus.DRAFT
    for stage, each in zip(competition.stages.all(), RECIPES[recipe].stages, strict=True):
        usual = each.format, stage.format_spec.options(**each.options)
        assert (stage.format, stage.chosen_options) == usual
    assert "Open entry" in client.get(made.url).content.decode()


def test_playing_in_one_evening_offers_recipes_that_fit_it_and_proposes_a_live_clock(client):
    page = client.get("/make/?played=evening").content.decode()
    offered = {name for name in RECIPES if f'href="/make/{name}/?played=evening"' in page}
    cups = {recipe.name for recipe in recipes_of(CompetitionKind.CUP)}
    assert cups - offered == {"championship", "mini-cup", "monthly-cup", "team-league", "team-cup"}
    assert offered < cups
    assert page.count('href="/make/') == len(offered) + 2  # and the two answers to when it is played
    assert client.get(PATH).context["form"]["pace"].value() == "slow"
    path = f"{PATH}?played=evening"
    assert client.get(path).context["form"]["pace"].value() == "live"
    keep(client, CUP | {"pace": "live"}, path)
    assert Competition.objects.get().time_control == PACES["live"]


def test_in_one_evening_nobody_has_two_matches_at_once_unless_that_is_chosen(client):
    form = client.get("/make/groups-then-knock-out/?played=evening").context["form"]
    assert [form[name].value() for name in ("round_days", "stage-2-knock-out-legs")] == [1, 1]
    form = client.get("/make/groups-then-knock-out/").context["form"]
    assert [form[name].value() for name in ("round_days", "stage-2-knock-out-legs")] == [None, 2]


def test_rounds_that_are_played_live_one_after_the_other_take_minutes_and_not_their_days(client):
    live = CUP | {"max_entrants": 8, "round_days": 1, "pace": "live"}
    assert preview(client, live | {"at_round_end": "wait"})[1].sizes[0].length == timedelta(hours=1)


def test_nothing_is_made_before_its_preview_was_seen(client):
    response, seen = preview(client, CUP | {"max_entrants": 8})
    assert seen.sizes[0].stages == ["At most 28 matches in 3 rounds."]
    # Three rounds in which both sides use up three days.
    assert seen.sizes[0].length_text == "18 days"
    assert "About 18 days" in response.content.decode()
    assert not Competition.objects.exists()
    changed = CUP | {"max_entrants": 16, "keep": "1", "seen": response.context["seen"]}
    assert client.post(PATH, changed).context["preview"].sizes[0].entrants == 16
    assert not Competition.objects.exists()


def test_a_series_is_a_question_of_the_form_and_goes_with_its_draft(client, mia):
    options = CUP | {"name": "Mondays", "again": "weekly"}
    assert "It comes again every week." in preview(client, options)[0].content.decode()
    keep(client, options)
    cup = Competition.objects.select_related("series").get(name="Mondays")
    assert (cup.season, cup.series.rhythm, cup.status) == (1, "weekly", CompetitionStatus.DRAFT)
    series = cup.series.get_absolute_url()
    assert (client.get(series).status_code, Client().get(series).status_code) == (200, 404)
    client.post(f"{cup.get_desk_url()}delete/")
    assert not Series.objects.exists()


def test_rounds_with_days_take_these(client):
    _response, seen = preview(client, CUP | {"max_entrants": 8, "round_days": 7})
    assert seen.sizes[0].length == timedelta(days=21)
    assert seen.warnings == []
    short = CUP | {"max_entrants": 8, "round_days": 5}
    assert preview(client, short | {"at_round_end": "forfeit"})[1].sizes[0].length == timedelta(days=15)
    assert preview(client, short | {"at_round_end": "wait"})[1].sizes[0].length == timedelta(days=18)


def test_a_round_shorter_than_the_clock_is_warned_of(client):
    cut = CUP | {"at_round_end": "forfeit"}
    (warning,) = preview(client, cut | {"round_days": 5})[1].warnings
    assert warning.startswith("A round of 5 days is shorter than the clock allows: both players together can think for")
    assert preview(client, cut | {"round_days": 6})[1].warnings == []
    assert preview(client, CUP | {"round_days": 5, "at_round_end": "wait"})[1].warnings == []


@pytest.mark.parametrize("path", [f"/make/{name}/{day}" for name in RECIPES for day in ("", "?played=evening")])
def test_no_recipe_warns_of_what_it_proposes(client, path):
    page = client.get(path)
    if page.status_code == 200:
        _response, seen = preview(client, as_shown(page.context["form"]) | {"name": "New", "game": CUP["game"]}, path)
        assert seen.warnings == []


@pytest.mark.parametrize(
    ("recipe", "size", "length"),
    [
        ("mini-cup", "At most 2 levels with 3 groups, at most 18 matches in 12 rounds.", 12),
        ("monthly-cup", "At most 2 levels with 3 groups, at most 13 matches in 4 rounds.", 37),
        ("groups-then-knock-out", "Stage 2: at most 12 matches in 2 rounds.", 18),
    ],
)
def test_the_length_counts_all_levels_and_stages(client, recipe, size, length):
    path = f"/make/{recipe}/"
    form = as_shown(client.get(path).context["form"]) | {"name": "New", "game": CUP["game"], "pace": "normal"}
    _response, seen = preview(client, form, path)
    assert (seen.sizes[0].stages[-1], seen.sizes[0].length) == (size, timedelta(days=length))


def test_a_start_in_the_past_is_warned_of(client):
    past = timezone.now() - timedelta(hours=1)
    _response, seen = preview(client, CUP | {"start": "time", "starts_at": f"{past:%Y-%m-%dT%H:%M}"})
    assert [warning.partition(":")[0] for warning in seen.warnings] == ["The start is in the past"]
    future = timezone.now() + timedelta(hours=1)
    assert preview(client, CUP | {"start": "time", "starts_at": f"{future:%Y-%m-%dT%H:%M}"})[1].warnings == []


def test_a_name_that_is_taken_is_warned_of_unless_nobody_may_know(client):
    cup = make_cup(name="SPRING")
    assert preview(client, CUP)[1].warnings == ["There is already a competition with this name."]
    Competition.objects.filter(pk=cup.pk).update(hidden_at=NOON)
    assert preview(client, CUP)[1].warnings == []
    Competition.objects.filter(pk=cup.pk).update(hidden_at=None, status=CompetitionStatus.DRAFT)
    assert preview(client, CUP)[1].warnings == []


def test_a_ladder_that_admits_no_challenges_is_warned_of(client):
    ladder = {name: value for name, value in CUP.items() if not name.startswith(("knock", "seeding"))}
    options = ladder | {"challenge-ladder-max_outgoing": 0, "challenge-ladder-max_incoming": 2}
    _response, seen = preview(client, options, "/make/challenge-ladder/")
    assert seen.warnings == [
        "Nobody could challenge anybody. Allow at least one game as challenger and one as the challenged player."
    ]


def test_the_clock_is_a_preset_or_ones_own_in_days_and_hours(client):
    own = CUP | {"pace": "own", "bank_0": 2, "bank_1": 12, "increment_1": 6}
    keep(client, own)
    competition = Competition.objects.get()
    assert (competition.time_bank, competition.time_increment, competition.time_cap) == (216_000, 21_600, 216_000)
    keep(client, CUP | {"name": "Live", "pace": "live"})
    assert Competition.objects.get(name="Live").time_control == PACES["live"]


def test_the_clock_by_the_decision_is_that_of_the_game_and_shown_again(client):
    made = keep(client, CUP | {"game": "soccer-tactics", "pace": "decision"})
    competition = Competition.objects.get()
    assert competition.time_control == TimeControl.of_decisions(60)
    assert (competition.time_bank, competition.time_increment, competition.time_cap) == (60, 60, 60)
    assert client.get(f"{made.url}edit/").context["form"]["pace"].value() == "decision"


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"name": ""}, "name"),
        ({"entry": "password"}, "new_password"),
        ({"start": "full"}, "max_entrants"),
        ({"start": "time"}, "starts_at"),
        ({"pace": "decision"}, "pace"),
        ({"pace": "own"}, "bank"),
        ({"pace": "own", "bank_1": 1, "increment_0": 1}, "bank"),
        ({"knock-out-legs": 3}, "knock-out-legs"),
        ({"min_rating": 1600, "max_rating": 1500}, "max_rating"),
        ({"max_entrants": 5000}, "max_entrants"),
        ({"round_days": 99_999}, "round_days"),
    ],
)
def test_errors_stand_beside_their_fields(client, more, field):
    assert list(faults(client, CUP | more)) == [field]


def test_a_draft_is_edited_with_a_preview(client):
    made = keep(client, CUP | {"entry": "password", "new_password": "secret"})
    path = f"{made.url}edit/"
    assert f'href="{path}"' in client.get(made.url).content.decode()
    form = client.get(path).context["form"]
    assert (form["name"].value(), form["pace"].value(), form["entry"].value()) == ("Spring", "normal", "password")
    edited = keep(client, CUP | {"entry": "password", "name": "Summer", "knock-out-legs": 1, "version": 0}, path)
    assert edited.url == made.url
    competition = Competition.objects.get()
    assert (competition.name, competition.first_stage.chosen_options.legs) == ("Summer", 1)
    # The password that there is stays.
    assert check_password("secret", competition.password)
    assert last_log(competition) == ("mia", "changed", "legs, name", "")


def test_a_draft_disappears_when_it_is_deleted(client):
    made = keep(client, CUP)
    path = f"{made.url}delete/"
    assert client.get(path).status_code == 200
    assert Competition.objects.exists()
    assert client.post(path).url == "/cups/"
    assert not Competition.objects.exists()


def test_a_draft_that_was_opened_is_not_deleted_any_more(client, mia):
    made = keep(client, CUP)
    open_competition(competition_id=Competition.objects.get().pk, actor=mia, now=timezone.now())
    page = client.get(made.url).content.decode()
    assert f"{made.url}delete/" not in page
    assert client.post(f"{made.url}delete/").status_code == 409
    assert Competition.objects.exists()


def test_a_cancelled_draft_is_in_no_public_list(client):
    made = keep(client, CUP)
    client.post(f"{made.url}cancel/", {"reason": "Nobody asked for it."})
    assert Competition.objects.get().status == CompetitionStatus.CANCELLED
    client.logout()
    assert "Spring" not in client.get("/cups/").content.decode()
    assert client.get("/api/v1/competitions/").json()["results"] == []
