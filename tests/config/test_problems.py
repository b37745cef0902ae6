"""Refusals over HTTP."""

import pytest


@pytest.mark.django_db
def test_an_unknown_address_under_the_api_is_a_problem_not_a_page(client):
    response = client.get("/api/v1/nothing/")
    assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")
    assert response.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is nothing at this address.",
        "code": "not_found",
    }
