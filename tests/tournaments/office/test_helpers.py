"""Helpers decide matches, and nothing else; organisers name them, and let them go."""

import inspect
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from formats.pairing.proposed import Pairings
from matches.models import Match
from players.models import Player
from players.services.account_closures import deactivate_player
from rules_engine.values import Side
from tests.tournaments.teams.leagues import enter, make_league, make_teams
from tests.tournaments.verbs import NOON, let_challenge, make_cup, make_players, running, start_cup, start_ladder
from tournaments.decisions.services.draws import draw_cup
from tournaments.decisions.services.fixture_decisions import adjudicate_fixture
from tournaments.decisions.services.undo.annulments import replay_fixture
from tournaments.desk.acts import ACTS, FIXTURE, acts_on
from tournaments.desk.selectors import Decision, organised_now
from tournaments.entries.services.account_closures import forget_player
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.making.services.copies import copy_competition
from tournaments.making.services.series import make_series
from tournaments.models import (
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    EntryInvitation,
    Fixture,
    LineUp,
    LogEntry,
    ProposedRound,
    Round,
    WaitingPlayer,
    write_pairings,
)
from tournaments.models.rights import NO_RIGHTS, RIGHTS, Right, Role
from tournaments.office.errors import CannotOrganise, LastOrganiser, NotAnOrganiser, TooManyOrganisers
from tournaments.office.selectors.organisers import people_of, rights_in
from tournaments.office.services.organisers import appoint, dismiss
from tournaments.teams.errors import NotATeam

pytestmark = pytest.mark.django_db

VALUES: dict[str, Any] = {
    "reason": "Because.",
    "text": "Hello",
    "confirm": True,
    "winner": Side.YELLOW,
    "side": Side.YELLOW,
    "by": timedelta(hours=1),
    "round_number": 2,
    "policy": "forfeit",
    "ends_at": None,
}


@pytest.fixture
def hanna(db: None) -> Player:
    return Player.objects.create(username="hanna", date_joined=NOON)


@pytest.fixture
def cup(olga: Player, hanna: Player) -> Cup:
    """Return a running cup of four players that olga organises and hanna helps in."""
    cup, _entries = start_cup(4, legs=1, organiser=olga, helper=hanna)
    return cup


def page(client: Client, path: str = "") -> str:
    response = client.get(f"/cups/cup/organise/{path}")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def roles(competition: Competition) -> dict[str, Role]:
    return {player.username: role for player, role in people_of(competition)}


def test_the_table_says_which_acts_are_those_of_helpers():
    assert [act.operation for act in ACTS if act.on.needs is Right.DECIDE] == [
        "adjudicate_fixture",
        "extend_clock",
        "take_back_extension",
        "pause_fixture",
        "resume_fixture",
        "replay_fixture",
        "annul_fixture",
        "correct_result",
        "take_back_correction",
        "take_back_decision",
        "take_back_annulment",
        "take_back_replay",
        "dismiss_disputes",
        "take_back_dismissal",
    ]


NO_PAIRS = write_pairings(Pairings((), (), ()))


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.operation)
def test_a_service_asks_for_the_right_that_its_act_needs_before_anything_else(act, cup, hanna, otto):
    fixture = running(cup)[0]
    invitation = EntryInvitation.objects.create(competition=cup, player=hanna, created_at=NOON)
    text = {"reason": "Hello!", "actor": hanna}
    announcement = LogEntry.objects.create(competition=cup, action="announced", logged_at=NOON, **text)
    subjects: dict[str, Any] = {
        "announcement": announcement,
        "line of the log": announcement,
        "entry": fixture.yellow,
        "invitation": invitation,
        "fixture": fixture,
        "round": Round.objects.first(),
        "proposed round": ProposedRound.objects.create(
            group=cup.first_stage.groups.get(), number=2, drawn_at=NOON, drawn=NO_PAIRS, pairings=NO_PAIRS
        ),
        "waiting player": WaitingPlayer.objects.create(competition=cup, player=hanna, joined_at=NOON),
        "competition": cup,
    }
    subject = subjects[act.on.name]
    values = {name: VALUES.get(name, hanna) for name in act.inputs}
    # Captains set line-ups, too: a stranger hears first that single players have none.
    with pytest.raises((NotAnOrganiser, NotATeam)):
        act.perform(subject, values, otto, NOON)
    refused = None
    try:
        act.perform(subject, values, hanna, NOON)
    except Exception as error:  # noqa: BLE001 - whatever else it refuses, it refuses to helpers first
        refused = error
    assert isinstance(refused, NotAnOrganiser) == (act.on.needs is Right.ORGANISE)


@pytest.mark.parametrize(
    ("service", "values"),
    [
        (import_entry_list, {"text": "player-1"}),
        (copy_competition, {"name": "Again", "with_entrants": False}),
        (make_series, {"options": {"name": "Weekly", "rhythm": "weekly"}}),
        (draw_cup, {}),
    ],
)
def test_services_that_are_no_acts_ask_for_the_right_too(service, values, cup, hanna, otto):
    subject = {"cup_id": cup.pk, "competition_id": cup.pk, "competition": cup}
    about = {name: value for name, value in subject.items() if name in inspect.signature(service).parameters}
    for actor in (hanna, otto):
        with pytest.raises(NotAnOrganiser):
            service(**about, **values, actor=actor, now=NOON)


def test_a_helper_decides_a_match_on_a_ladder_too(olga, hanna):
    _ladder, entries = start_ladder(2, format="challenge-ladder", helper=hanna, prefix="climber")
    fixture = let_challenge(entries[1], entries[0])
    adjudicate_fixture(fixture_id=fixture.pk, winner=Side.RED, actor=hanna, reason="Rain.", now=NOON)
    assert Match.objects.get(pk=fixture.match_id).status == "finished"


def test_no_helper_decides_an_own_match_but_an_organiser_does(cup, hanna, olga, client_of):
    fixture = running(cup)[0]
    for person in (hanna, olga):
        Entry.objects.filter(pk=fixture.yellow_id).update(player=person)
        fixture = Fixture.objects.select_related("yellow", "red", "match").get(pk=fixture.pk)
        about = {"fixture_id": fixture.pk, "actor": person, "reason": "Mine.", "now": NOON}
        if person == olga:
            replay_fixture(**about)
            continue
        with pytest.raises(NotAnOrganiser, match="You play in this match"):
            replay_fixture(**about)
        with pytest.raises(NotAnOrganiser, match="You play in this match"):
            adjudicate_fixture(winner=Side.YELLOW, **about)
        shown = page(client_of(hanna), f"fixtures/{fixture.pk}/")
        assert "You play in this match, so an organiser or another helper has to decide it." in shown
        assert "adjudicate/" not in shown


def test_pages_show_helpers_what_they_may_do_and_no_more(cup, hanna, olga, client_of):
    helper, organiser = client_of(hanna), client_of(olga)
    fixture = running(cup)[0]
    overview = page(helper)
    assert "You are a helper here: you can decide matches." in overview
    assert ("What you can do" in overview, "What you can do" in page(organiser)) == (False, True)
    assert ("withdraw/" in page(helper, "entries/"), "withdraw/" in page(organiser, "entries/")) == (False, True)
    assert "fixtures/" in overview
    assert "adjudicate/" in page(helper, f"fixtures/{fixture.pk}/")
    shown = page(helper, "organisers/")
    assert ("Add an organiser or helper" in shown, "Step down" in shown, "Remove" in shown) == (False, True, False)
    assert helper.get("/cups/cup/organise/edit/").status_code == 403
    assert "decide who wins" in page(helper, f"fixtures/{fixture.pk}/adjudicate/")
    assert acts_on(FIXTURE, cup, fixture, NO_RIGHTS) == []


def test_a_draft_is_seen_by_its_helpers(hanna, client_of):
    cup = make_cup(slug="draft", status=CompetitionStatus.DRAFT)
    assert client_of(hanna).get("/cups/draft/").status_code == 404
    cup.helpers.add(hanna)
    assert client_of(hanna).get("/cups/draft/").status_code == 200


def test_the_pages_of_a_competition_name_helpers(cup, hanna, client_of):
    text = " ".join(Client().get("/cups/cup/").content.decode().split())
    assert 'Helpers, who may decide matches: <a href="/players/hanna/">hanna</a>' in text
    assert ('href="/cups/cup/organise/"' in text) is False
    assert 'href="/cups/cup/organise/"' in client_of(hanna).get("/cups/cup/").content.decode()
    assert Client().get("/api/v1/competitions/cup/").json()["helpers"] == ["hanna"]


def test_my_competitions_lists_those_of_a_helper_with_the_decisions_they_may_take(cup, hanna, olga, client_of):
    Round.objects.update(ends_at=NOON - timedelta(minutes=1))
    Player.objects.filter(pk=Entry.objects.first().player_id).update(is_active=False)
    (own,), (helped,) = (organised_now(player=player, now=NOON) for player in (olga, hanna))
    assert (own.role, set(own.decisions)) == (Role.ORGANISER, {Decision.LATE_MATCHES, Decision.CLOSED_ACCOUNTS})
    assert (helped.role, set(helped.decisions)) == (Role.HELPER, {Decision.LATE_MATCHES})
    answer = client_of(hanna).get("/organise/").content.decode()
    assert ("you are a helper" in answer, 'href="/organise/"' in answer) == (True, True)


def test_an_organiser_names_a_helper_on_the_page_and_lets_them_go(cup, olga, otto, client_of):
    client, path = client_of(olga), "/cups/cup/organise/organisers/"
    assert client.post(path, {"player": "OTTO", "role": "helper"}).status_code == 302
    assert roles(cup) == {"olga": Role.ORGANISER, "hanna": Role.HELPER, "otto": Role.HELPER}
    assert client.post(path, {"player": "otto", "role": "organiser"}).status_code == 302
    assert roles(cup)["otto"] is Role.ORGANISER
    assert client.post(path, {"dismiss": "hanna"}).status_code == 302
    assert roles(cup) == {"olga": Role.ORGANISER, "otto": Role.ORGANISER}
    assert client.post(path, {"player": "nobody", "role": "helper"}).status_code == 400
    lines = LogEntry.objects.filter(competition=cup).order_by("pk").values_list("action", "subject")
    assert list(lines)[-3:] == [("helper-named", "otto"), ("organiser-named", "otto"), ("helper-gone", "hanna")]


def test_a_helper_names_nobody_and_lets_only_themselves_go(cup, hanna, olga, client_of):
    client, path = client_of(hanna), "/cups/cup/organise/organisers/"
    assert client.post(path, {"player": "hanna", "role": "organiser"}).status_code == 403
    assert client.post(path, {"dismiss": "olga"}).status_code == 403
    gone = client.post(path, {"dismiss": "hanna"})
    assert (gone.status_code, gone.headers["Location"]) == (302, "/cups/cup/")
    assert roles(cup) == {"olga": Role.ORGANISER}


def test_somebody_has_to_organise_and_the_maker_goes_only_by_themselves(cup, olga, otto, boss):
    about = {"competition_id": cup.pk, "now": NOON}
    with pytest.raises(LastOrganiser):
        dismiss(player=olga, actor=olga, **about)
    with pytest.raises(LastOrganiser):
        appoint(player=olga, role=Role.HELPER, actor=olga, **about)
    Competition.objects.filter(pk=cup.pk).update(creator=olga)
    appoint(player=otto, role=Role.ORGANISER, actor=olga, **about)
    with pytest.raises(NotAnOrganiser, match="olga created this competition"):
        dismiss(player=olga, actor=otto, **about)
    dismiss(player=olga, actor=olga, **about)
    dismiss(player=olga, actor=otto, **about)
    assert roles(cup)["otto"] is Role.ORGANISER
    assert "olga" not in roles(cup)
    dismiss(player=otto, actor=boss, **about)
    assert Role.ORGANISER not in roles(cup).values()


def test_only_people_with_open_accounts_run_a_competition_and_not_too_many(cup, olga, settings):
    about = {"competition_id": cup.pk, "role": Role.HELPER, "actor": olga, "now": NOON}
    guest, robot, gone, more, last = make_players(5, "other")
    Player.objects.filter(pk=guest.pk).update(is_guest=True)
    Player.objects.filter(pk=robot.pk).update(is_computer=True)
    deactivate_player(player_id=gone.pk, now=NOON)
    for player in (guest, robot, gone):
        player.refresh_from_db()
        with pytest.raises(CannotOrganise):
            appoint(player=player, **about)
    settings.MAX_ORGANISERS = 3
    appoint(player=more, **about)
    appoint(player=more, **about)
    with pytest.raises(TooManyOrganisers):
        appoint(player=last, **about)


def test_a_deleted_account_helps_nobody(cup, hanna):
    forget_player(player_id=hanna.pk, old_name="hanna", new_name="deleted-1")
    assert roles(cup) == {"olga": Role.ORGANISER}


def test_rights_are_those_of_the_role_and_of_nobody_who_is_closed(cup, hanna, olga, boss, otto):
    assert rights_in(competition=cup, player=olga) == rights_in(competition=cup, player=boss) == frozenset(Right)
    assert rights_in(competition=cup, player=hanna) == RIGHTS[Role.HELPER] == {Right.DECIDE}
    assert rights_in(competition=cup, player=otto) == rights_in(competition=cup, player=None) == NO_RIGHTS
    hanna.is_active = False
    assert rights_in(competition=cup, player=hanna) == NO_RIGHTS


def test_the_api_lists_names_and_lets_go(cup, olga, hanna, otto, client_of):
    path = "/api/v1/competitions/cup/organisers/"
    listed = Client().get(path).json()
    assert listed == [
        {"player": "olga", "role": "organiser", "rights": ["decide", "organise"], "is_invited": False},
        {"player": "hanna", "role": "helper", "rights": ["decide"], "is_invited": False},
    ]
    client = client_of(olga)
    named = client.put(f"{path}otto/", {"role": "helper"}, content_type="application/json")
    assert (named.status_code, named.json()["role"]) == (200, "helper")
    assert client.put(f"{path}otto/", {"role": "boss"}, content_type="application/json").status_code == 400
    assert client_of(hanna).delete(f"{path}otto/").json()["code"] == "not_an_organiser"
    assert client.delete(f"{path}otto/").status_code == 204
    assert client.delete(f"{path}olga/").json()["code"] == "last_organiser"
    assert client_of(hanna).delete(f"{path}hanna/").status_code == 204
    assert roles(cup) == {"olga": Role.ORGANISER}


def test_staff_who_help_find_matches_in_the_admin_and_no_options(cup, hanna, client_of):
    Player.objects.filter(pk=hanna.pk).update(is_staff=True)
    client, fixture = client_of(hanna), running(cup)[0]
    shown = client.get(f"/admin/tournaments/fixture/{fixture.pk}/change/").content.decode()
    assert f"/cups/cup/organise/fixtures/{fixture.pk}/adjudicate/" in shown
    entry = client.get(f"/admin/tournaments/entry/{fixture.yellow_id}/change/").content.decode()
    assert "/withdraw/" not in entry
    assert client.get(f"/admin/tournaments/cup/{cup.pk}/change/").status_code == 302


def test_staff_who_help_read_no_line_ups_in_the_admin(hanna, olga, client_of):
    Player.objects.filter(pk=hanna.pk).update(is_staff=True)
    league = make_league(boards=2)
    league.organisers.add(olga)
    league.helpers.add(hanna)
    enter(league, make_teams(1, 2)[0])
    line_up = LineUp.objects.get()
    path = f"/admin/tournaments/lineup/{line_up.pk}/change/"
    assert "team-1-1, team-1-2" in client_of(olga).get(path).content.decode()
    assert client_of(hanna).get(path).status_code == 302
    assert "Team 1" not in client_of(hanna).get("/admin/tournaments/lineup/").content.decode()
