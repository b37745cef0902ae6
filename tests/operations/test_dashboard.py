"""The admin's first page counts the background work, and staff can have mails sent again."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Delivery, DeliveryState, MailKind, Player

pytestmark = pytest.mark.django_db

MAILS = "/admin/players/delivery/"


@pytest.fixture
def boss(client: Client) -> Client:
    player = Player.objects.create(username="boss", is_staff=True, is_superuser=True)
    client.force_login(player)
    now = timezone.now()
    for key, state, attempts in (
        ("new", DeliveryState.PENDING, 0),
        ("retried", DeliveryState.PENDING, 2),
        ("failed", DeliveryState.FAILED, 9),
        ("sent", DeliveryState.SENT, 1),
    ):
        Delivery.objects.create(
            player=player,
            kind=MailKind.TURN,
            key=key,
            state=state,
            attempts=attempts,
            created_at=now - timedelta(hours=2),
            next_attempt_at=now + timedelta(hours=2),
        )
    return client


def test_the_first_page_counts_what_waits_was_tried_in_vain_and_given_up(boss: Client) -> None:
    page = boss.get("/admin/")
    queues = {queue["title"]: queue["number"] for queue in page.context["queues"]}
    assert queues["E-mails to send"] == 2
    assert queues["Finished matches to count"] == 0
    assert [(mail["title"], mail["number"]) for mail in page.context["mails"]] == [
        ("E-mails that failed so far", 1),
        ("E-mails given up", 1),
    ]
    assert "E-mails to send" in page.content.decode()


@pytest.mark.parametrize(("progress", "shown"), [("retried", 1), ("failed", 1), ("pending", 2), ("sent", 1)])
def test_the_list_shows_how_far_mails_have_come(boss: Client, progress: str, shown: int) -> None:
    page = boss.get(f"{MAILS}?progress={progress}")
    assert page.context["cl"].result_count == shown


def test_mails_that_were_not_sent_are_sent_again_by_hand(boss: Client) -> None:
    chosen = list(Delivery.objects.values_list("pk", flat=True))
    boss.post(MAILS, {"action": "send_again", "_selected_action": chosen})
    due = Delivery.objects.filter(state=DeliveryState.PENDING, next_attempt_at__lte=timezone.now())
    assert sorted(due.values_list("key", flat=True)) == ["failed", "new", "retried"]


def test_staff_who_organise_see_nothing_of_it(client: Client) -> None:
    client.force_login(Player.objects.create(username="olga", is_staff=True))
    page = client.get("/admin/")
    assert (page.status_code, "queues" in page.context) == (200, False)
    assert client.get(MAILS).status_code == 403
