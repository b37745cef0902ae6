"""Answers that are given beforehand: what is played is what a simple second implementation plays."""

import random
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest

from matches.errors import AnswerNotPossible, NotYourMatch, RefusedMove, StalePly
from matches.models import ConditionalAnswer, Match, OfferKind
from matches.selectors.conditional_answers import answers_of
from matches.services import accept_offer, make_offer, play_move, play_turn, resign
from matches.services.adjudication import adjudicate_match
from matches.services.conditional_answers import give_answers, remove_answers, set_answers
from matches.services.expiry import expire_due
from players.models import Player
from rules_engine.protocol import State
from rules_engine.values import Side
from tests.marks import nightly
from tests.matches.conftest import NOON
from tests.matches.play import YELLOW_SET_UP, play_randomly, reread

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("borne_out")]

SECOND = timedelta(seconds=1)


@dataclass
class Naive:
    """Everything that was given, kept for good, and looked through anew at every turn."""

    lines: dict[Side, list[tuple[int, list[str]]]] = field(default_factory=lambda: {side: [] for side in Side})
    decisions: dict[tuple[Side, str], list[str]] = field(default_factory=dict)

    def answer(self, states: list[State], moves: list[str]) -> list[str]:
        """Return the actions with which the side to act answers, none if it has given none."""
        now = states[-1]
        side = now.turn
        if not isinstance(side, Side):
            return []
        for ply, line in self.lines[side]:
            own = self._own(states[ply], line, side)
            played = [(states[at], moves[at]) for at in range(ply, len(moves)) if states[at].turn is side]
            if own[: len(played)] == played and own[len(played) :][:1] and own[len(played)][0] == now:
                return [own[len(played)][1]]
        texts, state = self.decisions.get((side, now.decision), []), now
        for text in texts:
            if state.turn is not side or text not in state.legal_moves():
                del self.decisions[side, now.decision]
                return []
            state = state.play(text)
        return texts

    @staticmethod
    def _own(state: State, line: list[str], side: Side) -> list[tuple[State, str]]:
        own = []
        for text in line:
            if state.turn is side:
                own.append((state, text))
            state = state.play(text)
        return own


def record_of(match: Match) -> tuple[list[State], list[str]]:
    """Return every state of a match, and what was played and rolled."""
    moves = [move.text for move in match.moves.all()]
    states = [match.rules.start()]
    for text in moves:
        states.append(states[-1].play(text))
    return states, moves


def random_line(state: State, side: Side, rng: random.Random) -> list[str]:
    """Return a line that ends with an answer of a side; none if dice are rolled before."""
    line, best = list[str](), 0
    while isinstance(state.turn, Side) and len(line) < 12:
        line.append(rng.choice(list(state.legal_moves())))
        best = len(line) if state.turn is side else best
        state = state.play(line[-1])
    return line[:best]


def give_at_random(match: Match, naive: Naive, rng: random.Random, now) -> list[str]:
    """Let the side that waits give some answers; return the actions with which its lines begin."""
    side = Side(match.side).opponent
    begun = []
    for _time in range(rng.randrange(3)):
        line = random_line(match.state, side, rng)
        if not line:
            continue
        try:
            give_answers(match_id=match.pk, player=match.players[side], ply=match.ply, lines=[line], now=now)
        except AnswerNotPossible:
            continue
        naive.lines[side].append((match.ply, line))
        begun.append(line[0])
    for kind, rehearsed in match.state.rehearsals(side).items():
        if (side, kind) not in naive.decisions and rng.random() < 0.1:
            texts = [rng.choice(list(rehearsed.legal_moves()))]
            decisions = {kind: texts}
            give_answers(match_id=match.pk, player=match.players[side], ply=match.ply, decisions=decisions, now=now)
            naive.decisions[side, kind] = texts
    return begun


@pytest.mark.parametrize("seed", [0, 1, *nightly(range(2, 40))])
@pytest.mark.parametrize("game", ["paper-soccer", "streetsoccer-board", "soccer-tactics"])
def test_what_is_played_is_what_was_given(game, seed, begin):
    rng = random.Random(f"{game} {seed}")
    match, naive, now, answered = begin(game), Naive(), NOON, 0
    while match.side and match.ply < 90:
        now += SECOND
        begun = give_at_random(match, naive, rng, now)
        legal = [text for text in begun if rng.random() < 0.7] or list(match.state.legal_moves())
        by_hand, ply = rng.choice(legal), match.ply
        match = play_move(match_id=match.pk, player=match.player_to_act, ply=ply, text=by_hand, now=now).match
        states, moves = record_of(match)
        assert moves[ply] == by_hand
        by_themselves = set(match.moves.filter(by_itself=True).values_list("ply", flat=True))
        at = ply + 1
        while at < len(moves):
            by_side = isinstance(states[at].turn, Side) and at not in by_themselves
            expected = naive.answer(states[: at + 1], moves[:at]) if by_side else moves[at : at + 1]
            assert moves[at : at + len(expected)] == expected != []
            answered += by_side
            at += len(expected)
        assert naive.answer(states, moves) == []
    assert answered or game == "streetsoccer-board"


def give(match: Match, *lines: list[str], ply: int | None = None, **decisions: list[str]) -> Match:
    """Let the side that waits give answers."""
    kinds = {kind.replace("_", "-"): texts for kind, texts in decisions.items()}
    ply = match.ply if ply is None else ply
    return give_answers(match_id=match.pk, player=waiting_in(match), ply=ply, lines=lines, decisions=kinds, now=NOON)


def play(match: Match, *texts: str, now=NOON) -> Match:
    """Let the side to act play by hand."""
    return play_turn(match_id=match.pk, player=match.player_to_act, ply=match.ply, texts=texts, now=now).match


def texts_of(match: Match) -> list[str]:
    """Return what both sides have played."""
    return [move.text for move in match.moves.exclude(actor="chance")]


def waiting_in(match: Match) -> Player:
    """Return the player whose turn it is not."""
    return match.players[Side(match.side).opponent]


@pytest.mark.both_databases
def test_a_tree_of_lines_is_followed_and_what_is_left_of_it_goes_on(begin):
    match = begin("paper-soccer")
    player = waiting_in(match)
    give(match, ["0", "0", "2", "0"], ["0", "0", "1", "0"], ["7", "2"])
    match = play(match, "0", now=NOON + SECOND)
    assert texts_of(match) == ["0", "0"]
    assert [row.texts for row in answers_of(match, player)] == [["2", "0"], ["1", "0"]]
    match = play(match, "1", now=NOON + 2 * SECOND)
    assert texts_of(match) == ["0", "0", "1", "0"]
    assert answers_of(match, player) == []
    assert [move.thinking for move in match.moves.exclude(actor="chance")] == [1000, 0, 1000, 0]


def test_lines_for_which_something_else_came_are_kept_until_their_player_has_moved(begin):
    match = begin("paper-soccer")
    player = waiting_in(match)
    give(match, ["0", "0"], ["1", "0"])
    match = play(match, "7")
    assert texts_of(match) == ["7"]
    assert [row.is_dropped for row in answers_of(match, player)] == [True, True]
    match = play(match, "2")
    assert not ConditionalAnswer.objects.exists()


def test_an_answer_is_to_what_the_opponent_ends_up_with_however_it_is_sent(begin):
    at_once, one_by_one = begin("paper-soccer"), begin("paper-soccer")
    for match in (at_once, one_by_one):
        # The third turn leads to where the ball has been, and goes on.
        give(play(play(match, "2"), "7"), ["4", "6", "0"])
    play(reread(at_once), "46")
    for text in "46":
        play(reread(one_by_one), text)
    assert [texts_of(reread(match))[-1] for match in (at_once, one_by_one)] == ["0", "0"]


def test_the_set_up_and_the_restart_of_streetsoccer_are_answered_whatever_comes(begin):
    match = begin("streetsoccer-board")
    give(match, set_up=["@e10", "@c8", "@e6", "@c4", "@f9"])
    match = play(match, YELLOW_SET_UP)
    assert texts_of(match)[1:6] == ["@e10", "@c8", "@e6", "@c4", "@f9"]
    for side in Side:
        give_answers(
            match_id=match.pk,
            player=match.players[side],
            ply=match.ply,
            decisions={"restart": ["@d1" if side is Side.YELLOW else "@d10"]},
            now=NOON,
        )
    while match.side and not sum(match.state.score):
        goals = [text for text in match.state.legal_moves() if sum(match.state.play(text).score)]
        match = play(match, (goals or [random.Random(match.ply).choice(list(match.state.legal_moves()))])[0])
    assert "@d1" in texts_of(match)[6:] or "@d10" in texts_of(match)[6:]
    assert match.state.decision != "restart"


def test_an_answer_that_the_rules_refuse_then_is_dropped(begin, piotr):
    match = begin("streetsoccer-board")
    give(match, set_up=["@e10", "@c8", "@e6", "@c4", "@f9"])
    match = play(match, "@d1,c4,d5,f7,g4")
    assert match.player_to_act == piotr
    assert [row.is_dropped for row in answers_of(match, piotr)] == [True]


def test_what_cannot_be_given(begin, anna, carla):
    match = begin("paper-soccer")
    options = {"match_id": match.pk, "ply": match.ply, "now": NOON}
    with pytest.raises(NotYourMatch):
        give_answers(player=carla, lines=[["0", "0"]], **options)
    with pytest.raises(StalePly):
        give(match, ["0", "0"], ply=9)
    with pytest.raises(RefusedMove):
        give(match, ["0", "4"])
    refused: tuple[list[list[str]], ...] = (
        [["0"]],
        [[]],
        [["0", "0"], ["0", "1"]],
        [["0", "0"] * 40],
        [["0", "0", "1"]],
    )
    for lines in refused:
        with pytest.raises(AnswerNotPossible):
            give(match, *lines)
    with pytest.raises(AnswerNotPossible):
        give_answers(player=match.player_to_act, lines=[["0"]], **options)
    with pytest.raises(AnswerNotPossible):
        give(match, set_up=["@d1"])
    assert not ConditionalAnswer.objects.exists()
    street = play(begin("streetsoccer-board"), *YELLOW_SET_UP.replace(",", " @").split())
    with pytest.raises(AnswerNotPossible):
        give_answers(
            match_id=street.pk, player=anna, ply=street.ply, lines=[["@e10", "@c8", "@e6", "@c4", "@f9", "1"]], now=NOON
        )


def test_answers_are_replaced_and_removed(begin):
    match = begin("paper-soccer")
    player, other = waiting_in(match), match.player_to_act
    give(match, ["0", "0"])
    give(match, ["0", "0", "1", "0"], ["0", "0"])
    assert [row.texts for row in answers_of(reread(match), player)] == [["0", "0", "1", "0"]]
    options = {"match_id": match.pk, "player": player, "now": NOON}
    match = set_answers(ply=match.ply, lines=[["1", "0"], ["2", "0"]], decisions={}, **options)
    first, _second = answers_of(match, player)
    remove_answers(match_id=match.pk, player=other, now=NOON)
    remove_answers(answer_id=first.pk, **options)
    assert [row.texts for row in answers_of(match, player)] == [["2", "0"]]
    assert answers_of(match, other) == []
    remove_answers(**options)
    assert texts_of(play(match, "2")) == ["2"]


@pytest.mark.both_databases
def test_nothing_is_kept_of_a_match_that_is_over_or_has_gone_back(begin, anna):
    def end_on_time(match: Match) -> None:
        expire_due(now=NOON + timedelta(days=400))

    def take_back(match: Match) -> None:
        offer: dict[str, Any] = {"match_id": match.pk, "kind": OfferKind.TAKE_BACK, "now": NOON}
        make_offer(player=waiting_in(match), **offer)
        accept_offer(player=match.player_to_act, **offer)

    for end in (
        lambda match: resign(match_id=match.pk, player=anna, now=NOON),
        lambda match: adjudicate_match(match_id=match.pk, winner=None, now=NOON),
        play_randomly,
        take_back,
        end_on_time,
    ):
        match = play(begin("paper-soccer"), "0")
        give(match, ["0", "2"])
        end(reread(match))
        assert not ConditionalAnswer.objects.exists(), end


@pytest.mark.both_databases
def test_a_move_that_was_begun_before_answers_changed_is_tried_again(begin):
    match = begin("paper-soccer")
    give(match, ["1", "0"])
    known = reread(match)
    remove_answers(match_id=match.pk, player=waiting_in(match), now=NOON)
    given = known.answer_changes
    assert reread(match).answer_changes == given + 1
    assert reread(match).changed_at == known.changed_at
    assert texts_of(play(match, "1")) == ["1"]


@pytest.mark.both_databases
def test_a_process_that_dies_between_a_move_and_its_answer_has_stored_neither(begin, monkeypatch):
    class Died(BaseException):
        pass

    def die(*_args: Any) -> None:
        raise Died

    match = begin("paper-soccer")
    give(match, ["1", "0"])
    with monkeypatch.context() as patch:
        patch.setattr("matches.services.answered_moves._Given.store", die)
        with pytest.raises(Died):
            play(reread(match), "1")
    assert reread(match).ply == match.ply
    assert texts_of(play(reread(match), "1")) == ["1", "0"]
