"""Every page of a competition of 1,024 entrants within its budget: of queries, and of bytes."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.test import Client

from formats.protocol import Flow
from players.models import Player
from tests.marks import nightly
from tests.matches.test_queries import queries_of
from tests.tournaments.verbs import NOON, count_all, make_players, open_entry, pair, play_some, start
from tournaments.entries.services.entry_imports import import_entry_list
from tournaments.making.recipes import (
    GROUPS_THEN_KNOCK_OUT,
    RECIPES,
    ROUND_ROBIN,
    make_stages,
)
from tournaments.making.services.competitions import create_competition
from tournaments.models import Competition, CompetitionKind, Cup, Ladder
from tournaments.records.stages import is_of_parts

ENTRANTS = 1024
RESULTS = 8
RECIPES_OF_MANY = [name for name, recipe in RECIPES.items() if name != ROUND_ROBIN and recipe.boards is None]
"""A round robin of so many would have half a million matches. So many enter by a list, which has no teams."""

LARGEST = [GROUPS_THEN_KNOCK_OUT]
"""The recipe whose pages show the most: groups and a bracket."""

PAGES = ["", "?page=2", "log/"]
CUP_PAGES = ["?round=1"]
GROUP_PAGES = ["stages/1/groups/1/", "stages/1/groups/1/rounds/1/"]
"""In a cup of one part these lead to its page; in one of groups ``CUP_PAGES`` lead to them."""
DESK = ["organise/", "organise/entries/", "organise/fixtures/", "organise/entries/?page=last"]
READ = ["", "standings/", "places/", "fixtures/", "log/", "bracket/"]
EXPORTS = [f"export/{what}.{form}" for what in ("entries", "standings") for form in ("csv", "json")]

MAX_QUERIES = {"page": 19, "api": 12}
"""The most queries that a page or an answer of the API may cost; pages of one's own group are dearest."""

MAX_BYTES = 250_000
EXPORTED = 300
"""The bytes for each entrant of what is exported."""


@pytest.fixture(scope="module", params=[*LARGEST, *nightly(sorted(set(RECIPES_OF_MANY) - set(LARGEST)))])
def large(request, django_db_setup, django_db_blocker) -> Iterator[Competition]:
    """Yield a running competition, the first of its matches over; who organises it is the first to enter."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield start_large(request.param)
        transaction.set_rollback(True)


def start_large(recipe: str) -> Competition:
    players = make_players(ENTRANTS)
    kind = Ladder if RECIPES[recipe].kind == CompetitionKind.LADDER else Cup
    competition: Competition = kind(name="Large", slug="large", game="paper-soccer", max_entrants=ENTRANTS)
    stage, *later = make_stages(RECIPES[recipe])
    create_competition(competition=competition, stage=stage, later=later, creator=players[0], now=NOON)
    open_entry(competition)
    names = "\n".join(player.username for player in players)
    import_entry_list(competition_id=competition.pk, text=names, actor=None, now=NOON)
    start(competition)
    if kind is Ladder:
        pair(competition)
    competition.refresh_from_db()
    play_some(competition, RESULTS)
    count_all()
    return competition


def measure(client: Client, path: str) -> tuple[int, int, int]:
    """Return the status of a page, how many queries it costs, and how many bytes it has."""
    answers = []
    queries = queries_of(lambda: answers.append(client.get(path)))
    return answers[0].status_code, len(queries), len(answers[0].getvalue())


@pytest.mark.django_db
def test_every_page_of_a_large_competition_is_within_its_budget(large, client_of):
    base = large.get_absolute_url()
    api = f"/api/v1/competitions/{large.slug}/"
    is_bracket = large.first_stage.format_spec.flow is Flow.TIES
    players = list(Player.objects.filter(username__startswith="player-").order_by("pk")[:2])
    pages = [*PAGES, *([*CUP_PAGES, *GROUP_PAGES] if isinstance(large, Cup) else [])]
    elsewhere = [base + page for page in (CUP_PAGES if is_of_parts(large.first_stage) else GROUP_PAGES)]
    reads = [each for each in READ if each != "bracket/" or is_bracket]
    asked = [
        *[(viewer, "page", base + page) for viewer in (None, players[1]) for page in pages],
        *[(players[0], "page", base + page) for page in (*pages, *DESK)],
        *[(None, "api", api + part) for part in reads],
        *[(players[0], "api", api + part) for part in EXPORTS],
    ]
    clients = {viewer: client_of(viewer) for viewer in (None, *players)}
    dear = []
    for viewer, kind, path in asked:
        status, queries, size = measure(clients[viewer], path)
        assert status == (302 if path in elsewhere else 200), path
        most = EXPORTED * ENTRANTS if "export" in path else MAX_BYTES
        if queries > MAX_QUERIES[kind] or size > most:
            dear.append(f"{path} for {viewer}: {queries} queries, {size} bytes")
    assert dear == []
