"""Streams send the news of the ladders and cups that a player is in."""

import asyncio
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from matches.signals import rows_changed
from players.models import Player
from streams import hub as hubs
from streams.changes import OVERLAP, read_cursor, read_latest_moment, read_named, write_cursor
from streams.subscriptions import PlayerSubscription, read_missed
from tests.matches.play import heard
from tests.streams.test_hub import Reader, do
from tests.streams.test_subscriptions import LONG_AGO, read
from tests.tournaments.settled_competitions import NOON, make_ladder, make_players
from tournaments.decisions.services.status import finish_competition
from tournaments.models import Competition, CompetitionStatus, Cup, Entry, EntryStatus, LogEntry, Stage
from tournaments.models.audiences import AUDIENCES, Players, audience_of
from tournaments.office.selectors.changes import logged_changes
from tournaments.office.services.log import ACTIONS, log_action
from tournaments.rounds.services.seating import store_competition
from tournaments.running.selectors.notifications import hearers_of

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

FOR_ALL = [action for action in ACTIONS if audience_of(action).stream.may_be_all]
"""The actions of which all players of a competition hear, if nobody is named."""
FOR_NAMED = [action for action in ACTIONS if audience_of(action).stream.may_be_named]


@pytest.fixture
def ladder(anna, piotr):
    """Return a running ladder with two players."""
    return make_ladder([anna, piotr])[0]


def log(competition: Competition, action: str = "announced", *concerned: Player) -> LogEntry:
    concerns = Entry.objects.filter(competition_id=competition.pk, player__in=concerned)
    return log_action(competition=competition, action=action, now=NOON, reason="Hello.", concerns=concerns)


def make_cup(player: Player) -> Cup:
    status = CompetitionStatus.RUNNING
    cup = Cup(name="Cup", slug="cup", game="streetsoccer-board", status=status, created_at=NOON)
    store_competition(competition=cup, stage=Stage(format="knock-out"))
    Entry.objects.create(competition=cup, player=player, draw=1, entered_at=NOON)
    return cup


def notify_since(player: Player, cursor: str) -> list[tuple[str, str]]:
    events = read(read_missed([PlayerSubscription(player.pk, cursor)])[0].events)
    return [(event.data["slug"], event.data["action"]) for event in events if event.name == "competition"]


def test_a_player_who_comes_back_gets_the_changes_of_their_competition(ladder, anna, carla):
    (ready,) = read(read_missed([PlayerSubscription(anna.pk, "")])[0].events)
    finish_competition(competition_id=ladder.pk, actor=None, now=NOON)
    (event,) = read(read_missed([PlayerSubscription(anna.pk, ready.id)])[0].events)
    assert (event.name, event.data) == (
        "competition",
        {
            "competition": ladder.pk,
            "slug": "ladder",
            "kind": "ladder",
            "action": "finished",
            "at": "2026-11-01T12:00:00Z",
            "line": LogEntry.objects.get().pk,
            "match": None,
            "text": "Finished.",
            "organises": False,
        },
    )
    assert read_cursor(event.id) == LogEntry.objects.get().stored_at
    assert read(read_missed([PlayerSubscription(carla.pk, ready.id)])[0].events) == []


def test_actions_on_one_player_or_of_organisers_among_themselves_are_not_sent(ladder, anna):
    assert set(ACTIONS) == set(AUDIENCES)
    for action in ACTIONS:
        log(ladder, action)
    actions = [action for _slug, action in notify_since(anna, LONG_AGO)]
    assert actions == FOR_ALL
    assert {"started", "paused", "opened", "conditions-changed", "round-ended", "announced", "cancelled"} < set(actions)
    assert {"entered", "adjudicated", "organised"}.isdisjoint(actions)


def test_a_line_that_names_a_player_is_sent_to_them_and_to_nobody_else(ladder, anna, piotr):
    lines = {action: log(ladder, action, anna) for action in ACTIONS}
    for_both = [action for action in ACTIONS if audience_of(action).stream in {Players.ALL, Players.ALL_AND_NAMED}]
    heard = [action for _slug, action in notify_since(anna, LONG_AGO)]
    assert heard == [action for action in ACTIONS if action in {*for_both, *FOR_NAMED}]
    assert [action for _slug, action in notify_since(piotr, LONG_AGO)] == for_both
    for action, line in lines.items():
        (change,) = read_named(competition=[line.pk])
        assert (anna.pk in change.sides, piotr.pk in change.sides) == (action in heard, action in for_both)


def test_undoing_something_is_heard_of_by_the_players_that_it_names_or_by_all(ladder, anna, piotr):
    undone = [action for action in ACTIONS if audience_of(action).stream is Players.NAMED_OR_ALL]
    assert {"start-undone", "withdrawal-undone", "decision-undone", "end-undone"} < set(undone)
    for action in undone:
        log(ladder, action)
    for action in undone:
        log(ladder, action, piotr)
    assert [action for _slug, action in notify_since(anna, LONG_AGO)] == undone
    assert [action for _slug, action in notify_since(piotr, LONG_AGO)] == undone * 2


def test_a_player_who_has_left_still_hears_of_lines_that_name_them(ladder, anna):
    Entry.objects.filter(player=anna).update(status=EntryStatus.GONE)
    log(ladder, "withdrew", anna)
    assert notify_since(anna, LONG_AGO) == [("ladder", "withdrew")]


@pytest.mark.parametrize(
    ("status", "is_notified"),
    [(EntryStatus.ACTIVE, True), (EntryStatus.ON_HOLD, True), (EntryStatus.GONE, False), (EntryStatus.REPLACED, False)],
)
def test_only_who_is_in_the_competition_is_notified(status, is_notified, ladder, anna):
    Entry.objects.filter(player=anna).update(status=status)
    line = log(ladder)
    assert bool(notify_since(anna, LONG_AGO)) is is_notified
    (change,) = read_named(competition=[line.pk])
    assert (anna.pk in change.sides) is is_notified


def test_nobody_hears_of_what_was_before_they_came(ladder, anna):
    log(ladder)
    assert notify_since(anna, LONG_AGO) == [("ladder", "announced")]
    Entry.objects.filter(player=anna).update(entered_at=NOON + timedelta(seconds=1))
    assert notify_since(anna, LONG_AGO) == []
    (line,) = LogEntry.objects.select_related("competition")
    (change,) = read_named(competition=[line.pk])
    assert anna.pk not in change.sides
    assert anna.pk not in hearers_of(lines=[line])[line.pk].players


@pytest.mark.parametrize("kept_back", [{"status": CompetitionStatus.DRAFT}, {"hidden_at": NOON}])
def test_a_competition_that_is_being_prepared_or_hidden_is_sent_to_its_organisers_alone(kept_back, anna, carla):
    cup = make_cup(anna)
    cup.organisers.add(carla)
    line = log(cup)
    assert notify_since(anna, LONG_AGO) == [("cup", "announced")]
    Competition.objects.filter(pk=cup.pk).update(**kept_back)
    assert (notify_since(anna, LONG_AGO), notify_since(carla, LONG_AGO)) == ([], [("cup", "announced")])
    (change,) = logged_changes(ids=[line.pk])
    assert (change.players, change.organisers) == ((), (carla.pk,))


def test_an_organiser_is_sent_every_line_without_playing(ladder, anna, carla):
    other, _entries = make_ladder([anna], slug="other")
    ladder.organisers.add(carla)
    lines = [log(ladder, action).pk for action in ACTIONS]
    log(other)
    assert notify_since(carla, LONG_AGO) == [("ladder", action) for action in ACTIONS]
    events = read(read_missed([PlayerSubscription(carla.pk, LONG_AGO)])[0].events)
    assert {event.data["organises"] for event in events} == {True}
    for change in read_named(competition=lines):
        assert carla.pk in change.sides
        assert (anna.pk in change.sides) is (change.facts["action"] in FOR_ALL)


def test_an_organiser_who_plays_is_sent_a_line_once_and_as_organiser(ladder, anna, carla):
    ladder.organisers.add(anna, carla)
    log(ladder)
    (event,) = read(read_missed([PlayerSubscription(anna.pk, LONG_AGO)])[0].events)
    assert (event.data["action"], event.data["organises"]) == ("announced", True)


def test_lines_come_among_the_matches_in_the_order_in_which_they_were_stored(begin, ladder, anna):
    cup = make_cup(anna)
    first, second = log(ladder, "paused"), log(cup, "round-started")
    begin()
    moment = read_latest_moment() + timedelta(minutes=5)
    LogEntry.objects.filter(pk=second.pk).update(stored_at=moment)
    LogEntry.objects.filter(pk=first.pk).update(stored_at=moment + timedelta(seconds=1))
    events = read(read_missed([PlayerSubscription(anna.pk, LONG_AGO)])[0].events)
    assert [(event.name, event.data.get("kind")) for event in events] == [
        ("match", None),
        ("competition", "cup"),
        ("competition", "ladder"),
    ]
    assert read_cursor(events[-1].id) == read_latest_moment() == moment + timedelta(seconds=1)


def test_a_line_that_was_dated_before_the_cursor_and_seen_only_after_it_is_sent(ladder, anna):
    """The transaction of a line may end later than that of a line that came after it."""
    late, _early = log(ladder, "paused"), log(ladder, "resumed")
    cursor = write_cursor(read_latest_moment())
    LogEntry.objects.filter(pk=late.pk).update(stored_at=read_latest_moment() - OVERLAP / 2)
    assert notify_since(anna, cursor) == [("ladder", "paused"), ("ladder", "resumed")]
    LogEntry.objects.filter(pk=late.pk).update(stored_at=read_latest_moment() - OVERLAP)
    assert notify_since(anna, cursor) == [("ladder", "resumed")]


def test_players_and_lines_cost_no_queries_of_their_own(ladder, anna):
    log(ladder)
    with CaptureQueriesContext(connection) as few:
        assert len(logged_changes(player_id=anna.pk)) == len(logged_changes()) == 1
    for number in range(3):
        other, _entries = make_ladder([anna, *make_players(4, f"more-{number}")], slug=f"ladder-{number}")
        log(other, "started")
        log(other, "paused")
    with CaptureQueriesContext(connection) as many:
        assert len(logged_changes(player_id=anna.pk)) == 7
        assert [len(change.players) for change in logged_changes()] == [2, 5, 5, 5, 5, 5, 5]
    assert (len(few), len(many)) == (6, 6)


@pytest.mark.postgresql
def test_lines_since_a_moment_are_found_by_the_indexes(ladder):
    other, _entries = make_ladder(make_players(2, "other"), slug="other")
    moments = [NOON + timedelta(minutes=number) for number in range(1000)]
    LogEntry.objects.bulk_create(
        LogEntry(competition_id=each.pk, action="announced", logged_at=NOON, stored_at=moment)
        for each, told in ((ladder, moments[::10]), (other, moments))
        for moment in told
    )
    lines = LogEntry.objects.order_by("stored_at")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
        # Otherwise the planner would go by what earlier tests have left in the table.
        cursor.execute("ANALYZE tournaments_logentry")
        assert "log_stored" in lines.order_by("stored_at", "pk").filter(stored_at__gt=moments[-10]).explain()
        assert "log_of_competition_stored" in lines.filter(competition=ladder, stored_at__gt=moments[500]).explain()


@pytest.mark.django_db(transaction=True)
def test_a_message_is_published_after_the_commit_for_every_line(ladder):
    with heard(rows_changed, "ids") as told:
        with transaction.atomic():
            lines = [log(ladder, action).pk for action in ("entered", "paused")]
            assert told == []
        assert [number for numbers in told for number in numbers] == lines


@pytest.mark.django_db(transaction=True)
async def test_a_log_line_is_sent_to_the_players_of_its_competition_only(hub, ladder, anna, carla):
    playing, elsewhere = (Reader(hub, PlayerSubscription(player.pk, ""), player.username) for player in (anna, carla))
    for reader in (playing, elsewhere):
        assert (await reader.event()).name == "ready"
    for action in ("paused", "resumed"):
        await do(log, ladder, action)
        event = await playing.event()
        assert (event.name, event.data["slug"], event.data["action"]) == ("competition", "ladder", action)
    assert elsewhere.stream._waiting.empty()


@pytest.mark.django_db(transaction=True)
async def test_an_action_of_an_organiser_is_sent_at_once_to_the_other_organisers(hub, ladder, carla):
    await do(ladder.organisers.add, carla)
    reader = Reader(hub, PlayerSubscription(carla.pk, ""))
    assert (await reader.event()).name == "ready"
    await do(log, ladder, "adjudicated")
    event = await reader.event()
    assert (event.name, event.data["action"], event.data["organises"]) == ("competition", "adjudicated", True)


@pytest.mark.django_db(transaction=True)
async def test_a_line_without_a_message_is_found_and_sent_once(hub, ladder, anna, monkeypatch):
    monkeypatch.setattr(hubs, "POLL_INTERVAL", 0.05)
    monkeypatch.setattr(hubs, "PAUSE_FACTOR", 0)

    def log_silently(action: str) -> None:
        LogEntry.objects.create(competition_id=ladder.pk, action=action, logged_at=NOON)

    reader = Reader(hub, PlayerSubscription(anna.pk, ""))
    await reader.event()
    await do(log_silently, "paused")
    assert (await reader.event()).data["action"] == "paused"
    await asyncio.sleep(0.3)
    await do(log_silently, "resumed")
    assert (await reader.event()).data["action"] == "resumed"
