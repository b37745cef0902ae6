"""The organisers' URLs under ``/api/v1/``."""

from django.urls import path

from tournaments.desk.api import lists, notes, people, proposed_rounds
from tournaments.desk.api.acts import act_urls

COMPETITION = "competitions/<slug:slug>/"

urlpatterns = [
    path("organised/", people.OrganisedView.as_view()),
    path("organised/over/", people.OrganisedBeforeView.as_view()),
    *act_urls(COMPETITION),
    path(f"{COMPETITION}notes/", notes.NotesView.as_view()),
    path(f"{COMPETITION}notes/<int:note_id>/", notes.NoteView.as_view()),
    path(f"{COMPETITION}draw/", proposed_rounds.DrawView.as_view()),
    path(f"{COMPETITION}proposed-rounds/", proposed_rounds.ProposedRoundsView.as_view()),
    path(f"{COMPETITION}import/", lists.ImportView.as_view()),
    path(f"{COMPETITION}invitations/", lists.InvitationsView.as_view()),
    path(f"{COMPETITION}waiting-list/", lists.WaitingListView.as_view()),
    path(f"{COMPETITION}organisers/", people.OrganisersView.as_view()),
    path(f"{COMPETITION}organisers/<str:username>/", people.OrganiserOfCompetitionView.as_view()),
]
