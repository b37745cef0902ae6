"""The check-in before the start of a cup: who can check in when, who is left out, and what taking back restores."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction

from players.models import Player
from streams.changes import read_named
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.entries.errors import CheckInNotOpen
from tournaments.entries.services.check_ins import (
    call_off_check_in,
    check_in,
    check_in_entry,
    check_in_waiting,
    open_check_in,
    take_back_check_in,
    take_back_check_in_of_waiting,
)
from tournaments.entries.services.waiting_list import join_waiting_list
from tournaments.making.services.competitions import change_competition
from tournaments.models import (
    AbsentPlayer,
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    LogEntry,
    Seat,
    Series,
    WaitingPlayer,
)
from tournaments.rounds.errors import TooFewEntrants
from tournaments.running.services.before_start import what_follows_from_starting
from tournaments.running.services.check_in_opening import open_due_check_ins
from tournaments.running.services.start import start_competition, start_due_competitions
from tournaments.tables.services.standings import recompute_stale

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)
JSON: dict[str, Any] = {"content_type": "application/json"}
OPENS = NOON + 30 * MINUTE
STARTS = NOON + 60 * MINUTE


@pytest.fixture
def cup(mia: Player) -> Cup:
    """Return a cup of players 1 to 4, organised by mia, that starts at one, with a check-in from half past twelve."""
    return make(mia)


def make(organiser: Player, players: int = 4, **options: Any) -> Cup:
    usual: dict[str, Any] = {"legs": 1, "starts_at": STARTS, "check_in_minutes": 30}
    cup, _entries = verbs.open_cup(players, **usual | options, organiser=organiser)
    return cup


@pytest.fixture
def waiters(db: None) -> list[Player]:
    return verbs.make_players(3, prefix="waiter")


def player(number: int) -> Player:
    return Player.objects.get(username=f"player-{number}")


def come(competition: Competition, *numbers: int, now: datetime = OPENS) -> None:
    for number in numbers:
        check_in(competition_id=competition.pk, player=player(number), now=now)


def read(competition: Competition) -> Cup:
    return Cup.objects.get(pk=competition.pk)


def mails(now: datetime) -> dict[str, str]:
    verbs.give_addresses()
    return verbs.send_mails(now)


def test_nobody_checks_in_before_its_time_and_everybody_can_whether_a_worker_ran_or_not(cup):
    with pytest.raises(CheckInNotOpen, match="not open yet"):
        come(cup, 1, now=OPENS - MINUTE)
    assert open_due_check_ins(now=OPENS - MINUTE) == 0
    come(cup, 1, now=OPENS + MINUTE)
    # It is dated by its time, not by who noticed.
    assert read(cup).check_in_opened_at == OPENS
    assert LogEntry.objects.get(action="check-in-opened").logged_at == OPENS
    assert verbs.entry_of(cup, "player-1").checked_in_at == OPENS + MINUTE
    come(cup, 1, now=OPENS + 2 * MINUTE)
    assert verbs.entry_of(cup, "player-1").checked_in_at == OPENS + MINUTE


def test_organisers_open_it_at_once_in_what_has_neither_a_time_nor_started(mia):
    cup = make(mia, starts_at=None, check_in_minutes=None)
    with pytest.raises(CheckInNotOpen, match="Nobody has to"):
        come(cup, 1, now=NOON)
    for _again in range(2):
        open_check_in(competition_id=cup.pk, actor=mia, now=NOON)
    assert LogEntry.objects.filter(action="check-in-opened").count() == 1
    come(cup, 1, 2, now=NOON)
    start_competition(competition_id=cup.pk, actor=mia, now=NOON)
    assert verbs.players_in(cup) == ["player-1", "player-2"]
    with pytest.raises(CheckInNotOpen, match="has started"):
        come(cup, 3, now=NOON)
    with pytest.raises(CheckInNotOpen, match="has started"):
        open_check_in(competition_id=cup.pk, actor=mia, now=NOON)


def test_neither_ladders_nor_drafts_have_one(mia):
    ladder = verbs.make_ladder(organiser=mia)
    with pytest.raises(CheckInNotOpen, match="ladder"):
        open_check_in(competition_id=ladder.pk, actor=mia, now=NOON)
    with pytest.raises(IntegrityError), transaction.atomic():
        Competition.objects.filter(pk=ladder.pk).update(check_in_minutes=30)
    draft = make(mia)
    Competition.objects.filter(pk=draft.pk).update(status=CompetitionStatus.DRAFT)
    with pytest.raises(CheckInNotOpen, match="entry"):
        open_check_in(competition_id=draft.pk, actor=mia, now=STARTS)
    assert open_due_check_ins(now=STARTS) == 0


def test_coming_in_while_the_check_in_is_open_checks_a_player_in(cup, mia, waiters):
    verbs.enter(cup, waiters[0], now=OPENS - MINUTE)
    verbs.enter(cup, waiters[1], now=OPENS)
    verbs.admit(cup, waiters[2], by=mia, now=OPENS)
    verbs.replace(verbs.entry_of(cup, "player-1"), mia, by=mia, now=OPENS)
    there = Entry.objects.filter(competition=cup, checked_in_at=OPENS).values_list("player__username", flat=True)
    assert set(there) == {"waiter-2", "waiter-3", "mia"}


def test_organisers_check_in_who_stands_in_the_room_and_take_that_back(cup, mia):
    entry = verbs.entry_of(cup, "player-1")
    with pytest.raises(CheckInNotOpen):
        check_in_entry(entry_id=entry.pk, actor=mia, now=NOON)
    assert check_in_entry(entry_id=entry.pk, actor=mia, now=OPENS).checked_in_at == OPENS
    assert take_back_check_in(entry_id=entry.pk, actor=mia, now=OPENS).checked_in_at is None


def test_at_the_start_who_has_not_checked_in_is_out_and_hears_of_it(cup):
    come(cup, 1, 3)
    mails(OPENS)
    assert start_due_competitions(now=STARTS + MINUTE) == 1
    assert (read(cup).status, verbs.players_in(cup)) == (CompetitionStatus.RUNNING, ["player-1", "player-3"])
    assert len(verbs.running(cup)) == 1
    assert LogEntry.objects.get(action="left-out").subject == "player-2, player-4"
    sent = mails(STARTS + MINUTE)
    assert "has started without you, because you had not checked in" in sent["player-2"]
    assert "without you" not in sent["player-1"]
    assert "player-2, player-4" in sent["mia"]
    assert verbs.faults_of(cup, now=STARTS + MINUTE) == []


def test_the_time_of_the_start_counts_whenever_a_worker_runs(cup):
    come(cup, 1, 2)
    # Nobody has started it yet, but its time has come: the click itself starts it.
    with pytest.raises(CheckInNotOpen, match="has started"):
        come(cup, 3, now=STARTS + MINUTE)
    start_due_competitions(now=STARTS + MINUTE)
    assert verbs.players_in(cup) == ["player-1", "player-2"]


def test_with_too_few_it_does_not_start_by_itself_and_loses_nobody_until_an_organiser_starts_it(cup, mia):
    come(cup, 1)
    assert start_due_competitions(now=STARTS) == 0
    come(cup, 2, 3, now=STARTS + MINUTE)
    # They came too late for the start at its time.
    assert start_due_competitions(now=STARTS + 2 * MINUTE) == 0
    assert (len(verbs.players_in(cup)), read(cup).status) == (4, CompetitionStatus.OPEN)
    start_competition(competition_id=cup.pk, actor=mia, now=STARTS + 3 * MINUTE)
    assert verbs.players_in(cup) == ["player-1", "player-2", "player-3"]


def test_without_any_worker_while_it_was_open_nobody_is_out(cup, mia):
    assert start_due_competitions(now=STARTS + 600 * MINUTE) == 0
    assert len(verbs.players_in(cup)) == 4
    with pytest.raises(TooFewEntrants):
        start_competition(competition_id=cup.pk, actor=mia, now=STARTS + 600 * MINUTE)


def test_a_start_by_hand_before_it_opens_takes_everybody(cup, mia):
    start_competition(competition_id=cup.pk, actor=mia, now=NOON)
    assert len(verbs.players_in(cup)) == 4


def test_a_draw_that_stands_is_made_again_without_the_absent_and_stays_if_all_are_there(cup, mia):
    come(cup, 1, 2, 3, 4)
    verbs.draw(cup, by=mia, now=OPENS, seed=7)
    take_back_check_in(entry_id=verbs.entry_of(cup, "player-4").pk, actor=mia, now=OPENS)
    start_due_competitions(now=STARTS)
    assert verbs.players_in(cup) == ["player-1", "player-2", "player-3"]
    assert Seat.objects.filter(stage__competition=cup, seed__isnull=False).count() == 3
    other = make(mia, 0, slug="other")
    for number in (1, 2, 3, 4):
        verbs.enter(other, player(number), now=OPENS)
    verbs.draw(other, by=mia, now=OPENS, seed=7)
    start_due_competitions(now=STARTS)
    assert read(other).first_stage.draw_seed == 7


def test_waiting_players_who_have_checked_in_move_up_in_order(mia, waiters):
    cup = make(mia, max_entrants=4)
    for each in waiters:
        join_waiting_list(competition_id=cup.pk, player=each, now=NOON)
    come(cup, 1, 2, 3)
    for each in reversed(waiters[1:]):
        check_in(competition_id=cup.pk, player=each, now=OPENS)
    assert what_follows_from_starting(competition_id=cup.pk, now=OPENS).sentences == [
        "4 players will play.",
        "1 player has not checked in and does not play: player-4.",
        "1 player moves up from the waiting list: waiter-2.",
        "2 players stay on the waiting list and do not play: waiter-1, waiter-3.",
    ]
    mails(OPENS)
    start_due_competitions(now=STARTS)
    assert verbs.players_in(cup) == ["player-1", "player-2", "player-3", "waiter-2"]
    assert verbs.waiting_in(cup) == ["waiter-1", "waiter-3"]
    sent = mails(STARTS)
    assert "you are now in it" in sent["waiter-2"]
    assert "no place became free" in sent["waiter-3"]
    assert "no place became free" not in sent["waiter-2"]
    assert verbs.faults_of(cup, now=STARTS) == []


def test_a_player_who_moves_up_before_the_start_keeps_their_check_in_from_the_waiting_list(mia, waiters):
    cup = make(mia, max_entrants=4)
    first, second = (join_waiting_list(competition_id=cup.pk, player=each, now=NOON) for each in waiters[:2])
    for act in (check_in_waiting, take_back_check_in_of_waiting, check_in_waiting):
        assert (act(waiting_id=second.pk, actor=mia, now=OPENS).checked_in_at is None) == (act is not check_in_waiting)
    for number in (1, 2):
        verbs.leave(verbs.entry_of(cup, f"player-{number}"), now=OPENS)
    there = dict(Entry.objects.filter(competition=cup).values_list("player__username", "checked_in_at"))
    assert (there["waiter-1"], there["waiter-2"]) == (None, OPENS)
    assert first.checked_in_at is None


def test_a_cup_that_starts_when_it_is_full_waits_until_all_have_checked_in(mia):
    cup = make(mia, 3, max_entrants=4, starts_when_full=True, starts_at=None, check_in_minutes=None)
    open_check_in(competition_id=cup.pk, actor=mia, now=NOON)
    verbs.enter(cup, verbs.make_players(1, prefix="late")[0])
    assert start_due_competitions(now=NOON) == 0
    come(cup, 1, 2, now=NOON)
    assert start_due_competitions(now=NOON) == 0
    come(cup, 3, now=NOON)
    assert start_due_competitions(now=NOON) == 1
    assert len(verbs.players_in(cup)) == 4


@pytest.mark.parametrize("form", ["knock-out", "round-robin", "swiss"])
def test_taking_back_the_start_restores_who_was_in_and_who_waited(mia, waiters, form):
    cup = make(mia, max_entrants=4, format=form)
    for each in waiters:
        join_waiting_list(competition_id=cup.pk, player=each, now=NOON)
    come(cup, 1, 2, 3)
    check_in(competition_id=cup.pk, player=waiters[1], now=OPENS)
    before = list(Entry.objects.filter(competition=cup).order_by("pk").values("pk", "player", "draw", "checked_in_at"))
    start_due_competitions(now=STARTS)
    verbs.undo_start(cup, by=mia, now=STARTS + MINUTE)
    after = list(Entry.objects.filter(competition=cup).order_by("pk").values("pk", "player", "draw", "checked_in_at"))
    assert after == before
    assert verbs.waiting_in(cup) == ["waiter-1", "waiter-2", "waiter-3"]
    assert not AbsentPlayer.objects.exists()
    assert verbs.faults_of(cup, now=STARTS + MINUTE) == []
    # Players go on checking in, and it starts by hand.
    come(cup, 4, now=STARTS + MINUTE)
    start_competition(competition_id=cup.pk, actor=mia, now=STARTS + MINUTE)
    assert verbs.players_in(cup) == ["player-1", "player-2", "player-3", "player-4"]
    recompute_stale(now=STARTS + MINUTE)
    assert verbs.faults_of(cup, now=STARTS + MINUTE) == []


def test_taking_back_brings_nobody_back_who_has_come_otherwise_left_or_closed_the_account(mia, waiters):
    cup = make(mia, 6, max_entrants=6, format="round-robin", late_entry=True)
    for each in waiters[:2]:
        join_waiting_list(competition_id=cup.pk, player=each, now=NOON)
        check_in(competition_id=cup.pk, player=each, now=OPENS)
    come(cup, 1, 2)
    start_due_competitions(now=STARTS)
    verbs.admit(cup, player(3), by=mia, now=STARTS)
    moved = Entry.objects.get(competition=cup, player=waiters[0])
    verbs.withdraw(moved, by=mia, now=STARTS)
    Player.objects.filter(username="player-4").update(is_active=False)
    verbs.undo_start(cup, by=mia, now=STARTS + MINUTE)
    assert set(verbs.players_in(cup)) == {"player-1", "player-2", "player-3", "player-5", "player-6", "waiter-2"}
    assert verbs.waiting_in(cup) == []
    assert verbs.faults_of(cup, now=STARTS + MINUTE) == []


def test_calling_it_off_lets_everybody_play_and_a_new_one_asks_anew(cup, mia):
    come(cup, 1)
    call_off_check_in(competition_id=cup.pk, actor=mia, reason="Ice.", now=OPENS)
    assert verbs.entry_of(cup, "player-1").checked_in_at is None
    with pytest.raises(CheckInNotOpen):
        come(cup, 2)
    with pytest.raises(CheckInNotOpen):
        call_off_check_in(competition_id=cup.pk, actor=mia, now=OPENS)
    assert open_due_check_ins(now=STARTS) == 0
    start_due_competitions(now=STARTS)
    assert len(verbs.players_in(cup)) == 4


def test_entrants_and_who_waits_are_told_once_when_it_opens_and_until_when(mia, waiters):
    cup = make(mia, max_entrants=4)
    join_waiting_list(competition_id=cup.pk, player=waiters[0], now=NOON)
    mails(NOON)
    assert [open_due_check_ins(now=OPENS) for _again in range(2)] == [1, 0]
    sent = mails(OPENS)
    assert {"player-1", "waiter-1"} <= set(sent)
    assert not {"waiter-2", "mia"} & set(sent)
    assert "check in on its page" in sent["player-1"]
    assert "13:00" in sent["player-1"]
    assert mails(OPENS + MINUTE) == {}
    line = LogEntry.objects.get(action="check-in-opened")
    (change,) = read_named(competition=[line.pk])
    named = Player.objects.filter(pk__in=change.sides).values_list("username", flat=True)
    assert {"player-1", "waiter-1", "mia"} <= set(named)
    assert "waiter-2" not in named


def test_a_mail_about_a_check_in_that_is_over_by_then_says_nothing(cup, mia):
    open_due_check_ins(now=OPENS)
    call_off_check_in(competition_id=cup.pk, actor=mia, now=OPENS)
    sent = mails(OPENS)
    assert "has been cancelled" in sent["player-1"]
    assert "Check in by" not in sent["player-1"]


def test_options_of_the_check_in_are_fixed_by_the_start(cup, mia):
    cup.refresh_from_db()
    cup.check_in_minutes = 45
    change_competition(competition=cup, stage=cup.first_stage, changed={"check_in_minutes"}, actor=mia, now=NOON)
    assert open_due_check_ins(now=STARTS - 45 * MINUTE) == 1
    # It stays open when the start is put off.
    cup.refresh_from_db()
    cup.starts_at = STARTS + 600 * MINUTE
    change_competition(competition=cup, stage=cup.first_stage, changed={"starts_at"}, actor=mia, now=OPENS)
    assert read(cup).is_checking_in(OPENS)
    verbs.close_entry(cup, by=mia, now=OPENS)
    come(cup, 1)
    verbs.open_entry(cup, by=mia, now=OPENS)
    assert verbs.entry_of(cup, "player-1").checked_in_at == OPENS


def test_emptying_the_option_calls_off_what_is_open(cup, mia):
    come(cup, 1)
    changed = read(cup)
    changed.check_in_minutes = None
    change_competition(
        competition=changed, stage=changed.first_stage, changed={"check_in_minutes"}, actor=mia, now=OPENS
    )
    assert (read(cup).check_in_opened_at, verbs.entry_of(cup, "player-1").checked_in_at) == (None, None)
    start_due_competitions(now=STARTS)
    assert len(verbs.players_in(cup)) == 4


def test_a_player_who_comes_after_a_start_that_failed_is_not_left_out_by_a_later_one(cup):
    come(cup, 1)
    assert start_due_competitions(now=STARTS) == 0
    come(cup, 2, 3, now=STARTS + MINUTE)
    Entry.objects.filter(pk=verbs.entry_of(cup, "player-4").pk).update(checked_in_at=OPENS)
    # Two had been there in time, as it is now.
    assert start_due_competitions(now=STARTS + 2 * MINUTE) == 0
    assert (read(cup).status, len(verbs.players_in(cup))) == (CompetitionStatus.OPEN, 4)


def test_a_season_that_waits_counts_who_has_come_until_the_last_one_ended(cup, mia):
    last = verbs.make_cup(slug="last", name="Last")
    series = Series.objects.create(name="Again", slug="again", rhythm="weekly", anchor=NOON, created_at=NOON)
    Competition.objects.filter(pk=last.pk).update(series=series, season=1)
    Competition.objects.filter(pk=cup.pk).update(series=series, season=2)
    come(cup, 1)
    assert start_due_competitions(now=STARTS) == 0
    come(cup, 2, 3, now=STARTS + 5 * MINUTE)
    Competition.objects.filter(pk=last.pk).update(status=CompetitionStatus.CANCELLED, finished_at=STARTS + 10 * MINUTE)
    assert start_due_competitions(now=STARTS + 20 * MINUTE) == 1
    assert verbs.players_in(cup) == ["player-1", "player-2", "player-3"]


def test_in_what_is_hidden_nobody_is_left_out(cup):
    come(cup, 1, 2)
    Competition.objects.filter(pk=cup.pk).update(hidden_at=OPENS)
    assert start_due_competitions(now=STARTS) == 0
    assert len(verbs.players_in(cup)) == 4


@pytest.fixture
def at_half_past() -> Iterator[None]:
    """Let it be half past twelve, when the check-in of the cup opens."""
    with time_machine.travel(OPENS, tick=False):
        yield


def test_one_click_on_the_page_checks_in_whom_it_asks(cup, mia, waiters, client_of, at_half_past):
    client = client_of(player(1))
    page = client.get("/cups/cup/").content.decode()
    assert ("Check in now" in page, "0 of 4 players have checked in" in page) == (True, True)
    assert client.post("/cups/cup/check-in/").url == "/cups/cup/"
    page = client.get("/cups/cup/").content.decode()
    assert ("You are checked in" in page, "1 of 4 players have checked in" in page) == (True, True)
    assert "/check-in/" not in page
    # A visitor who does not play sees how many are there, and no button.
    page = client_of(waiters[0]).get("/cups/cup/").content.decode()
    assert ("Players check in" in page, "/cups/cup/check-in/" in page) == (True, False)
    with time_machine.travel(OPENS - MINUTE, tick=False):
        assert "have checked in" not in client.get("/cups/cup/").content.decode()


def test_waiting_players_are_asked_to_check_in_too(mia, waiters, client_of, at_half_past):
    cup = make(mia, max_entrants=4)
    join_waiting_list(competition_id=cup.pk, player=waiters[0], now=NOON)
    client = client_of(waiters[0])
    assert "go to players on the waiting list who have" in client.get("/cups/cup/").content.decode()
    client.post("/cups/cup/check-in/")
    assert WaitingPlayer.objects.get().checked_in_at == OPENS
    assert client.get("/api/v1/competitions/cup/").json()["own_waiting"]["checked_in_at"] == "2026-11-01T12:30:00Z"


def test_organisers_see_how_many_have_checked_in_and_check_in_several(cup, mia, client_of, at_half_past):
    client = client_of(mia)
    keys = [verbs.entry_of(cup, f"player-{number}").pk for number in (1, 2, 3)]
    entries = client.get("/cups/cup/organise/entries/").content.decode()
    assert (entries.count("not checked in"), "Take back the check-in" in entries) == (4, False)
    asked = client.get("/cups/cup/organise/entries/check-in/", {"chosen": keys})
    client.post("/cups/cup/organise/entries/check-in/", {"chosen": keys, "key": asked.context["key"]})
    assert Entry.objects.filter(checked_in_at=OPENS).count() == 3
    assert "3 of 4" in client.get("/cups/cup/organise/").content.decode()
    assert "3 checked in" in client.get("/organise/").content.decode()
    entries = client.get("/cups/cup/organise/entries/").content.decode()
    assert (entries.count("not checked in"), "Take back the check-in" in entries) == (1, True)
    question = client.get("/cups/cup/organise/start/").content.decode()
    assert "1 player has not checked in and does not play: player-4." in question


def test_my_competitions_says_when_too_few_came_and_when_it_can_be_started(cup, mia, client_of):
    def read_desk() -> str:
        return str(client_of(mia).get("/organise/").content.decode())

    come(cup, 1)
    with time_machine.travel(STARTS + MINUTE, tick=False):
        assert "Its start time has passed, but 1 more player is needed." in read_desk()
        come(cup, 2, now=STARTS + MINUTE)
        assert "2 players have checked in, which is enough: you can start it." in read_desk()
        (own,) = client_of(mia).get("/api/v1/organised/").json()
        assert (own["checked_in"], own["decisions"][0]["kind"]) == (2, "checked-in")


def test_the_api_shows_the_check_in_and_takes_part(cup, mia, waiters, client_of):
    client, path = client_of(player(1)), "/api/v1/competitions/cup/"
    with time_machine.travel(NOON, tick=False):
        told = client.get(path).json()
        assert told["check_in"] == {"opens_at": "2026-11-01T12:30:00Z", "is_open": False, "checked_in": 0}
        assert told["check_in_minutes"] == 30
        refused = client.post(f"{path}check-in/", **JSON)
        assert (refused.status_code, refused.json()["code"]) == (409, "check_in_not_open")
    with time_machine.travel(OPENS, tick=False):
        assert client.post(f"{path}check-in/", **JSON).json() == {"checked_in_at": "2026-11-01T12:30:00Z"}
        told = client.get(path).json()
        assert (told["check_in"]["is_open"], told["check_in"]["checked_in"]) == (True, 1)
        assert told["entry"]["checked_in_at"] == "2026-11-01T12:30:00Z"
        assert {"kind": "check-in", "detail": "3 players have not checked in yet."}.items() <= told["waits_for"][
            0
        ].items()
        assert client_of(waiters[0]).post(f"{path}check-in/", **JSON).status_code == 404
        preview = client_of(mia).get(f"{path}start/preview/").json()
        assert preview["sentences"][1] == "3 players have not checked in and do not play: player-2, player-3, player-4."


@pytest.mark.parametrize(("kind", "status"), [("knock-out", 201), ("points-ladder", 400)])
def test_a_competition_is_made_with_a_check_in_over_the_api_unless_it_is_a_ladder(boss, client_of, kind, status):
    body = {"recipe": kind, "name": "New", "game": "paper-soccer", "check_in_minutes": 15}
    made = client_of(boss).post("/api/v1/competitions/", body, **JSON)
    assert made.status_code == status
    assert Competition.objects.filter(check_in_minutes=15).exists() == (status == 201)


def test_the_form_of_a_cup_asks_for_the_minutes_and_that_of_a_ladder_does_not(boss, client_of):
    client = client_of(boss)
    assert 'name="check_in_minutes"' in client.get("/make/knock-out/").content.decode()
    assert 'name="check_in_minutes"' not in client.get("/make/points-ladder/").content.decode()
