"""The admin's lists: organisers see only their own; nothing that follows from results is edited."""

import re
from datetime import timedelta
from functools import partial

import pytest
from django.contrib import admin
from django.test import Client

from matches.models import Match
from players.admin.lists import BoundedAdmin
from players.models import Player
from rules_engine.values import Side
from tests.matches.analysed import store_analysis
from tests.matches.play import move_both
from tests.matches.test_queries import queries_of
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.making.staff_form import change_url
from tests.tournaments.making.test_admin import LISTS
from tests.tournaments.teams.leagues import enter, make_league, make_teams
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.models import Cup, EntryInvitation, LineUp
from tournaments.tables.services.ratings import rate_pending

# Seeing and changing


@pytest.fixture(scope="module")
def olga(module_transaction) -> Player:
    return Player.objects.create(username="olga", is_staff=True, date_joined=NOON)


@pytest.fixture(scope="module")
def stored(olga) -> Cup:
    """Return a cup of olga's, stored with a ladder so that something is in every list."""
    cup, _entries = verbs.start_cup(4, legs=1)
    robin = verbs.make_cup(slug="robin", **ROUND_ROBIN)
    ladder = verbs.make_ladder(slug="own", format="challenge-ladder")
    for competition in (cup, robin, ladder):
        competition.organisers.add(olga)
    verbs.enter_all(robin, verbs.make_players(3, "robin"))
    verbs.start(robin)
    verbs.enter_all(ladder, verbs.make_players(2, "ladder"))
    for fixture in verbs.running(robin):
        move_both(fixture.match)
        verbs.end(fixture, Side.RED)
        store_analysis(fixture.match)
    EntryInvitation.objects.create(
        competition=cup, player=Player.objects.get(username="robin-1"), created_at=NOON, asked_at=NOON
    )
    LineUp.objects.create(entry=cup.entries.earliest("pk"), players=[olga.pk], set_by=olga, set_at=NOON)
    verbs.recompute_tables(competition_id=robin.pk, now=NOON)
    rate_pending(family="streetsoccer", now=NOON + timedelta(hours=1))
    return cup


@pytest.fixture
def everything(stored, db) -> Cup:
    """Return the cup as it is stored: no test sees what another did with it."""
    return Cup.objects.get(pk=stored.pk)


@pytest.fixture
def client(client_of, everything, olga) -> Client:
    return client_of(olga)


@pytest.mark.parametrize("path", LISTS)
def test_every_list_is_shown_in_few_queries(everything, client, client_of, boss, path, django_assert_max_num_queries):
    for viewer in (client, client_of(boss)):
        viewer.get(f"/admin/{path}/")
        with django_assert_max_num_queries(9):
            answer = viewer.get(f"/admin/{path}/")
        assert answer.status_code == 200
        assert answer.context["cl"].result_list.count() > 0


@pytest.mark.parametrize("path", [path for path in LISTS if not path.endswith(("rating", "ratingchange"))])
def test_nothing_of_others_is_seen(everything, client_of, otto, path):
    client = client_of(otto)
    shown = client.get(f"/admin/{path}/").context["cl"].result_list
    assert {str(each) for each in shown} <= {"Elsewhere", "opened"}
    model = shown.model
    foreign = model.objects.exclude(pk__in=[each.pk for each in shown])[0]
    answer = client.get(f"/admin/{path}/{foreign.pk}/change/")
    assert (answer.status_code, answer["Location"]) == (302, "/admin/")


def test_nothing_of_others_is_changed(everything, client_of, otto):
    answer = client_of(otto).post(change_url(everything), {"name": "Mine", "version": "0"})
    assert answer["Location"] == "/admin/"
    assert Cup.objects.get(pk=everything.pk).name == everything.name


READ_ONLY = [path for path in LISTS if path not in {"tournaments/ladder", "tournaments/cup"}]


@pytest.mark.parametrize("path", READ_ONLY)
def test_rows_that_follow_from_results_are_not_edited_even_by_superusers(everything, client_of, boss, path):
    client = client_of(boss)
    row = client.get(f"/admin/{path}/").context["cl"].result_list[0]
    before = type(row).objects.values().get(pk=row.pk)
    assert client.get(f"/admin/{path}/{row.pk}/change/").status_code == 200
    assert client.post(f"/admin/{path}/{row.pk}/change/", {"status": "gone", "place": "1"}).status_code == 403
    assert client.get(f"/admin/{path}/add/").status_code == 403
    assert client.post(f"/admin/{path}/{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert type(row).objects.values().get(pk=row.pk) == before


def test_the_secret_seed_of_a_match_is_not_shown(everything, client_of, boss):
    match = Match.objects.filter(status="playing")[0]
    page = client_of(boss).get(f"/admin/matches/match/{match.pk}/change/").content.decode()
    assert match.seed not in page
    assert "seed" not in page.lower().replace("seeding", "")


def test_a_row_leads_to_where_more_can_be_done_with_it(everything, client, client_of, otto):
    def ways_of(path: str) -> list[str]:
        return re.findall(r'class="way" href="([^"]*)"', client.get(path).content.decode())

    assert ways_of(f"/admin/tournaments/cup/{everything.pk}/change/") == ["/cups/cup/organise/", "/cups/cup/"]
    fixture = verbs.running(everything)[0]
    match = f"/matches/{fixture.match_id}/"
    decide = f"/cups/cup/organise/fixtures/{fixture.pk}/"
    acts = [f"{decide}{name}/" for name in ("adjudicate", "extend", "pause", "replay")]
    assert ways_of(f"/admin/matches/match/{fixture.match_id}/change/") == [match, decide, *acts]
    assert ways_of(f"/admin/tournaments/fixture/{fixture.pk}/change/") == [decide, *acts]
    entry = f"/cups/cup/organise/entries/{fixture.yellow_id}/"
    ways = [f"/cups/cup/organise/entries/?player={fixture.yellow}"]
    ways += [f"{entry}{name}/" for name in ("withdraw", "disqualify", "replace")]
    assert ways_of(f"/admin/tournaments/entry/{fixture.yellow_id}/change/") == ways
    invitation = EntryInvitation.objects.get()
    invitations = "/cups/cup/organise/invitations/"
    ways = [invitations, f"{invitations}{invitation.pk}/withdraw/"]
    assert ways_of(f"/admin/tournaments/entryinvitation/{invitation.pk}/change/") == ways
    organise = "/cups/cup/organise/"
    ways = [organise, f"{organise}rounds/1/date/", f"{organise}rounds/1/end/"]
    assert ways_of(f"/admin/tournaments/round/{fixture.round_id}/change/") == ways
    assert client.get(decide).status_code == 200
    assert client_of(otto).get(decide).status_code == 403


# Lists


def test_lists_are_searched_by_parts_of_usernames_and_filtered_by_competition(everything, client):
    found = client.get("/admin/tournaments/entry/?q=ROBIN-1").context["cl"].result_list
    assert [str(entry) for entry in found] == ["robin-1"]
    invited = client.get("/admin/tournaments/entryinvitation/?q=robin-1&status__exact=waiting").context["cl"]
    assert [str(each) for each in invited.result_list] == ["robin-1"]
    assert client.get("/admin/tournaments/entry/?q=robin").context["cl"].result_count == 3
    cup = client.get(f"/admin/tournaments/fixture/?competition={everything.pk}").context["cl"].result_list
    assert {fixture.competition_id for fixture in cup} == {everything.pk}
    assert client.get("/admin/tournaments/fixture/?competition=x").status_code == 200


def test_lists_of_teams_are_searched_by_the_name_of_a_team_or_a_username(everything, client_of, boss):
    first, second, *others = make_teams(6, 2)
    league = make_league(boards=2)
    entries = [enter(league, team) for team in (first, second)]
    client = client_of(boss)

    def found(path: str, term: str) -> list[str]:
        return [str(row) for row in client.get(f"/admin/tournaments/{path}/", {"q": term}).context["cl"].result_list]

    assert [found("team", term) for term in (" team  1", "am-2-1", "a")] == [["Team 1"], ["Team 2"], []]
    assert found("teammembership", "TEAM 2") == ["team-2-2", "team-2-1"]
    assert found("lineup", "Team 1") == found("lineup", "team-1-1") == [str(entries[0].line_ups.get())]
    page = text_of(client.get(f"/admin/tournaments/lineup/{entries[0].line_ups.get().pk}/change/"))
    assert "team-1-1, team-1-2" in page
    listed = {}
    for path in ("lineup", "entry"):
        listed[path] = len(queries_of(partial(client.get, f"/admin/tournaments/{path}/")))
    for team in others:
        enter(league, team)
    for path, queries in listed.items():
        assert len(queries_of(partial(client.get, f"/admin/tournaments/{path}/"))) == queries, path


@pytest.mark.parametrize("path", LISTS)
def test_every_filter_of_a_list_is_answered(everything, client_of, boss, path):
    client = client_of(boss)
    listed = client.get(f"/admin/{path}/").context["cl"]
    for offered in listed.filter_specs:
        *_others, chosen = offered.choices(listed)
        assert client.get(f"/admin/{path}/{chosen['query_string']}").status_code == 200


def test_every_list_is_of_the_kind_that_stays_fast():
    models = [model for model in admin.site._registry if model._meta.app_label in {"tournaments", "matches"}]
    assert {model._meta.model_name for model in models} >= {path.partition("/")[2] for path in LISTS} - {"rating"}
    for model in models:
        listed = admin.site.get_model_admin(model)
        assert isinstance(listed, BoundedAdmin), model
        assert (listed.show_full_result_count, listed.list_max_show_all) == (False, 0)


def test_all_standings_come_by_their_index_and_those_of_one_competition_as_they_stand(client):
    robin = Cup.objects.get(slug="robin")
    everybody = client.get("/admin/tournaments/standing/").context["cl"].result_list
    assert [each.pk for each in everybody] == sorted((each.pk for each in everybody), reverse=True)
    table = client.get(f"/admin/tournaments/standing/?competition={robin.pk}").context["cl"].result_list
    assert [each.place for each in table] == [1, 2, 3]
