"""The organisers' endpoints: everything that the pages do, for a token with the scope, and for nobody else."""

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from matches.models import Match
from players.models import Player, Scope
from players.services import create_token
from rules_engine.values import Side
from tests.tournaments import verbs
from tests.tournaments.verbs import ROUND_ROBIN
from tournaments.models import CompetitionStatus, Entry, Fixture, Round, Seeding

WHY = "It has to be."


def client_with(player: Player, *scopes: Scope) -> APIClient:
    _token, secret = create_token(player=player, name="bot", scopes=list(scopes), now=timezone.now())
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


@pytest.fixture
def client(olga) -> APIClient:
    return client_with(olga, Scope.READ, Scope.ORGANISE)


@pytest.fixture
def started(cup):
    verbs.start(cup, now=timezone.now())
    return cup


@pytest.fixture
def robin(olga):
    cup, _entries = verbs.open_cup(3, slug="robin", **ROUND_ROBIN, organiser=olga, prefix="robin")
    verbs.start(cup, timezone.now())
    return cup


def url(competition, rest: str) -> str:
    return f"/api/v1/competitions/{competition.slug}/{rest}"


def test_a_competition_goes_through_its_life(client, cup):
    for action, status in (("close", "closed"), ("open", "open"), ("start", "running")):
        answer = client.post(url(cup, f"{action}/"))
        assert (answer.status_code, answer.data["status"]) == (200, status)
    assert client.post(url(cup, "announcements/"), {"text": "Welcome!"}).status_code == 200
    assert verbs.last_log(cup) == ("olga", "announced", "", "Welcome!")
    assert client.post(url(cup, "cancel/"), {"reason": WHY}).data == {
        "slug": "cup",
        "kind": "cup",
        "url": "/cups/cup/",
        "status": "cancelled",
        "paused_at": None,
        "entrants": 4,
    }
    assert verbs.last_log(cup) == ("olga", "cancelled", "", WHY)


def test_a_draw_is_looked_at_and_kept(client, cup):
    shown = client.get(url(cup, "draw/"), {"seed": 7}).data
    assert (shown["seed"], len(shown["players"]), [pair["round"] for pair in shown["pairs"]]) == (7, 4, [1, 1])
    assert not Round.objects.exists()
    order = list(Entry.objects.order_by("-pk").values_list("pk", flat=True))
    drawn = client.post(url(cup, "draw/"), {"seed": 7, "order": order}).data
    assert drawn["players"] == ["player-4", "player-3", "player-2", "player-1"]
    cup.refresh_from_db()
    assert (cup.first_stage.draw_seed, cup.status) == (7, CompetitionStatus.CLOSED)


def test_a_round_robin_is_drawn_with_all_its_rounds(client, olga):
    cup, _entries = verbs.open_cup(4, slug="robin", **ROUND_ROBIN, organiser=olga, prefix="robin")
    pairs = client.get(url(cup, "draw/")).data["pairs"]
    assert [pair["round"] for pair in pairs] == [1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("options", [{"third_place": True}, ROUND_ROBIN | {"cycles": 2}])
def test_a_draw_that_is_kept_is_shown_again_and_no_other_once_the_cup_has_started(client, olga, options):
    cup, _entries = verbs.open_cup(5, slug="kept", **options, organiser=olga, prefix="kept")
    drawn = client.post(url(cup, "draw/"), {"seed": 7}).data
    assert drawn["is_kept"]
    assert client.get(url(cup, "draw/")).data == drawn
    assert not client.get(url(cup, "draw/"), {"seed": 8}).data["is_kept"]
    verbs.start(cup, now=timezone.now())
    assert client.get(url(cup, "draw/")).data == drawn
    refused = client.get(url(cup, "draw/"), {"seed": 8})
    assert (refused.status_code, refused.data["code"]) == (409, "wrong_competition_status")
    fixture = Fixture.objects.filter(competition=cup).first()
    client.post(url(cup, f"fixtures/{fixture.pk}/replay/"), {"reason": WHY})
    verbs.cancel(cup, now=timezone.now())
    assert client.get(url(cup, "draw/")).data == drawn


def test_a_ladder_is_not_drawn(client, olga):
    ladder = verbs.make_ladder(organiser=olga)
    assert client.get(url(ladder, "draw/")).status_code == 404


def test_players_are_entered_one_by_one_and_by_lists(client, olga):
    cup = verbs.make_cup(seeding=Seeding.HAND, organiser=olga)
    verbs.make_players(3)
    entered = client.post(url(cup, "admissions/"), {"player": "PLAYER-1"}).data
    assert (entered["player"], entered["status"]) == ("player-1", "active")
    assert client.post(url(cup, "admissions/"), {"player": "nobody"}).data["code"] == "unknown_player"
    refused = client.post(url(cup, "import/"), {"text": "player-2\nplayer-1\n"})
    assert refused.status_code == 422
    assert refused.data["code"] == "invalid_entry_list"
    assert refused.data["errors"] == {"2": ["This player has already joined."]}
    assert client.post(url(cup, "import/"), {"text": "player-2,2\nplayer-3,1"}).data == {
        "players": ["player-3", "player-2"],
        "invited": [],
        "skipped": [],
    }


def test_the_api_takes_the_good_lines_of_a_list_and_returns_the_others(client, olga):
    cup = verbs.make_cup(organiser=olga)
    verbs.make_players(2)
    done = client.post(url(cup, "import/"), {"text": "player-2\nnobody\nplayer-1\n", "skips_faults": True}).data
    assert done == {
        "players": ["player-2", "player-1"],
        "invited": [],
        "skipped": [{"line": 2, "username": "nobody", "reason": "There is no player with this username."}],
    }
    refused = client.post(url(cup, "import/"), {"text": "nobody\n", "skips_faults": True})
    assert (refused.status_code, refused.data["errors"]) == (422, {"1": ["There is no player with this username."]})


def test_entrants_are_withdrawn_and_replaced(client, started):
    Player.objects.create(username="substitute")
    first, second = Entry.objects.filter(competition=started).order_by("seats__seed")[:2]
    seed = second.seat.seed
    assert client.post(url(started, f"entries/{first.pk}/withdraw/"), {"reason": WHY}).data["entrants"] == 3
    taken = client.post(url(started, f"entries/{second.pk}/replace/"), {"player": "substitute", "reason": WHY}).data
    assert (taken["player"], taken["seed"]) == ("substitute", seed)


def test_matches_are_annulled_and_played_again(client, robin):
    first, second, _third = verbs.running(robin)
    assert client.post(url(robin, f"fixtures/{first.pk}/annul/"), {"reason": WHY}).data["is_annulled"]
    again = client.post(url(robin, f"fixtures/{second.pk}/replay/"), {"reason": WHY}).data
    assert (again["yellow"], again["is_annulled"]) == (str(second.yellow), False)
    assert again["id"] != second.pk


def test_a_clock_is_extended(client, started):
    fixture = verbs.running(started)[0]
    Match.objects.filter(pk=fixture.match_id).update(bank_yellow=3_600_000, bank_red=3_600_000)
    side = Side(fixture.match.side).opponent
    given = client.post(url(started, f"fixtures/{fixture.pk}/extend/"), {"side": side, "seconds": 60, "reason": WHY})
    assert given.data == {"seconds": 60.0}


def test_a_round_gets_a_date_and_is_ended(client, started):
    ahead = (timezone.now() + timedelta(days=40)).replace(microsecond=0)
    dated = client.put(url(started, "rounds/1/date/"), {"ends_at": f"{ahead:%Y-%m-%dT%H:%M:%SZ}"}).data
    assert dated["ends_at"] == ahead
    refused = client.put(url(started, "rounds/1/date/"), {"ends_at": "2026-01-02T03:04:00Z"})
    assert (refused.status_code, refused.data["code"]) == (400, "invalid_round_date")
    assert refused.data["errors"].keys() == {"ends_at"}
    client.post(url(started, "rounds/1/end/"), {"policy": "forfeit", "reason": WHY})
    assert (verbs.last_log(started), verbs.running(started)) == (("olga", "round-cut-short", "1", WHY), [])


def test_an_unknown_fixture_entry_round_or_slug_is_not_found(client, robin, cup):
    foreign = Fixture.objects.filter(competition=robin)[0]
    said = {"reason": WHY}
    for rest in (f"fixtures/{foreign.pk}/annul/", "entries/0/withdraw/"):
        assert client.post(url(cup, rest), said).status_code == 404
    assert client.post(url(cup, "rounds/9/end/"), said | {"policy": "forfeit"}).status_code == 404
    assert client.post("/api/v1/competitions/nowhere/open/").status_code == 404
