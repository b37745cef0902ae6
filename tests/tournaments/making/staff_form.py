"""The form of staff in the admin, filled in and sent as a browser would."""

from typing import Any

from django.test import Client

from tests.pages.html import as_shown
from tournaments.models import Competition

ADD_CUP, ADD_LADDER = "/admin/tournaments/cup/add/", "/admin/tournaments/ladder/add/"


def change_url(competition: Competition) -> str:
    return f"/admin/tournaments/{competition.kind}/{competition.pk}/change/"


def form_at(client: Client, url: str) -> Any:
    """Return the form that a page of the admin shows."""
    return client.get(url).context["adminform"].form


def fill_in(client: Client, url: str, **changes: str) -> Any:
    """Send the form at a URL as it is shown, but for these fields; a new competition has a name and a game."""
    sent = as_shown(form_at(client, url))
    if "version" not in sent:
        sent |= {"name": "Autumn Cup", "game": "streetsoccer-board"}
    return client.post(url, sent | changes)


def faults_at(client: Client, url: str, **changes: str) -> dict[str, list[str]]:
    """Return the errors of the form at a URL, sent with these fields."""
    return fill_in(client, url, **changes).context["adminform"].form.errors
