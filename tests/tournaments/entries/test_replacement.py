"""Another player in an entrant's place."""

import json
import random
from datetime import timedelta

import pytest
from django.test import Client

from matches.models import Match
from matches.services.adjudication import adjudicate_match
from players.models import Player
from rules_engine.values import Side
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.services.undo.replacements import take_back_replacement
from tournaments.entries.errors import EntryOver
from tournaments.entries.services.admission import admit_player
from tournaments.entries.services.replacement import what_follows_from_replacing
from tournaments.models import CompetitionStatus, Entry, EntryStatus, Fixture, LogEntry
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.errors import AlreadyEntered

pytestmark = pytest.mark.django_db

SOON = NOON + timedelta(hours=1)


@pytest.fixture
def substitute(db):
    return Player.objects.create(username="substitute")


def test_the_substitute_takes_over_seed_lot_and_results_and_begins_running_matches_again(boss, substitute):
    cup, entries = verbs.start_cup(4, legs=2, third_place=True)
    first = next(each for each in verbs.running(cup) if entries[0] in {each.yellow, each.red})
    verbs.end(first, entries[0])
    kept = Match.objects.filter(status="playing").exclude(fixture__yellow=entries[0]).exclude(fixture__red=entries[0])
    kept_ids = set(kept.values_list("pk", flat=True))
    new = verbs.replace(entries[0], substitute, by=boss)
    old = Entry.objects.get(pk=entries[0].pk)
    assert (new.seat.seed, new.draw, new.replaces, new.status) == (1, entries[0].draw, old, EntryStatus.ACTIVE)
    assert (old.status, old.seat, old.left_at) == (EntryStatus.REPLACED, None, NOON)
    verbs.settle_all()
    own = Fixture.objects.filter(competition=cup, yellow=new) | Fixture.objects.filter(competition=cup, red=new)
    assert own.filter(counted_at__isnull=False, is_annulled=False).count() == 1
    (again,) = own.filter(counted_at=None, is_annulled=False)
    assert substitute in {again.match.yellow, again.match.red}
    assert not Fixture.objects.filter(competition=cup, yellow=old).exists()
    assert kept_ids <= set(Match.objects.filter(status="playing").values_list("pk", flat=True))
    entry = LogEntry.objects.get(competition=cup, action="replaced")
    (other,) = {first.yellow, first.red} - {old}
    subject = f"{old} → substitute, with 1 result: 5–0 {other}"
    assert (entry.actor, entry.subject, entry.reason) == (boss, subject, "ill")
    assert subject in Client().get("/cups/cup/log/").content.decode()
    verbs.play_out(cup, random.Random(1))
    assert cup.status == CompetitionStatus.FINISHED


def test_the_substitute_can_win_a_tie_that_was_half_played(boss, substitute):
    cup, entries = verbs.start_cup(2, legs=2)
    first, _ = verbs.running(cup)
    verbs.end(first, entries[0])
    new = verbs.replace(entries[0], substitute, by=boss)
    verbs.settle_all()
    (again,) = verbs.running(cup)
    verbs.end(again, new)
    cup.refresh_from_db()
    assert cup.winner == new == verbs.tie_of(cup, 1, 0).winner


def test_the_substitute_keeps_results_that_nobody_has_counted_or_ended_yet(boss, substitute):
    cup, entries = verbs.start_cup(4, **ROUND_ROBIN)
    over, late, going_on = (each for each in verbs.running(cup) if entries[0] in {each.yellow, each.red})
    adjudicate_match(match_id=over.match_id, winner=Side.YELLOW, now=NOON)
    Match.objects.filter(pk=late.match_id).update(deadline=NOON)
    new = verbs.replace(entries[0], substitute, by=boss, now=SOON)
    verbs.settle_all(SOON)
    own = Fixture.objects.filter(competition=cup, yellow=new) | Fixture.objects.filter(competition=cup, red=new)
    assert sorted(own.filter(is_annulled=True).values_list("match", flat=True)) == [going_on.match_id]
    counted = own.filter(counted_at__isnull=False, is_annulled=False).order_by("match")
    assert list(counted.values_list("match", "ending")) == [(over.match_id, "adjudication"), (late.match_id, "timeout")]
    assert not Match.objects.filter(pk__in=[over.match_id, late.match_id], annulled_at__isnull=False).exists()


def test_somebody_who_has_withdrawn_is_replaced_and_what_that_decided_stays(boss, substitute):
    cup, entries = verbs.start_cup(3, **ROUND_ROBIN)
    verbs.withdraw(entries[2], by=boss)
    verbs.settle_all()
    new = verbs.replace(entries[2], substitute, by=boss)
    assert new.status == EntryStatus.ACTIVE
    assert Fixture.objects.filter(competition=cup, ending="forfeit", yellow=new).count() == 1
    (last,) = verbs.running(cup)
    verbs.end(last, Side.YELLOW)
    cup.refresh_from_db()
    assert cup.status == CompetitionStatus.FINISHED


def test_a_drawn_cup_keeps_its_draw(boss, substitute):
    cup, entries = verbs.open_cup(4)
    verbs.draw(cup)
    seed = Entry.objects.get(pk=entries[1].pk).seat.seed
    new = verbs.replace(entries[1], substitute, by=boss)
    assert new.seat.seed == seed
    assert new in {verbs.tie_of(cup, 1, slot).first for slot in (0, 1)} | {
        verbs.tie_of(cup, 1, slot).second for slot in (0, 1)
    }


def test_refusals(boss, substitute):
    _cup, entries = verbs.start_cup(3)
    with pytest.raises(AlreadyEntered):
        verbs.replace(entries[0], entries[1].player, by=boss)
    verbs.replace(entries[0], substitute, by=boss)
    with pytest.raises(EntryOver):
        verbs.replace(entries[0], boss, by=boss)
    (entry,) = verbs.enter_all(verbs.make_ladder(), [boss])
    with pytest.raises(WrongCompetitionStatus):
        verbs.replace(entry, substitute, by=boss)


def test_it_is_said_what_the_new_player_inherits_also_after_a_withdrawal(boss):
    _cup, entries = verbs.start_cup(4, **ROUND_ROBIN)
    verbs.end(next(each for each in verbs.running(_cup) if entries[0] in {each.yellow, each.red}), entries[0])
    assert what_follows_from_replacing(entry_id=entries[0].pk, now=NOON).sentences == [
        f"The new player inherits 1 result of {entries[0]}.",
        "2 running matches will start again.",
    ]
    verbs.withdraw(entries[0], by=boss)
    assert what_follows_from_replacing(entry_id=entries[0].pk, now=NOON).sentences == [
        f"The new player inherits 3 results of {entries[0]}.",
        "2 of them were lost by forfeit, and stay lost.",
        "There are no matches left to play here. New ones start only if this place goes on in the cup.",
    ]


def test_lists_of_results_name_who_played_a_match_before_the_place_was_taken_over(boss, substitute, client_of):
    cup, entries = verbs.start_cup(3, **ROUND_ROBIN)
    fixture = next(each for each in verbs.running(cup) if entries[0] in {each.yellow, each.red})
    verbs.end(fixture, entries[0])
    played = {"yellow": str(fixture.yellow), "red": str(fixture.red)}
    now = {side: name.replace(str(entries[0]), "substitute") for side, name in played.items()}
    told = f"played by {played['yellow']} – {played['red']}"
    client = client_of(boss)
    pages = ["/cups/cup/", "/cups/cup/organise/fixtures/?state=ended&player=substitute"]
    assert not any(told in client.get(page).content.decode() for page in pages)
    verbs.replace(entries[0], substitute, by=boss)
    round_of_it = f"/cups/cup/?round={fixture.round.number}"
    for page in (round_of_it, pages[1]):
        assert told in " ".join(client.get(page).content.decode().split())
    row = client.get("/api/v1/competitions/cup/fixtures/?counted=true").json()["results"][0]
    assert ({side: row[side] for side in now}, row["players"]) == (now, played)
    exported = json.loads(client.get("/cups/cup/export/results.json").getvalue())[0]
    assert [exported["played_by_yellow"], exported["played_by_red"]] == [*played.values()]


@pytest.mark.both_databases
def test_who_was_replaced_enters_again_and_has_one_place(boss, substitute, client_of):
    cup, entries = verbs.open_cup(3, legs=1)
    player, admit = entries[0].player, {"competition_id": cup.pk, "actor": boss, "now": NOON}
    verbs.replace(entries[0], substitute, by=boss)
    client, told = client_of(player), "/api/v1/competitions/cup/"
    assert (client.get(told).json()["entry"]["status"], client.get(told).json()["obstacles"]) == ("replaced", [])
    assert client.post(f"{told}enter/", {}, content_type="application/json").status_code == 201
    assert client.get(told).json()["entry"]["status"] == "active"
    with pytest.raises(AlreadyEntered):
        admit_player(player=player, **admit)
    with pytest.raises(AlreadyEntered):
        verbs.replace(entries[1], player, by=boss)
    back = {"entry_id": entries[0].pk, "confirm": True, "actor": boss, "reason": "Wrong.", "now": NOON}
    with pytest.raises(AlreadyEntered, match="has joined again since"):
        take_back_replacement(**back)
    assert client.post(f"{told}leave/", {}, content_type="application/json").status_code == 204
    again = admit_player(player=player, **admit)
    verbs.start(cup)
    assert verbs.players_in(cup) == ["player-2", "player-3", "substitute", "player-1"]
    assert [each["yellow"] for each in client.get(f"{told}fixtures/?player={player}").json()["results"]] != []
    assert client.get(f"/players/{player}/").status_code == 200
    # Replaced once more, they can have either place back, but not both.
    verbs.replace(again, Player.objects.create(username="another"), by=boss)
    take_back_replacement(**back)
    with pytest.raises(AlreadyEntered):
        take_back_replacement(**back | {"entry_id": again.pk})
    assert verbs.faults_of(cup, now=SOON) == []


def test_each_of_a_replacement_is_told_what_is_theirs_though_one_has_entered_again(boss, substitute):
    cup, entries = verbs.open_cup(3, legs=1)
    verbs.give_addresses()
    verbs.replace(entries[0], substitute, by=boss)
    admit_player(competition_id=cup.pk, player=entries[0].player, actor=boss, now=NOON)
    sent = verbs.send_mails()
    assert "has given your place in" in sent["player-1"]
    assert "has given you a place in" in sent["substitute"]
