"""The page where a visitor who has clicked a button of those who are logged in goes on after the log-in."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from players.models import Player
from tests.permissions.rows import ROLES
from tests.permissions.test_permissions import TABLE, ask, client_of, whoever_may, world

__all__ = ["world"]

pytestmark = pytest.mark.django_db

PASSWORD = "seven tall giraffes"
WITHOUT_LOG_IN = {"log-out/", "seeks/<int:seek_id>/take/"}
"""Every visitor may click these: one who takes a seek becomes a guest."""

BUTTONS = sorted(
    route
    for method, route in TABLE
    if method == "POST" and ("GET", route) not in TABLE and not route.startswith(("api/", "admin/"))
)
MEMBERS_BUTTONS = [route for route in BUTTONS if route not in WITHOUT_LOG_IN]


def requested_by(response) -> str:
    """Return the page that a redirect to the log-in names, which is "" for other answers."""
    url = urlsplit(response.headers.get("Location", ""))
    (wanted,) = parse_qs(url.query).get("next", [""])
    return wanted if url.path == "/log-in/" else ""


def test_there_are_buttons_to_look_at():
    assert set(BUTTONS) >= WITHOUT_LOG_IN
    assert len(MEMBERS_BUTTONS) > 10


@pytest.mark.parametrize("route", sorted(WITHOUT_LOG_IN))
def test_buttons_for_everybody_lead_no_visitor_to_the_log_in(world, route):
    assert requested_by(ask(Client(), world, "POST", route)) == ""


@pytest.mark.parametrize("route", MEMBERS_BUTTONS)
def test_after_the_log_in_a_visitor_sees_the_page_with_the_button(world, route):
    wanted = requested_by(ask(Client(), world, "POST", route))
    assert wanted
    assert world.fill(route).startswith(wanted)
    player = Player.objects.get(username=whoever_may("POST", route))
    player.set_password(PASSWORD)
    player.save()
    visitor = Client()
    form = visitor.get("/log-in/", {"next": wanted}).context
    answer = visitor.post("/log-in/", {"username": player.username, "password": PASSWORD, "next": form["next"]})
    assert (answer.status_code, answer["Location"]) == (302, wanted)
    assert visitor.get(wanted).status_code == 200


@pytest.mark.parametrize(
    ("route", "page"),
    [
        ("matches/<int:match_id>/resign/", "matches/<int:match_id>/"),
        ("seeks/<int:seek_id>/withdraw/", "seeks/"),
        ("cups/<slug:slug>/enter/", "cups/<slug:slug>/"),
        ("ladders/<slug:slug>/challenge/<str:username>/", "ladders/<slug:slug>/"),
        ("profile/tokens/<int:token_id>/revoke/", "profile/"),
        ("profile/vacation/<str:day>/cancel/", "profile/vacation/"),
    ],
)
def test_the_page_with_a_button_is_the_nearest_above_it(world, route, page):
    assert requested_by(ask(Client(), world, "POST", route)) == world.fill(page)


@pytest.mark.parametrize("role", ROLES)
def test_a_button_is_no_page_for_anybody(world, role):
    answers = {route: client_of(role).get(world.fill(route)).status_code for route in BUTTONS}
    assert answers == dict.fromkeys(BUTTONS, 405)
