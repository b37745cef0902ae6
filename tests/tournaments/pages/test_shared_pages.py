"""Pages of which parts are shared say what pages made anew would say, to every reader, after each of many changes."""

import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from django.utils.safestring import SafeString

from database import clock
from players.models import Player
from players.services.account_closures import delete_account
from players.services.accounts import sign_up
from rules_engine.values import Side
from tests.marks import nightly
from tests.matches.test_queries import queries_of
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.status import announce
from tournaments.making.services.competitions import hide_competition, show_competition
from tournaments.models import Competition, Entry, EntryStatus, Fixture, Ladder, LogEntry
from tournaments.models.rights import Role
from tournaments.office.services.announcements import pin_announcement, unpin_announcement
from tournaments.office.services.organisers import appoint, dismiss
from tournaments.running.services.forecasts import update_forecasts
from web.errors import DomainError

pytestmark = [pytest.mark.django_db, pytest.mark.shared]

CHANGES = 10
"""The number of changes of each competition."""

KINDS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "knock-out": (verbs.open_cup, {"format": "knock-out", "legs": 1, "third_place": True}),
    "round-robin": (
        verbs.open_cup,
        {"format": "round-robin", "round_days": 3, "is_rated": False},
    ),
    "challenges": (verbs.open_ladder, {"format": "challenge-ladder"}),
    "points": (verbs.open_ladder, {"format": "points-ladder"}),
}

_OF_ONE_REQUEST = re.compile(r'name="(csrfmiddlewaretoken|form_key)" value="[^"]+"')


@pytest.fixture
def now() -> Iterator[list[Any]]:
    """Let the time stand still, at the moment in the list."""
    moment = [NOON]
    clock.use(lambda: moment[0])
    yield moment
    clock.use(timezone.now)


def read(client: Client, path: str) -> tuple[int, str]:
    """Return what the page says, without what differs each time."""
    response = client.get(path)
    return response.status_code, _OF_ONE_REQUEST.sub("", response.content.decode())


def change(competition: Competition, source: random.Random, boss: Player, moment: list[Any]) -> None:
    """Do something with the competition that its pages may show; what is refused changes nothing."""
    active = Entry.objects.filter(competition=competition, status=EntryStatus.ACTIVE).select_related("player")
    entrant = source.choice(active) if active else None
    playing = verbs.running(competition)
    fixture = source.choice(playing) if playing else None
    counted = Fixture.objects.filter(competition=competition, counted_at__isnull=False)
    over = source.choice(counted) if counted else None
    line = LogEntry.objects.filter(competition=competition, action="announced").last()
    guest, carla = Player.objects.filter(is_guest=True).first(), Player.objects.get(username="carla")
    moment[0] += timedelta(hours=source.choice([0, 0, 1, 30]))
    now, key, winner = moment[0], competition.pk, source.choice([Side.YELLOW, Side.RED, None])
    some = {"competition_id": key, "actor": boss, "now": now}
    of_match = [lambda: verbs.end(fixture, winner, now), lambda: verbs.move_in(fixture, now)]
    of_result = [lambda: verbs.correct(over, winner, boss, now), lambda: verbs.annul(over, boss, now)]
    of_entrant = [
        lambda: verbs.withdraw(entrant, boss, now),
        lambda: delete_account(player_id=entrant.player_id, now=now, by_staff=True),
    ]
    of_line = [
        lambda: pin_announcement(announcement=line, actor=boss, now=now),
        lambda: unpin_announcement(announcement=line, actor=boss, now=now),
    ]
    of_guest = [lambda: sign_up(username=f"named-{guest.pk}", password="correct horse battery", now=now, guest=guest)]
    given: list[tuple[Any, list[Callable[[], Any]]]] = [
        (fixture, of_match * 4),
        (over, of_result),
        (entrant, of_entrant),
        (line, of_line),
        (guest, of_guest),
    ]
    acts = [
        *(act for subject, own in given if subject is not None for act in own),
        lambda: announce(text=f"News {source.random()}", **some),
        lambda: verbs.admit(competition, verbs.make_players(1, f"late-{source.randrange(10**6)}")[0], boss, now),
        lambda: appoint(player=carla, role=Role.ORGANISER, **some),
        lambda: dismiss(player=carla, **some),
        lambda: verbs.pause(competition, boss, now),
        lambda: verbs.resume(competition, boss, now),
        lambda: hide_competition(**some),
        lambda: verbs.pair(competition, now) if isinstance(competition, Ladder) else 0,
        lambda: verbs.recompute_stale_tables(competition_id=key, now=now),
        lambda: update_forecasts(now=now),
    ]
    with suppress(DomainError):
        (source.choice(acts) if competition.hidden_at is None else lambda: show_competition(**some))()
    competition.refresh_from_db()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, *nightly(range(2, 12))])
def test_after_each_change_every_reader_sees_what_a_page_made_anew_shows(kind, seed, now, client_of, carla):
    source, boss = random.Random(seed), verbs.boss()
    build, options = KINDS[kind]
    competition, entries = build(6, **options)
    Player.objects.filter(pk=entries[0].player_id).update(is_guest=not options.get("is_rated", True))
    path = competition.get_absolute_url()
    players = {"visitor": None, "carla": carla, "entrant": entries[1].player, "boss": boss}
    readers = {name: client_of(player) for name, player in players.items()}
    seen = set()
    for number in range(CHANGES):
        if number == 2:
            verbs.start(competition, now[0])
        change(competition, source, boss, now)
        shown = {name: read(client, path) for name, client in readers.items()}
        caches["pages"].clear()
        assert shown == {name: read(client, path) for name, client in readers.items()}
        seen.add(shown["visitor"])
    assert len(seen) > CHANGES // 3


def test_readers_share_parts_in_which_there_is_nothing_of_one_of_them(client_of, carla, monkeypatch):
    _cup, entries = verbs.start_cup(8, organiser=verbs.boss())
    rendered = []

    def render(template: str, context: dict[str, Any]) -> SafeString:
        rendered.append(context)
        return SafeString(f"<{template}>")

    monkeypatch.setattr("tournaments.pages.views.shared.render_to_string", render)
    clients = [client_of(player) for player in (None, carla, None, entries[0].player)]
    pages = [client.get("/cups/cup/").content.decode() for client in clients]
    assert [page.count("<tournaments/shared/cup_main.html>") for page in pages] == [1] * 4
    # Two of the visitor and of Carla, who see the same, with what the cup waits for, and those of the entrant.
    assert len(rendered) == 4 + 1 + 4
    for context in rendered[:5]:
        assert not {"user", "csrf_token", "messages", "perms"} & context.keys()
        assert "request" not in context or not (context["request"].COOKIES or hasattr(context["request"], "user"))


def test_without_a_cache_pages_are_made_for_each_reader(visitor, monkeypatch):
    def fail(*_given: Any, **_named: Any) -> None:
        raise ConnectionError("The cache is away.")

    verbs.start_cup(4)
    kept = read(visitor, "/cups/cup/")
    monkeypatch.setattr(caches["pages"], "get", fail)
    monkeypatch.setattr(caches["pages"], "set", fail)
    assert read(visitor, "/cups/cup/") == kept


@pytest.mark.parametrize("kind", KINDS)
def test_a_visitor_who_has_a_page_is_told_so_until_it_changes(kind, now, client_of, carla, visitor):
    boss = verbs.boss()
    build, options = KINDS[kind]
    competition, _entries = build(6, **options)
    verbs.start(competition, now[0])
    path, player = competition.get_absolute_url(), client_of(carla)
    some: dict[str, Any] = {"competition_id": competition.pk, "actor": boss, "now": now[0]}

    def ask(client: Client, etag: str, **more: str) -> tuple[int, str, bytes]:
        answer = client.get(path, headers={"If-None-Match": etag, **more})
        return answer.status_code, answer.get("ETag", ""), answer.content

    _status, etag, page = ask(visitor, "")
    queries = queries_of(lambda: ask(visitor, etag))
    assert (ask(visitor, etag), len(queries) <= 2) == ((304, etag, b""), True)
    assert visitor.get(path)["Cache-Control"] == "private, no-cache"
    # A player has a page of their own, which nothing keeps, and one who logs out again that of visitors.
    assert ask(player, etag)[:2] == (200, "")
    assert "no-store" in player.get(path)["Cache-Control"]
    assert b"carla" not in page
    player.logout()
    assert ask(player, etag)[0] == 304
    # What is shown of another part of it, or said once, is another page.
    assert visitor.get(f"{path}?page=2", headers={"If-None-Match": etag}).status_code == 200
    announce(text="News", **some)
    status, later, page = ask(visitor, etag)
    assert (status, etag != later, b"News" in page) == (200, True, True)
    hide_competition(**some)
    assert ask(visitor, later)[0] == ask(visitor, etag)[0] == 404
    show_competition(**some)
    assert ask(visitor, later)[0] == 200
    Player.objects.filter(pk=boss.pk).update(is_superuser=False)
    assert ask(client_of(boss), later)[:2] == (200, "")
