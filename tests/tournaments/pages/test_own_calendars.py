"""The calendar of a player's own deadlines, which a secret URL opens."""

from datetime import timedelta

import pytest
from django.conf import settings as site
from django.core.cache import cache
from icalendar import Calendar

from players.models import ApiToken, Player, Scope
from players.services import create_token, revoke_token
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN

pytestmark = pytest.mark.django_db

WEEK = timedelta(days=7)


def subscribe(player, scopes=(Scope.CALENDAR,)):
    token, secret = create_token(player=player, name="Calendar", scopes=scopes, now=NOON)
    return token, f"/calendar/{secret}/deadlines.ics"


def events_of(client, path):
    answer = client.get(path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/calendar; charset=utf-8")
    calendar = Calendar.from_ical(answer.content)
    assert [event.errors for event in calendar.walk()] == [[]] * len(calendar.walk())
    return {str(event["uid"]).partition("@")[0]: event for event in calendar.walk("VEVENT")}


@pytest.fixture
def cup(db):
    cup, _entries = verbs.start_cup(4, **ROUND_ROBIN, round_days=7)
    return cup


@pytest.fixture
def to_move(cup):
    """Return a running match of the cup, and the player who is to move in it."""
    fixture = verbs.running(cup)[0]
    return fixture, fixture.match.yellow if fixture.match.side == "yellow" else fixture.match.red


def test_it_has_by_when_to_move_and_when_the_round_must_end(client, to_move):
    fixture, player = to_move
    events = events_of(client, subscribe(player)[1])
    assert set(events) == {f"match-{fixture.match_id}", f"round-{fixture.round_id}"}
    own = events[f"match-{fixture.match_id}"]
    opponent = fixture.match.red if player == fixture.match.yellow else fixture.match.yellow
    assert str(own["summary"]) == f"Your time against {opponent} runs out"
    assert own.decoded("dtstart") == fixture.match.deadline.replace(microsecond=0)
    assert str(own["url"]) == f"{site.SITE_URL}/matches/{fixture.match_id}/"
    ends = events[f"round-{fixture.round_id}"]
    assert (str(ends["summary"]), ends.decoded("dtstart")) == ("Cup: Round 1 must end", NOON + WEEK)


def test_the_opponent_has_the_round_alone_and_strangers_nothing(client, to_move):
    fixture, player = to_move
    opponent = fixture.match.red if player == fixture.match.yellow else fixture.match.yellow
    assert set(events_of(client, subscribe(opponent)[1])) == {f"round-{fixture.round_id}"}
    assert events_of(client, subscribe(Player.objects.create(username="stranger"))[1]) == {}


def test_while_clocks_stand_still_nothing_is_due(client, cup, to_move):
    _fixture, player = to_move
    verbs.pause(cup)
    assert events_of(client, subscribe(player)[1]) == {}


def test_a_revoked_token_a_wrong_one_and_one_for_other_things_open_nothing(client, to_move):
    _fixture, player = to_move
    token, path = subscribe(player)
    assert client.get(path).status_code == 200
    assert ApiToken.objects.get(pk=token.pk).last_used_at is not None
    revoke_token(player=player, token_id=token.pk)
    _token, other = subscribe(player, [Scope.READ, Scope.PLAY])
    for closed in (path, other, "/calendar/kick_guess/deadlines.ics"):
        assert client.get(closed).status_code == 404


def test_the_secret_opens_nothing_of_the_api(client, to_move):
    secret = subscribe(to_move[1])[1].split("/")[2]
    headers = {"Authorization": f"Bearer {secret}"}
    assert client.get("/api/v1/players/me/", headers=headers).status_code == 403


def test_it_is_limited_by_its_token_and_never_kept_by_caches(client, to_move, monkeypatch):
    cache.clear()
    monkeypatch.setitem(site.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "exports", "1/min")
    _token, path = subscribe(to_move[1])
    first = client.get(path)
    assert "no-store" in first["Cache-Control"]
    assert client.get(path).status_code == 429
    assert client.get(subscribe(to_move[1])[1]).status_code == 200


def test_the_profile_makes_the_url_and_shows_it_once(client, to_move):
    _fixture, player = to_move
    client.force_login(player)
    page = client.post("/profile/calendar/")
    url = page.context["calendar_url"]
    assert url in page.content.decode()
    assert url.startswith("http://testserver/calendar/kick_")
    assert ApiToken.objects.get(player=player).scopes == ["calendar"]
    assert "deadlines.ics" not in client.get("/profile/").content.decode()
    client.logout()
    assert len(events_of(client, url.removeprefix("http://testserver"))) == 2
