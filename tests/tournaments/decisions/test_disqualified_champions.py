"""A cheat is found in the semi-final after the final has been played: every page tells the same story."""

import json
import re
from datetime import timedelta

import pytest
from django.db.models import Q
from django.utils import timezone

from players.models import Rating
from tests.pages.html import text_of
from tests.tournaments.verbs import (
    NOON,
    ROUND_ROBIN,
    admit,
    end,
    faults_of,
    give_addresses,
    make_olga,
    recompute_tables,
    running,
    send_mails,
    start_cup,
    start_ladder,
    withdraw,
)
from tournaments.decisions.services.undo.disqualifications import (
    disqualify_entry,
    take_back_disqualification,
)
from tournaments.decisions.services.undo.withdrawals import take_back_withdrawal
from tournaments.entries.errors import EntryOver
from tournaments.models import Disqualification, EntryInvitation, Fixture
from tournaments.running.selectors.entry_conditions import reasons_not_to_enter
from tournaments.tables.services.ratings import rate_waiting

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

MINUTE = timedelta(minutes=1)
CUP = "/cups/cup/"


@pytest.fixture
def olga():
    return make_olga()


@pytest.fixture
def won(olga):
    """Return a knock-out of four with a match for third place that player-1 has won."""
    cup, _entries = start_cup(4, legs=1, third_place=True, organiser=olga, is_rated=True)
    now = NOON
    while fixtures := running(cup):
        now += MINUTE
        fixture = fixtures[0]
        end(fixture, min(fixture.yellow, fixture.red, key=lambda each: each.pk), now)
    rate_waiting(now=now)
    cup.refresh_from_db()
    return cup


def places(client):
    answer = client.get("/api/v1/competitions/cup/standings/")
    return {row["player"]["username"]: row["place"] for row in answer.json()["results"]}


def last_end(client):
    """Return the title of the latest end in the feed."""
    return re.findall("<title>(Finished: [^<]*)", client.get(f"{CUP}feed/").content.decode())[0]


def all_ratings():
    return list(Rating.objects.order_by("pk").values_list("player", "rating", "games"))


def test_a_cheat_is_found_after_the_final_and_every_page_tells_it(won, olga, client, api):
    cup, cheat = won, won.winner
    give_addresses()
    send_mails(timezone.now())
    was, ratings = places(client), all_ratings()
    client.force_login(olga)
    path = f"{CUP}organise/entries/{cheat.pk}/disqualify/"
    page = client.get(path)
    asked = text_of(page)
    sent = {"rule": "stand", "reason": "An engine.", "seen": page.context["seen"]}
    assert client.post(path, sent).status_code == 302
    cup.refresh_from_db()
    heir = cup.winner
    assert was[heir.name] == 2
    assert f"{heir} wins the competition instead of player-1." in asked
    assert places(client) == {name: None if name == "player-1" else place - 1 for name, place in was.items()}
    page, hall = text_of(client.get(CUP)), text_of(client.get("/hall-of-fame/"))
    assert "disqualified" in page
    assert str(heir) in hall
    assert "player-1" not in hall
    profile = text_of(client.get("/players/player-1/"))
    assert "Titles" not in profile
    assert "disqualified" in profile
    assert "Titles" in text_of(client.get(f"/players/{heir}/"))
    assert "Disqualified" in client.get(f"{CUP}feed/").content.decode()
    exported = json.loads(b"".join(client.get(f"{CUP}export/entries.json").streaming_content))
    assert [row["username"] for row in exported if row["disqualified_at"]] == ["player-1"]
    assert all_ratings() == ratings
    assert faults_of(cup) == []
    assert last_end(client) == f"Finished: {heir}"
    assert f"{heir} has won. Your place: 1." in send_mails(timezone.now())[heir.name]
    back = api(olga).post(
        f"/api/v1/competitions/cup/entries/{cheat.pk}/take-back-disqualification/", {"reason": "It was not."}
    )
    assert back.status_code == 200
    assert last_end(client) == "Finished: player-1"
    assert "player-1 has won." in send_mails(timezone.now())[heir.name]
    cup.refresh_from_db()
    assert (cup.winner, places(client), all_ratings()) == (cheat, was, ratings)
    assert faults_of(cup) == []


def test_who_is_disqualified_comes_back_only_if_let_in(olga):
    ladder, (cheat, *_others) = start_ladder(4, organiser=olga)
    invited = {"competition": ladder, "player": cheat.player, "status": "waiting", "asked_at": NOON}
    act = {"entry_id": cheat.pk, "confirm": True, "actor": olga, "reason": "Two accounts."}
    disqualify_entry(**act, rule=None, now=NOON + MINUTE)
    ladder.refresh_from_db()
    (refusal,) = reasons_not_to_enter(competition=ladder, player=cheat.player)
    assert refusal.code == "disqualified"
    with pytest.raises(EntryOver):
        take_back_withdrawal(**act, now=NOON + MINUTE)
    EntryInvitation.objects.create(**invited, created_at=NOON + 2 * MINUTE)
    assert reasons_not_to_enter(competition=ladder, player=cheat.player) == []
    admit(ladder, cheat.player, olga, NOON + 3 * MINUTE)
    cheat.refresh_from_db()
    assert (cheat.is_in, cheat.disqualified_at) == (True, None)


def test_lists_of_matches_say_which_are_annulled_and_an_ended_cup_shows_its_matches(olga, client):
    cup, entries = start_cup(2, **ROUND_ROBIN, organiser=olga)
    end(running(cup)[0], entries[0])
    client.force_login(olga)
    ended = f"{CUP}organise/fixtures/{Fixture.objects.get().pk}/"
    assert ended in client.get(f"{CUP}organise/fixtures/").content.decode()
    assert ended not in client.get(f"{CUP}organise/fixtures/?state=open").content.decode()
    profile = f"/players/{entries[0]}/"
    assert "won by decision" in text_of(client.get(profile))
    act = {"entry_id": entries[1].pk, "confirm": True, "actor": olga, "reason": "An engine."}
    disqualify_entry(**act, rule=Disqualification.ANNULLED, now=NOON + MINUTE)
    assert "annulled" in text_of(client.get(profile))
    assert "won" not in text_of(client.get(profile))


def test_who_had_withdrawn_before_has_withdrawn_again_when_it_is_taken_back(olga):
    cup, (leaver, *_others) = start_cup(4, **ROUND_ROBIN, organiser=olga)
    withdraw(leaver, olga)
    act = {"entry_id": leaver.pk, "confirm": True, "actor": olga, "reason": "Two accounts."}
    disqualify_entry(**act, rule=Disqualification.ANNULLED, now=NOON + MINUTE)
    assert not Fixture.objects.filter(Q(yellow=leaver) | Q(red=leaver), is_annulled=False).exists()
    take_back_disqualification(**act, now=NOON + 2 * MINUTE)
    leaver.refresh_from_db()
    assert (leaver.is_in, leaver.left_at, leaver.disqualification) == (False, NOON, "")
    lost = Fixture.objects.filter(Q(yellow=leaver) | Q(red=leaver), is_annulled=False)
    assert {each.ending for each in lost} == {"forfeit"}
    assert lost.count() == 3
    recompute_tables(competition_id=cup.pk, now=NOON + 2 * MINUTE)
    assert faults_of(cup) == []
