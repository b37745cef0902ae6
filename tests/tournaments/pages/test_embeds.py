"""The pages of competitions that other sites show in a frame."""

import re

import pytest

from tests.tournaments.pages.parts import begin_groups, begin_knock_out, make_stages, play_rounds
from tests.tournaments.verbs import ROUND_ROBIN, challenge_ladder, make_cup, play_some, points_ladder, start_cup
from tests.web.content_policy import EMBEDDED, POLICY, policy_of
from tournaments.models import CompetitionStatus, Cup

pytestmark = pytest.mark.django_db

CUP = "/cups/cup/embed/"


def read(client, path=CUP):
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_any_site_may_show_it_and_no_other_page(visitor, db):
    start_cup(4)
    shown, page = visitor.get(CUP), visitor.get("/cups/cup/")
    assert (policy_of(shown), shown.get("X-Frame-Options")) == (EMBEDDED, None)
    assert (policy_of(page), page["X-Frame-Options"]) == (POLICY, "DENY")
    assert policy_of(visitor.get("/cups/nothing/embed/")) == POLICY


def test_it_is_the_same_for_everybody_and_sets_no_cookies(client_of, carla, db):
    _cup, entries = start_cup(4)
    own, other = (client_of(each).get(CUP) for each in (entries[0].player, None))
    assert own.content == other.content
    assert [len(each.cookies) for each in (own, other)] == [0, 0]
    assert other["Cache-Control"] == "public, max-age=60"
    assert "cookie" not in other.get("Vary", "").lower()
    text = own.content.decode()
    assert ("<script" in text, "<form" in text, '<base target="_blank">' in text) == (False, False, True)


@pytest.mark.parametrize("build", [points_ladder, lambda size, results: challenge_ladder(size)])
def test_a_ladder_shows_its_table(visitor, build, db):
    build(6, results=4)
    assert read(visitor, "/ladders/ladder/embed/").count('<td class="num place">') == 6


def test_a_bracket_links_to_the_ties_on_the_page_of_the_cup(visitor, db):
    start_cup(4)
    assert len(re.findall(r'href="/cups/cup/#tie-\d+"', read(visitor))) == 3


def test_a_round_robin_shows_its_table_without_rounds(visitor, db):
    cup, _entries = start_cup(4, **ROUND_ROBIN)
    play_some(cup, 2)
    text = read(visitor)
    assert (text.count('<td class="num place">'), 'id="round"' in text, 'id="cross"' in text) == (4, False, False)


def test_of_several_stages_the_latest_is_shown_or_that_in_the_query(visitor, db):
    cup = make_stages(8, grouping={"groups": 2, "size": None}, cycles=1)
    begin_groups(cup)
    assert "Group B" in read(visitor)
    play_rounds(cup, 3)
    begin_knock_out(cup)
    shown = read(visitor)
    assert re.search(r'href="/cups/cup/\?stage=2#tie-\d+"', shown)
    assert "Group B" in read(visitor, f"{CUP}?stage=1")


def test_a_cup_to_come_shows_who_has_entered(visitor, db):
    make_cup()
    assert "Nobody has joined yet." in read(visitor)


def test_a_draft_is_shown_to_nobody(client_of, carla, db):
    make_cup().organisers.add(carla)
    Cup.objects.update(status=CompetitionStatus.DRAFT)
    assert [client_of(viewer).get(CUP).status_code for viewer in (None, carla)] == [404, 404]


def test_the_page_of_a_competition_has_the_line_to_paste(visitor, db):
    make_cup()
    assert "&lt;iframe src=&quot;http://testserver/cups/cup/embed/&quot;" in read(visitor, "/cups/cup/").replace(
        '"', "&quot;"
    )
