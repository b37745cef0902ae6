"""Players read how many points a match is worth in a competition."""

import pytest

from formats.scoring.points import STANDARD, STOCK_TABLES, PointTable, Worth, write_table
from rules_engine.values import Side
from tests.pages.html import text_of
from tests.tournaments.verbs import NOON, ROUND_ROBIN, end, make_cup, make_olga, running, start_cup, withdraw
from tournaments.making.services.competitions import change_competition
from tournaments.models import Fixture, Stage
from tournaments.office.sentences import points_sentence
from tournaments.running.services.settlement import settle_finished

pytestmark = pytest.mark.django_db

OWN = PointTable(Worth(7, 0), Worth(6, 1), Worth(4, 2), drawn=3, bye=5, neither=1)
OWN_SENTENCE = (
    "Match points: 7–0 for a 5–0, 6–1 for a 4–1, 4–2 for a 3–2 and 3–3 for a 2–2. "
    "A bye gives 5. If neither player plays, both get 1."
)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (STANDARD, "Match points: 5–0, 4–1 or 3–2 for a win, 2–2 if nobody wins. A bye gives 5."),
        (STOCK_TABLES["3-1-0"], "Match points: 3–0 for a win, 1–1 if nobody wins. A bye gives 3."),
        (OWN, OWN_SENTENCE),
        (
            PointTable(Worth(4, 1), Worth(4, 1), Worth(4, 1), drawn=2, bye=2),
            "Match points: 4–1 for a win, 2–2 if nobody wins. A bye gives 2.",
        ),
    ],
)
def test_a_sentence_says_what_a_match_is_worth_and_a_bye_where_there_are_any(table, sentence):
    assert points_sentence(table, [Stage(format="swiss")]) == sentence
    assert points_sentence(table, [Stage(format="knock-out")]) == sentence.replace(f" A bye gives {table.bye}.", "")


def test_an_organiser_changes_what_a_match_is_worth(visitor):
    cup, olga = make_cup(), make_olga()
    cup.organisers.add(olga)
    cup.point_table = write_table(OWN)
    change_competition(competition=cup, stage=cup.first_stage, changed=["point_table"], actor=olga, now=NOON)
    assert "7–0 for a 5–0" in text_of(visitor.get("/cups/cup/"))


def test_the_page_of_a_competition_says_what_a_match_is_worth(visitor):
    start_cup(2, format="swiss", rounds=1, point_table=write_table(OWN))
    assert OWN_SENTENCE in text_of(visitor.get("/cups/cup/"))


def test_the_api_says_what_a_match_is_worth(api):
    start_cup(2, point_table=write_table(OWN))
    assert api().get("/api/v1/competitions/cup/").json()["match_points"] == {
        "stock": None,
        "wins": [
            {"outcome": "5-0", "winner": 7, "loser": 0},
            {"outcome": "4-1", "winner": 6, "loser": 1},
            {"outcome": "3-2", "winner": 4, "loser": 2},
        ],
        "drawn": 3,
        "bye": 5,
        "neither": 1,
        "maximum": 7,
    }


def test_the_page_of_a_match_shows_the_points_that_it_counts(visitor):
    cup, _ = start_cup(2, **ROUND_ROBIN, point_table=write_table(STOCK_TABLES["3-1-0"]))
    (fixture,) = running(cup)
    end(fixture, Side.RED)
    assert tuple(Fixture.objects.get().points) == (0, 3)
    assert "Match points: 0–3." in text_of(visitor.get(f"/matches/{fixture.match_id}/"))


def test_a_forfeit_counts_by_the_table():
    _cup, entries = start_cup(3, **ROUND_ROBIN, point_table=write_table(OWN))
    withdraw(entries[0])
    settle_finished(now=NOON)
    counted = Fixture.objects.filter(counted_at__isnull=False)
    assert [sorted(fixture.points) for fixture in counted] == [[0, 7]] * 2
