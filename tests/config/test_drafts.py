"""To strangers a draft of a competition is nothing: at every URL they are answered as if it were not there."""

import re
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from players.models import Delivery, Player
from tests.marks import nightly
from tests.permissions.test_permissions import TABLE, client_of
from tests.permissions.world import World, make_world
from tests.tournaments.verbs import NOON, TIEBREAKS, make_stage
from tournaments.decisions.services.status import announce
from tournaments.entries.services.admission import admit_player
from tournaments.models import Competition, CompetitionStatus, Cup, EntryInvitation, Ladder, LogEntry, WaitingPlayer
from tournaments.office.selectors.changes import logged_changes
from tournaments.rounds.services.seating import store_competition
from tournaments.running.services.notifications import send_news

pytestmark = pytest.mark.django_db
STRANGERS = ("visitor", "piotr", "otto", "stan")
"""Piotr was entered by the organiser, otto organises another ladder, stan is on the staff; anna has less than they."""
NEAR = ("piotr", "stan")
"""Those of them to whom most is open."""

DRAFT, NOTHING = "hush-hush", "not-there"
NAME = "Hush Hush Open"
ROWS = [
    (method, route) for method, route in TABLE if re.match(r"(api/v1/competitions|cups|ladders)/<slug:slug>/", route)
]
READS = [route for method, route in TABLE if method == "GET" and "<slug:slug>" not in route]
OF_ADMIN = [
    (method, route)
    for method, route in TABLE
    if re.match(r"admin/tournaments/(cup|ladder|entry|logentry)/<path:object_id>/", route)
]
CHANGING = re.compile(rf"({DRAFT}|{NOTHING})(-ladder)?|[A-Za-z0-9]{{64}}|[A-Za-z0-9]{{32}}")


@pytest.fixture(scope="module")
def world(module_transaction: None) -> World:
    """Return a world with a draft of a cup and one of a ladder, both olga's."""
    made = make_world()
    olga, piotr = (Player.objects.get(username=name) for name in ("olga", "piotr"))
    for kind, slug in ((Cup, DRAFT), (Ladder, f"{DRAFT}-ladder")):
        draft = kind(game="streetsoccer-board", created_at=NOON, slug=slug, name=NAME)
        store_competition(competition=draft, stage=make_stage(kind, {"tiebreaks": TIEBREAKS}))
        draft.organisers.add(olga)
        admit_player(competition_id=draft.pk, player=piotr, actor=olga, now=NOON)
        carla = Player.objects.get(username="carla")
        EntryInvitation.objects.create(competition=draft, player=carla, invited_by=olga, created_at=NOON)
        WaitingPlayer.objects.create(competition=draft, player=carla, joined_at=NOON)
        announce(competition_id=draft.pk, actor=olga, text="Hush", now=NOON)
    return made


@pytest.fixture(scope="module")
def clients(world: World) -> dict[str, Client]:
    return {role: client_of(role) for role in (*STRANGERS, "olga")}


def ask(client: Client, world: World, method: str, route: str, url: str) -> Any:
    """Send the request, and undo what it did."""
    cache.clear()
    cookies = deepcopy(client.cookies)
    kind = {"content_type": "application/json"} if route.startswith("api/") and method != "GET" else {}
    with transaction.atomic():
        body = {} if method in {"GET", "DELETE"} else world.body(route)
        response = getattr(client, method.lower())(url, body, **kind)
        transaction.set_rollback(True)
    client.cookies = cookies
    return response


def shown(response: Any) -> tuple[int, str, dict[str, str]]:
    """Return all that a caller can tell of an answer; what is by chance, and the slugs, are left out."""
    headers = {
        name: CHANGING.sub("", value)
        for name, value in response.headers.items()
        if name not in {"RateLimit", "Content-Length", "Expires", "X-Request-ID"}
    }
    return response.status_code, CHANGING.sub("", response.content.decode()), headers


def urls_of(world: World, route: str) -> tuple[str, str]:
    """Return the URL of the draft by a route, and that of nothing."""
    competition = world.ladder if route.startswith("ladders/") else world.cup
    slug = f"{DRAFT}-ladder" if route.startswith("ladders/") else DRAFT
    draft = Competition.objects.get(slug=slug)
    url = world.fill(route).replace(f"/{competition.slug}/", "/{slug}/", 1)
    url = url.replace(f"entries/{competition.entries.first().pk}/", f"entries/{draft.entries.get().pk}/")
    rows = {
        "invitations": draft.invitations.get(),
        **dict.fromkeys(("announcements", "log"), draft.log.get(action="announced")),
        "waiting-list": draft.waiting_players.get(),
    }
    for name, row in rows.items():
        url = re.sub(rf"/{name}/\d+/", f"/{name}/{row.pk}/", url)
    return url.format(slug=slug), url.format(slug=slug.replace(DRAFT, NOTHING))


def test_every_route_of_a_competition_is_looked_at():
    assert len(ROWS) > 70
    assert {route.split("/")[0] for _method, route in ROWS} == {"api", "cups", "ladders"}
    assert len(OF_ADMIN) >= 4 * 6


@pytest.mark.parametrize("strangers", [NEAR, *nightly([STRANGERS])], ids=["near", "all"])
@pytest.mark.parametrize(("method", "route"), ROWS)
def test_a_draft_is_answered_like_nothing(world, clients, method, route, strangers):
    draft, nothing = urls_of(world, route)
    for role in strangers:
        known, unknown = (ask(clients[role], world, method, route, url) for url in (draft, nothing))
        assert shown(known) == shown(unknown), role
        assert known.status_code in ({401, 302, 404} if role == "visitor" else {404}), role
    if method == "GET":
        own = ask(clients["olga"], world, method, route, draft)
        unknown = ask(clients["olga"], world, method, route, nothing)
        assert own.status_code != 404 or world_has_none(route), "its organiser can see it"
        assert unknown.status_code == 404


def world_has_none(route: str) -> bool:
    """Return whether even the organiser finds nothing: a draft has no match, no stream, and is on no other site."""
    return bool(re.search(r"fixture|challenges|rounds|embed|preview\.png|ladders/.*draw|stream", route))


@pytest.mark.parametrize("route", sorted({route for _method, route in ROWS if "cups" in route or "ladders" in route}))
def test_a_draft_of_another_kind_is_answered_like_nothing(world, clients, route):
    """A cup at the URL of a ladder, and the other way round."""
    draft, nothing = urls_of(world, route)
    other = draft.replace("-ladder/", "/") if "-ladder/" in draft else draft.replace(f"/{DRAFT}/", f"/{DRAFT}-ladder/")
    assert other != draft
    known, unknown = (ask(clients["piotr"], world, "GET", route, url) for url in (other, nothing))
    assert shown(known) == shown(unknown)


@pytest.mark.parametrize(("method", "route"), OF_ADMIN)
def test_the_admin_shows_a_draft_like_nothing(world, clients, method, route):
    kind = route.split("/")[2]
    draft = Competition.objects.get(slug=f"{DRAFT}-ladder" if kind == "ladder" else DRAFT)
    row = {"entry": draft.entries.first(), "logentry": draft.log.first()}.get(kind, draft)
    known, unknown = (f"/{route.replace('<path:object_id>', str(key))}" for key in (row.pk, 987654))
    for role in ("otto", "stan"):
        answers = [ask(clients[role], world, method, route, url) for url in (known, unknown)]
        answered = [re.sub(rf"\b({row.pk}|987654)\b", "", str(shown(answer))) for answer in answers]
        assert answered[0] == answered[1], role


def test_the_admin_leads_to_no_draft_of_others(world, clients):
    for kind, slug in ((Cup, DRAFT), (Ladder, f"{DRAFT}-ladder")):
        type_ = ContentType.objects.get_for_model(kind, for_concrete_model=False)
        row = f"/admin/r/{type_.pk}/{Competition.objects.get(slug=slug).pk}/"
        for role in ("otto", "stan"):
            assert clients[role].get(row).status_code == 404
        assert slug in clients["olga"].get(row)["Location"]


@pytest.mark.parametrize("route", [route for route in READS if not route.startswith("admin/")])
def test_no_other_page_names_a_draft(world, clients, route):
    url = world.fill(route).replace("/anna/", "/piotr/")
    for role in NEAR:
        said = ask(clients[role], world, "GET", route, url).content.decode()
        assert NAME not in said, role
        assert DRAFT not in said, role


@pytest.mark.parametrize("route", [route for route in READS if re.fullmatch(r"admin/(\w+/\w+/)?", route)])
def test_no_list_of_the_admin_names_a_draft(world, clients, route):
    for role in ("otto", "stan"):
        said = ask(clients[role], world, "GET", route, world.fill(route)).content.decode()
        assert NAME not in said, role
        assert DRAFT not in said, role


def test_lists_do_not_find_a_draft_by_its_number_name_or_status(world, clients):
    draft = Competition.objects.get(slug=DRAFT)
    for role in STRANGERS:
        for query in (f"id={draft.pk}", "name=hush", "status=draft", f"id={draft.pk}&kind=cup"):
            answer = clients[role].get(f"/api/v1/competitions/?{query}")
            assert answer.status_code == 400 if "status" in query else answer.json()["results"] == [], role


def test_nobody_is_notified_of_a_draft_by_mail_or_stream(world):
    piotr = Player.objects.get(username="piotr")
    piotr.email, piotr.email_confirmed_at = "piotr@example.org", NOON
    piotr.save()
    assert LogEntry.objects.filter(
        competition__status=CompetitionStatus.DRAFT, action="announced", is_notified=False
    ).exists()
    lines = [change for change in logged_changes() if DRAFT in change.slug]
    assert lines
    assert {change.players for change in lines} == {()}
    organisers = set(Competition.objects.get(slug=DRAFT).organisers.values_list("pk", flat=True))
    assert {player for change in lines for player in change.organisers} == organisers
    send_news(now=NOON)
    mailed = Delivery.objects.filter(player=piotr).values_list("about", flat=True)
    drafts = set(LogEntry.objects.filter(competition__status=CompetitionStatus.DRAFT).values_list("pk", flat=True))
    assert not [about for about in mailed if about.get("entry") in drafts]
