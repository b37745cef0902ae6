"""The mails that notify players of their turns, of matches that are over, and of deadlines that are near."""

from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import unquote

import pytest
from django.core import mail

from matches import tasks
from matches.clock import TimeControl
from matches.models import Match, OfferKind
from matches.receivers import SEND_END_NOTIFICATIONS
from matches.seek_links import path_to
from matches.services import decline_offer, expire_due, make_offer, pause_matches, resign, resume_matches
from matches.services.adjudication import annul_match, mark_corrected
from matches.services.conditional_answers import give_answers
from matches.services.notifications import (
    NOTIFICATION_DELAY,
    remind_players,
    send_daily_notifications,
    send_end_notifications,
    send_turn_notifications,
)
from matches.services.seeks import take_by_link
from players.models import Delivery, MailKind, MailSettings
from players.presence import note_presence
from players.services.mail_delivery import send_due
from players.services.mail_settings import change_mail_settings
from rules_engine.values import Side
from tests.matches.conftest import NOON, SEED
from tests.matches.play import act, reread, seek_of
from tests.matches.test_races import race

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
LATER = NOON + NOTIFICATION_DELAY


@pytest.fixture(autouse=True)
def confirmed(anna, piotr):
    for player in (anna, piotr):
        player.email, player.email_confirmed_at = f"{player.username}@example.org", NOON
        player.save()


def posted(kind: MailKind) -> list[tuple[str, list[int]]]:
    """To whom letters of a kind were posted, and about which matches."""
    found = Delivery.objects.filter(kind=kind).order_by("pk").values_list("player__username", "about")
    return [(username, about["matches"]) for username, about in found]


def read_mails(now: Any) -> list[tuple[list[str], str, str]]:
    """Return the mails that are sent now: to whom, subject, text."""
    mail.outbox.clear()
    send_due(clock=lambda: now)
    return [(message.to, str(message.subject), str(message.body)) for message in mail.outbox]


# --- turns


def test_a_turn_is_mailed_once_after_some_minutes(begin):
    match = begin()
    assert [
        send_turn_notifications(now=LATER - MINUTE),
        send_turn_notifications(now=LATER),
        send_turn_notifications(now=NOON + DAY),
    ] == [0, 1, 0]
    assert posted(MailKind.TURN) == [("anna", [match.pk])]


def test_turns_that_come_within_minutes_come_in_one_mail(begin):
    matches = [begin(now=NOON + minute * MINUTE) for minute in range(3)]
    assert [send_turn_notifications(now=LATER), send_turn_notifications(now=LATER + HOUR)] == [1, 0]
    ((to, subject, text),) = read_mails(LATER)
    assert (to, subject) == (["anna <anna@example.org>"], "Your turn in 3 matches")
    assert [f"/matches/{match.pk}/\n" in text for match in matches] == [True] * 3


def test_a_mail_names_game_opponent_and_time_left(begin):
    begin()
    send_turn_notifications(now=LATER)
    ((_to, subject, text),) = read_mails(LATER)
    assert subject == "Your turn against piotr"
    assert "StreetSoccer (full set-up) against piotr\nYou have 9 d 23 h, until 11 Nov 2026, 12:00 UTC.\n" in text


def test_a_mail_says_that_something_else_came_than_was_answered_beforehand(begin, anna):
    match, other = begin("paper-soccer"), begin("paper-soccer")
    player = match.players[Side(match.side).opponent]
    give_answers(match_id=match.pk, player=player, ply=match.ply, lines=[["0", "0"], ["1", "0"]], now=NOON)
    for each in (match, other):
        act(each, "7", now=NOON)
    send_turn_notifications(now=LATER)
    ((_to, _subject, text),) = [each for each in read_mails(LATER) if player.email in each[0][0]]
    word = "Something else came than you had answered beforehand, so 2 answers were not played."
    assert f"UTC.\n{word}\n" in text
    assert text.count("Something else") == 1


def test_each_new_turn_is_mailed_and_a_turn_that_goes_on_is_not_mailed_again(begin):
    match = begin()
    send_turn_notifications(now=LATER)
    match = act(match, now=LATER)
    assert match.side == "yellow"
    assert send_turn_notifications(now=LATER + DAY) == 0
    while match.side == "yellow":
        match = act(match, now=LATER + DAY)
    assert send_turn_notifications(now=LATER + 2 * DAY) == 1
    assert posted(MailKind.TURN)[-1] == ("piotr", [match.pk])


def test_a_player_on_the_site_is_notified_after_leaving(begin, anna):
    match = begin()
    note_presence(player_id=anna.pk)
    assert send_turn_notifications(now=LATER) == 0
    assert not reread(match).is_notified


def test_a_player_who_is_no_longer_to_act_when_the_mail_is_written_gets_none(begin):
    begin(), begin()
    send_turn_notifications(now=LATER)
    for match in Match.objects.all():
        resign(match_id=match.pk, player=match.yellow, now=LATER)
    assert read_mails(LATER) == []


def test_nobody_is_notified_while_the_clocks_stand_still(begin):
    match = begin()
    Match.objects.filter(pk=match.pk).update(competition=7)
    pause_matches(competition=7, now=NOON)
    assert send_turn_notifications(now=LATER) == 0
    resume_matches(competition=7, now=LATER)
    assert [send_turn_notifications(now=LATER), send_turn_notifications(now=LATER + NOTIFICATION_DELAY)] == [0, 1]


def test_more_turns_than_a_batch_are_all_mailed(begin, anna):
    matches = [begin(now=NOON + number * MINUTE) for number in range(5)]
    send_turn_notifications(now=NOON + HOUR, batch=2)
    assert sorted(pk for _player, about in posted(MailKind.TURN) for pk in about) == [match.pk for match in matches]


@pytest.mark.parametrize("number", [1, 3])
def test_notifications_cost_the_same_for_one_and_for_many(number, begin, django_assert_num_queries):
    for _ in range(number):
        begin()
    savepoints, queries = 4, 7
    with django_assert_num_queries(savepoints + queries):
        send_turn_notifications(now=LATER)
    assert posted(MailKind.TURN) != []


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_sweeps_at_the_same_time_notify_of_each_turn_and_each_end_once(begin, anna):
    matches = [begin() for _ in range(20)]
    for match in matches[:10]:
        resign(match_id=match.pk, player=anna, now=NOON)
    sweeps = [
        partial(send_turn_notifications, now=LATER, batch=3),
        partial(send_end_notifications, now=LATER, batch=3),
    ] * 2
    assert race(*sweeps) == ["ok"] * 4
    notified = [(player, pk) for kind in (MailKind.TURN, MailKind.END) for player, pks in posted(kind) for pk in pks]
    ends = [(name, match.pk) for match in matches[:10] for name in ("anna", "piotr")]
    assert sorted(notified) == sorted([*ends, *(("anna", match.pk) for match in matches[10:])])


# --- all turns in one mail a day


@pytest.fixture
def daily(anna):
    """Have anna want one mail a day, at two in the afternoon."""
    return change_mail_settings(player=anna, wishes={"turns_daily_at": 14}, now=NOON)


@pytest.mark.usefixtures("daily")
def test_all_turns_come_in_one_mail_at_the_hour_of_the_day_and_none_before(begin):
    two = NOON + 2 * HOUR
    matches = [begin(), begin(now=NOON + HOUR)]
    send_turn_notifications(now=two - MINUTE)
    assert [send_daily_notifications(now=now) for now in (two - MINUTE, two, two, two + HOUR)] == [0, 1, 0, 0]
    ((to, subject, text),) = read_mails(two)
    assert (to, subject) == (["anna <anna@example.org>"], "Your turn in 2 matches")
    assert [f"/matches/{match.pk}/\n" in text for match in matches] == [True] * 2
    assert text.count("/my-turns/\n") == 1
    # It is still her turn on the next day, and in neither after that.
    assert send_daily_notifications(now=two + DAY) == 1
    for match in matches:
        resign(match_id=match.pk, player=match.yellow, now=two + DAY)
    assert [send_daily_notifications(now=two + 2 * DAY), send_turn_notifications(now=two + 2 * DAY)] == [0, 0]


def test_a_daily_mail_that_is_late_comes_once(begin, daily):
    begin()
    assert [send_daily_notifications(now=NOON + 3 * DAY + HOUR), send_daily_notifications(now=NOON + 3 * DAY)] == [1, 0]
    daily.refresh_from_db()
    assert daily.next_daily_at == NOON + 3 * DAY + 2 * HOUR


def test_a_player_who_wants_a_mail_for_each_turn_again_gets_no_daily_one(begin, anna, daily):
    change_mail_settings(player=anna, wishes={"turns_daily_at": None}, now=NOON)
    begin()
    assert [send_turn_notifications(now=LATER), send_daily_notifications(now=NOON + DAY)] == [1, 0]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("daily")
def test_sweeps_at_the_same_time_send_one_daily_mail(begin):
    begin()
    assert race(*[partial(send_daily_notifications, now=NOON + DAY)] * 4) == ["ok"] * 4
    assert len(posted(MailKind.TURN)) == 1


# --- what opponents do beside moves


def test_an_offer_that_has_waited_is_mailed_once_unless_it_was_answered(begin, anna, piotr):
    waits, answered = begin(), begin()
    for match in (waits, waits, answered):
        make_offer(match_id=match.pk, player=piotr, kind=OfferKind.DRAW, now=NOON)
    decline_offer(match_id=answered.pk, player=anna, now=NOON + MINUTE)
    assert read_mails(LATER - MINUTE) == []
    ((to, subject, text),) = read_mails(LATER)
    assert (to, subject) == (["anna <anna@example.org>"], "piotr offers a draw")
    assert f"/matches/{waits.pk}/\n" in text


@pytest.mark.parametrize(("colour", "subjects"), [("red", ["piotr has joined your game"]), ("yellow", [])])
def test_a_player_hears_that_a_friend_has_joined_unless_it_is_their_turn(anna, piotr, colour, subjects):
    token = unquote(path_to(seek_of(anna, by_link=True, colour=colour).pk).split("/")[-2])
    for _ in range(2):
        take_by_link(token=token, player=piotr, now=NOON)
    assert [subject for _to, subject, _text in read_mails(LATER)] == subjects


# --- ends


def test_both_are_notified_once_how_their_match_ended(begin, anna):
    match = begin()
    resign(match_id=match.pk, player=anna, now=NOON)
    assert [send_end_notifications(now=NOON), send_end_notifications(now=NOON)] == [2, 0]
    mails = {to[0]: (subject, text) for to, subject, text in read_mails(NOON)}
    subject, text = mails["piotr <piotr@example.org>"]
    assert subject == "Your match against anna is over"
    assert "You win!: 0:0. By resignation.\n" in text
    assert "piotr wins: 0:0. By resignation.\n" in mails["anna <anna@example.org>"][1]


def test_of_a_corrected_match_the_mail_says_that_another_result_counts(begin, anna):
    match = begin()
    resign(match_id=match.pk, player=anna, now=NOON)
    mark_corrected(match_ids=[match.pk], at=NOON)
    send_end_notifications(now=NOON)
    for _to, _subject, text in read_mails(NOON):
        assert "By resignation. The competition counts another result, by decision.\n" in text


def test_players_are_notified_of_matches_that_are_lost_on_time_too(begin):
    matches = [begin(time_control=TimeControl.of_seconds(60, 0, 60)) for _ in range(2)]
    send_turn_notifications(now=NOON)
    expire_due(now=NOON + HOUR)
    assert send_end_notifications(now=NOON + HOUR) == 2
    assert posted(MailKind.END) == [(name, [match.pk for match in matches]) for name in ("anna", "piotr")]


def test_a_match_that_counts_nowhere_is_no_news(begin):
    annul_match(match_id=begin().pk, now=NOON)
    send_end_notifications(now=NOON)
    assert read_mails(NOON) == []


@pytest.mark.django_db(transaction=True)
def test_an_end_rings_after_the_commit(begin, anna, calls):
    resign(match_id=begin().pk, player=anna, now=NOON)
    expiring = begin(time_control=TimeControl.of_seconds(60, 0, 60))
    expire_due(now=NOON + HOUR)
    assert reread(expiring).status == "finished"
    assert calls.count(SEND_END_NOTIFICATIONS) == 2
    assert tasks.send_end_notifications.name == SEND_END_NOTIFICATIONS


# --- deadlines


def sweep(start: Any, end: Any, *, step: timedelta = HOUR) -> list[float]:
    """Remind from one moment to the other, and return how many hours after noon somebody was reminded."""
    reminded, now = [], start
    while now <= end:
        if remind_players(now=now):
            reminded.append((now - NOON) / HOUR)
        now += step
    return reminded


def test_a_day_and_four_hours_before_the_deadline_its_player_is_reminded(begin):
    match = begin()
    assert sweep(NOON, NOON + 10 * DAY, step=4 * HOUR) == [240 - 24, 240 - 4]
    assert posted(MailKind.DEADLINE) == [("anna", [match.pk])] * 2
    mails = read_mails(NOON + 10 * DAY - 4 * HOUR)
    assert [subject for _to, subject, _text in mails] == ["4 h 00 min left against piotr"] * 2


def test_players_choose_their_own_hours_or_none(begin, anna):
    three_days = TimeControl.of_seconds(72 * 3600, 0, 72 * 3600)
    begin(time_control=three_days)
    chosen = MailSettings.objects.create(player=anna, reminder_hours=[48, 1])
    assert sweep(NOON, NOON + 3 * DAY) == [72 - 48, 72 - 1]
    begin(now=NOON + 3 * DAY, time_control=three_days)
    chosen.deadlines = False
    chosen.save()
    assert sweep(NOON + 3 * DAY, NOON + 6 * DAY) == []


def test_a_turn_that_begins_with_less_time_is_not_reminded_of_more(begin):
    begin(time_control=TimeControl.of_seconds(10 * 3600, 0, 10 * 3600))
    assert sweep(NOON, NOON + 10 * HOUR) == [6]


def test_reminders_that_were_missed_come_in_one_mail_and_not_after_the_deadline(begin):
    matches = [begin(), begin(now=NOON + 3 * HOUR), begin(now=NOON - 9 * HOUR)]
    remind_players(now=NOON)
    late = NOON + 10 * DAY - 2 * HOUR
    assert [remind_players(now=late), remind_players(now=late)] == [1, 0]
    assert posted(MailKind.DEADLINE) == [("anna", [matches[0].pk, matches[1].pk])]


def test_players_are_reminded_of_a_deadline_that_was_moved_away_when_it_comes_near_again(begin):
    match = begin()
    assert sweep(NOON, NOON + 9 * DAY, step=4 * HOUR) == [216]
    Match.objects.filter(pk=match.pk).update(bank_yellow=11 * 86_400_000, deadline=NOON + 11 * DAY)
    assert sweep(NOON + 9 * DAY, NOON + 11 * DAY, step=4 * HOUR) == [240, 260]


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_sweeps_at_the_same_time_remind_once(begin):
    begin()
    remind_players(now=NOON)
    day_before = NOON + 9 * DAY
    assert race(*[partial(remind_players, now=day_before)] * 4) == ["ok"] * 4
    assert len(posted(MailKind.DEADLINE)) == 1


def test_a_seed_is_never_in_a_mail(begin):
    begin()
    send_turn_notifications(now=LATER)
    assert all(SEED.hex() not in text for _to, _subject, text in read_mails(LATER))
