"""The page of a cup: bracket, crosstable, rounds, what it waits for, and its winner."""

import random
import re
from html import unescape

import pytest
from django.utils import timezone

from players.models import Player
from rules_engine.values import Side
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.services.status import announce
from tournaments.decisions.services.undo.disqualifications import disqualify_entry
from tournaments.models import Bye, Competition, CompetitionStatus, Fixture
from tournaments.pages.views import lists
from tournaments.running.services.next_rounds import pair_due_rounds

pytestmark = pytest.mark.django_db


def boxes_in(response):
    return re.findall(
        r'<a id="box-\d+"\s+class="box[^"]*"\s+href="#tie-\d+"\s*>\s*<title>([^<]*)</title>', response.content.decode()
    )


def test_before_the_draw_the_players_are_listed_and_what_happens_next(visitor):
    _cup, _entries = verbs.open_cup(3, max_entrants=4, starts_when_full=True)
    page = text_of(visitor.get("/cups/cup/"))
    assert "The cup needs 1 more player." in page
    assert "It starts automatically when all places are taken." in page
    assert page.count("player-") == 3


def test_the_bracket_has_every_tie_with_its_score(visitor):
    cup, _entries = verbs.start_cup(5, legs=1, third_place=True)
    fixture = verbs.running(cup)[0]
    verbs.end(fixture, fixture.tie.first)
    boxes = boxes_in(visitor.get("/cups/cup/"))
    assert len(boxes) == 5
    loser, winner = fixture.tie.second.player.username, fixture.tie.first.player.username
    assert [box for box in boxes if loser in box] == [
        f"{winner} 5 – 0 {loser}, by match points, with a result by decision"
    ]


def test_a_double_elimination_shows_both_brackets_round_by_round(visitor):
    verbs.start_cup(6, legs=1, format="double-elimination")
    page = visitor.get("/cups/cup/")
    assert len(boxes_in(page)) == 11
    text = unescape(text_of(page))
    for name in ("Winners' round 2", "Losers' round 1", "Final", "Second final"):
        assert name in text, name


def test_a_bracket_says_in_words_who_is_disqualified(visitor):
    _cup, entries = verbs.start_cup(4, legs=1)
    disqualify_entry(entry_id=entries[0].pk, rule=None, confirm=True, actor=verbs.boss(), reason="No.", now=NOON)
    page = visitor.get("/cups/cup/").content.decode()
    assert re.search(rf"<title>[^<]*, {entries[0]} disqualified</title>", page)
    assert len(re.findall(r'<text class="remark"[^>]*>disqualified</text>', page)) == 1


def test_the_tie_for_third_place_has_its_heading(visitor):
    verbs.start_cup(5, legs=1, third_place=True)
    page = visitor.get("/cups/cup/").content.decode()
    assert re.search(r'<text class="heading"[^>]*>Third place</text>', page)
    assert re.search(r"<h3[^>]*>Third place</h3>", page)


def test_computers_are_marked_in_the_bracket_and_below_it(visitor):
    verbs.start_cup(4, legs=1)
    assert 'class="computer"' not in visitor.get("/cups/cup/").content.decode()
    Player.objects.filter(username="player-2").update(is_computer=True)
    page = visitor.get("/cups/cup/")
    assert [box for box in boxes_in(page) if "(computer)" in box] == [
        box for box in boxes_in(page) if "player-2" in box
    ]
    drawn, _, below = page.content.decode().partition('<li id="tie-')
    assert (drawn.count('class="computer"'), "player-2 (computer)" in drawn) == (1, True)
    assert re.findall(r'(\S+)&nbsp;<svg class="computer"', re.sub("<span[^>]*>", " ", below)) == ["player-2"]


def test_every_box_leads_to_its_tie_below(visitor):
    verbs.start_cup(6)
    page = visitor.get("/cups/cup/").content.decode()
    targets = re.findall(r'href="#(tie-\d+)"', page)
    assert len(targets) == 5
    assert sorted(targets) == sorted(re.findall(r'<li id="(tie-\d+)"', page))


def test_the_page_says_what_a_running_cup_waits_for(visitor):
    cup, _ = verbs.start_cup(2, legs=1)
    mover = verbs.running(cup)[0].match.player_to_act
    assert f"{mover} to move" in text_of(visitor.get("/cups/cup/"))


def test_a_draw_that_is_published_or_undone_while_the_bracket_is_read_is_not_shown(visitor, monkeypatch):
    verbs.start_cup(4)
    for read in ("outline_of", "bracket_of"):
        with monkeypatch.context() as patch:
            patch.setattr(f"tournaments.pages.views.brackets.{read}", lambda **_which: [])
            response = visitor.get("/cups/cup/")
        assert (response.status_code, response.context["rounds"], response.context["bracket"].boxes) == (200, [], ())
    assert len(visitor.get("/cups/cup/").context["bracket"].boxes) == 3


def test_the_winner_is_told(visitor):
    cup, _ = verbs.start_cup(4, legs=1)
    verbs.play_out(cup, random.Random(1), winners=list(Side))
    page = text_of(visitor.get("/cups/cup/"))
    assert f"Winner {cup.winner.player.username}" in page
    assert "What it is waiting for" not in page


def test_a_round_robin_has_a_table_a_crosstable_and_its_rounds(visitor):
    cup, _entries = verbs.start_cup(4, **ROUND_ROBIN)
    fixture = verbs.running(cup)[0]
    verbs.end(fixture, Side.RED)
    verbs.count_all()
    response = visitor.get("/cups/cup/")
    assert next(row.row.entry for row in response.context["rows"]) == fixture.red
    crossed = {row.entry.pk: row.cells for row in response.context["crosstable"]}
    columns = [row.entry.pk for row in response.context["crosstable"]]
    cell = crossed[fixture.yellow_id][columns.index(fixture.red_id)][0]
    assert (cell.points, cell.fixture) == ((0, 5), fixture)
    assert [fixture.round.number for fixture in visitor.get("/cups/cup/?round=2").context["fixtures"]] == [2, 2]


def test_a_swiss_has_a_table_and_its_rounds_with_byes_and_says_when_the_next_is_drawn(visitor):
    cup, _entries = verbs.start_cup(3, format="swiss", rounds=4)
    bye = Bye.objects.get().seat.entry.player.username
    assert f"{bye} has a bye" in text_of(visitor.get("/cups/cup/"))
    verbs.play_out(cup, random.Random(1))
    page = text_of(visitor.get("/cups/cup/"))
    assert "The next round is being drawn." in page
    assert "Crosstable" not in page
    for _round in range(3):
        pair_due_rounds(now=NOON)
        verbs.play_out(cup, random.Random(1))
    assert "meet again" not in text_of(visitor.get("/cups/cup/?round=3"))
    assert "They meet again: there was no other way to draw the round." in text_of(visitor.get("/cups/cup/?round=4"))


def test_a_large_round_is_shown_by_pages_with_the_own_match_on_each(visitor, client_of, monkeypatch):
    verbs.start_cup(12, format="swiss", rounds=4)
    assert "matches=" not in visitor.get("/cups/cup/?round=1").content.decode()
    monkeypatch.setattr("tournaments.pages.views.groups.MATCHES_PER_PAGE", 2)
    drawn = list(Fixture.objects.order_by("pk"))
    player = drawn[-1].red.player

    def shown(client, query):
        return list(client.get(f"/cups/cup/?round=1&{query}").context["fixtures"])

    assert shown(visitor, "") == drawn[:2]
    assert shown(visitor, f"matches=after-{drawn[1].pk}") == drawn[2:4]
    assert shown(visitor, "matches=last") == drawn[4:]
    assert shown(client_of(player), "") == [drawn[-1], *drawn[:2]]
    assert shown(client_of(player), "matches=last") == [drawn[-1], drawn[4]]
    assert shown(visitor, "rows=all") == drawn
    pages = visitor.get("/cups/cup/?round=1").content.decode()
    assert f'href="?round=1&amp;matches=after-{drawn[1].pk}#round"' in pages


def test_a_large_round_robin_has_no_crosstable(visitor):
    verbs.start_cup(25, **ROUND_ROBIN, round_days=1)
    response = visitor.get("/cups/cup/?round=99")
    assert response.context["crosstable"] == ()
    assert len(response.context["fixtures"]) == 12


LATE = {**ROUND_ROBIN, "late_entry": True}


def test_a_running_cup_that_takes_latecomers_has_a_door(client_of, visitor, carla):
    _cup, _entries = verbs.start_cup(3, now=timezone.now(), **LATE)
    assert "Log in to join" in text_of(visitor.get("/cups/cup/"))
    browser = client_of(carla)
    page = browser.get("/cups/cup/")
    assert page.context["doors"].can_enter
    assert "all your matches start at once" in text_of(page)
    browser.post("/cups/cup/enter/")
    assert len(browser.get("/cups/cup/").context["my_matches"]) == 3


@pytest.mark.parametrize("options", [ROUND_ROBIN, LATE | {"round_days": 7}, {"late_entry": True}])
def test_other_running_cups_have_none(options, client_of, visitor, carla):
    verbs.start_cup(3, **options)
    assert "Log in to join" not in text_of(visitor.get("/cups/cup/"))
    doors = client_of(carla).get("/cups/cup/").context["doors"]
    assert (doors.can_enter, doors.reasons) == (False, ())


def test_a_player_who_has_withdrawn_from_a_cup_that_takes_latecomers_cannot_come_back(client_of):
    _cup, entries = verbs.start_cup(3, now=timezone.now(), **LATE)
    browser = client_of(entries[0].player)
    browser.post("/cups/cup/leave/")
    page = browser.get("/cups/cup/")
    assert "You have left" in text_of(page)
    assert not page.context["doors"].can_enter


def test_all_reasons_are_given_to_who_cannot_enter(client_of, carla):
    verbs.open_cup(2, max_entrants=2)
    Competition.objects.update(min_rating=1600)
    page = text_of(client_of(carla).get("/cups/cup/"))
    assert "All 2 places are taken." in page
    assert "This competition is for players rated 1600 or more. Your rating is 1500." in page


def test_my_matches_come_first_and_my_ties_are_marked(client_of):
    _cup, entries = verbs.start_cup(4, legs=2)
    page = client_of(entries[0].player).get("/cups/cup/")
    assert len(page.context["my_matches"]) == 2
    assert page.content.decode().count('class="mine"') == 1


def test_a_bracket_leads_to_my_next_tie_while_i_have_one(client_of, visitor, carla):
    cup, _entries = verbs.start_cup(4, legs=1)
    tie = verbs.tie_of(cup, 1, 0)
    winner, loser = tie.first, tie.second

    def link_of(client):
        return re.findall(r'href="#box-(\d+)"\s*>\s*([^<]+?)\s*<', client.get("/cups/cup/").content.decode())

    assert link_of(client_of(winner.player)) == [(str(tie.pk), "Show my tie: Semi-finals")]
    assert f'id="box-{tie.pk}"' in visitor.get("/cups/cup/").content.decode()
    assert [link_of(each) for each in (visitor, client_of(carla))] == [[], []]
    verbs.end(next(each for each in verbs.running(cup) if winner in (each.yellow, each.red)), winner)
    assert link_of(client_of(winner.player)) == [(str(verbs.tie_of(cup, 2, 0).pk), "Show my tie: Final")]
    assert link_of(client_of(loser.player)) == []


def test_players_read_announcements_and_the_log(client_of, carla, visitor):
    cup, _ = verbs.start_cup(2)
    cup.organisers.add(carla)
    announce(competition_id=cup.pk, actor=carla, text="Bring <b>water</b>.", now=NOON)
    for path in ("/cups/cup/", "/cups/cup/log/"):
        page = visitor.get(path).content.decode()
        assert "Bring &lt;b&gt;water&lt;/b&gt;." in page
        assert "<b>Started</b>" in page


def test_lists_show_what_is_to_come_what_runs_and_what_is_over(visitor):
    slugs = {"one": "open", "two": "running", "three": "finished", "four": "cancelled", "closed": "closed"}
    for slug, status in slugs.items():
        verbs.make_cup(slug=slug, name=slug, status=status)
    context = visitor.get("/cups/").context
    assert [competition.slug for competition in context["opening"]] == ["closed", "one"]
    assert [competition.slug for competition in context["running"]] == ["two"]
    assert [competition.slug for competition in context["ended"]] == ["four", "three"]
    assert list(visitor.get("/ladders/").context["running"]) == []
    assert "one" in text_of(visitor.get("/cups/?page=99"))


def test_running_cups_stay_in_the_lists_however_many_are_to_come(visitor, monkeypatch):
    monkeypatch.setattr(lists, "CURRENT_PAGE", 1)
    for slug, status in (("old", "running"), ("late", "running"), ("new", "open"), ("newest", "open")):
        verbs.make_cup(slug=slug, name=slug, status=status)

    def shown(query):
        context = visitor.get(f"/cups/{query}").context
        return [[competition.slug for competition in context[part]] for part in ("running", "opening")]

    assert shown("") == [["late"], ["newest"]]
    page = visitor.get("/cups/").content.decode()
    links = dict(re.findall(r'rel="next" href="\?(running|opening)=(after-\d+)"', page))
    assert shown(f"?running={links['running']}") == [["old"], ["newest"]]
    assert shown(f"?opening={links['opening']}") == [["late"], ["new"]]
    assert shown("?opening=last") == [["late"], ["new"]]
    assert shown("?opening=first") == [["late"], ["newest"]]
    # The other list stays where it is.
    page = visitor.get(f"/cups/?running={links['running']}").content.decode()
    (link,) = re.findall(r'rel="next" href="([^"]*)"', page)
    assert shown(unescape(link)) == [["old"], ["new"]]


def test_a_draft_is_in_no_list(client_of, carla):
    for make in (verbs.make_cup, verbs.make_ladder):
        make(organiser=carla)
    Competition.objects.update(status=CompetitionStatus.DRAFT)
    browser = client_of(carla)
    for path in ("/cups/", "/ladders/"):
        shown = browser.get(path).context
        assert [list(shown[part]) for part in ("opening", "running", "ended")] == [[], [], []]
    assert browser.get("/api/v1/competitions/").json()["results"] == []


def test_a_cup_is_no_ladder(visitor):
    verbs.make_cup()
    assert visitor.get("/ladders/cup/").status_code == 404
    assert visitor.get("/ladders/cup/log/").status_code == 404


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        (0, "No vacation: the clocks keep running."),
        (1, "At most 1 day of vacation for each player."),
        (5, "At most 5 days of vacation for each player."),
        (None, ""),
    ],
)
def test_the_page_says_how_much_vacation_there_is(visitor, limit, sentence):
    verbs.make_cup(vacation_limit=limit)
    page = text_of(visitor.get("/cups/cup/"))
    assert (sentence in page, "vacation" in page) == (True, bool(sentence))
