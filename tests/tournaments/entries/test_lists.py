"""Lists of entrants taken in, and entries, results and tables taken away."""

import codecs
import csv
import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player
from rules_engine.values import Side
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.entries.entry_files import MAX_FILE_SIZE, MAX_UNPACKED, MAX_UNPACKED_APART, read_file
from tournaments.entries.entry_lists import (
    MAX_LINES,
    MAX_LIST_SIZE,
    ListedEntrant,
    ListFault,
    UnreadableList,
    edit_entry_list,
    read_entry_list,
    write_entry_list,
)
from tournaments.entries.errors import InvalidEntryList
from tournaments.entries.services.entry_imports import import_entry_list, list_fault_sentence, preview_entry_list
from tournaments.models import Entry, LogEntry, Seat, Seeding
from tournaments.pages.selectors.exports import Export, ExportFormat, export_competition, write_csv, write_json
from tournaments.records.competitions import get_cup


def test_a_list_has_usernames_and_perhaps_seeds():
    assert read_entry_list("\ufeffusername,seed\r\nanna,1\r\n\r\npiotr;2\r\ncarla\t\r\n") == [
        ListedEntrant(2, "anna", 1),
        ListedEntrant(4, "piotr", 2),
        ListedEntrant(5, "carla"),
    ]


HOW_LINES_END = (
    "We cannot tell where the cells of line %d end. Check its quotation marks: each cell that begins with one must end "
    "with one."
)
WHICH_COLUMN = "We are not sure which column has the usernames: “%s”, or another one? Change its heading to “username”."


@pytest.mark.parametrize(
    ("text", "line", "fault", "sentence"),
    [
        ("anna\npiotr\nANNA", 3, ListFault.SAME_PLAYER, "This player is already in line 1."),
        ("carla\nanna,1\npiotr,1", 3, ListFault.SAME_SEED, "Line 2 already has this seed."),
        ("anna,first", 1, ListFault.NO_SEED, "The seed must be a number from 1 to 1000000."),
        ("anna,0", 1, ListFault.NO_SEED, "The seed must be a number from 1 to 1000000."),
        ("anna,²", 1, ListFault.NO_SEED, "The seed must be a number from 1 to 1000000."),
        ("anna,1,2", 1, ListFault.MORE_THAN_A_SEED, "A line can have a username and a seed, nothing else."),
        ("=cmd()", 1, ListFault.NO_USERNAME, "This is not a username."),
        ("an", 1, ListFault.NO_USERNAME, "This is not a username."),
        ('"anna\npiotr",1', 1, ListFault.NO_USERNAME, "This is not a username."),
    ],
)
def test_each_line_at_fault_is_told(text, line, fault, sentence):
    (found,) = [each for each in read_entry_list(text) if each.fault]
    assert (found.line, found.fault) == (line, fault)
    assert list_fault_sentence(found.fault, found.first_line) == sentence


@pytest.mark.parametrize(
    ("text", "fault", "sentence"),
    [
        ("a" * (MAX_LIST_SIZE + 1), ListFault.TOO_LONG, "This list is too long."),
        ("anna\n" * (MAX_LINES + 1), ListFault.TOO_MANY_LINES, "A list can have at most 2000 lines."),
        ("anna\0", ListFault.UNSTORABLE, "The list contains characters that cannot be used."),
        ('anna\n"piotr\ncarla', ListFault.UNREADABLE_LINE, HOW_LINES_END % 2),
        ('anna,x\npiotr,"a "friend"\ncarla\nof mine"', ListFault.UNREADABLE_LINE, HOW_LINES_END % 2),
        ("Vorname;Name\nAda;anna", ListFault.UNSURE_COLUMN, WHICH_COLUMN % "Name"),
        ("First name,Name,Seed\nAda,anna,1", ListFault.UNSURE_COLUMN, WHICH_COLUMN % "Name"),
        ("Player,Club,Player\nanna,x,piotr", ListFault.UNSURE_COLUMN, WHICH_COLUMN % "Player"),
    ],
)
def test_a_text_that_is_no_list_for_sure_is_refused_as_a_whole(text, fault, sentence):
    with pytest.raises(UnreadableList) as refused:
        read_entry_list(text)
    assert refused.value.fault is fault
    assert list_fault_sentence(fault, refused.value.line, refused.value.title) == sentence


@pytest.mark.parametrize(
    "text",
    [
        "Members of the club 2026\n\nNo.;Name;Seed\n1;anna;2\n2;piotr;1",
        "sep=;\nSeed;Username\n2;anna\n1;piotr",
        'Club\tPlayer\tSeed\n"a, b; c"\tanna\t2\n\tpiotr\t1\n\t\t\n',
        'username,seed,note\nanna,2,"beside\ncarla\tplease"\npiotr,1,x',
        "Vorname;Name;Player;Seed;Username\nAda;carla;dora;2;anna\nX;mia;rosa;1;piotr",
        "Name\tPlayer\tSeed\ncarla\tanna\t2\nmia\tpiotr\t1",
        "Players\nUsername,Seed\nanna,2\npiotr,1",
        "SEP=|\nusername|seed\nanna|2\npiotr|1",
    ],
)
def test_columns_have_names_below_any_titles(text):
    read = read_entry_list(text)
    assert [(each.username, each.seed, each.fault) for each in read] == [("anna", 2, None), ("piotr", 1, None)]


def test_a_player_who_is_called_like_a_column_is_a_player_below_others():
    assert [each.username for each in read_entry_list("anna\nplayer\n")] == ["anna", "player"]


def test_corrections_keep_the_numbers_of_the_lines():
    text = write_entry_list(read_entry_list('title of this\nPlayer;Seed\nanna;1\n"x,y";first\npiotr'))
    assert [(each.line, each.username, each.seed_text) for each in read_entry_list(text)] == [
        (3, "anna", "1"),
        (4, "x,y", "first"),
        (5, "piotr", ""),
    ]
    edited = read_entry_list(edit_entry_list(text, {4: ("carla", "7"), 5: (" ", ""), 9: ("mia", "")}))
    assert edited == [ListedEntrant(3, "anna", 1), ListedEntrant(4, "carla", 7)]


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    try:
        entrants = read_entry_list(text)
    except UnreadableList:
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


@pytest.fixture
def cup(olga):
    cup = verbs.make_cup(seeding=Seeding.HAND, organiser=olga)
    verbs.make_players(3)
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


def test_a_player_or_seed_that_the_cup_already_has_is_refused(cup, olga):
    take(cup, "player-1,7", olga)
    faults = [each.fault for each in preview_entry_list(competition=cup, text="player-1\nplayer-2,7\nplayer-3")]
    assert faults == ["This player has already joined.", "Another player in the cup already has this seed.", ""]


def test_guests_and_computers_are_refused_by_their_lines(cup):
    Player.objects.create(username="guest-abc", is_guest=True)
    Player.objects.create(username="robot", is_computer=True)
    assert all(each.fault for each in preview_entry_list(competition=cup, text="guest-abc\nrobot"))


def test_a_cup_that_is_not_seeded_by_hand_takes_a_list_without_its_seeds(olga):
    cup = verbs.make_cup(seeding=Seeding.RATING, organiser=olga)
    verbs.make_players(4)
    text = "Name;Seed\nplayer-1;1\nplayer-2;first\nplayer-3;1\nplayer-4;\n"
    lines = preview_entry_list(competition=cup, text=text)
    assert [(each.fault, each.listed.seed_text, each.listed.has_unused_seed) for each in lines] == [
        ("", "", True),
        ("", "", True),
        ("", "", True),
        ("", "", False),
    ]
    assert len(take(cup, text, olga).entries) == 4
    # Without headings it need not be a seed, nor the first cell a username.
    (line,) = preview_entry_list(competition=verbs.make_cup(slug="other"), text="player-1;player-2")
    assert line.fault == "The seed must be a number from 1 to 1000000."
    assert {entry.seat.seed for entry in Entry.objects.filter(competition_id=cup.pk)} == {None}


def test_latecomers_get_the_last_seeds_and_not_those_of_the_list(olga):
    cup, _entries = verbs.start_cup(3, **ROUND_ROBIN, seeding=Seeding.HAND, organiser=olga)
    verbs.make_players(2, "late")
    text = "username,seed\nlate-1,9\nlate-2,\n"
    assert [each.listed.has_unused_seed for each in preview_entry_list(competition=cup, text=text)] == [True, False]
    entries = import_entry_list(competition_id=cup.pk, text=text, actor=olga, now=NOON).entries
    assert [entry.seat.seed for entry in entries] == [4, 5]
    assert sorted(Seat.objects.values_list("seed", flat=True)) == [1, 2, 3, 4, 5]


def test_a_challenge_ladder_is_filled_in_the_order_of_the_seeds(olga):
    ladder = verbs.make_ladder(format="challenge-ladder", organiser=olga)
    verbs.make_players(3)
    take(ladder, "player-1\nplayer-2,2\nplayer-3,1", olga)
    order = Entry.objects.order_by("seats__position").values_list("player__username", flat=True)
    assert list(order) == ["player-3", "player-2", "player-1"]


def test_an_empty_list_is_refused(cup, olga):
    with pytest.raises(InvalidEntryList, match="has no players"):
        take(cup, "username,seed\n", olga)


def test_a_preview_costs_the_same_at_any_length(cup, django_assert_num_queries):
    verbs.make_players(60, prefix="more")
    for number in (1, 60):
        text = "\n".join(f"more-{n}" for n in range(1, number + 1))
        with django_assert_num_queries(3):
            preview_entry_list(competition=cup, text=text)


UMLAUTS = "Spieler;Name\r\nMüller;anna\r\n"


@pytest.mark.parametrize(
    "data",
    [
        UMLAUTS.encode(),
        codecs.BOM_UTF8 + UMLAUTS.encode(),
        UMLAUTS.encode("utf-16"),
        codecs.BOM_UTF16_BE + UMLAUTS.encode("utf-16-be"),
        UMLAUTS.encode("cp1252"),
    ],
)
def test_a_file_may_have_any_encoding_of_a_spreadsheet(data):
    assert read_file(data).text.removeprefix("\ufeff") == UMLAUTS


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00", b"\x89PNG\0", b"\x81", b"PK\x03\x04 nothing", b"a" * (MAX_FILE_SIZE + 1)]
)
def test_a_file_that_is_no_list_of_players_is_refused(data):
    with pytest.raises(ValueError, match=r"file|workbook"):
        read_file(data)


def workbook(rows):
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def test_of_a_workbook_the_sheet_with_usernames_is_read_without_hidden_rows_and_the_rest_is_said():
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["Hints"])
    players, old = book.create_sheet("Players"), book.create_sheet("Old")
    for row in (["Username", "Note"], ["anna", "a\nb"], ["carla", "last year"], ["piotr", None]):
        players.append(row)
    players.row_dimensions[3].hidden = True
    old.append(["username"])
    old.sheet_state = "hidden"
    data = io.BytesIO()
    book.save(data)
    read = read_file(data.getvalue())
    assert [(each.line, each.username) for each in read_entry_list(read.text)] == [(2, "anna"), (4, "piotr")]
    assert read.remarks == ["Only the sheet “Players” was read, not “Sheet”.", "1 hidden row was not read."]


def with_part(data, name, text):
    """Return a workbook with another text in one of its parts."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.infolist():
            new.writestr(part.filename, text if part.filename == name else old.read(part))
    return changed.getvalue()


def test_a_workbook_is_read_from_its_first_sheet_with_titles_and_numbers():
    data = workbook(
        [["Our club, 2026"], [], ["Name", "Born", "Seed"], ["anna", NOON.replace(tzinfo=None), 2.0], ["piotr", None, 1]]
    )
    read = read_entry_list(read_file(data).text)
    assert [(each.line, each.username, each.seed, each.fault) for each in read] == [
        (4, "anna", 2, None),
        (5, "piotr", 1, None),
    ]


@pytest.mark.parametrize(
    ("part", "size"), [("xl/worksheets/sheet1.xml", MAX_UNPACKED), ("xl/styles.xml", MAX_UNPACKED_APART)]
)
def test_a_workbook_that_unpacks_to_too_much_is_not_unpacked(part, size):
    data = with_part(workbook([["anna"]]), part, " " * size)
    assert len(data) < 20_000
    with pytest.raises(ValueError, match="too large"):
        read_file(data)


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml", "[Content_Types].xml"])
def test_a_broken_workbook_is_refused(part):
    with pytest.raises(ValueError, match="We cannot read this workbook"):
        read_file(with_part(workbook([["anna"]]), part, "<broken"))


def test_an_exported_list_can_be_imported_again_without_those_who_had_left(olga):
    cup, entries = verbs.start_cup(4)
    Player.objects.filter(pk=entries[3].player_id).update(username="-1-2-3")
    verbs.withdraw(entries[2])
    text = "".join(export_competition(competition=cup, what=Export.ENTRIES, form=ExportFormat.CSV))
    assert "\n'-1-2-3," in text.replace("\r\n", "\n")
    stayed = {"player-1", "player-2", "player-3", "player-4", "-1-2-3"} - {
        str(entries[2].player),
        str(entries[3].player),
    }
    for seeding, slug in ((Seeding.RATING, "rated"), (Seeding.HAND, "by-hand")):
        other = verbs.make_cup(slug=slug, seeding=seeding, organiser=olga)
        done = take(other, text, olga)
        assert {str(entry.player) for entry in done.entries} == stayed
        seeds = set(other.entries.values_list("seats__seed", flat=True))
        assert seeds == ({None} if seeding == Seeding.RATING else {1, 2, 4})


def test_good_lines_are_taken_alone_only_if_that_is_asked_for(cup, olga):
    done = import_entry_list(
        competition_id=cup.pk, text="player-1,1\nnobody\nplayer-2,x", actor=olga, now=NOON, skips_faults=True
    )
    assert [str(entry) for entry in done.entries] == ["player-1"]
    assert [(each.listed.line, each.listed.seed_text) for each in done.skipped] == [(2, ""), (3, "x")]


@pytest.fixture
def played(db):
    cup, _entries = verbs.start_cup(3, **ROUND_ROBIN)
    for fixture in verbs.running(cup):
        verbs.end(fixture, Side.RED)
    verbs.recompute_tables(competition_id=cup.pk, now=NOON)
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
    assert first["ending"] == "adjudication"
    assert first["points_yellow"] < first["points_red"]
    assert not first["annulled"]


def test_no_cell_of_text_can_become_a_formula():
    texts = ["=1+1", "-2-3", "+x", "@y", "＝1", "－2", "＋x", "＠y", "\tz"]
    plain = ["fine", "", None, -5, 1.5, True]
    text = "".join(write_csv(["cell"], ({"cell": text} for text in texts + plain)))
    cells = [row["cell"] for row in csv.DictReader(io.StringIO(text))]
    assert cells == [*(f"'{text}" for text in texts), "fine", "", "", "-5", "1.5", "True"]


@pytest.mark.parametrize("number", [0, 1, 999, 1000, 1001, 2000])
def test_chunks_make_one_document(number):
    rows = [{"n": n, "name": f'„x"\n{n}'} for n in range(number)]
    assert json.loads("".join(write_json(iter(rows)))) == rows
    parsed = list(csv.DictReader(io.StringIO("".join(write_csv(["n", "name"], iter(rows))))))
    assert [(int(row["n"]), row["name"]) for row in parsed] == [(row["n"], row["name"]) for row in rows]
