"""A bounded pool hashes all passwords."""

import base64
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Lock
from typing import Any

import pytest
from django.contrib.auth import hashers as djangos
from django.contrib.auth.hashers import check_password, make_password
from django.core import mail
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from players import hashers
from players.hashers import HashPool, hash_pool
from players.models import Player
from players.selectors import find_player
from players.services import check_credentials
from players.services.credentials import check_current_password
from tests.players.conftest import PASSWORD
from tests.players.test_password_resets import ask, link_in_mail
from tests.served import ROOT
from tests.tournaments.verbs import make_cup
from web.errors import PasswordsBusy

NEW = "another horse 8"
OLD_HASH = (
    "argon2$argon2id$v=19$m=102400,t=2,p=8$b2xkc2FsdG9mYWRlZmF1bHRoYXNoMQ$1P5WPRQFeeSGlj2ZpUe1WmJ6rSyJ3VA8Ild2OzgQdYg"
)
"""The hash of ``PASSWORD`` with Django's default parameters."""


class Work:
    """Something slow, which ends on demand and counts how many run at once."""

    def __init__(self):
        self.may_end = Event()
        self.begun, self.at_once, self.most = 0, 0, 0
        self._lock = Lock()

    def __call__(self):
        with self._lock:
            self.begun += 1
            self.at_once += 1
            self.most = max(self.most, self.at_once)
        assert self.may_end.wait(30)
        with self._lock:
            self.at_once -= 1
        return "hash"


def wait_until(true):
    never = Event()
    for _ in range(3000):
        if true():
            return
        never.wait(0.01)
    raise AssertionError("it never came to that")


def test_so_many_hashes_run_at_once_and_the_others_wait_for_them():
    pool, work = HashPool(places=3, timeout=30), Work()
    with ThreadPoolExecutor(20) as threads:
        hashes = [threads.submit(pool.run, work) for _ in range(20)]
        wait_until(lambda: work.begun == 3 and len(pool._queue) == 17)
        work.may_end.set()
        assert [each.result() for each in hashes] == ["hash"] * 20
    assert (work.begun, work.most) == (20, 3)


def test_a_hash_that_has_waited_too_long_is_refused_and_the_place_is_still_there_for_others():
    pool, work = HashPool(places=2, timeout=0.05), Work()
    with ThreadPoolExecutor(8) as threads:
        running = [threads.submit(pool.run, work) for _ in range(2)]
        wait_until(lambda: work.begun == 2)
        for refused in [threads.submit(pool.run, work) for _ in range(6)]:
            with pytest.raises(PasswordsBusy) as refusal:
                refused.result()
            assert refusal.value.wait == 5
        work.may_end.set()
        assert [each.result() for each in running] == ["hash"] * 2
    assert (work.begun, work.most) == (2, 2)
    assert [pool.run(work) for _ in range(3)] == ["hash"] * 3


def test_a_hash_that_fails_leaves_its_place():
    pool = HashPool(places=1, timeout=5)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            pool.run(lambda: 1 // 0)
    assert pool.run(lambda: "hash") == "hash"


def test_an_expensive_hash_runs_alone_and_is_not_overtaken_for_ever():
    pool, first, expensive, later = HashPool(places=3, timeout=30), Work(), Work(), Work()
    with ThreadPoolExecutor(4) as threads:
        running = [threads.submit(pool.run, first)]
        wait_until(lambda: first.begun == 1)
        running += [threads.submit(pool.run, expensive, places=99)]
        wait_until(lambda: len(pool._queue) == 1)
        running += [threads.submit(pool.run, later) for _ in range(2)]
        wait_until(lambda: len(pool._queue) == 3)
        assert (expensive.begun, later.begun) == (0, 0)
        first.may_end.set()
        wait_until(lambda: expensive.begun == 1)
        assert later.begun == 0
        expensive.may_end.set()
        wait_until(lambda: later.begun == 2)
        later.may_end.set()
        assert [each.result() for each in running] == ["hash"] * 4


def test_hashes_behind_an_expensive_hash_go_on_when_it_gives_up():
    pool, first, later = HashPool(places=2, timeout=0.2), Work(), Work()
    with ThreadPoolExecutor(3) as threads:
        running = [threads.submit(pool.run, first)]
        wait_until(lambda: first.begun == 1)
        refused = threads.submit(pool.run, first, places=2)
        with pytest.raises(PasswordsBusy):
            refused.result()
        running += [threads.submit(pool.run, later)]
        wait_until(lambda: later.begun == 1)
        first.may_end.set()
        later.may_end.set()
        assert [each.result() for each in running] == ["hash"] * 2


def test_a_forked_process_hashes_with_threads_of_its_own():
    script = """
import os
from django.contrib.auth.hashers import make_password
make_password("a")
child = os.fork()
if not child:
    os._exit(0 if make_password("b") else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    command = [sys.executable, "-W", "ignore", "-c", script]
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", "PATH": ""}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert ran.stdout.strip() == "0", ran.stderr


@pytest.fixture
def real_hashes(settings):
    """Hash as the site does."""
    settings.PASSWORD_HASHERS = [name for name in settings.PASSWORD_HASHERS if "MD5" not in name]


def test_no_hasher_of_the_site_goes_past_the_pool(settings, real_hashes):
    assert [type(hasher).__module__ for hasher in djangos.get_hashers()] == ["players.hashers"] * 2


@pytest.mark.parametrize("hasher", [hashers.Argon2PasswordHasher(), hashers.PBKDF2PasswordHasher()])
def test_making_and_checking_a_hash_each_take_a_place(monkeypatch, real_hashes, hasher):
    asked = []

    class Counting(HashPool):
        def run(self, hashing, *, places=1):
            asked.append(places)
            return super().run(hashing, places=places)

    pool = Counting(places=2, timeout=5)
    monkeypatch.setattr(hashers, "hash_pool", lambda: pool)
    # A hash takes a place however long it takes.
    monkeypatch.setattr(hashers.PBKDF2PasswordHasher, "iterations", 1000)
    stored = make_password("correct", hasher=hasher.algorithm)
    assert asked == [1]
    assert hasher.verify("correct", stored)
    assert not hasher.verify("wrong", stored)
    assert asked == [1, 1, 1]


def test_hashes_have_the_parameters_that_the_settings_say(settings, real_hashes):
    assert make_password("x").startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    settings.ARGON2_MEMORY_COST, settings.ARGON2_TIME_COST, settings.ARGON2_PARALLELISM = 8192, 3, 2
    assert make_password("x").startswith("argon2$argon2id$v=19$m=8192,t=3,p=2$")


def test_the_pool_is_as_large_as_the_settings_say(settings):
    settings.MAX_PASSWORD_HASHES, settings.PASSWORD_HASH_TIMEOUT = 7, 1.5
    hash_pool.cache_clear()
    try:
        assert (hash_pool()._free, hash_pool()._timeout) == (7, 1.5)
    finally:
        hash_pool.cache_clear()


@pytest.fixture
def with_an_old_hash(anna, real_hashes):
    """Anna, whose password was hashed with Django's default parameters."""
    anna.password = OLD_HASH
    anna.save(update_fields=["password"])
    return anna


def test_an_old_hash_is_made_anew_at_the_next_log_in(with_an_old_hash):
    assert "m=102400,t=2,p=8" in with_an_old_hash.password
    check_credentials(username="anna", password=PASSWORD, client_ip="192.0.2.1")
    stored = Player.objects.get(username="anna").password
    assert "m=19456,t=2,p=1" in stored
    check_credentials(username="anna", password=PASSWORD, client_ip="192.0.2.1")
    assert Player.objects.get(username="anna").password == stored


def test_an_old_hash_takes_as_many_places_as_it_takes_memory(with_an_old_hash, monkeypatch):
    asked = []
    monkeypatch.setattr(hash_pool(), "run", lambda hashing, *, places=1: [asked.append(places), hashing()][1])  # type: ignore[func-returns-value]
    assert check_password(PASSWORD, with_an_old_hash.password)
    assert asked == [6]


def test_giving_the_current_password_ends_no_session(with_an_old_hash, client):
    client.force_login(with_an_old_hash)
    check_current_password(player=with_an_old_hash, password=PASSWORD, field="old")
    assert client.get("/profile/").status_code == 200


# Every page and endpoint that hashes a password


@pytest.fixture
def full(monkeypatch, real_hashes):
    """Yield a function that fills the pool: nothing more is hashed until the test is over."""
    pool, work = HashPool(places=1, timeout=0.01), Work()
    with ThreadPoolExecutor(1) as threads:

        def fill():
            threads.submit(pool.run, work)
            wait_until(lambda: work.begun == 1)
            monkeypatch.setattr(hashers, "hash_pool", lambda: pool)

        yield fill
        work.may_end.set()


def is_busy(answer):
    """Return whether the answer says when to try again, to people or to programs."""
    if answer["Content-Type"] == "application/problem+json":
        assert answer.json()["code"] == "passwords_busy"
    else:
        assert "Too many people are logging in" in answer.content.decode()
    return (answer.status_code, answer["Retry-After"]) == (503, "5")


ACCOUNT = {"username": "zoe", "password": PASSWORD, "email": ""}
CHANGE = {"old": PASSWORD, "new": NEW}
CHOSEN = {"password1": NEW, "password2": NEW, "usable_password": "true"}
BASIC = "Basic " + base64.b64encode(f"anna:{PASSWORD}".encode()).decode()


SPRING = {"password": "offside"}
TOKEN = {"name": "bot", "scopes": ["read"]}


@pytest.mark.parametrize(
    ("who", "method", "url", "body"),
    [
        ("", "post", "/log-in/", {"username": "anna", "password": PASSWORD}),
        ("", "post", "/log-in/", {"username": "nobody", "password": PASSWORD}),
        ("basic", "post", "/api/v1/tokens/", TOKEN),
        *((who, "post", url, ACCOUNT) for who in ("", "guest") for url in ("/sign-up/", "/api/v1/players/")),
        ("anna", "post", "/profile/password/", CHANGE),
        ("anna", "put", "/api/v1/players/me/password/", CHANGE),
        ("anna", "post", "/cups/cup/enter/", SPRING),
        ("anna", "post", "/api/v1/competitions/cup/enter/", SPRING),
        ("boss", "post", "/admin/players/player/add/", {"username": "zoe", **CHOSEN}),
        ("boss", "post", "/admin/players/player/{}/password/", CHOSEN),
    ],
)
def test_all_that_hashes_a_password_is_refused_while_the_pool_is_full(request, full, anna, who, method, url, body):
    make_cup(password=make_password("offside"))
    client: Any = APIClient() if url.startswith("/api/") else Client()
    if who == "basic":
        client.credentials(HTTP_AUTHORIZATION=BASIC)
    elif who:
        client.force_login(request.getfixturevalue(who))
    full()
    assert is_busy(getattr(client, method)(url.format(anna.pk), body))
    assert find_player(username="zoe") is None


def test_choosing_a_password_by_a_link_is_refused_while_the_pool_is_full_and_the_link_stays_good(client, full, anna):
    Player.objects.update(email_confirmed_at=timezone.now())
    mail.outbox.clear()
    ask(client, "anna@example.org")
    form = client.get(link_in_mail(), follow=True).redirect_chain[-1][0]
    full()
    assert is_busy(client.post(form, {"new": NEW}))
    assert client.get(form).context["validlink"]


def test_a_refusal_by_a_full_pool_costs_no_attempt(client, full, anna, monkeypatch, settings):
    settings.BUDGETS = dict.fromkeys(("log-in-by-name", "log-in-by-client", "sign-ups"), "1/600s")
    pool = hash_pool()
    full()
    for _ in range(3):
        assert is_busy(client.post("/log-in/", {"username": "anna", "password": PASSWORD}))
        assert is_busy(client.post("/sign-up/", {"username": "piotr", "password": PASSWORD}))
    monkeypatch.setattr(hashers, "hash_pool", lambda: pool)
    assert client.post("/sign-up/", {"username": "piotr", "password": PASSWORD}).status_code == 302
    assert Client().post("/log-in/", {"username": "anna", "password": PASSWORD}).status_code == 302
