"""Closing an account ends its sessions at once, and deleting one leaves nothing private."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import is_password_usable
from django.utils import timezone
from rest_framework.test import APIClient

from players.errors import AccountErased, AccountNeeded, AlreadyTaken
from players.models import ApiToken, Delivery, DeliveryState, HeldName, MailKind, MailSettings, Player, VacationDay
from players.selectors import find_any_player
from players.services import create_token, deactivate_player, delete_account, plan_vacation, reactivate_player, sign_up
from players.services.account_closures import needs_accounts
from players.services.held_names import free_names
from players.services.outbox import Letter, post
from tests.players.conftest import NOON, PASSWORD, client_of
from tests.players.test_password_resets import ask, link_in_mail
from tests.players.test_recent_password import answer, let_time_pass

LATER = NOON + timedelta(hours=1)


@pytest.fixture(autouse=True)
def full(anna):
    """Anna, who has everything that an account can have."""
    Player.objects.filter(pk=anna.pk).update(email_confirmed_at=NOON, last_login=NOON)
    anna.refresh_from_db()
    create_token(player=anna, name="bot", scopes=["read"], now=NOON)
    day = (timezone.now() + timedelta(days=5)).date()
    plan_vacation(player=anna, first=day, last=day, now=timezone.now())
    MailSettings.objects.update_or_create(player=anna, defaults={"turns": False})
    post(letters=[Letter(anna.pk, MailKind.RESET, "reset:1", {"asked_at": NOON.isoformat()})], now=NOON)
    return anna


def boss() -> Player:
    return Player.objects.create_superuser("boss", password=PASSWORD)


def test_switching_an_account_off_ends_sessions_tokens_and_mails_and_is_dated(anna):
    browser = client_of(anna)
    closed = deactivate_player(player_id=anna.pk, now=LATER)
    assert (closed.is_active, closed.closed_at, closed.closing_finished_at) == (False, LATER, None)
    assert browser.get("/profile/").status_code == 302
    assert not ApiToken.objects.exists()
    assert not Delivery.objects.filter(state=DeliveryState.PENDING).exists()
    assert (closed.username, closed.email, closed.check_password(PASSWORD)) == ("anna", "anna@example.org", True)


def test_an_account_that_is_opened_again_brings_no_session_and_no_token_back(anna):
    browser = client_of(anna)
    deactivate_player(player_id=anna.pk, now=LATER)
    opened = reactivate_player(player_id=anna.pk)
    assert (opened.is_active, opened.closed_at, opened.closing_finished_at) == (True, None, None)
    assert browser.get("/profile/").status_code == 302
    assert not ApiToken.objects.exists()
    assert browser.post("/log-in/", {"username": "anna", "password": PASSWORD}).status_code == 302
    assert browser.get("/profile/").status_code == 200


@pytest.mark.parametrize("close", [deactivate_player, delete_account])
def test_closing_again_keeps_date_and_name(anna, close):
    first = close(player_id=anna.pk, now=LATER)
    again = close(player_id=anna.pk, now=LATER + timedelta(days=1))
    assert (again.username, again.closed_at, again.erased_at) == (first.username, LATER, first.erased_at)


def test_of_a_deleted_account_nothing_private_is_left(anna):
    ghost = delete_account(player_id=anna.pk, now=LATER)
    assert (ghost.username, ghost.email) == (f"closed-{anna.pk}", "")
    assert (ghost.email_confirmed_at, ghost.last_login) == (None, None)
    assert (ghost.is_active, ghost.closed_at, ghost.erased_at) == (False, LATER, LATER)
    assert not is_password_usable(ghost.password)
    for model in (ApiToken, Delivery, MailSettings, VacationDay):
        assert not model.objects.filter(player=anna).exists(), model
    assert find_any_player(username="anna") is None


def test_the_new_name_of_a_deleted_account_may_never_be_taken(anna, api):
    Player.objects.create(username=f"Closed-{anna.pk}")
    assert delete_account(player_id=anna.pk, now=LATER).username == f"closed-{anna.pk}-1"
    refused = api.post("/api/v1/players/", {"username": "closed-999", "password": PASSWORD})
    assert refused.json()["errors"] == {"username": ["This username is reserved."]}


@pytest.fixture
def mallory(anna) -> Player:
    """Return a player named mallory-10, whose account has been deleted just now."""
    mallory = Player.objects.create(username="mallory-10")
    delete_account(player_id=mallory.pk, now=timezone.now())
    return mallory


@pytest.mark.parametrize("name", ["mallory-10", "Mallory-10", "ma1lory-l0", "rnallory-IO"])
def test_nobody_takes_the_name_of_a_deleted_account_or_one_that_looks_like_it(mallory, anna, guest, api, name):
    sentence = f"The username {name}, or one that looks like it, was that of an account that was deleted"
    refused = api.post("/api/v1/players/", {"username": name, "password": PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (409, "already_taken")
    assert sentence in refused.json()["errors"]["username"][0]
    page = client_of(guest).post("/sign-up/", {"username": name, "password": PASSWORD})
    assert (page.status_code, sentence in page.content.decode()) == (400, True)
    admin = client_of(boss())
    assert (
        sentence
        in admin.post(f"/admin/players/player/{anna.pk}/change/", form_of(anna, username=name)).content.decode()
    )
    sent = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    assert sentence in admin.post("/admin/players/player/add/", sent).content.decode()
    assert Player.objects.filter(username__in=["anna", guest.username]).count() == 2
    assert not Player.objects.filter(username=name).exists()


def test_a_name_is_free_again_a_year_after_and_nothing_is_kept_of_it_then(mallory, settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "x" * 50, [settings.SECRET_KEY]
    ends = HeldName.objects.get().held_until
    assert ends - timezone.now() > timedelta(days=364)
    with pytest.raises(AlreadyTaken):
        sign_up(username="mallory-10", password=PASSWORD, now=ends - timedelta(seconds=1))
    assert sign_up(username="mallory-10", password=PASSWORD, now=ends).username == "mallory-10"
    assert free_names(now=ends - timedelta(seconds=1)) == 0
    assert free_names(now=ends) == 1
    assert not HeldName.objects.exists()


def test_of_a_guest_no_name_is_held(guest):
    delete_account(player_id=guest.pk, now=LATER)
    assert not HeldName.objects.exists()


def test_the_last_superuser_is_kept_and_the_last_but_one_is_not():
    first = boss()
    for close in (deactivate_player, delete_account):
        with pytest.raises(AccountNeeded, match="last superuser"):
            close(player_id=first.pk, now=LATER)
    Player.objects.create_superuser("boss-2")
    assert not delete_account(player_id=first.pk, now=LATER).is_superuser


def test_a_computer_of_the_site_is_kept():
    with pytest.raises(AccountNeeded, match="computer players"):
        delete_account(player_id=Player.objects.get(level="club").pk, now=LATER, by_staff=True)


def test_an_account_that_is_needed_is_kept_and_staff_may_delete_it_all_the_same(anna, monkeypatch):
    monkeypatch.setattr("players.services.account_closures._NEEDS", [])
    needs_accounts(lambda player: ["The cup needs you."])
    with pytest.raises(AccountNeeded, match="The cup needs you"):
        delete_account(player_id=anna.pk, now=LATER)
    assert Player.objects.get(pk=anna.pk).is_active
    assert delete_account(player_id=anna.pk, now=LATER, by_staff=True).erased_at == LATER


def test_the_profile_leads_to_a_page_that_says_what_happens_before_the_button(browser):
    assert "/profile/delete/" in browser.get("/profile/").content.decode()
    assert "cannot undo this" in browser.get("/profile/delete/").content.decode()


def test_a_player_deletes_the_account_on_the_page_with_the_password(anna):
    browser = client_of(anna)
    let_time_pass(browser)
    page = browser.post("/profile/delete/")
    assert page.status_code == 403
    assert Player.objects.get(pk=anna.pk).is_active
    done = answer(browser, page)
    assert done["Location"] == "/"
    assert Player.objects.get(pk=anna.pk).erased_at is not None
    assert "_auth_user_id" not in browser.session


def test_a_guest_deletes_the_account_without_a_password(guest):
    browser = client_of(guest)
    let_time_pass(browser)
    assert browser.post("/profile/delete/")["Location"] == "/"
    assert Player.objects.get(pk=guest.pk).erased_at is not None


def test_an_account_is_deleted_over_the_api_with_the_password(anna):
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION="Basic YW5uYTpjb3JyZWN0IGhvcnNlIDc=")
    assert api.delete("/api/v1/players/me/").status_code == 204
    assert Player.objects.get(pk=anna.pk).erased_at is not None
    assert api.delete("/api/v1/players/me/").status_code == 401


def test_a_session_gives_the_password_before_it_deletes_the_account_over_the_api(anna):
    api = client_of(anna, APIClient)
    let_time_pass(api)
    assert api.delete("/api/v1/players/me/").json()["code"] == "password_needed"


def test_a_link_to_a_new_password_is_worth_nothing_for_a_closed_account(anna, client):
    Delivery.objects.all().delete()
    ask(client, "anna@example.org")
    link = link_in_mail()
    deactivate_player(player_id=anna.pk, now=LATER)
    assert b"has been used or has expired" in client.get(link, follow=True).content


def form_of(player: Player, **fields: Any) -> dict[str, Any]:
    return {"username": player.username, "email": player.email, "is_active": "on", **fields}


def test_staff_switches_an_account_off_and_on_in_the_admin(anna):
    browser, admin = client_of(anna), client_of(boss())
    off = form_of(anna)
    del off["is_active"]
    assert admin.post(f"/admin/players/player/{anna.pk}/change/", off).status_code == 302
    anna.refresh_from_db()
    assert (anna.is_active, anna.closed_at is not None, anna.tokens.count()) == (False, True, 0)
    assert browser.get("/profile/").status_code == 302
    admin.post(f"/admin/players/player/{anna.pk}/change/", form_of(anna))
    anna.refresh_from_db()
    assert (anna.is_active, anna.closed_at) == (True, None)


@pytest.mark.parametrize("fields", [{"is_superuser": "on"}, {"is_active": "on"}])
def test_the_admin_refuses_to_switch_the_last_superuser_off(fields):
    last = boss()
    sent = {"username": "boss", "is_staff": "on", **fields}
    page = client_of(last).post(f"/admin/players/player/{last.pk}/change/", sent)
    assert page.status_code == 200
    assert "This is the last superuser" in page.content.decode()
    assert Player.objects.filter(pk=last.pk, is_active=True, is_superuser=True).exists()


@pytest.mark.parametrize("at_once", [True, False])
def test_staff_deletes_an_account_in_the_admin_and_its_name_goes(anna, at_once):
    admin = client_of(boss())
    if at_once:
        sent = {"action": "delete_selected", "_selected_action": [anna.pk], "post": "yes"}
        assert admin.post("/admin/players/player/", sent).status_code == 302
    else:
        path = f"/admin/players/player/{anna.pk}/delete/"
        assert "stay under a neutral name" in admin.get(path).content.decode()
        assert admin.post(path, {"post": "yes"}).status_code == 302
    assert Player.objects.get(pk=anna.pk).username == f"closed-{anna.pk}"
    admin.get("/admin/")  # It says once what was done.
    assert "anna" not in admin.get("/admin/").content.decode()


def test_the_admin_says_why_an_account_cannot_be_deleted():
    last = boss()
    path = f"/admin/players/player/{last.pk}/delete/"
    assert "This is the last superuser" in client_of(last).get(path).content.decode()
    assert "This is the last superuser" in client_of(last).post(path, {"post": "yes"}).content.decode()
    assert Player.objects.filter(pk=last.pk, erased_at=None).exists()


def test_a_deleted_account_is_not_opened_again_nor_by_the_admin(anna):
    delete_account(player_id=anna.pk, now=LATER)
    with pytest.raises(AccountErased):
        reactivate_player(player_id=anna.pk)
    client_of(boss()).post(f"/admin/players/player/{anna.pk}/change/", form_of(anna, username="anna"))
    ghost = Player.objects.get(pk=anna.pk)
    assert (ghost.is_active, ghost.username) == (False, f"closed-{anna.pk}")
