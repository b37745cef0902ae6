"""Lists of entrants taken in, and entries, results and tables taken away."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player
from rules_engine.values import Side
from tests.tournaments.competitions.running import (
    NOON,
    ROUND_ROBIN,
    end,
    enter_all,
    make_cup,
    make_ladder,
    make_players,
    running,
    start_cup,
)
from tests.tournaments.tables import recompute_tables
from tournaments.entry_lists import MAX_LINES, MAX_LIST_SIZE, ListedEntrant, read_entry_list
from tournaments.errors import InvalidEntryList, NotAnOrganiser
from tournaments.models import Entry, LogEntry, Seat, Seeding
from tournaments.selectors.competitions import get_cup
from tournaments.selectors.exports import Export, ExportFormat, export_competition, write_csv, write_json
from tournaments.services.entry_imports import import_entry_list, preview_entry_list

# Reading


def test_a_list_has_usernames_and_perhaps_seeds():
    assert read_entry_list("\ufeffusername,seed\r\nanna,1\r\n\r\npiotr;2\r\ncarla\t\r\n") == [
        ListedEntrant(2, "anna", 1),
        ListedEntrant(4, "piotr", 2),
        ListedEntrant(5, "carla"),
    ]


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        ("anna\nANNA", 2, "This player is already in line 1."),
        ("anna,1\npiotr,1", 2, "Line 1 already has this seed."),
        ("anna,first", 1, "The seed must be a number from 1 to 1000000."),
        ("anna,0", 1, "The seed must be a number from 1 to 1000000."),
        ("anna,²", 1, "The seed must be a number from 1 to 1000000."),
        ("anna,1,2", 1, "A line can have a username and a seed, nothing else."),
        ("=cmd()", 1, "This is not a username."),
        ("an", 1, "This is not a username."),
        ('"anna', 1, "We cannot read this line."),
    ],
)
def test_each_line_at_fault_is_told(text, line, fault):
    assert [(each.line, each.fault) for each in read_entry_list(text) if each.fault] == [(line, fault)]


@pytest.mark.parametrize("text", ["a" * (MAX_LIST_SIZE + 1), "anna\n" * (MAX_LINES + 1), "anna\0"])
def test_what_is_no_list_is_refused_as_a_whole(text):
    with pytest.raises(ValueError, match="list"):
        read_entry_list(text)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    try:
        entrants = read_entry_list(text)
    except ValueError:
        assert "\0" in text
        return
    good = [each for each in entrants if not each.fault]
    assert len({each.username.lower() for each in good}) == len(good)
    lines = [each.line for each in entrants]
    assert lines == sorted(set(lines))


@given(st.lists(st.tuples(st.from_regex(r"\A[A-Za-z0-9_-]{3,20}\Z"), st.none() | st.integers(1, 10**6)), max_size=20))
def test_a_list_that_was_written_is_read_again(rows):
    written = io.StringIO()
    csv.writer(written).writerows([name, "" if seed is None else seed] for name, seed in rows)
    read = read_entry_list("username,seed\n" + written.getvalue())
    assert [(each.username, each.line) for each in read] == [(name, n) for n, (name, _seed) in enumerate(rows, 2)]
    assert [each.seed for each in read if not each.fault] == [
        seed for (_name, seed), each in zip(rows, read, strict=True) if not each.fault
    ]


# Taking in


@pytest.fixture
def cup(olga):
    cup = make_cup(seeding=Seeding.HAND)
    cup.organisers.add(olga)
    make_players(3)
    return cup


def take(competition, text, actor):
    return import_entry_list(competition_id=competition.pk, text=text, actor=actor, reason="from the club", now=NOON)


def test_everybody_on_the_list_enters_with_their_seed(cup, olga):
    take(cup, "player-2,2\nPLAYER-1,1\nplayer-3", olga)
    assert list(Entry.objects.order_by("player").values_list("player__username", "seats__seed")) == [
        ("player-1", 1),
        ("player-2", 2),
        ("player-3", None),
    ]
    logged = LogEntry.objects.filter(competition=cup, actor=olga).values_list(
        "action", "actor__username", "subject", "reason"
    )
    assert list(logged) == [("imported", "olga", "3", "from the club")]


def test_one_line_at_fault_and_nobody_enters(cup, olga):
    with pytest.raises(InvalidEntryList, match=r"Line 2: There is no player with this username\.") as refusal:
        take(cup, "player-1\nnobody\nplayer-2,x", olga)
    assert refusal.value.fields == {
        "2": ["There is no player with this username."],
        "3": ["The seed must be a number from 1 to 1000000."],
    }
    assert not Entry.objects.exists()


def test_who_is_in_cannot_enter_again(cup, olga):
    take(cup, "player-1,7", olga)
    faults = [each.fault for each in preview_entry_list(competition=cup, text="player-1\nplayer-2,7\nplayer-3")]
    assert faults == ["This player has already joined.", "Another player in the cup already has this seed.", ""]


def test_guests_and_computers_are_refused_by_their_lines(cup):
    Player.objects.create(username="guest-abc", is_guest=True)
    Player.objects.create(username="robot", is_computer=True)
    assert all(each.fault for each in preview_entry_list(competition=cup, text="guest-abc\nrobot"))


def test_seeds_need_a_cup_that_is_seeded_by_hand(olga):
    cup = make_cup(seeding=Seeding.RATING)
    make_players(1)
    assert [each.fault for each in preview_entry_list(competition=cup, text="player-1,1")] == [
        "This cup is not seeded by hand, so the list cannot set seeds."
    ]


def test_latecomers_get_the_last_seeds_and_not_those_of_the_list(olga):
    cup, _entries = start_cup(3, **ROUND_ROBIN, seeding=Seeding.HAND)
    cup.organisers.add(olga)
    make_players(2, "late")
    (seeded, _other) = preview_entry_list(competition=cup, text="username,seed\nlate-1,5\nlate-2,\n")
    assert seeded.fault == "The cup has started. Players who join now get the last seeds."
    entries = import_entry_list(competition_id=cup.pk, text="late-1\nlate-2\n", actor=olga, now=NOON)
    assert [entry.seat.seed for entry in entries] == [4, 5]
    assert sorted(Seat.objects.values_list("seed", flat=True)) == [1, 2, 3, 4, 5]


def test_a_challenge_ladder_is_filled_in_the_order_of_the_seeds(olga):
    ladder = make_ladder(format="challenge-ladder")
    ladder.organisers.add(olga)
    make_players(3)
    take(ladder, "player-1\nplayer-2,2\nplayer-3,1", olga)
    order = Entry.objects.order_by("seats__position").values_list("player__username", flat=True)
    assert list(order) == ["player-3", "player-2", "player-1"]


def test_an_empty_list_is_refused(cup, olga):
    with pytest.raises(InvalidEntryList, match="has no players"):
        take(cup, "username,seed\n", olga)


def test_only_organisers_take_lists_in(cup, otto):
    with pytest.raises(NotAnOrganiser):
        take(cup, "player-1", otto)
    assert not Entry.objects.exists()


def test_a_preview_costs_the_same_at_any_length(cup, django_assert_num_queries):
    make_players(60, prefix="more")
    for number in (1, 60):
        text = "\n".join(f"more-{n}" for n in range(1, number + 1))
        with django_assert_num_queries(3):
            preview_entry_list(competition=cup, text=text)


# Taking away


@pytest.fixture
def played(db):
    cup, _entries = start_cup(3, **ROUND_ROBIN)
    for fixture in running(cup):
        end(fixture, Side.RED)
    recompute_tables(competition_id=cup.pk, now=NOON)
    return get_cup(cup.slug)


@pytest.mark.parametrize("what", Export)
def test_both_forms_say_the_same(played, what):
    text = "".join(export_competition(competition=played, what=what, form=ExportFormat.CSV))
    data = json.loads("".join(export_competition(competition=played, what=what, form=ExportFormat.JSON)))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == len(data) == 3
    assert [list(row) for row in rows] == [list(row) for row in data]
    assert [row.get("place", row.get("yellow", row.get("seed"))) for row in rows] == [
        str(row.get("place", row.get("yellow", row.get("seed")))) for row in data
    ]


def test_an_export_is_one_query_at_any_size(played, django_assert_num_queries):
    for what in Export:
        with django_assert_num_queries(1):
            list(export_competition(competition=played, what=what, form=ExportFormat.CSV))


def test_results_tell_who_met_whom_and_what_it_was_worth(played):
    first = json.loads("".join(export_competition(competition=played, what=Export.RESULTS, form=ExportFormat.JSON)))[0]
    assert (first["ending"], first["points_yellow"] < first["points_red"], first["annulled"]) == (
        "adjudication",
        True,
        False,
    )


def test_no_cell_of_text_can_become_a_formula():
    texts = ["=1+1", "-2-3", "+x", "@y", "\tz", "fine", "", None, -5, 1.5, True]
    text = "".join(write_csv(["cell"], ({"cell": text} for text in texts)))
    cells = [row["cell"] for row in csv.DictReader(io.StringIO(text))]
    assert cells == ["'=1+1", "'-2-3", "'+x", "'@y", "'\tz", "fine", "", "", "-5", "1.5", "True"]


@pytest.mark.parametrize("number", [0, 1, 999, 1000, 1001, 2000])
def test_chunks_make_one_document(number):
    rows = [{"n": n, "name": f'„x"\n{n}'} for n in range(number)]
    assert json.loads("".join(write_json(iter(rows)))) == rows
    parsed = list(csv.DictReader(io.StringIO("".join(write_csv(["n", "name"], iter(rows))))))
    assert [(int(row["n"]), row["name"]) for row in parsed] == [(row["n"], row["name"]) for row in rows]


def test_entries_of_players_whose_names_look_like_formulas_are_safe(db):
    cup = make_cup()
    enter_all(cup, [Player.objects.create(username="-1-2-3")])
    text = "".join(export_competition(competition=cup, what=Export.ENTRIES, form=ExportFormat.CSV))
    assert "\n'-1-2-3," in text.replace("\r\n", "\n")
