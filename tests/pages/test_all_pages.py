"""Every page keeps to the strict policy, says its language, title and main heading, and has no id twice."""

import re

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from matches.models import Match
from players.models import Player
from tests.matches.analysed import store_analysis
from tests.matches.play import begin_match, play_at_once, seek_of, set_up
from tests.pages.conftest import SEED
from tests.pages.html import lost_references, text_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(begin):
    return play_at_once(set_up(begin()))


@pytest.fixture(scope="module")
def pages(django_db_setup, django_db_blocker):
    """Return every kind of page, as a visitor or a player sees it: made once, of a site that nobody else sees."""
    with django_db_blocker.unblock(), transaction.atomic():
        made = make_pages()
        transaction.set_rollback(True)
    return made


def make_pages():
    anna, piotr = (Player.objects.create(username=name) for name in ("anna", "piotr"))
    now = timezone.now()
    running, finished = (set_up(begin_match(anna, piotr, now=now, seed=SEED)) for _ in range(2))
    finished = play_at_once(finished)
    store_analysis(finished, moves=30)
    seek_of(piotr, invited=anna, now=now)
    matches = [
        f"{match.get_absolute_url()}{part}" for match in (running, finished) for part in ("", "dice/", "analysis/")
    ]
    paths = [
        *matches,
        *"/ /seeks/ /players/anna/ /sign-up/ /log-in/ /forgot-password/ /choose-password/x/y/ /profile/".split(),
        *"/my-turns/ /mail/confirm/x/ /mail/off/x/ /nothing/ /matches/99999/".split(),
        *"/replay/ /replay/?game=paper-soccer".split(),
    ]
    visitor, player = Client(), Client()
    player.force_login(anna)
    return [browser.get(path) for path in paths for browser in (visitor, player)]


def test_no_page_needs_more_than_the_strict_policy_allows(pages):
    for page in pages:
        content = page.content.decode()
        assert not re.search(r"\sstyle=|<style|\son\w+=", content), page.request["PATH_INFO"]
        assert not re.findall(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", content), page.request["PATH_INFO"]


def test_every_page_says_its_language_title_and_main_heading(pages):
    for page in pages:
        if page.status_code == 302:
            continue
        content = page.content.decode()
        assert '<html lang="en">' in content
        assert re.search(r"<title>\S.+ · Kickabout</title>", content)
        assert len(re.findall(r"<h1", content)) == 1, page.request["PATH_INFO"]


def test_no_id_is_given_twice(pages):
    for page in pages:
        ids = re.findall(r'\sid="([^"]+)"', page.content.decode())
        assert sorted(ids) == sorted(set(ids)), page.request["PATH_INFO"]


def test_every_element_that_describes_or_names_a_part_of_a_page_is_there(pages):
    assert {page.request["PATH_INFO"]: lost for page in pages if (lost := lost_references(page))} == {}


@pytest.mark.parametrize("path", ["/seeks/", "/replay/"])
def test_every_hint_and_every_complaint_of_a_form_belongs_to_a_field(client_of, anna, path):
    player = client_of(anna)
    nonsense = {"pace": "never", "invited": "nobody", "min_rating": "x", "text": ""}
    for page in (player.get(path), player.post(path, nonsense)):
        content = page.content.decode()
        described = " ".join(re.findall(r'\saria-describedby="([^"]*)"', content)).split()
        notes = re.findall(r'<(?:span|ul) class="(?:helptext|errorlist)"(?: id="([^"]+)")?', content)
        assert len(notes) >= 2
        assert set(notes) <= set(described)
        assert lost_references(page) == set()


def test_the_dice_of_a_running_match_are_sealed(client, begin):
    match = set_up(begin())
    response = client.get(f"{match.get_absolute_url()}dice/")
    assert "Sealed until the end" in text_of(response)
    assert match.seed not in response.content.decode()


def test_the_dice_of_a_finished_match_are_proved(client, finished):
    response = client.get(f"{finished.get_absolute_url()}dice/")
    assert "Every roll is correct" in text_of(response)
    assert text_of(response).count("✓ correct") == finished.rolls


def test_an_exchanged_seed_is_found_out(client, finished):
    Match.objects.filter(pk=finished.pk).update(seed="00" * 32)
    assert "Some rolls are not correct" in text_of(client.get(f"{finished.get_absolute_url()}dice/"))


def test_a_form_without_its_token_is_refused_with_a_page(db):
    response = Client(enforce_csrf_checks=True).post("/play/")
    assert response.status_code == 403
    assert "This form is out of date" in text_of(response)


def test_a_fault_of_ours_has_a_page_of_its_own(client, monkeypatch):
    def fail(*args, **kwargs):
        raise RuntimeError("a fault")

    monkeypatch.setattr("matches.views.home.first_running", fail)
    monkeypatch.setattr("matches.views.home._welcome", fail)
    client.raise_request_exception = False
    response = client.get("/")
    assert response.status_code == 500
    assert "Something went wrong" in text_of(response)
