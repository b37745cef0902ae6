"""A match page is sent the same changes, once for all, as the page shows when it is loaded anew."""

import re
from collections import Counter
from dataclasses import dataclass
from random import Random
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.core.cache import cache
from django.template.engine import Engine
from django.test.signals import template_rendered
from django.utils import timezone

from matches.models import Match
from matches.sentences import describe_move
from matches.services import resign
from matches.views import remembered, timeline
from matches.views.latest_rows import MAX_MOVES
from matches.views.updates import MAX_POSITIONS, MAX_STEPS, update_to_json
from tests.matches.play import RED_SET_UP, YELLOW_SET_UP, act, play_at_once, reread, set_up
from tests.matches.test_queries import sql_of
from tests.pages.html import data_of
from tests.pages.stretches import complete_position, look_back
from tests.rules_engine.soccer_tactics.players import keen

pytestmark = pytest.mark.django_db

GAMES = {"streetsoccer-board": 40, "paper-soccer-1": 30, "soccer-tactics": 60}
"""The number of moves and rolls of each game that are compared."""


MAX_BYTES, MAX_COMPRESSED = 6_000, 3_000
"""Of an update that the side to act asks for. What has more than 3,000 by itself goes by no stream."""

MAX_BYTES_OF_FORCED = 1_500
"""Of each forced move or roll that comes after a move and its roll, before it is compressed."""


def updates(client, match: Match, since: int, **headers: str):
    return client.get(f"{match.get_absolute_url()}updates/", {"since": since}, headers=headers)


@dataclass
class Row:
    """A row of the moves: the ply at which it begins, its HTML before its entries, and these by cell and ply."""

    ply: int
    frame: str
    cells: list[list[tuple[int, str]]]


def rows_of(html: str) -> list[Row]:
    """Return the rows of the moves, without indentation and the mark of one."""
    marked = re.sub("> <", "><", " ".join(html.replace('aria-current="step"', "").split()).replace(" >", ">"))
    rows = []
    for row in re.split(r"(?=<(?:tr|h3|div) [^>]*data-row=)", marked)[1:]:
        frame, *cells = re.split(r"<(?:td|ol) data-entries>", row)
        tag = "li" if "<li" in row else "a"
        entries = [re.split(f"(?=<{tag} )", re.split("</(?:td|ol)>", cell)[0])[1:] for cell in cells]
        rows.append(
            Row(
                int(re.search(r'data-row="(\d+)"', frame)[1]),
                frame.split("</h3>")[0].split("</tr>")[0],
                [[(int(re.search(r'data-ply="(\d+)"', each)[1]), each) for each in cell] for cell in entries],
            )
        )
    return rows


def with_news(rows: list[Row], news) -> list[Row]:
    """Return rows with what has come into them, as the page's script puts it there."""
    since = news["rows_since"]
    if news["rolls"] is None:
        return rows
    kept = [row for row in rows if row.ply < since]
    for row in kept:
        row.cells = [
            [(ply, each) for ply, each in cell if ply <= since and "data-open" not in each] for cell in row.cells
        ]
    for row in rows_of(news["rows"]):
        there = next((each for each in kept if (each.ply, each.frame) == (row.ply, row.frame)), None)
        if there is None:
            kept.append(row)
        else:
            there.cells = [old + new for old, new in zip(there.cells, row.cells, strict=True)]
    return kept


def play_on(match: Match, source: Random) -> Match:
    lively = match.game.startswith("soccer-tactics")
    return act(match, keen(source, match.state) if lively else source.choice(list(match.state.legal_moves())))


@pytest.mark.parametrize("game", GAMES)
def test_updates_lead_to_the_page_as_it_is_loaded_anew(client, begin, game):
    match, source = begin(game), Random(3)
    page = client.get(match.get_absolute_url(), {"rows": "all"})
    rows, drawing, words = rows_of(page.content.decode()), data_of(page)["drawing"], data_of(page)["in_words"]
    while match.side and match.ply < GAMES[game]:
        since, match = match.ply, play_on(match, source)
        news = updates(client, match, since).json()
        rows = with_news(rows, news)
        assert rows == rows_of(client.get(f"{match.get_absolute_url()}panels/?rows=all").content.decode())
        for position in news["positions"]:
            seen = complete_position(position, drawing, words)
            assert seen == look_back(client, match, position["ply"])
            drawing, words = seen["next"] or seen["drawing"], seen["in_words"]
    assert drawing == data_of(client.get(match.get_absolute_url()))["drawing"]


@pytest.mark.parametrize("game", GAMES)
def test_updates_are_the_same_without_what_was_remembered(client, begin, game, monkeypatch):
    match, source = begin(game), Random(4)
    since, remembered_updates, made_anew = [match.ply], [], []
    while match.side and match.ply < GAMES[game]:
        match = play_on(match, source)
        # Most watchers have seen the position before, some not even the two before it.
        behind = since[-1:] if len(since) % 3 else since[-3:]
        remembered_updates += [update_to_json(match, ply) for ply in behind]
        with monkeypatch.context() as patched:
            patched.setattr(remembered, "cache", Mock(get=Mock(return_value=None)))
            made_anew += [update_to_json(match, ply) for ply in behind]
        since.append(match.ply)
    assert remembered_updates == made_anew


def test_a_page_that_is_far_behind_gets_all_rows_and_the_last_positions_from_a_complete_one_on(client, begin):
    match = set_up(begin())
    for _turn in range(8):
        match = act(match)
    news = updates(client, match, 0).json()
    assert [position["ply"] for position in news["positions"]] == list(range(match.ply - 5, match.ply + 1))
    assert "kept" not in news["positions"][0]["drawing"]
    assert None not in news["positions"][0]["in_words"]
    assert with_news([], news) == rows_of(client.get(f"{match.get_absolute_url()}panels/?rows=all").content.decode())


def test_only_the_side_to_act_is_sent_what_it_may_click(client, client_of, anna, piotr, begin):
    match = act(begin(), YELLOW_SET_UP)
    steps = [updates(each, match, 0).json()["steps"] for each in (client, client_of(anna), client_of(piotr))]
    assert steps[:2] == [{}, {}]
    assert steps[2][""]


@pytest.mark.parametrize("game", GAMES)
def test_the_side_to_act_is_sent_a_few_steps_or_the_first_clicks_alone(client_of, begin, game):
    match, source, lengths, compressed = begin(game), Random(7), [], []
    while match.side and match.ply < GAMES[game]:
        since, match = match.ply, play_on(match, source)
        if match.side and match.state.placement_plan() is None:
            response = updates(client_of(match.player_to_act), match, since)
            steps = response.json()["steps"]
            assert steps.keys() == {""} or sum(map(len, steps.values())) <= MAX_STEPS
            forced = max(0, match.ply - since - 2)
            lengths.append(len(response.content) - forced * MAX_BYTES_OF_FORCED)
            # Some pages have missed a turn or two.
            behind, gzip = since - match.ply % 7, {"accept-encoding": "gzip"}
            compressed.append(updates(client_of(match.player_to_act), match, behind, **gzip))
    assert lengths
    assert max(lengths) <= MAX_BYTES
    assert {each["Content-Encoding"] for each in compressed} == {"gzip"}
    assert max(len(each.content) for each in compressed) <= MAX_COMPRESSED


def test_a_page_that_is_up_to_date_is_sent_nothing(client, begin):
    match = set_up(begin())
    response = updates(client, match, match.ply)
    news = response.json()
    assert (news["positions"], news["rows"], news["match"]["ply"]) == ([], "", match.ply)
    unchanged = updates(client, match, match.ply, **{"if-none-match": response["ETag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    match = act(match)
    assert updates(client, match, match.ply, **{"if-none-match": response["ETag"]}).status_code == 200


def test_the_end_is_said_with_its_position_in_words(client, anna, begin):
    match = set_up(begin())
    resign(match_id=match.pk, player=anna, now=timezone.now())
    news = updates(client, match, match.ply).json()
    assert (news["match"]["status"], news["match"]["turn"], news["positions"]) == ("finished", None, [])
    assert "over" in news["match"]["in_words"][0]


def test_another_history_with_the_same_number_is_not_mistaken(client, begin):
    """Numbers of matches come again where a test or a restored database begins anew."""
    match = set_up(begin())
    updates(client, match, match.ply - 1)
    match.moves.filter(ply__gte=1).delete()
    Match.objects.filter(pk=match.pk).update(ply=1, chain="", position=str(match.rules.start().play(YELLOW_SET_UP)))
    news = updates(client, reread(match), 0).json()
    assert [position["ply"] for position in news["positions"]] == [1]


def first_read_by(statements: list[str]) -> int:
    """Return the first ply of the moves that the last query reads."""
    return int(re.search(r'"ply" >= \(?(\d+)', statements[-1])[1])


def test_an_update_reads_no_more_of_a_long_match_than_of_a_short_one(client, begin):
    def readings(match: Match) -> tuple[int, int]:
        """Return how many queries an update takes, and how many moves the last one reads."""
        updates(client, match, match.ply - 1)
        match, since = act(match), match.ply
        statements = sql_of(lambda: updates(client, match, since))
        return len(statements), match.ply - first_read_by(statements)

    match = set_up(begin())
    short = readings(match)
    match = reread(match)
    for _turn in range(30):
        match = act(match)
    queries, moves = readings(match)
    assert queries == short[0] == 2
    assert moves <= 6


def test_an_update_after_moves_of_which_nobody_heard_reads_no_more_than_what_the_page_lists(client, begin):
    def first_read() -> int:
        return first_read_by(sql_of(lambda: update_to_json(match, since)))

    match = play_at_once(begin(), until=60)
    client.get(match.get_absolute_url())
    since, match = match.ply, act(match)
    assert match.ply - first_read() <= MAX_MOVES
    since, match = match.ply, act(act(match))
    assert match.ply - first_read() <= 8


def test_an_update_asked_for_out_of_turn_is_not_kept_in_place_of_what_watchers_ask_for(client, begin):
    def queries(since: int) -> int:
        return len(sql_of(lambda: update_to_json(match, since)))

    match = set_up(begin())
    for _turn in range(12):
        match = act(match)
    assert queries(match.ply - 1) > 0
    for since in range(5):
        assert queries(since) > 0
    assert queries(0) > 0
    assert queries(match.ply - 1) == 0


@pytest.mark.parametrize(
    "found",
    [
        "damaged",
        {},
        {"ply": 0, "chain": "", "changes": {}, "ends": [{"ply": 0}]},
        {"ply": 0, "chain": "", "changes": {}, "ends": [{"ply": 0, "position": "", "chain": "", "later": 1}]},
    ],
)
def test_an_update_that_is_remembered_in_another_form_is_made_anew(client, begin, monkeypatch, found):
    match = act(begin(), YELLOW_SET_UP)
    expected = updates(client, match, 0).json()
    cache.clear()
    monkeypatch.setattr(remembered, "cache", Mock(get=Mock(return_value=found)))
    assert updates(client, match, 0).json() == expected


def test_an_update_that_another_version_has_remembered_is_not_read(client, begin, monkeypatch):
    match = act(begin(), YELLOW_SET_UP)
    updates(client, match, 0)
    assert sql_of(lambda: update_to_json(match, 0)) == []
    monkeypatch.setattr(remembered, "content_version", lambda: "other")
    assert len(sql_of(lambda: update_to_json(match, 0))) == 1


def test_each_change_of_a_template_or_of_the_code_is_another_version(tmp_path, monkeypatch, settings):
    names = [
        "templates/boards/soccer-tactics/roll.html",
        "templates/matches/parts/rows.html",
        "templates/matches/parts/die.html",
        "matches/sentences.py",
        "matches/views/rolls.py",
        "rules_engine/english/catalogue.py",
        "web/formats/numbers.py",
    ]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    engine = Engine(dirs=[tmp_path / "templates"])
    monkeypatch.setattr(Engine, "get_default", lambda: engine)
    settings.BASE_DIR = tmp_path
    found = {remembered.content_version.__wrapped__()}
    for name in names:
        assert remembered.content_version.__wrapped__() in found
        (tmp_path / name).write_text("other")
        found.add(remembered.content_version.__wrapped__())
    assert len(found) == 1 + len(names)


@pytest.mark.parametrize("package", remembered.PACKAGES)
def test_the_code_whose_changes_are_another_version_is_there(package):
    assert any((settings.BASE_DIR / package).rglob("*.py"))


@pytest.mark.parametrize("game", GAMES)
def test_rows_are_made_of_templates_whose_version_is_known(begin, game):
    match = play_at_once(begin(game), until=GAMES[game])
    names = set()

    def note(template, **_more):
        names.add(template.name)

    template_rendered.connect(note)
    try:
        assert update_to_json(match, 0)["rows"]
    finally:
        template_rendered.disconnect(note)
    known = tuple(f"{directory}/" for directory in remembered.TEMPLATES)
    assert names
    assert {name for name in names if not name.startswith(known)} == set()


@pytest.mark.parametrize("game", GAMES)
def test_an_update_draws_and_describes_each_position_once_and_no_entry_that_it_does_not_send(begin, game, monkeypatch):
    match = play_at_once(begin(game), until=12)
    update_to_json(match, match.ply - 1)
    since = match.ply
    match = reread(play_at_once(match, until=since + 1))
    asked: Counter[str] = Counter()
    kind = type(match.state)
    for name in ("picture", "in_words"):
        monkeypatch.setattr(kind, name, counting(asked, name, getattr(kind, name)))
    said = Mock(side_effect=describe_move)
    monkeypatch.setattr(timeline, "describe_move", said)
    update = update_to_json(match, since)
    states = len(update["positions"]) + 1
    assert 1 < states <= MAX_POSITIONS + 1
    assert (asked["picture"] <= states, asked["in_words"] <= states) == (True, True)
    assert said.call_count <= len(update["positions"])


def test_an_update_has_the_last_move_however_many_rolls_have_come_since(begin, monkeypatch):
    monkeypatch.setattr("matches.views.updates.MAX_POSITIONS", 1)
    match = act(begin(), YELLOW_SET_UP)
    since = match.ply
    match = act(match, RED_SET_UP)
    assert match.ply > since + 2
    assert [position["ply"] for position in update_to_json(match, since)["positions"]] == [
        *range(since + 1, match.ply + 1)
    ]


def counting(asked, name, function):
    def count(state, *arguments):
        asked[name] += 1
        return function(state, *arguments)

    return count
