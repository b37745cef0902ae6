"""Pages of competitions with 1,024 entrants."""

from __future__ import annotations

import time

import pytest
from django.db.models import F
from django.test import Client

from matches.models import Match, Status
from players.models import Player
from tests.matches.test_queries import queries_of
from tests.tournaments.competitions.running import NOON, make_cup, make_ladder, make_players
from tournaments.recipes import RECIPES, make_stages
from tournaments.services.entry_imports import import_entry_list
from tournaments.services.lifecycle.start import start_competition


SIZE = 1024


@pytest.mark.django_db
@pytest.mark.parametrize("recipe", list(RECIPES))
def test_x(recipe):
    from django.utils import timezone
    from tournaments.services.competitions import create_competition
    from tournaments.services.lifecycle.status import open_competition
    from tournaments.models import Cup, Ladder, CompetitionKind, Group, Round
    from tournaments.services.ladders.pairings import pair_ladder

    t = time.process_time()
    boss = Player.objects.create(username="boss", is_staff=True, is_superuser=True, date_joined=NOON)
    players = make_players(SIZE)
    kind = Ladder if RECIPES[recipe].kind == CompetitionKind.LADDER else Cup
    if recipe == "round-robin":
        players = players[:100]
    c = kind(name="Large", slug="large", game="paper-soccer", max_entrants=SIZE)
    stage, *later = make_stages(RECIPES[recipe])
    create_competition(competition=c, stage=stage, later=later, creator=boss, now=NOON)
    open_competition(competition_id=c.pk, actor=None, now=NOON)
    import_entry_list(competition_id=c.pk, text="\n".join(p.username for p in players), actor=None, now=NOON)
    start_competition(competition_id=c.pk, actor=None, now=NOON)
    if recipe == "points-ladder":
        pair_ladder(ladder_id=c.pk, now=NOON)
    print(recipe, "made", time.process_time() - t)
    client = Client()
    client.force_login(boss)
    me = Client()
    me.force_login(players[5])
    k = "ladders" if kind is Ladder else "cups"
    base = f"/{k}/large/"
    pages = ["", "log/", "organise/", "organise/entries/", "organise/fixtures/", "organise/log/", "organise/draw/"]
    if kind is Cup:
        pages += ["stages/1/groups/1/", "stages/1/groups/1/rounds/1/", "?round=2", "?page=2"]
    api = (
        ["", "standings/", "places/", "bracket/", "fixtures/", "log/"]
        + [f"export/{w}.{f}" for w in ("entries", "standings", "fixtures") for f in ("csv", "json")]
        + ["draw/"]
    )
    for path in [base + p for p in pages] + ["/api/v1/competitions/large/" + a for a in api]:
        for who, cl in (("boss", client), ("me", me)):
            if who == "me" and ("organise" in path or "export" in path or "draw" in path):
                continue
            t = time.process_time()
            r = []
            n = len(queries_of(lambda: r.append(cl.get(path))))
            content = r[0].getvalue() if hasattr(r[0], "getvalue") else r[0].content
            print(f"{path:60} {who} {r[0].status_code} q={n} bytes={len(content)} cpu={time.process_time() - t:.2f}")
