"""Waiting lists: who may join one, who moves up when, and who hears of it."""

from datetime import timedelta
from typing import Any

import pytest
from celery import current_app
from django.contrib.auth.hashers import make_password
from django.test import Client

from players.models import Player
from streams.changes import read_named
from tests.tournaments import verbs
from tests.tournaments.decisions.undoing import FORMATS
from tests.tournaments.verbs import NOON
from tournaments.decisions.services.draws import draw_cup
from tournaments.decisions.services.undo.ends import take_back_end
from tournaments.entries.errors import AlreadyWaiting, WrongCompetitionPassword
from tournaments.entries.services.account_closures import finish_closing
from tournaments.entries.services.invitations import accept_invitation, admit_or_invite, decline_invitation
from tournaments.entries.services.waiting_list import (
    enter_from_waiting_list,
    join_waiting_list,
    leave_waiting_list,
    remove_from_waiting_list,
    take_back_removal,
)
from tournaments.entries.services.withdrawal import what_follows_from_withdrawing, withdraw_entry
from tournaments.making.services.competitions import change_competition, hide_competition, show_competition
from tournaments.models import (
    Competition,
    CompetitionStatus,
    Cup,
    Entry,
    EntryInvitation,
    InvitationStatus,
    Ladder,
    LogEntry,
    WaitingPlayer,
)
from tournaments.office.services import after_commit
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.rounds.services.draws import kept_draw
from tournaments.running.errors import (
    AlreadyEntered,
    CompetitionFull,
    EntryClosed,
    NotInvited,
    NotWaiting,
    PlacesFree,
    RatingOutOfLimits,
)
from tournaments.running.services.start import start_due_competitions

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

HOUR = timedelta(hours=1)
MINI: dict[str, Any] = {
    "format": "round-robin",
    "grouping": {"whenever": 3},
    "advance": {"first": 0, "above_percent": 50, "levels": 3},
    "late_entry": True,
    "tiebreaks": [],
}
"""A cup in which groups of three form as players come."""

JSON: dict[str, Any] = {"content_type": "application/json"}


@pytest.fixture
def cup(mia: Player) -> Cup:
    """Return a cup of two places, both taken by players 1 and 2, that mia organises, who is not on the staff."""
    return make_full_cup(mia)


def make_full_cup(organiser: Player, **options: Any) -> Cup:
    cup, _entries = verbs.open_cup(2, **{"max_entrants": 2, "legs": 1} | options, organiser=organiser)
    return cup


@pytest.fixture
def waiters(db: None) -> list[Player]:
    return verbs.make_players(3, prefix="waiter")


def wait(competition: Competition, *players: Player, **given: Any) -> list[WaitingPlayer]:
    return [join_waiting_list(competition_id=competition.pk, player=each, now=NOON, **given) for each in players]


def change(competition: Competition, actor: Player, **options: Any) -> None:
    competition.refresh_from_db()
    for name, value in options.items():
        setattr(competition, name, value)
    change_competition(
        competition=competition, stage=competition.first_stage, changed=set(options), actor=actor, now=NOON
    )


def test_players_wait_in_order_and_joining_again_has_no_effect(cup, waiters):
    first, _second = wait(cup, *waiters[:2])
    assert wait(cup, waiters[0]) == [first]
    assert (verbs.waiting_in(cup), verbs.players_in(cup)) == (["waiter-1", "waiter-2"], ["player-1", "player-2"])


def test_nobody_waits_while_a_place_is_free_or_who_is_in(cup, mia, waiters):
    with pytest.raises(AlreadyEntered):
        wait(cup, verbs.entry_of(cup, "player-1").player)
    change(cup, mia, max_entrants=3)
    with pytest.raises(PlacesFree):
        wait(cup, waiters[0])


def test_the_conditions_are_those_of_joining(mia, waiters):
    cup = make_full_cup(mia, password=make_password("goal"))
    with pytest.raises(WrongCompetitionPassword):
        wait(cup, waiters[0], password="foul")
    wait(cup, waiters[0], password="goal")
    change(cup, mia, password="", min_rating=2500)
    with pytest.raises(RatingOutOfLimits):
        wait(cup, waiters[1])
    change(cup, mia, min_rating=None, by_invitation=True)
    with pytest.raises(NotInvited):
        wait(cup, waiters[1])
    change(cup, mia, by_invitation=False)
    verbs.close_entry(cup, by=mia)
    with pytest.raises(EntryClosed):
        wait(cup, waiters[1])


def test_the_list_ends_with_the_start_even_where_players_join_later(mia, waiters):
    ladder, _entries = verbs.open_ladder(2, max_entrants=2)
    wait(ladder, waiters[0])
    verbs.start(ladder)
    with pytest.raises(EntryClosed, match="waiting list is closed"):
        wait(ladder, waiters[1])
    verbs.leave(verbs.entry_of(ladder, "player-1"))
    # Players who waited join like everybody else, and have no place in line.
    assert verbs.players_in(ladder) == ["player-2"]
    verbs.enter(ladder, waiters[1])
    with pytest.raises(CompetitionFull):
        verbs.enter(ladder, waiters[0])


def test_the_invited_wait_past_password_and_rating_and_have_accepted_by_it(mia, waiters):
    cup = make_full_cup(mia, min_rating=2500, by_invitation=True)
    waiter = waiters[0]
    admit_or_invite(competition_id=cup.pk, player=waiter, actor=mia, now=NOON)
    wait(cup, waiter)
    assert EntryInvitation.objects.get().status == InvitationStatus.ACCEPTED
    with pytest.raises(AlreadyWaiting):
        decline_invitation(competition_id=cup.pk, player=waiter, now=NOON)
    verbs.leave(verbs.entry_of(cup, "player-1"))
    assert verbs.players_in(cup) == ["player-2", "waiter-1"]
    assert accept_invitation(competition_id=cup.pk, player=waiter, now=NOON).player == waiter


def test_the_first_moves_up_when_somebody_leaves_or_is_withdrawn(cup, mia, waiters):
    wait(cup, *waiters)
    verbs.leave(verbs.entry_of(cup, "player-1"))
    assert (verbs.players_in(cup), verbs.waiting_in(cup)) == (["player-2", "waiter-1"], ["waiter-2", "waiter-3"])
    verbs.withdraw(verbs.entry_of(cup, "player-2"), by=mia)
    assert (verbs.players_in(cup), verbs.waiting_in(cup)) == (["waiter-1", "waiter-2"], ["waiter-3"])
    assert Entry.objects.get(player=waiters[1]).seat is not None


def test_as_many_move_up_as_the_limit_is_raised_by_and_all_without_one(cup, mia, waiters):
    wait(cup, *waiters)
    change(cup, mia, max_entrants=4)
    assert (verbs.players_in(cup)[2:], verbs.waiting_in(cup)) == (["waiter-1", "waiter-2"], ["waiter-3"])
    change(cup, mia, max_entrants=None)
    assert verbs.waiting_in(cup) == []


def test_nobody_moves_up_while_there_are_more_players_than_places(cup, mia, waiters):
    verbs.admit(cup, mia, by=mia)
    wait(cup, waiters[0])
    verbs.leave(verbs.entry_of(cup, "player-1"))
    assert verbs.waiting_in(cup) == ["waiter-1"]
    verbs.leave(verbs.entry_of(cup, "player-2"))
    assert verbs.players_in(cup) == ["mia", "waiter-1"]


def test_the_list_moves_up_while_entry_is_closed(cup, mia, waiters):
    wait(cup, waiters[0])
    verbs.close_entry(cup, by=mia)
    verbs.leave(verbs.entry_of(cup, "player-1"))
    assert verbs.players_in(cup) == ["player-2", "waiter-1"]


def test_a_draw_that_stands_keeps_everybody_waiting_until_it_is_discarded(cup, mia, waiters):
    wait(cup, *waiters)
    verbs.draw(cup, by=mia)
    change(cup, mia, max_entrants=3)
    assert verbs.players_in(cup) == ["player-1", "player-2"]
    verbs.open_entry(cup, by=mia)
    assert verbs.players_in(cup)[2:] == ["waiter-1"]
    verbs.draw(cup, by=mia)
    # A player who leaves discards the draw, and frees a place.
    verbs.leave(verbs.entry_of(cup, "player-1"))
    assert verbs.players_in(cup) == ["player-2", "waiter-1", "waiter-2"]
    assert verbs.faults_of(cup) == []


def test_nobody_moves_up_into_what_is_hidden_and_who_waits_can_leave_it(cup, mia, waiters, client_of):
    wait(cup, *waiters)
    hide_competition(competition_id=cup.pk, actor=mia, now=NOON)
    verbs.leave(verbs.entry_of(cup, "player-1"))
    assert verbs.players_in(cup) == ["player-2"]
    client = client_of(waiters[0])
    assert client.post("/cups/cup/waiting-list/leave/").url == "/cups/"
    assert client_of(waiters[1]).post("/api/v1/competitions/cup/waiting-list/leave/", **JSON).status_code == 204
    assert client.post("/cups/cup/waiting-list/leave/").status_code == 404
    show_competition(competition_id=cup.pk, actor=mia, now=NOON)
    assert (verbs.players_in(cup), verbs.waiting_in(cup)) == (["player-2", "waiter-3"], [])


def test_a_player_who_may_not_play_any_more_is_passed_over(cup, mia, waiters):
    guest, computer = waiters[:2]
    change(cup, mia, is_rated=False, admits_computers=True)
    Player.objects.filter(pk=guest.pk).update(is_guest=True)
    Player.objects.filter(pk=computer.pk).update(is_computer=True)
    wait(cup, *(Player.objects.get(pk=each.pk) for each in waiters))
    change(cup, mia, is_rated=True, admits_computers=False)
    verbs.leave(verbs.entry_of(cup, "player-1"))
    assert (verbs.players_in(cup), verbs.waiting_in(cup)) == (["player-2", "waiter-3"], ["waiter-1", "waiter-2"])
    verbs.leave(verbs.entry_of(cup, "player-2"))
    change(cup, mia, admits_computers=True)
    assert (verbs.players_in(cup), verbs.waiting_in(cup)) == (["waiter-3", "waiter-2"], ["waiter-1"])


def test_a_closed_account_leaves_the_list_and_frees_its_place(cup, waiters):
    wait(cup, *waiters)
    for player in (waiters[0], verbs.entry_of(cup, "player-1").player):
        Player.objects.filter(pk=player.pk).update(is_active=False, closed_at=NOON)
        finish_closing(player_id=player.pk, now=NOON)
    assert (verbs.players_in(cup), verbs.waiting_in(cup)) == (["player-2", "waiter-2"], ["waiter-3"])


def test_a_player_who_comes_in_another_way_leaves_the_waiting_list(cup, mia, waiters):
    wait(cup, *waiters)
    verbs.admit(cup, waiters[1], by=mia)
    verbs.replace(verbs.entry_of(cup, "player-1"), waiters[2], by=mia)
    assert (verbs.players_in(cup), verbs.waiting_in(cup)) == (["player-2", "waiter-2", "waiter-3"], ["waiter-1"])


def test_a_cup_that_starts_when_full_starts_when_who_moves_up_fills_it(mia, waiters):
    # With three places, groups of two cannot be played, so it does not start at once.
    cup = make_full_cup(mia, max_entrants=2, starts_at=NOON + HOUR)
    wait(cup, *waiters)
    change(cup, mia, max_entrants=4, starts_when_full=True)
    assert len(verbs.players_in(cup)) == 4
    assert start_due_competitions(now=NOON) == 1
    cup.refresh_from_db()
    assert (cup.status, verbs.waiting_in(cup)) == (CompetitionStatus.RUNNING, ["waiter-3"])
    # A full cup that has started takes nobody on a list.
    with pytest.raises(EntryClosed):
        wait(cup, mia)


def test_a_start_and_an_end_that_are_taken_back_find_the_list_as_it_was(mia, waiters):
    cup = make_full_cup(mia, max_entrants=3)
    verbs.admit(cup, mia, by=mia)
    wait(cup, *waiters)
    verbs.start(cup)
    verbs.withdraw(verbs.entry_of(cup, "player-1"), by=mia)
    assert verbs.waiting_in(cup) == ["waiter-1", "waiter-2", "waiter-3"]
    verbs.undo_start(cup, by=mia)
    # The draw stands, so nobody has moved up into the place of who has left meanwhile.
    assert verbs.waiting_in(cup) == ["waiter-1", "waiter-2", "waiter-3"]
    verbs.open_entry(cup, by=mia)
    assert verbs.waiting_in(cup) == ["waiter-2", "waiter-3"]
    verbs.cancel(cup, by=mia)
    with pytest.raises(WrongCompetitionStatus):
        remove_from_waiting_list(waiting_id=WaitingPlayer.objects.first().pk, actor=mia, reason="No.", now=NOON)
    take_back_end(competition_id=cup.pk, actor=mia, reason="Sun.", now=NOON)
    assert verbs.waiting_in(cup) == ["waiter-2", "waiter-3"]
    assert verbs.faults_of(cup) == []


def test_verification_finds_who_waits_for_a_place_that_is_free_and_who_is_in(cup, waiters):
    WaitingPlayer.objects.create(competition=cup, player=verbs.entry_of(cup, "player-1").player, joined_at=NOON)
    assert verbs.faults_of(cup) == ["Cup: player-1 is in it, and on its waiting list."]
    WaitingPlayer.objects.all().delete()
    wait(cup, *waiters)
    Competition.objects.filter(pk=cup.pk).update(max_entrants=3)
    faults = verbs.faults_of(cup)
    assert faults == ["Cup: waiter-1 waits although a place is free."]


def test_a_player_who_moves_up_starts_the_first_group_where_groups_form_one_by_one(
    mia, waiters, monkeypatch, django_capture_on_commit_callbacks
):
    cup = make_full_cup(mia, max_entrants=3, starts_at=NOON + HOUR, **MINI)
    verbs.enter(cup, waiters[0])
    wait(cup, waiters[1])
    queued: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(current_app, "send_task", lambda task, args, **_more: queued.append((task, args)))
    with django_capture_on_commit_callbacks(execute=True):
        change(cup, mia, max_entrants=4, starts_at=None)
    assert len(verbs.players_in(cup)) == 4
    assert (after_commit.START_COMPETITION, [cup.pk]) in queued


def test_the_log_says_first_that_there_are_more_places_and_then_who_moved_up(cup, mia, waiters):
    wait(cup, waiters[0])
    change(cup, mia, max_entrants=3)
    actions = LogEntry.objects.filter(competition=cup).order_by("-pk").values_list("action", flat=True)
    assert list(actions[:3]) == ["moved-up", "full", "conditions-changed"]


@pytest.fixture
def left(mia: Player) -> Ladder:
    """Return a full ladder, open again after its start, that player 1 has left; mia organises it."""
    ladder = verbs.make_ladder(max_entrants=2, password=make_password("goal"), organiser=mia)
    verbs.enter_all(ladder, verbs.make_players(3)[:2])
    verbs.start(ladder)
    verbs.withdraw(verbs.entry_of(ladder, "player-1"), by=mia)
    verbs.undo_start(ladder, by=mia)
    verbs.open_entry(ladder, by=mia)
    verbs.admit(ladder, Player.objects.get(username="player-3"), by=mia)
    return Ladder.objects.get(pk=ladder.pk)


def test_a_player_who_has_left_a_ladder_moves_up_into_the_entry_they_had(left, mia, waiters):
    entry = verbs.entry_of(left, "player-1")
    assert entry.status == "gone"
    wait(left, entry.player)
    wait(left, waiters[0], password="goal")
    assert verbs.waiting_in(left) == ["player-1", "waiter-1"]
    change(left, mia, max_entrants=4)
    assert (sorted(verbs.players_in(left)), verbs.waiting_in(left)) == (
        ["player-1", "player-2", "player-3", "waiter-1"],
        [],
    )
    entry.refresh_from_db()
    assert (entry.status, entry.left_at) == ("active", None)
    assert verbs.faults_of(left) == []


def test_a_player_who_has_left_a_ladder_is_offered_its_list_sees_the_place_and_can_leave(left, client_of):
    client = client_of(verbs.entry_of(left, "player-1").player)
    page = client.get("/ladders/ladder/").content.decode()
    assert ("You have left" in page, "Join the waiting list" in page) == (True, True)
    # A player who has been let in before gives no password.
    assert 'name="password"' not in page
    assert client.post("/ladders/ladder/waiting-list/join/").status_code == 302
    page = client.get("/ladders/ladder/").content.decode()
    assert ("You are number 1 on the waiting list" in page, "Leave the waiting list" in page) == (True, True)
    told = client.get("/api/v1/competitions/ladder/").json()
    assert (told["own_waiting"]["place"], told["can_wait"]) == (1, False)
    client.post("/ladders/ladder/waiting-list/leave/")
    assert verbs.waiting_in(left) == []
    assert client.get("/api/v1/competitions/ladder/").json()["can_wait"] is True


def test_an_organiser_enters_somebody_out_of_turn_or_takes_them_off(cup, mia, waiters):
    _one, two, three = wait(cup, *waiters)
    # They have asked themselves, so nobody asks them again.
    assert enter_from_waiting_list(waiting_id=two.pk, actor=mia, now=NOON).player == waiters[1]
    remove_from_waiting_list(waiting_id=three.pk, actor=mia, reason="No.", now=NOON)
    assert (verbs.players_in(cup)[2:], verbs.waiting_in(cup)) == (["waiter-2"], ["waiter-1"])
    for act in (enter_from_waiting_list, remove_from_waiting_list):
        with pytest.raises(NotWaiting):
            act(waiting_id=three.pk, actor=mia, now=NOON)


def test_who_was_entered_out_of_turn_and_is_withdrawn_has_the_old_place_again(cup, mia, waiters):
    _one, two, _three = before = wait(cup, *waiters)
    for _again in range(2):
        entry = enter_from_waiting_list(waiting_id=two.pk, actor=mia, now=NOON)
        assert verbs.waiting_in(cup) == ["waiter-1", "waiter-3"]
        with pytest.raises(NotWaiting):
            take_back_removal(waiting_id=two.pk, actor=mia, now=NOON)
        said = what_follows_from_withdrawing(entry_id=entry.pk, now=NOON).sentences
        assert said == ["waiter-2 is on the waiting list again, in the old place."]
        withdraw_entry(entry_id=entry.pk, actor=mia, reason="Wrong button.", now=NOON + HOUR)
        assert verbs.waiting_in(cup) == ["waiter-1", "waiter-2", "waiter-3"]
        assert list(WaitingPlayer.objects.order_by("pk")) == before
    verbs.leave(enter_from_waiting_list(waiting_id=two.pk, actor=mia, now=NOON))
    assert not WaitingPlayer.objects.filter(pk=two.pk).exists()


@pytest.mark.parametrize(
    "options",
    [{}, {"seeding": "draw"}, {"format": "swiss"}, FORMATS["groups then knock-out"]],
    ids=["knock-out", "by draw", "swiss", "groups"],
)
def test_a_draw_is_back_once_an_entry_that_discarded_it_is_taken_back(mia, waiters, options):
    cup, _entries = verbs.open_cup(6, max_entrants=6, organiser=mia, **options)
    others = wait(cup, *waiters)
    draw_cup(cup_id=cup.pk, actor=mia, now=NOON, order=[entry.pk for entry in cup.entries.order_by("-pk")])
    drawn = drawn_of(cup)
    entries = [enter_from_waiting_list(waiting_id=each.pk, actor=mia, now=NOON) for each in others[:2]]
    assert drawn_of(cup) is None
    for entry in entries:
        assert drawn_of(cup) is None
        withdraw_entry(entry_id=entry.pk, actor=mia, reason="Wrong button.", now=NOON + HOUR)
    assert drawn_of(cup) == drawn
    assert verbs.waiting_in(cup) == ["waiter-1", "waiter-2", "waiter-3"]
    assert verbs.faults_of(cup) == []
    # What was drawn for others, or by other rules, does not come back.
    entry = enter_from_waiting_list(waiting_id=others[0].pk, actor=mia, now=NOON)
    verbs.withdraw(verbs.entry_of(cup, "player-1"), by=mia)
    withdraw_entry(entry_id=entry.pk, actor=mia, reason="Wrong button.", now=NOON + HOUR)
    assert drawn_of(cup) is None


def drawn_of(cup):
    """Return who meets whom in which group, the seed and the status; nothing without a draw."""
    draw = kept_draw(competition=Cup.objects.get(pk=cup.pk))
    return draw and (draw, Competition.objects.get(pk=cup.pk).status)


def test_a_player_who_is_taken_off_the_list_does_not_come_back_by_the_invitation(mia, waiters):
    cup = make_full_cup(mia, by_invitation=True)
    admit_or_invite(competition_id=cup.pk, player=waiters[0], actor=mia, now=NOON)
    (waiting,) = wait(cup, waiters[0])
    remove_from_waiting_list(waiting_id=waiting.pk, actor=mia, reason="No.", now=NOON)
    with pytest.raises(NotInvited):
        wait(cup, waiters[0])


def test_who_was_taken_off_has_the_old_place_again_unless_they_have_joined_again(client_of, mia, waiters):
    cup = make_full_cup(mia, by_invitation=True)
    for each in waiters:
        admit_or_invite(competition_id=cup.pk, player=each, actor=mia, now=NOON)
    first, second, _third = wait(cup, *waiters)
    for each in (first, second):
        remove_from_waiting_list(waiting_id=each.pk, actor=mia, reason="No.", now=NOON)
    client = client_of(mia)
    page = client.get("/cups/cup/organise/waiting-list/").content.decode()
    assert page.index("waiter-3") < page.index("Removed") < page.index("waiter-1")
    verbs.give_addresses()
    verbs.send_mails()
    for _again in range(2):
        assert client.post(f"/cups/cup/organise/waiting-list/{second.pk}/take-back-removal/").status_code == 302
    assert verbs.waiting_in(cup) == ["waiter-2", "waiter-3"]
    assert client_of(waiters[2]).get("/api/v1/competitions/cup/").json()["own_waiting"]["place"] == 2
    assert "in your old place" in verbs.send_mails()["waiter-2"]
    # The first moves up at once: a place is free.
    verbs.leave(verbs.entry_of(cup, "player-1"))
    assert verbs.players_in(cup)[-1] == "waiter-2"
    change(cup, mia, max_entrants=3)
    assert (verbs.players_in(cup)[-1], verbs.waiting_in(cup)) == ("waiter-3", [])
    change(cup, mia, max_entrants=4)
    take_back_removal(waiting_id=first.pk, actor=mia, now=NOON)
    assert (verbs.players_in(cup)[-1], verbs.waiting_in(cup)) == ("waiter-1", [])


def test_who_joins_the_list_again_after_a_removal_is_its_last(cup, mia, waiters):
    first, _second = wait(cup, *waiters[:2])
    remove_from_waiting_list(waiting_id=first.pk, actor=mia, reason="No.", now=NOON)
    wait(cup, waiters[0])
    assert verbs.waiting_in(cup) == ["waiter-2", "waiter-1"]
    with pytest.raises(NotWaiting):
        take_back_removal(waiting_id=first.pk, actor=mia, now=NOON)


def test_each_hears_once_of_what_concerns_them_and_nobody_else(cup, mia, otto, waiters):
    cup.organisers.add(otto)
    cup.helpers.add(verbs.make_players(1, prefix="helper")[0])
    verbs.give_addresses()
    verbs.send_mails()
    wait(cup, *waiters)
    sent = verbs.send_mails()
    assert set(sent) == {"mia", "otto"}
    assert "waiter-1 is on the waiting list of Cup now." in sent["mia"]
    assert verbs.send_mails() == {}

    leave_waiting_list(competition_id=cup.pk, player=waiters[2], now=NOON)
    sent = verbs.send_mails()
    assert set(sent) == {"mia", "otto"}
    assert "waiter-3 is no longer on the waiting list of Cup." in sent["otto"]

    verbs.leave(verbs.entry_of(cup, "player-1"))
    sent = verbs.send_mails()
    assert set(sent) == {"mia", "otto", "waiter-1"}
    assert "You have moved up from the waiting list of Cup: you are now in it." in sent["waiter-1"]
    assert "waiter-1 has moved up from the waiting list, and plays in Cup." in sent["mia"]
    (moved,) = read_named(competition=[LogEntry.objects.get(action="moved-up").pk])
    assert set(moved.sides) == {waiters[0].pk, mia.pk, otto.pk}
    assert verbs.send_mails() == {}

    remove_from_waiting_list(
        waiting_id=WaitingPlayer.objects.get(player=waiters[1]).pk, actor=mia, reason="Too late.", now=NOON
    )
    sent = verbs.send_mails()
    assert set(sent) == {"waiter-2"}
    assert "mia has removed you from the waiting list of Cup." in sent["waiter-2"]
    assert "Too late." in sent["waiter-2"]
    page = Client().get("/cups/cup/log/").content.decode()
    assert ("moved up from the waiting list" in page, "waiter-1" in page, "waiter-2" in page) == (True, True, False)


def test_a_player_who_still_waits_hears_of_the_start_and_again_of_another_one(cup, mia, waiters):
    verbs.give_addresses()
    wait(cup, waiters[0])
    verbs.send_mails()
    for _ in range(2):
        verbs.start(cup)
        sent = verbs.send_mails()
        assert "Cup has started, and no place became free for you." in sent["waiter-1"]
        assert all("no place became free" not in text for name, text in sent.items() if name != "waiter-1")
        assert verbs.send_mails() == {}
        verbs.undo_start(cup, by=mia)
        verbs.send_mails()


def test_a_waiting_player_hears_that_it_is_cancelled_only_before_the_start(cup, mia, waiters):
    verbs.give_addresses()
    wait(cup, waiters[0])
    verbs.send_mails()
    verbs.cancel(cup, by=mia)
    assert "Cup is cancelled, and you were on its waiting list." in verbs.send_mails()["waiter-1"]
    take_back_end(competition_id=cup.pk, actor=mia, reason="Sun.", now=NOON)
    verbs.start(cup)
    verbs.send_mails()
    verbs.cancel(cup, by=mia)
    assert "waiter-1" not in verbs.send_mails()


def test_the_page_offers_the_list_says_the_place_and_lets_leave(cup, mia, waiters, client_of):
    clients = [client_of(each) for each in waiters[:2]]
    for client in clients:
        assert "Join the waiting list" in client.get("/cups/cup/").content.decode()
        assert client.post("/cups/cup/waiting-list/join/").status_code == 302
    page = clients[1].get("/cups/cup/").content.decode()
    assert ("You are number 2 on the waiting list" in page, "Join the waiting list" in page) == (True, False)
    assert (
        "Join the waiting list"
        not in client_of(verbs.entry_of(cup, "player-1").player).get("/cups/cup/").content.decode()
    )
    clients[0].post("/cups/cup/waiting-list/leave/")
    assert "You are number 1 on the waiting list" in clients[1].get("/cups/cup/").content.decode()
    assert verbs.waiting_in(cup) == ["waiter-2"]


def test_the_invited_are_offered_the_list_beside_the_answer(cup, mia, waiters, client_of):
    admit_or_invite(competition_id=cup.pk, player=waiters[0], actor=mia, now=NOON)
    page = client_of(waiters[0]).get("/cups/cup/").content.decode()
    assert ("You are invited" in page, "Join the waiting list" in page) == (True, True)


def test_organisers_see_the_list_and_act_on_it(cup, mia, waiters, client_of):
    one, two = wait(cup, *waiters[:2])
    client = client_of(mia)
    page = client.get("/cups/cup/organise/waiting-list/").content.decode()
    assert page.index("waiter-1") < page.index("waiter-2")
    base = "/cups/cup/organise/waiting-list/"
    assert client.post(f"{base}{two.pk}/enter/", {"reason": ""}).url == base
    assert client.post(f"{base}{one.pk}/remove/", {"reason": "No."}).url == base
    assert (verbs.players_in(cup)[2:], verbs.waiting_in(cup)) == (["waiter-2"], [])
    assert "Nobody is waiting." in client.get(base).content.decode()


def test_the_api_joins_tells_lists_acts_and_leaves(cup, mia, waiters, client_of):
    api = "/api/v1/competitions/cup/"
    clients = [client_of(each) for each in waiters]
    assert clients[0].get(api).json()["can_wait"] is True
    joined = [client.post(f"{api}waiting-list/join/", {}, **JSON) for client in clients]
    assert [(each.status_code, each.json()["place"]) for each in joined] == [(201, 1), (201, 2), (201, 3)]
    told = clients[1].get(api).json()
    assert (told["waiting"], told["own_waiting"]["place"], told["can_wait"]) == (3, 2, False)
    assert clients[0].post(f"{api}waiting-list/leave/", **JSON).status_code == 204
    organiser = client_of(mia)
    rows = organiser.get(f"{api}waiting-list/").json()["results"]
    assert [row["player"] for row in rows] == ["waiter-2", "waiter-3"]
    limited = organiser.get(f"{api}waiting-list/", {"limit": 1})
    assert [row["player"] for row in limited.json()["results"]] == ["waiter-2"]
    (last,) = organiser.get(limited.json()["next"]).json()["results"]
    assert last == rows[1]
    entered = organiser.post(f"{api}waiting-list/{rows[1]['id']}/enter/", {}, **JSON)
    assert (entered.json()["player"], entered.json()["status"]) == ("waiter-3", "active")
    removed = organiser.post(f"{api}waiting-list/{rows[0]['id']}/remove/", {"reason": "No."}, **JSON)
    assert (removed.status_code, removed.json()["player"], verbs.waiting_in(cup)) == (200, "waiter-2", [])
