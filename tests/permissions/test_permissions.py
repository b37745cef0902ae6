"""Every URL and method has one row that says who may use it, and nothing is left out.

A new URL needs a row here; ``permissions.rows`` says who is who, ``permissions.admin`` has the rows of the admin.
"""

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.contrib import admin
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from players.models import ApiToken, Player, Scope
from players.services import create_token
from tests.marks import nightly
from tests.pages.html import lost_references
from tests.permissions.admin import OF_COMPETITIONS, RATINGS, admin_rows
from tests.permissions.cacheability import is_kept_by_nobody_else
from tests.permissions.rows import ROLES, Row, entrants, everybody, invited, members, organisers, owners
from tests.permissions.world import World, make_world
from tests.web.answers.description import path_of, read_description
from tests.web.content_policy import EMBEDDED, POLICY, policy_of
from tournaments.desk.acts import ACTS

pytestmark = pytest.mark.django_db

ALL_READ = everybody(200)
MEMBERS_READ = members(401, 200)
NOT_HERE = everybody(503)
METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE"})

# method, URL: the status for each role
TABLE: dict[tuple[str, str], Row] = {
    # --- the API, about players
    ("POST", "api/v1/players/"): everybody(400),
    ("GET", "api/v1/players/me/"): MEMBERS_READ,
    # Olga and otto are the only organisers of what has not ended, boss is the last superuser.
    ("DELETE", "api/v1/players/me/"): (401, 204, 204, 204, 204, 204, 409, 409, 204, 409),
    ("PATCH", "api/v1/players/me/"): MEMBERS_READ,
    ("PUT", "api/v1/players/me/email/"): MEMBERS_READ,
    ("POST", "api/v1/players/me/email/confirmations/"): members(401, 409),
    ("GET", "api/v1/players/me/mail/"): MEMBERS_READ,
    ("PATCH", "api/v1/players/me/mail/"): MEMBERS_READ,
    ("GET", "api/v1/push-settings/"): MEMBERS_READ,
    ("PATCH", "api/v1/push-settings/"): MEMBERS_READ,
    ("GET", "api/v1/push-subscriptions/"): MEMBERS_READ,
    ("POST", "api/v1/push-subscriptions/"): members(401, 201),
    ("DELETE", "api/v1/push-subscriptions/<int:device_id>/"): owners(401, anna=204, piotr=404, others=404),
    ("POST", "api/v1/password-resets/"): everybody(202),
    ("PUT", "api/v1/players/me/password/"): members(401, 400),
    ("GET", "api/v1/players/<str:username>/"): ALL_READ,
    # Nothing is asked for.
    ("GET", "api/v1/usernames/"): members(401, 400),
    ("GET", "api/v1/vacation/"): MEMBERS_READ,
    ("POST", "api/v1/vacation/"): MEMBERS_READ,
    ("DELETE", "api/v1/vacation/<str:day>/"): owners(401, anna=204, piotr=404, others=404),
    ("POST", "api/v1/guests/"): everybody(201),
    # The token says whose echo it is.
    ("POST", "api/v1/echoes/"): everybody(204),
    ("GET", "api/v1/tokens/"): MEMBERS_READ,
    ("POST", "api/v1/tokens/"): members(401, 201),
    ("DELETE", "api/v1/tokens/<int:token_id>/"): owners(401, anna=204, piotr=404, others=404),
    # --- the API, about matches
    ("GET", "api/v1/games/"): ALL_READ,
    ("GET", "api/v1/pauses/"): ALL_READ,
    ("GET", "api/v1/matches/"): ALL_READ,
    ("POST", "api/v1/matches/"): members(401, 201),
    ("GET", "api/v1/matches/<int:match_id>/"): ALL_READ,
    # Streams are open to everybody who may see the match, on a server that has them: see tests/config/streams.
    ("GET", "api/v1/matches/<int:match_id>/stream/"): NOT_HERE,
    ("GET", "api/v1/competitions/<slug:slug>/stream/"): NOT_HERE,
    ("GET", "api/v1/stream/"): members(401, 503),
    ("POST", "api/v1/matches/<int:match_id>/moves/"): owners(401, anna=201, piotr=409, others=403),
    ("GET", "api/v1/matches/<int:match_id>/steps/"): ALL_READ,
    ("GET", "api/v1/matches/<int:match_id>/route/"): ALL_READ,
    ("GET", "api/v1/matches/<int:match_id>/positions/<int:ply>/"): ALL_READ,
    ("GET", "api/v1/matches/<int:match_id>/record/"): ALL_READ,
    # The match is of a game that has no such text.
    ("GET", "api/v1/matches/<int:match_id>/texts/<slug:key>/"): everybody(404),
    ("POST", "api/v1/replays/"): ALL_READ,
    ("GET", "api/v1/matches/<int:match_id>/dice/"): ALL_READ,
    ("GET", "api/v1/matches/<int:match_id>/analysis/"): ALL_READ,
    ("POST", "api/v1/matches/<int:match_id>/analysis/"): owners(401, anna=409, piotr=409, others=403),
    ("POST", "api/v1/matches/<int:match_id>/resign/"): owners(401, anna=200, piotr=200, others=403),
    ("PUT", "api/v1/matches/<int:match_id>/by-hand/"): owners(401, anna=200, piotr=200, others=403),
    ("POST", "api/v1/matches/<int:match_id>/abort/"): owners(401, anna=200, piotr=200, others=403),
    ("GET", "api/v1/matches/<int:match_id>/conditional-answers/"): owners(401, anna=200, piotr=200, others=403),
    # It is the turn of anna, who can give no line.
    ("PUT", "api/v1/matches/<int:match_id>/conditional-answers/"): owners(401, anna=409, piotr=200, others=403),
    ("DELETE", "api/v1/matches/<int:match_id>/conditional-answers/"): owners(401, anna=200, piotr=200, others=403),
    ("POST", "api/v1/matches/<int:match_id>/offer/"): owners(401, anna=200, piotr=200, others=403),
    # Nobody has offered anything.
    ("POST", "api/v1/matches/<int:match_id>/offer/accept/"): owners(401, anna=409, piotr=409, others=403),
    ("POST", "api/v1/matches/<int:match_id>/offer/decline/"): owners(401, anna=200, piotr=200, others=403),
    ("POST", "api/v1/matches/<int:match_id>/rematch/"): owners(401, anna=409, piotr=409, others=403),
    # --- the API, about seeks
    ("GET", "api/v1/seeks/"): ALL_READ,
    ("POST", "api/v1/seeks/"): members(401, 201),
    ("GET", "api/v1/seeks/<int:seek_id>/"): owners(404, anna=200, piotr=200, others=404),
    ("POST", "api/v1/seeks/<int:seek_id>/take/"): owners(401, anna=409, piotr=201, others=404),
    ("POST", "api/v1/seeks/<int:seek_id>/withdraw/"): owners(401, anna=200, piotr=403, others=404),
    ("POST", "api/v1/seeks/<int:seek_id>/decline/"): owners(401, anna=403, piotr=200, others=404),
    # The link is that of a game of anna's.
    ("GET", "api/v1/linked-seeks/<str:token>/"): ALL_READ,
    ("POST", "api/v1/linked-seeks/<str:token>/take/"): owners(401, anna=409, piotr=201, others=201),
    # --- the API, about itself
    ("GET", "api/v1/schema/"): ALL_READ,
    ("GET", "api/v1/docs/"): ALL_READ,
    # --- pages about players
    ("GET", "sign-up/"): members(200, 302),
    ("POST", "sign-up/"): members(400, 302),
    ("GET", "log-in/"): ALL_READ,
    ("POST", "log-in/"): everybody(400),
    ("POST", "log-out/"): everybody(302),
    ("GET", "forgot-password/"): ALL_READ,
    ("POST", "forgot-password/"): everybody(302),
    ("GET", "choose-password/<str:uidb64>/<str:token>/"): ALL_READ,
    ("POST", "choose-password/<str:uidb64>/<str:token>/"): ALL_READ,
    ("GET", "mail/confirm/<str:token>/"): ALL_READ,
    ("POST", "mail/confirm/<str:token>/"): everybody(404),
    ("GET", "mail/off/<str:token>/"): ALL_READ,
    ("POST", "mail/off/<str:token>/"): ALL_READ,
    # The link is that of the invitation of ines, no matter who follows it.
    ("GET", "mail/invitation/<str:token>/"): ALL_READ,
    ("POST", "mail/invitation/<str:token>/"): ALL_READ,
    ("GET", "profile/"): members(302, 200),
    ("GET", "profile/delete/"): members(302, 200),
    ("POST", "profile/delete/"): (302, 302, 302, 302, 302, 302, 409, 409, 302, 409),
    ("POST", "profile/competitions/"): everybody(302),
    ("POST", "profile/email/"): everybody(302),
    ("POST", "profile/email/confirmation/"): members(302, 409),
    ("POST", "profile/mail/"): everybody(302),
    ("POST", "profile/password/"): members(302, 400),
    ("POST", "profile/playing/"): everybody(302),
    ("POST", "profile/push/"): everybody(302),
    ("POST", "profile/push/<int:device_id>/end/"): everybody(302),
    ("POST", "profile/time-zone/"): members(302, 400),
    ("POST", "profile/tokens/"): members(302, 200),
    ("POST", "profile/calendar/"): members(302, 200),
    ("POST", "profile/tokens/<int:token_id>/revoke/"): everybody(302),
    ("GET", "profile/vacation/"): members(302, 200),
    ("POST", "profile/vacation/"): everybody(302),
    ("POST", "profile/vacation/<str:day>/cancel/"): everybody(302),
    ("GET", "players/<str:username>/"): ALL_READ,
    # --- pages about matches
    ("GET", ""): ALL_READ,
    ("GET", "play/"): ALL_READ,
    ("POST", "play/"): everybody(302),
    ("GET", "turns/"): ALL_READ,
    ("GET", "my-turns/"): members(302, 200),
    ("GET", "my-turns/next/"): everybody(302),
    ("GET", "offline/"): members(302, 200),
    ("GET", "seeks/"): ALL_READ,
    ("POST", "seeks/"): everybody(302),
    ("POST", "seeks/<int:seek_id>/take/"): owners(404, anna=409, piotr=302, others=404),
    ("POST", "seeks/<int:seek_id>/withdraw/"): owners(302, anna=302, piotr=403, others=404),
    ("POST", "seeks/<int:seek_id>/decline/"): owners(302, anna=403, piotr=302, others=404),
    ("GET", "friend/"): ALL_READ,
    ("POST", "friend/"): everybody(302),
    ("GET", "friend/<str:token>/"): ALL_READ,
    ("POST", "friend/<str:token>/"): owners(302, anna=409, piotr=302, others=302),
    ("GET", "matches/<int:match_id>/"): ALL_READ,
    ("POST", "matches/<int:match_id>/"): owners(302, anna=302, piotr=409, others=403),
    ("GET", "matches/<int:match_id>/panels/"): ALL_READ,
    ("GET", "matches/<int:match_id>/updates/"): ALL_READ,
    ("GET", "matches/<int:match_id>/ahead/"): ALL_READ,
    ("GET", "matches/<int:match_id>/positions/<slug:version>/<int:first>-<int:last>/"): ALL_READ,
    ("POST", "matches/<int:match_id>/by-hand/"): owners(302, anna=302, piotr=302, others=403),
    ("POST", "matches/<int:match_id>/abort/"): owners(302, anna=302, piotr=302, others=403),
    ("GET", "matches/<int:match_id>/ahead/<slug:kind>/"): owners(404, anna=200, piotr=200, others=404),
    ("POST", "matches/<int:match_id>/answers/"): owners(302, anna=409, piotr=302, others=403),
    ("POST", "matches/<int:match_id>/answers/remove/"): owners(302, anna=302, piotr=302, others=403),
    ("GET", "matches/<int:match_id>/answers/state/"): ALL_READ,
    ("POST", "matches/<int:match_id>/offer/"): owners(302, anna=302, piotr=302, others=403),
    ("POST", "matches/<int:match_id>/offer/accept/"): owners(302, anna=409, piotr=409, others=403),
    ("POST", "matches/<int:match_id>/offer/decline/"): owners(302, anna=302, piotr=302, others=403),
    ("GET", "matches/<int:match_id>/offer/state/"): ALL_READ,
    ("POST", "matches/<int:match_id>/resign/"): owners(302, anna=302, piotr=302, others=403),
    ("POST", "matches/<int:match_id>/rematch/"): owners(302, anna=409, piotr=409, others=403),
    ("GET", "matches/<int:match_id>/rematch/state/"): ALL_READ,
    ("GET", "matches/<int:match_id>/dice/"): ALL_READ,
    ("GET", "matches/<int:match_id>/analysis/"): ALL_READ,
    ("POST", "matches/<int:match_id>/analysis/"): owners(302, anna=409, piotr=409, others=403),
    ("GET", "replay/"): ALL_READ,
    ("POST", "replay/"): ALL_READ,
    # --- pages about the rules
    ("GET", "rules/"): ALL_READ,
    ("GET", "rules/<slug:name>/"): ALL_READ,
    # --- what the site says of itself; security.txt only where there is somebody to be told
    ("GET", "privacy/"): ALL_READ,
    ("GET", "robots.txt"): ALL_READ,
    ("GET", ".well-known/security.txt"): everybody(404),
}


def organising(method: str, base: str, rows: dict[str, int], visitor: int) -> dict[tuple[str, str], Row]:
    """Return rows of what organisers alone may do, by URL."""
    return {(method, f"{base}{rest}"): organisers(visitor, olga=status) for rest, status in rows.items()}


def deciding(method: str, base: str, rows: dict[str, int], visitor: int) -> dict[tuple[str, str], Row]:
    """Return rows of what helpers may do, too, by URL."""
    return {(method, f"{base}{rest}"): organisers(visitor, olga=status, hanna=status) for rest, status in rows.items()}


def acts(of: str, status: int, names: str) -> dict[str, int]:
    """Return what is answered to several acts alike, by URL."""
    return {f"{of}{name}/": status for name in names.split()}


API_COMPETITION = "api/v1/competitions/<slug:slug>/"
ENTRY, INVITATION, WAITING, FIXTURE, ROUND, ANNOUNCEMENT, LOG_LINE = (
    f"{rows}/<int:subject_id>/<slug:action>/"
    for rows in ("entries", "invitations", "waiting-list", "fixtures", "rounds", "announcements", "log")
)
GROUP = "stages/<int:stage>/groups/<int:group>/"
ROUND_OF_GROUP = f"{GROUP}{ROUND}"
ACTION, DECIDE = "<slug:action>/", "fixtures/<int:fixture_id>/"
ONE_OR_ALL_GROUPS = ("", GROUP)
PUBLIC_PARTS = ("", "log/", "feed/", "embed/", "preview.png", "export/<str:what>.<str:form>")
# None waits: who may look is led to the desk, and what could be done to it is not found.
PROPOSED_ACTS = {f"{group}proposed-rounds/<int:subject_id>/<slug:action>/": 404 for group in ONE_OR_ALL_GROUPS}
PROPOSED_PAGES = {f"{group}proposed-rounds/<int:number>/": 302 for group in ONE_OR_ALL_GROUPS}
SHOWN = (
    *("draw/", "import/", "invitations/", INVITATION, "waiting-list/", WAITING, ACTION, ENTRY, ROUND, ROUND_OF_GROUP),
    *(ANNOUNCEMENT, LOG_LINE, "copy/", "series/", "edit/", "delete/"),
)
SHOWN_TO_HELPERS = ("", "entries/", "fixtures/", "notes/", "organisers/", DECIDE, FIXTURE)
# Forms are empty; neither the cup nor the ladder is a draft any more, nor is anything there to be drawn.
DONE = (
    ACTION,
    ENTRY,
    INVITATION,
    ROUND,
    ROUND_OF_GROUP,
    ANNOUNCEMENT,
    LOG_LINE,
    "entries/<slug:action>/",
    "organisers/",
)
SENT = {
    **dict.fromkeys((*DONE, "notes/<int:note_id>/delete/"), 302),
    **dict.fromkeys(("copy/", "series/", "edit/", "import/"), 400),
    **dict.fromkeys(("draw/", "delete/", WAITING), 409),
}
SENT_BY_HELPERS = {"fixtures/<slug:action>/": 302, "notes/": 400, FIXTURE: 302}


def desk(base: str, differing: dict[str, int]) -> dict[tuple[str, str], Row]:
    """Return the rows of the organisers' pages of a kind of competition; some differ where they are there at all."""
    shown = dict.fromkeys(SHOWN, 200) | {"entries/<slug:action>/": 302} | PROPOSED_PAGES | PROPOSED_ACTS
    shown_to_helpers = dict.fromkeys(SHOWN_TO_HELPERS, 200) | {"fixtures/<slug:action>/": 302}
    missing = {rest: status for rest, status in differing.items() if status == 404}

    def with_own(rows: dict[str, int], own: dict[str, int]) -> dict[str, int]:
        return rows | {rest: status for rest, status in own.items() if rest in rows}

    return {
        **organising("GET", base, with_own(shown, missing), 302),
        **deciding("GET", base, with_own(shown_to_helpers, missing), 302),
        **organising("POST", base, with_own(SENT | PROPOSED_ACTS, differing), 302),
        **deciding("POST", base, with_own(SENT_BY_HELPERS, differing), 302),
    }


TABLE |= {
    # --- the API, about competitions and ratings; the competition is the cup
    ("GET", "api/v1/competitions/"): ALL_READ,
    # None of them has a finished match, but staff may always make one.
    ("POST", "api/v1/competitions/"): (401, 403, 403, 403, 403, 403, 201, 201, 201, 201),
    ("GET", API_COMPETITION): ALL_READ,
    ("GET", f"{API_COMPETITION}standings/"): ALL_READ,
    ("GET", f"{API_COMPETITION}places/"): ALL_READ,
    ("GET", f"{API_COMPETITION}bracket/"): ALL_READ,
    ("GET", f"{API_COMPETITION}rounds/"): ALL_READ,
    ("GET", f"{API_COMPETITION}fixtures/"): ALL_READ,
    ("GET", f"{API_COMPETITION}log/"): ALL_READ,
    # The match of piotr and carla goes on.
    ("POST", f"{API_COMPETITION}fixtures/<int:fixture_id>/dispute/"): entrants(401, piotr=409, carla=409, others=403),
    ("GET", f"{API_COMPETITION}export/<str:what>.<str:form>"): ALL_READ,
    ("POST", f"{API_COMPETITION}enter/"): members(401, 409),
    # Single players play the cup. The team is anna's.
    ("POST", f"{API_COMPETITION}enter-team/"): owners(401, anna=409, piotr=403, others=403),
    ("PUT", f"{API_COMPETITION}line-up/"): members(401, 409),
    ("GET", f"{API_COMPETITION}line-ups/"): ALL_READ,
    ("GET", f"{API_COMPETITION}meetings/"): ALL_READ,
    ("POST", f"{API_COMPETITION}leave/"): entrants(401, piotr=200, carla=200, others=404),
    # The cup has started, and with that its waiting list has ended.
    ("POST", f"{API_COMPETITION}check-in/"): members(401, 409),
    ("POST", f"{API_COMPETITION}waiting-list/join/"): members(401, 409),
    ("POST", f"{API_COMPETITION}waiting-list/leave/"): members(401, 404),
    ("POST", f"{API_COMPETITION}bye/"): entrants(401, piotr=409, carla=409, others=404),
    ("POST", f"{API_COMPETITION}bye/take-back/"): entrants(401, piotr=409, carla=409, others=404),
    ("GET", f"{API_COMPETITION}challenges/"): members(401, 409),
    ("POST", f"{API_COMPETITION}challenges/"): members(401, 409),
    # The cup has started, so ines comes too late to accept.
    ("POST", f"{API_COMPETITION}invitation/accept/"): invited(401, ines=409, others=404),
    ("POST", f"{API_COMPETITION}invitation/decline/"): invited(401, ines=204, others=404),
    ("GET", "api/v1/invitations/"): MEMBERS_READ,
    ("POST", f"{API_COMPETITION}role/accept/"): invited(401, ines=200, others=404),
    ("POST", f"{API_COMPETITION}role/decline/"): invited(401, ines=204, others=404),
    ("GET", "api/v1/role-invitations/"): MEMBERS_READ,
    ("GET", "api/v1/organised/"): MEMBERS_READ,
    ("GET", "api/v1/organised/over/"): MEMBERS_READ,
    # The series is that of a cup which olga organises.
    ("GET", "api/v1/series/"): ALL_READ,
    ("POST", "api/v1/series/"): organisers(401, olga=201),
    ("GET", "api/v1/series/<slug:slug>/"): ALL_READ,
    ("PATCH", "api/v1/series/<slug:slug>/"): organisers(401, olga=200),
    ("POST", "api/v1/series/<slug:slug>/end/"): organisers(401, olga=200),
    ("GET", "api/v1/series/<slug:slug>/seasons/"): ALL_READ,
    ("GET", "api/v1/series/<slug:slug>/players/<str:username>/"): ALL_READ,
    ("GET", "api/v1/titles/"): ALL_READ,
    # The team is anna's, who is its only member.
    ("GET", "api/v1/teams/"): ALL_READ,
    ("POST", "api/v1/teams/"): members(401, 201),
    ("GET", "api/v1/teams/<slug:slug>/"): ALL_READ,
    ("PATCH", "api/v1/teams/<slug:slug>/"): owners(401, anna=200, piotr=403, others=403),
    ("POST", "api/v1/teams/<slug:slug>/close/"): owners(401, anna=200, piotr=403, others=403),
    ("PUT", "api/v1/teams/<slug:slug>/captain/"): owners(401, anna=200, piotr=403, others=403),
    ("POST", "api/v1/teams/<slug:slug>/leave/"): members(401, 409),
    ("DELETE", "api/v1/teams/<slug:slug>/members/<str:username>/"): owners(401, anna=409, piotr=403, others=403),
    ("POST", "api/v1/teams/<slug:slug>/invitations/"): owners(401, anna=409, piotr=403, others=403),
    ("DELETE", "api/v1/teams/<slug:slug>/invitations/<str:username>/"): owners(401, anna=409, piotr=403, others=403),
    ("POST", "api/v1/teams/<slug:slug>/invitation/accept/"): owners(401, anna=200, piotr=404, others=404),
    ("POST", "api/v1/teams/<slug:slug>/invitation/decline/"): owners(401, anna=409, piotr=404, others=404),
    ("GET", "api/v1/team-invitations/"): MEMBERS_READ,
    ("GET", "api/v1/ratings/"): ALL_READ,
    ("GET", "api/v1/players/<str:username>/ratings/"): ALL_READ,
    ("GET", "api/v1/players/<str:username>/rating-changes/"): ALL_READ,
    ("GET", "api/v1/players/<str:username>/competitions/"): ALL_READ,
    ("GET", "api/v1/players/<str:username>/seasons/"): ALL_READ,
    # --- pages about competitions and ratings
    **{
        ("GET", f"{kind}/{page}"): ALL_READ
        for kind in ("cups", "ladders")
        for page in ("", *(f"<slug:slug>/{part}" for part in PUBLIC_PARTS))
    },
    ("POST", "ladders/<slug:slug>/enter/"): entrants(302, piotr=409, carla=302, others=302),
    ("POST", "ladders/<slug:slug>/invitation/"): invited(302, ines=302, others=404),
    ("POST", "ladders/<slug:slug>/role/"): invited(302, ines=302, others=404),
    ("POST", "ladders/<slug:slug>/leave/"): entrants(302, piotr=302, carla=404, others=404),
    # There is a place on the ladder, so nobody joins its waiting list, where anna is already.
    ("POST", "ladders/<slug:slug>/waiting-list/join/"): owners(302, anna=302, piotr=409, others=409),
    ("POST", "ladders/<slug:slug>/waiting-list/leave/"): owners(302, anna=302, piotr=404, others=404),
    ("POST", "ladders/<slug:slug>/challenge/<str:username>/"): members(302, 409),
    ("GET", "organise/"): members(302, 200),
    ("GET", "make/"): members(302, 200),
    # A player who may not make one is led to the reasons.
    ("GET", "make/<slug:recipe>/"): (302, 302, 302, 302, 302, 302, 200, 200, 200, 200),
    ("POST", "make/<slug:recipe>/"): (302, 302, 302, 302, 302, 302, 400, 400, 400, 400),
    ("GET", "cups/<slug:slug>/calendar.ics"): ALL_READ,
    # Of a cup with one stage and one group its own page shows all.
    ("GET", "cups/<slug:slug>/stages/<int:stage>/groups/<int:group>/"): everybody(302),
    ("GET", "cups/<slug:slug>/stages/<int:stage>/groups/<int:group>/rounds/<int:number>/"): everybody(302),
    ("POST", "cups/<slug:slug>/enter/"): members(302, 409),
    ("POST", "cups/<slug:slug>/invitation/"): invited(302, ines=409, others=404),
    ("POST", "cups/<slug:slug>/role/"): invited(302, ines=302, others=404),
    ("POST", "cups/<slug:slug>/leave/"): entrants(302, piotr=302, carla=302, others=404),
    # The cup is one of single players.
    ("GET", "cups/<slug:slug>/team/"): members(302, 409),
    ("POST", "cups/<slug:slug>/team/"): members(302, 409),
    ("GET", "cups/<slug:slug>/line-up/"): members(302, 409),
    ("POST", "cups/<slug:slug>/line-up/"): members(302, 409),
    ("POST", "cups/<slug:slug>/check-in/"): members(302, 409),
    ("POST", "cups/<slug:slug>/waiting-list/join/"): members(302, 409),
    ("POST", "cups/<slug:slug>/waiting-list/leave/"): members(302, 404),
    ("GET", "ladders/<slug:slug>/fixtures/<int:fixture_id>/dispute/"): members(302, 404),
    ("POST", "ladders/<slug:slug>/fixtures/<int:fixture_id>/dispute/"): members(302, 404),
    ("GET", "cups/<slug:slug>/fixtures/<int:fixture_id>/dispute/"): entrants(302, piotr=200, carla=200, others=403),
    ("POST", "cups/<slug:slug>/fixtures/<int:fixture_id>/dispute/"): entrants(302, piotr=400, carla=400, others=403),
    ("POST", "cups/<slug:slug>/bye/"): entrants(302, piotr=409, carla=409, others=404),
    ("POST", "cups/<slug:slug>/bye/take-back/"): entrants(302, piotr=409, carla=409, others=404),
    ("GET", "players/"): ALL_READ,
    ("GET", "hall-of-fame/"): ALL_READ,
    ("GET", "series/"): ALL_READ,
    ("GET", "series/<slug:slug>/"): ALL_READ,
    # The team is anna's, who is its only member.
    ("GET", "teams/"): ALL_READ,
    ("GET", "found-team/"): members(302, 200),
    ("POST", "found-team/"): members(302, 400),
    ("GET", "teams/<slug:slug>/"): ALL_READ,
    ("GET", "teams/<slug:slug>/edit/"): owners(302, anna=200, piotr=403, others=403),
    ("POST", "teams/<slug:slug>/edit/"): owners(302, anna=400, piotr=403, others=403),
    ("GET", "teams/<slug:slug>/invite/"): owners(302, anna=200, piotr=403, others=403),
    ("POST", "teams/<slug:slug>/invite/"): owners(302, anna=400, piotr=403, others=403),
    ("GET", "teams/<slug:slug>/close/"): owners(302, anna=200, piotr=403, others=403),
    ("POST", "teams/<slug:slug>/close/"): owners(302, anna=302, piotr=403, others=403),
    ("POST", "teams/<slug:slug>/invitation/"): owners(302, anna=302, piotr=404, others=404),
    ("POST", "teams/<slug:slug>/leave/"): members(302, 409),
    ("POST", "teams/<slug:slug>/members/<str:username>/<slug:act>/"): owners(302, anna=409, piotr=403, others=403),
    # For everybody who knows its secret.
    ("GET", "calendar/<str:secret>/deadlines.ics"): ALL_READ,
    # --- the API, for organisers; the competition is the cup
    **organising(
        "GET", API_COMPETITION, dict.fromkeys(("draw/", "invitations/", "waiting-list/", "proposed-rounds/"), 200), 401
    ),
    **deciding("GET", API_COMPETITION, dict.fromkeys(("notes/", "disputes/"), 200), 401),
    **deciding(
        "POST",
        API_COMPETITION,
        {
            "notes/": 201,
            **acts("fixtures/<int:fixture_id>/", 200, "adjudicate replay pause"),
            **acts("fixtures/<int:fixture_id>/", 409, "annul extend take-back-extension resume"),
            **acts("fixtures/<int:fixture_id>/", 409, "take-back-decision take-back-annulment take-back-replay"),
            **acts("fixtures/<int:fixture_id>/", 409, "correct take-back-correction"),
            **acts("fixtures/<int:fixture_id>/", 409, "dismiss-disputes take-back-dismissal"),
            **acts("fixtures/", 200, "adjudicate extend annul pause resume"),
        },
        401,
    ),
    ("GET", f"{API_COMPETITION}organisers/"): ALL_READ,
    **organising("PUT", API_COMPETITION, {"organisers/<str:username>/": 200}, 401),
    # Helpers let nobody go but themselves.
    **organising("DELETE", API_COMPETITION, {"organisers/<str:username>/": 204}, 401),
    **organising("PATCH", API_COMPETITION, {"": 200}, 401),
    # It runs already.
    **organising("DELETE", API_COMPETITION, {"": 409}, 401),
    **organising("DELETE", API_COMPETITION, {"notes/<int:note_id>/": 204}, 401),
    **organising("PUT", API_COMPETITION, {"rounds/<int:number>/date/": 200}, 401),
    # No team plays it.
    **organising("PUT", API_COMPETITION, {"entries/<int:entry_id>/line-up/": 409}, 401),
    **organising(
        "POST",
        API_COMPETITION,
        {
            **acts("", 200, "start pause cancel take-back-start announcements"),
            **acts("", 409, "open close resume finish draw admissions team-admissions import take-back-end"),
            **acts("", 409, "ask-again"),
            # It has ended.
            **acts("", 409, "open-check-in call-off-check-in"),
            # Nothing was lost on time.
            **acts("", 400, "forgive-outage"),
            **acts("", 409, "take-back-outage"),
            "copy/": 201,
            "invitations/<int:invitation_id>/withdraw/": 200,
            **acts("announcements/<int:announcement_id>/", 200, "pin unpin"),
            **acts("log/<int:line_id>/", 200, "edit-text take-down"),
            **acts("log/<int:line_id>/", 409, "put-up"),
            **acts("entries/", 200, "withdraw check-in"),
            **acts("entries/<int:entry_id>/", 200, "withdraw replace disqualify"),
            **acts("entries/<int:entry_id>/", 409, "check-in take-back-check-in take-back-withdrawal"),
            **acts("entries/<int:entry_id>/", 409, "take-back-replacement take-back-disqualification take-back-entry"),
            **acts("entries/<int:entry_id>/", 409, "request-bye take-back-bye"),
            # It is played in one group.
            "entries/<int:entry_id>/move-in-queue/": 404,
            **acts("waiting-list/<int:waiting_id>/", 409, "check-in take-back-check-in enter remove take-back-removal"),
            "rounds/<int:number>/end/": 200,
            **acts("rounds/<int:number>/", 409, "take-back-end take-back-publication"),
            **acts("proposed-rounds/<int:number>/", 404, "publish swap draw-again"),
        },
        401,
    ),
    # --- pages for organisers
    **desk("cups/<slug:slug>/organise/", {}),
    # It has no rounds, and its announcements are others; there is a place for who waits.
    **desk(
        "ladders/<slug:slug>/organise/",
        dict.fromkeys((DECIDE, FIXTURE, ROUND, ROUND_OF_GROUP, ANNOUNCEMENT, LOG_LINE, "draw/"), 404) | {WAITING: 302},
    ),
}

# What an act would bring about is shown to those who may do it, and refused where it would be. Of one that brings
# nothing else about their interest is shown, whether it can be done or not.
_OF_INTEREST = {f"preview_{act.operation}" for act in ACTS if act.what_follows is None}
TABLE |= {
    ("GET", f"{route}preview/"): tuple(200 if status == 409 else status for status in row)
    if read_description()["paths"][path_of(f"{route}preview/")]["get"]["operationId"] in _OF_INTEREST
    else row
    for (method, route), row in TABLE.items()
    if method in {"POST", "PUT"} and path_of(f"{route}preview/") in read_description()["paths"]
}
# Which result or place is asked: they have to say.
TABLE |= deciding("GET", API_COMPETITION, {"fixtures/<int:fixture_id>/correct/preview/": 400}, 401)
TABLE |= organising("GET", API_COMPETITION, {"entries/<int:entry_id>/move-in-queue/preview/": 400}, 401)
TABLE |= admin_rows()
ALIKE = (
    *(f"admin/{path}/" for path in (*OF_COMPETITIONS[1:], *RATINGS[1:], "tournaments/teammembership")),
    "ladders/<slug:slug>/organise/",
)
"""Lists of the admin that answer as the first of their kind does, and the ladder's desk, which answers as the cup's."""

TELLING = frozenset({"visitor", "piotr", "hanna", "olga", "otto", "boss"})
"""Who plays, helps, organises, organises something else, and may do everything."""

# --- what tokens may do

KEYHOLDERS = {
    ("PATCH", "api/v1/players/me/"),
    ("DELETE", "api/v1/players/me/"),
    ("PUT", "api/v1/players/me/email/"),
    ("POST", "api/v1/players/me/email/confirmations/"),
    ("GET", "api/v1/players/me/mail/"),
    ("PATCH", "api/v1/players/me/mail/"),
    ("PUT", "api/v1/players/me/password/"),
    ("GET", "api/v1/tokens/"),
    ("POST", "api/v1/tokens/"),
    ("DELETE", "api/v1/tokens/<int:token_id>/"),
}
"""For these the password or a session is asked for: a token that was lost must not make others, or take the account."""

FOR_STRANGERS = {
    ("POST", "api/v1/players/"),
    ("POST", "api/v1/guests/"),
    ("POST", "api/v1/echoes/"),
    ("POST", "api/v1/password-resets/"),
    ("POST", "api/v1/replays/"),
}
"""These are asked by those who have no account yet, or cannot get into it: a token changes nothing; nor for echoes."""

NO_PART_OF_THE_API = {("GET", "api/v1/docs/")}
ABOUT_THE_API = {*NO_PART_OF_THE_API, ("GET", "api/v1/schema/")}

WITH_SECRET = {("POST", "mail/off/<str:token>/"), ("POST", "api/v1/echoes/")}
"""Sent by mail programs and by workers, which have no CSRF token: a token of their own is the secret."""


def needed_scope(method: str, route: str) -> Scope:
    """Return the one scope that a token needs, and that is enough."""
    if method == "GET":
        return Scope.READ
    if (method, route) == ("POST", "api/v1/competitions/") or "/role/" in route:
        return Scope.ORGANISE
    best = _best(method, route)
    of_organisers = (organisers(401, olga=best), organisers(401, olga=best, hanna=best))
    return Scope.ORGANISE if TABLE[method, route] in of_organisers else Scope.PLAY


def _best(method: str, route: str) -> int:
    return min(TABLE[method, route][1:])


def whoever_may(method: str, route: str) -> str:
    """Return a member for whom the row has the best status."""
    return ROLES[1 + TABLE[method, route][1:].index(_best(method, route))]


@pytest.fixture(scope="module")
def world(module_transaction: None) -> World:
    """Return one for all the requests, each of which is undone."""
    return make_world()


@pytest.fixture(scope="module")
def clients(world: World) -> dict[str, Client]:
    """Return a client for each role."""
    return {role: client_of(role) for role in ROLES}


@pytest.fixture(scope="module")
def checked_clients(world: World) -> dict[str, Client]:
    """Return the same of clients whose requests need a CSRF token."""
    return {role: client_of(role, enforce_csrf_checks=True) for role in ROLES}


def ask(client: Client, world: World, method: str, route: str, **headers: str) -> Any:
    """Send the row's request, and undo what it did: a log-out, too."""
    cache.clear()
    cookies = deepcopy(client.cookies)
    kind = {"content_type": "application/json"} if route.startswith("api/") and method != "GET" else {}
    body = {} if method in {"GET", "DELETE"} else world.body(route)
    with transaction.atomic():
        response = getattr(client, method.lower())(world.fill(route), body, **kind, **headers)
        transaction.set_rollback(True)
    client.cookies = cookies
    return response


def client_of(role: str, **options: Any) -> Client:
    """Return a client in which the player with this role is logged in."""
    client = Client(**options)
    if role != "visitor":
        client.force_login(Player.objects.get(username=role))
    return client


def telling(row: Row) -> list[str]:
    """Return the roles that tell most bugs, and whoever the row answers otherwise than all of them.

    Where all members are answered alike, no right is at stake: one of them speaks for all.
    """
    if len(set(row[1:])) == 1:
        return ["visitor", "olga"]
    told = {status for role, status in zip(ROLES, row, strict=True) if role in TELLING}
    return [role for role, status in zip(ROLES, row, strict=True) if role in TELLING or status not in told]


def wide(rows: Iterable[tuple[str, str]]) -> list[Any]:
    """Return the rows as parameters: those that answer like others are asked at night."""
    return [pytest.param(*row, marks=[pytest.mark.nightly] if row[1].startswith(ALIKE) else []) for row in rows]


@pytest.mark.parametrize("asks_all", [False, *nightly([True])], ids=["telling", "all"])
@pytest.mark.parametrize(("method", "route"), wide(TABLE), ids=lambda value: value or "home")
def test_each_role_may_do_what_the_table_says(world, clients, method, route, asks_all):
    expected = dict(zip(ROLES, TABLE[method, route], strict=True))
    statuses = {}
    for role in ROLES if asks_all else telling(TABLE[method, route]):
        response = ask(clients[role], world, method, route)
        statuses[role] = response.status_code
        assert policy_of(response) == (EMBEDDED if route.endswith("/embed/") else POLICY)
        assert is_kept_by_nobody_else(response, role, method, route)
        # The admin's own templates are Django's, of which one names a hint that it has not.
        if response.headers.get("Content-Type", "").startswith("text/html") and not route.startswith("admin/"):
            assert lost_references(response) == set()
        if route.startswith("api/") and response.status_code >= 400:
            assert response["Content-Type"] == "application/problem+json"
    assert statuses == {role: expected[role] for role in statuses}


@pytest.mark.parametrize("route", sorted({route for _method, route in TABLE if not route.startswith("admin/")}))
def test_no_url_answers_to_other_methods(world, clients, route):
    """Nor the API's, nor pages': a page that forgot to say which would take any for a form."""
    others = METHODS - {method for method, listed in TABLE if listed == route}
    statuses = {method: ask(clients["boss"], world, method, route).status_code for method in others}
    assert statuses == dict.fromkeys(others, 405)


@pytest.mark.parametrize(
    ("method", "route"),
    wide(row for row in TABLE if row[0] != "GET" and row not in WITH_SECRET),
    ids=lambda value: value,
)
def test_nothing_is_changed_from_another_site(world, checked_clients, method, route):
    role = "boss" if route.startswith("admin/") else whoever_may(method, route)
    response = ask(checked_clients[role], world, method, route)
    assert (response.status_code, b"CSRF" in response.content or b"form" in response.content) == (403, True)


@pytest.mark.parametrize(
    ("method", "route"),
    [row for row in TABLE if row[1].startswith("api/") and row not in ABOUT_THE_API],
    ids=lambda value: value,
)
def test_a_token_does_what_its_scope_says_and_no_more(world, method, route):
    role = whoever_may(method, route)
    player = Player.objects.get(username=role)
    allowed = TABLE[method, route][ROLES.index(role)]
    for scope in Scope:
        _token, secret = create_token(player=player, name="scoped", scopes=[scope], now=timezone.now())
        response = ask(Client(), world, method, route, HTTP_AUTHORIZATION=f"Bearer {secret}")
        if (method, route) in KEYHOLDERS:
            expected = 401
        elif (method, route) in FOR_STRANGERS or scope is needed_scope(method, route):
            expected = allowed
        elif method == "GET" and TABLE[method, route][0] != 401:
            visited = ask(Client(), world, method, route)
            assert (b"".join(response), visited.status_code) == (b"".join(visited), TABLE[method, route][0])
            expected = visited.status_code
        else:
            expected = 403
        assert (scope, response.status_code) == (scope, expected)


def test_a_token_that_may_not_read_follows_what_visitors_follow_and_nothing_of_its_player(world):
    anna = world.match.yellow
    _token, secret = create_token(player=anna, name="player", scopes=[Scope.PLAY], now=timezone.now())
    headers = {"Authorization": f"Bearer {secret}", "Accept": "text/event-stream"}
    own = Client().get("/api/v1/stream/", headers=headers)
    assert (own.status_code, own.json()["detail"]) == (403, "This token lacks the scope 'read'.")
    named = Client().get(f"/api/v1/stream/?match={world.match.pk}", headers=headers)
    # This server holds no streams open, for nobody.
    assert (named.status_code, named.json()["code"]) == (503, "streams_elsewhere")


def test_staff_revoke_nobody_elses_tokens_by_the_page(world, clients):
    clients["boss"].post(f"/profile/tokens/{world.token.pk}/revoke/")
    assert ApiToken.objects.filter(pk=world.token.pk).exists()


def all_routes(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for entry in resolver.url_patterns:
        route = prefix + re.sub(r"\^?\(\?P<(\w+)>.*\$", r"<\1>", str(entry.pattern))
        if isinstance(entry, URLPattern):
            yield route, entry.callback
        else:
            yield from all_routes(entry, route)


def test_no_url_is_left_out():
    routes = {route for route, _view in all_routes(get_resolver())}
    assert routes == {route for _method, route in TABLE}


def test_no_list_of_the_admin_is_left_out():
    listed = {f"admin/{model._meta.app_label}/{model._meta.model_name}/" for model in admin.site._registry}
    assert {route for _method, route in TABLE} >= listed


def test_no_method_of_the_api_is_left_out():
    implemented = {
        (method.upper(), route)
        for route, view in all_routes(get_resolver())
        for method in ("get", "post", "put", "patch", "delete")
        if hasattr(getattr(view, "cls", None), method)
    }
    assert implemented == {row for row in TABLE if row[1].startswith("api/")} - NO_PART_OF_THE_API
