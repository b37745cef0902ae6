"""Players may enter and leave, or are refused with the reason."""

from decimal import Decimal
from typing import ClassVar

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher, make_password
from django.db import connection
from django.test import Client
from django.test.client import MULTIPART_CONTENT

from players.models import Player, Rating
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments.entries.errors import EntryOver, WrongCompetitionPassword
from tournaments.entries.services.admission import enter_competition
from tournaments.entries.services.withdrawal import leave_competition
from tournaments.models import CompetitionStatus, Entry, EntryStatus, LogEntry, Round
from tournaments.office.errors import EntryNotFound, NotAnOrganiser
from tournaments.records.errors import CompetitionNotFound
from tournaments.rounds.errors import WrongCompetitionStatus
from tournaments.running.errors import AlreadyEntered, EntryClosed
from tournaments.running.selectors.entry_conditions import reasons_not_to_enter
from web.errors import TooManyAttempts
from web.limits.table import COMPETITION_PASSWORDS, COMPETITION_PASSWORDS_BY_CLIENT

GUESSES, PER_CLIENT = (
    budget.rates_of()[0].number for budget in (COMPETITION_PASSWORDS, COMPETITION_PASSWORDS_BY_CLIENT)
)
pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

DOORS = pytest.mark.parametrize(
    ("door", "written"),
    [("/cups/cup/enter/", MULTIPART_CONTENT), ("/api/v1/competitions/cup/enter/", "application/json")],
)


@pytest.fixture
def anna(db):
    return Player.objects.create(username="anna", date_joined=NOON)


@pytest.fixture
def organiser(db):
    return Player.objects.create(username="organiser", date_joined=NOON)


class WatchingHasher(MD5PasswordHasher):
    """Notes in how many transactions within the test's a password is checked."""

    algorithm = "watching"
    depths: ClassVar[list[int]] = []

    def verify(self, password, encoded):
        self.depths.append(len(connection.savepoint_ids))
        return super().verify(password, encoded)


def codes(competition, player):
    return [reason.code for reason in reasons_not_to_enter(competition=competition, player=player)]


def test_a_player_enters_with_a_lot_of_their_own(anna):
    cup = verbs.make_cup()
    assert codes(cup, anna) == []
    entry = verbs.enter(cup, anna)
    assert (entry.status, entry.entered_at) == (EntryStatus.ACTIVE, NOON)
    assert (entry.seat.seed, entry.seat.position) == (None, None)
    assert codes(cup, anna) == ["already_entered"]
    with pytest.raises(AlreadyEntered):
        verbs.enter(cup, anna)
    with pytest.raises(CompetitionNotFound):
        enter_competition(competition_id=0, player=anna, now=NOON)


@pytest.mark.parametrize(
    ("status", "ladder", "cup"),
    [
        (CompetitionStatus.DRAFT, ["entry_closed"], ["entry_closed"]),
        (CompetitionStatus.OPEN, [], []),
        (CompetitionStatus.CLOSED, ["entry_closed"], ["entry_closed"]),
        (CompetitionStatus.RUNNING, [], ["entry_closed"]),
        (CompetitionStatus.FINISHED, ["entry_closed"], ["entry_closed"]),
        (CompetitionStatus.CANCELLED, ["entry_closed"], ["entry_closed"]),
    ],
)
def test_the_status_decides_and_ladders_take_players_while_they_run(status, ladder, cup, anna):
    for competition, expected in ((verbs.make_ladder(), ladder), (verbs.make_cup(), cup)):
        competition.status = status
        competition.save()
        assert codes(competition, anna) == expected


@pytest.mark.parametrize(
    ("limits", "rating", "expected"),
    [
        ({"min_rating": 1500}, None, []),
        ({"min_rating": 1501}, None, ["rating_out_of_limits"]),
        ({"max_rating": 1499}, None, ["rating_out_of_limits"]),
        ({"min_rating": 1400, "max_rating": 1600}, "1600.0001", ["rating_out_of_limits"]),
        ({"min_rating": 1400, "max_rating": 1600}, "1600.0000", []),
    ],
)
def test_ratings_within_the_limits(limits, rating, expected, anna):
    if rating:
        Rating.objects.create(player=anna, family="streetsoccer", rating=Decimal(rating))
    assert codes(verbs.make_cup(**limits), anna) == expected


def test_a_full_competition_takes_nobody_until_somebody_leaves(anna):
    cup, (first, _) = verbs.open_cup(2, max_entrants=2)
    assert codes(cup, anna) == ["competition_full"]
    assert verbs.leave(first) is None
    assert codes(cup, anna) == []


def test_guests_may_not_enter_rated_competitions():
    guest = Player.objects.create(username="guest-1", is_guest=True)
    assert codes(verbs.make_cup(is_rated=True), guest) == ["guests_not_admitted"]
    assert codes(verbs.make_ladder(is_rated=False), guest) == []


def test_computers_enter_only_where_they_are_admitted():
    computer = Player.objects.create(username="robot", is_computer=True)
    assert codes(verbs.make_cup(), computer) == ["computers_not_admitted"]
    assert codes(verbs.make_ladder(admits_computers=True), computer) == []


def test_the_password_is_asked_for_and_wrong_ones_are_refused(anna):
    cup = verbs.make_cup(password=make_password("offside"))
    assert codes(cup, anna) == []
    for wrong in ("", "onside", "off\0side"):
        with pytest.raises(WrongCompetitionPassword):
            verbs.enter(cup, anna, password=wrong)
    assert verbs.enter(cup, anna, password="offside").pk


def test_passwords_are_not_guessed_by_trying(anna):
    cup, other = (verbs.make_cup(slug=slug, password=make_password("offside")) for slug in ("cup", "other"))
    for number in range(GUESSES):
        with pytest.raises(WrongCompetitionPassword):
            verbs.enter(cup, anna, password=f"onside-{number}")
    with pytest.raises(TooManyAttempts) as refusal:
        verbs.enter(cup, anna, password="offside")
    assert 500 < refusal.value.wait <= 600
    assert verbs.enter(other, anna, password="offside").pk
    (bert,) = verbs.make_players(1)
    assert verbs.enter(cup, bert, password="offside").pk


def test_right_passwords_are_no_guesses(anna):
    cup = verbs.make_cup(password=make_password("offside"))
    for _again in range(GUESSES + 1):
        entry = verbs.enter(cup, anna, password="offside")
        verbs.leave(entry)


@DOORS
def test_a_player_who_guesses_too_often_is_told_how_long_to_wait(anna, client, door, written):
    verbs.make_cup(password=make_password("offside"))
    client.force_login(anna)
    answers = [client.post(door, {"password": "onside"}, written) for _guess in range(GUESSES + 1)]
    assert [answer.status_code for answer in answers] == [403] * GUESSES + [429]
    assert 500 < int(answers[-1]["Retry-After"]) <= 600


def test_passwords_are_not_guessed_as_one_guest_after_the_other():
    cup, other = (
        make(password=make_password("offside"), is_rated=False) for make in (verbs.make_cup, verbs.make_ladder)
    )
    guests = [Player.objects.create(username=f"guest-{number}", is_guest=True) for number in range(PER_CLIENT)]
    for guest in guests:
        with pytest.raises(WrongCompetitionPassword):
            verbs.enter(cup, guest, password="onside", client_ip="192.0.2.1")
    for competition in (cup, other):
        with pytest.raises(TooManyAttempts) as refusal:
            verbs.enter(competition, guests[0], password="offside", client_ip="192.0.2.1")
        assert 3500 < refusal.value.wait <= 3600
    assert verbs.enter(cup, guests[0], password="offside", client_ip="192.0.2.2").pk


def test_many_enter_with_the_right_password_from_one_client():
    cup = verbs.make_cup(password=make_password("offside"))
    players = verbs.make_players(PER_CLIENT + 1)
    for player in players:
        verbs.enter(cup, player, password="offside", client_ip="192.0.2.1")
    assert Entry.objects.filter(competition=cup).count() == len(players)


@DOORS
def test_guests_with_new_cookies_are_known_by_their_client_ip(door, written, settings):
    verbs.make_cup(password=make_password("offside"), is_rated=False)
    settings.BUDGETS = {"competition-passwords-by-client": "2/hour"}
    answers = []
    for number, client_ip in enumerate(["192.0.2.1"] * 3 + ["192.0.2.2"]):
        client = Client(REMOTE_ADDR=client_ip)
        client.force_login(Player.objects.create(username=f"guest-{number}", is_guest=True))
        answers.append(client.post(door, {"password": "onside"}, written))
    assert [answer.status_code for answer in answers] == [403, 403, 429, 403]
    assert 3500 < int(answers[2]["Retry-After"]) <= 3600


def test_no_password_is_checked_while_the_competition_is_locked(anna, settings):
    settings.PASSWORD_HASHERS = [f"{__name__}.WatchingHasher"]
    cup = verbs.make_cup(password=make_password("offside"))
    WatchingHasher.depths.clear()
    verbs.enter(cup, anna, password="offside")
    assert WatchingHasher.depths == [len(connection.savepoint_ids)]


def test_a_player_who_returns_to_a_ladder_is_not_asked_for_its_password_again(anna):
    ladder = verbs.make_ladder(password=make_password("offside"))
    verbs.enter(ladder, anna, password="offside")
    verbs.start(ladder)
    assert verbs.leave(Entry.objects.get()).status == EntryStatus.GONE
    assert verbs.enter(ladder, anna).status == EntryStatus.ACTIVE


def test_all_reasons_are_told_at_once():
    guest = Player.objects.create(username="guest-1", is_guest=True)
    cup, _entries = verbs.open_cup(2, max_entrants=2, min_rating=1900)
    verbs.close_entry(cup)
    cup.refresh_from_db()
    assert codes(cup, guest) == ["entry_closed", "guests_not_admitted", "competition_full", "rating_out_of_limits"]


def test_leaving_a_drawn_cup_forgets_the_draw():
    cup, entries = verbs.open_cup(4)
    verbs.draw(cup)
    assert verbs.leave(entries[0]) is None
    assert not Round.objects.filter(group__stage__competition=cup).exists()
    assert not Entry.objects.filter(competition=cup, seats__seed__isnull=False).exists()
    assert LogEntry.objects.filter(competition=cup, action="draw-undone").exists()


def test_a_player_who_left_a_running_cup_cannot_come_back_or_leave_again():
    cup, entries = verbs.open_cup(3)
    verbs.start(cup)
    entry = verbs.leave(entries[0])
    assert (entry.status, entry.left_at) == (EntryStatus.GONE, NOON)
    with pytest.raises(EntryOver):
        verbs.leave(entries[0])
    with pytest.raises(AlreadyEntered):
        verbs.enter(cup, entry.player)


def test_nobody_leaves_a_competition_that_is_over():
    cup, entries = verbs.open_cup(2)
    verbs.cancel(cup)
    with pytest.raises(WrongCompetitionStatus):
        verbs.leave(entries[0])
    with pytest.raises(EntryNotFound):
        leave_competition(entry_id=0, now=NOON)


def test_an_organiser_withdraws_anybody_and_players_only_themselves(anna, organiser):
    cup = verbs.make_cup(organiser=organiser)
    entries = verbs.enter_all(cup, [anna, *verbs.make_players(3)])
    with pytest.raises(NotAnOrganiser):
        verbs.withdraw(entries[1], by=anna)
    assert verbs.withdraw(entries[1], by=organiser, reason="absent") is None
    assert verbs.withdraw(entries[0], by=anna) is None
    entry = LogEntry.objects.get(competition=cup, action="withdrew")
    assert (entry.actor, entry.subject, entry.reason) == (organiser, "player-1", "absent")


def test_an_organiser_lets_somebody_in_whatever_the_limits(anna, organiser):
    cup, _entries = verbs.open_cup(2, max_entrants=2, min_rating=1900, organiser=organiser)
    assert verbs.admit(cup, anna, by=organiser).status == EntryStatus.ACTIVE
    verbs.start(cup)
    with pytest.raises(EntryClosed):
        verbs.admit(cup, organiser, by=organiser)
