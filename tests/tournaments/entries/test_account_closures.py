"""A closed account ends its matches and entries, half done or not, and organisers see it."""

import re
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q
from django.test import Client

from config.schedule import SCHEDULE
from matches.clock import CORRESPONDENCE, TimeControl
from matches.errors import SeekClosed
from matches.models import Colour, Match, Seek, SeekStatus, Status
from matches.services import open_seek, resign, start_match, take_seek
from matches.services.account_closures import end_matches_of
from matches.services.rematches import offer_rematch
from matches.services.verification import verify_match
from players.errors import AccountClosed
from players.models import Player
from players.services import deactivate_player, delete_account, reactivate_player
from rules_engine.values import Ending
from tests.tournaments import verbs
from tests.tournaments.conftest import ClientOf
from tests.tournaments.verbs import NOON
from tournaments.entries.services import account_closures
from tournaments.entries.services.account_closures import finish_closing, finish_closings
from tournaments.models import Competition, CompetitionStatus, Entry, EntryInvitation, EntryStatus, LogEntry, Tie
from tournaments.office.services.locks import lock_competition
from tournaments.running.services.ladder_pairings import pair_ladder
from tournaments.tasks import finish_closing as finish_closing_task
from web.models import IdempotentResponse

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
LATER = NOON + timedelta(minutes=5)
GAME = "streetsoccer-board"


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the accounts whose background work is queued; nothing runs until a test lets it."""
    queued: list[int] = []

    def note(task: str, args: list[int], **more: Any) -> None:
        if task == finish_closing_task.name:
            queued.extend(args)

    monkeypatch.setattr("tournaments.receivers.current_app.send_task", note)
    return queued


def begin(yellow: Player, red: Player, time_control: TimeControl = CORRESPONDENCE) -> Match:
    return start_match(game=GAME, yellow=yellow, red=red, time_control=time_control, now=NOON)


def test_closing_the_account_withdraws_waiting_invitations_and_keeps_answered_ones():
    players = verbs.make_players(3)
    cups = {status: verbs.make_cup(slug=status, status=status) for status in ("open", "draft", "running", "finished")}
    for status, cup in cups.items():
        asked = None if status == "draft" else NOON
        for player in players[:2]:
            EntryInvitation.objects.create(competition=cup, player=player, created_at=NOON, asked_at=asked)
    own = EntryInvitation.objects.filter(player=players[0])
    own.filter(competition=cups["running"]).update(status="declined", answered_at=NOON)
    close(players[0])
    for _again in range(2):
        finish_closing(player_id=players[0].pk, now=LATER)
    # The log of what has ended stays as it was.
    stored = dict(own.values_list("competition__slug", "status"))
    assert stored == {"open": "withdrawn", "draft": "withdrawn", "running": "declined", "finished": "withdrawn"}
    assert set(EntryInvitation.objects.filter(player=players[1]).values_list("status", flat=True)) == {"waiting"}
    (line,) = LogEntry.objects.filter(action="invitation-withdrawn")
    assert (line.competition_id, line.subject) == (cups["open"].pk, str(players[0]))
    assert line.reason == "The account has been closed."


def close(player: Player) -> None:
    deactivate_player(player_id=player.pk, now=LATER)
    finish_closing(player_id=player.pk, now=LATER)


def test_running_matches_are_resigned_and_dated() -> None:
    leaver, other = verbs.make_players(2)
    matches = [begin(leaver, other), begin(other, leaver)]
    close(leaver)
    for match in matches:
        match.refresh_from_db()
        assert (match.status, match.ending, match.finished_at) == (Status.FINISHED, Ending.RESIGNATION, LATER)
        assert match.players[match.outcome.winner] == other
        assert verify_match(match=match) == []


def test_a_match_that_the_clock_has_decided_stays_so_decided() -> None:
    leaver, other = verbs.make_players(2)
    match = begin(leaver, other, TimeControl.of_seconds(60, 0, 60))
    Match.objects.filter(pk=match.pk).update(side="red")
    close(leaver)
    match.refresh_from_db()
    assert (match.ending, match.winner) == (Ending.TIMEOUT, "yellow")


def test_seeks_invitations_and_offers_of_rematches_end_on_both_sides() -> None:
    leaver, other = verbs.make_players(2)
    finished = begin(leaver, other)
    resign(match_id=finished.pk, player=other, now=NOON)
    terms: Any = {"game": GAME, "colour": Colour.RANDOM, "time_control": CORRESPONDENCE, "now": NOON}
    seeks = {
        "own": open_seek(creator=leaver, **terms),
        "invitation": open_seek(creator=leaver, invited=other, **terms),
        "invited": open_seek(creator=other, invited=leaver, **terms),
        "offered": offer_rematch(match_id=finished.pk, player=other, now=NOON),
        "stranger's": open_seek(creator=other, **terms),
    }
    close(leaver)
    assert {name: Seek.objects.get(pk=seek.pk).status for name, seek in seeks.items()} == {
        "own": SeekStatus.WITHDRAWN,
        "invitation": SeekStatus.WITHDRAWN,
        "invited": SeekStatus.DECLINED,
        "offered": SeekStatus.DECLINED,
        "stranger's": SeekStatus.OPEN,
    }


@pytest.mark.parametrize("system", ["points-ladder", "challenge-ladder"])
def test_a_ladder_is_left_at_once_its_games_forfeited_and_no_new_one_begins(system: str) -> None:
    ladder, entries = verbs.start_ladder(2, format=system, games_each=1, rematch_days=0)
    pair_ladder(ladder_id=ladder.pk, now=NOON)
    game = verbs.running(ladder)[0].match
    close(entries[0].player)
    game.refresh_from_db()
    assert (game.ending, game.players[game.outcome.winner]) == (Ending.FORFEIT, entries[1].player)
    verbs.settle_all()
    entries[0].refresh_from_db()
    assert (entries[0].status, entries[0].left_at) == (EntryStatus.GONE, LATER)
    assert pair_ladder(ladder_id=ladder.pk, now=LATER) == 0
    line = LogEntry.objects.get(competition=ladder.pk, action="withdrew")
    assert (line.actor, line.subject, line.reason) == (None, "player-1", "The account has been closed.")


def test_every_door_says_what_a_deletion_ends_and_renames(client_of: ClientOf, boss: Player) -> None:
    cup, entries = verbs.start_cup(4, legs=1, round_days=None)
    leaver, other = entries[0].player, entries[1].player
    ladder = verbs.make_ladder(organiser=leaver)
    verbs.enter_all(ladder, [leaver])
    played = Match.objects.get(Q(yellow=leaver) | Q(red=leaver))
    casual = [begin(leaver, other) for _each in range(7)]
    resign(match_id=casual[0].pk, player=other, now=NOON)
    resigned = ", ".join(f"{each} (match {each.pk})" for each in reversed(casual[2:]))
    follows = [
        f"6 running matches are resigned: {resigned}, 1 more.",
        f"1 running match of a competition is lost: {played} (match {played.pk}).",
        f"1 cup is left, and every match still to be played there is lost: {cup.name}.",
        f"1 ladder is left: {ladder.name}.",
        f"1 competition loses this organiser: {ladder.name}.",
        f"1 finished match stays, under the new name: {casual[0]} (match {casual[0].pk}).",
        f"The username {leaver} is replaced by closed-{leaver.pk}, in lists and logs too.",
    ]
    admin, path = client_of(boss), "/admin/players/player/"
    pages = {
        "own": client_of(leaver).get("/profile/delete/"),
        "admin": admin.get(f"{path}{leaver.pk}/delete/"),
        "bulk": admin.post(path, {"action": "delete_selected", "_selected_action": [leaver.pk, other.pk]}),
    }
    for name, page in pages.items():
        items = [" ".join(each.split()) for each in re.findall(r"<li>([^<]*)", page.content.decode())]
        assert {sentence: sentence in items for sentence in follows} == dict.fromkeys(follows, True), name
    assert (
        f"{ladder.name} has no other organiser. Add one, finish it or cancel it first."
        in pages["bulk"].content.decode()
    )
    assert Player.objects.filter(pk__in=[leaver.pk, other.pk], is_active=True).count() == 2


def test_a_cup_goes_on_without_the_closed_account() -> None:
    _cup, entries = verbs.start_cup(4, legs=1, round_days=None)
    close(entries[0].player)
    tie = Tie.objects.filter(winner__isnull=False).get()
    assert tie.decided_by == "withdrawal"
    assert tie.winner.player != entries[0].player


def test_an_entry_in_a_cup_that_has_not_started_goes_and_is_logged() -> None:
    cup, entries = verbs.open_cup(3)
    close(entries[0].player)
    assert verbs.players_in(cup) == ["player-2", "player-3"]
    assert LogEntry.objects.filter(competition=cup.pk, action="withdrew", subject="player-1").exists()


def test_a_competition_that_is_over_keeps_its_entries() -> None:
    ladder, entries = verbs.open_ladder(2)
    Competition.objects.filter(pk=ladder.pk).update(status=CompetitionStatus.FINISHED)
    close(entries[0].player)
    assert Entry.objects.filter(competition=ladder.pk, status=EntryStatus.ACTIVE).count() == 2


def test_it_is_asked_for_after_the_commit(queued: list[int], django_capture_on_commit_callbacks: Any) -> None:
    player = verbs.make_players(1)[0]
    with django_capture_on_commit_callbacks(execute=True):
        deactivate_player(player_id=player.pk, now=LATER)
    assert queued == [player.pk]


@pytest.mark.parametrize("broken", ["end_seeks_of", "withdraw_entry", "end_matches_of"])
def test_a_closing_that_was_cut_off_is_finished_by_the_sweep(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ladder = verbs.make_ladder(games_each=1)
    leaver, other = verbs.make_players(2)
    verbs.enter_all(ladder, [leaver, other])
    verbs.start(ladder)
    pair_ladder(ladder_id=ladder.pk, now=NOON)
    begin(leaver, other)
    open_seek(creator=leaver, game=GAME, colour=Colour.RANDOM, time_control=CORRESPONDENCE, now=NOON)
    deactivate_player(player_id=leaver.pk, now=LATER)

    def die(**arguments: Any) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(account_closures, broken, die)
        with pytest.raises(RuntimeError):
            finish_closing(player_id=leaver.pk, now=LATER)
    assert finish_closings(now=LATER) == 1
    assert not Seek.objects.filter(status=SeekStatus.OPEN).exists()
    assert not Match.objects.filter(status=Status.PLAYING).exists()
    assert Entry.objects.get(player=leaver).status == EntryStatus.GONE
    assert SCHEDULE["finish-closings"]["task"] == "tournaments.tasks.finish_closings"


def test_one_that_fails_stops_none_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, other = verbs.make_players(3)
    match = begin(second, other)
    deactivate_player(player_id=first.pk, now=LATER)
    deactivate_player(player_id=second.pk, now=LATER)
    end = end_matches_of

    def fail_for_the_first(*, player: Player, now: Any) -> int:
        if player == first:
            raise RuntimeError("broken")
        return end(player=player, now=now)

    monkeypatch.setattr(account_closures, "end_matches_of", fail_for_the_first)
    assert finish_closings(now=LATER) == 1
    match.refresh_from_db()
    assert match.status == Status.FINISHED


def test_a_match_that_began_before_the_closing_and_commits_after_it_is_ended_too() -> None:
    """A player who took the seek of an account that was being closed may have read that it was open."""
    leaver, other = verbs.make_players(2)
    close(leaver)
    late = begin(leaver, other)
    finish_closings(now=LATER + timedelta(seconds=10))
    late.refresh_from_db()
    assert late.status == Status.FINISHED
    assert Player.objects.get(pk=leaver.pk).closing_finished_at is None
    finished = LATER + account_closures.CLOSING_DELAY
    finish_closings(now=finished)
    assert Player.objects.get(pk=leaver.pk).closing_finished_at == finished
    assert finish_closings(now=finished) == 0


def test_an_account_that_was_switched_off_in_another_way_is_found() -> None:
    leaver, other = verbs.make_players(2)
    match = begin(leaver, other)
    Player.objects.filter(pk=leaver.pk).update(is_active=False)
    finish_closings(now=LATER)
    match.refresh_from_db()
    assert match.ending == Ending.RESIGNATION
    assert Player.objects.get(pk=leaver.pk).closed_at == LATER


def test_an_account_that_is_opened_again_enters_and_plays() -> None:
    ladder, entries = verbs.start_ladder(2, games_each=1)
    close(entries[0].player)
    player = reactivate_player(player_id=entries[0].player.pk)
    finish_closings(now=LATER)
    assert Player.objects.get(pk=player.pk).is_active
    verbs.enter(ladder, player, now=LATER)
    assert pair_ladder(ladder_id=ladder.pk, now=LATER) == 1


def test_of_a_deleted_account_the_results_stay_and_the_name_goes_from_logs_and_answers() -> None:
    cup = verbs.make_cup(legs=1)
    players = [*verbs.make_players(2), Player.objects.create(username="player-1-b")]
    for player in players:
        verbs.admit(cup, player)
    verbs.start(cup)
    IdempotentResponse.objects.create(
        player=players[0], key="k", fingerprint="f", status=200, body="{}", created_at=NOON
    )
    ghost = delete_account(player_id=players[0].pk, now=LATER)
    finish_closing(player_id=ghost.pk, now=LATER)
    verbs.settle_all()
    entered = LogEntry.objects.filter(competition=cup.pk, action="entered").order_by("pk")
    assert list(entered.values_list("subject", flat=True)) == [ghost.username, "player-2", "player-1-b"]
    assert Entry.objects.filter(competition=cup.pk, player=ghost).exists()
    assert not IdempotentResponse.objects.exists()
    page = Client().get(f"/players/{ghost.username}/")
    assert (page.status_code, b"This account is closed" in page.content) == (200, True)


def test_the_only_organiser_names_another_one_first(olga: Player, otto: Player, client_of: ClientOf) -> None:
    cup = verbs.make_cup(organiser=olga)
    verbs.make_cup(slug="over", name="Over", organiser=olga, status=CompetitionStatus.FINISHED)
    browser = client_of(olga)
    page = browser.post("/profile/delete/")
    assert page.status_code == 409
    assert "Cup has no other organiser" in page.content.decode()
    cup.organisers.add(otto)
    assert browser.post("/profile/delete/").status_code == 302
    assert list(cup.organisers.all()) == [otto]


def test_deleting_an_account_locks_organised_competitions_and_own_ladders_in_one_order(monkeypatch) -> None:
    one, other = verbs.make_players(2)
    ladders = [verbs.make_ladder(slug=f"ladder-{number}") for number in range(2)]
    for ladder in ladders:
        verbs.enter_all(ladder, [one, other], NOON)
        verbs.start(ladder, NOON)
    locked: list[int] = []

    def note(*, competition_id: int, **more: Any) -> Competition:
        if competition_id not in locked:
            locked.append(competition_id)
        return lock_competition(competition_id=competition_id, **more)

    monkeypatch.setattr(account_closures, "lock_competition", note)
    for player, (own, elsewhere) in ((one, ladders), (other, reversed(ladders))):
        own.organisers.add(player, *verbs.make_players(1, prefix=f"helps-{player.pk}"))
        locked.clear()
        delete_account(player_id=player.pk, now=NOON)
        assert locked == sorted([own.pk, elsewhere.pk])


def test_organisers_see_whose_account_was_closed_and_can_replace_them(olga: Player, client_of: ClientOf) -> None:
    cup, entries = verbs.open_cup(4, legs=1, organiser=olga)
    verbs.start(cup)
    browser = client_of(olga)
    assert "was closed" not in browser.get("/cups/cup/organise/").content.decode()
    close(entries[0].player)
    page = browser.get("/cups/cup/organise/").content.decode()
    assert re.search(r"The account player-1 was closed on <time [^>]*>1 Nov 2026[^<]*</time>", page)
    assert f"/cups/cup/organise/entries/{entries[0].pk}/replace/" in page


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_accounts_that_are_closed_while_they_are_paired_and_taken_are_left_with_nothing() -> None:
    """Half of the players are deleted while games and seeks begin: whatever came first, nothing of theirs goes on."""
    ladder = verbs.make_ladder(games_each=2, rematch_days=0)
    players = verbs.make_players(8)
    verbs.enter_all(ladder, players)
    verbs.start(ladder)
    leavers, stayers = players[:4], players[4:]
    terms: Any = {"game": GAME, "colour": Colour.RANDOM, "time_control": CORRESPONDENCE, "now": NOON}
    seeks = [open_seek(creator=leaver, **terms) for leaver in leavers]
    failures: list[BaseException] = []
    barrier = threading.Barrier(3)

    def run(work: Callable[[], None]) -> None:
        barrier.wait()
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - the test tells of it
            failures.append(error)
        finally:
            connection.close()

    def pair() -> None:
        for _ in range(6):
            pair_ladder(ladder_id=ladder.pk, now=LATER, limit=1)

    def take() -> None:
        for seek, taker in zip(seeks, stayers, strict=True):
            with suppress(AccountClosed, SeekClosed):
                take_seek(seek_id=seek.pk, player=taker, now=LATER)

    def leave() -> None:
        for leaver in leavers:
            delete_account(player_id=leaver.pk, now=LATER)
            finish_closing(player_id=leaver.pk, now=LATER)

    threads = [threading.Thread(target=run, args=(work,)) for work in (pair, take, leave)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert finish_closings(now=LATER + account_closures.CLOSING_DELAY) == 4
    left = Q(yellow__in=leavers) | Q(red__in=leavers)
    assert not Match.objects.filter(left, status=Status.PLAYING).exists()
    assert not Seek.objects.filter(creator__in=leavers, status=SeekStatus.OPEN).exists()
    assert set(Entry.objects.filter(player__in=leavers).values_list("status", flat=True)) == {EntryStatus.GONE}
    assert Player.objects.filter(closing_finished_at__isnull=False).count() == 4
