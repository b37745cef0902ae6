"""Forgotten passwords."""

import re

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from players.models import Delivery, Player
from players.services.mail_delivery import send_due
from tests.players.conftest import PASSWORD

pytestmark = pytest.mark.usefixtures("confirmed")

NEW = "another horse 8"


def ask(client: Client, email: str) -> tuple[int, str]:
    """Return the status and the page that answer who asks for a link."""
    response = client.post("/forgot-password/", {"email": email}, follow=True)
    return response.status_code, re.sub(r'value="[^"]*"', "", response.content.decode())


def link_in_mail() -> str:
    send_due(clock=timezone.now)
    found = re.search(r"http://\S+?(/choose-password/\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1]


def test_a_password_is_chosen_by_a_link_that_works_once(client):
    ask(client, "ANNA@example.org")
    link = link_in_mail()
    url = client.get(link, follow=True).redirect_chain[-1][0]
    assert url.endswith("/set-password/"), "the secret stays out of the URL of the form"
    assert client.post(url, {"new": NEW})["Location"] == "/log-in/"
    assert Player.objects.get(is_computer=False).check_password(NEW)
    assert b"has been used" in client.get(link, follow=True).content


def test_a_weak_password_is_refused_beside_the_field(client):
    ask(client, "anna@example.org")
    url = client.get(link_in_mail(), follow=True).redirect_chain[-1][0]
    for weak in ("anna", "\0" * 12, "x" * 300):
        response = client.post(url, {"new": weak})
        assert response.status_code == 400
        assert "new" in response.context["form"].errors
    assert Player.objects.get(is_computer=False).check_password(PASSWORD)


def test_nobody_learns_whether_a_player_has_an_email(client):
    assert ask(client, "anna@example.org") == ask(client, "nobody@example.org")
    assert Delivery.objects.count() == 1


def test_asking_is_limited_whether_somebody_has_the_email_or_not(client):
    for email in ("anna@example.org", "nobody@example.org"):
        assert [ask(client, email)[0] for _ in range(4)] == [200, 200, 200, 429]


def test_programs_ask_over_the_api(api):
    emails = ("anna@example.org", "nobody@example.org")
    answers = [api.post("/api/v1/password-resets/", {"email": email}) for email in emails]
    assert [(answer.status_code, answer.content) for answer in answers] == [(202, b""), (202, b"")]
    assert link_in_mail().startswith("/choose-password/")


@pytest.mark.parametrize("path", ["x/y", "MQ/a-b", "MQ/set-password", "😀/x"])
def test_links_that_are_not_ours_lead_to_a_page_that_says_so(client, path):
    assert b"has been used or has expired" in client.get(f"/choose-password/{path}/", follow=True).content
