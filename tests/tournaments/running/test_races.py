"""Races on a real database: two at the same moment leave a competition as one after the other would."""

import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from threading import Event
from typing import Any

import pytest
from django.db import transaction
from django.db.models import Q

from formats.protocol import Record
from matches.models import Match, Status
from matches.services import expire_due, resign, take_vacation
from matches.services.adjudication import adjudicate_match
from players.models import Player
from rules_engine.values import Side
from tests.matches.test_races import race
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON, ROUND_ROBIN
from tournaments.decisions.services.pauses import pause_competition
from tournaments.decisions.services.undo.decisions import take_back_decision, what_follows_from_taking_back_decision
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.byes import request_bye
from tournaments.entries.services.invitations import accept_invitation, admit_or_invite, withdraw_invitation
from tournaments.entries.services.withdrawal import leave_competition, withdraw_entry
from tournaments.models import (
    Bye,
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    EntryInvitation,
    Fixture,
    Group,
    InvitationStatus,
    Round,
    Stage,
    Tie,
)
from tournaments.office.services.locks import lock_competition
from tournaments.office.services.option_versions import count_version
from tournaments.records.group_records import read_record
from tournaments.records.groups import first_group_id
from tournaments.rounds.services.proposed_rounds import lay_rounds
from tournaments.running.services.challenges import challenge
from tournaments.running.services.ladder_pairings import pair_ladder
from tournaments.running.services.next_rounds import pair_due_rounds, pair_round
from tournaments.running.services.settlement import follow_results, settle_finished, settle_match
from tournaments.running.services.start import start_competition, start_competition_if_due

SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
TIMEOUT = 60

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def quiet_notifications(monkeypatch):
    """Let nobody hear: what follows is done by the test itself."""
    monkeypatch.setattr("tournaments.office.services.after_commit._send", lambda *_: None)
    monkeypatch.setattr("matches.services.after_commit._send_end", lambda _: None)


def finish_all(competition):
    for fixture in verbs.running(competition):
        adjudicate_match(match_id=fixture.match_id, winner=Side.YELLOW, now=NOON)


def follow(tie):
    with transaction.atomic():
        competition = lock_competition(competition_id=tie.round.competition_id)
        follow_results(competition=competition, fixtures=list(tie.fixtures.all()), now=NOON)


def test_of_two_who_take_the_last_place_one_gets_it_and_the_competition_starts_once():
    players = verbs.make_players(12)
    for number in range(4):
        cup = verbs.make_cup(slug=f"cup-{number}", max_entrants=3, starts_when_full=True)
        verbs.enter_all(cup, players[:2])
        results = race(
            *(partial(enter_competition, competition_id=cup.pk, player=each, now=NOON) for each in players[2:5])
        )
        assert Counter(results) == Counter({"ok": 1, "competition_full": 2})
        starting = partial(start_competition_if_due, competition_id=cup.pk, now=NOON)
        assert race(starting, starting) == ["ok", "ok"]
        assert Competition.objects.get(pk=cup.pk).entrants == 3
        assert Tie.objects.filter(round__group__stage__competition=cup).count() == 2
        assert Fixture.objects.filter(competition=cup).count() == 2


def test_players_who_join_and_leave_at_once_are_all_counted():
    players = verbs.make_players(9)
    ladder = verbs.make_ladder()
    entries = verbs.enter_all(ladder, players[:5])
    verbs.start(ladder)
    joining = [partial(enter_competition, competition_id=ladder.pk, player=each, now=NOON) for each in players[5:]]
    leaving = [partial(leave_competition, entry_id=each.pk, now=NOON) for each in entries[:2]]
    assert race(*joining, *leaving) == ["ok"] * 6
    fresh = Competition.objects.get(pk=ladder.pk)
    assert (fresh.entrants, fresh.leavers) == (7, 2)


def test_an_invitation_accepted_against_its_withdrawal_the_start_itself_and_others_is_one_after_the_other():
    olga = Player.objects.create(username="olga")
    for number in range(3):
        cup = verbs.make_cup(slug=f"cup-{number}", max_entrants=3)
        cup.organisers.add(olga)
        *entered, eve, fay = verbs.make_players(4, prefix=f"p{number}")
        verbs.enter_all(cup, entered)
        about: dict[str, Any] = {"competition_id": cup.pk, "now": NOON}
        invitations = [admit_or_invite(player=player, actor=olga, **about) for player in (eve, fay)]
        accepting = [partial(accept_invitation, player=player, **about) for player in (eve, eve, fay)]
        withdrawing = partial(withdraw_invitation, invitation_id=invitations[0].pk, actor=olga, now=NOON)
        starting = partial(start_competition, actor=olga, **about)
        acts: dict[int, list[Any]] = {0: accepting, 1: [accepting[0], withdrawing], 2: [accepting[0], starting]}
        results = race(*acts[number])
        status = EntryInvitation.objects.get(pk=invitations[0].pk).status
        is_in = Entry.objects.filter(competition=cup, player=eve).exists()
        assert is_in == (status == InvitationStatus.ACCEPTED)
        assert Entry.objects.filter(competition=cup).count() <= 3
        if number == 0:
            assert sorted(results) in (["competition_full", "ok", "ok"], ["competition_full", "competition_full", "ok"])
        elif number == 1:
            assert sorted(results) == ["invitation_over", "ok"]
        else:
            assert results in (["ok", "ok"], ["entry_closed", "ok"])
            assert not is_in or Entry.objects.get(competition=cup, player=eve).seat.seed


def test_two_who_start_a_cup_at_once_start_it_once():
    for number in range(4):
        cup, _entries = verbs.open_cup(4, prefix=f"p{number}", slug=f"cup-{number}", **ROUND_ROBIN)
        starting = partial(start_competition, competition_id=cup.pk, actor=None, now=NOON)
        assert race(starting, starting) == ["ok", "ok"]
        assert Match.objects.filter(fixture__competition=cup).count() == 6


def test_options_changed_while_the_lock_was_waited_for_do_not_hide_that_groups_form_one_by_one():
    cup = verbs.make_cup(**ROUND_ROBIN)
    is_changing = Event()
    found: list[bool] = []

    def change_slowly() -> None:
        with transaction.atomic():
            locked = lock_competition(competition_id=cup.pk)
            Stage.objects.filter(competition=cup).update(grouping={"whenever": 3})
            count_version(competition=locked)
            is_changing.set()
            time.sleep(0.3)

    def look_meanwhile() -> None:
        assert is_changing.wait(TIMEOUT)
        with transaction.atomic():
            found.append(lock_competition(competition_id=cup.pk).starts_with_entries)

    with transaction.atomic():
        assert not lock_competition(competition_id=cup.pk).starts_with_entries
    assert race(change_slowly, look_meanwhile) == ["ok", "ok"]
    assert found == [True]


def test_both_legs_settled_at_once_decide_the_tie_once():
    for number in range(6):
        cup, _entries = verbs.start_cup(4, prefix=f"p{number}", slug=f"cup-{number}", legs=2, replays=1)
        finish_all(cup)
        settling = [
            partial(settle_match, match_id=each.match_id, now=NOON) for each in Fixture.objects.filter(competition=cup)
        ]
        assert set(race(*settling, *settling)) == {"ok"}
        # Yellow has won every leg, so each tie is level and has exactly one replay pair.
        assert sorted(Fixture.objects.filter(competition=cup).values_list("tie__slot", "leg")) == [
            (slot, leg) for slot in (0, 1) for leg in (1, 2, 3, 4)
        ]


def test_two_workers_who_advance_the_same_tie_start_its_legs_once():
    cup, _ = verbs.start_cup(2, legs=2)
    tie = Tie.objects.select_related("round").get(round__group__stage__competition=cup)
    for fixture in verbs.running(cup):
        adjudicate_match(match_id=fixture.match_id, winner=None, now=NOON)
    verbs.settle_all()
    Fixture.objects.filter(tie=tie, leg__gt=2).delete()
    assert race(*[partial(follow, tie)] * 3) == ["ok"] * 3
    assert sorted(Fixture.objects.filter(tie=tie).values_list("leg", flat=True)) == [1, 2, 3, 4]


def test_a_withdrawal_and_the_last_result_at_once_leave_a_sound_cup():
    for number in range(6):
        cup, entries = verbs.open_cup(2, prefix=f"p{number}", slug=f"cup-{number}", legs=1)
        verbs.start(cup)
        (fixture,) = verbs.running(cup)
        finish_all(cup)
        results = race(
            partial(settle_match, match_id=fixture.match_id, now=NOON),
            partial(withdraw_entry, entry_id=entries[0].pk, actor=entries[0].player, reason="", now=NOON),
        )
        assert results[0] == "ok"
        assert results[1] in {"ok", "wrong_competition_status"}
        verbs.settle_all()
        cup = Cup.objects.get(pk=cup.pk)
        assert cup.status == CompetitionStatus.FINISHED
        assert Tie.objects.get(round__group__stage__competition=cup).winner == cup.winner


def test_the_first_of_a_resignation_and_a_withdrawal_at_once_decides_the_tie():
    for number in range(8):
        cup, _entries = verbs.start_cup(2, prefix=f"p{number}", slug=f"cup-{number}", legs=1)
        (fixture,) = verbs.running(cup)
        leaver, stayer = fixture.yellow, fixture.red
        results = race(
            partial(resign, match_id=fixture.match_id, player=stayer.player, now=NOON + SECOND),
            partial(withdraw_entry, entry_id=leaver.pk, actor=leaver.player, reason="", now=NOON + 2 * SECOND),
        )
        verbs.settle_all()
        tie = Tie.objects.get(round__group__stage__competition=cup)
        assert tie.winner == (leaver if results[0] == "ok" else stayer)
        assert results[1] in {"ok", "wrong_competition_status"}


@pytest.mark.parametrize("days", [0, 1])
def test_acts_sweeps_and_vacation_at_once_stop_nobody_and_agree(days, settings):
    settings.VACATION_DAYS = days
    for number in range(4):
        cup, entries = verbs.open_cup(6, prefix=f"p{number}", slug=f"cup-{number}", **ROUND_ROBIN)
        verbs.start(cup)
        now = NOON + 3 * HOUR
        for minute, fixture in enumerate(verbs.running(cup)[::2]):
            Match.objects.filter(pk=fixture.match_id).update(deadline=NOON + minute * SECOND)
        results = race(
            partial(withdraw_entry, entry_id=entries[0].pk, actor=entries[0].player, reason="", now=now),
            partial(pause_competition, competition_id=cup.pk, actor=None, reason="", now=now),
            partial(expire_due, now=now),
            partial(settle_finished, now=now),
            *(partial(take_vacation, player_id=entry.player_id, now=now) for entry in entries[:3]),
        )
        assert results == ["ok"] * 7
        verbs.settle_all(now)
        timeouts = Fixture.objects.filter(competition=cup, ending="timeout")
        assert set(timeouts.values_list("finished_at", flat=True)) <= {NOON + minute * SECOND for minute in range(8)}
        assert not days or not timeouts.exists()
        lost = Fixture.objects.filter(competition=cup).filter(Q(yellow=entries[0]) | Q(red=entries[0]))
        assert not lost.filter(counted_at=None).exists()


def test_two_workers_pair_a_ladder_once():
    ladder, _entries = verbs.start_ladder(8)
    pairing = partial(pair_ladder, ladder_id=ladder.pk, now=NOON)
    assert race(pairing, pairing) == ["ok", "ok"]
    counts = Counter(entry for fixture in verbs.running(ladder) for entry in (fixture.yellow_id, fixture.red_id))
    assert set(counts.values()) == {2}


def test_two_workers_publish_the_next_round_of_a_swiss_once():
    for number in range(4):
        cup, _entries = verbs.start_cup(5, prefix=f"p{number}", slug=f"cup-{number}", format="swiss")
        finish_all(cup)
        verbs.settle_all()
        group_id = first_group_id(competition_id=cup.pk)
        pairing = partial(pair_round, group_id=group_id, now=NOON + HOUR)
        assert race(pairing, pairing, partial(pair_due_rounds, now=NOON + HOUR)) == ["ok"] * 3
        assert sorted(Round.objects.filter(group=group_id).values_list("number", flat=True)) == [1, 2]
        assert Fixture.objects.filter(round__group=group_id, round__number=2, match__isnull=False).count() == 2
        assert Bye.objects.filter(round__group=group_id, round__number=2).count() == 1


def swiss_to_pair(number: int) -> tuple[Callable[[], bool], Callable[[], Entry], Entry]:
    """Return how the second round of a new Swiss of six is drawn, how a player asks to sit it out, and the entry."""
    cup, (entry, *_others) = verbs.open_cup(
        6, prefix=f"p{number}", slug=f"cup-{number}", format="swiss", byes_on_request=True
    )
    verbs.start(cup)
    finish_all(cup)
    verbs.settle_all()
    drawing = partial(pair_round, group_id=first_group_id(competition_id=cup.pk), now=NOON + HOUR)
    asking = partial(request_bye, entry_id=entry.pk, round_number=2, actor=entry.player, now=NOON + HOUR)
    return drawing, asking, entry


def what_came_of(entry: Entry) -> tuple[int, int, int]:
    """Return the matches of the second round, and those and the byes on request of an entrant in it."""
    round_ = Round.objects.get(group__stage__competition=entry.competition_id, number=2)
    own = Fixture.objects.filter(Q(yellow=entry) | Q(red=entry), round=round_)
    sits_out = Bye.objects.filter(round=round_, seat__entry=entry, is_asked=True)
    return Fixture.objects.filter(round=round_).count(), own.count(), sits_out.count()


SITS_OUT, PLAYS = (2, 0, 1), (3, 1, 0)


def test_a_bye_asked_for_as_the_round_is_drawn_counts_or_is_refused():
    for number in range(6):
        drawing, asking, entry = swiss_to_pair(number)
        drawn, asked = race(drawing, asking)
        assert (drawn, asked, what_came_of(entry)) in {("ok", "ok", SITS_OUT), ("ok", "round_drawn", PLAYS)}


def test_a_bye_asked_for_between_the_drawing_of_a_round_and_its_publication_comes_too_late_for_it(monkeypatch):
    drawing, asking, entry = swiss_to_pair(0)
    is_read, is_asked = Event(), Event()

    def read_and_wait(group: Group) -> Record[int]:
        record = read_record(group)
        if not is_read.is_set():
            is_read.set()
            assert is_asked.wait(TIMEOUT)
        return record

    def ask_once_it_is_read() -> None:
        assert is_read.wait(TIMEOUT)
        try:
            # Publishes the round first, of which the task finds then that it is drawn.
            asking()
        finally:
            is_asked.set()

    monkeypatch.setattr("tournaments.running.services.next_rounds.read_record", read_and_wait)
    assert race(drawing, ask_once_it_is_read) == ["ok", "round_drawn"]
    assert what_came_of(entry) == PLAYS


def test_a_bye_asked_for_while_the_round_is_published_is_refused(monkeypatch):
    drawing, asking, entry = swiss_to_pair(0)
    is_publishing = Event()

    def publish_slowly(**given: Any) -> list[Round]:
        is_publishing.set()
        time.sleep(0.3)
        return lay_rounds(**given)

    def ask_meanwhile() -> None:
        assert is_publishing.wait(TIMEOUT)
        asking()

    monkeypatch.setattr("tournaments.running.services.next_rounds.lay_rounds", publish_slowly)
    assert race(drawing, ask_meanwhile) == ["ok", "round_drawn"]
    assert what_came_of(entry) == PLAYS


def test_two_challenges_at_once_keep_the_limit():
    players = verbs.make_players(6)
    ladder = verbs.make_ladder(format="challenge-ladder")
    verbs.enter_all(ladder, players)
    verbs.start(ladder)
    results = race(
        *(
            partial(challenge, ladder_id=ladder.pk, challenger=players[4], opponent=players[above], now=NOON)
            for above in (1, 2, 3)
        )
    )
    assert Counter(results) == Counter({"ok": 1, "challenge_refused": 2})
    assert Match.objects.filter(status=Status.PLAYING).count() == 1


def test_newcomers_at_once_get_positions_of_their_own():
    ladder = verbs.make_ladder(format="challenge-ladder")
    results = race(
        *(
            partial(enter_competition, competition_id=ladder.pk, player=player, now=NOON)
            for player in verbs.make_players(4)
        )
    )
    assert results == ["ok"] * 4
    assert sorted(Entry.objects.filter(competition=ladder).values_list("seats__position", flat=True)) == [1, 2, 3, 4]


def test_two_who_take_a_decision_back_take_it_back_once_while_others_look_and_settle():
    boss = Player.objects.create(username="boss", is_superuser=True)
    cup, _entries = verbs.start_cup(4, legs=1)
    first, second = verbs.running(cup)
    verbs.adjudicate(second, Side.RED, boss)
    verbs.settle_all(NOON)
    rounds = 6
    for number in range(rounds):
        now = NOON + (number + 1) * HOUR
        verbs.adjudicate(first, Side.YELLOW, boss, now)
        done: dict[str, Any] = {"actor": boss, "reason": "Sun.", "confirm": True, "now": now + HOUR / 2}
        results = race(
            partial(take_back_decision, fixture_id=first.pk, **done),
            partial(take_back_decision, fixture_id=first.pk, **done),
            partial(what_follows_from_taking_back_decision, fixture_id=second.pk, now=now + HOUR / 2),
            partial(settle_finished, now=now),
        )
        assert sorted(results[:2]) == ["nothing_to_take_back", "ok"]
        assert results[2:] == ["ok", "ok"]
        verbs.settle_all(now + HOUR / 2)
        fixture = Fixture.objects.select_related("match").get(pk=first.pk)
        assert (fixture.ending, fixture.match.status) == ("", Status.PLAYING)
        assert Fixture.objects.get(pk=second.pk).ending == "adjudication"
        assert verbs.faults_of(cup, now + HOUR) == []
    assert Match.objects.get(pk=first.match_id).spent_seeds.count() == rounds
