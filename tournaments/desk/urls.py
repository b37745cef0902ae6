"""The organisers' URLs below ``/ladders/<slug>/organise/`` and ``/cups/<slug>/organise/``."""

from django.urls import URLPattern, path

from tournaments.desk.acts import ACTS
from tournaments.desk.views.acts import act_on_several, confirm
from tournaments.desk.views.desk import list_entries, list_fixtures, list_invitations, organise, show_fixture
from tournaments.desk.views.draw import draw, show_proposed_round
from tournaments.desk.views.lists import import_entries, list_waiting
from tournaments.desk.views.notes import delete as delete_note
from tournaments.desk.views.notes import notes
from tournaments.desk.views.people import organisers

GROUP = "stages/<int:stage>/groups/<int:group>/"
PATHS = dict.fromkeys(act.on.path for act in ACTS if act.on.path)
PATHS_OF_SEVERAL = dict.fromkeys(act.on.path for act in ACTS if act.bulk)
PATHS_IN_GROUPS = dict.fromkeys(act.on.path for act in ACTS if act.on.is_in_group)


def organiser_urls(kind: str) -> list[URLPattern]:
    """Return the URLs of one kind of competition, ``"ladder"`` or ``"cup"``."""
    base = f"{kind}s/<slug:slug>/organise/"
    options = {"kind": kind}
    return [
        path(base, organise, options, name=f"{kind}-organise"),
        path(f"{base}draw/", draw, options),
        path(f"{base}import/", import_entries, options),
        path(f"{base}organisers/", organisers, options),
        path(f"{base}notes/", notes, options),
        path(f"{base}notes/<int:note_id>/delete/", delete_note, options),
        path(f"{base}invitations/", list_invitations, options),
        path(f"{base}waiting-list/", list_waiting, options),
        path(f"{base}entries/", list_entries, options),
        path(f"{base}fixtures/", list_fixtures, options),
        path(f"{base}fixtures/<int:fixture_id>/", show_fixture, options),
        path(f"{base}proposed-rounds/<int:number>/", show_proposed_round, options),
        path(f"{base}{GROUP}proposed-rounds/<int:number>/", show_proposed_round, options),
        *(path(f"{base}{each}/<int:subject_id>/<slug:action>/", confirm, {**options, "path": each}) for each in PATHS),
        *(path(f"{base}{each}/<slug:action>/", act_on_several, {**options, "path": each}) for each in PATHS_OF_SEVERAL),
        *(
            path(f"{base}{GROUP}{each}/<int:subject_id>/<slug:action>/", confirm, {**options, "path": each})
            for each in PATHS_IN_GROUPS
        ),
        path(f"{base}<slug:action>/", confirm, options),
    ]


urlpatterns = [*organiser_urls("ladder"), *organiser_urls("cup")]
