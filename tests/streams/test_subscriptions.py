"""A stream begins with what its client has missed, and writes each event in three lines."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from matches.services import resign, take_seek
from matches.services.adjudication import annul_match
from streams import subscriptions
from streams.changes import EPOCH, read_cursor, read_latest_moment, read_named, write_cursor, write_event
from streams.subscriptions import MatchSubscription, PlayerSubscription, Subscription, read_missed
from tests.matches.conftest import NOON
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act, seek_of
from tests.matches.test_queries import sql_of
from tests.streams.events import Event, parse

pytestmark = pytest.mark.django_db

LONG_AGO = write_cursor(datetime(2020, 1, 1, tzinfo=UTC))


def read(events: list[bytes]) -> list[Event]:
    return [event for event in (parse(each.decode()) for each in events) if event]


def backdate(match: Match) -> None:
    """Let the match have changed a minute before it did."""
    Match.objects.filter(pk=match.pk).update(changed_at=read_latest_moment() - timedelta(minutes=1))


def test_a_match_begins_with_what_it_has_come_to(begin):
    match = act(act(begin(), YELLOW_SET_UP), RED_SET_UP)
    (event,) = read(read_missed([MatchSubscription(match.pk, "")])[0].events)
    assert (event.id, event.name) == (f"{match.ply}.0.playing", "match")
    assert event.data == {
        "match": match.pk,
        "ply": match.ply,
        "status": "playing",
        "turn": match.side,
        "paused": False,
        "annulled": False,
        "offer": None,
        "competition": None,
    }


def test_a_match_that_the_client_has_seen_is_not_sent_again(begin):
    match = begin()
    (seen,) = read(read_missed([MatchSubscription(match.pk, "")])[0].events)
    assert read_missed([MatchSubscription(match.pk, seen.id)])[0].events == []
    match = act(match, YELLOW_SET_UP)
    (event,) = read(read_missed([MatchSubscription(match.pk, seen.id)])[0].events)
    assert (event.id, event.data["ply"]) == ("1.0.playing", 1)


def test_a_match_that_was_annulled_is_another_version(begin, anna):
    match = resign(match_id=begin().pk, player=anna, now=NOON)
    (seen,) = read(read_missed([MatchSubscription(match.pk, "")])[0].events)
    (ready,) = read(read_missed([PlayerSubscription(anna.pk, "")])[0].events)
    backdate(match)
    annul_match(match_id=match.pk, now=NOON)
    (event,) = read(read_missed([MatchSubscription(match.pk, seen.id)])[0].events)
    assert (event.data["status"], event.data["annulled"]) == ("finished", True)
    (sent,) = read(read_missed([PlayerSubscription(anna.pk, ready.id)])[0].events)
    assert (sent.data["match"], sent.data["annulled"]) == (match.pk, True)


def test_a_player_begins_ready_and_gets_no_earlier_changes(begin, anna):
    match = begin()
    missed = read_missed([PlayerSubscription(anna.pk, "")])[0]
    (event,) = read(missed.events)
    assert (event.name, event.data) == ("ready", {})
    assert missed.known == {("match", match.pk): "0.0.playing"}


def test_a_player_who_comes_back_gets_changes_of_all_their_matches_and_seeks_and_of_no_others(
    begin, anna, piotr, carla, client
):
    first, second = begin(), begin()
    backdate(second)
    (ready,) = read(read_missed([PlayerSubscription(anna.pk, "")])[0].events)
    act(first, YELLOW_SET_UP)
    seek = seek_of(anna)
    third = take_seek(seek_id=seek.pk, player=carla, now=NOON)
    sent = read(read_missed([PlayerSubscription(anna.pk, ready.id)])[0].events)
    assert [(event.name, event.data.get("match")) for event in sent] == [
        ("match", first.pk),
        ("match", third.pk),
        ("seek", None),
    ]
    assert [event.data.get("you") for event in sent] == ["yellow", "yellow", None]
    client.force_login(anna)
    asked = client.get(f"/api/v1/seeks/{seek.pk}/").json()
    assert (asked["status"], asked["match"]) == ("taken", third.pk)
    # That depends on who asks, and events say the same to all.
    assert asked.pop("why_casual") is None
    assert sent[2].data == {"seek": asked, "own": True}
    assert [int(event.id) for event in sent] == sorted(int(event.id) for event in sent)
    others = read(read_missed([PlayerSubscription(carla.pk, ready.id)])[0].events)
    assert [(event.name, event.data["match"], event.data.get("you")) for event in others] == [
        ("match", third.pk, "red")
    ]
    assert [event.data["match"] for event in read(read_missed([PlayerSubscription(piotr.pk, ready.id)])[0].events)] == [
        first.pk
    ]


def test_an_invited_player_gets_the_seek_as_somebody_elses(anna, piotr):
    (ready,) = read(read_missed([PlayerSubscription(piotr.pk, "")])[0].events)
    seek_of(anna, invited=piotr)
    (sent,) = read(read_missed([PlayerSubscription(piotr.pk, ready.id)])[0].events)
    seek = sent.data["seek"]
    assert (sent.data["own"], seek["creator"]["username"], seek["invited"]["username"]) == (False, "anna", "piotr")
    assert (seek["game"], seek["colour"], seek["time_control"]["bank"]) == ("streetsoccer-board", "yellow", 864_000)


def test_a_player_who_follows_a_match_of_others_begins_with_it_as_it_is(begin, carla, anna):
    match, _other = act(begin(), YELLOW_SET_UP), begin()
    for player, you in ((carla.pk, None), (None, None), (anna.pk, "yellow")):
        subscription = PlayerSubscription(player, "", [match.pk, match.pk])
        ready, sent = read(read_missed([subscription])[0].events)
        assert (ready.name, sent.name) == ("ready", "match")
        assert (sent.data["match"], sent.data["ply"], sent.data.get("you")) == (match.pk, 1, you)
        assert subscription.topics.count(("match", match.pk)) == 1


def test_a_client_that_comes_back_gets_the_changes_of_named_matches(begin, anna, carla):
    first, second = begin(), begin()
    (ready, *_events) = read(read_missed([PlayerSubscription(None, "", [first.pk, second.pk])])[0].events)
    backdate(second)
    act(first, YELLOW_SET_UP)
    for player in (None, carla.pk, anna.pk):
        sent = read(read_missed([PlayerSubscription(player, ready.id, [first.pk, second.pk])])[0].events)
        assert [(event.data["match"], event.data["ply"]) for event in sent] == [(first.pk, 1)]


def test_a_change_dated_before_the_cursor_and_committed_after_it_is_sent(begin, anna):
    """The transaction of a change may end later than that of a change that came after it."""
    late, early = begin(), begin()
    cursor = write_cursor(read_latest_moment())
    Match.objects.filter(pk=late.pk).update(changed_at=read_latest_moment() - timedelta(seconds=20))
    sent = read(read_missed([PlayerSubscription(anna.pk, cursor)])[0].events)
    assert {event.data["match"] for event in sent} == {late.pk, early.pk}


@pytest.mark.parametrize("cursor", ["7.0.playing", "-1", "x", "9" * 17, "9" * 30])
def test_an_unknown_cursor_resets(cursor, begin, anna):
    begin()
    (event,) = read(read_missed([PlayerSubscription(anna.pk, cursor)])[0].events)
    assert event.name == "reset"
    assert read_cursor(event.id) == read_latest_moment()


def test_too_many_changes_reset(begin, anna, monkeypatch):
    monkeypatch.setattr(subscriptions, "MAX_REPLAYED", 2)
    for _ in range(2):
        begin()
    assert [event.name for event in read(read_missed([PlayerSubscription(anna.pk, LONG_AGO)])[0].events)] == [
        "match",
        "match",
    ]
    begin()
    (event,) = read(read_missed([PlayerSubscription(anna.pk, LONG_AGO)])[0].events)
    assert event.name == "reset"


def test_no_more_is_read_than_shows_that_it_is_too_much(begin, anna, monkeypatch):
    monkeypatch.setattr(subscriptions, "MAX_REPLAYED", 2)
    begin()
    statements = sql_of(lambda: read_missed([PlayerSubscription(anna.pk, LONG_AGO)]))
    tables = [statement.split('"')[1] for statement in statements if statement.endswith("LIMIT 3")]
    assert tables == [
        "matches_match",
        "matches_seek",
        "tournaments_logentry",
        "tournaments_teammembership",
        "matches_sitepause",
    ]


@pytest.mark.parametrize(("cursor", "name"), [("", "ready"), ("x", "reset"), (LONG_AGO, "reset")])
def test_a_player_with_very_many_changes_begins_without_knowing_all_of_them(cursor, name, begin, anna, monkeypatch):
    monkeypatch.setattr(subscriptions, "MAX_REPLAYED", 2)
    first, second, _third = begin(), begin(), begin()
    with CaptureQueriesContext(connection) as captured:
        missed = read_missed([PlayerSubscription(anna.pk, cursor)])[0]
    (event,) = read(missed.events)
    assert (event.name, read_cursor(event.id)) == (name, read_latest_moment())
    assert set(missed.known) == {("match", first.pk), ("match", second.pk)}
    lists = [query["sql"] for query in captured if "ORDER BY" in query["sql"]]
    assert lists
    assert all(" LIMIT " in sql for sql in lists)


def test_a_site_without_any_match_has_a_moment_to_begin_at(anna):
    (event,) = read(read_missed([PlayerSubscription(anna.pk, "")])[0].events)
    assert (event.name, read_cursor(event.id)) == ("ready", EPOCH)


def test_the_id_of_a_later_event_is_never_an_earlier_moment(begin, anna):
    older, newer = begin(), begin()
    backdate(older)
    subscription = PlayerSubscription(anna.pk, "")
    changes = {change.subject: change for change in read_named(match=[older.pk, newer.pk])}
    ids = [int(read([subscription.event_of(changes[match.pk])])[0].id) for match in (newer, older)]
    assert ids[0] == ids[1]


def test_an_event_is_three_lines_and_an_empty_one():
    assert write_event("match", "3.0.playing", {"name": "a\nb"}) == (
        b'id: 3.0.playing\nevent: match\ndata: {"name": "a\\nb"}\n\n'
    )


@pytest.mark.parametrize("microseconds", [0, 1, 1_795_180_511_006_001])
def test_a_moment_is_read_as_it_was_written(microseconds):
    moment = EPOCH + timedelta(microseconds=microseconds)
    assert write_cursor(moment) == str(microseconds)
    assert read_cursor(str(microseconds)) == moment


def test_many_streams_that_begin_together_ask_no_more_than_one(begin, anna, piotr, carla):
    match, other = begin(), begin()

    def ask(*wanted: Subscription) -> tuple[int, list[list[str]]]:
        with CaptureQueriesContext(connection) as captured:
            missed = read_missed(wanted)
        return len(captured), [[event.name for event in read(each.events)] for each in missed]

    cursor = write_cursor(read_latest_moment() - timedelta(minutes=1))
    alone, events = ask(PlayerSubscription(anna.pk, cursor, [match.pk]))
    assert events == [["match", "match"]]
    together, events = ask(
        PlayerSubscription(anna.pk, cursor, [match.pk]),
        PlayerSubscription(piotr.pk, "", [other.pk]),
        PlayerSubscription(carla.pk, cursor),
        PlayerSubscription(None, "", [match.pk, other.pk]),
        MatchSubscription(match.pk, ""),
    )
    assert events == [["match", "match"], ["ready", "match"], [], ["ready", "match", "match"], ["match"]]
    assert together == alone


def test_too_many_changes_for_all_are_read_by_each(begin, anna, monkeypatch):
    begin(), begin(), begin()
    cursor = write_cursor(read_latest_moment() - timedelta(seconds=1))
    monkeypatch.setattr(subscriptions, "MAX_TOGETHER", 2)
    (missed,) = read_missed([PlayerSubscription(anna.pk, cursor)])
    assert len(missed.events) == 3
