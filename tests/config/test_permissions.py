"""Who may do what: one row for every address and method, and nothing is left out.

The match is anna's (yellow, to act) against piotr; the seek is anna's invitation to piotr; the token is
anna's. Anna organises a running cup, which piotr and carla play, and a ladder that is open, which piotr has
entered. Carla has nothing to do with the rest; boss is a superuser, who organises everything, and has no more
rights outside the admin than that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from matches.clock import CORRESPONDENCE
from matches.models import Colour, Match, Seek
from matches.services import open_seek, start_match
from players.links import switch_off_link
from players.models import ApiToken, Player
from players.services import create_token, plan_vacation
from tests.tournaments.competing.running import enter_all, make_cup, make_ladder
from tournaments.models import Cup, Ladder
from tournaments.services.lifecycle.starting import start_event

NOW = datetime.now(UTC)
TOMORROW = (NOW + timedelta(days=1)).date()
ROLES = ("anonymous", "anna", "piotr", "carla", "boss")
ALL_READ = (200, 200, 200, 200, 200)
MEMBERS_READ = (401, 200, 200, 200, 200)
NOT_HERE = (503, 503, 503, 503, 503)
ELSEWHERE = ("admin/",)

# method, address: the status for a visitor, anna, piotr, carla and boss
TABLE: dict[tuple[str, str], tuple[int, ...]] = {
    # --- the API, about players
    ("POST", "api/v1/players/"): (400, 400, 400, 400, 400),
    ("GET", "api/v1/players/me/"): MEMBERS_READ,
    ("PUT", "api/v1/players/me/email/"): MEMBERS_READ,
    ("POST", "api/v1/players/me/email/confirmations/"): (401, 409, 409, 409, 409),
    ("GET", "api/v1/players/me/mail/"): MEMBERS_READ,
    ("PATCH", "api/v1/players/me/mail/"): MEMBERS_READ,
    ("POST", "api/v1/password-resets/"): (202, 202, 202, 202, 202),
    ("PUT", "api/v1/players/me/password/"): (401, 400, 400, 400, 400),
    ("GET", "api/v1/players/<str:username>/"): ALL_READ,
    ("GET", "api/v1/vacation/"): MEMBERS_READ,
    ("POST", "api/v1/vacation/"): MEMBERS_READ,
    ("DELETE", "api/v1/vacation/<str:day>/"): (401, 204, 404, 404, 404),
    ("POST", "api/v1/guests/"): (201, 201, 201, 201, 201),
    ("GET", "api/v1/tokens/"): MEMBERS_READ,
    ("POST", "api/v1/tokens/"): (401, 201, 201, 201, 201),
    ("DELETE", "api/v1/tokens/<int:token_id>/"): (401, 204, 404, 404, 404),
    # --- the API, about matches
    ("GET", "api/v1/games/"): ALL_READ,
    ("GET", "api/v1/matches/"): ALL_READ,
    ("POST", "api/v1/matches/"): (401, 201, 201, 201, 201),
    ("GET", "api/v1/matches/<int:match_id>/"): ALL_READ,
    # Streams are open to whoever may see the match, on a server that has them: see tests/config/streams.
    ("GET", "api/v1/matches/<int:match_id>/events/"): NOT_HERE,
    ("POST", "api/v1/matches/<int:match_id>/moves/"): (401, 201, 409, 403, 403),
    ("GET", "api/v1/matches/<int:match_id>/steps/"): ALL_READ,
    ("GET", "api/v1/matches/<int:match_id>/route/"): ALL_READ,
    ("GET", "api/v1/matches/<int:match_id>/positions/<int:ply>/"): ALL_READ,
    ("GET", "api/v1/matches/<int:match_id>/record/"): ALL_READ,
    ("GET", "api/v1/matches/<int:match_id>/dice/"): ALL_READ,
    ("POST", "api/v1/matches/<int:match_id>/resign/"): (401, 200, 200, 403, 403),
    ("POST", "api/v1/matches/<int:match_id>/rematch/"): (401, 409, 409, 403, 403),
    # --- the API, about seeks
    ("GET", "api/v1/seeks/"): ALL_READ,
    ("POST", "api/v1/seeks/"): (401, 201, 201, 201, 201),
    ("POST", "api/v1/seeks/<int:seek_id>/take/"): (401, 409, 201, 404, 404),
    ("POST", "api/v1/seeks/<int:seek_id>/withdraw/"): (401, 200, 403, 404, 404),
    ("POST", "api/v1/seeks/<int:seek_id>/decline/"): (401, 403, 200, 404, 404),
    # --- the API, about itself
    ("GET", "api/v1/schema/"): ALL_READ,
    ("GET", "api/v1/docs/"): ALL_READ,
    # --- pages about players
    ("GET", "sign-up/"): (200, 302, 302, 302, 302),
    ("POST", "sign-up/"): (400, 302, 302, 302, 302),
    ("GET", "log-in/"): ALL_READ,
    ("POST", "log-in/"): (400, 400, 400, 400, 400),
    ("POST", "log-out/"): (302, 302, 302, 302, 302),
    ("GET", "forgot-password/"): ALL_READ,
    ("POST", "forgot-password/"): (302, 302, 302, 302, 302),
    ("GET", "choose-password/<str:uidb64>/<str:token>/"): ALL_READ,
    ("POST", "choose-password/<str:uidb64>/<str:token>/"): ALL_READ,
    ("GET", "mail/confirm/<str:token>/"): ALL_READ,
    ("POST", "mail/confirm/<str:token>/"): (404, 404, 404, 404, 404),
    ("GET", "mail/off/<str:token>/"): ALL_READ,
    ("POST", "mail/off/<str:token>/"): ALL_READ,
    ("GET", "profile/"): (302, 200, 200, 200, 200),
    ("POST", "profile/email/"): (302, 302, 302, 302, 302),
    ("POST", "profile/email/confirmation/"): (302, 409, 409, 409, 409),
    ("POST", "profile/mail/"): (302, 302, 302, 302, 302),
    ("POST", "profile/password/"): (302, 400, 400, 400, 400),
    ("POST", "profile/tokens/"): (302, 200, 200, 200, 200),
    ("POST", "profile/tokens/<int:token_id>/revoke/"): (302, 302, 302, 302, 302),
    ("GET", "profile/vacation/"): (302, 200, 200, 200, 200),
    ("POST", "profile/vacation/"): (302, 302, 302, 302, 302),
    ("POST", "profile/vacation/<str:day>/cancel/"): (302, 302, 302, 302, 302),
    ("GET", "players/<str:username>/"): ALL_READ,
    # --- pages about matches
    ("GET", ""): ALL_READ,
    ("POST", "play/"): (302, 302, 302, 302, 302),
    ("GET", "seeks/"): ALL_READ,
    ("POST", "seeks/"): (302, 302, 302, 302, 302),
    ("POST", "seeks/<int:seek_id>/take/"): (404, 409, 302, 404, 404),
    ("POST", "seeks/<int:seek_id>/withdraw/"): (302, 302, 403, 404, 404),
    ("POST", "seeks/<int:seek_id>/decline/"): (302, 403, 302, 404, 404),
    ("GET", "matches/<int:match_id>/"): ALL_READ,
    ("POST", "matches/<int:match_id>/"): (302, 302, 409, 403, 403),
    ("GET", "matches/<int:match_id>/panels/"): ALL_READ,
    ("GET", "matches/<int:match_id>/ahead/"): ALL_READ,
    ("GET", "matches/<int:match_id>/back/<int:ply>/"): ALL_READ,
    ("POST", "matches/<int:match_id>/resign/"): (302, 302, 302, 403, 403),
    ("POST", "matches/<int:match_id>/rematch/"): (302, 409, 409, 403, 403),
    ("GET", "matches/<int:match_id>/dice/"): ALL_READ,
    # --- pages about the rules
    ("GET", "rules/"): ALL_READ,
    ("GET", "rules/<slug:name>/"): ALL_READ,
}


def organisers(method: str, base: str, rows: dict[str, tuple[int, int]], visitor: int) -> dict[Any, tuple[int, ...]]:
    """Rows of what organisers alone may do: the statuses for anna and for boss by address."""
    return {(method, f"{base}{rest}"): (visitor, anna, 403, 403, boss) for rest, (anna, boss) in rows.items()}


YES, GONE_ON, NOWHERE, NO_FORM, TO = (200, 200), (409, 409), (404, 404), (400, 400), (302, 302)
API_EVENT = "api/v1/events/<slug:slug>/"
CUP = "cups/<slug:slug>/organise/"
LADDER = "ladders/<slug:slug>/organise/"
LISTS = {"": YES, "<str:what>.<str:form>": YES, "import/": YES, "entries/": YES, "fixtures/": YES}
ENTRY, FIXTURE, ROUND = (f"{rows}/<int:subject_id>/<slug:action>/" for rows in ("entries", "fixtures", "rounds"))
ACTION, DECIDE = "<slug:action>/", "fixtures/<int:fixture_id>/"

TABLE |= {
    # --- the API, about events and ratings; the event is the cup
    ("GET", "api/v1/events/"): ALL_READ,
    ("GET", API_EVENT): ALL_READ,
    ("GET", f"{API_EVENT}standings/"): ALL_READ,
    ("GET", f"{API_EVENT}bracket/"): ALL_READ,
    ("GET", f"{API_EVENT}fixtures/"): ALL_READ,
    ("GET", f"{API_EVENT}log/"): ALL_READ,
    ("POST", f"{API_EVENT}enter/"): (401, 409, 409, 409, 409),
    ("POST", f"{API_EVENT}leave/"): (401, 404, 200, 200, 404),
    ("GET", f"{API_EVENT}challenges/"): (401, 409, 409, 409, 409),
    ("POST", f"{API_EVENT}challenges/"): (401, 409, 409, 409, 409),
    ("GET", "api/v1/ratings/"): ALL_READ,
    ("GET", "api/v1/players/<str:username>/ratings/"): ALL_READ,
    ("GET", "api/v1/players/<str:username>/rating-changes/"): ALL_READ,
    ("GET", "api/v1/players/<str:username>/events/"): ALL_READ,
    # --- pages about events and ratings
    ("GET", "ladders/"): ALL_READ,
    ("GET", "ladders/<slug:slug>/"): ALL_READ,
    ("GET", "ladders/<slug:slug>/log/"): ALL_READ,
    ("POST", "ladders/<slug:slug>/enter/"): (302, 302, 409, 302, 302),
    ("POST", "ladders/<slug:slug>/leave/"): (302, 404, 302, 404, 404),
    ("POST", "ladders/<slug:slug>/challenge/<str:username>/"): (302, 409, 409, 409, 409),
    ("GET", "cups/"): ALL_READ,
    ("GET", "cups/<slug:slug>/"): ALL_READ,
    ("GET", "cups/<slug:slug>/log/"): ALL_READ,
    ("POST", "cups/<slug:slug>/enter/"): (302, 409, 409, 409, 409),
    ("POST", "cups/<slug:slug>/leave/"): (302, 404, 302, 302, 404),
    ("GET", "players/"): ALL_READ,
    # --- the API, for organisers; the event is the cup
    **organisers("GET", API_EVENT, {"draw/": YES, "export/<str:what>.<str:form>": YES}, 401),
    **organisers("PUT", API_EVENT, {"rounds/<int:number>/date/": YES}, 401),
    **organisers(
        "POST",
        API_EVENT,
        {
            "open/": GONE_ON,
            "close/": GONE_ON,
            "start/": YES,
            "pause/": YES,
            "resume/": GONE_ON,
            "finish/": GONE_ON,
            "cancel/": YES,
            "announcements/": YES,
            "draw/": GONE_ON,
            "admissions/": GONE_ON,
            "import/": GONE_ON,
            "entries/<int:entry_id>/withdraw/": YES,
            "entries/<int:entry_id>/replace/": YES,
            "fixtures/<int:fixture_id>/adjudicate/": YES,
            "fixtures/<int:fixture_id>/annul/": GONE_ON,
            "fixtures/<int:fixture_id>/replay/": YES,
            "fixtures/<int:fixture_id>/extend/": GONE_ON,
            "rounds/<int:number>/end/": YES,
        },
        401,
    ),
    # --- pages for organisers
    **organisers("GET", CUP, {**LISTS, "draw/": YES, DECIDE: YES}, 302),
    **organisers("GET", CUP, {ACTION: YES, ENTRY: YES, FIXTURE: YES, ROUND: YES}, 302),
    **organisers("POST", CUP, {"draw/": GONE_ON, "import/": NO_FORM}, 302),
    **organisers("POST", CUP, {ACTION: TO, ENTRY: TO, FIXTURE: TO, ROUND: TO}, 302),
    **organisers("GET", LADDER, {**LISTS, "draw/": NOWHERE, DECIDE: NOWHERE}, 302),
    **organisers("GET", LADDER, {ACTION: YES, ENTRY: YES, FIXTURE: NOWHERE, ROUND: NOWHERE}, 302),
    **organisers("POST", LADDER, {"draw/": NOWHERE, "import/": NO_FORM}, 302),
    **organisers("POST", LADDER, {ACTION: TO, ENTRY: TO, FIXTURE: NOWHERE, ROUND: NOWHERE}, 302),
}


@dataclass
class World:
    """What the requests are about."""

    match: Match
    seek: Seek
    token: ApiToken
    cup: Cup
    ladder: Ladder

    def fill(self, route: str) -> str:
        """The address with this world's ids in it."""
        event = self.ladder if route.startswith("ladders/") else self.cup
        entry = event.entries.first()
        fixture = self.cup.fixtures.get()
        ids = {
            "fixtures/<int:subject_id>/<slug:action>/": f"fixtures/{fixture.pk}/adjudicate/",
            "entries/<int:subject_id>/<slug:action>/": f"entries/{entry.pk}/withdraw/",
            "rounds/<int:subject_id>/<slug:action>/": "rounds/1/end/",
            "<slug:action>": "announce",
            "<slug:slug>": event.slug,
            "<str:what>.<str:form>": "entries.csv",
            "<int:entry_id>": entry.pk,
            "<int:fixture_id>": fixture.pk,
            "<int:number>": 1,
            "<int:match_id>": self.match.pk,
            "<int:seek_id>": self.seek.pk,
            "<int:token_id>": self.token.pk,
            "<int:ply>": 0,
            "<str:day>": TOMORROW,
            "<str:username>": "anna",
            "<str:uidb64>": "x",
            "<str:token>": switch_off_link(self.match.yellow_id, "turn").split("/")[-2],
            "<slug:name>": "streetsoccer",
        }
        for name, value in ids.items():
            route = route.replace(name, str(value))
        return f"/{route}?text={self.move}" if route.endswith("/route/") else f"/{route}"

    @property
    def move(self) -> str:
        """A legal move of anna's."""
        return self.match.state.legal_moves()[0]

    def body(self, route: str) -> dict[str, Any]:
        """What the request says."""
        time = {"bank": 3600, "increment": 60, "cap": 3600}
        bodies: dict[str, dict[str, Any]] = {
            "api/v1/players/me/email/": {"email": ""},
            "api/v1/players/me/password/": {},
            "api/v1/password-resets/": {"email": "anna@example.org"},
            "forgot-password/": {"email": "anna@example.org"},
            "api/v1/tokens/": {"name": "bot", "scopes": ["read"]},
            "profile/tokens/": {"name": "bot", "scopes": ["read"], "days": ""},
            "api/v1/matches/<int:match_id>/moves/": {"ply": self.match.ply, "text": self.move},
            "matches/<int:match_id>/": {"ply": self.match.ply, "text": self.move},
            "api/v1/matches/": {"game": "streetsoccer-board", "opponent": "computer"},
            "api/v1/seeks/": {"game": "streetsoccer-board", "colour": "random", "time_control": time},
            "seeks/": {"game": "streetsoccer-board", "colour": "random", "pace": "slow"},
            "api/v1/vacation/": {"first": f"{TOMORROW}", "last": f"{TOMORROW}"},
            "profile/vacation/": {"first": f"{TOMORROW}", "last": f"{TOMORROW}"},
            "play/": {"game": "streetsoccer-board", "colour": "yellow"},
        }
        organising = {
            "reason": "It has to be.",
            "text": "anna",
            "player": "anna",
            "opponent": "piotr",
            "winner": "yellow",
            "policy": "forfeit",
            "side": "red" if self.cup.fixtures.get().match.side == "yellow" else "yellow",
            "seconds": 60,
            "ends_at": None,
        }
        if route.startswith(API_EVENT) or route.endswith("<slug:action>/"):
            return {name: value for name, value in organising.items() if value or route.startswith("api/")}
        return bodies.get(route, {})


@pytest.fixture
def world(db: None) -> World:
    anna, piotr, carla = (Player.objects.create(username=name) for name in ("anna", "piotr", "carla"))
    Player.objects.create(username="boss", is_staff=True, is_superuser=True)
    cup = make_cup(legs=1)
    ladder = make_ladder()
    for event, entrants in ((cup, (piotr, carla)), (ladder, (piotr,))):
        event.organisers.add(anna)
        enter_all(event, entrants)
    start_event(event_id=cup.pk, actor=None, now=NOW)
    match = start_match(game="streetsoccer-board", yellow=anna, red=piotr, time_control=CORRESPONDENCE, now=NOW)
    seek = open_seek(
        creator=anna,
        invited=piotr,
        game="streetsoccer-board",
        colour=Colour.RANDOM,
        time_control=CORRESPONDENCE,
        now=NOW,
    )
    plan_vacation(player=anna, first=TOMORROW, last=TOMORROW, now=NOW)
    token, _secret = create_token(player=anna, name="bot", scopes=["read"], now=NOW)
    return World(match, seek, token, cup, ladder)


@pytest.mark.once
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("method", "route"), TABLE, ids=lambda value: value or "home")
def test_who_may_do_what(world, method, route, role):
    client = Client()
    if role != "anonymous":
        client.force_login(Player.objects.get(username=role))
    api = route.startswith("api/")
    more = {"content_type": "application/json"} if api and method != "GET" else {}
    body = {} if method == "GET" else world.body(route)
    response = getattr(client, method.lower())(world.fill(route), body, **more)
    assert response.status_code == TABLE[method, route][ROLES.index(role)], response.content[:300]
    if api and response.status_code >= 400:
        assert response["Content-Type"] == "application/problem+json"


def test_staff_revoke_nobody_elses_tokens_by_the_page(world):
    client = Client()
    client.force_login(Player.objects.get(username="boss"))
    client.post(f"/profile/tokens/{world.token.pk}/revoke/")
    assert ApiToken.objects.filter(pk=world.token.pk).exists()


def all_routes(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if route.startswith(ELSEWHERE):
            continue
        if isinstance(entry, URLPattern):
            yield route, entry.callback
        else:
            yield from all_routes(entry, route)


def test_no_address_is_left_out():
    routes = {route for route, _view in all_routes(get_resolver())}
    assert routes == {route for _method, route in TABLE}


def test_no_method_of_the_api_is_left_out():
    implemented = {
        (method.upper(), route)
        for route, view in all_routes(get_resolver())
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(getattr(view, "cls", None), method)
    }
    listed = {(method, route) for method, route in TABLE if route.startswith("api/") and route != "api/v1/docs/"}
    assert implemented == listed
