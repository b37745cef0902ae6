"""A cheat is found in the semi-final after the final has been played: every page tells the same story."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import Q
from django.utils import timezone

from players.models import Rating
from tests.matches.play import move_both
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
    what_follows_from_disqualifying,
)
from tournaments.decisions.services.undo.withdrawals import take_back_withdrawal
from tournaments.entries.errors import EntryOver
from tournaments.models import Disqualification, EntryInvitation, Fixture, LogEntry, Tie
from tournaments.rounds.errors import MatchesWouldBeLost
from tournaments.running.selectors.entry_conditions import reasons_not_to_enter
from tournaments.tables.services.ratings import rate_waiting

pytestmark = pytest.mark.django_db

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
    assert f"Final places change: {heir} 2 → 1, " in asked
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


def final_of(cup):
    return Fixture.objects.get(competition=cup, tie__part="main", tie__round__number=2, is_annulled=False)


def semi_final_of(entry):
    return Fixture.objects.get(Q(yellow=entry) | Q(red=entry), tie__round__number=1, is_annulled=False)


def other_in(fixture, entry):
    return fixture.red if fixture.yellow == entry else fixture.yellow


def begin_final(olga, now=NOON):
    """Return a knock-out of four in the final, who of it is the cheat, whom they beat, and whom they meet."""
    cup, (cheat, *_others) = start_cup(4, legs=1, organiser=olga, is_rated=True, now=now)
    for fixture in running(cup):
        end(fixture, cheat if cheat in {fixture.yellow, fixture.red} else fixture.yellow, now)
    return cup, cheat, other_in(semi_final_of(cheat), cheat), other_in(final_of(cup), cheat)


@pytest.mark.parametrize("has_moved", [False, True], ids=["untouched", "begun"])
def test_the_beaten_opponent_plays_the_final_until_it_is_taken_back(olga, has_moved):
    cup, cheat, beaten, finalist = begin_final(olga)
    was = final_of(cup)
    if has_moved:
        move_both(was.match)
    act = {"entry_id": cheat.pk, "actor": olga, "reason": "An engine."}
    foreseen = what_follows_from_disqualifying(entry_id=cheat.pk, rule=Disqualification.COMEBACK, now=NOON + MINUTE)
    assert f"{beaten} comes back in place of {cheat}." in foreseen.sentences
    assert [each.pk for each in foreseen.lost] == ([was.pk] if has_moved else [])
    if has_moved:
        with pytest.raises(MatchesWouldBeLost):
            disqualify_entry(**act, rule=Disqualification.COMEBACK, confirm=False, now=NOON + MINUTE)
    disqualify_entry(**act, rule=Disqualification.COMEBACK, confirm=has_moved, now=NOON + MINUTE)
    (final,) = running(cup)
    assert {final.yellow, final.red} == {beaten, finalist}
    assert list(LogEntry.objects.get(action="came-back").concerns.all()) == [beaten.player]
    assert semi_final_of(beaten).by_decision
    assert faults_of(cup) == []
    take_back_disqualification(**act, confirm=True, now=NOON + 2 * MINUTE)
    (final,) = running(cup)
    assert (final.match_id, {final.yellow, final.red}) == (was.match_id, {cheat, finalist})
    assert not semi_final_of(beaten).correction
    assert faults_of(cup) == []


@pytest.mark.parametrize("cheat_wins", [True, False], ids=["who won the final", "who lost it"])
@pytest.mark.parametrize("rule", Disqualification)
def test_the_finalist_is_champion_by_each_rule(olga, rule, cheat_wins):
    cup, cheat, _beaten, finalist = begin_final(olga)
    end(final_of(cup), cheat if cheat_wins else finalist, NOON)
    act = {"entry_id": cheat.pk, "confirm": True, "actor": olga, "reason": "An engine."}
    foreseen = what_follows_from_disqualifying(entry_id=cheat.pk, rule=rule, now=NOON + MINUTE)
    nobody = f"Nobody comes back in place of {cheat}: the bracket does not allow it."
    assert (nobody in foreseen.sentences) is (rule == Disqualification.COMEBACK and not cheat_wins)
    disqualify_entry(**act, rule=rule, now=NOON + MINUTE)
    cup.refresh_from_db()
    assert cup.winner == finalist
    assert bool(final_of(cup).correction) is (cheat_wins and rule == Disqualification.COMEBACK)
    assert faults_of(cup) == []
    take_back_disqualification(**act, now=NOON + 2 * MINUTE)
    cup.refresh_from_db()
    assert cup.winner == (cheat if cheat_wins else finalist)
    assert faults_of(cup) == []


def test_the_page_shows_what_follows_from_the_rule_that_is_chosen(olga, client, api):
    _cup, cheat, beaten, _finalist = begin_final(olga, timezone.now())
    client.force_login(olga)
    path = f"{CUP}organise/entries/{cheat.pk}/disqualify/"
    comes_back, loses = f"{beaten} comes back", f"{cheat} loses 1 unfinished match by forfeit"
    page = client.get(path)
    assert (comes_back in text_of(page), loses in text_of(page)) == (False, True)
    sent = {"rule": "comeback", "reason": "An engine.", "seen": page.context["seen"]}
    page = client.post(path, sent)
    assert (page.status_code, comes_back in text_of(page), loses in text_of(page)) == (200, True, False)
    assert client.post(path, sent | {"seen": page.context["seen"]}).status_code == 302
    cheat.refresh_from_db()
    assert cheat.disqualification == "comeback"
    (change,) = LogEntry.objects.get(action="disqualified").changes
    assert "unfinished matches" in change["old"]
    assert "in their place" in change["new"]
    preview = f"/api/v1/competitions/cup/entries/{beaten.pk}/disqualify/preview/"
    assert f"Nobody comes back in place of {beaten}" in str(api(olga).get(preview, {"results": "comeback"}).json())
    assert "comes back" not in str(api(olga).get(preview).json())


def test_results_are_lost_in_a_table_and_come_back(olga):
    robin, entries = start_cup(4, **ROUND_ROBIN, organiser=olga)
    cheat = entries[0]
    own = [each for each in running(robin) if cheat in {each.yellow, each.red}]
    for fixture, winner in zip(own, (cheat, None, other_in(own[2], cheat)), strict=True):
        end(fixture, winner, NOON)

    def results():
        rows = Fixture.objects.filter(pk__in=[each.pk for each in own]).order_by("pk")
        return [each.points.yellow if each.yellow == cheat else each.points.red for each in rows]

    assert results() == [5, 2, 0]
    act = {"entry_id": cheat.pk, "confirm": True, "actor": olga, "reason": "An engine."}
    foreseen = what_follows_from_disqualifying(entry_id=cheat.pk, rule=Disqualification.LOST, now=NOON + MINUTE)
    assert any(sentence.startswith("2 results become defeats") for sentence in foreseen.sentences)
    disqualify_entry(**act, rule=Disqualification.LOST, now=NOON + MINUTE)
    assert results() == [0, 0, 0]
    recompute_tables(competition_id=robin.pk, now=NOON + MINUTE)
    assert faults_of(robin) == []
    take_back_disqualification(**act, now=NOON + 2 * MINUTE)
    assert results() == [5, 2, 0]
    recompute_tables(competition_id=robin.pk, now=NOON + 2 * MINUTE)
    assert faults_of(robin) == []


def test_a_stage_that_is_drawn_again_and_comes_back_has_its_dates(olga, client):
    groups: dict[str, Any] = {
        "grouping": {"size": 3},
        "advance": {"first": 2},
        "later": [{"format": "knock-out", "legs": 1}],
    }
    cup, _entries = start_cup(6, **ROUND_ROBIN, **groups, organiser=olga)
    now = NOON
    while fixtures := running(cup):
        now += MINUTE
        end(fixtures[0], min(fixtures[0].yellow, fixtures[0].red, key=lambda each: each.pk), now)
    cup.refresh_from_db()
    paths = [f"/api/v1/competitions/cup/{part}" for part in ("", "bracket/")]
    before = [client.get(path).json() for path in paths]
    act = {"entry_id": cup.winner_id, "confirm": True, "actor": olga, "reason": "An engine."}
    disqualify_entry(**act, rule=Disqualification.LOST, now=now + MINUTE)
    assert len(running(cup)) == 2
    take_back_disqualification(**act, now=now + 2 * MINUTE)
    assert [client.get(path).json() for path in paths] == before
    recompute_tables(competition_id=cup.pk, now=now + 2 * MINUTE)
    assert faults_of(cup) == []


def test_a_second_final_that_the_disqualification_called_for_is_off_once_it_is_taken_back(olga):
    cup, (cheat, *_others) = start_cup(3, format="double-elimination", organiser=olga)
    while fixtures := running(cup):
        for fixture in fixtures:
            end(fixture, cheat if cheat in {fixture.yellow, fixture.red} else fixture.yellow, NOON)
    act = {"entry_id": cheat.pk, "confirm": True, "actor": olga, "reason": "An engine."}
    disqualify_entry(**act, rule=Disqualification.COMEBACK, now=NOON + MINUTE)
    cup.refresh_from_db()
    assert cup.winner not in {cheat, None}
    assert faults_of(cup) == []
    take_back_disqualification(**act, now=NOON + 2 * MINUTE)
    cup.refresh_from_db()
    assert cup.winner == cheat
    assert Tie.objects.get(part="reset").decided_by == "not-played"
    assert faults_of(cup) == []
