"""Sessions: when they begin, whom they belong to, and when they end."""

from datetime import timedelta

import pytest
from django.conf import settings as configured
from django.contrib.sessions.models import Session
from django.utils import timezone

from players.tasks import clear_sessions
from tests.players.conftest import PASSWORD, client_of
from tests.players.test_password_resets import NEW, ask, link_in_mail

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]
COOKIE = configured.SESSION_COOKIE_NAME


def test_logging_in_gives_a_new_key_to_a_session_that_was_there_before(client, guest, anna):
    client.force_login(guest)
    before = client.cookies[COOKIE].value
    client.post("/log-in/", {"username": "anna", "password": PASSWORD})
    after = client.cookies[COOKIE].value
    assert before != after
    assert not Session.objects.filter(session_key=before).exists()
    assert Session.objects.get(session_key=after).get_decoded()["_auth_user_id"] == str(anna.pk)


def test_scripts_and_other_sites_do_not_get_the_sessions_cookie(client, anna):
    client.post("/log-in/", {"username": "anna", "password": PASSWORD})
    cookie = client.cookies[COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_logging_out_ends_the_session_on_the_server_too(client, anna):
    client.force_login(anna)
    client.post("/log-out/")
    assert not Session.objects.exists()


def test_a_link_to_choose_a_password_is_worth_nothing_once_another_one_was_used(client, confirmed):
    ask(client, "anna@example.org")
    first = link_in_mail()
    ask(client, "anna@example.org")
    client.post(client.get(link_in_mail(), follow=True).redirect_chain[-1][0], {"new": NEW})
    assert b"has been used" in client.get(first, follow=True).content


def test_the_sweep_forgets_expired_sessions_alone(anna):
    kept, expired = client_of(anna), client_of(anna)
    old = Session.objects.filter(session_key=expired.cookies[COOKIE].value)
    old.update(expire_date=timezone.now() - timedelta(seconds=1))
    clear_sessions()
    assert list(Session.objects.values_list("session_key", flat=True)) == [kept.cookies[COOKIE].value]
    assert configured.CELERY_BEAT_SCHEDULE["clear-sessions"]["task"] == "players.tasks.clear_sessions"
