"""Mails to the players of competitions."""

from typing import Any

import pytest
from celery import current_app
from django.core import mail

from players.models import Delivery, Player
from players.services.mail_delivery import send_due
from tests.players.mails import html_of
from tests.tournaments import verbs
from tests.tournaments.verbs import NOON
from tournaments import tasks
from tournaments.decisions.services.status import announce
from tournaments.models import Competition
from tournaments.office.services.after_commit import SEND_NEWS
from tournaments.running.services import notifications
from tournaments.running.services.notifications import send_news

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def organiser(db: None) -> Player:
    return Player.objects.create(username="olga", date_joined=NOON, is_staff=True, is_superuser=True)


def confirm_all() -> None:
    for player in Player.objects.exclude(username="olga"):
        Player.objects.filter(pk=player.pk).update(email=f"{player.username}@example.org", email_confirmed_at=NOON)


def cup_of(size: int, **options: Any) -> Competition:
    cup, _entries = verbs.open_cup(size, **options)
    confirm_all()
    return cup


def read_mails() -> dict[str, tuple[str, str]]:
    """Return the subjects and texts of the mails that are sent now, by the usernames of those who get them."""
    mail.outbox.clear()
    send_due(clock=lambda: NOON)
    read = {message.to[0].partition(" ")[0]: (str(message.subject), str(message.body)) for message in mail.outbox}
    assert len(read) == len(mail.outbox), "nobody gets two mails at once"
    return read


def test_everybody_in_a_competition_reads_an_announcement_once(organiser: Player) -> None:
    cup = cup_of(3)
    verbs.leave(cup.entries.get(player__username="player-3"))
    announce(competition_id=cup.pk, actor=organiser, text="<b>Play</b> fair!\nBcc: all", now=NOON)
    assert [send_news(now=NOON), send_news(now=NOON)] == [2, 0]
    mails = read_mails()
    assert sorted(mails) == ["player-1", "player-2"]
    subject, text = mails["player-1"]
    assert subject == "Cup: an announcement"
    assert "olga has posted an announcement in Cup:\n\n<b>Play</b> fair!\nBcc: all\n\n" in text
    assert "http://127.0.0.1:8000/cups/cup/\n" in text
    assert "<b>" not in html_of(mail.outbox[0])


def test_the_name_of_a_competition_stays_in_one_line_of_the_subject(organiser: Player) -> None:
    cup = cup_of(2, name="Cup\r\nBcc: eve@example.org")
    announce(competition_id=cup.pk, actor=organiser, text="Welcome", now=NOON)
    send_news(now=NOON)
    assert read_mails()["player-1"][0] == "Cup Bcc: eve@example.org: an announcement"
    assert mail.outbox[0].message()["Bcc"] is None


def test_matches_that_begin_are_told_to_both_in_one_mail_each(db: None) -> None:
    cup = cup_of(4, legs=2)
    verbs.start(cup)
    assert [send_news(now=NOON), send_news(now=NOON)] == [4, 0]
    mails = read_mails()
    assert sorted(mails) == ["player-1", "player-2", "player-3", "player-4"]
    subject, text = mails["player-1"]
    assert subject == "Cup: 2 of your matches have begun"
    assert text.count("Cup, round 1: you are Yellow against player-") == 1
    assert text.count("Cup, round 1: you are Red against player-") == 1
    assert text.count(" Your first move is due by 11 Nov 2026, 12:00 UTC.\n") == 1
    assert text.count("http://127.0.0.1:8000/matches/") == 2


def test_a_round_tells_until_when_it_lasts(db: None) -> None:
    verbs.start(cup_of(2, legs=1, round_days=7))
    send_news(now=NOON)
    subject, text = read_mails()["player-1"]
    assert subject == "Cup: your match against player-2 has begun"
    assert " against player-2, until 8 Nov 2026, 12:00 UTC." in text


def test_a_match_that_was_annulled_meanwhile_is_not_told(organiser: Player) -> None:
    cup = cup_of(2, format="round-robin")
    verbs.start(cup)
    send_news(now=NOON)
    verbs.annul(cup.fixtures.get(), organiser)
    assert "player-1" not in read_mails() or "begun" not in mail.outbox[0].subject


@pytest.mark.parametrize("make", [verbs.make_cup, verbs.make_ladder])
def test_a_cancellation_is_told_with_its_reason(organiser: Player, make: Any) -> None:
    competition = make()
    verbs.enter_all(competition, verbs.make_players(2))
    confirm_all()
    verbs.cancel(competition, organiser, reason="Too few.")
    send_news(now=NOON)
    subject, text = read_mails()["player-2"]
    assert subject == f"{competition.name}: cancelled"
    assert f"{competition.name} is cancelled.\n\nToo few.\n" in text


@pytest.mark.django_db(transaction=True)
def test_news_rings_after_the_commit(organiser: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = cup_of(2)
    queued: list[str] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, **options: queued.append(name))
    announce(competition_id=cup.pk, actor=organiser, text="Welcome", now=NOON)
    assert queued == [SEND_NEWS]
    assert tasks.send_news.name == SEND_NEWS


def test_while_there_is_no_news_nobody_is_looked_for_who_hears_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def hear(**about: Any) -> dict[int, Any]:
        asked.append(about)
        return {}

    monkeypatch.setattr(notifications, "hearers_of", hear)
    assert (send_news(now=NOON), asked) == (0, [])


@pytest.mark.parametrize("size", [4, 8])
def test_telling_of_matches_costs_the_same_for_few_and_for_many(size: int, django_assert_num_queries: Any) -> None:
    verbs.start_cup(size)
    confirm_all()
    savepoints, queries = 2, 8
    with django_assert_num_queries(savepoints + queries):
        send_news(now=NOON)
    assert Delivery.objects.count() == size
