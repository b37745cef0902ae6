"""Long tables on one page, to be printed."""

import pytest

from tests.matches.test_queries import queries_of
from tests.tournaments.verbs import NOON, make_cup, make_ladder, make_players
from tournaments.entries.services.entry_imports import import_entry_list

pytestmark = pytest.mark.django_db

LINK = "All rows on one page, to print"


def fill(competition, size):
    names = "\n".join(player.username for player in make_players(size))
    import_entry_list(competition_id=competition.pk, text=names, actor=None, now=NOON)


@pytest.mark.parametrize(("make", "path"), [(make_cup, "/cups/cup/"), (make_ladder, "/ladders/ladder/")])
def test_a_table_of_more_than_fifty_rows_can_be_had_on_one_page(client, make, path):
    fill(make(), 60)
    page = client.get(path)
    assert (LINK in page.content.decode(), len(page.context["rows"])) == (True, 50)
    whole = client.get(f"{path}?rows=all")
    assert [str(shown.row.entry) for shown in whole.context["rows"]] == [f"player-{n}" for n in range(1, 61)]
    assert (LINK in whole.content.decode(), "Show page by page" in whole.content.decode()) == (False, True)
    assert len(queries_of(lambda: client.get(f"{path}?rows=all"))) <= len(queries_of(lambda: client.get(path)))


def test_there_is_a_bound_above_which_it_has_pages_that_stay_large(client, settings):
    settings.MAX_PRINTED_ROWS = 55
    fill(make_ladder(), 60)
    whole = client.get("/ladders/ladder/?rows=all")
    assert len(whole.context["rows"]) == 55
    assert 'href="?rows=all&amp;page=2#table"' in whole.content.decode().replace("all&page", "all&amp;page")
    assert len(client.get("/ladders/ladder/?rows=all&page=2").context["rows"]) == 5


def test_a_short_table_has_no_link_to_all_of_it(client):
    fill(make_ladder(), 5)
    assert LINK not in client.get("/ladders/ladder/").content.decode()
