"""Every registered game through the site: its dice, moves, streams, pages, records, computers and analyses."""

import copy
from datetime import timedelta
from hashlib import sha256
from random import Random

from django.test import Client
from django.utils import timezone

from computers.jobs import BestMove, run_in_thread
from computers.levels import levels_in
from matches.clock import CORRESPONDENCE
from matches.models import Match, Status
from matches.records import match_record
from matches.selectors.replay import replay
from matches.services import progress, request_analysis, resign, start_match
from matches.services.analyses import claim_piece, complete_piece, judge
from matches.services.verification import verify_match
from players.models import Player
from rules_engine.protocol import State
from rules_engine.record_formats import replay_record, write_record
from rules_engine.search import Budget
from rules_engine.values import Side
from streams.changes import add_updates, read_named
from streams.subscriptions import MatchSubscription, PlayerSubscription
from tests.game_specs import limit_engines
from tests.matches.play import play_at_once, reread
from tests.proving_ground.roads import BEYOND, NEAR, Road, choose_any, whole_matches
from tests.streams.test_schemas import judge as complaints_of

BEGINNINGS = 200
TRIES = 15
SMALL = Budget(nodes=3_000, depth=1)


def states_of(match: Match) -> list[State]:
    return [match.rules.start(), *(stage.after for stage in replay(match, match.moves.order_by("ply")))]


def find_way(road: Road, match: Match, seed: int) -> list[str] | None:
    """Return random moves by which the match, with its own dice, comes along the road; nothing is stored."""
    random, ahead, states = Random(f"{road} {seed}"), copy.copy(match), states_of(match)
    texts: list[str] = []
    end = BEYOND if road.is_passed(states) else NEAR
    while ahead.side and len(texts) < end:
        texts.append(choose_any(random, ahead.state))
        now, side = ahead.last_move_at + timedelta(seconds=1), Side(ahead.side)
        for move in progress.play(ahead, ahead.state.play(texts[-1]), side, texts[-1:], now=now):
            states.append(states[-1].play(move.text))
        if end == NEAR and road.is_passed(states):
            end = len(texts) + BEYOND
    return texts if road.is_passed(states) else None


def begin_on(road: Road, players: tuple[Player, Player]) -> tuple[Match, list[str]]:
    """Return a match that has begun where the road does, and moves by which it comes along it."""
    for number in range(BEGINNINGS):
        match = start_match(
            game=road.game.key,
            yellow=players[0],
            red=players[1],
            time_control=CORRESPONDENCE,
            now=timezone.now() - timedelta(hours=1),
            seed=sha256(f"{road} {number}".encode()).digest(),
        )
        for seed in range(TRIES):
            if (way := find_way(road, match, number * TRIES + seed)) is not None:
                return match, way
    raise AssertionError(f"no match has come along {road}")


def check_streams(match: Match, players: tuple[Player, ...]) -> None:
    """Check what pages and programs that follow the match are sent now."""
    (change,) = add_updates(read_named(match=[match.pk]), {("match", match.pk): {player.pk for player in players}})
    for player in players:
        event = PlayerSubscription(player.pk, "", [match.pk], updates=True).event_of(change)
        assert complaints_of("follow_player", event) == []
    assert complaints_of("follow_match", MatchSubscription(match.pk, "").event_of(change)) == []


def check_pages(match: Match, client: Client, plies: tuple[int, ...]) -> None:
    url, api = match.get_absolute_url(), f"/api/v1{match.get_absolute_url()}"
    addresses = [url, f"{url}dice/", api, f"{api}record/", f"{api}dice/", *(f"{url}?ply={ply}" for ply in plies)]
    for address in [*addresses, *(f"{api}positions/{ply}/" for ply in plies)]:
        assert client.get(address).status_code == 200, address


def check_levels(match: Match) -> None:
    """Check that every level of the computers can move now."""
    for level in levels_in(match.rules):
        text = run_in_thread(BestMove(match.game, match.position, level, "seed"))
        assert match.state.play(text) != match.state


def analyse(match: Match, player: Player) -> None:
    """Have the whole match judged, as workers do it."""
    request_analysis(match_id=match.pk, player=player, now=timezone.now())
    while piece := claim_piece(now=timezone.now()):
        assert complete_piece(piece, judge(piece), now=timezone.now()), piece.judged


@whole_matches
def test_a_match_goes_through_the_whole_site(road, monkeypatch, anna, piotr, carla, client_of, client):
    road.lay(monkeypatch)
    limit_engines(monkeypatch, SMALL)
    monkeypatch.setattr("celery.current_app.send_task", lambda *args, **options: None)
    if road.milestone is None:
        match = play_at_once(begin_on_start(road, anna, piotr))
    else:
        match, way = begin_on(road, (anna, piotr))
        for text in way:
            actor = match.player_to_act
            sent = {"ply": match.ply, "text": text}
            assert client_of(actor).post(f"/api/v1/matches/{match.pk}/moves/", sent).status_code == 201
            match = reread(match)
            check_streams(match, (anna, piotr, carla))
        check_pages(match, client, tuple(range(match.ply + 1)))
    states = states_of(match)
    assert road.is_passed(states)
    if match.status == Status.PLAYING:
        check_levels(match)
        match = resign(match_id=match.pk, player=anna, now=timezone.now())

    assert verify_match(match=reread(match)) == []
    check_streams(match, (anna, piotr, carla))
    check_pages(match, client, (0, match.ply // 2, match.ply))
    assert client.get(f"{match.get_absolute_url()}dice/").context["all_hold"]
    record = match_record(match)
    assert str(replay_record(record)) == match.position
    shown = client.post("/replay/", {"game": match.game, "text": write_record(record)}, follow=True)
    assert shown.status_code == 200
    if road.milestone is not None:
        analyse(match, anna)
        check_analysis(match, client)


def begin_on_start(road: Road, yellow: Player, red: Player) -> Match:
    return start_match(
        game=road.game.key,
        yellow=yellow,
        red=red,
        time_control=CORRESPONDENCE,
        now=timezone.now() - timedelta(days=3),
        seed=sha256(str(road).encode()).digest(),
    )


def check_analysis(match: Match, client: Client) -> None:
    url = f"{match.get_absolute_url()}analysis/"
    assert client.get(url).status_code == 200
    said = client.get(f"/api/v1{url}").json()
    assert (said["status"], said["judged"]) == ("done", match.ply)
