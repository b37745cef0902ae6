"""Moves that leave no choice: they are played by themselves, at once, and count as nobody's act."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from matches.clock import TimeControl
from matches.errors import OfferNotPossible, StalePly
from matches.games import decision_control
from matches.interchange import replay_data
from matches.models import Match, Move, OfferKind
from matches.records import match_record
from matches.selectors.matches import count_drawn, moved_by_both
from matches.services import (
    abort,
    accept_offer,
    expire_due,
    follow_ups,
    make_offer,
    play_by_hand,
    play_move,
    progress,
)
from matches.services.move_storage import store_moves
from matches.services.verification import verify_match
from players.models import Player
from rules_engine.protocol import State
from rules_engine.record_formats import record_to_json
from rules_engine.values import Side
from tests.matches.conftest import NOON
from tests.matches.play import act, begin_match, play_at_once, play_randomly, reread

pytestmark = pytest.mark.both_databases

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
QUICK = TimeControl(bank=HOUR, increment=MINUTE, cap=HOUR)
LINES = "paper-soccer-1"


def forced(match: Match) -> list[Move]:
    return list(match.moves.filter(by_itself=True))


def way_to_a_forced_line(state: State) -> list[str]:
    """Return random lines of a point after the last of which its side has to draw a certain one, and play goes on."""
    for seed in range(10_000):
        source, at, way = random.Random(seed), state, list[str]()
        while not at.outcome:
            before, way = at, [*way, source.choice(at.legal_moves())]
            at = before.play(way[-1])
            if at.turn is before.turn and len(at.legal_moves()) == 1 and not at.play(at.legal_moves()[0]).outcome:
                return way
    raise AssertionError("no line is forced")


@pytest.fixture
def red_has_no_choice(monkeypatch):
    """Let Red have one legal move only, in every game."""
    look = follow_ups.find_only_move

    def find(state: State) -> str | None:
        return state.legal_moves()[-1] if state.turn is Side.RED else look(state)

    monkeypatch.setattr(follow_ups, "find_only_move", find)


def test_just_what_leaves_no_choice_is_played_by_itself(anna, piotr):
    for seed in range(6):
        match = play_at_once(begin_match(anna, piotr, game="paper-soccer"), seed=seed)
        state = match.rules.start()
        for move in match.moves.all():
            assert move.by_itself is (len(state.legal_moves()) == 1)
            state = state.play(move.text)
        assert verify_match(match=match) == []


@pytest.mark.parametrize("by_itself", [True, False])
def test_a_player_can_play_all_by_hand(anna, piotr, by_itself):
    match = begin_match(anna, piotr, game=LINES)
    *way, last = way_to_a_forced_line(match.state)
    for text in way:
        match = act(match, text)
    Player.objects.filter(pk=match.player_to_act.pk).update(by_itself=by_itself)
    match = act(match, last)
    assert bool(forced(match)) is by_itself
    assert verify_match(match=play_randomly(match)) == []


def before_a_forced_line(yellow: Player, red: Player) -> tuple[Match, str]:
    """Return a match before a line after which its player has no choice, and that line."""
    match = begin_match(yellow, red, game=LINES, now=timezone.now() - HOUR)
    *way, last = way_to_a_forced_line(match.state)
    for text in way:
        match = act(match, text)
    return match, last


def test_a_player_can_play_one_match_by_hand_and_what_waits_then_is_played_at_once(anna, piotr, client_of):
    (one, last), (other, others_last) = (before_a_forced_line(anna, piotr) for _ in range(2))
    player, url = one.player_to_act, f"/api/v1/matches/{one.pk}/"
    client = client_of(player)
    chosen = client.put(f"{url}by-hand/", {"by_hand": True})
    assert (chosen.status_code, chosen.json()["by_hand"], chosen.json()["ply"]) == (200, True, one.ply)
    waiting, played_on = act(one, last), act(other, others_last)
    assert (waiting.side, forced(waiting)) == (one.side, [])
    assert forced(played_on)
    etag = client.get(url)["ETag"]
    again = client.put(f"{url}by-hand/", {"by_hand": False}).json()
    assert (again["by_hand"], again["ply"]) == (False, len(again["moves"]))
    own, played, *follows = (move["by_itself"] for move in again["moves"][one.ply :])
    assert (own, played, all(follows)) == (False, False, True)
    assert client.get(url)["ETag"] != etag
    assert verify_match(match=reread(one)) == []


def test_a_move_that_meets_the_choice_of_by_hand_is_tried_again(anna, piotr):
    match, last = before_a_forced_line(anna, piotr)
    known = reread(match)
    play_by_hand(match_id=match.pk, player=match.player_to_act, by_hand=True, now=match.last_move_at)
    moves = progress.play(known, known.state.play(last), Side(known.side), [last], now=known.last_move_at)
    assert not store_moves(known, moves)
    assert forced(act(match, last)) == []


def test_what_waits_in_all_matches_is_played_when_a_player_leaves_it_to_itself(
    anna, piotr, client_of, django_capture_on_commit_callbacks
):
    matches = []
    Player.objects.update(by_itself=False)
    for by_hand in (False, True):
        match, last = before_a_forced_line(anna, piotr)
        player = match.player_to_act
        play_by_hand(match_id=match.pk, player=player, by_hand=by_hand, now=match.last_move_at)
        matches.append(act(match, last))
    for player in (anna, piotr):
        with django_capture_on_commit_callbacks(execute=True):
            client_of(player).post("/profile/playing/", {"by_itself": "on"}, format="multipart")
    freed, waiting = map(reread, matches)
    assert (freed.ply > matches[0].ply, waiting.ply) == (True, matches[1].ply)
    assert verify_match(match=freed) == []


def test_the_page_of_a_match_has_the_switch_for_its_players(anna, piotr, client_of):
    match = begin_match(anna, piotr, now=timezone.now())
    client, path = client_of(anna), match.get_absolute_url()
    url = f"{path}by-hand/"
    for name, by_hand in (("Play all by hand in this match", True), ("Play by itself here, too", False)):
        assert name in client.get(path).content.decode()
        assert client.post(url, {"by_hand": "on"} if by_hand else {}, format="multipart")["Location"] == path
        assert reread(match).by_hand.yellow is by_hand
    assert url not in client_of(Player.objects.create(username="carla")).get(path).content.decode()
    Player.objects.update(by_itself=False)
    assert url not in client.get(path).content.decode()


@pytest.mark.usefixtures("red_has_no_choice")
@pytest.mark.parametrize("game", ["streetsoccer-board", "soccer-tactics", "paper-soccer"])
def test_turns_by_themselves_cost_no_time_and_add_none(game, anna, piotr):
    match = begin_match(anna, piotr, game=game, time_control=QUICK, begin_within=600)
    source, bank = random.Random(2), timedelta(seconds=600)
    for _ in range(40):
        if not match.side:
            break
        assert match.side == Side.YELLOW
        before = match.ply
        match = act(match, source.choice(match.state.legal_moves()))
        played = list(match.moves.filter(ply__gte=before))
        follows = [move for move in played[1:] if move.actor != "chance"]
        assert all(move.by_itself and move.played_at == match.last_move_at and not move.thinking for move in follows)
    held = begin_match(anna, piotr, time_control=QUICK, begin_within=600).held.red
    assert (match.banks.red, match.held.red) == (bank, held)
    assert match.banks.yellow <= QUICK.cap
    assert verify_match(match=reread(match)) == []


@pytest.mark.usefixtures("red_has_no_choice")
def test_who_has_only_moved_by_themselves_has_not_moved(anna, piotr):
    match = begin_match(anna, piotr, is_rated=True)
    while not forced(match):
        match = act(match)
    assert not Match.objects.filter(moved_by_both()).exists()
    with pytest.raises(OfferNotPossible):
        make_offer(match_id=match.pk, player=piotr, kind=OfferKind.TAKE_BACK, now=match.last_move_at)
    abort(match_id=match.pk, player=anna, now=match.last_move_at)


@pytest.mark.usefixtures("red_has_no_choice")
def test_late_decisions_are_drawn_on_in_a_row_past_moves_by_themselves(anna, piotr):
    game = "soccer-tactics"
    match = begin_match(anna, piotr, game=game, time_control=decision_control(game))
    expire_due(now=NOON + 3 * MINUTE + timedelta(seconds=1))
    match = reread(match)
    assert forced(match)
    assert count_drawn(match, Side.YELLOW) == match.moves.filter(is_drawn=True).count() == 3
    assert verify_match(match=match) == []


@pytest.fixture
def played_on(anna, piotr):
    """Return a match that goes on, and the last move that was sent, after which one followed by itself."""
    match = begin_match(anna, piotr, game=LINES)
    for text in way_to_a_forced_line(match.state):
        ply, match = match.ply, act(match, text)
    return match, match.moves.get(ply=ply)


def test_a_move_that_was_played_by_itself_is_there_when_it_is_sent(played_on):
    match, _move = played_on
    move = forced(match)[0]
    sent = {"match_id": match.pk, "player": match.players[Side(move.actor)], "ply": move.ply, "now": NOON + HOUR}
    played = play_move(text=move.text, **sent)
    assert (played.repeated, played.move) == (True, move)
    with pytest.raises(StalePly):
        play_move(text=str((int(move.text) + 1) % 8), **sent)


def test_a_turn_is_taken_back_with_what_followed_by_itself(played_on):
    match, move = played_on
    assert {each.actor for each in match.moves.filter(ply__gte=move.ply)} == {move.actor}
    asker, now = Side(move.actor), match.last_move_at
    make_offer(match_id=match.pk, player=match.players[asker], kind=OfferKind.TAKE_BACK, now=now)
    match = accept_offer(
        match_id=match.pk, player=match.players[asker.opponent], kind=OfferKind.TAKE_BACK, now=now + MINUTE
    )
    assert match.side == asker
    assert match.ply <= move.ply
    assert not forced(match)
    assert verify_match(match=reread(match)) == []
    assert verify_match(match=play_randomly(match)) == []


def test_a_record_names_them_and_is_read_again(anna, piotr):
    match = next(
        each
        for seed in range(50)
        if forced(each := play_at_once(begin_match(anna, piotr, game="paper-soccer"), seed=seed))
    )
    plies = [move.ply for move in forced(match)]
    record = match_record(match)
    assert record.tags["ByItself"] == " ".join(map(str, plies))
    replay = replay_data(record=record_to_json(record))
    assert [stage.move.ply for stage in replay.stages if stage.move.by_itself] == plies
    assert "ByItself" not in match_record(begin_match(anna, piotr)).tags


def test_what_is_stored_as_played_by_itself_had_to_leave_no_choice(anna, piotr):
    match = play_randomly(begin_match(anna, piotr), until=12)
    own = match.moves.exclude(actor="chance").latest("ply")
    Move.objects.filter(pk=own.pk).update(by_itself=True)
    assert verify_match(match=reread(match)) != []


def test_there_is_an_end_to_what_follows(monkeypatch, anna, piotr):
    """Where nobody ever had a choice, the match would be played to its end by one move."""
    monkeypatch.setattr(follow_ups, "find_only_move", lambda state: next(state.iter_legal_moves(), None))
    match = begin_match(anna, piotr, game="soccer-tactics")
    assert len(forced(match)) == 100
    assert verify_match(match=match) == []
