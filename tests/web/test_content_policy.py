"""Faults and files carry the one content policy too; what answers urls is asked in ``test_permissions``."""

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from tests.web.content_policy import POLICY, policy_of

pytestmark = pytest.mark.django_db


def fail(request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError


urlpatterns = [path("fail/", fail), path("api/v1/fail/", fail), path("", include("config.urls"))]


@pytest.mark.parametrize(
    ("url", "status"),
    [
        ("/nothing/", 404),
        ("/api/v1/nothing/", 404),
        ("/admin/nothing/", 302),
        ("/players/%00/", 400),
        ("/seeks", 301),
        ("/static/css/admin.css", 200),
        ("/static/img/nothing.svg", 404),
        ("/fail/", 500),
        ("/api/v1/fail/", 500),
    ],
)
def test_refusals_faults_and_files_carry_the_policy(settings, url, status):
    settings.ROOT_URLCONF = __name__
    response = Client(raise_request_exception=False).get(url)
    assert (response.status_code, policy_of(response)) == (status, POLICY)


def test_a_refusal_by_a_csrf_check_carries_the_policy():
    response = Client(enforce_csrf_checks=True).post("/log-in/", {"username": "anna"})
    assert (response.status_code, policy_of(response)) == (403, POLICY)


def test_a_host_that_is_not_ours_is_refused_under_the_policy():
    response = Client().get("/", HTTP_HOST="elsewhere.example")
    assert (response.status_code, policy_of(response)) == (400, POLICY)


def test_a_body_that_is_too_large_is_refused_under_the_policy(settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    response = Client().post("/log-in/", {"username": "x" * 100})
    assert (response.status_code, policy_of(response)) == (400, POLICY)
