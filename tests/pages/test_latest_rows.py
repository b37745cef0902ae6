"""The match page at first view: it lists the latest moves, whatever came before, and leads to the others."""

import gzip
import re
from dataclasses import replace
from random import Random

import pytest
from django.core.cache import cache
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from matches.selectors.replay import replay
from matches.templatetags.board_spaces import small_roll
from matches.views.latest_rows import (
    MAX_MOVES,
    MIN_MOVES,
    before_first_row,
    latest_rows,
    recall_latest_rows,
    stages_since,
    write_rows_end,
)
from matches.views.remembered import remember
from matches.views.timeline import Row, list_rows
from tests.matches.play import YELLOW_SET_UP, act, play_at_once, reread, set_up
from tests.pages.html import data_of
from tests.pages.test_updates import play_on, rows_of

GAMES = {"streetsoccer-board": 60, "paper-soccer-1": 60, "soccer-tactics": 100}
"""The number of moves and rolls of each game that are listed."""

MAX_COMPRESSED = 30_000
MAX_QUERIES = 3


def all_rows(match: Match):
    return list_rows(replay(match, match.moves.all()))


def headed(rows: list[Row]) -> list[Row]:
    """Return rows of which the first names its part of the match, if it has one."""
    return [replace(rows[0], opens_part=bool(rows[0].part)), *rows[1:]]


@pytest.mark.parametrize("game", GAMES)
def test_the_latest_rows_are_the_last_of_all_rows(begin, game):
    match, source = begin(game), Random(5)
    while match.side and match.ply < GAMES[game]:
        match = play_on(match, source)
        listed, rows = latest_rows(match), all_rows(match)
        assert listed.rows == headed(rows[-len(listed.rows) :])
        listed_moves = match.ply - listed.rows[0].ply
        assert min(MIN_MOVES, match.ply) <= listed_moves
        assert listed_moves <= MAX_MOVES or match.ply - listed.rows[1].ply < MIN_MOVES
        assert listed.are_all == (len(listed.rows) == len(rows))
        assert [stage.move.ply for stage in listed.stages] == list(range(listed.rows[0].ply, match.ply))
    assert not listed.are_all
    cache.clear()
    fresh = latest_rows(match).rows
    assert fresh == headed(rows[-len(fresh) :])


def test_latest_rows_of_another_history_with_the_same_number_are_not_mistaken(begin):
    match = play_at_once(begin(), until=60)
    assert not latest_rows(match).are_all
    match.moves.filter(ply__gte=1).delete()
    Match.objects.filter(pk=match.pk).update(ply=1, chain="", position=str(match.rules.start().play(YELLOW_SET_UP)))
    assert [row.ply for row in latest_rows(reread(match)).rows] == [0]


@pytest.mark.parametrize("game", ["paper-soccer-1", "soccer-tactics"])
def test_the_cache_of_a_site_that_was_restored_from_a_back_up_fails_no_page(client, begin, game):
    gone, match = play_at_once(begin(), until=60), play_at_once(begin(game), until=60)
    latest_rows(gone)
    end = recall_latest_rows(gone)
    # It had this number, and was begun after the back-up was made.
    remember(f"match-rows:{match.pk}", write_rows_end(end))
    rows = latest_rows(match).rows
    assert rows == headed(all_rows(match)[-len(rows) :])
    remember(f"match-rows:{match.pk}", write_rows_end(end))
    assert client.get(match.get_absolute_url()).status_code == 200


def test_the_start_of_a_match_is_not_read_from_the_cache_of_a_match_that_had_its_number(begin):
    gone, match = begin("paper-soccer-1"), play_at_once(begin(), until=10)
    rows = stages_since(match, replace(before_first_row(match), position=str(gone.rules.start())))
    assert [str(stage.after) for stage in rows][-1] == match.position


def test_the_page_lists_the_latest_moves_and_leads_to_all_of_them(client, begin):
    match = play_at_once(begin(), until=60)
    url, rows = match.get_absolute_url(), all_rows(match)
    plies = [row.ply for row in rows]
    page = client.get(url).content.decode()
    shown = [row.ply for row in rows_of(page)]
    assert shown == plies[-len(shown) :]
    assert len(shown) < len(plies)
    link = re.search(r'<p class="earlier" id="earlier"><a href="([^"#]+)#moves-title">', page)
    for whole in (f"{url}{link[1]}", f"{url}panels/?rows=all", f"{url}?ply=3"):
        content = client.get(whole).content.decode()
        assert list(dict.fromkeys(row.ply for row in rows_of(content))) == plies
        assert 'id="earlier"' not in content


def test_the_latest_rows_begin_with_the_heading_of_their_part(client, begin):
    match, source = begin("soccer-tactics"), Random(5)
    while match.side and match.ply < 60:
        match = play_on(match, source)
    rows = list_rows(replay(match, match.moves.all()))
    shown = latest_rows(match).rows
    [opener] = [row for row in rows if row.opens_part]
    assert opener.ply < shown[0].ply
    heading = f'<h3 data-row="{shown[0].ply}">{shown[0].part.capitalize()}</h3>'
    page = client.get(match.get_absolute_url()).content.decode()
    assert (page.count("<h3 data-row="), page.count(heading)) == (1, 1)
    whole = client.get(f"{match.get_absolute_url()}?rows=all").content.decode()
    assert (whole.count("<h3 data-row="), whole.count(heading)) == (1, 0)


def test_a_page_with_all_moves_leads_to_no_others(client, begin):
    match = act(set_up(begin()))
    assert 'id="earlier"' not in client.get(match.get_absolute_url()).content.decode()


def test_the_page_of_a_long_match_reads_no_more_moves_and_sends_no_more_than_others(client, begin):
    match = play_at_once(begin(), until=150)
    first, again = (readings(client, match) for _ in range(2))
    assert first[:2] == (MAX_QUERIES, match.ply)
    assert again[:2] == (MAX_QUERIES - 1, 0)
    assert max(first[2], again[2]) <= MAX_COMPRESSED
    match = act(match)
    later = readings(client, match)
    assert (later[0], later[1] <= MAX_MOVES + 5) == (MAX_QUERIES, True)


@pytest.mark.parametrize(
    ("game", "judge"),
    {
        "streetsoccer-board": "rules_engine.streetsoccer.state.is_legal",
        "soccer-tactics": "rules_engine.soccer_tactics.state.is_legal",
    }.items(),
)
def test_the_first_page_of_a_match_judges_none_of_the_moves_before_its_rows(begin, monkeypatch, game, judge):
    match = play_at_once(begin(game), until=100)
    cache.clear()
    monkeypatch.setattr(judge, lambda *_: pytest.fail("a move was judged again"))
    assert len(latest_rows(match).stages) < match.ply


def test_a_small_die_looks_as_its_template_draws_it(begin):
    match = play_at_once(begin(), until=20)
    template = f"boards/{match.rules.family}/roll.html"
    rolls = [roll for row in latest_rows(match).rows for entry in row.entries for roll in entry.rolls]
    assert rolls
    for roll in rolls:
        assert small_roll(template, roll) == render_to_string(template, {"roll": roll, "size": "small"})


@pytest.mark.parametrize("game", GAMES)
def test_rows_that_somebody_has_looked_at_are_shown_as_if_made_anew(client, begin, game):
    match, source = begin(game), Random(6)
    while match.side and match.ply < 40:
        match = play_on(match, source)
        first, again = (shown_of(client, match) for _ in range(2))
        assert first == again
    cache.clear()
    assert shown_of(client, match) == first


def shown_of(client, match: Match) -> tuple[list, dict, str]:
    """Return the rows of the page, what its script is told without the present time, and the rolls that wait."""
    page = client.get(match.get_absolute_url())
    told = {name: value for name, value in data_of(page).items() if name != "now"}
    rolls = re.search(r'<template id="rolls">(.*?)</template>', page.content.decode(), re.DOTALL)
    return rows_of(page.content.decode()), told, rolls[1]


def readings(client, match: Match) -> tuple[int, int, int]:
    """Return how many queries the page takes, how many moves it reads, and its bytes, compressed."""
    with CaptureQueriesContext(connection) as captured:
        page = client.get(match.get_absolute_url())
    since = [re.search(r'"ply" >= \(?(\d+)', query["sql"]) for query in captured if '"ply" >=' in query["sql"]][-1:]
    return len(captured), sum(match.ply - int(each[1]) for each in since), len(gzip.compress(page.content))
