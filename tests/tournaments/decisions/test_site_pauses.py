"""A pause of the site, and the time of an outage, count for no clock, and come before any end on time."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from matches.clock import CORRESPONDENCE, TimeControl
from matches.errors import MatchPaused
from matches.models import ClockExtension, Match, SitePause, Status
from matches.services import (
    expire_due,
    pause_match,
    play_move,
    resign,
    resume_match,
    site_pauses,
    start_match,
    take_vacation,
)
from matches.services.extensions import extend_bank
from matches.services.verification import verify_match
from players.models import Player, VacationDay
from rules_engine.values import Side
from streams.subscriptions import PlayerSubscription, read_missed
from tests.matches.play import YELLOW_SET_UP, reread
from tests.streams.test_subscriptions import read
from tests.tournaments.verbs import GAME, enter_all, make_cup, make_players, start
from tournaments.decisions.services.site_pauses import complete_site_pauses
from tournaments.models import Competition, Entry, EntryStatus, Fixture, LogEntry, Round
from tournaments.running.services.catch_up import catch_up
from tournaments.running.services.start import start_due_competitions
from tournaments.tasks import complete_site_pauses as sweep
from web.moments import format_moment

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
TWO_HOURS = TimeControl.of_seconds(7200, 0, 7200)
TEN_HOURS = TimeControl.of_seconds(36_000, 0, 36_000)


@pytest.fixture
def now():
    return timezone.now().replace(microsecond=0)


@pytest.fixture
def players(db) -> list[Player]:
    return make_players(4)


def begin(players: list[Player], now, control: TimeControl = TWO_HOURS, game: str = GAME) -> Match:
    return start_match(game=game, yellow=players[0], red=players[1], time_control=control, now=now)


def command(name: str, *options: str) -> str:
    said = StringIO()
    call_command(name, *options, stdout=said)
    return said.getvalue()


def give_back(begins_at, ends_at) -> str:
    return command("give_time_back", "--from", begins_at.isoformat(), "--to", ends_at.isoformat())


def test_after_an_outage_everybody_has_the_time_that_they_had_and_nothing_has_ended(players, now) -> None:
    """As documented: the site was away for two hours, and nothing but the database is there yet."""
    outage = now - 2 * HOUR, now
    cup = make_cup(slug="cup", time_bank=7200, time_increment=0, time_cap=7200)
    enter_all(cup, players, now - 4 * HOUR)
    start(cup, now - 3.5 * HOUR)
    casual = begin(players, now - 3 * HOUR)
    begun_meanwhile = begin(players, now - HOUR)
    lost_before = begin(players, now - 5 * HOUR)
    of_cup = [
        fixture.match for fixture in Fixture.objects.filter(competition=cup, match__isnull=False).order_by("match")
    ]
    Round.objects.filter(group__stage__competition=cup).update(ends_at=now - HOUR)
    assert of_cup
    assert all(match.is_late(now) for match in [casual, lost_before, *of_cup])

    assert "Given back" in give_back(*outage)
    again = give_back(*outage)
    assert "Given back" not in again
    assert again.startswith("0 matches")

    assert expire_due(now=now) == 1
    assert reread(lost_before).finished_at == now - 3 * HOUR
    catch_up(competition=Competition.objects.get(pk=cup.pk), now=now)
    assert [reread(match).deadline for match in of_cup] == [now + HOUR / 2] * len(of_cup)
    assert reread(casual).deadline == now + HOUR
    assert reread(begun_meanwhile).deadline == now + 2 * HOUR
    assert Round.objects.filter(group__stage__competition=cup).first().ends_at == now + HOUR
    saved = [casual, begun_meanwhile, *of_cup]
    assert [verify_match(match=reread(match), now=now) for match in saved] == [[]] * len(saved)
    played = play_move(match_id=casual.pk, player=players[0], ply=0, text=YELLOW_SET_UP, now=now + MINUTE)
    assert played.move.thinking == (HOUR + MINUTE) // timedelta(milliseconds=1)


@pytest.mark.parametrize("act", ["a sweep", "a move", "a resignation", "vacation"])
def test_the_row_alone_saves_a_match_from_whatever_comes_first(act, players, now) -> None:
    match = begin(players, now - 11 * 24 * HOUR if act == "vacation" else now - 3 * HOUR)
    if act == "vacation":
        match = begin(players, now - CORRESPONDENCE.bank - HOUR, CORRESPONDENCE)
    SitePause.objects.create(begins_at=now - 2 * HOUR, ends_at=now, noted_at=now)
    if act == "a sweep":
        assert expire_due(now=now) == 0
    elif act == "a move":
        play_move(match_id=match.pk, player=players[0], ply=0, text=YELLOW_SET_UP, now=now)
    elif act == "a resignation":
        assert resign(match_id=match.pk, player=players[1], now=now).ending == "resignation"
    else:
        take_vacation(player_id=players[0].pk, now=now)
        assert not VacationDay.objects.exists()
    complete_site_pauses(now=now)
    assert ClockExtension.objects.get(match=match).milliseconds == 2 * 3_600_000
    assert verify_match(match=reread(match), now=now) == []


def test_time_is_given_once_however_spans_overlap_and_pauses_of_matches_do_not_count_twice(players, now) -> None:
    match, paused = begin(players, now - 10 * HOUR, CORRESPONDENCE), begin(players, now - 10 * HOUR, CORRESPONDENCE)
    pause_match(match_id=paused.pk, now=now - 4 * HOUR)
    resume_match(match_id=paused.pk, now=now - 3 * HOUR)
    for begins_at, ends_at in [(5, 4), (4.5, 2), (7, 1), (6, 3)]:
        give_back(now - begins_at * HOUR, now - ends_at * HOUR)
    deadline = now - 10 * HOUR + CORRESPONDENCE.bank
    assert [reread(each).deadline for each in (match, paused)] == [deadline + 6 * HOUR] * 2
    assert SitePause.objects.count() == 4
    assert verify_match(match=reread(paused), now=now) == []


@pytest.mark.parametrize(
    ("moved_before", "first", "second"), [(0, 8.5, 9.5), (1, 8.5, 9.5), (2, 8.5, 9.5), (-1, 9, 10)]
)
def test_a_turn_is_charged_nothing_of_an_outage_whenever_its_time_is_given_back(
    moved_before, first, second, players, now
) -> None:
    """However many moves came before the time was given back, or if both moved in the midst of the outage."""
    match = begin(players, now - 4 * HOUR, TEN_HOURS, game="paper-soccer-1")
    side, moments = Side(match.side), (2.5, 2) if moved_before < 0 else (1, 0.5)
    for number, (text, hours) in enumerate(zip(["0", "5"], moments, strict=True)):
        if number == moved_before:
            give_back(now - 3 * HOUR, now - 1.5 * HOUR)
        match = reread(match)
        play_move(match_id=match.pk, player=match.player_to_act, ply=match.ply, text=text, now=now - hours * HOUR)
    give_back(now - 3 * HOUR, now - 1.5 * HOUR)
    match = reread(match)
    assert (match.side, match.banks[side], match.banks[side.opponent]) == (side, first * HOUR, second * HOUR)
    assert match.deadline == now + (first - min(moments[1], 1.5)) * HOUR
    assert verify_match(match=match, now=now) == []


def test_a_clock_that_an_organiser_has_extended_since_keeps_what_is_given_back(players, now) -> None:
    match = begin(players, now - 4 * HOUR, TEN_HOURS)
    extend_bank(match_id=match.pk, side=Side.YELLOW, by=HOUR, now=now - MINUTE)
    give_back(now - 3 * HOUR, now - HOUR)
    assert reread(match).deadline == now - 4 * HOUR + 13 * HOUR
    play_move(match_id=match.pk, player=players[0], ply=0, text=YELLOW_SET_UP, now=now + MINUTE)
    assert reread(match).banks.yellow == 9 * HOUR - MINUTE
    assert verify_match(match=reread(match), now=now + MINUTE) == []


def test_a_cup_starts_later_by_what_fell_into_an_outage_and_leaves_nobody_out(players, now) -> None:
    cups = {
        "within": make_cup(slug="within", starts_at=now - HOUR),
        "checked": make_cup(slug="checked", starts_at=now - MINUTE, check_in_minutes=30),
        "after": make_cup(slug="after", starts_at=now + 10 * MINUTE, check_in_minutes=60),
        "later": make_cup(slug="later", starts_at=now + 10 * MINUTE),
    }
    running = make_cup(slug="running")
    for cup in [*cups.values(), running]:
        enter_all(cup, players, now - 5 * HOUR)
    start(running, now - 4 * HOUR)
    SitePause.objects.create(begins_at=now - 2 * HOUR, ends_at=now, reason="a broken disk", noted_at=now)
    assert start_due_competitions(now=now) == 0

    complete_site_pauses(now=now)
    complete_site_pauses(now=now)
    starts = {name: Competition.objects.get(pk=cup.pk).starts_at - now for name, cup in cups.items()}
    assert starts == {"within": HOUR, "checked": 2 * HOUR - MINUTE, "after": HOUR, "later": 10 * MINUTE}
    assert start_due_competitions(now=now + 2 * MINUTE) == 0
    assert Entry.objects.filter(status=EntryStatus.ACTIVE).count() == 5 * len(players)
    lines = LogEntry.objects.filter(action="time-given-back").order_by("pk").select_related("competition")
    assert [line.competition.slug for line in lines] == ["within", "checked", "after", "running"]
    assert {(line.subject, line.reason, line.is_notified) for line in lines} == {("2 hours", "a broken disk", False)}
    assert lines[0].changes[0]["old"] == format_moment(now - HOUR)


def test_players_are_told_of_a_pause_everywhere_and_of_its_end(
    players, now, client, django_capture_on_commit_callbacks
) -> None:
    match = begin(players, now - HOUR)
    client.force_login(players[0])
    page, home, badge, listed = f"/matches/{match.pk}/", "/", "/turns/", "/api/v1/pauses/"
    assert "The site is paused" not in client.get(page).content.decode()
    assert client.get(badge).json()["pause"] == ""
    (ready,) = read(read_missed([PlayerSubscription(players[0].pk, "")])[0].events)
    until = (now + 3 * HOUR).isoformat()
    with django_capture_on_commit_callbacks(execute=True):
        command("pause_site", "--reason", "a new disk", "--until", until)
    for url in (page, home, badge):
        shown = client.get(url).content.decode()
        assert "The site is paused" in shown
        assert "a new disk" in shown
    assert "all clocks are stopped, and nobody can move. Expected to go on" in client.get(page).content.decode()
    assert client.get(f"/api/v1/matches/{match.pk}/").json()["paused_at"] is not None
    (row,) = client.get(listed).json()
    assert (row["ends_at"], row["reason"]) == (None, "a new disk")
    with django_capture_on_commit_callbacks(execute=True):
        command("resume_site")
    assert "The site is paused" not in client.get(page).content.decode()
    assert client.get(listed).json()[0]["ends_at"] is not None
    events = read(read_missed([PlayerSubscription(players[0].pk, ready.id)])[0].events)
    assert [event.data["pause"]["reason"] for event in events if event.name == "pause"] == ["a new disk"]


def test_a_completion_that_is_interrupted_is_finished_by_the_sweep(players, now, monkeypatch) -> None:
    monkeypatch.setattr(site_pauses, "BATCH", 2)
    matches = [begin(players, now - HOUR, CORRESPONDENCE) for _ in range(5)]
    store, calls = site_pauses._store, []

    def fail(changes: Any) -> None:
        calls.append(1)
        store(changes)
        if len(calls) == 2:
            raise InterruptedError

    monkeypatch.setattr(site_pauses, "_store", fail)
    with pytest.raises(InterruptedError):
        give_back(now - HOUR / 2, now)
    deadline = now - HOUR + CORRESPONDENCE.bank
    assert sorted(reread(match).deadline - deadline for match in matches) == [timedelta(0)] * 3 + [HOUR / 2] * 2
    sweep.apply(throw=True)
    sweep.apply(throw=True)
    assert {reread(match).deadline - deadline for match in matches} == {HOUR / 2}
    assert SitePause.objects.get().completed_at is not None


def test_while_the_site_is_paused_nobody_moves_or_loses_and_afterwards_all_clocks_run_on(players, now) -> None:
    match, held = begin(players, now - HOUR), begin(players, now - HOUR)
    pause_match(match_id=held.pk, now=now - MINUTE)
    assert "and 1 matches" in command("pause_site", "--reason", "a new disk")
    with pytest.raises(CommandError, match="already paused"):
        command("pause_site")
    with pytest.raises(MatchPaused):
        play_move(match_id=match.pk, player=players[0], ply=0, text=YELLOW_SET_UP, now=timezone.now())
    late = now + 9 * HOUR
    assert expire_due(now=late) == 0
    assert not resume_match(match_id=match.pk, now=late)
    begun = begin(players, late)
    complete_site_pauses(now=late)
    assert reread(begun).paused_at == late

    site_pauses.resume_site(now=late + HOUR)
    complete_site_pauses(now=late + HOUR)
    pause = SitePause.objects.get()
    assert reread(match).deadline == now + HOUR + (late + HOUR - pause.begins_at)
    assert reread(begun).deadline == late + 3 * HOUR
    assert reread(held).paused_at == now - MINUTE
    assert {each.status for each in Match.objects.all()} == {Status.PLAYING}
    assert [verify_match(match=reread(each)) for each in (match, begun, held)] == [[], [], []]
    with pytest.raises(CommandError, match="not paused"):
        command("resume_site")


@pytest.mark.parametrize(
    ("begins", "ends", "why"), [(1, 2, "must end after"), (1, -1, "be over"), (32 * 24, 1, "31 days")]
)
def test_a_time_that_is_not_over_or_too_long_is_refused(begins, ends, why, now) -> None:
    with pytest.raises(CommandError, match=why):
        give_back(now - begins * HOUR, now - ends * HOUR)
    assert not SitePause.objects.exists()


def test_staff_pause_resume_and_give_time_back_in_the_admin(players, now, client) -> None:
    match = begin(players, now - HOUR)
    client.force_login(Player.objects.create_superuser("root", password="correct horse 7"))
    form = {"begins_at_0": "", "begins_at_1": "", "ends_at_0": "", "ends_at_1": "", "reason": "a new disk"}
    add, changelist = "/admin/matches/sitepause/add/", "/admin/matches/sitepause/"
    assert client.post(add, form).status_code == 302
    assert b"already paused" in client.post(add, form).content
    complete_site_pauses(now=timezone.now())
    assert reread(match).paused_at is not None
    chosen = {"action": "resume", "_selected_action": [SitePause.objects.get().pk]}
    assert client.post(changelist, chosen).status_code == 302
    complete_site_pauses(now=timezone.now())
    assert reread(match).paused_at is None
    before = now - HOUR / 2
    span = {
        "begins_at_0": before.date(),
        "begins_at_1": before.time(),
        "ends_at_0": now.date(),
        "ends_at_1": now.time(),
    }
    assert client.post(add, form | span).status_code == 302
    complete_site_pauses(now=timezone.now())
    assert reread(match).deadline >= now + 1.5 * HOUR
    assert client.get(changelist).status_code == 200
    assert b"All of this time was given back before." in client.post(add, form | span, follow=True).content
