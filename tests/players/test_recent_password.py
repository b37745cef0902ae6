"""Acts that would make a theft last ask for the password again; recovery puts an intruder out."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core import mail
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from players.models import ApiToken, Delivery, MailKind, Player
from players.recent_password import GIVEN_AT
from players.services import change_email, create_token, sign_up
from players.services.mail_delivery import send_due
from tests.players.conftest import NOON, PASSWORD, client_of
from tests.players.test_password_resets import NEW, ask, link_in_mail

TOKEN = {"name": "bot", "scopes": ["read", "play"], "days": "7"}


def let_time_pass(client: Client) -> None:
    """Make the password of the client's session too old."""
    session = client.session
    session[GIVEN_AT] = timezone.now().timestamp() - 901
    session.save()


def answer(client: Client, page: Any, password: str = PASSWORD) -> Any:
    """Send the question that a page holds with the password, as a browser does."""
    html = page.content.decode()
    action = re.search(r'<form method="post" action="([^"]*)" class="form panel">', html)
    assert action
    hidden: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', html):
        hidden.setdefault(name, []).append(value)
    return client.post(action[1], {**hidden, "current_password": password})


@pytest.fixture
def browser(client, anna):
    """Return a client of Anna's that gave the password some time ago."""
    client.force_login(anna)
    let_time_pass(client)
    return client


@pytest.fixture
def token(anna):
    return create_token(player=anna, name="bot", scopes=["read"], now=NOON)[0]


def test_a_token_is_made_with_all_that_was_sent_once_the_password_is_right(browser):
    page = browser.post("/profile/tokens/", TOKEN)
    assert page.status_code == 403
    assert not ApiToken.objects.exists()
    made = answer(browser, page)
    token = ApiToken.objects.get()
    assert made.context["new_token"] == token
    assert (token.name, token.scopes, (token.expires_at - token.created_at).days) == ("bot", ["read", "play"], 7)


def test_a_wrong_password_is_asked_for_again_and_loses_nothing(browser):
    page = answer(browser, browser.post("/profile/tokens/", TOKEN), "wrong")
    assert (page.status_code, page.context["form"].errors) == (403, {"current_password": ["Wrong password."]})
    assert not ApiToken.objects.exists()
    answer(browser, page)
    assert ApiToken.objects.get().scopes == ["read", "play"]


def test_the_question_cannot_be_used_to_guess_the_password(browser):
    page = browser.post("/profile/tokens/", TOKEN)
    assert [answer(browser, page, "wrong").status_code for _ in range(11)] == [403] * 10 + [429]
    assert answer(browser, page).status_code == 429
    assert not ApiToken.objects.exists()


def test_the_email_changes_only_with_the_password(browser, anna):
    page = browser.post("/profile/email/", {"email": "new@example.org"})
    anna.refresh_from_db()
    assert anna.email == "anna@example.org"
    answer(browser, page)
    anna.refresh_from_db()
    assert anna.email == "new@example.org"


def test_a_token_is_revoked_only_with_the_password(browser, token):
    page = browser.post(f"/profile/tokens/{token.pk}/revoke/")
    assert ApiToken.objects.exists()
    assert answer(browser, page)["Location"] == "/profile/"
    assert not ApiToken.objects.exists()


def test_once_given_it_is_not_asked_for_again_for_a_while(browser, settings):
    answer(browser, browser.post("/profile/tokens/", TOKEN))
    assert browser.post("/profile/tokens/", TOKEN).status_code == 200
    settings.REAUTHENTICATION_TIMEOUT = 0
    assert browser.post("/profile/tokens/", TOKEN).status_code == 403


def test_logging_in_signing_up_and_changing_the_password_give_it(browser, client):
    browser.post("/profile/password/", {"old": PASSWORD, "new": NEW})
    assert browser.post("/profile/tokens/", TOKEN).status_code == 200
    other = Client()
    other.post("/log-in/", {"username": "anna", "password": NEW})
    assert other.post("/profile/tokens/", TOKEN).status_code == 200
    third = Client()
    third.post("/sign-up/", {"username": "piotr", "password": PASSWORD})
    assert third.post("/profile/tokens/", TOKEN).status_code == 200


def test_a_guest_has_no_password_and_is_asked_for_none(client, guest):
    client.force_login(guest)
    let_time_pass(client)
    assert client.post("/profile/tokens/", TOKEN).status_code == 200


def requests_of(api: APIClient, token: ApiToken) -> list[Any]:
    return [
        api.post("/api/v1/tokens/", {"name": "bot", "scopes": ["read"]}),
        api.put("/api/v1/players/me/email/", {"email": "new@example.org"}),
        api.delete(f"/api/v1/tokens/{token.pk}/"),
    ]


def test_a_session_is_told_by_a_code_over_the_api(anna, token):
    api = client_of(anna, APIClient)
    let_time_pass(api)
    answers = [(answer.status_code, answer.json()["code"]) for answer in requests_of(api, token)]
    assert answers == [(403, "password_needed")] * 3
    assert ApiToken.objects.count() == 1
    api.credentials(HTTP_AUTHORIZATION="Basic YW5uYTpjb3JyZWN0IGhvcnNlIDc=")
    assert [answer.status_code for answer in requests_of(api, token)] == [201, 200, 204]


def test_the_admin_asks_before_it_deletes_or_changes_accounts(client, anna, token, boss):
    client.force_login(boss)
    group = Group.objects.create(name="helpers")
    asked = [
        ("get", f"/admin/players/apitoken/{token.pk}/delete/", {}),
        ("post", f"/admin/players/apitoken/{token.pk}/delete/", {"post": "yes"}),
        ("post", f"/admin/auth/group/{group.pk}/delete/", {"post": "yes"}),
        ("post", "/admin/players/apitoken/", {"action": "delete_selected", "_selected_action": [token.pk]}),
        ("post", f"/admin/players/player/{anna.pk}/change/", {"username": "anna", "email": "new@example.org"}),
        ("get", f"/admin/players/player/{anna.pk}/password/", {}),
    ]
    let_time_pass(client)
    for method, path, data in asked:
        assert getattr(client, method)(path, data).templates[0].name == "players/enter_password.html", path
    assert client.get("/admin/players/player/").status_code == 200
    page = client.get(f"/admin/players/apitoken/{token.pk}/delete/")
    assert answer(client, page)["Location"] == f"/admin/players/apitoken/{token.pk}/delete/"
    let_time_pass(client)
    answer(client, client.post(f"/admin/players/apitoken/{token.pk}/delete/", {"post": "yes"}))
    assert not ApiToken.objects.exists()


def test_a_password_set_in_the_admin_ends_sessions_revokes_tokens_and_is_not_written_into_the_question(
    client, anna, token, boss
):
    elsewhere = client_of(anna)
    client.force_login(boss)
    sent = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    url = f"/admin/players/player/{anna.pk}/password/"
    assert client.post(url, sent).status_code == 302
    assert (elsewhere.get("/profile/").status_code, ApiToken.objects.count()) == (302, 0)
    assert Player.objects.get(pk=anna.pk).check_password(NEW)
    let_time_pass(client)
    assert NEW not in client.post(url, sent).content.decode()


def test_a_password_chosen_by_a_link_ends_sessions_revokes_all_tokens_and_says_so(client, confirmed, token):
    elsewhere = client_of(confirmed)
    ask(client, "anna@example.org")
    page = client.get(link_in_mail(), follow=True)
    assert "logs you out everywhere and revokes all your API tokens" in page.content.decode()
    assert (elsewhere.get("/profile/").status_code, ApiToken.objects.count()) == (200, 1)
    client.post(page.redirect_chain[-1][0], {"new": NEW})
    assert (elsewhere.get("/profile/").status_code, ApiToken.objects.count()) == (302, 0)


@pytest.mark.parametrize(("sent", "left"), [({"revoke_tokens": "on"}, 0), ({}, 1)])
def test_on_a_plain_change_of_the_password_it_is_an_option(client, anna, token, sent, left):
    client.force_login(anna)
    assert client.get("/profile/").context["password_form"]["revoke_tokens"].initial is True
    client.post("/profile/password/", {"old": PASSWORD, "new": NEW, **sent})
    assert ApiToken.objects.count() == left
    assert client.get("/profile/").status_code == 200


@pytest.mark.parametrize(("sent", "left"), [({}, 0), ({"revoke_tokens": True}, 0), ({"revoke_tokens": False}, 1)])
def test_it_is_an_option_over_the_api_too(anna, token, sent, left):
    api = client_of(anna, APIClient)
    assert api.put("/api/v1/players/me/password/", {"old": PASSWORD, "new": NEW, **sent}).status_code == 204
    assert ApiToken.objects.count() == left


@pytest.mark.parametrize("new", ["new@example.org", ""])
def test_the_old_email_is_notified_of_another_one(confirmed, new):
    change_email(player=confirmed, email=new, now=NOON)
    send_due(clock=timezone.now)
    mails = {tuple(message.to): str(message.body) for message in mail.outbox}
    assert new in mails.pop(("anna <anna@example.org>",))
    assert list(mails) == ([("anna <new@example.org>",)] if new else [])


def test_an_email_that_was_never_confirmed_gets_no_mail(db):
    player = sign_up(username="piotr", password=PASSWORD, email="anna@example.org", now=NOON)
    change_email(player=player, email="new@example.org", now=NOON)
    assert not Delivery.objects.filter(kind=MailKind.NEW_EMAIL).exists()
