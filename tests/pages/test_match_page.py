"""The match page as the server writes it, and the move that is typed without any script."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from matches.clock import TimeControl
from matches.models import Match
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act, play_at_once, play_to_a_goal, reread, set_up, unchanged
from tests.matches.test_queries import sql_of
from tests.pages.html import data_of, text_of

LIVE = TimeControl.of_seconds(60, 0, 60)


def page_of(match: Match) -> str:
    return f"/matches/{match.pk}/"


def test_the_page_has_every_url_that_its_scripts_ask_for_and_no_other(client_of, anna, begin):
    scripts = "".join(path.read_text() for path in (Path(settings.BASE_DIR) / "static" / "js").glob("*.js"))
    assert set(data_of(client_of(anna).get(page_of(begin())))["urls"]) == set(re.findall(r"\burls\.(\w+)", scripts))


def type_move(client, match: Match, text: str, ply: int | None = None):
    return client.post(page_of(match), {"ply": match.ply if ply is None else ply, "text": text})


def test_a_typed_move_is_played_once_and_leads_back_to_the_match(client_of, anna, begin):
    match = begin()
    for _ in range(2):
        response = type_move(client_of(anna), match, YELLOW_SET_UP)
        assert (response.status_code, response["Location"]) == (302, page_of(match))
        assert list(match.moves.values_list("actor", "text")) == [("yellow", YELLOW_SET_UP)]


@pytest.mark.parametrize(
    ("text", "ply", "status", "sentence"),
    [
        ("@a1", 0, 422, "S4"),
        ("hop", 0, 400, "hop"),
        ("", 0, 400, "This cannot be read as a move."),
        ("@d1", 7, 409, "The match has moved on. Check the position and play again."),
    ],
)
def test_a_refused_move_is_explained_in_place_and_changes_nothing(client_of, anna, begin, text, ply, status, sentence):
    match = begin()
    with unchanged(match):
        response = type_move(client_of(anna), match, text, ply)
    assert response.status_code == status
    assert sentence in text_of(response)
    assert f'value="{text}"' in response.content.decode()


def test_a_reader_who_is_not_to_move_reads_who_is(client, client_of, piotr, begin):
    url = begin().get_absolute_url()
    for browser in (client, client_of(piotr)):
        assert "Waiting for anna. The move will appear here." in text_of(browser.get(url))


def test_a_visitor_who_types_a_move_is_asked_to_log_in(client, begin):
    match = begin()
    response = type_move(client, match, "@d1")
    assert (response.status_code, response["Location"]) == (302, f"/log-in/?next={page_of(match)}")


def test_only_who_is_to_act_gets_the_steps(client, client_of, anna, piotr, begin):
    url = page_of(begin())
    steps = {
        name: data_of(browser.get(url))["steps"]
        for name, browser in (("anna", client_of(anna)), ("piotr", client_of(piotr)), ("visitor", client))
    }
    assert [step["text"] for step in steps["anna"][""]] == ["@d1", "@e1"]
    assert steps["piotr"] == steps["visitor"] == {}


def test_red_sees_the_board_from_their_own_side(client_of, anna, piotr, begin):
    url = page_of(begin())
    assert client_of(piotr).get(url).context["board"].flipped
    assert not client_of(anna).get(url).context["board"].flipped


def test_each_position_has_a_url(client, begin):
    match = play_to_a_goal(set_up(begin()))
    response = client.get(page_of(match), {"ply": 1})
    placed = {figure.space for figure in response.context["board"].figures if figure.space}
    assert placed == {"d1", "c3", "d5", "f7", "g4"}
    assert data_of(response)["shown"] == 1


@pytest.mark.parametrize("ply", ["x", "-1", "9" * 30, "²", "99999"])
def test_an_unknown_ply_shows_the_position_now(client, begin, ply):
    match = set_up(begin())
    response = client.get(page_of(match), {"ply": ply})
    assert (response.status_code, data_of(response)["shown"]) == (200, match.ply)


def test_the_moves_stand_in_rows_with_their_dice_and_goals(client, begin):
    match = play_to_a_goal(set_up(begin()))
    rows = client.get(page_of(match), {"rows": "all"}).context["rows"]
    assert [entry.text for entry in rows[0].cells.yellow] == [YELLOW_SET_UP]
    assert [entry.text for entry in rows[0].cells.red] == [RED_SET_UP]
    entries = [entry for row in rows for cell in row.cells for entry in cell]
    goals = [(entry.text[-4:], sum(entry.score)) for entry in entries if entry.score]
    assert goals == [("goal", 1)]
    assert [entry.rolls for entry in entries if entry.text == "…"] in ([], [entries[-1].rolls])


def test_a_finished_match_shows_its_result_and_offers_a_rematch(client_of, anna, begin):
    match = play_at_once(set_up(begin()))
    response = client_of(anna).get(page_of(match))
    outcome = match.outcome
    assert f"{outcome.score.yellow}–{outcome.score.red}" in text_of(response)
    assert f"Match points: {match.points.yellow}–{match.points.red}." in text_of(response)
    assert "Rematch, sides swapped" in text_of(response)


def test_the_page_shows_other_sites_what_it_shows(client, begin):
    content = client.get(page_of(begin())).content.decode()
    assert re.search(r'<meta property="og:title"\s+content="anna 0–0 piotr">', content)


def test_a_player_who_resigns_loses_at_once(client_of, piotr, begin):
    match = begin()
    client_of(piotr).post(f"{page_of(match)}resign/")
    match = reread(match)
    assert (match.status, match.winner, match.ending) == ("finished", "yellow", "resignation")


def test_the_players_of_a_finished_match_see_how_it_stands_with_the_rematch(client, client_of, anna, piotr, begin):
    match = begin()
    browsers = [client_of(anna), client_of(piotr)]
    browsers[0].post(f"{page_of(match)}resign/")

    def seen(path: str = "") -> list[str]:
        return [text_of(browser.get(page_of(match) + path)) for browser in (*browsers, client)]

    assert ["Rematch, sides swapped" in text for text in seen()] == [True, True, False]
    browsers[0].post(f"{page_of(match)}rematch/")
    for path in ("", "panels/", "rematch/state/"):
        assert ["It starts when piotr accepts." in text for text in seen(path)] == [True, False, False]
        assert ["Accept the rematch" in text for text in seen(path)] == [False, True, False]
        assert not any("Rematch, sides swapped" in text for text in seen(path))
    location = browsers[1].post(f"{page_of(match)}rematch/")["Location"]
    rematch = Match.objects.get(rematch_of=match)
    assert (location, rematch.yellow, rematch.red) == (page_of(rematch), piotr, anna)
    link = f'href="{page_of(rematch)}"'
    for path in ("", "rematch/state/"):
        pages = [browser.get(page_of(match) + path).content.decode() for browser in (*browsers, client)]
        assert [link in page for page in pages] == [True, True, False]
        assert not any("Accept the rematch" in page for page in pages)


def test_an_offer_that_was_declined_leaves_the_button(client_of, anna, piotr, begin):
    match = begin()
    client_of(anna).post(f"{page_of(match)}resign/")
    client_of(anna).post(f"{page_of(match)}rematch/")
    client_of(piotr).post(f"/seeks/{match.rematch_offers.get().pk}/decline/")
    for player in (anna, piotr):
        assert "Rematch, sides swapped" in text_of(client_of(player).get(page_of(match)))


def test_offers_of_a_rematch_are_read_once_for_the_players_and_after_the_end_only(client, client_of, anna, begin):
    running, finished = begin(), play_at_once(set_up(begin()))

    def readings(browser, match: Match) -> int:
        return sum('"matches_seek"' in statement for statement in sql_of(lambda: browser.get(page_of(match))))

    player = client_of(anna)
    assert [readings(browser, finished) for browser in (player, client)] == [1, 0]
    assert readings(player, running) == 0


def test_the_panels_are_had_alone(client, begin):
    match = act(begin(), YELLOW_SET_UP)
    content = client.get(f"{page_of(match)}panels/").content.decode()
    assert YELLOW_SET_UP in content
    assert "<html" not in content


def test_a_match_that_is_not_there_is_not_found(client, db):
    response = client.get("/matches/1/")
    assert (response.status_code, response["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "There is no such match." in text_of(response)


def test_a_paused_match_says_so_offers_no_move_and_its_clock_stands_still(client_of, anna, begin):
    match = begin(now=timezone.now() - timedelta(hours=50))
    Match.objects.filter(pk=match.pk).update(paused_at=match.turn_started_at + timedelta(hours=24))
    response = client_of(anna).get(page_of(match))
    data = data_of(response)
    assert (data["steps"], response.context["legal_moves"], response.context["your_turn"]) == ({}, [], False)
    assert "The match is paused" in text_of(response)
    assert "9 d 00 h" in text_of(response)
    assert "paused" in text_of(client_of(anna).get("/"))


@pytest.mark.parametrize(
    ("limit", "bank", "words"),
    [
        (None, 86_400, "Vacation adds time when a clock runs out"),
        (2, 86_400, "Vacation adds time when a clock runs out, at most 2 days for each player"),
        (0, 86_400, "Vacation none"),
        (None, 60, "Vacation none"),
    ],
)
def test_the_page_says_whether_vacation_may_save_a_clock(client_of, anna, begin, limit, bank, words):
    match = begin(time_control=TimeControl.of_seconds(bank, 0, bank))
    Match.objects.filter(pk=match.pk).update(vacation_limit=limit)
    assert words in text_of(client_of(anna).get(page_of(match)))


def test_a_guests_finished_match_offers_to_keep_it_and_leads_back_to_it(client, piotr):
    client.post("/play/")
    match = Match.objects.get()
    guest = match.yellow
    assert 'id="keep"' not in client.get(page_of(match)).content.decode()
    client.post(f"{page_of(match)}resign/")
    page = client.get(page_of(match)).content.decode()
    keep = page[page.index('id="keep"') :]
    assert 'action="/sign-up/"' in keep
    assert all(f'name="{name}"' in keep for name in ("username", "password", "email"))
    kept = {"username": "gustav", "password": "a long way home", "email": "", "next": page_of(match)}
    response = client.post("/sign-up/", kept)
    assert response["Location"] == page_of(match)
    assert 'id="keep"' not in client.get(page_of(match)).content.decode()
    guest.refresh_from_db()
    assert (guest.username, guest.is_guest) == ("gustav", False)
