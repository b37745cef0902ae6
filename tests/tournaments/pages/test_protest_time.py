"""A cup with a protest time: its end is provisional for so long, wherever it is told."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.pages.html import text_of
from tests.tournaments import verbs
from tournaments.models import Competition, Cup, Ladder
from web.moments import format_moment

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
PLACES = ("/cups/cup/", "/cups/", "/cups/cup/embed/", "/hall-of-fame/")


def end_cup(*, hours_ago: int) -> Competition:
    """Return a cup with a day of protest time that ended then."""
    ended = timezone.now() - hours_ago * HOUR
    cup, _entries = verbs.start_cup(2, now=ended - HOUR, protest_hours=24, format="round-robin")
    verbs.give_addresses()
    verbs.end_all(cup, now=ended)
    return Cup.objects.get()


def test_an_end_is_provisional_for_as_long_as_the_organiser_chose(client):
    cup = end_cup(hours_ago=23)
    assert cup.finished_at is not None
    until = cup.finished_at + 24 * HOUR
    assert client.get("/api/v1/competitions/cup/").json()["provisional_until"] == until.isoformat().replace(
        "+00:00", "Z"
    )
    assert f"Provisional until {format_moment(until)}" in text_of(client.get("/cups/cup/"))
    own = cup.winner.person.get_absolute_url()
    assert [path for path in (*PLACES, own) if "rovisional" not in text_of(client.get(path))] == []
    told = f"The final result is provisional until {format_moment(until)}."
    assert told in verbs.send_mails(cup.finished_at)["player-1"]
    assert told in client.get("/cups/cup/feed/").content.decode()


def test_it_is_final_afterwards_without_any_task_having_run(client):
    end_cup(hours_ago=25)
    shown = [path for path in PLACES if "provisional" in text_of(client.get(path)).lower()]
    assert shown == ["/cups/cup/"]
    assert "Provisional until" not in text_of(client.get("/cups/cup/"))


def test_players_read_of_it_before_they_join(client):
    cup = verbs.make_cup(protest_hours=24)
    assert "The final result is provisional for 1 day after the end." in text_of(client.get(cup.get_absolute_url()))
    assert cup.provisional_until is None


def test_a_ladder_has_none(client):
    player = verbs.boss()
    client.force_login(player)
    draft = {"recipe": "points-ladder", "name": "Ladder", "game": verbs.GAME, "protest_hours": 24}
    answer = client.post("/api/v1/competitions/", draft, content_type="application/json")
    assert (answer.status_code, Ladder.objects.count()) == (400, 0)
    assert "protest_hours" in answer.json()["errors"]
