"""What organisers have written in the log is changed, taken down and put up: every reader reads the same."""

import pytest
from django.core import mail
from django.test import Client

from players.models import Player
from players.services.mail_delivery import send_due
from streams.changes import read_named
from tests.tournaments.verbs import NOON, enter_all, last_log, make_cup, make_players, start
from tournaments.decisions.services.pauses import pause_competition
from tournaments.decisions.services.status import announce
from tournaments.models import Cup, LogEntry
from tournaments.office.services.announcements import pin_announcement
from tournaments.running.services.notifications import send_news

pytestmark = pytest.mark.django_db

API = "/api/v1/competitions/cup/"
DESK = "/cups/cup/organise/"
GONE = "Taken down by the organisers."
OLD, NEW = "Kick-off at eight.", "Kick-off at nine."


@pytest.fixture
def cup(olga) -> Cup:
    cup = make_cup(organiser=olga)
    players = make_players(3)
    enter_all(cup, players)
    Player.objects.filter(pk=players[0].pk).update(email="player@example.org", email_confirmed_at=NOON)
    start(cup)
    return cup


@pytest.fixture
def line(cup: Cup, olga: Player) -> LogEntry:
    return pin_announcement(
        announcement=announce(competition_id=cup.pk, actor=olga, text=OLD, now=NOON), actor=olga, now=NOON
    )


def read_everywhere(line: LogEntry) -> dict[str, str]:
    """Return what a visitor reads of the competition on pages, in the feed, over the API, and on streams."""
    paths = {"page": "/cups/cup/", "log": "/cups/cup/log/", "feed": "/cups/cup/feed/", "API": f"{API}log/"}
    found = {name: Client().get(path).content.decode() for name, path in paths.items()}
    return found | {"stream": str(read_named(competition=[line.pk])[0].facts)}


def send_mails() -> str:
    mail.outbox.clear()
    send_news(now=NOON)
    send_due(clock=lambda: NOON)
    return "".join(str(message.body) for message in mail.outbox)


def act(client: Client, line: LogEntry, name: str, **values: str) -> None:
    assert client.post(f"{DESK}log/{line.pk}/{name}/", values)["Location"] == DESK


def test_an_announcement_is_edited_taken_down_and_put_up_for_all_readers(client_of, olga, line):
    client = client_of(olga)
    act(client, line, "edit-text", text=NEW)
    assert {(OLD in text, NEW in text) for text in read_everywhere(line).values()} == {(False, True)}
    assert OLD not in (mails := send_mails())
    assert NEW in mails
    for path in (DESK, "/cups/cup/log/"):
        shown = " ".join(client.get(path).content.decode().split())
        assert (OLD in shown, "changed by olga" in shown) == (True, True)
    act(client, line, "take-down")
    found = read_everywhere(line)
    assert {(OLD in text, NEW in text) for text in found.values()} == {(False, False)}
    assert {name for name, text in found.items() if GONE in text} == {"page", "log", "feed", "API", "stream"}
    assert 'class="panel pinned"' not in found["page"]
    assert NEW in client.get("/cups/cup/log/").content.decode()
    act(client, line, "put-up")
    found = read_everywhere(line)
    assert {(GONE in text, NEW in text) for text in found.values()} == {(False, True)}
    assert 'class="panel pinned"' in found["page"]
    assert client.post(f"{DESK}log/{line.pk}/put-up/").status_code == 409
    assert last_log(line.competition)[:3] == ("olga", "text-put-up", "Announced")


def test_no_mail_tells_of_an_announcement_that_was_taken_down(client_of, olga, line):
    act(client_of(olga), line, "take-down")
    assert "announcement" not in send_mails()


def test_a_reason_is_taken_down_but_what_was_done_stays(client_of, cup, olga):
    pause_competition(competition_id=cup.pk, actor=olga, reason="zoe is away.", now=NOON)
    line = LogEntry.objects.get(action="paused")
    assert {"zoe is away." in text for name, text in read_everywhere(line).items() if name != "stream"} == {True}
    act(client_of(olga), line, "take-down")
    found = read_everywhere(line)
    assert {"zoe" in text for text in found.values()} == {False}
    assert {"aused" in text for text in found.values()} == {True}
    assert "zoe" not in send_mails()


def test_what_has_no_text_of_an_organiser_is_not_there(client_of, cup, olga):
    client = client_of(olga)
    for started in LogEntry.objects.filter(action__in=["started", "drawn"]):
        assert client.post(f"{DESK}log/{started.pk}/take-down/").status_code == 404
