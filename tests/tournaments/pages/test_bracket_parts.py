"""Large brackets are shown part by part: the reader's own, the last rounds, or the one that is asked for."""

import re
from base64 import b64encode
from itertools import pairwise

import pytest

from tests.tournaments.verbs import end, end_all, enter_all, make_cup, running, start, start_cup

pytestmark = pytest.mark.django_db

PLAYERS = 16
CUP = "/cups/cup/"


@pytest.fixture(scope="module")
def stored(module_transaction):
    """Store a cup once for all tests, and return it with its entries, first seed first."""
    return start_cup(PLAYERS, legs=1)


@pytest.fixture
def cup(stored, monkeypatch):
    """Return the cup and its entries; its bracket has parts of two rounds."""
    monkeypatch.setattr("tournaments.pages.pictures.bracket_parts.MAX_WHOLE", PLAYERS - 2)
    monkeypatch.setattr("tournaments.pages.pictures.bracket_parts.MAX_ROUNDS", 2)
    return stored


def part_of(client, url):
    """Return which part a page shows, its rounds, and who is named in its boxes."""
    page = client.get(url).content.decode()
    [current] = re.findall(r'href="\?part=(\d)#bracket"[^>]*aria-current="true"', page)
    boxes = re.findall(r"<title>(\S+)\s+–\s+(\S+)</title>", page)
    return int(current), re.findall(r'id="round-(\d)"', page), {name for box in boxes for name in box}


def test_visitors_see_the_first_part_until_somebody_has_come_to_the_last_rounds(cup, visitor):
    number, rounds, names = part_of(visitor, CUP)
    assert (number, rounds) == (1, ["1", "2"])
    assert len(names - {"?"}) == 4
    end_all(cup[0])
    for fixture in running(cup[0])[:1]:
        end(fixture, fixture.yellow)
    number, rounds, names = part_of(visitor, CUP)
    assert (number, rounds) == (0, ["3", "4"])
    assert len(names - {"?"}) == 1


def test_all_parts_together_have_everybody(cup, visitor):
    shown = [part_of(visitor, f"{CUP}?part={number}") for number in range(5)]
    assert [(number, rounds) for number, rounds, _names in shown] == [
        (0, ["3", "4"]),
        *((n, ["1", "2"]) for n in range(1, 5)),
    ]
    everybody = [name for _number, _rounds, names in shown for name in names - {"?"}]
    assert sorted(everybody) == sorted(entry.player.username for entry in cup[1])


@pytest.mark.parametrize("part", ["9", "x", ""])
def test_a_part_that_does_not_exist_is_the_usual_one(cup, visitor, part):
    assert part_of(visitor, f"{CUP}?part={part}") == part_of(visitor, CUP)


def test_entrants_see_the_part_of_their_own_tie_and_are_led_to_it_from_others(cup, client_of):
    own = cup[1][1].player
    number, _rounds, names = part_of(client_of(own), CUP)
    assert own.username in names
    other = number % 4 + 1
    page = client_of(own).get(f"{CUP}?part={other}").content.decode()
    [link] = re.findall(r'<p class="own-tie">\s*<a href="([^"]*)">', page)
    assert re.fullmatch(rf"\?part={number}#box-\d+", link)
    assert part_of(client_of(own), CUP + link.partition("#")[0])[0] == number
    [link] = re.findall(r'<p class="own-tie">\s*<a href="([^"]*)">', client_of(own).get(CUP).content.decode())
    assert link.startswith("#box-")


def test_links_to_ties_lead_every_reader_to_the_part_that_has_them(cup, visitor, client_of):
    own = client_of(cup[1][1].player)
    number = part_of(own, CUP)[0]
    other = client_of(next(entry.player for entry in cup[1] if part_of(client_of(entry.player), CUP)[0] != number))
    links = re.findall(r'href="([^"]*)#(tie-\d+)"', own.get(CUP).content.decode())
    assert links
    for client in (own, other, visitor):
        pages = {query: client.get(f"{CUP}{query}").content.decode() for query in {query for query, _tie in links}}
        assert all(f'id="{tie}"' in pages[query] for query, tie in links)


def test_a_small_bracket_has_no_parts(stored, visitor):
    small = make_cup(slug="small", legs=1)
    enter_all(small, [entry.player for entry in stored[1][:8]])
    start(small)
    assert "part=" not in visitor.get("/cups/small/").content.decode()


def test_a_frame_on_another_site_leads_to_the_part_that_it_shows(cup, visitor):
    page = visitor.get(f"{CUP}embed/").content.decode()
    assert re.search(rf'href="{CUP}\?part=1#tie-\d+"', page)
    assert "Parts of the bracket" not in page


def pages_of(client, link):
    """Return the pages of the bracket in the API, as each leads to the next one."""
    pages = []
    while link:
        pages.append(client.get(link).json())
        link = pages[-1]["next"]
    return pages


def test_the_api_returns_a_part_a_page_the_last_rounds_first(cup, visitor):
    pages = pages_of(visitor, "/api/v1/competitions/cup/bracket/")
    rounds = [[(each["number"], len(each["ties"])) for each in page["results"]] for page in pages]
    assert rounds == [[(3, 2), (4, 1)], *[[(1, 2), (2, 1)]] * 4]
    ties = [(each["number"], tie) for page in pages for each in page["results"] for tie in each["ties"]]
    assert len({(number, tie["part"], tie["slot"]) for number, tie in ties}) == PLAYERS - 1
    first = [tie[side]["player"] for number, tie in ties if number == 1 for side in ("first", "second")]
    assert sorted(first) == sorted(entry.player.username for entry in cup[1])
    assert [each["name"] for each in pages[0]["results"]] == ["Semi-finals", "Final"]
    semi_final = pages[0]["results"][0]["ties"][0]
    assert semi_final["first"]["source"] == {"round": 2, "part": "main", "slot": 0, "takes": "winner"}


def test_the_pages_of_the_api_lead_back_and_end(cup, visitor):
    pages = pages_of(visitor, "/api/v1/competitions/cup/bracket/")
    assert pages[0]["previous"] is None
    for before, page in pairwise(pages):
        assert visitor.get(page["previous"]).json() == before
    behind = b64encode(b"p=9").decode()
    assert visitor.get(f"/api/v1/competitions/cup/bracket/?cursor={behind}").json() == pages[-1]
