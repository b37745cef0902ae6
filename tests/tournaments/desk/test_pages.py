"""The organisers' pages: each action asks once, is refused with its reason, and is logged; nobody else comes in."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from matches.models import ClockExtension, Match
from players.models import Player
from rules_engine.values import Side
from tests.pages.html import text_of
from tests.tournaments import verbs
from tests.tournaments.verbs import ROUND_ROBIN
from tournaments.models import Competition, CompetitionStatus, Cup, Entry, Fixture, Round, Seat, Seeding

pytestmark = pytest.mark.django_db

WHY = "It has to be."


@pytest.fixture
def started(olga):
    """Return another one, which has just begun."""
    started, _entries = verbs.start_cup(4, slug="started", now=timezone.now(), legs=1, round_days=7, organiser=olga)
    return started


@pytest.fixture
def ladder(olga):
    ladder, _entries = verbs.open_ladder(2, organiser=olga, prefix="climber")
    return ladder


def begin(olga, size, **options):
    """Return a cup of olga's that has just begun."""
    cup, _entries = verbs.start_cup(size, now=timezone.now(), organiser=olga, **options)
    return cup


def status_of(competition: Competition) -> str:
    competition.refresh_from_db()
    return competition.status


def base(competition: Competition) -> str:
    return f"{competition.get_absolute_url()}organise/"


def test_an_action_is_asked_for_and_only_then_done(client, cup):
    url = f"{base(cup)}close/"
    asked = client.get(url)
    assert (asked.status_code, status_of(cup)) == (200, CompetitionStatus.OPEN)
    assert "Nobody can join unless you open entry again" in text_of(asked)
    done = client.post(url)
    assert (done.status_code, done["Location"], status_of(cup)) == (302, base(cup), CompetitionStatus.CLOSED)
    assert verbs.last_log(cup)[:2] == ("olga", "closed")
    assert "Entry is closed." in text_of(client.get(base(cup)))


def test_a_reason_is_asked_for_where_one_is_owed(client, started):
    asked = client.post(f"{base(started)}cancel/", {"reason": " "})
    assert asked.status_code == 400
    assert status_of(started) == CompetitionStatus.RUNNING


def test_a_refusal_stands_beside_the_question_without_its_code(client, cup):
    refused = client.post(f"{base(cup)}finish/", {"reason": WHY})
    assert refused.status_code == 409
    assert "Only a running competition can be finished." in text_of(refused)
    assert "wrong_competition_status" not in text_of(refused)
    assert WHY in refused.content.decode()


def test_a_ladder_is_started_and_finished(client, ladder):
    client.post(f"{base(ladder)}start/")
    client.post(f"{base(ladder)}finish/", {"reason": WHY})
    assert (status_of(ladder), verbs.last_log(ladder)) == ("finished", ("olga", "finished", "", WHY))


@pytest.mark.parametrize(
    ("options", "can_come"),
    [
        (ROUND_ROBIN, True),
        (ROUND_ROBIN | {"late_entry": True}, True),
        (ROUND_ROBIN | {"round_days": 7}, False),
        ({}, False),
    ],
)
def test_latecomers_are_entered_and_imported_where_they_can_still_play_everybody(client, olga, options, can_come):
    cup = begin(olga, 3, **options)
    verbs.make_players(2, "late")
    page = client.get(base(cup)).content.decode()
    assert [f"organise/{door}/" in page for door in ("admit", "import")] == [can_come, can_come]
    client.post(f"{base(cup)}admit/", {"player": "late-1"})
    client.post(f"{base(cup)}import/", {"text": "username\nlate-2\n", "reason": WHY, "apply": "1"})
    assert Entry.objects.filter(competition=cup).count() == 3 + 2 * can_come


def test_an_entrant_is_replaced(client, started):
    Player.objects.create(username="substitute")
    entry = Entry.objects.filter(competition=started)[0]
    url = f"{base(started)}entries/{entry.pk}/replace/"
    page = client.post(url, {"player": "substitute", "reason": WHY}, follow=True)
    assert "The player is replaced." in text_of(page)
    assert Entry.objects.get(player__username="substitute").replaces_id == entry.pk


def test_a_match_is_adjudicated_by_the_name_of_the_winner(client, started):
    fixture = verbs.running(started)[0]
    url = f"{base(started)}fixtures/{fixture.pk}/adjudicate/"
    assert f"{fixture.yellow} (Yellow)" in text_of(client.get(url))
    for nobody in ("", "green"):
        assert client.post(url, {"winner": nobody, "reason": WHY}).status_code == 400
    client.post(url, {"winner": "yellow", "reason": WHY})
    fixture.match.refresh_from_db()
    assert (fixture.match.winner, fixture.match.ending) == (Side.YELLOW, "adjudication")


def test_a_clock_is_extended_in_hours(client, started):
    fixture = verbs.running(started)[0]
    side = Side(fixture.match.side)
    url = f"{base(started)}fixtures/{fixture.pk}/extend/"
    full = client.post(url, {"side": side.opponent, "by": "1", "reason": WHY})
    assert (full.status_code, "the most that is allowed" in text_of(full)) == (409, True)
    Match.objects.filter(pk=fixture.match_id).update(bank_yellow=3_600_000, bank_red=3_600_000)
    client.post(url, {"side": side, "by": "1.5", "reason": WHY})
    extension = ClockExtension.objects.get(match=fixture.match_id)
    assert (extension.side, extension.milliseconds) == (side, 5_400_000)


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "rest",
    [
        "nonsense/",
        *(f"{path}/" for path in ("entries/0/withdraw", "fixtures/0", "fixtures/0/annul", "rounds/9/end")),
        *(f"{path}/" for path in (f"entries/{2**63}/withdraw", f"fixtures/{2**63}", f"fixtures/{2**63}/annul")),
    ],
)
def test_an_unknown_page_entry_fixture_or_round_is_not_found(client, cup, rest):
    assert client.get(base(cup) + rest).status_code == 404


def test_an_entry_of_another_competition_is_not_found(client, cup, otto):
    entry = verbs.enter_all(verbs.make_ladder(), [otto])[0]
    assert client.post(f"{base(cup)}entries/{entry.pk}/withdraw/", {"reason": WHY}).status_code == 404
    assert Entry.objects.filter(pk=entry.pk).exists()


def test_a_draw_is_looked_at_drawn_again_and_kept(client, cup):
    url = f"{base(cup)}draw/"
    shown = client.get(f"{url}?seed=7")
    assert "Draw seed 7" in text_of(shown)
    assert not Round.objects.filter(group__stage__competition=cup).exists()
    again = re.search(r'href="\?seed=(\d+)"', shown.content.decode())
    assert again is not None
    assert client.get(f"{url}?seed={again[1]}").status_code == 200
    client.post(url, {"seed": 7})
    cup.refresh_from_db()
    assert (cup.first_stage.draw_seed, cup.status) == (7, CompetitionStatus.CLOSED)
    assert verbs.last_log(cup) == ("olga", "drawn", "7", "")
    assert "drawn already" in text_of(client.get(url))


def test_seeds_are_set_by_hand(client, cup):
    options = {"seed": 1, "order": "player-3\nplayer-1 player-4\nplayer-2"}
    url = f"{base(cup)}draw/"
    assert "player-3" in text_of(client.get(url, options))
    client.post(url, options)
    entries = cup.entries.order_by("seats__seed").select_related("player")
    assert list(map(str, entries)) == ["player-3", "player-1", "player-4", "player-2"]
    assert str(verbs.tie_of(cup, 1, 0)) == "player-3 – player-2"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"order": "player-1\nnobody"}, "Not in this competition: nobody."),
        ({"order": "player-1\nplayer-1"}, "These seeds cannot be used: an entrant is seeded twice."),
        ({"first": "player-1", "second": "nobody"}, "Not in this competition: nobody."),
    ],
)
def test_seeds_and_swaps_that_cannot_be_are_refused(client, cup, query, said):
    answer = client.get(f"{base(cup)}draw/", query)
    assert (answer.status_code, said in text_of(answer)) == (400, True)


def test_two_players_are_swapped_in_a_draw_that_is_previewed(client, cup):
    url = f"{base(cup)}draw/"
    first = client.get(url, {"seed": 7}).context["draw"].entries
    shown = client.get(url, {"seed": 7, "first": str(first[0]), "second": str(first[2])})
    swapped = shown.context["draw"].entries
    assert swapped == (first[2], first[1], first[0], *first[3:])
    order = shown.context["form"]["order"].value()
    assert order.split() == [str(entry) for entry in swapped]
    client.post(url, {"seed": 7, "order": order})
    seated = Seat.objects.filter(stage__competition=cup).order_by("seed")
    assert [seat.entry for seat in seated] == list(swapped)


def test_a_round_that_waits_is_changed_and_published_on_its_page(client, olga):
    cup, _entries = verbs.start_cup(5, format="swiss", tiebreaks=[], organisers_publish=True, organiser=olga)
    page = f"{base(cup)}proposed-rounds/1/"
    assert page in client.get(base(cup)).content.decode()
    pairs = client.get(page).context["proposal"].pairs
    one, other = pairs[0].sides
    assert client.post(f"{page}swap/", {"first": str(one), "second": str(other)}).url == page
    read = client.get(page).context["doable"]["publish"]["form"]["version"].value()
    refused = client.post(f"{page}publish/", {"version": read, "reason": ""})
    assert (refused.status_code, "differ from the draw. Give a reason" in text_of(refused)) == (400, True)
    assert client.post(f"{page}publish/", {"version": read, "reason": WHY}).url == page
    assert Fixture.objects.filter(competition=cup).order_by("pk")[0].yellow == other
    assert client.get(page).url == base(cup)


@pytest.mark.parametrize("path", ["organisers/", "admit/"])
def test_typing_the_beginning_of_a_username_names_the_players_who_are_called_so(client, cup, path):
    verbs.make_players(2, "newcomer")
    Player.objects.create(username="newcomer-3", is_active=False)
    found = client.post(f"{base(cup)}{path}", {"player": "NEWC", "role": "helper"})
    assert found.status_code == 400
    assert "Usernames like this: newcomer-1, newcomer-2." in text_of(found)
    assert "Usernames like this" not in text_of(client.post(f"{base(cup)}{path}", {"player": "zz"}))


def test_the_draw_of_a_running_cup_is_shown_and_no_other(client, started):
    url = f"{base(started)}draw/"
    seed = Cup.objects.get(pk=started.pk).first_stage.draw_seed
    first, again = (text_of(client.get(url)) for _ in range(2))
    assert first == again
    assert f"Draw seed {seed}" in first
    assert "This is the draw" in first
    assert "Keep this draw" not in first
    for options in ({"seed": 5}, {"order": "player-3"}):
        refused = client.get(url, options)
        assert (refused.status_code, "Its draw is final" in text_of(refused)) == (409, True)
    assert client.post(url, {"seed": 5}).status_code == 409
    assert Cup.objects.get(pk=started.pk).first_stage.draw_seed == seed


def test_a_round_robin_shows_its_first_rounds(client, olga):
    cup, _entries = verbs.open_cup(6, format="round-robin", organiser=olga)
    assert "and 2 more rounds." in text_of(client.get(f"{base(cup)}draw/"))


def test_a_list_is_shown_line_by_line_and_then_taken_in(client, olga):
    cup = verbs.make_cup(slug="club", seeding=Seeding.HAND, organiser=olga)
    verbs.make_players(2, "club")
    url = f"{base(cup)}import/"
    faulty = client.post(url, {"text": "club-1,1\nnobody\n"})
    assert "2 lines, 1 with an error" in text_of(faulty)
    assert "There is no player with this username." in text_of(faulty)
    assert "Add 1 player" in text_of(faulty)
    assert "Add 2 players" in text_of(client.post(url, {"text": "club-1,1\nclub-2\n"}))
    assert not Entry.objects.filter(competition=cup).exists()
    client.post(url, {"text": "club-1,1\nclub-2\n", "apply": "1"})
    assert Entry.objects.filter(competition=cup).count() == 2


def test_a_list_says_before_it_is_taken_who_is_only_invited(mia, client_of):
    cup = verbs.make_cup(slug="club", creator=mia, organiser=mia)
    ready, _asked = verbs.make_players(2, "club")
    Player.objects.filter(pk=ready.pk).update(may_be_entered=True)
    client, url = client_of(mia), f"{base(cup)}import/"
    shown = text_of(client.post(url, {"text": "club-1\nclub-2\n"}))
    assert "Add 1 and invite 1" in shown
    assert shown.index("will be added") < shown.index("will be invited")
    assert "Invite 1 player" in text_of(client.post(url, {"text": "club-2\n"}))


def test_the_first_page_of_a_cup_that_lacks_players_leads_to_a_list_of_them_and_then_to_its_start(client, olga):
    cup = verbs.make_cup(slug="club", organiser=olga, status=CompetitionStatus.DRAFT)
    assert primary_of(client.get(base(cup))) == ["Open entry"]
    verbs.open_entry(cup, by=olga)
    assert primary_of(client.get(base(cup))) == ["Import a list"]
    verbs.enter_all(cup, verbs.make_players(4, "club"))
    assert primary_of(client.get(base(cup))) == ["Start"]
    assert f"{base(cup)}draw/" in client.get(base(cup)).content.decode()


def test_the_matches_that_go_on_are_listed_in_the_order_of_their_rounds(client, olga):
    cup = begin(olga, 4, **ROUND_ROBIN)
    numbers = [each.pk for each in client.get(f"{base(cup)}fixtures/").context["page"]]
    assert numbers == sorted(numbers)
    assert len(numbers) == 6


def primary_of(response):
    """Return the texts of the page's main buttons."""
    return [
        " ".join(each.split()) for each in re.findall(r'button slim primary"[^>]*>([^<]*)<', response.content.decode())
    ]


def test_the_good_lines_are_taken_and_the_others_are_corrected_in_place(client, olga):
    cup = verbs.make_cup(slug="club", seeding=Seeding.HAND, organiser=olga)
    verbs.make_players(3, "club")
    url = f"{base(cup)}import/"
    sent = {"text": "Club evening\nPlayer;Seed\nclub-1;1\nklub-2;2\n=1+1;\n", "reason": WHY}
    shown = client.post(url, sent)
    assert 'name="username-4" value="klub-2"' in shown.content.decode()
    assert 'name="seed-4" value="2"' in shown.content.decode()
    assert 'name="username-3"' not in shown.content.decode()
    written = {"text": shown.context["text"], "reason": WHY}

    rest = client.post(url, written | {"username-4": "klub-2", "seed-4": "2", "username-5": "=1+1", "apply": "1"})
    assert list(cup.entries.values_list("player__username", "seats__seed")) == [("club-1", 1)]
    assert "1 player has been added." in text_of(rest)
    assert "2 lines, 2 with errors" in text_of(rest)
    again = {"text": rest.context["text"], "reason": WHY, "username-4": "club-2", "seed-4": "2", "username-5": ""}
    assert "1 line," not in text_of(checked := client.post(url, again))
    assert "Add 1 player" in text_of(checked)
    assert client.post(url, again | {"apply": "1"}).url == f"{base(cup)}entries/"
    assert set(cup.entries.values_list("player__username", "seats__seed")) == {("club-1", 1), ("club-2", 2)}


def test_of_many_lines_at_fault_a_hundred_can_be_corrected_at_once(client, cup):
    page = client.post(f"{base(cup)}import/", {"text": "\n".join(f"nobody-{n}" for n in range(150))}).content.decode()
    assert page.count('name="username-') == 100
    assert "The first 100 of them can be corrected now." in page


def test_a_file_is_a_list_too(client, cup):
    Player.objects.create(username="filed")
    file = SimpleUploadedFile("list.csv", "\ufeffusername\nfiled\n".encode())
    assert "Add 1 player" in text_of(client.post(f"{base(cup)}import/", {"file": file}))
    unsure = SimpleUploadedFile("list.csv", b"sep=;\nVorname;Name\nAda;filed\n")
    shown = client.post(f"{base(cup)}import/", {"file": unsure, "apply": "1"})
    assert "Change its heading to “username”." in text_of(shown)
    assert "Cells are separated by “;”, as the first line says." in text_of(shown)
    assert "Vorname;Name\nAda;filed" in shown.content.decode()
    assert not cup.entries.filter(player__username="filed").exists()
    picture = SimpleUploadedFile("list.csv", b"\xff\xd8\xff\xe0\0")
    assert "neither a text nor an Excel workbook" in text_of(client.post(f"{base(cup)}import/", {"file": picture}))


def test_the_desk_links_to_the_files_of_the_competition(client, cup):
    assert 'href="/cups/cup/export/entries.csv"' in client.get(base(cup)).content.decode()


def test_a_url_of_the_other_kind_leads_to_the_right_one(client, ladder):
    assert client.get("/cups/ladder/organise/")["Location"] == "/ladders/ladder/organise/"


def test_the_first_page_says_what_the_cup_waits_for(client, started):
    shown = text_of(client.get(base(started)))
    assert shown.count(" to move for ") == 2
    assert "Waiting for" in shown


def test_the_first_page_says_that_more_matches_are_running_than_it_shows(client, olga):
    cup, _entries = verbs.start_cup(32, legs=1, organiser=olga)
    shown = text_of(client.get(base(cup)))
    assert shown.count(" to move for ") == 12
    assert "Of the matches that are running, the 12 with the least time left are shown." in shown
    assert "Decide" not in shown


def test_an_act_asks_of_a_ladder_what_is_true_of_ladders_and_says_nothing_twice(client, ladder, started):
    asked = [text_of(client.get(f"{base(each)}start/")) for each in (started, ladder)]
    assert ["A cup without a draw is drawn now." in each for each in asked] == [True, False]
    entry = started.entries.first()
    withdrawing = text_of(client.get(f"{base(started)}entries/{entry.pk}/withdraw/"))
    assert f"{entry} loses 1 unfinished match by forfeit" in withdrawing
    assert "they forfeit all unfinished matches" not in withdrawing
