"""The analysis over the API: wanted by players, read by everybody, with progress and an entity tag."""

from typing import Any

import pytest

from matches.models import Match, MatchAnalysis
from matches.tasks import analyse_match
from rules_engine.analysis import judge_moves, sum_up
from rules_engine.registry import SPECS
from tests.matches.analysed import SMALL, finished, in_small_pieces
from tests.matches.test_queries import queries_of

__all__ = ["finished", "in_small_pieces"]

pytestmark = pytest.mark.usefixtures("in_small_pieces")


@pytest.fixture
def url(finished):
    return f"/api/v1/matches/{finished.pk}/analysis/"


def do_a_piece(match: Match) -> MatchAnalysis:
    analysis = MatchAnalysis.objects.get(match=match)
    analyse_match()
    analysis.refresh_from_db()
    return analysis


def test_nobody_has_wanted_one(client_of, url):
    answer = client_of(None).get(url)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_player_wants_one_and_it_is_begun(client_of, url, anna, finished):
    answer = client_of(anna).post(url)
    assert (answer.status_code, answer["Retry-After"]) == (202, "2")
    body = answer.json()
    assert (body["match"], body["status"], body["judged"], body["plies"]) == (finished.pk, "waiting", 0, finished.ply)
    assert body["engine"] == {"name": SPECS["streetsoccer"].engine.version, "nodes": SMALL.nodes, "depth": 1}
    assert (body["moves"], body["url"]) == ([], f"/matches/{finished.pk}/analysis/")


def test_a_player_who_requests_an_analysis_with_a_key_is_told_when_to_look_again_each_time(client_of, url, anna):
    answers = [client_of(anna).post(url, headers={"Idempotency-Key": "once"}) for _ in range(2)]
    assert [(answer.status_code, answer["Retry-After"]) for answer in answers] == [(202, "2")] * 2
    assert answers[0].json() == answers[1].json()


def test_everybody_sees_how_far_it_has_come(client_of, url, anna, carla, finished):
    client_of(anna).post(url)
    do_a_piece(finished)
    for client in (client_of(None), client_of(carla)):
        answer = client.get(url)
        assert (answer.status_code, answer.json()["status"], answer.json()["judged"]) == (202, "running", 1)
        assert [move["ply"] for move in answer.json()["moves"]] == [0]


def test_when_it_is_done_it_says_what_the_engine_says(client_of, url, anna, finished):
    client = client_of(anna)
    client.post(url)
    while not do_a_piece(finished).is_finished:
        pass
    answer = client.get(url)
    assert answer.status_code == 200
    moves = list(finished.moves.order_by("ply"))
    verdicts = list(judge_moves(finished.rules.start(), [move.text for move in moves], SPECS["streetsoccer"].engine))
    assert answer.json()["moves"] == [
        {
            "ply": move.ply,
            "actor": move.actor,
            "text": move.text,
            "side": verdict.side and verdict.side.value,
            "before": verdict.before,
            "after": verdict.after,
            "luck": verdict.luck,
            "given_away": verdict.given_away,
            "best": verdict.best,
        }
        for move, verdict in zip(moves, verdicts, strict=True)
    ]
    sums = sum_up(verdicts)
    assert answer.json()["sums"]["yellow"] == {"luck": sums.luck.yellow, "given_away": sums.given_away.yellow}
    assert answer.json()["sums"]["red"] == {"luck": sums.luck.red, "given_away": sums.given_away.red}
    assert client.post(url).status_code == 200


def test_its_tag_changes_whenever_it_goes_on(client_of, url, anna, finished):
    client = client_of(anna)
    client.post(url)
    tag = client.get(url)["ETag"]
    assert client.get(url, headers={"If-None-Match": tag}).status_code == 304
    do_a_piece(finished)
    assert client.get(url, headers={"If-None-Match": tag}).status_code == 202
    other = client.get(url)["ETag"]
    assert client.get(url, headers={"If-None-Match": other}).status_code == 304
    assert tag != other


def test_a_match_that_goes_on_is_not_analysed(client_of, begin, anna):
    answer = client_of(anna).post(f"/api/v1/matches/{begin().pk}/analysis/")
    assert (answer.status_code, answer.json()["code"]) == (409, "match_not_over")


def test_reading_it_costs_three_queries_and_two_if_nothing_is_new(client_of, url, anna, finished):
    client_of(anna).post(url)
    for _ in range(3):
        do_a_piece(finished)
    client = client_of(None)
    answers: list[Any] = []
    assert queries_of(lambda: answers.append(client.get(url))) == ["SELECT"] * 3
    tag = answers[0]["ETag"]
    assert queries_of(lambda: client.get(url, headers={"If-None-Match": tag})) == ["SELECT"] * 2


@pytest.mark.parametrize("before", [1, 6])
def test_a_piece_costs_the_same_wherever_it_is(client_of, url, anna, finished, before):
    client_of(anna).post(url)
    for _ in range(before):
        do_a_piece(finished)
    assert len(queries_of(analyse_match)) == 15
