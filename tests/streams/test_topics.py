"""Streams of topics: what everybody may follow, by a change at a time, and nothing of what only some may see."""

from typing import Any

import pytest

from matches.services import play_move, resign, take_seek
from matches.services.seeks import withdraw_seek
from matches.signals import LOBBY, WATCHED, Topic
from players.models import Player
from streams.changes import read_named
from streams.subscriptions import MatchSubscription, PlayerSubscription, read_missed
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, act, begin_match, seek_of
from tests.streams.test_hub import Reader, do
from tests.streams.test_subscriptions import LONG_AGO, read
from tests.tournaments.verbs import end, enter, make_ladder, open_cup, recompute_stale_tables, running, start, start_cup
from tournaments.models import Competition, CompetitionStatus, LogEntry
from tournaments.models.audiences import AUDIENCES
from tournaments.office.services.log import log_action

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


def events_of(*topics: Topic, player: Player | None = None, cursor: str = LONG_AGO) -> list[Any]:
    """Return the events that a stream of topics goes on with."""
    return read(read_missed([PlayerSubscription(player.pk if player else None, cursor, topics=topics)])[0].events)


def of(competition: Competition) -> Topic:
    return "competition", competition.pk


def begin_cursor(*topics: Topic) -> str:
    (ready,) = events_of(*topics, cursor="")
    assert ready.name == "ready"
    return ready.id


def test_the_lobby_hears_of_games_for_everybody_and_of_no_invitation(anna, piotr, carla):
    cursor = begin_cursor(LOBBY)
    invitation, posted, other = seek_of(anna, invited=piotr), seek_of(anna), seek_of(carla)
    seek_of(carla, by_link=True)

    def told(**more: Any) -> dict[int, str]:
        return {event.data["seek"]["id"]: event.data["seek"]["status"] for event in events_of(LOBBY, cursor=cursor)}

    assert told() == {posted.pk: "open", other.pk: "open"}
    match = take_seek(seek_id=posted.pk, player=piotr, now=NOON)
    withdraw_seek(seek_id=other.pk, player=carla)
    assert told() == {posted.pk: "taken", other.pk: "withdrawn"}
    taken, _withdrawn = events_of(LOBBY, cursor=cursor)
    assert (taken.data["seek"]["match"], "own" in taken.data) == (match.pk, False)
    # Who posted it has one event of it, which says so; who is invited hears of it beside the lobby.
    own = [event.data for event in events_of(LOBBY, player=anna, cursor=cursor) if event.name == "seek"]
    assert [(each["seek"]["id"], each.get("own")) for each in sorted(own, key=lambda each: each["seek"]["id"])] == [
        (invitation.pk, True),
        (posted.pk, True),
        (other.pk, None),
    ]


def test_a_competition_is_followed_by_what_happens_in_it_and_no_other_one_is():
    cup, entries = open_cup(4, format="round-robin")
    other, _entries = start_cup(4, prefix="other", name="Other", slug="other")
    cursor = begin_cursor(of(cup))
    start(cup)
    begun = {fixture.match_id for fixture in running(cup)}
    events = events_of(of(cup), cursor=cursor)
    assert {event.data["match"] for event in events if event.name == "match"} == begun
    assert "started" in [event.data["action"] for event in events if event.name == "competition"]

    cursor, fixture = events[-1].id, running(cup)[0]
    end(fixture, entries[0])
    events = events_of(of(cup), cursor=cursor)
    over = [event.data["match"] for event in events if event.name == "match" and event.data["status"] == "finished"]
    assert over == [fixture.match_id]
    (table,) = [event.data for event in events if event.name == "table"]
    assert {name: table[name] for name in ("slug", "stage", "group")} == {"slug": cup.slug, "stage": 1, "group": 1}
    end(running(other)[0], None)
    recompute_stale_tables(competition_id=cup.pk, now=NOON)
    (made,) = [event.data for event in events_of(of(cup), cursor=cursor) if event.name == "table"]
    assert (made["results"], made["stale"]) == (table["results"], False)
    assert {event.data.get("slug", cup.slug) for event in events_of(of(cup), cursor=cursor)} == {cup.slug}


def test_a_result_in_a_bracket_is_told_as_one_in_a_table():
    cup, entries = start_cup(4, format="knock-out")
    cursor = begin_cursor(of(cup))
    end(running(cup)[0], entries[0])
    assert [event.data["group"] for event in events_of(of(cup), cursor=cursor) if event.name == "table"] == [1]


def test_everybody_hears_of_the_lines_that_everybody_reads_and_of_who_joins_or_leaves(anna):
    ladder = make_ladder()
    start(ladder)
    enter(ladder, anna)
    for action in AUDIENCES:
        log_action(competition=ladder, action=action, now=NOON)
    heard = [event.data["action"] for event in events_of(of(ladder)) if event.name == "competition"]
    listed = {action for action, audience in AUDIENCES.items() if audience.is_listed}
    assert set(heard) == listed | {"joined", "departed"}
    assert {"invited", "disputed", "waiting-joined", "organiser-invited"}.isdisjoint(heard)


@pytest.mark.parametrize("kept_back", [{"status": CompetitionStatus.DRAFT}, {"hidden_at": NOON}])
def test_what_a_visitor_may_not_see_is_on_no_topic(kept_back, client):
    cup, _entries = start_cup(4)
    fixture = running(cup)[0]
    topics = (of(cup), WATCHED)
    assert {event.name for event in events_of(*topics)} == {"match", "competition", "table"}
    assert client.get(f"/api/v1/competitions/{cup.slug}/stream/").status_code == 503
    Competition.objects.filter(pk=cup.pk).update(**kept_back)
    assert events_of(*topics) == []
    named = read_named(
        match=[fixture.match_id],
        competition=list(LogEntry.objects.values_list("pk", flat=True)),
        table=[fixture.group_id],
    )
    assert {topic for change in named for topic in change.public} == {("match", fixture.match_id)}
    for path in (f"competitions/{cup.slug}/stream/", f"stream/?topics=lobby,competition:{cup.slug}"):
        answer = client.get(f"/api/v1/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_matches_worth_watching_are_those_that_count(anna, piotr):
    cursor = begin_cursor(WATCHED)
    rated, casual = begin_match(anna, piotr, is_rated=True), begin_match(anna, piotr)
    cup, _entries = start_cup(2)
    act(rated, YELLOW_SET_UP)
    act(casual, YELLOW_SET_UP)
    told = {event.data["match"]: event.data["ply"] for event in events_of(WATCHED, cursor=cursor)}
    assert told == {rated.pk: 1} | {fixture.match_id: 0 for fixture in running(cup)}
    resign(match_id=rated.pk, player=anna, now=NOON)
    assert [event.data["status"] for event in events_of(WATCHED, cursor=cursor) if event.data["match"] == rated.pk] == [
        "finished"
    ]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("topics=lobby", 503),
        ("topics=lobby,matches,lobby", 503),
        ("topics=match:{match}", 503),
        ("topics=match:{match}&match={match}&updates=1", 503),
        ("topics=", 400),
        ("topics=lobby,", 400),
        ("topics=Lobby", 400),
        ("topics=lobby:1", 400),
        ("topics=match:0", 400),
        ("topics=match:9999999999999999999", 400),
        ("topics=match:99999", 404),
        ("topics=competition:nowhere", 404),
        ("topics=competition:%00", 400),
        ("topics=" + ",".join(f"match:{number}" for number in range(1, 22)), 400),
        ("topics=" + ",".join(f"competition:cup-{number}" for number in range(21)), 400),
        ("topics=" + "x" * 3000, 400),
        ("topic=lobby", 400),
    ],
)
def test_only_topics_that_there_are_can_be_followed(query, status, begin, client):
    answer = client.get(f"/api/v1/stream/?{query.format(match=begin().pk)}")
    # This server holds no streams open.
    assert answer.status_code == status


@pytest.mark.django_db(transaction=True)
async def test_one_stream_sends_each_change_of_its_topics_once_and_nothing_after_the_competition_is_hidden(
    hub, anna, piotr
):
    cup, entries = await do(start_cup, 4)
    follower = Reader(hub, PlayerSubscription(None, "", topics=[LOBBY, of(cup), WATCHED]), "visitor")
    elsewhere = Reader(hub, PlayerSubscription(None, "", topics=[("competition", cup.pk + 1)]), "other")
    for reader in (follower, elsewhere):
        assert (await reader.event()).name == "ready"
    seek = await do(seek_of, anna)
    assert (await follower.event()).data["seek"]["id"] == seek.pk
    fixtures = await do(running, cup)
    await do(end, fixtures[0], entries[0])
    sent = [await follower.event() for _ in range(2)]
    assert {(event.name, event.data.get("match")) for event in sent} >= {("match", fixtures[0].match_id)}
    await do(lambda: Competition.objects.filter(pk=cup.pk).update(hidden_at=NOON))
    await do(end, fixtures[1], None)
    later = await do(seek_of, piotr)
    while (event := await follower.event()).name != "seek":
        assert event.data.get("match") != fixtures[1].match_id
    assert event.data["seek"]["id"] == later.pk
    assert elsewhere.stream._waiting.empty()


def test_a_state_says_what_the_match_says_to_who_is_to_act(begin, client):
    match = act(begin(), YELLOW_SET_UP)
    client.force_login(match.player_to_act)
    whole = client.get(f"/api/v1/matches/{match.pk}/").json()
    for subscription in (
        MatchSubscription(match.pk, "", states=True),
        PlayerSubscription(None, "", [match.pk], states=True),
    ):
        state = read(read_missed([subscription])[0].events)[-1].data["state"]
        assert {name: whole[name] for name in state} == state
        assert state["legal_moves"]
    assert "state" not in read(read_missed([MatchSubscription(match.pk, "")])[0].events)[-1].data


@pytest.mark.django_db(transaction=True)
async def test_a_program_plays_by_the_stream_alone(hub, begin):
    match = await do(lambda: begin(game="paper-soccer-1"))
    follower = Reader(hub, MatchSubscription(match.pk, "", states=True))
    while (event := await follower.event()).data["status"] == "playing":
        state, side = event.data["state"], event.data["turn"]
        played = {"match_id": match.pk, "ply": event.data["ply"], "text": state["legal_moves"][0]}
        await do(lambda player, played: play_move(player=player, now=NOON, **played), getattr(match, side), played)
    assert event.data["state"]["legal_moves"] == []
    assert event.data["state"]["outcome"]["winner"]
