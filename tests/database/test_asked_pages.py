"""Every page is compared on a small site and on a large one by ``benchmarks/pages.py``, or is named here with a reason.

A new URL that answers to GET needs a path in ``benchmarks/asked_pages.py``; what shows no rows of the site, or one of
them, may be named here.
"""

import re
from functools import cache

import pytest
from django.urls import resolve

from benchmarks.asked_pages import DEEP_PAGES, LONGER, PATHS, first_page
from tests.permissions.test_permissions import TABLE

EXCEPTIONS = {
    r"api/v1/(\w+/<\w+:\w+>/)?stream/": "never ends: benchmarks/streams.py measures it",
    r"api/v1/matches/<int:match_id>/(route|texts/<slug:key>)/": "is computed from one match",
    r"api/v1/matches/<int:match_id>/analysis/": "shows one row, where somebody has asked for it",
    r"matches/<int:match_id>/positions/<slug:version>/<int:first>-<int:last>/": "is computed from one match",
    r"api/v1/(schema|docs)/": "shows no rows",
    r"(privacy/|robots\.txt|\.well-known/security\.txt)": "shows no rows",
    r"(sign-up|log-in|forgot-password)/": "is a form for people who have not logged in, without rows",
    r"choose-password/<str:uidb64>/<str:token>/": "is a form by a link of a mail, of one account",
    r"mail/(confirm|off|invitation)/<str:token>/": "is a form by a link of a mail, of one row",
    r"(friend|api/v1/linked-seeks)/<str:token>/": "shows one seek",
    r"(api/v1/competitions|ladders|cups)/<slug:slug>/export/<str:what>\.<str:form>": "downloads a whole table",
    r"api/v1/competitions/<slug:slug>/.+/preview/": "does what it shows, and takes it back",
    r"(ladders|cups)/<slug:slug>/organise/(.+/)?<slug:action>/": "is a form of one act",
    r"(ladders|cups)/<slug:slug>/organise/delete/": "is a form about one draft",
    r"(ladders|cups)/<slug:slug>/fixtures/<int:fixture_id>/dispute/": "is a form about one match",
    r"api/v1/competitions/<slug:slug>/disputes/": "shows a row for each dispute, which are few",
    r"cups/<slug:slug>/team/": "is a form of one team's entry",
    r"teams/<slug:slug>/close/": "is a form of one team",
    r"ladders/<slug:slug>/organise/draw/": "is not there: nobody draws a ladder",
    r"ladders/<slug:slug>/organise/(stages/.+/)?proposed-rounds/<int:number>/": "is not there: ladders have no rounds",
    r"cups/<slug:slug>/organise/stages/<int:stage>/groups/<int:group>/proposed-rounds/<int:number>/": (
        "shows what the page of a cup without groups shows, which is asked for"
    ),
    r"admin/(login|password_change|password_change/done|jsi18n|autocomplete)/": "is Django's own, without rows",
    r"admin/tournaments/correction/(<path:object_id>/change/)?": "shows a row for each corrected result, of few",
    r"admin/tournaments/dispute/(<path:object_id>/change/)?": "shows a row for each disputed result, of few",
    r"admin/tournaments/formertext/(<path:object_id>/change/)?": "shows a row for each text that was changed, of few",
    r"api/v1/pauses/|admin/matches/sitepause/(<path:object_id>/change/)?": (
        "shows a row for each outage of the site, which are few"
    ),
    r"admin/(<app_label>|<url>|r/<path:content_type_id>/<path:object_id>/)": "shows no rows, or leads elsewhere",
    r"admin/\w+/\w+/<path:object_id>/": "leads to the page of the row, which is asked for",
    r"admin/\w+/\w+/<path:object_id>/(delete|history)/": "is about one row",
    r"admin/\w+/\w+/add/": "is a form; those that the admin has are asked for",
    r"admin/players/player/<id>/password/": "is a form about one account",
}
"""The routes that are not asked for, as patterns, and why."""


def asked_routes():
    return {resolve(re.sub(r"\{\w+\}", "1", path.partition("?")[0])).route for _who, path in PATHS.values()}


@cache
def unasked_routes():
    return {route for method, route in TABLE if method == "GET"} - asked_routes()


def test_every_url_is_asked_for_or_is_an_exception():
    left_out = {route for route in unasked_routes() if not any(re.fullmatch(each, route) for each in EXCEPTIONS)}
    assert left_out == set()


@pytest.mark.parametrize("pattern", EXCEPTIONS)
def test_no_exception_is_for_nothing(pattern):
    assert [route for route in unasked_routes() if re.fullmatch(pattern, route)] != []


def test_every_deep_page_has_a_first_page():
    deep = {name for name in PATHS if name.endswith(DEEP_PAGES)}
    assert {name for name in deep if first_page(name) not in PATHS} == set()


def test_only_pages_that_are_asked_for_may_be_longer():
    assert set(LONGER) <= set(PATHS)
