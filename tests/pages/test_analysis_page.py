"""The page of a match's analysis: the curve, what decided the match, and what is offered to whom."""

import re
from dataclasses import replace

import pytest
from django.utils import timezone

from matches.models import MatchAnalysis
from matches.selectors.replay import replay
from matches.views.analysis import Place, Strip, draw_curve, list_goals
from matches.views.judged_moves import (
    JudgedMove,
    judge_moves,
    list_mistakes,
    list_rolls,
    luck_sentence,
    mistakes_sentence,
)
from rules_engine.analysis import Summary, Verdict
from rules_engine.registry import SPECS, get_game
from rules_engine.values import BySide, Side
from tests.game_specs import change_spec
from tests.matches.analysed import SMALL, finished, in_small_pieces, store_analysis
from tests.matches.play import act
from tests.matches.test_queries import queries_of
from tests.pages.html import text_of

__all__ = ["finished", "in_small_pieces"]

pytestmark = pytest.mark.usefixtures("in_small_pieces")


@pytest.fixture
def url(finished):
    return f"{finished.get_absolute_url()}analysis/"


@pytest.fixture
def analysed(finished):
    """Return the match when everything is judged."""
    store_analysis(finished)
    return finished


def verdict(text="1", *, side=Side.YELLOW, luck=0.0, given_away=0.0, is_roll=True, best=None):
    return Verdict(text, is_roll, side, 0.5, 0.5, luck, given_away, best)


def test_a_player_asks_for_it_and_sees_that_it_goes_on(client_of, url, anna):
    client = client_of(anna)
    assert "Analyse this match" in text_of(client.get(url))
    response = client.post(url, follow=True)
    assert response.redirect_chain == [(url, 302)]
    assert "The analysis will start in a moment" in text_of(response)
    assert "data-going-on" in response.content.decode()


def test_others_are_told_that_nobody_has_asked(client, client_of, url, carla):
    for page in (client.get(url), client_of(carla).get(url)):
        assert "Nobody has asked yet" in text_of(page)
        assert '<button class="button primary"' not in page.content.decode()


def test_a_visitor_who_asks_is_led_to_the_log_in(client, url):
    assert client.post(url).url == f"/log-in/?next={url}"


def test_a_match_that_goes_on_has_none_yet(client, begin):
    assert "The match is still running" in text_of(client.get(f"{begin().get_absolute_url()}analysis/"))


def test_moves_judged_so_far_are_shown_while_the_analysis_goes_on(client, analysed, url):
    analysis = MatchAnalysis.objects.get()
    MatchAnalysis.objects.update(status="running", judged=5, verdicts=analysis.verdicts[:5], finished_at=None)
    response = client.get(url)
    assert f"5 of {analysed.ply} moves have been analysed" in text_of(response)
    assert response.content.decode().count('class="move"') == 5


@pytest.mark.parametrize("status", ["running", "failed"])
def test_nothing_is_concluded_before_all_of_it_is_judged(client, analysed, url, status):
    words = ("Luck helped", "Mistakes cost", "The biggest mistakes", "The luckiest", "How reliable")
    assert [word for word in words if word in text_of(client.get(url))] == list(words)
    verdicts = MatchAnalysis.objects.get().verdicts[:5]
    ended = None if status == "running" else timezone.now()
    MatchAnalysis.objects.update(status=status, judged=5, verdicts=verdicts, finished_at=ended)
    assert [word for word in words if word in text_of(client.get(url))] == []


def test_each_name_stands_at_the_side_of_the_curve_where_its_player_is_ahead(client, analysed, url):
    content = client.get(url).content.decode()
    owners = re.findall(r'<p class="owner">.*?<span>(\w+)</span>\s*</p>', content, re.DOTALL)
    assert owners == ["anna", "piotr"]
    yellow, curve, red = (content.index(mark) for mark in ("<span>anna</span>", "chance-curve", "<span>piotr</span>"))
    assert yellow < curve < red
    labels = re.findall(r'<text class="percent" x="6" y="(\d+)%"[^>]*>(\d+ %)<', content)
    assert labels == [("25", "75 %"), ("50", "50 %"), ("75", "75 %")]


def test_every_move_leads_to_its_position_and_says_what_happened(client, analysed, url):
    content = client.get(url).content.decode()
    links = re.findall(
        r'<a class="move"\s+href="([^"]+)"\s+aria-label="([^"]+)"\s+data-line="[^"]+· anna \d+ %"', content
    )
    assert [link for link, _ in links] == [f"/matches/{analysed.pk}/?ply={ply}" for ply in range(1, analysed.ply + 1)]
    assert all(re.search(r": (Yellow|Red) .+\. anna \d+ %\.$", label) for _, label in links)
    assert "data-going-on" not in content


def test_a_visitor_sees_luck_skill_and_how_far_to_trust_it(client, analysed, url):
    text = text_of(client.get(url))
    assert re.search(r"Luck helped (anna by|piotr by|nobody)", text)
    assert re.search(r"Mistakes cost (anna|piotr) \d+ points and (anna|piotr) \d+\.", text)
    assert f"{SPECS['streetsoccer'].engine.version} Budget {SMALL.nodes} positions" in text
    assert "looks one turn ahead" in text


def test_a_failed_analysis_can_be_tried_again_by_a_player(client_of, analysed, url, anna, carla):
    MatchAnalysis.objects.update(status="failed")
    assert "Try again" in text_of(client_of(anna).get(url))
    assert "Try again" not in text_of(client_of(carla).get(url))


def test_a_player_may_have_it_judged_anew_by_a_newer_engine(monkeypatch, client_of, analysed, url, anna):
    assert "Analyse again" not in text_of(client_of(anna).get(url))
    change_spec(monkeypatch, "streetsoccer", engine=replace(SPECS["streetsoccer"].engine, version="streetsoccer 99"))
    assert "Analyse again" in text_of(client_of(anna).get(url))
    client_of(anna).post(url)
    assert MatchAnalysis.objects.count() == 2


@pytest.mark.parametrize("moves", [1, 5])
def test_the_page_costs_the_same_however_much_is_judged(client, analysed, url, moves):
    MatchAnalysis.objects.update(judged=moves, verdicts=MatchAnalysis.objects.get().verdicts[:moves])
    assert queries_of(lambda: client.get(url)) == ["SELECT"] * 3


def test_the_curve_goes_from_the_first_chance_through_all_others():
    curve = draw_curve([0.5, 0.75, 0.2], moves=4)
    assert curve.line == "M0 50L1 25L2 80"
    assert curve.area == "M0 50L1 25L2 80V50H0Z"
    assert curve.places == (Place(25, 25), Place(50, 80))
    assert curve.strips == (Strip(12.5, 25), Strip(37.5, 25))


def test_a_curve_without_a_chance_is_none():
    with pytest.raises(ValueError, match="begins with a chance"):
        draw_curve([], moves=4)


def test_the_score_stands_where_it_has_changed(client, analysed, url):
    content = client.get(url).content.decode()
    score = f"{analysed.score_yellow}–{analysed.score_red}"
    assert re.findall(r'<text class="goals([^"]*)"[^>]*>([^<]+)<', content) == [("", score)]


def test_of_scores_that_are_close_together_a_narrow_curve_has_the_first():
    curve = draw_curve([0.5] * 101, moves=100)
    state = get_game("streetsoccer-board").start()
    goals = {10: (1, 0), 15: (1, 1), 21: (2, 1), 60: (3, 1)}
    moves = [
        JudgedMove(after, "", "", "anna", verdict(), BySide(*goals[after]) if after in goals else None, state)
        for after in range(1, 101)
    ]
    found = [(move.score, place.x, has_room) for move, place, has_room in list_goals(moves, curve)]
    assert found == [
        (BySide(1, 0), 10, True),
        (BySide(1, 1), 15, False),
        (BySide(2, 1), 21, True),
        (BySide(3, 1), 60, True),
    ]


def judged(match, verdicts):
    """Return the match's first moves as if these were the verdicts on them."""
    return judge_moves(match, replay(match, match.moves.all()), verdicts)


def test_the_biggest_swings_come_first_and_what_changed_nothing_not_at_all(finished):
    verdicts = [
        verdict("1", luck=0.05),
        verdict("2", luck=-0.2, side=Side.RED),
        verdict("3", luck=0.004),
        verdict("a1-a2", is_roll=False, given_away=0.1, best="a1-a3"),
        verdict("a1-a4", is_roll=False, given_away=0.3, best="a1-a5"),
        verdict("a1-a6", is_roll=False, best="a1-a6"),
    ]
    moves = judged(finished, verdicts)
    assert [(move.text, move.luck) for move in list_rolls(moves)] == [("2", -20), ("1", 5)]
    assert [(move.text, move.cost, move.better) for move in list_mistakes(moves)] == [
        ("a1-a4", 30, "a1-a5"),
        ("a1-a2", 10, "a1-a3"),
    ]


def test_a_move_is_said_in_one_line(finished):
    verdicts = [
        verdict("6", luck=0.12),
        verdict("4", luck=-0.07, side=Side.RED),
        verdict("red", luck=0.0, side=None),
        verdict("a1-a2", is_roll=False, given_away=0.31, best="a1-a3"),
        verdict("a1-a2", is_roll=False, side=Side.RED, best="a1-a2"),
    ]
    assert list(map(str, judged(finished, verdicts))) == [
        "anna rolls 6: lucky, +12 · anna 50 %",
        "piotr rolls 4: unlucky, −7 · anna 50 %",
        "The coin decides: Red begins · anna 50 %",
        "anna plays a1-a2: costs 31, better: a1-a3 · anna 50 %",
        "piotr plays a1-a2 · anna 50 %",
    ]


def test_a_move_is_spoken_in_sentences_without_notation(begin):
    match = act(act(act(begin(), "@d1,c3"), "@d5,f7,g4"), "@e10")
    verdicts = [
        verdict("@d1,c3", is_roll=False, best="@d1,c3"),
        verdict("@d5,f7,g4", is_roll=False, given_away=0.31, best="@d5,g4,f7"),
        verdict("@e10", is_roll=False, side=Side.RED),
    ]
    assert [move.spoken for move in judged(match, verdicts)] == [
        "Yellow places the goalie on d1 and player 2 on c3. anna 50 %.",
        (
            "Yellow places player 3 on d5, player 4 on f7 and player 5 on g4. This costs 31 points. "
            "Better: Yellow places player 3 on d5, player 4 on g4 and player 5 on f7. anna 50 %."
        ),
        "Red places the goalie on e10. anna 50 %.",
    ]


@pytest.mark.parametrize(
    ("yellow", "red", "said"),
    [
        (0.3, -0.04, "Luck helped anna by 34 points."),
        (0.0, 0.01, "Luck helped piotr by 1 point."),
        (0.026, -0.026, "Luck helped anna by 5 points."),
        (0.2, 0.2, "Luck helped nobody."),
    ],
)
def test_a_sentence_says_whom_the_dice_favoured(finished, yellow, red, said):
    assert luck_sentence(finished, Summary(BySide(yellow, red), BySide(0, 0))) == said


def test_the_side_that_gave_less_away_comes_first(finished):
    sums = Summary(BySide(0, 0), BySide(0.52, 0.31))
    assert mistakes_sentence(finished, sums) == "Mistakes cost piotr 31 points and anna 52."
