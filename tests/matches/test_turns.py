"""Playing several actions of a turn at once."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from matches.errors import NotYourTurn, RefusedMove, StalePly, TurnOver
from matches.models import Match
from matches.services import PlayedTurn, play_move, play_turn
from matches.services.verification import verify_match
from matches.signals import matches_changed
from rules_engine.registry import GAMES
from rules_engine.values import ChanceDevice, Side
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, act, heard, reread, stored, unchanged

PLACED = ["@d1", "@c3", "@d5", "@f7", "@g4"]
MINUTE = timedelta(minutes=1)
MAX_PLIES = 60


def play_at_once(match: Match, texts: list[str], *, ply: int | None = None) -> PlayedTurn:
    """Let Yellow, or the other side if it is to act, play these a minute after the last move."""
    return play_turn(
        match_id=match.pk,
        player=match.player_to_act or match.yellow,
        ply=match.ply if ply is None else ply,
        texts=texts,
        now=match.last_move_at + MINUTE,
    )


def kept(match: Match) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what is stored of a match, all but what the database numbers and dates by itself."""
    fields, moves = stored(match)
    del fields["changed_at"]
    return fields, [{name: value for name, value in move.items() if name != "id"} for move in moves]


def draw_turn(match: Match, source: Random) -> list[str]:
    """Return random actions of the side to act, as long as it is its turn."""
    texts: list[str] = []
    state = match.state
    while state.turn == match.side:
        texts.append(source.choice(list(state.legal_moves())))
        state = state.play(texts[-1])
    return texts


@pytest.mark.parametrize("game", list(GAMES))
def test_a_turn_played_at_once_is_stored_as_if_it_had_been_played_action_by_action(game, begin):
    match, source, longest = begin(game), Random(7), 0
    while match.side and match.ply < MAX_PLIES:
        texts, now = draw_turn(match, source), match.last_move_at + MINUTE
        player = match.player_to_act
        with transaction.atomic():
            for ply, text in enumerate(texts, start=match.ply):
                play_move(match_id=match.pk, player=player, ply=ply, text=text, now=now)
            one_by_one = kept(match)
            transaction.set_rollback(True)
        assert kept(match) != one_by_one
        played = play_at_once(match, texts)
        assert kept(match) == one_by_one
        assert [move.text for move in played.moves] == texts
        assert [move.ply for move in played.moves] == list(range(match.ply, match.ply + len(texts)))
        match, longest = reread(match), max(longest, len(texts))
    assert longest > 1


def test_a_turn_is_one_piece_of_news(begin, django_capture_on_commit_callbacks):
    match = begin()
    with heard(matches_changed, "match_ids") as told, django_capture_on_commit_callbacks(execute=True):
        play_at_once(match, PLACED)
    assert (told, reread(match).ply) == ([[match.pk]], 5)


def test_the_clock_is_charged_once_at_the_end_of_the_turn(begin):
    match = play_at_once(begin(), PLACED).match
    assert [move.thinking for move in match.moves.all()] == [60_000, 0, 0, 0, 0]
    assert (match.side, match.turn_started_at) == (Side.RED, NOON + MINUTE)


@pytest.mark.parametrize(
    "texts",
    [["@e1", *PLACED[1:]], [*PLACED[:4], "@g5"], [*PLACED, "@e10"]],
    ids=["another beginning", "another end", "more than was played"],
)
def test_another_turn_than_the_stored_one_is_stale(texts, begin):
    match = play_at_once(begin(), PLACED).match
    with unchanged(match), pytest.raises(StalePly):
        play_turn(match_id=match.pk, player=match.yellow, ply=0, texts=texts, now=NOON + MINUTE)


def test_a_turn_whose_first_action_was_played_alone_is_stale(begin):
    match = act(begin(), "@d1")
    with pytest.raises(StalePly):
        play_at_once(match, PLACED, ply=0)
    assert play_at_once(match, PLACED[1:]).match.side == Side.RED


def test_nothing_can_be_sent_along_that_would_follow_a_roll(begin):
    match = act(begin(), YELLOW_SET_UP)
    with pytest.raises(TurnOver, match=r"^After @f9 the dice are rolled\. Check the roll before you play >e7\.$"):
        play_at_once(match, ["@e10", "@c8", "@e6", "@c4", "@f9", ">e7"])


def play_across(match: Match, texts: list[str], *, ply: int | None = None) -> PlayedTurn:
    """Let the side to act play these a minute after the last move, across rolls."""
    return play_turn(
        match_id=match.pk,
        player=match.player_to_act or match.yellow,
        ply=match.ply if ply is None else ply,
        texts=texts,
        across_rolls=True,
        now=match.last_move_at + MINUTE,
    )


def guess_turn(match: Match, source: Random) -> list[str]:
    """Return random actions of the side to act and what it would play after the rolls that come; some never follow."""
    texts, side, player = list[str](), match.side, match.player_to_act
    with transaction.atomic():
        while match.side == side and len(texts) < 6:
            texts.append(source.choice(list(match.state.legal_moves())))
            match = act(match, texts[-1], player=player)
        transaction.set_rollback(True)
    return texts if source.random() < 0.6 else [*texts, source.choice(texts)]


def play_one_by_one(match: Match, texts: list[str]) -> list[str]:
    """Play these at one moment by a request each, up to the first that is refused; return what was played."""
    now, player, side = match.last_move_at + MINUTE, match.player_to_act, match.side
    ply, played = match.ply, list[str]()
    for text in texts:
        known = match.moves.filter(ply__gte=ply, actor=side, by_itself=True, text=text).order_by("ply").first()
        if known is None and match.side != side:
            break
        try:
            move = play_move(
                match_id=match.pk, player=player, ply=known.ply if known else match.ply, text=text, now=now
            )
        except (RefusedMove, NotYourTurn):
            break
        match, ply = reread(match), move.move.ply + 1
        played.append(text)
    return played


@pytest.mark.parametrize("game", list(GAMES))
def test_a_turn_across_rolls_is_stored_as_if_each_part_had_been_sent_after_its_roll(game, begin):
    match, source, rolled, stopped = begin(game), Random(3), False, False
    sent: list[tuple[Match, PlayedTurn]] = []
    while match.side and match.ply < MAX_PLIES:
        texts = guess_turn(match, source)
        with transaction.atomic():
            played = play_one_by_one(match, texts)
            one_by_one = kept(match)
            transaction.set_rollback(True)
        try:
            turn = play_across(match, texts)
        except (TurnOver, RefusedMove):
            # What is refused before any roll is refused with the whole turn.
            turn = play_across(match, texts[: len(played)])
        else:
            assert turn.not_played == tuple(texts[len(played) :])
        assert kept(match) == one_by_one
        assert [move.text for move in turn.moves] == played
        rolled = rolled or turn.moves[-1].ply - turn.moves[0].ply >= len(turn.moves)
        stopped = stopped or bool(turn.not_played)
        sent.append((match, turn))
        match = reread(match)
        for before, each in sent[-3:]:
            again = play_across(before, [*(move.text for move in each.moves), *each.not_played])
            assert (again.repeated, again.moves, again.not_played) == (True, each.moves, each.not_played)
    assert verify_match(match=match) == []
    assert rolled or match.rules.family != "soccer-tactics"
    assert stopped is (match.rules.chance_device == ChanceDevice.DICE)


def roll_at_hand(match: Match) -> Match:
    """Play Soccer Tactics until a side can move a pawn, and rolls for the ball next."""
    source = Random(1)
    while not str(match.state).startswith("move ") or match.state.legal_moves() == ["pass"]:
        match = act(match, source.choice(match.state.legal_moves()))
    return match


def test_a_turn_across_rolls_of_which_only_the_beginning_was_sent_is_stale(begin):
    match = roll_at_hand(begin("soccer-tactics"))
    first = match.state.legal_moves()[0]
    after = act(match, first)
    assert after.side == match.side
    with pytest.raises(StalePly):
        play_across(match, [first, after.state.legal_moves()[0]])
    legal = set(after.state.legal_moves())
    other = next(text for text in match.state.legal_moves() if text not in legal)
    assert play_across(match, [first, other]).not_played == (other,)


def test_the_api_says_what_did_not_follow_a_roll(begin, client_of):
    match = roll_at_hand(begin("soccer-tactics", now=timezone.now()))
    first, other = match.state.legal_moves()[:2]
    url, client = f"/api/v1/matches/{match.pk}/moves/", client_of(match.player_to_act)
    body = {"ply": match.ply, "texts": [first, other], "across_rolls": True}
    answers = [client.post(url, body, headers={"Prefer": "return=minimal"}) for _twice in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    for answer in answers:
        assert [move["text"] for move in answer.json()["moves"]] == [first]
        assert answer.json()["not_played"] == [other]
    assert reread(match).ply == match.ply + 2
    refused = client.post(url, {**body, "ply": match.ply + 2, "texts": [other]})
    assert (refused.status_code, refused.json()["code"]) == (422, "illegal_move")


def test_an_own_goal_and_the_first_line_of_the_next_point_are_one_turn(begin):
    match = begin("paper-soccer")
    unlucky = Side(match.side).opponent
    home = "0" if unlucky is Side.RED else "4"
    for _turn in range(5):
        match = act(match, home)
    played = play_at_once(match, [home, "2"]).match
    assert (played.state.score[unlucky.opponent], played.side) == (1, unlucky.opponent)


def test_the_api_plays_a_turn_and_answers_with_its_moves(begin, client_of, anna):
    match = begin(now=timezone.now())
    url, body = f"/api/v1/matches/{match.pk}/moves/", {"ply": 0, "texts": PLACED}
    first = client_of(anna).post(url, body)
    assert first.status_code == 201
    assert [(move["ply"], move["text"]) for move in first.json()["moves"]] == list(enumerate(PLACED))
    assert (first.json()["match"]["ply"], first.json()["match"]["turn"]) == (5, "red")
    again = client_of(anna).post(url, body, headers={"Prefer": "return=minimal"})
    assert (again.status_code, again["Preference-Applied"]) == (200, "return=minimal")
    assert again.json()["moves"] == first.json()["moves"]
    assert (again.json().keys(), again.json()["summary"]["ply"]) == ({"moves", "summary"}, 5)


@pytest.mark.parametrize(
    ("body", "status", "members"),
    [
        ({"texts": ["@d1", "@c3", "@a1"]}, 422, {"code": "illegal_move", "rule": "S4", "ply": 2}),
        ({"texts": ["@a1"]}, 422, {"code": "illegal_move", "rule": "S4", "ply": 0}),
        ({"texts": [*PLACED, "@e10"]}, 422, {"code": "turn_over", "ply": 5}),
        ({"texts": ["@d1", "hop"]}, 400, {"code": "invalid_notation", "ply": 1}),
        ({"texts": []}, 400, {"code": "invalid"}),
        ({"texts": "@d1"}, 400, {"code": "invalid"}),
        ({"texts": ["@d1"] * 317}, 400, {"code": "invalid"}),
    ],
)
def test_the_api_says_which_action_of_a_turn_it_refuses(body, status, members, begin, client_of, anna):
    match = begin(now=timezone.now())
    response = client_of(anna).post(f"/api/v1/matches/{match.pk}/moves/", {"ply": 0, **body})
    problem = response.json()
    assert response.status_code == status
    assert {name: problem.get(name) for name in ("code", "rule", "ply") if name in problem} == members
    assert not match.moves.exists()
